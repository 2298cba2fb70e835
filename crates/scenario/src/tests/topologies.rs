//! The generated topologies, node by node and flow by flow.

use super::{CHAIN, right, with, wrong};
use crate::Setup;

fn ends(setup: &Setup) -> Vec<(u32, u32)> {
    setup.sources.iter().map(|source| (source.flow.source.0, source.flow.destination.0)).collect()
}

fn places(setup: &Setup) -> Vec<(f64, f64)> {
    setup.nodes.iter().map(|node| (node.x, node.y)).collect()
}

fn close(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(a.0, b.0) && near(a.1, b.1))
}

#[test]
fn a_chain_runs_along_x() {
    let setup = right(CHAIN);
    let expected = [(0.0, 0.0), (200.0, 0.0), (400.0, 0.0), (600.0, 0.0), (800.0, 0.0)];
    assert!(close(&places(&setup), &expected));
    assert_eq!(setup.nodes[4].name, "n4");
    assert_eq!(ends(&setup), [(0, 4)]);
    assert_eq!(setup.sources[0].name, "n0->n4");
    let both = right(&with(CHAIN, "\"chain\"", "\"bidirectional-chain\""));
    assert_eq!(ends(&both), [(0, 4), (4, 0)]);
}

#[test]
fn a_cross_shares_its_middle_node() {
    let text = with(&with(CHAIN, "\"chain\"", "\"cross\""), "hops = 4", "hops = 2");
    let setup = right(&text);
    let expected = [(0.0, 200.0), (200.0, 200.0), (400.0, 200.0), (200.0, 0.0), (200.0, 400.0)];
    assert!(close(&places(&setup), &expected));
    assert_eq!(ends(&setup), [(0, 2), (3, 4)]);
    let both = right(&with(&text, "\"cross\"", "\"bidirectional-cross\""));
    assert_eq!(ends(&both), [(0, 2), (3, 4), (2, 0), (4, 3)]);
}

#[test]
fn a_star_has_its_receiver_in_the_middle() {
    let text = with(CHAIN, "\"chain\"\nhops = 4", "\"star\"\nsenders = 4\nradius = \"50 m\"");
    let setup = right(&text);
    let expected = [(50.0, 50.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0), (50.0, 0.0)];
    assert!(close(&places(&setup), &expected), "{:?}", places(&setup));
    assert_eq!(ends(&setup), [(1, 0), (2, 0), (3, 0), (4, 0)]);
}

fn random(more: &str) -> String {
    let topology =
        format!("\"random\"\nnodes = 40\nwidth = \"800 m\"\nheight = \"600 m\"\nflows = 6\n{more}");
    with(CHAIN, "\"chain\"\nhops = 4", &topology)
}

#[test]
fn a_random_topology_depends_on_its_seed_alone() {
    let setup = right(&random("min_hops = 2"));
    assert_eq!(setup.nodes.len(), 40);
    assert!(
        places(&setup).iter().all(|&(x, y)| (0.0..800.0).contains(&x) && (0.0..600.0).contains(&y))
    );
    let pairs = ends(&setup);
    assert_eq!(pairs.len(), 6);
    for &(from, to) in &pairs {
        let (a, b) = (&setup.nodes[from as usize], &setup.nodes[to as usize]);
        assert!(crate::reach::distance(a, b) > 250.0);
        assert_eq!(pairs.iter().filter(|pair| **pair == (from, to)).count(), 1);
    }
    let again = right(&random("min_hops = 2\ntopology_seed = 1"));
    assert_eq!(setup.nodes, again.nodes, "the scenario's default seed is 1");
    assert_eq!(pairs, ends(&again));
    let other = right(&random("min_hops = 2\ntopology_seed = 2"));
    assert_ne!(setup.nodes, other.nodes);
    let seeded = right(&format!("seed = 9\n{}", random("min_hops = 2\ntopology_seed = 2")));
    assert_eq!(other.nodes, seeded.nodes);
}

#[test]
fn a_random_topology_that_cannot_be_is_refused() {
    let sparse = random("").replace("800 m", "80 km");
    assert_eq!(
        wrong(&sparse),
        "line 5: topology.nodes: 40 nodes in 80000 m x 600 m were not connected in any of 1000 \
         draws; use more nodes, a smaller area, or a longer range"
    );
    let message = wrong(&random("min_hops = 30"));
    assert!(message.starts_with("line 9: topology.min_hops: found only 0 of 6"), "{message}");
    let message = wrong(&random("").replace("flows = 6", "flows = 2000"));
    assert_eq!(message, "line 8: topology.flows: 40 nodes have fewer than 2000 different pairs");
    let message = wrong(&random("").replace("flows = 6", "flows = 200_000"));
    assert_eq!(message, "line 8: topology.flows: must be at most 100000 (got 200000)");
    let message = wrong(&random("").replace("nodes = 40", "nodes = 1"));
    assert_eq!(message, "line 5: topology.nodes: must be at least 2 (got 1)");
}

#[test]
fn huge_scenarios_are_read_in_reasonable_work() {
    let dense = random("").replace("nodes = 40", "nodes = 20_000");
    assert_eq!(right(&dense).nodes.len(), 20_000);
}
