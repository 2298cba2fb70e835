//! What the parameters mean, those of the paper and those of its variants.

use multihop_core::{Bytes, Duration, LinkTiming, NETWORK_HEADER_LEN, Packet};

use super::header::{HEADER_LEN, Kind};

/// The values of the parameters.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) asking: Asking,
    pub(super) unit: TimeoutUnit,
    /// The timeout in its unit.
    pub(super) timeout: f64,
    pub(super) timeout_jitter: f64,
    pub(super) timeout_growth: f64,
    pub(super) clock: Clock,
    pub(super) duplicate_memory: Duration,
    pub(super) link: LinkTiming,
}

/// For which packets a timeout permits an RFA; the others are sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asking {
    /// For none: "basic CXCC" (4).
    Never,
    /// For all (5.2).
    Always,
    /// For those that take the medium for longer than a request and its answer.
    WhereCheaper,
}

/// What a timeout is a multiple of.
#[derive(Clone, Copy, Debug)]
pub(super) enum TimeoutUnit {
    /// The time of the packet's bits, the paper's `T_P = s_P / B`.
    Bits,
    /// All that a hop takes on an idle medium: waits and the preamble, too.
    Exchange,
}

/// Which time a retransmission timeout counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clock {
    /// All of it.
    Wall,
    /// Only the time in which this radio could have overheard a neighbour.
    Overhearing,
}

/// The length of an RFA, an ACK and a NACK.
const CONTROL: Bytes = Bytes((NETWORK_HEADER_LEN + HEADER_LEN) as u32);

impl Settings {
    /// The unit of the timeout of `packet`: `T_P` (4.3).
    pub(super) fn packet_time(&self, packet: &Packet) -> Duration {
        match self.unit {
            TimeoutUnit::Bits => self.link.air_time(packet.len()),
            TimeoutUnit::Exchange => self.hop_time(packet),
        }
    }

    /// How long a hop takes for `packet` on an idle medium.
    pub(super) fn hop_time(&self, packet: &Packet) -> Duration {
        self.link.exchange_time(packet.len())
    }

    /// What the timeout of `packet` permits to send.
    pub(super) fn after_timeout(&self, packet: &Packet) -> Kind {
        let asks = match self.asking {
            Asking::Never => false,
            Asking::Always => true,
            Asking::WhereCheaper => {
                let request = self.link.exchange_time(CONTROL);
                request * 2 < self.hop_time(packet)
            }
        };
        if asks { Kind::Rfa } else { Kind::Data }
    }
}
