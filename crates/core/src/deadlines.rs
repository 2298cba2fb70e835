//! Which part of a node wants to be woken, and when.

use crate::Time;
use crate::vocabulary;

vocabulary! {
    /// A part of a node that has timers.
    Timer {
        Transport = "transport":
            "the ends of its flows: retransmissions, pace, acknowledgments that wait",
        Hop = "hop": "its hop protocol: what waits to be overheard, or to be sent again",
        Routing = "routing": "its routing: searches, lifetimes of routes, announcements",
    }
}

/// The next deadline of every [`Timer`] of a node, in their order; [`Time::NEVER`] if there is none.
pub type Deadlines = [Time; Timer::ALL.len()];
