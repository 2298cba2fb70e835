//! RFC 6675, 4: what the receiver has told of segments behind a gap.

use std::collections::BTreeSet;

use crate::parts::tcp::connection::Connection;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::selective::Blocks;

/// The segments that have arrived out of order, and those that were retransmitted for it.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    arrived: BTreeSet<u64>,
    /// RFC 6675, 4: `HighRxt` and one: all gaps below were filled in this recovery.
    retransmitted: u64,
}

impl Scoreboard {
    /// RFC 6675, 4, `Update()`: whether `ack` brings news. Only what is on its way is believed.
    pub fn update(&mut self, tcp: &Connection, ack: &Ack) -> bool {
        self.arrived = self.arrived.split_off(&tcp.unacknowledged);
        let before = self.arrived.len();
        let blocks: Blocks = ack.options.get().unwrap_or_default();
        for range in blocks.ranges(ack.sequence) {
            let (start, end) = (range.start.max(tcp.unacknowledged), range.end.min(tcp.sent));
            self.arrived.extend(start..end);
        }
        self.arrived.len() > before
    }

    /// RFC 6675, 4, `NextSeg()` rule 1: the first gap that was not filled in this recovery, with
    /// something that has arrived behind it. Deviation: one segment behind it is enough, as in
    /// ns-2; `IsLost()` wants three.
    pub fn next_gap(&self, unacknowledged: u64) -> Option<u64> {
        let from = self.retransmitted.max(unacknowledged);
        let last = *self.arrived.last()?;
        (from..last).find(|sequence| !self.arrived.contains(sequence))
    }

    /// The gap `sequence` is filled.
    pub fn on_retransmitted(&mut self, sequence: u64) {
        self.retransmitted = self.retransmitted.max(sequence + 1);
    }

    /// RFC 6675, 5.1: forget everything.
    pub fn clear(&mut self) {
        *self = Scoreboard::default();
    }
}
