//! CXCC 4.1, 4.2: "the duplicate detection mechanism needs to remember the last packet of each
//! queue for some time".

use multihop_core::{Claim, FlowId, Room, Time, room};

/// Where a received packet is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whereabouts {
    /// The host has it, to route it; it may still find no route for it.
    Accepted,
    /// It is in this node's queue, or waits for the application at this node.
    Held,
    /// The next hop has acknowledged it, or the application has taken it.
    PassedOn,
}

/// How many flows are remembered: more than have packets here.
pub(super) const MOST_REMEMBERED: usize = 4_096;

/// The last packets of a flow, by their numbers: [`Latest`] alone, or several.
pub(super) trait Kept {
    /// One packet.
    fn one(sequence: u32, whereabouts: Whereabouts) -> Self;

    /// One more, in place of the oldest where there are enough.
    fn add(&mut self, sequence: u32, whereabouts: Whereabouts);

    /// Where this packet is, if it is one of them.
    fn find(&mut self, sequence: u32) -> Option<&mut Whereabouts>;

    /// Whether one of them is in this node's queue, or waits for the application.
    fn is_here(&self) -> bool;

    /// How many they are.
    fn len(&self) -> usize;
}

/// The last one. 4.1: "only a duplicate of the last received packet is possible".
#[derive(Clone, Copy, Debug)]
pub(super) struct Latest {
    sequence: u32,
    whereabouts: Whereabouts,
}

impl Kept for Latest {
    fn one(sequence: u32, whereabouts: Whereabouts) -> Self {
        Latest { sequence, whereabouts }
    }

    fn add(&mut self, sequence: u32, whereabouts: Whereabouts) {
        *self = Latest { sequence, whereabouts };
    }

    fn find(&mut self, sequence: u32) -> Option<&mut Whereabouts> {
        (self.sequence == sequence).then_some(&mut self.whereabouts)
    }

    fn is_here(&self) -> bool {
        self.whereabouts == Whereabouts::Held
    }

    fn len(&self) -> usize {
        1
    }
}

/// What is remembered of one flow.
#[derive(Debug)]
struct Last<K> {
    flow: FlowId,
    packets: K,
    forget_at: Time,
}

impl<K: Kept> Last<K> {
    /// A packet that is here is not forgotten.
    fn forget_at(&self) -> Time {
        if self.packets.is_here() { Time::NEVER } else { self.forget_at }
    }
}

/// The last received packets of every flow that was heard lately, by flow.
#[derive(Debug)]
pub(super) struct Memory<K = Latest> {
    flows: Vec<Last<K>>,
}

impl Memory {
    /// Where the flow's last packet is.
    pub(super) fn last(&self, flow: FlowId) -> Option<Whereabouts> {
        self.packets(flow).map(|last| last.whereabouts)
    }
}

impl<K: Kept> Memory<K> {
    /// Of nothing yet.
    pub(super) const fn new() -> Self {
        Memory { flows: Vec::new() }
    }

    fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.flows.binary_search_by_key(&flow, |last| last.flow)
    }

    /// The last packets of a flow.
    pub(super) fn packets(&self, flow: FlowId) -> Option<&K> {
        self.position(flow).ok().map(|at| &self.flows[at].packets)
    }

    /// Where packet `sequence` is, if it is one of the flow's last; then the flow is remembered until
    /// `forget_at`.
    pub(super) fn recall(
        &mut self,
        flow: FlowId,
        sequence: u32,
        forget_at: Time,
    ) -> Option<Whereabouts> {
        let at = self.position(flow).ok()?;
        let last = &mut self.flows[at];
        let whereabouts = *last.packets.find(sequence)?;
        // A packet that the host has accepted and then found no route for never comes to the
        // queue. It must be forgotten although the neighbour keeps asking, or the neighbour
        // would ask for ever.
        if whereabouts != Whereabouts::Accepted {
            last.forget_at = forget_at;
        }
        Some(whereabouts)
    }

    /// A new packet was received.
    pub(super) fn remember(
        &mut self,
        flow: FlowId,
        sequence: u32,
        whereabouts: Whereabouts,
        forget_at: Time,
    ) {
        if let Ok(at) = self.position(flow) {
            let last = &mut self.flows[at];
            last.packets.add(sequence, whereabouts);
            last.forget_at = forget_at;
        } else {
            self.make_room(flow);
            let at = self.flows.partition_point(|other| other.flow < flow);
            let packets = K::one(sequence, whereabouts);
            self.flows.insert(at, Last { flow, packets, forget_at });
        }
    }

    /// Forget what would be forgotten first, of the source of which most is remembered, if there is no room for `flow`.
    fn make_room(&mut self, flow: FlowId) {
        let claims = self.flows.iter().map(|last| Claim {
            source: last.flow.beginner(),
            used: last.forget_at,
            owes: last.packets.is_here(),
        });
        match room(MOST_REMEMBERED, self.flows.len(), flow.beginner(), claims) {
            Room::Free => {}
            Room::InPlaceOf(at) => {
                self.flows.remove(at);
            }
            // more flows are remembered than have packets here
            Room::Refused if self.flows.len() < MOST_REMEMBERED => {}
            Room::Refused => {
                let first = self.flows.iter().enumerate().min_by_key(|(_, last)| last.forget_at());
                if let Some((at, _)) = first {
                    self.flows.remove(at);
                }
            }
        }
    }

    /// How many packets are remembered.
    pub(super) fn len(&self) -> usize {
        self.flows.iter().map(|last| last.packets.len()).sum()
    }

    /// Packet `sequence`, if it is one of the flow's last, is now somewhere else.
    pub(super) fn moved(
        &mut self,
        flow: FlowId,
        sequence: u32,
        whereabouts: Whereabouts,
        forget_at: Time,
    ) {
        let Ok(at) = self.position(flow) else { return };
        let last = &mut self.flows[at];
        if let Some(known) = last.packets.find(sequence) {
            *known = whereabouts;
            last.forget_at = forget_at;
        }
    }

    /// Forget what has been remembered for long enough.
    pub(super) fn forget(&mut self, now: Time) {
        self.flows.retain(|last| last.forget_at() > now);
    }

    /// When the next flow is forgotten.
    pub(super) fn deadline(&self) -> Time {
        self.flows.iter().map(Last::forget_at).min().unwrap_or(Time::NEVER)
    }
}
