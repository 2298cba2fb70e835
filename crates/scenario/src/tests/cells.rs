//! Cells against all pairs.

use proptest::prelude::*;

use crate::reach::{Reach, distance};
use multihop_setup::Cells;
use multihop_setup::Node;

const WIDTH: f64 = 250.0;

/// Places anywhere, some on the borders of cells and exactly one range apart, some far away.
fn places() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let coordinate = || {
        prop_oneof![
            4 => -1500.0..1500.0f64,
            2 => (-4i32..5).prop_map(|cell| f64::from(cell) * WIDTH),
            1 => prop::sample::select(vec![-1e9, 1e9, 1e9 - WIDTH]),
        ]
    };
    prop::collection::vec((coordinate(), coordinate()), 1..60)
}

fn nodes(places: &[(f64, f64)]) -> Vec<Node> {
    let node = |&(x, y): &(f64, f64)| Node::at("", (x, y));
    places.iter().map(node).collect()
}

/// The hops between all pairs, by relaxation over all pairs.
fn all_hops(nodes: &[Node]) -> Vec<Vec<Option<u32>>> {
    let near = |a: usize, b: usize| distance(&nodes[a], &nodes[b]) <= WIDTH;
    let from = |source: usize| {
        let mut hops = vec![None; nodes.len()];
        hops[source] = Some(0);
        for round in 0..nodes.len() as u32 {
            for a in (0..nodes.len()).filter(|a| hops[*a] == Some(round)).collect::<Vec<_>>() {
                for b in (0..nodes.len()).filter(|b| near(a, *b)) {
                    hops[b] = hops[b].or(Some(round + 1));
                }
            }
        }
        hops
    };
    (0..nodes.len()).map(from).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everybody_within_a_cell_s_width_is_found_once_and_in_order(places in places()) {
        let nodes = nodes(&places);
        for width in [WIDTH, f64::INFINITY] {
            let cells = Cells::new(places.iter().copied(), width);
            let mut found = Vec::new();
            for (here, place) in places.iter().enumerate() {
                cells.near(*place, &mut found);
                prop_assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", found);
                for there in 0..places.len() {
                    let near = distance(&nodes[here], &nodes[there]) <= width;
                    prop_assert!(!near || found.contains(&there), "{} {}", here, there);
                }
            }
        }
    }

    #[test]
    fn parts_and_hops_are_those_of_all_pairs(places in places()) {
        let nodes = nodes(&places);
        let reach = Reach::new(&nodes, WIDTH);
        let parts = reach.parts();
        let expected = all_hops(&nodes);
        for (from, row) in expected.iter().enumerate() {
            for (to, hops) in row.iter().enumerate() {
                prop_assert_eq!(parts.joined(from, to), hops.is_some());
                // Nobody asks for less than one hop.
                for least in hops.iter().filter(|hops| **hops > 0).flat_map(|hops| [*hops, hops + 1]) {
                    prop_assert_eq!(reach.at_least(from, to, least), hops >= &Some(least));
                }
            }
        }
        prop_assert_eq!(reach.connected(), expected[0].iter().all(Option::is_some));
        let lonely = expected.iter().position(|hops| hops.iter().flatten().count() == 1);
        prop_assert_eq!(parts.lonely(), lonely);
    }
}

/// Of nodes that are spread evenly, few are looked at.
#[test]
fn only_the_cells_around_are_looked_at() {
    let places = (0..10_000).map(|n| (f64::from(n % 100) * 100.0, f64::from(n / 100) * 100.0));
    let cells = Cells::new(places.clone(), WIDTH);
    let mut found = Vec::new();
    for place in places {
        cells.near(place, &mut found);
        assert!(found.len() <= 81, "{}", found.len());
    }
}
