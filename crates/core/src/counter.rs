//! What a scheme counts in its own runs, beyond what is counted in every run.

use crate::{Event, EventKind};

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
#[non_exhaustive]
pub enum Counts {
    /// Events of this kind.
    Events(EventKind),
    /// Those of them for which the host names this cause, as it does of a retransmission.
    EventsFor(EventKind, &'static str),
}

impl Counts {
    /// Whether it counts `event`, for which the host names `cause` if it knows one.
    pub fn includes(self, event: Event, cause: Option<&str>) -> bool {
        match self {
            Counts::Events(kind) => event.kind == kind,
            Counts::EventsFor(kind, counted) => event.kind == kind && cause == Some(counted),
        }
    }
}
