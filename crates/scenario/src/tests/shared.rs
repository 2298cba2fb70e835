//! The topologies whose flows share nodes: dumbbell, mobile lattice, and the grid's crossings.

use multihop_core::FlowId;
use multihop_routing::{FixedRoutes, Ties};

use super::mobility::{assert_whole, at, place};
use super::{CHAIN, right, with, wrong};
use crate::reach::distance;
use multihop_setup::{Node, Setup};

fn topology(keys: &str) -> String {
    with(CHAIN, "kind = \"chain\"\nhops = 4", keys)
}

fn ends(setup: &Setup) -> Vec<(u32, u32)> {
    setup.sources.iter().map(|source| (source.flow.source.0, source.flow.destination.0)).collect()
}

/// The fixed routes of all flows, in node numbers.
fn routes(setup: &Setup) -> Vec<Vec<u32>> {
    let range = setup.medium.neighbour_range();
    let near = |here: &Node| {
        let others = setup
            .nodes
            .iter()
            .zip(0..)
            .filter(|(there, _)| there.name != here.name && distance(here, there) <= range);
        others.map(|(_, number)| multihop_core::NodeId(number)).collect()
    };
    let neighbours: Vec<Vec<_>> = setup.nodes.iter().map(near).collect();
    let flows: Vec<FlowId> = setup.sources.iter().map(|source| source.flow).collect();
    let ways = setup.sources.iter().map(|source| (source.flow, &source.way[..]));
    let routes = FixedRoutes::along(&neighbours, ways, Ties::default());
    let path = |flow: &FlowId| FixedRoutes::path(&routes, *flow).expect("a route");
    flows.iter().map(|flow| path(flow).iter().map(|node| node.0).collect()).collect()
}

#[test]
fn a_dumbbells_flows_share_its_chain_from_end_to_end() {
    let setup = right(&topology("kind = \"dumbbell\"\nhops = 4\nflows = 4"));
    assert_eq!(setup.nodes.len(), 5 + 2 * 4);
    assert_eq!(ends(&setup), [(5, 9), (6, 10), (7, 11), (8, 12)]);
    for (route, (from, to)) in routes(&setup).iter().zip(ends(&setup)) {
        assert_eq!(*route, [from, 0, 1, 2, 3, 4, to]);
    }
    let nodes = &setup.nodes;
    for (cluster, end, next) in [(5..9, 0, 1), (9..13, 4, 3)] {
        for member in cluster.clone() {
            let far = |other: usize| distance(&nodes[member], &nodes[other]);
            assert!((far(end) - 200.0).abs() < 1e-9, "one spacing from the end of the chain");
            assert!(far(next) > 386.0, "out of reach of the next node: {}", far(next));
            assert!(cluster.clone().all(|other| far(other) < 200.0 + 1e-9), "they hear each other");
        }
    }
    assert!(nodes.iter().all(|node| node.x >= 0.0 && node.y >= 0.0));
    for (flows, hops) in [(1, 1), (2, 3), (30, 2)] {
        let keys =
            format!("kind = \"dumbbell\"\nhops = {hops}\nflows = {flows}\nspacing = \"150 m\"");
        let setup = right(&topology(&keys));
        assert!(routes(&setup).iter().all(|route| route.len() == hops + 3), "{flows} over {hops}");
        assert_eq!(setup.sources.len(), flows);
    }
}

#[test]
fn a_dumbbell_that_cannot_be_is_refused() {
    for (keys, message) in [
        (
            "hops = 4",
            "line 3: topology.flows: is missing; kind \"dumbbell\" needs it, as in flows = 4",
        ),
        (
            "flows = 4",
            "line 3: topology.hops: is missing; kind \"dumbbell\" needs it, as in hops = 4",
        ),
        ("flows = 0\nhops = 4", "line 5: topology.flows: must be at least 1 (got 0)"),
        (
            "flows = 60_000\nhops = 4",
            "line 5: topology.flows: makes 120005 nodes; at most 100000 are possible",
        ),
        (
            "flows = 4\nhops = 4\nspacing = \"100 m\"",
            "line 7: topology.spacing: must be more than 129.4 m: with a range of 250 m, the \
             sources would reach past the first node of the shared chain",
        ),
        (
            "flows = 4\nhops = 4\nrows = 4",
            "line 7: topology.rows: does not apply to kind \"dumbbell\", which takes hops, flows, \
             spacing; it belongs to grid or mobile-lattice",
        ),
    ] {
        assert_eq!(wrong(&topology(&format!("kind = \"dumbbell\"\n{keys}"))), message);
    }
}

