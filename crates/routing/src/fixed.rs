//! Fixed routes as a routing protocol; the routes themselves are [`crate::FixedRoutes`].

use multihop_core::{Alternative, Choice, While};

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

/// What routes are the fewest of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Hops.
    Hops,
    /// Time on the air.
    AirTime,
}

/// What the routes of flows are the fewest of.
pub const METRIC: Choice<Metric> = Choice {
    name: "metric",
    about: "What a flow's path has least of",
    among: &[
        Alternative { name: "hops", about: "Hops" },
        Alternative {
            name: "airtime",
            about: "Time that a test frame of 1024 B takes over its links, repetitions after losses to noise included, \
                    each at the rate that its signal bears best (IEEE 802.11-2020, 14.9); with radio.interference = \"ofdm\"",
        },
    ],
    values: &[Metric::Hops, Metric::AirTime],
};

/// Fixed routes.
pub static ROUTING: RoutingProtocol = RoutingProtocol {
    name: "fixed",
    title: "fixed routing",
    source: "CXCC 7: static routing with optimal routes with regard to the hop count",
    about: "Paths of the fewest hops or of the least time on the air, or the ways that flows are given, known from the start and never changed.",
    routes: Routes::Known,
    most_hops: None,
    bidirectional: None,
    words: &[],
    headers: &[],
    params: &[METRIC.param(), TIES.param().only_while("metric", While::Choice("hops"))],
    make: &|_, place| Box::new(place.known),
};
