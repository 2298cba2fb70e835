//! CXCC 4.1, 4.2: which packets were received lately, and where they are: as many of a flow as a batch may bring again.

use std::collections::VecDeque;

use multihop_core::{Claim, FlowId, Room, Time, room};

use crate::cxcc::memory::Whereabouts;

/// How many flows are remembered: more than have packets here.
const MOST_REMEMBERED: usize = 4_096;

/// How many packets of a flow are: those of the longest batch.
const LONGEST_BATCH: usize = 64;

/// What is remembered of one flow.
#[derive(Debug)]
struct Last {
    flow: FlowId,
    /// The numbers of the packets, the newest last.
    packets: VecDeque<(u32, Whereabouts)>,
    forget_at: Time,
}

impl Last {
    fn count(&self, whereabouts: Whereabouts) -> usize {
        self.packets.iter().filter(|(_, at)| *at == whereabouts).count()
    }

    /// A packet that is here is not forgotten.
    fn forget_at(&self) -> Time {
        let is_here = self.packets.iter().any(|(_, at)| *at == Whereabouts::Held);
        if is_here { Time::NEVER } else { self.forget_at }
    }
}

/// The last received packets of every flow that was heard lately, by flow.
#[derive(Debug, Default)]
pub(super) struct Taken {
    flows: Vec<Last>,
}

impl Taken {
    fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.flows.binary_search_by_key(&flow, |last| last.flow)
    }

    /// How many packets of `flow` the host has, to route them.
    pub(super) fn accepted(&self, flow: FlowId) -> usize {
        self.position(flow).map_or(0, |at| self.flows[at].count(Whereabouts::Accepted))
    }

    /// Where packet `sequence` of `flow` is, if it is one of the last; then the flow is remembered until `forget_at`, unless the
    /// host has the packet and may find no route for it.
    pub(super) fn recall(
        &mut self,
        flow: FlowId,
        sequence: u32,
        forget_at: Time,
    ) -> Option<Whereabouts> {
        let at = self.position(flow).ok()?;
        let last = &mut self.flows[at];
        let (_, whereabouts) = *last.packets.iter().find(|(known, _)| *known == sequence)?;
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
        let at = self.position(flow).unwrap_or_else(|_| {
            self.make_room(flow);
            let at = self.flows.partition_point(|other| other.flow < flow);
            self.flows.insert(at, Last { flow, packets: VecDeque::new(), forget_at });
            at
        });
        let last = &mut self.flows[at];
        last.forget_at = forget_at;
        if last.packets.len() == LONGEST_BATCH {
            last.packets.pop_front();
        }
        last.packets.push_back((sequence, whereabouts));
    }

    /// Forget what would be forgotten first, of the source of which most is remembered, if there is no room for `flow`.
    fn make_room(&mut self, flow: FlowId) {
        let claims = self.flows.iter().map(|last| Claim {
            source: last.flow.beginner(),
            used: last.forget_at,
            owes: last.count(Whereabouts::Held) > 0,
        });
        match room(MOST_REMEMBERED, self.flows.len(), flow.beginner(), claims) {
            Room::InPlaceOf(at) => {
                self.flows.remove(at);
            }
            Room::Refused if self.flows.len() >= MOST_REMEMBERED => {
                let first = self.flows.iter().enumerate().min_by_key(|(_, last)| last.forget_at());
                if let Some((at, _)) = first {
                    self.flows.remove(at);
                }
            }
            // more flows are remembered than have packets here
            Room::Free | Room::Refused => {}
        }
    }

    /// How many packets are remembered.
    pub(super) fn len(&self) -> usize {
        self.flows.iter().map(|last| last.packets.len()).sum()
    }

    /// Packet `sequence` of `flow`, if it is one of the last, is now somewhere else.
    pub(super) fn moved(
        &mut self,
        flow: FlowId,
        sequence: u32,
        whereabouts: Whereabouts,
        forget_at: Time,
    ) {
        let Ok(at) = self.position(flow) else { return };
        let last = &mut self.flows[at];
        if let Some((_, known)) = last.packets.iter_mut().find(|(known, _)| *known == sequence) {
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

#[cfg(test)]
mod tests {
    use multihop_core::NodeId;

    use super::*;

    fn flow(node: u32) -> FlowId {
        FlowId::between(NodeId(node), NodeId(9_999))
    }

    #[test]
    fn there_is_a_bound_on_flows_and_on_the_packets_of_each() {
        let mut taken = Taken::default();
        for node in 0..2 * MOST_REMEMBERED as u32 {
            taken.remember(flow(node), 0, Whereabouts::PassedOn, Time::ZERO);
        }
        assert_eq!(taken.len(), MOST_REMEMBERED);
        let last = flow(2 * MOST_REMEMBERED as u32 - 1);
        for sequence in 1..=LONGEST_BATCH as u32 {
            taken.remember(last, sequence, Whereabouts::Accepted, Time::ZERO);
        }
        assert_eq!(taken.accepted(last), LONGEST_BATCH);
        assert_eq!(taken.recall(last, 0, Time::ZERO), None, "the oldest gave way");
        assert_eq!(taken.recall(last, 1, Time::ZERO), Some(Whereabouts::Accepted));
    }

    #[test]
    fn a_flow_with_a_packet_here_is_not_forgotten() {
        let (mut taken, late) =
            (Taken::default(), Time::ZERO + multihop_core::Duration::from_millis(9));
        taken.remember(flow(1), 7, Whereabouts::Accepted, late);
        taken.moved(flow(1), 7, Whereabouts::Held, late);
        assert_eq!(taken.deadline(), Time::NEVER);
        taken.moved(flow(1), 7, Whereabouts::PassedOn, late);
        assert_eq!(taken.deadline(), late);
        taken.forget(late);
        assert_eq!(taken.len(), 0);
    }
}
