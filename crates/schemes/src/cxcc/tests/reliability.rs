//! CXCC 7: "CXCC's retransmissions and RFAs can guarantee single-hop reliability. Therefore,
//! end-to-end reliability is ensured".

use multihop_core::{Duration, Params, Time, Value};

use super::host::{World, ends_of_line};
use super::{basic, params};

/// Both directions of a 10-hop chain in which every frame reaches each neighbour with 60 %.
fn lossy_chain(params: &Params, seed: u64, packets: u32) {
    let flows = ends_of_line(11);
    let mut world = World::line(11, params, seed);
    world.lose(|_, _, rng| rng.chance(0.4));
    for flow in flows {
        world.net.offer(flow, packets);
    }
    world.run(Time::ZERO + Duration::from_millis(300_000));
    for flow in flows {
        let delivered = world.net.log.delivered(flow);
        assert_eq!(delivered, (0..packets).collect::<Vec<_>>(), "seed {seed}, {flow}");
    }
    assert_eq!(world.net.remaining(), 0, "seed {seed}");
}

#[test]
fn every_packet_arrives_once_and_in_order_at_60_percent_success() {
    for seed in 0..6 {
        lossy_chain(&params(&[]), seed, 60);
    }
}

#[test]
fn so_it_does_without_rfa() {
    for seed in 0..4 {
        lossy_chain(&basic(), seed, 60);
    }
}

#[test]
fn so_it_does_with_a_timer_that_waits_while_deaf() {
    for seed in 0..4 {
        lossy_chain(&params(&[("count_deaf_time", Value::Switch(false))]), seed, 60);
    }
}

/// A queue never holds more than two packets (4.2), however long the source is.
#[test]
fn no_node_holds_more_than_two_packets_of_a_flow() {
    let [flow, _] = ends_of_line(6);
    let mut world = World::line(6, &params(&[]), 9);
    world.lose(|_, _, rng| rng.chance(0.3));
    world.net.offer(flow, 40);
    while world.step(Time::ZERO + Duration::from_millis(60_000)) {
        assert!(world.largest_backlog() <= 2);
    }
    assert_eq!(world.net.remaining(), 0);
}
