//! CXCC 3.3: deadlock freedom, over random topologies, flows and losses.

use std::collections::BTreeMap;

use multihop_core::{Duration, FlowId, NodeId, Purpose, Rng, Time};
use proptest::prelude::*;

use super::host::World;
use super::{basic, params};

/// A connected random graph: a random tree and some more links.
fn topology(rng: &mut Rng) -> Vec<Vec<usize>> {
    let count = 4 + rng.below(9) as usize;
    let mut neighbours = vec![Vec::new(); count];
    for at in 1..count {
        link(&mut neighbours, at, rng.below(at as u32) as usize);
    }
    for _ in 0..rng.below(count as u32) {
        let (a, b) = (rng.below(count as u32) as usize, rng.below(count as u32) as usize);
        link(&mut neighbours, a, b);
    }
    neighbours
}

fn link(neighbours: &mut [Vec<usize>], a: usize, b: usize) {
    if a != b && !neighbours[a].contains(&b) {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
}

/// Whether following the edges ever leads back. A queue waits for at most one other.
fn has_loop(world: &World) -> bool {
    let edges: BTreeMap<_, _> = world.waits().into_iter().collect();
    edges.keys().any(|&start| {
        let mut at = start;
        (0..edges.len()).any(|_| match edges.get(&at) {
            Some(&next) => {
                at = next;
                at == start
            }
            None => false,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn the_wait_graph_has_no_loop_and_everything_arrives(
        seed: u64, rfa: bool, loss in 0.0..0.5f64
    ) {
        let mut rng = Rng::stream(seed, NodeId(0), Purpose::Topology);
        let neighbours = topology(&mut rng);
        let count = neighbours.len() as u32;
        let params = if rfa { params(&[]) } else { basic() };
        let mut world = World::new(neighbours, &params, seed);
        world.lose(move |_, _, rng| rng.chance(loss));
        let mut flows = Vec::new();
        for label in 0..=rng.below(5) as u16 {
            let source = rng.below(count);
            let destination = (source + 1 + rng.below(count - 1)) % count;
            let (source, destination) = (NodeId(source), NodeId(destination));
            let flow = FlowId { source, destination, label };
            world.offer(flow, 12);
            flows.push(flow);
        }
        let end = Time::ZERO + Duration::from_millis(120_000);
        while world.remaining() > 0 {
            prop_assert!(world.step(end), "{} packets are stuck", world.remaining());
            prop_assert!(!has_loop(&world));
        }
        for flow in flows {
            prop_assert_eq!(&world.delivered[&flow], &(0..12).collect::<Vec<_>>(), "{}", flow);
        }
    }
}
