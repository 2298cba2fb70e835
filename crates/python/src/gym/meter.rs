//! What an observer who sees the whole network counts in each control step.

use multihop_core::{Duration, Tag, Time};
use multihop_trace::{Observation, Observer};

/// What became of one flow since the last step.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowSeen {
    /// Packets delivered.
    pub packets: u64,
    /// Bits of data delivered.
    pub bits: u64,
    /// The end-to-end delays of these packets, together.
    pub delay: Duration,
}

/// Counts by flow.
pub struct Meter {
    /// When each packet of each source was offered.
    offered: Vec<Vec<Time>>,
    /// By source.
    pub flows: Vec<FlowSeen>,
    /// Packets dropped anywhere.
    pub lost: u64,
}

impl Meter {
    /// The meter of a network.
    pub fn new(sources: usize) -> Self {
        Meter {
            offered: vec![Vec::new(); sources],
            flows: vec![FlowSeen::default(); sources],
            lost: 0,
        }
    }

    /// A step is over: its counts were read.
    pub fn restart(&mut self) {
        self.flows.fill(FlowSeen::default());
        self.lost = 0;
    }

    fn offered_at(&self, tag: Tag) -> Option<Time> {
        let times = self.offered.get(tag.source as usize)?;
        times.get(tag.data_number()? as usize).copied()
    }
}

impl Observer for Meter {
    fn observe(&mut self, at: Time, what: &Observation) {
        match *what {
            Observation::Offer { message, .. } => {
                if let Some(times) = self.offered.get_mut(message.tag.source as usize) {
                    let number = message.tag.number as usize;
                    times.resize(times.len().max(number + 1), at);
                }
            }
            Observation::Delivery { packet, .. } => {
                let offered = self.offered_at(packet.tag);
                if let (Some(since), Some(flow)) =
                    (offered, self.flows.get_mut(packet.tag.source as usize))
                {
                    flow.packets += 1;
                    flow.bits += packet.payload.len().bits();
                    flow.delay += at.since(since);
                }
            }
            Observation::Drop { packet, .. } if packet.tag.is_data() => self.lost += 1,
            _ => {}
        }
    }
}
