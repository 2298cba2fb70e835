//! Fixed routes as a routing protocol; the routes themselves are [`crate::FixedRoutes`].

use multihop_core::{Alternative, Choice};

use crate::{Routes, RoutingProtocol, TieBreak};

/// Which of several shortest paths a flow takes.
pub const TIES: Choice<TieBreak> = Choice {
    name: "ties",
    about: "Which of several shortest paths a flow takes: at each node, which of the neighbours that are \
            nearest to the destination",
    among: &[
        Alternative {
            name: "lowest",
            about: "The one with the lowest number, for all flows alike, which leads them over the same nodes",
        },
        Alternative {
            name: "random",
            about: "Any of them, drawn by the run's seed for each flow and node",
        },
    ],
    values: &[TieBreak::Lowest, TieBreak::Random],
};

/// Fixed routes.
pub static ROUTING: RoutingProtocol = RoutingProtocol {
    name: "fixed",
    title: "fixed routing",
    source: "CXCC 7: static routing with optimal routes with regard to the hop count",
    about: "Shortest paths, or the ways that flows are given, known from the start and never changed.",
    routes: Routes::Known,
    most_hops: None,
    bidirectional: None,
    words: &[],
    headers: &[],
    params: &[TIES.param()],
    make: &|_, place| Box::new(place.known),
};
