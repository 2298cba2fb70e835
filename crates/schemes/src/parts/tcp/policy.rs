//! RFC 5681, 4.2; LECN 2: how many segments one acknowledgment is for.

use multihop_core::{Duration, Params, Switch};

use super::options::{HeaderOption, LONGEST};

/// RFC 5681, 4.2: an acknowledgment waits less than 500 ms; ns-2's `interval_` is 100 ms.
pub const DELAY: Duration = Duration::from_millis(100);

/// Whether every second packet is acknowledged.
pub const DELAYED_ACK: Switch = Switch {
    name: "delayed_ack",
    about: "Acknowledge every second packet, or after 100 ms (RFC 5681, 4.2)",
    default: false,
};

/// Whether two acknowledgments go per window.
pub const ACK_THINNING: Switch = Switch {
    name: "ack_thinning",
    about: "Two acknowledgments per window of packets (LECN 2), or after 100 ms; takes \
            precedence over delayed_ack",
    default: false,
};

/// How many segments in order one acknowledgment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// One.
    Every,
    /// Two: RFC 5681, 4.2, delayed acknowledgments.
    Delayed,
    /// Half a window: LECN 2, "the receiver generates two ACKs for a window worth of packets".
    Thinned,
}

impl Policy {
    /// With [`ACK_THINNING`] and [`DELAYED_ACK`].
    pub fn new(params: &Params) -> Self {
        match (params.get(ACK_THINNING), params.get(DELAYED_ACK)) {
            (true, _) => Policy::Thinned,
            (false, true) => Policy::Delayed,
            (false, false) => Policy::Every,
        }
    }

    /// What the sender says for it with a window of so many segments.
    pub(super) fn told(self, window: u32) -> Option<SenderWindow> {
        let window = u16::try_from(window).unwrap_or(u16::MAX);
        (self == Policy::Thinned).then_some(SenderWindow(window))
    }
}

/// The sender's window in segments, for a receiver that thins acknowledgments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderWindow(pub u16);

impl HeaderOption for SenderWindow {
    const KIND: u8 = 2;

    fn emit(&self, body: &mut [u8; LONGEST]) -> usize {
        body[..2].copy_from_slice(&self.0.to_be_bytes());
        2
    }

    fn parse(body: &[u8]) -> Option<Self> {
        body.try_into().ok().map(|window| SenderWindow(u16::from_be_bytes(window)))
    }
}
