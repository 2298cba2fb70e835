//! A medium by itself: on which nodes that disturb each other never transmit at the same time, and
//! what else goes wrong is what a test wants.

use multihop_core::{Duration, Packet, Rng};

use crate::{Frame, Links};

/// What becomes of a frame at a node that is near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is decoded, and acknowledged if the MAC does so.
    Heard,
    /// It is not decoded.
    Lost,
    /// It is decoded, but its acknowledgment is not.
    Unacknowledged,
}

/// Decides what becomes of a frame at a node.
type Decide = dyn FnMut(&Frame, usize, &mut Rng) -> Fate + Send;

/// The medium.
pub struct Air {
    /// Who hears whom.
    pub links: Links,
    /// Whether its MACs acknowledge frames for them.
    pub acknowledges: bool,
    /// How many packets for one neighbour share a frame at most. A packet of several that is not acknowledged stays at its
    /// MAC, and is repeated with others; then it is given up.
    pub batch: usize,
    /// How long a packet is on the air.
    pub air_time: fn(&Packet) -> Duration,
    /// How long a MAC waits before it sends.
    pub access: fn(&mut Rng) -> Duration,
    pub(crate) fate: Box<Decide>,
}

impl Air {
    /// A medium without losses of 1 Mbit/s, with a backoff of 802.11's length.
    pub fn new(links: Links) -> Self {
        Air {
            links,
            acknowledges: true,
            batch: 1,
            air_time: |packet| Duration::from_micros(packet.len().bits()),
            access: |rng| Duration::from_micros(50 + u64::from(rng.below(32)) * 20),
            fate: Box::new(|_, _, _| Fate::Heard),
        }
    }
}