fn lattice(keys: &str) -> String {
    topology(&format!("kind = \"mobile-lattice\"\n{keys}"))
}

/// How many links of the last two nodes break until the end, looked at so often that none is
/// missed; and whether each of the two always reaches one node.
fn breaks(setup: &Setup) -> (usize, bool) {
    let range = setup.medium.neighbour_range();
    let (lattice, ends) = setup.nodes.split_at(setup.nodes.len() - 2);
    let steps = 40_000;
    let mut broken = 0;
    let mut connected = true;
    for end in ends {
        let mut linked = vec![false; lattice.len()];
        for step in 0..=steps {
            let here = place(end, at(setup.end.seconds() * f64::from(step) / f64::from(steps)));
            for (node, was) in lattice.iter().zip(&mut linked) {
                let is = libm::hypot(here.0 - node.x, here.1 - node.y) <= range;
                broken += usize::from(*was && !is);
                *was = is;
            }
            connected &= linked.contains(&true);
        }
    }
    (broken, connected)
}

#[test]
fn the_ends_of_a_mobile_lattice_lose_as_many_links_as_asked_for() {
    for (rows, columns, spacing) in [(5, 5, 200), (2, 1, 200), (4, 3, 178), (7, 2, 223)] {
        for failures in [1, 2, 3, 10, 60] {
            let setup = right(&lattice(&format!(
                "rows = {rows}\ncolumns = {columns}\nspacing = \"{spacing} m\"\n\
                 route_failures = {failures}"
            )));
            assert_whole(&setup);
            assert_eq!(breaks(&setup), (failures, true), "{rows} x {columns}, {spacing} m");
        }
    }
}

#[test]
fn a_mobile_lattice_has_its_ends_one_column_outside() {
    let setup = right(&lattice("rows = 3\ncolumns = 4"));
    assert_eq!(setup.nodes.len(), 14);
    assert_eq!(ends(&setup), [(12, 13)]);
    let places: Vec<_> = setup.nodes.iter().map(|node| (node.x, node.y)).collect();
    assert_eq!((places[0], places[5]), ((200.0, 0.0), (400.0, 200.0)));
    assert_eq!((places[12], places[13]), ((0.0, 0.0), (1000.0, 0.0)));
    assert!(setup.nodes.iter().all(|node| node.track.legs.is_empty()), "nobody moves");
    assert_eq!(routes(&setup), [[12, 0, 1, 2, 3, 13]]);
    let moving = right(&lattice("rows = 3\ncolumns = 4\nroute_failures = 12"));
    for (index, node) in moving.nodes.iter().enumerate() {
        assert_eq!(node.track.legs.is_empty(), index < 12);
        for leg in &node.track.legs {
            assert_eq!((leg.from.0, leg.to.0), (node.x, node.x), "up and down");
            assert!((0.0..=400.0).contains(&leg.to.1));
        }
    }
}

#[test]
fn a_mobile_lattice_that_cannot_be_is_refused() {
    for (keys, message) in [
        (
            "rows = 3",
            "line 3: topology.columns: is missing; kind \"mobile-lattice\" needs it, as in columns = 9",
        ),
        (
            "rows = 1\ncolumns = 3\nroute_failures = 1",
            "line 5: topology.rows: must be at least 2 where routes are to fail: with a single \
             row there is nowhere to go",
        ),
        (
            "rows = 3\ncolumns = 3\nroute_failures = 9\nspacing = \"150 m\"",
            "line 8: topology.spacing: must lie between 176.8 m and 223.6 m where routes are to \
             fail: with a range of 250 m, it is then always one row that the source and the \
             destination reach, or two",
        ),
        (
            "rows = 3\ncolumns = 3\nroute_failures = 4_000_000_000",
            "line 7: topology.route_failures: must be at most 1000000 (got 4000000000)",
        ),
        (
            "rows = 3\ncolumns = 3\nhops = 2",
            "line 7: topology.hops: does not apply to kind \"mobile-lattice\", which takes rows, \
             columns, spacing, route_failures; it belongs to chain, bidirectional-chain, cross, \
             bidirectional-cross or dumbbell",
        ),
    ] {
        assert_eq!(wrong(&lattice(keys)), message);
    }
    let wired = format!("{}[wired]\n", lattice("rows = 3\ncolumns = 3\nroute_failures = 1"));
    assert!(wrong(&wired).starts_with("line 4: topology.kind: moves nodes, which [wired]"));
}

