//! What a scheme counts in its own runs, beyond what is counted in every run.

use crate::vocabulary::vocabulary;
use crate::{Event, EventKind};

vocabulary! {
    /// Why a packet was retransmitted, as only an observer who sees everything can tell (CXCC 4.1).
    RetransmissionReason {
        LostData = "lost_data": "the next hop does not have the packet",
        LostAcknowledgment = "lost_acknowledgment":
            "the next hop has already acknowledged it, implicitly or explicitly",
        EarlyTimeout = "early_timeout":
            "the next hop has it and has not yet been able to forward it",
    }
}

/// A counter of a scheme: a column of the tables of runs and nodes, which only its runs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The column's name.
    pub name: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// What it means, with the place in the paper.
    pub about: &'static str,
    /// What is counted, in the measured time.
    pub counts: Counts,
}

/// What a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Events of this kind.
    Events(EventKind),
    /// Events [`EventKind::Retransmission`] that are judged so.
    Retransmissions(RetransmissionReason),
}

impl Counts {
    /// Whether it counts `event`, a retransmission for `reason` if it is one.
    pub fn includes(self, event: Event, reason: Option<RetransmissionReason>) -> bool {
        match self {
            Counts::Events(kind) => event.kind == kind,
            Counts::Retransmissions(counted) => reason == Some(counted),
        }
    }
}
