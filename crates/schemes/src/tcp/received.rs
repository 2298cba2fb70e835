//! RFC 9293, 3.4: what has arrived at the receiving end, in order and behind gaps.

use core::ops::Range;
use std::collections::BTreeMap;

use multihop_core::{Cx, DropCause, Packet};

use super::header::{Header, Kind};

/// How far beyond the next expected segment one is kept: more than any window.
pub const MOST_HELD: u32 = 1_024;

/// How a segment lies to those that were there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It is the next one, and no gap is left or filled; or the last one again.
    InOrder,
    /// Any other. RFC 5681, 4.2: the sender wants to know at once.
    Gap,
}

/// The segments that have arrived.
#[derive(Debug, Default)]
pub struct Received {
    /// RCV.NXT.
    expected: u32,
    /// Segments behind a gap.
    held: BTreeMap<u32, Packet>,
}

impl Received {
    /// RCV.NXT: all segments before this one have arrived.
    pub const fn expected(&self) -> u32 {
        self.expected
    }

    /// How many segments wait behind gaps.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Whether segment `sequence` waits behind a gap.
    pub fn is_held(&self, sequence: u32) -> bool {
        self.held.contains_key(&sequence)
    }

    /// The segments around `sequence`, which is held, that are held without a gap.
    pub fn around(&self, sequence: u32) -> Range<u32> {
        let is_held = |at: &u32| self.is_held(*at);
        let before = (self.expected..sequence).rev().take_while(is_held).count() as u32;
        let from = (sequence..=u32::MAX).take_while(is_held).count() as u32;
        sequence - before..sequence + from
    }

    /// The flow is closed: the first of the segments that are left behind gaps.
    pub(super) fn give_up(&mut self) -> Option<Packet> {
        self.held.pop_first().map(|(_, packet)| packet)
    }

    /// Whether segment `header` can be taken in.
    pub(super) fn fits(&self, header: &Header) -> bool {
        match header.kind {
            Kind::Syn => header.sequence == 0,
            Kind::Data => (1..self.expected + MOST_HELD).contains(&header.sequence),
            Kind::Ack => false,
        }
    }

    /// Take the segment in, and deliver what is in order.
    pub(super) fn take(&mut self, cx: &mut Cx, header: &Header, packet: Packet) -> Order {
        let sequence = header.sequence;
        let whole = self.held.is_empty();
        let last_again = sequence + 1 == self.expected;
        if sequence == self.expected {
            self.expected += 1;
            if header.kind == Kind::Data {
                cx.deliver(packet);
            }
            while let Some(next) = self.held.remove(&self.expected) {
                self.expected += 1;
                cx.deliver(next);
            }
            return if whole { Order::InOrder } else { Order::Gap };
        }
        if sequence > self.expected && !self.is_held(sequence) {
            self.held.insert(sequence, packet);
        } else if header.kind == Kind::Data {
            cx.drop(packet, DropCause::Duplicate);
        }
        if whole && last_again { Order::InOrder } else { Order::Gap }
    }
}
