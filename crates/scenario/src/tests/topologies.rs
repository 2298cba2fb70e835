//! The generated topologies, node by node and flow by flow.

use super::{CHAIN, right, with, wrong};
use multihop_setup::Setup;

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

fn grid(rows: u32, columns: u32, more: &str) -> String {
    let topology = format!("\"grid\"\nrows = {rows}\ncolumns = {columns}\n{more}");
    with(CHAIN, "\"chain\"\nhops = 4", &topology)
}

#[test]
fn a_grid_is_numbered_row_by_row() {
    let setup = right(&grid(2, 3, "spacing = \"100 m\"\nhorizontal_flows = 2\nvertical_flows = 1"));
    let expected =
        [(0.0, 0.0), (100.0, 0.0), (200.0, 0.0), (0.0, 100.0), (100.0, 100.0), (200.0, 100.0)];
    assert!(close(&places(&setup), &expected), "{:?}", places(&setup));
    assert_eq!(ends(&setup), [(0, 2), (3, 5), (1, 4)]);
    assert_eq!(setup.sources[2].name, "n1->n4");
    assert!((right(&grid(2, 2, "vertical_flows = 1")).nodes[3].x - 200.0).abs() < 1e-9);
    assert_eq!(ends(&right(&grid(1, 4, "horizontal_flows = 1"))), [(0, 3)]);
    assert_eq!(ends(&right(&grid(4, 1, "vertical_flows = 1"))), [(0, 3)]);
}

#[test]
fn a_grids_flows_are_spread_evenly() {
    let lines = |rows: u32, flows: u32| -> Vec<u32> {
        let setup = right(&grid(rows, 2, &format!("horizontal_flows = {flows}")));
        ends(&setup).iter().map(|(from, _)| from / 2).collect()
    };
    assert_eq!(lines(9, 8), [0, 1, 2, 3, 5, 6, 7, 8], "the centre line carries none");
    assert_eq!(lines(13, 1), [6]);
    assert_eq!(lines(13, 2), [3, 9]);
    assert_eq!(lines(13, 3), [2, 6, 10]);
    assert_eq!(lines(13, 4), [1, 4, 8, 11]);
    assert_eq!(lines(13, 5), [1, 3, 6, 9, 11]);
    assert_eq!(lines(13, 6), [1, 3, 5, 7, 9, 11]);
    for flows in 1..=13 {
        let (lines, flow) = (lines(13, flows), |i: u32| (f64::from(i) + 0.5) * 13.0);
        let expected: Vec<u32> = (0..flows).map(|i| (flow(i) / f64::from(flows)) as u32).collect();
        assert_eq!(lines, expected);
        assert!(lines.windows(2).all(|pair| pair[0] < pair[1]), "a line carries one flow");
    }
    // columns are spread as rows are
    let setup = right(&grid(2, 9, "vertical_flows = 8"));
    let columns: Vec<u32> = ends(&setup).iter().map(|(from, _)| *from).collect();
    assert_eq!(columns, [0, 1, 2, 3, 5, 6, 7, 8]);
}

#[test]
fn a_grid_that_cannot_be_is_refused() {
    for (rows, columns, more, message) in [
        (0, 4, "", "line 5: topology.rows: must be at least 1 (got 0)"),
        (4, 0, "", "line 6: topology.columns: must be at least 1 (got 0)"),
        (
            1,
            1,
            "",
            "line 6: topology.columns: one row and one column make a single node; a network has \
             at least 2",
        ),
        (
            100_000,
            100_000,
            "",
            "line 5: topology.rows: makes 10000000000 nodes; at most 100000 are possible",
        ),
        (
            3,
            4,
            "horizontal_flows = 4",
            "line 7: topology.horizontal_flows: must be at most 3, one for each row (got 4)",
        ),
        (
            3,
            4,
            "vertical_flows = 5",
            "line 7: topology.vertical_flows: must be at most 4, one for each column (got 5)",
        ),
        (
            3,
            1,
            "horizontal_flows = 1",
            "line 7: topology.horizontal_flows: a row of a single node has no place for a flow \
             (got 1)",
        ),
        (
            3,
            3,
            "horizontal_flows = 0",
            "line 3: topology: there is no flow; give horizontal_flows, vertical_flows or \
             [[flow]] tables",
        ),
        (
            3,
            3,
            "hops = 2",
            "line 7: topology.hops: does not apply to kind \"grid\", which takes rows, columns, \
             spacing, horizontal_flows, vertical_flows, ends; it belongs to chain, \
             bidirectional-chain, cross, bidirectional-cross or dumbbell",
        ),
        (
            3,
            3,
            "spacing = \"1 mm\"",
            "line 7: topology.spacing: \"1 mm\" has the unknown unit 'mm'; a length wants cm, m or \
             km",
        ),
    ] {
        assert_eq!(wrong(&grid(rows, columns, more)), message);
    }
    let text = grid(3, 3, "");
    assert_eq!(
        wrong(&with(&text, "columns = 3\n", "")),
        "line 3: topology.columns: is missing; kind \"grid\" needs it, as in columns = 9"
    );
    let message = wrong(&grid(3, 3, "spacing = \"300 m\"\nvertical_flows = 1"));
    assert!(message.starts_with("line 7: topology.spacing: node 'n0' is out of"), "{message}");
    let message = wrong(&with(CHAIN, "hops = 4", "hops = 4\nrows = 2"));
    assert!(message.starts_with("line 6: topology.rows: does not apply to kind \"chain\""));
}

#[test]
fn a_grid_may_have_listed_flows_alone() {
    let flow = "[[flow]]\nfrom = \"n0\"\nto = \"n8\"\nload = \"1 kbit/s\"\n";
    let text = with(&grid(3, 3, ""), "[traffic]\nload = \"100 kbit/s\"\n", flow);
    assert_eq!(ends(&right(&text)), [(0, 8)]);
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
    assert_eq!(message, "line 8: topology.flows: must lie between 0 and 100000 (got 200000)");
    let message = wrong(&random("").replace("nodes = 40", "nodes = 1"));
    assert_eq!(message, "line 5: topology.nodes: must be at least 2 (got 1)");
}

#[test]
fn huge_scenarios_are_read_in_reasonable_work() {
    let dense = random("").replace("nodes = 40", "nodes = 20_000");
    assert_eq!(right(&dense).nodes.len(), 20_000);
}

/// Some pairs of so large a network are farther apart than a packet lives: they are not drawn.
#[test]
fn ten_thousand_nodes_are_accepted() {
    let large =
        random("").replace("nodes = 40", "nodes = 10_000").replace("flows = 6", "flows = 20");
    let large = large.replace("800 m", "12300 m").replace("600 m", "12300 m");
    let setup = right(&large);
    assert_eq!((setup.nodes.len(), setup.sources.len()), (10_000, 20));
}
