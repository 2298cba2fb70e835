//! RFC 3561, 1: "loop free at all times".

use proptest::prelude::*;

use multihop_core::Time;
use multihop_routing::aodv::Settings;

use crate::net::{Net, ms};

const NODES: u32 = 9;

/// Following the next hops from anywhere to anywhere never comes back.
fn assert_no_loops(net: &Net) {
    for destination in 0..NODES {
        for start in 0..NODES {
            let mut at = start;
            let mut path = vec![start];
            while at != destination
                && let Some(next) = net.next(at, destination)
            {
                at = next;
                path.push(at);
                assert!(path.len() <= NODES as usize, "{} to {destination}: {path:?}", net.now);
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Action {
    Link(u32, u32, bool),
    Offer(u32, u32),
}

fn action() -> impl Strategy<Value = Action> {
    let node = || 0..NODES;
    prop_oneof![
        (node(), node(), any::<bool>()).prop_map(|(a, b, up)| Action::Link(a, b, up)),
        (node(), node()).prop_map(|(a, b)| Action::Offer(a, b)),
        (node(), node()).prop_map(|(a, b)| Action::Offer(a, b)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn next_hops_never_form_a_loop(
        links in prop::collection::vec((0..NODES, 0..NODES), 8..20),
        actions in prop::collection::vec((1_u64..2500, action()), 1..60),
        local_repair in any::<bool>(),
        expanding_ring in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let settings = Settings { local_repair, expanding_ring, ..Settings::default() };
        let mut net = Net::new(NODES, settings, seed);
        for (a, b) in links {
            net.link(a, b, a != b);
        }
        let mut now = 0;
        let mut offered = 0;
        for (pause, action) in actions {
            for step in 0..10 {
                net.run(ms(now + pause * step / 10));
                assert_no_loops(&net);
            }
            now += pause;
            net.run(ms(now));
            match action {
                Action::Link(a, b, up) => net.link(a, b, up && a != b),
                Action::Offer(a, b) if a != b => {
                    net.offer(ms(now), a, b, offered);
                    offered += 1;
                }
                Action::Offer(..) => {}
            }
        }
        net.run(ms(now + 200_000));
        assert_no_loops(&net);
        // Every packet went somewhere, and only ends of repairs are still to come.
        let ended = net.delivered.len() + net.drops().len();
        prop_assert_eq!(ended + net.backlog(), offered as usize);
        prop_assert_eq!(net.backlog(), 0);
        prop_assert!(net.now < Time::NEVER);
    }
}
