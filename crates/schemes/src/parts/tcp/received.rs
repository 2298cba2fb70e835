//! RFC 9293, 3.4: what has arrived at the receiving end, in order and behind gaps.

use core::ops::Range;
use std::collections::BTreeMap;

use multihop_core::{Cx, DropCause, Packet};

use super::header::Kind;

/// How far beyond the next expected segment one is kept: more than any window.
pub const MOST_HELD: u64 = 1_024;

/// How a segment lies to those that were there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequencing {
    /// It is the next one, and no gap is left or filled; or the last one again.
    InOrder,
    /// Any other. RFC 5681, 4.2: the sender wants to know at once.
    Gap,
}

/// The segments that have arrived.
#[derive(Debug, Default)]
pub struct Received {
    /// RCV.NXT, counted from the SYN on.
    expected: u64,
    /// Segments behind a gap.
    held: BTreeMap<u64, Packet>,
}

impl Received {
    /// RCV.NXT: all segments before this one have arrived.
    pub const fn expected(&self) -> u64 {
        self.expected
    }

    /// How many segments wait behind gaps.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Whether segment `sequence` waits behind a gap.
    pub fn is_held(&self, sequence: u64) -> bool {
        self.held.contains_key(&sequence)
    }

    /// The segments around `sequence`, which is held, that are held without a gap.
    pub fn around(&self, sequence: u64) -> Range<u64> {
        let is_held = |at: &u64| self.is_held(*at);
        let before = (self.expected..sequence).rev().take_while(is_held).count() as u64;
        let from = (sequence..self.expected + MOST_HELD).take_while(is_held).count() as u64;
        sequence - before..sequence + from
    }

    /// The flow is closed: the first of the segments that are left behind gaps.
    pub(super) fn give_up(&mut self) -> Option<Packet> {
        self.held.pop_first().map(|(_, packet)| packet)
    }

    /// Take the segment in, and deliver what is in order.
    pub(super) fn take(
        &mut self,
        cx: &mut Cx,
        kind: Kind,
        sequence: u64,
        packet: Packet,
    ) -> Sequencing {
        let whole = self.held.is_empty();
        let last_again = sequence + 1 == self.expected;
        if sequence == self.expected {
            self.expected += 1;
            if kind == Kind::Data {
                cx.deliver(packet);
            }
            while let Some(next) = self.held.remove(&self.expected) {
                self.expected += 1;
                cx.deliver(next);
            }
            return if whole { Sequencing::InOrder } else { Sequencing::Gap };
        }
        if sequence > self.expected && !self.is_held(sequence) {
            self.held.insert(sequence, packet);
        } else if kind == Kind::Data {
            cx.drop(packet, DropCause::Duplicate);
        }
        if whole && last_again { Sequencing::InOrder } else { Sequencing::Gap }
    }
}
