//! HxH 3.2: a flow's queue and state at one node.

use std::collections::VecDeque;

use multihop_core::{Cx, DropCause, FlowId, NodeId, Packet, Serial, Tag, Time};

use super::credit::Credit;
use super::header::{Header, Kind};
use super::negative::Gaps;
use super::passive::Passive;

/// A packet that waits, and what its header said when it came.
#[derive(Clone, Debug)]
pub(super) struct Queued {
    pub(super) header: Header,
    pub(super) packet: Packet,
}

/// Whether the scheduler looks at a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheduling {
    /// It does.
    Active,
    /// "The scheduler ignores frozen flows when determining which packet to send next."
    Frozen,
    /// Frozen at its source: routing has the packet with this number, and searches since then.
    Searching(u32, Time),
    /// Frozen at its source: routing has found the way, and will give that packet back. What was
    /// sent now would overtake it.
    Returning(u32, Time),
}

/// One flow, or what goes upstream of one flow, at one node. What goes upstream is a flow of its
/// own, which needs the queue and nothing else.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) id: FlowId,
    /// Data in the order of its sequence numbers, everything else as it came.
    pub(super) queue: VecDeque<Queued>,
    /// The next hop, once there was one.
    pub(super) next: Option<NodeId>,
    /// The neighbour that the flow's packets come from.
    pub(super) upstream: Option<NodeId>,
    pub(super) standing: Scheduling,
    /// How many packets at the front of the queue have come back from the MAC since the last one went there.
    pub(super) returned: usize,
    /// What the flow may still send in its turn, in bytes (3.2.2).
    pub(super) deficit: u32,
    /// 3.2.1: "the last time a packet was received for the flow".
    pub(super) seen: Time,
    /// What its data is.
    pub(super) kind: Kind,
    /// For measurements only: whose packets these are.
    pub(super) tag: Tag,
    /// Which life of its source the data is of, once that is known, and which was before it.
    pub(super) life: Option<u16>,
    former: Option<u16>,
    pub(super) credit: Credit,
    pub(super) passive: Passive,
    pub(super) gaps: Gaps,
}

impl Flow {
    /// 3.2.1: "the scheduling layer sets aside a new queue for the flow and initializes the flow's
    /// state". 3.3: half a queue is free.
    pub(super) fn new(now: Time, id: FlowId, half: usize) -> Self {
        Flow {
            id,
            queue: VecDeque::new(),
            next: None,
            upstream: None,
            standing: Scheduling::Active,
            returned: 0,
            deficit: 0,
            seen: now,
            kind: Kind::Data,
            tag: Tag::NONE,
            life: None,
            former: None,
            credit: Credit::new(now, half as u32),
            passive: Passive::default(),
            gaps: Gaps::default(),
        }
    }

    /// Data of this life of the source has come. Whether it counts: what still comes of the life
    /// before does not. With another life, what was known of the flow is known no more.
    pub(super) fn meet(&mut self, cx: &mut Cx, life: u16, half: usize) -> bool {
        if self.life == Some(life) {
            return true;
        }
        if self.former == Some(life) {
            return false;
        }
        self.former = self.life;
        if self.life.replace(life).is_some() {
            for Queued { packet, .. } in self.queue.drain(..) {
                cx.drop(packet, DropCause::Restarted);
            }
            self.standing = Scheduling::Active;
            self.credit = Credit::new(cx.now, half as u32);
            self.passive = Passive::default();
            self.gaps = Gaps::default();
        }
        true
    }

    /// Whether what `header` says is about the life of the source that is known here.
    pub(super) fn is_of(&self, header: &Header) -> bool {
        self.life.is_none_or(|life| life == header.incarnation)
    }

    /// Whether these are acknowledgments.
    pub(super) fn goes_upstream(&self) -> bool {
        self.id.is_reverse()
    }

    /// Whether its data is acknowledged.
    pub(super) fn is_acknowledged(&self) -> bool {
        self.kind == Kind::Data
    }

    /// Whether this node is the last before the destination.
    pub(super) fn is_last_hop(&self) -> bool {
        self.next == Some(self.id.destination)
    }

    /// Whether the flow needs credits to send.
    fn needs_credit(&self) -> bool {
        !self.goes_upstream() && !self.is_last_hop()
    }

    /// Whether the scheduler may send a packet of this flow now.
    pub(super) fn may_send(&self) -> bool {
        self.standing == Scheduling::Active
            && !self.queue.is_empty()
            && (!self.needs_credit() || self.credit.permits())
    }

    /// Whether another packet may go with `below` that the MAC has: each of them takes a credit.
    pub(super) fn may_join(&self, below: usize) -> bool {
        self.standing == Scheduling::Active
            && (!self.needs_credit() || self.credit.pool() as usize > below)
    }

    /// 3.3: whether it has packets and only lacks credits.
    pub(super) fn is_stopped(&self) -> bool {
        self.standing == Scheduling::Active
            && !self.queue.is_empty()
            && self.needs_credit()
            && !self.credit.permits()
    }

    /// Put a packet into its place.
    pub(super) fn put(&mut self, queued: Queued) {
        let at = match queued.header.kind {
            Kind::Data => {
                let sequence = Serial(queued.header.sequence);
                let before = |other: &Queued| sequence.is_after(Serial(other.header.sequence));
                self.queue.partition_point(before)
            }
            Kind::Ack | Kind::Nack | Kind::Datagram => self.queue.len(),
        };
        self.queue.insert(at, queued);
    }

    /// Put a packet that was not sent back to its place.
    pub(super) fn put_back(&mut self, queued: Queued) {
        match queued.header.kind {
            Kind::Data => self.put(queued),
            Kind::Ack | Kind::Nack | Kind::Datagram => {
                self.queue.insert(self.returned.min(self.queue.len()), queued);
                self.returned += 1;
            }
        }
    }
}
