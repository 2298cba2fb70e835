//! CXCC 3.3: deadlock freedom, over random topologies, flows and losses.

use std::collections::BTreeMap;

use multihop_core::{Duration, FlowId, NodeId, Purpose, Rng, Time};
use multihop_testkit::Links;
use proptest::prelude::*;

use super::host::World;
use super::{basic, params};

/// A connected random graph: a random tree and some more links.
fn topology(rng: &mut Rng) -> Links {
    let count = 4 + rng.below(9);
    let mut links = Links::none(count as usize);
    for at in 1..count {
        links.set(at as usize, rng.below(at) as usize, true);
    }
    for _ in 0..rng.below(count) {
        let (a, b) = (rng.below(count) as usize, rng.below(count) as usize);
        links.set(a, b, a != b);
    }
    links
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
        let links = topology(&mut rng);
        let count = links.nodes() as u32;
        let most = rng.below(5) as u16;
        let flow = |label| {
            let source = rng.below(count);
            let destination = (source + 1 + rng.below(count - 1)) % count;
            FlowId { source: NodeId(source), destination: NodeId(destination), label }
        };
        let flows: Vec<FlowId> = (0..=most).map(flow).collect();
        let params = if rfa { params(&[]) } else { basic() };
        let mut world = World::new(links, &params, seed, &flows);
        world.lose(move |_, _, rng| rng.chance(loss));
        for flow in &flows {
            world.net.offer(*flow, 12);
        }
        let end = Time::ZERO + Duration::from_millis(120_000);
        while world.net.remaining() > 0 {
            prop_assert!(world.step(end), "{} packets are stuck", world.net.remaining());
            prop_assert!(!has_loop(&world));
        }
        for flow in flows {
            prop_assert_eq!(world.net.log.delivered(flow), (0..12).collect::<Vec<_>>(), "{}", flow);
        }
    }
}
