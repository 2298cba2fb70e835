//! Fixed routes as a routing protocol; the routes themselves are [`crate::FixedRoutes`].

use crate::{Routes, RoutingProtocol};

/// Fixed routes.
pub static ROUTING: RoutingProtocol = RoutingProtocol {
    name: "fixed",
    title: "fixed routing",
    source: "CXCC 7: static routing with optimal routes with regard to the hop count",
    about: "Shortest paths, or the ways that flows are given, known from the start and never changed.",
    routes: Routes::Known,
    most_hops: None,
    bidirectional: None,
    headers: &[],
    params: &[],
    make: &|_, place| Box::new(place.known),
};
