//! HxH over a chain whose links, routes and nodes fail: what the application gets is what was
//! written, once and in order.

mod chain;

use chain::{Chain, Mishap, Odds};
use multihop_core::{Duration, EventKind};
use multihop_schemes::hxh::Kind;
use proptest::prelude::*;

fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn over_a_good_chain_nothing_but_data_and_one_last_acknowledgment_is_sent() {
    let mut chain = Chain::new(1, Odds::GOOD);
    chain.transfer(400, &[]);
    assert_eq!(chain.sent(Kind::Nack), 0);
    // The first packet alone, and the last one, ask for an acknowledgment.
    assert!(chain.sent(Kind::Ack) <= 2 * 4, "{} acknowledgments", chain.sent(Kind::Ack));
    assert_eq!(chain.sent(Kind::Data), 400 * 4);
    assert_eq!(chain.count(EventKind::SegmentRetransmission), 0);
}

#[test]
fn credits_alone_keep_the_queues_from_overflowing() {
    for seed in 0..20 {
        let mut chain = Chain::new(seed, Odds { overhears: 1.0, ..Odds::GOOD });
        chain.transfer(200, &[]);
        assert_eq!((chain.dropped, chain.sent(Kind::Nack)), (0, 0), "seed {seed}");
    }
}

#[test]
fn a_flow_goes_on_although_nothing_is_ever_overheard() {
    let mut chain = Chain::new(1, Odds { overhears: 0.0, ..Odds::GOOD });
    chain.transfer(60, &[]);
    assert!(chain.sent(Kind::Ack) > 0, "the timers and the last hop ask");
}

#[test]
fn a_relay_that_leaves_with_its_queue_is_noticed_by_the_first_node_behind_it() {
    let mut chain = Chain::new(3, Odds::GOOD);
    chain.transfer(400, &[(millis(150), Mishap::Swap)]);
    assert!(chain.lost > 0, "it had packets");
    // The second relay has the gap first, and its NACK goes over the new relay and the first one
    // to the source: three hops. Nobody repeats it.
    assert_eq!(chain.nacks_made, 1);
    assert_eq!(chain.sent(Kind::Nack), 3);
    let repaired = chain.count(EventKind::SegmentRetransmission);
    assert!(repaired >= chain.lost, "{repaired} for {}", chain.lost);
}

#[test]
fn the_destination_repeats_a_lost_nack() {
    let mut chain = Chain::new(3, Odds::GOOD);
    chain.transfer(400, &[(millis(100), Mishap::LoseNacks(200)), (millis(150), Mishap::Swap)]);
    assert!(chain.lost > 0);
    assert!(chain.nacks_lost > 0, "the first one is lost");
    assert!(chain.sent(Kind::Nack) > chain.nacks_lost, "a later one arrives");
}

fn mishap() -> impl Strategy<Value = Mishap> {
    prop_oneof![
        Just(Mishap::Swap),
        (1usize..4).prop_map(Mishap::Restart),
        Just(Mishap::RestartDestination),
        (0usize..4).prop_map(Mishap::BreakRoute),
        (50u64..1_000).prop_map(Mishap::LoseNacks),
        (10u64..2_500).prop_map(Mishap::Silence),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn every_message_arrives_once_and_in_order(
        seed: u64,
        fails in 0.0f64..0.3,
        overhears in 0.0f64..1.0,
        doubts in 0.0f64..0.1,
        errors_arrive in 0.2f64..1.0,
        mut mishaps in prop::collection::vec((0u64..3_000, mishap()), 0..8),
    ) {
        mishaps.sort_by_key(|(ms, _)| *ms);
        let mishaps: Vec<_> = mishaps.into_iter().map(|(ms, what)| (millis(ms), what)).collect();
        let odds = Odds { fails, overhears, doubts, errors_arrive };
        Chain::new(seed, odds).transfer(150, &mishaps);
    }
}
