//! The sender's packets until they are acknowledged, and what is known of each.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use multihop_core::{Cx, FlowId, Message, Packet, Payload};

use super::header::Block;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PacketState {
    Unsent,
    /// Sent last as this transmission.
    Sent(u64),
    Lost,
    Arrived,
}

/// What a report is about, in the sender's counts.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// All packets before this one have arrived.
    pub sequence: u64,
    /// The highest transmission that has arrived.
    pub serial: u64,
}

impl Report {
    /// Whether one of its blocks has packet `sequence`.
    fn has(&self, blocks: &[Block], sequence: u64) -> bool {
        blocks.iter().any(|block| {
            let start = self.sequence + u64::from(block.distance);
            (start..start + u64::from(block.len)).contains(&sequence)
        })
    }
}

/// The packets from the first that is not acknowledged to the last that there is.
#[derive(Debug, Default)]
pub struct Buffer {
    /// The sequence number of the first.
    first: u64,
    packets: VecDeque<(Message, PacketState)>,
    /// The sequence number of the first that was never sent.
    next: u64,
    lost: BTreeSet<u64>,
}

impl Buffer {
    /// How many packets there are.
    pub fn len(&self) -> usize {
        self.packets.len()
    }

    /// The first sequence number that is not acknowledged.
    pub const fn first(&self) -> u64 {
        self.first
    }

    /// All sequence numbers before this one were sent.
    pub const fn sent(&self) -> u64 {
        self.next
    }

    /// How many packets were never sent.
    pub fn unsent(&self) -> usize {
        self.len() - (self.next - self.first) as usize
    }

    /// Whether something was sent that is not acknowledged.
    pub const fn has_outstanding(&self) -> bool {
        self.next > self.first
    }

    /// The application's next message.
    pub fn push(&mut self, message: Message) {
        self.packets.push_back((message, PacketState::Unsent));
    }

    /// The flow is closed: the first of the messages that are left.
    pub fn give_up(&mut self) -> Option<Message> {
        self.packets.pop_front().map(|(message, _)| message)
    }

    /// The packet to send next: what is lost goes first. New ones go while fewer than `window` are on
    /// their way.
    pub fn next_to_send(&self, window: u32) -> Option<u64> {
        let open = self.next - self.first < u64::from(window);
        let new = (self.unsent() > 0 && open).then_some(self.next);
        self.lost.first().copied().or(new)
    }

    fn place(&self, sequence: u64) -> usize {
        (sequence - self.first) as usize
    }

    /// The message in packet `sequence`.
    ///
    /// # Panics
    /// If it is not in the buffer.
    pub fn message(&self, sequence: u64) -> &Message {
        &self.packets[self.place(sequence)].0
    }

    /// Packet `sequence`, which [`Buffer::next_to_send`] has named, goes as this transmission.
    /// Whether it has gone before.
    pub fn on_sent(&mut self, sequence: u64, serial: u64) -> bool {
        let place = self.place(sequence);
        self.packets[place].1 = PacketState::Sent(serial);
        self.next = self.next.max(sequence + 1);
        self.lost.remove(&sequence)
    }

    /// The receiver has told what has arrived. Of packets at or beyond `horizon` it says nothing.
    pub fn on_report(&mut self, report: &Report, blocks: &[Block], horizon: u64) {
        for block in blocks {
            let start = report.sequence + u64::from(block.distance);
            for sequence in self.within(start..start + u64::from(block.len)) {
                let place = self.place(sequence);
                self.packets[place].1 = PacketState::Arrived;
                self.lost.remove(&sequence);
            }
        }
        for sequence in self.within(self.first..horizon) {
            let place = self.place(sequence);
            let lost = match self.packets[place].1 {
                PacketState::Sent(serial) => serial < report.serial,
                // A receiver that has restarted does not have it any more.
                PacketState::Arrived => !report.has(blocks, sequence),
                PacketState::Unsent | PacketState::Lost => false,
            };
            if lost {
                self.packets[place].1 = PacketState::Lost;
                self.lost.insert(sequence);
            }
        }
    }

    /// The receiver knows nothing of these packets: they count anew, and none was sent.
    pub fn start_over(&mut self) {
        (self.first, self.next) = (0, 0);
        self.lost.clear();
        self.packets.iter_mut().for_each(|(_, standing)| *standing = PacketState::Unsent);
    }

    /// Those of `range` that were sent and are not acknowledged.
    fn within(&self, range: Range<u64>) -> Range<u64> {
        range.start.max(self.first)..range.end.min(self.next)
    }

    /// All before `sequence` have arrived: let them go.
    pub fn release(&mut self, cx: &mut Cx, flow: FlowId, sequence: u64) {
        while self.first < sequence.min(self.next)
            && let Some((message, _)) = self.packets.pop_front()
        {
            self.lost.remove(&self.first);
            self.first += 1;
            cx.release(&Packet::new(flow, Payload::Virtual(0), message.tag));
        }
    }
}
