//! CXCC 4.1, 4.2: "the duplicate detection mechanism needs to remember the last packet of each
//! queue for some time".

use multihop_core::{Claim, FlowId, Room, Time, room};

/// Where the last received packet of a flow is now.
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
const MOST_REMEMBERED: usize = 4_096;

/// What is remembered of one flow.
#[derive(Clone, Copy, Debug)]
struct Last {
    flow: FlowId,
    sequence: u32,
    whereabouts: Whereabouts,
    forget_at: Time,
}

impl Last {
    /// A packet that is here is not forgotten.
    fn forget_at(&self) -> Time {
        if self.whereabouts == Whereabouts::Held { Time::NEVER } else { self.forget_at }
    }
}

/// The last received packet of every flow that was heard lately, by flow.
#[derive(Debug, Default)]
pub(super) struct Memory {
    flows: Vec<Last>,
}

impl Memory {
    fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.flows.binary_search_by_key(&flow, |last| last.flow)
    }

    fn find(&mut self, flow: FlowId) -> Option<&mut Last> {
        self.position(flow).ok().map(|at| &mut self.flows[at])
    }

    /// Where the flow's last packet is.
    pub(super) fn last(&self, flow: FlowId) -> Option<Whereabouts> {
        self.position(flow).ok().map(|at| self.flows[at].whereabouts)
    }

    /// Where packet `sequence` is, if it is the flow's last one; then it is remembered until
    /// `forget_at`. 4.1: "only a duplicate of the last received packet is possible".
    pub(super) fn recall(
        &mut self,
        flow: FlowId,
        sequence: u32,
        forget_at: Time,
    ) -> Option<Whereabouts> {
        let last = self.find(flow).filter(|last| last.sequence == sequence)?;
        // A packet that the host has accepted and then found no route for never comes to the
        // queue. It must be forgotten although the neighbour keeps asking, or the neighbour
        // would ask for ever.
        if last.whereabouts != Whereabouts::Accepted {
            last.forget_at = forget_at;
        }
        Some(last.whereabouts)
    }

    /// A new packet was received.
    pub(super) fn remember(
        &mut self,
        flow: FlowId,
        sequence: u32,
        whereabouts: Whereabouts,
        forget_at: Time,
    ) {
        let last = Last { flow, sequence, whereabouts, forget_at };
        if let Ok(at) = self.position(flow) {
            self.flows[at] = last;
        } else {
            self.make_room(flow);
            let at = self.flows.partition_point(|other| other.flow < flow);
            self.flows.insert(at, last);
        }
    }

    /// Forget what would be forgotten first, of the source of which most is remembered, if there is no room for `flow`.
    fn make_room(&mut self, flow: FlowId) {
        let claims = self.flows.iter().map(|last| Claim {
            source: last.flow.beginner(),
            used: last.forget_at,
            owes: last.whereabouts == Whereabouts::Held,
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

    /// How many flows are remembered.
    pub(super) fn len(&self) -> usize {
        self.flows.len()
    }

    /// Packet `sequence`, if it is the flow's last one, is now somewhere else.
    pub(super) fn moved(
        &mut self,
        flow: FlowId,
        sequence: u32,
        whereabouts: Whereabouts,
        forget_at: Time,
    ) {
        if let Some(last) = self.find(flow).filter(|last| last.sequence == sequence) {
            last.whereabouts = whereabouts;
            last.forget_at = forget_at;
        }
    }

    /// Forget what has been remembered for long enough.
    pub(super) fn forget(&mut self, now: Time) {
        self.flows.retain(|last| last.forget_at() > now);
    }

    /// When the next entry is forgotten.
    pub(super) fn deadline(&self) -> Time {
        self.flows.iter().map(Last::forget_at).min().unwrap_or(Time::NEVER)
    }
}
