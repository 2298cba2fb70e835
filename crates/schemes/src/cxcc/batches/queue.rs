//! The packets of one flow at a node: those that wait, and a batch that the next hop has not passed on.

use std::collections::VecDeque;

use multihop_core::{Bytes, FlowId, NodeId, Time};

use crate::cxcc::header::Kind;
use crate::cxcc::state::Queued;

/// Whether a queue is blocked by its batch (3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing is in the way of its next batch, or the MAC has some of the batch.
    Open,
    /// It waits for the next hop, until then.
    Blocked(Time),
    /// It may transmit what is missing, or ask.
    Repeat,
}

/// The queue of one flow.
#[derive(Debug)]
pub(super) struct Queue {
    pub(super) flow: FlowId,
    /// Received, and "must not be forwarded until an acknowledgment for the preceding" batch arrives (4.2).
    pub(super) waiting: VecDeque<Queued>,
    /// Of the batch, what the MAC has.
    pub(super) below: VecDeque<Queued>,
    /// Of the batch, what the next hop lacks.
    pub(super) missing: VecDeque<Queued>,
    /// Of the batch, what the next hop has received and not passed on, in that order.
    pub(super) received: VecDeque<Queued>,
    pub(super) standing: Standing,
    /// Whether the MAC has reported on some of what it has or had last: no more join it.
    pub(super) is_closed: bool,
    /// How often the batch, or an RFA for it, was sent in vain.
    pub(super) repetitions: u32,
    /// Since when; nothing before the first time.
    pub(super) since: Option<Time>,
}

impl Queue {
    pub(super) fn new(flow: FlowId) -> Self {
        Queue {
            flow,
            waiting: VecDeque::new(),
            below: VecDeque::new(),
            missing: VecDeque::new(),
            received: VecDeque::new(),
            standing: Standing::Open,
            is_closed: false,
            repetitions: 0,
            since: None,
        }
    }

    /// Some of the batch got on: nothing was in vain.
    pub(super) fn moved(&mut self) {
        (self.repetitions, self.since) = (0, None);
    }

    /// The neighbour that its batch is with.
    pub(super) fn in_batch_with(&self) -> Option<NodeId> {
        let mut batch = self.below.iter().chain(&self.missing).chain(&self.received);
        batch.next().map(|queued| queued.next)
    }

    /// How many packets of it the next hop has not passed on.
    pub(super) fn in_batch(&self) -> usize {
        self.below.len() + self.missing.len() + self.received.len()
    }

    /// How many packets are here.
    pub(super) fn len(&self) -> usize {
        self.in_batch() + self.waiting.len()
    }

    /// How many bytes the batch has.
    pub(super) fn batch_bytes(&self) -> Bytes {
        let batch = self.below.iter().chain(&self.missing).chain(&self.received);
        Bytes(batch.fold(0, |sum: u32, queued| sum.saturating_add(queued.packet.len().0)))
    }

    /// What it would transmit now, where the MAC has nothing of it; nothing while it is blocked.
    pub(super) fn offer(&self) -> Option<(&Queued, Kind)> {
        match self.standing {
            Standing::Blocked(_) => None,
            Standing::Open if self.in_batch() > 0 => None,
            Standing::Open => self.waiting.front().map(|queued| (queued, Kind::Data)),
            Standing::Repeat => match self.missing.front() {
                Some(queued) => Some((queued, Kind::Data)),
                None => self.received.back().map(|queued| (queued, Kind::Rfa)),
            },
        }
    }

    /// The packet that goes with those that the MAC has, if a batch has at most so many.
    pub(super) fn joining(&self, most: usize) -> Option<&Queued> {
        if self.is_closed {
            return None;
        }
        let has_room = self.in_batch() < most;
        self.missing.front().or_else(|| self.waiting.front().filter(|_| has_room))
    }

    /// The packet that is [offered](Queue::offer), or [joins](Queue::joining), goes to the MAC.
    pub(super) fn take(&mut self) -> Option<&Queued> {
        let taken = self.missing.pop_front().or_else(|| self.waiting.pop_front())?;
        self.below.push_back(taken);
        self.below.back()
    }

    /// The packet that the MAC has finished with, unless it was passed on or given back meanwhile.
    pub(super) fn finish(&mut self, sequence: u32) -> Option<Queued> {
        remove(&mut self.below, sequence)
    }

    /// 3.2, 5.2: the next hop has passed packet `sequence` on, and so all that it received before: `released` is told of each,
    /// in this order. Returns whether it was of the batch.
    pub(super) fn passed_on(&mut self, sequence: u32, mut released: impl FnMut(Queued)) -> bool {
        let at = self.received.iter().position(|queued| queued.header.sequence == sequence);
        if let Some(at) = at {
            self.received.drain(..=at).for_each(released);
        } else {
            // its link acknowledgment was lost, or is still to be reported
            let found = remove(&mut self.missing, sequence);
            match found.or_else(|| remove(&mut self.below, sequence)) {
                Some(queued) => released(queued),
                None => return false,
            }
        }
        self.moved();
        self.settle();
        true
    }

    /// The next hop knows nothing of the batch.
    pub(super) fn lost(&mut self) {
        while let Some(queued) = self.received.pop_back() {
            self.missing.push_front(queued);
        }
        self.standing = Standing::Repeat;
        self.moved();
    }

    /// If the whole batch was passed on, the next one may go.
    pub(super) fn settle(&mut self) {
        if self.in_batch() == 0 {
            (self.standing, self.is_closed) = (Standing::Open, false);
            self.moved();
        }
    }
}

fn remove(packets: &mut VecDeque<Queued>, sequence: u32) -> Option<Queued> {
    let at = packets.iter().position(|queued| queued.header.sequence == sequence)?;
    packets.remove(at)
}
