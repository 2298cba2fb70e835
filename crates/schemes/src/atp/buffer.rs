//! The sender's packets until they are acknowledged, and what is known of each.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use multihop_core::{Cx, FlowId, Message, Packet, Payload};

use super::header::{Block, Header};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Unsent,
    /// Sent last as this transmission.
    Sent(u32),
    Lost,
    Arrived,
}

/// The packets from the first that is not acknowledged to the last that there is.
#[derive(Debug, Default)]
pub struct Buffer {
    /// The sequence number of the first.
    first: u32,
    packets: VecDeque<(Message, Standing)>,
    /// The sequence number of the first that was never sent.
    next: u32,
    lost: BTreeSet<u32>,
}

impl Buffer {
    /// How many packets there are.
    pub fn len(&self) -> usize {
        self.packets.len()
    }

    /// The first sequence number that is not acknowledged.
    pub const fn first(&self) -> u32 {
        self.first
    }

    /// All sequence numbers before this one were sent.
    pub const fn sent(&self) -> u32 {
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
        self.packets.push_back((message, Standing::Unsent));
    }

    /// The flow is closed: the first of the messages that are left.
    pub fn give_up(&mut self) -> Option<Message> {
        self.packets.pop_front().map(|(message, _)| message)
    }

    /// The packet to send next: what is lost goes first. New ones go while fewer than `window` are on
    /// their way.
    pub fn next_to_send(&self, window: u32) -> Option<u32> {
        let open = self.next - self.first < window;
        let new = (self.unsent() > 0 && open).then_some(self.next);
        self.lost.first().copied().or(new)
    }

    fn place(&self, sequence: u32) -> usize {
        (sequence - self.first) as usize
    }

    /// The message in packet `sequence`.
    ///
    /// # Panics
    /// If it is not in the buffer.
    pub fn message(&self, sequence: u32) -> &Message {
        &self.packets[self.place(sequence)].0
    }

    /// Packet `sequence`, which [`Buffer::next_to_send`] has named, goes as this transmission.
    /// Whether it has gone before.
    pub fn on_sent(&mut self, sequence: u32, serial: u32) -> bool {
        let place = self.place(sequence);
        self.packets[place].1 = Standing::Sent(serial);
        self.next = self.next.max(sequence + 1);
        self.lost.remove(&sequence)
    }

    /// The receiver has told what has arrived. Of packets at or beyond `horizon` it says nothing.
    pub fn on_report(&mut self, header: &Header, blocks: &[Block], horizon: u32) {
        for block in blocks {
            let start = header.sequence.saturating_add(u32::from(block.distance));
            for sequence in self.within(start..start.saturating_add(u32::from(block.len))) {
                let place = self.place(sequence);
                self.packets[place].1 = Standing::Arrived;
                self.lost.remove(&sequence);
            }
        }
        for sequence in self.within(self.first..horizon) {
            let place = self.place(sequence);
            let standing = &mut self.packets[place].1;
            if matches!(*standing, Standing::Sent(serial) if serial < header.serial) {
                *standing = Standing::Lost;
                self.lost.insert(sequence);
            }
        }
    }

    /// Those of `range` that were sent and are not acknowledged.
    fn within(&self, range: Range<u32>) -> Range<u32> {
        range.start.max(self.first)..range.end.min(self.next)
    }

    /// All before `sequence` have arrived: let them go.
    pub fn release(&mut self, cx: &mut Cx, flow: FlowId, sequence: u32) {
        while self.first < sequence.min(self.next)
            && let Some((message, _)) = self.packets.pop_front()
        {
            self.lost.remove(&self.first);
            self.first += 1;
            cx.release(&Packet::new(flow, Payload::Virtual(0), message.tag));
        }
    }
}
