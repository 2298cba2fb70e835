//! CXCC 4.1, 4.2: which packets of a flow were received lately, and where they are: as many as a batch may bring again.

use std::collections::VecDeque;

use crate::cxcc::memory::{Kept, Whereabouts};

/// How many packets of a flow are remembered: those of the longest batch.
const LONGEST_BATCH: usize = 64;

/// The numbers of the packets, the newest last.
#[derive(Debug)]
pub(super) struct Taken(VecDeque<(u32, Whereabouts)>);

impl Taken {
    fn count(&self, whereabouts: Whereabouts) -> usize {
        self.0.iter().filter(|(_, at)| *at == whereabouts).count()
    }

    /// How many of them the host has, to route them.
    pub(super) fn accepted(&self) -> usize {
        self.count(Whereabouts::Accepted)
    }
}

impl Kept for Taken {
    fn one(sequence: u32, whereabouts: Whereabouts) -> Self {
        Taken(VecDeque::from([(sequence, whereabouts)]))
    }

    fn add(&mut self, sequence: u32, whereabouts: Whereabouts) {
        if self.0.len() == LONGEST_BATCH {
            self.0.pop_front();
        }
        self.0.push_back((sequence, whereabouts));
    }

    fn find(&mut self, sequence: u32) -> Option<&mut Whereabouts> {
        let found = self.0.iter_mut().find(|(known, _)| *known == sequence);
        found.map(|(_, whereabouts)| whereabouts)
    }

    fn is_here(&self) -> bool {
        self.count(Whereabouts::Held) > 0
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{FlowId, NodeId, Time};

    use super::*;
    use crate::cxcc::memory::{MOST_REMEMBERED, Memory};

    fn flow(node: u32) -> FlowId {
        FlowId::between(NodeId(node), NodeId(9_999))
    }

    #[test]
    fn there_is_a_bound_on_flows_and_on_the_packets_of_each() {
        let mut taken = Memory::<Taken>::new();
        for node in 0..2 * MOST_REMEMBERED as u32 {
            taken.remember(flow(node), 0, Whereabouts::PassedOn, Time::ZERO);
        }
        assert_eq!(taken.len(), MOST_REMEMBERED);
        let last = flow(2 * MOST_REMEMBERED as u32 - 1);
        for sequence in 1..=LONGEST_BATCH as u32 {
            taken.remember(last, sequence, Whereabouts::Accepted, Time::ZERO);
        }
        assert_eq!(taken.packets(last).map_or(0, Taken::accepted), LONGEST_BATCH);
        assert_eq!(taken.recall(last, 0, Time::ZERO), None, "the oldest gave way");
        assert_eq!(taken.recall(last, 1, Time::ZERO), Some(Whereabouts::Accepted));
    }

    #[test]
    fn a_flow_with_a_packet_here_is_not_forgotten() {
        let (mut taken, late) =
            (Memory::<Taken>::new(), Time::ZERO + multihop_core::Duration::from_millis(9));
        taken.remember(flow(1), 7, Whereabouts::Accepted, late);
        taken.moved(flow(1), 7, Whereabouts::Held, late);
        assert_eq!(taken.deadline(), Time::NEVER);
        taken.moved(flow(1), 7, Whereabouts::PassedOn, late);
        assert_eq!(taken.deadline(), late);
        taken.forget(late);
        assert_eq!(taken.len(), 0);
    }
}