#[test]
fn every_flow_of_a_grid_keeps_to_its_own_line() {
    let keys = "kind = \"grid\"\nrows = 6\ncolumns = 6\nhorizontal_flows = 6\nvertical_flows = 6";
    // At 110 m diagonals and the nodes after the next are in reach, too.
    for spacing in [200, 110] {
        let routes = routes(&right(&topology(&format!("{keys}\nspacing = \"{spacing} m\""))));
        assert_eq!(routes.len(), 12);
        for (line, route) in (0..6).zip(&routes[..6]) {
            assert_eq!(*route, (0..6).map(|column| 6 * line + column).collect::<Vec<_>>());
        }
        for (line, route) in (0..6).zip(&routes[6..]) {
            assert_eq!(*route, (0..6).map(|row| 6 * row + line).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_grids_flows_may_end_one_spacing_outside() {
    let keys = "kind = \"grid\"\nrows = 2\ncolumns = 3\nspacing = \"150 m\"\n\
                horizontal_flows = 1\nvertical_flows = 3\nends = \"outside\"";
    let setup = right(&topology(keys));
    let places: Vec<_> = setup.nodes.iter().map(|n| (n.x / 150.0, n.y / 150.0)).collect();
    assert_eq!(places[..6], [(1., 1.), (2., 1.), (3., 1.), (1., 2.), (2., 2.), (3., 2.)]);
    assert_eq!(places[6..8], [(0., 2.), (4., 2.)], "beside the second row");
    assert_eq!(places[8..], [(1., 0.), (1., 3.), (2., 0.), (2., 3.), (3., 0.), (3., 3.)]);
    let expected = [vec![6, 3, 4, 5, 7], vec![8, 0, 3, 9], vec![10, 1, 4, 11], vec![12, 2, 5, 13]];
    assert_eq!(routes(&setup), expected);
    let inside = keys.replace("outside", "inside");
    let same = inside.replace("\nends = \"inside\"", "");
    assert_eq!(routes(&right(&topology(&inside))), routes(&right(&topology(&same))));
}

/// A grid of 2 x 3 nodes with a flow from n0 to n2, and these keys of it.
fn detour(keys: &str) -> String {
    let flow = format!("\n[[flow]]\nfrom = \"n0\"\nto = \"n2\"\n{keys}\n");
    topology("kind = \"grid\"\nrows = 2\ncolumns = 3") + &flow
}

#[test]
fn a_flow_takes_the_way_that_is_given() {
    let setup = right(&detour("via = [\"n3\", \"n4\", \"n5\"]"));
    assert_eq!(routes(&setup), [[0, 3, 4, 5, 2]]);
    assert_eq!(routes(&right(&detour(""))), [[0, 1, 2]]);
}

#[test]
fn a_way_that_cannot_be_is_refused() {
    let cases = [
        ("via = [\"n9\"]", "unknown node 'n9'; there are n0 to n5"),
        ("via = []", "'n0' does not reach 'n2', 400 m away; name the nodes between them"),
        ("via = [\"n4\"]", "'n0' does not reach 'n4', 283 m away; name the nodes between them"),
        ("via = [\"n1\", \"n0\", \"n1\"]", "comes to 'n0' twice; name every node once"),
    ];
    for (keys, message) in cases {
        assert_eq!(wrong(&detour(keys)), format!("line 15: flow[0].via: {message}"));
    }
    let two = detour("") + "[[flow]]\nfrom = \"n0\"\nto = \"n2\"\nvia = [\"n3\", \"n4\", \"n5\"]\n";
    assert!(wrong(&two).contains("flow[1].via: differs from the way of another flow"));
    let aodv = format!("{}[routing]\nkind = \"aodv\"\n", detour("via = [\"n1\"]"));
    assert!(wrong(&aodv).contains("flow[0].via: applies to fixed routes; AODV finds its own"));
}
