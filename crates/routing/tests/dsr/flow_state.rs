//! Packets without their source route (RFC 4728, 3.5).

use multihop_core::{EventKind, Layer};
use multihop_routing::dsr::Settings;
use multihop_testkit::Links;

use super::world::{World, flow};

/// How long the headers of packet `number` were at every hop, behind the network header.
fn headers(world: &World, number: u32) -> Vec<usize> {
    let of = world.data().filter(|frame| frame.packet.tag.number == number);
    of.map(|frame| frame.packet.headers.len()).collect()
}

/// ns-2: three packets carry the path, with 8 B for the flow; over five hops 1,020 B are 1,052 B.
#[test]
fn three_packets_carry_the_way_and_the_others_follow() {
    let mut world = World::line(6);
    world.send(flow(0, 5), 1..=6);
    world.wait(1_000);
    assert_eq!(world.net.log.delivered(flow(0, 5)), [1, 2, 3, 4, 5, 6]);
    for number in 1..=3 {
        assert_eq!(headers(&world, number), [32; 5], "{number}");
    }
    for number in 4..=6 {
        assert_eq!(headers(&world, number), [0; 5], "{number}");
    }
}

/// ns-2's `min_adv_interval`.
#[test]
fn after_five_seconds_a_packet_carries_the_way_again() {
    let mut world = World::line(3);
    world.send(flow(0, 2), 1..=4);
    world.wait(5_000);
    world.send(flow(0, 2), 5..=6);
    assert_eq!(headers(&world, 4), [0; 2]);
    assert_eq!(headers(&world, 5), [20; 2]);
    assert_eq!(headers(&world, 6), [0; 2]);
}

#[test]
fn without_flow_state_every_packet_carries_its_way() {
    let settings = Settings { flow_state: false, ..Settings::default() };
    let mut world = World::new(Links::line(4), settings, &[flow(0, 3)]);
    world.send(flow(0, 3), 1..=5);
    world.wait(500);
    assert_eq!(world.net.log.delivered(flow(0, 3)), [1, 2, 3, 4, 5]);
    for number in 1..=5 {
        // RFC 4728: 4 B, 4 B, and 4 B for each of two relays
        assert_eq!(headers(&world, number), [16; 3], "{number}");
    }
    assert!(world.data().all(|frame| frame.packet.headers.has(Layer::Routing)));
}

#[test]
fn a_relay_that_has_forgotten_the_flow_says_so() {
    let mut world = World::line(4);
    world.send(flow(0, 3), 1..=5);
    world.reboot(1);
    world.send(flow(0, 3), 6..=12);
    world.wait(3_000);
    assert_eq!(world.net.log.traced(EventKind::RouteError).first(), Some(&1));
    let delivered = world.net.log.delivered(flow(0, 3));
    assert!(delivered.ends_with(&[10, 11, 12]), "{delivered:?}");
    let with_way: Vec<u32> = (6..=12).filter(|number| headers(&world, *number)[0] > 0).collect();
    assert_eq!(with_way.len(), 3, "it is established again: {with_way:?}");
}

/// ns-2: the source goes on to leave the way out, up to its `min_adv_interval`.
#[test]
fn a_source_may_be_deaf_to_errors_about_default_flows() {
    let settings = Settings { default_flow_errors: false, ..Settings::default() };
    let mut world = World::new(Links::line(4), settings, &[flow(0, 3)]);
    world.send(flow(0, 3), 1..=5);
    world.reboot(1);
    world.send(flow(0, 3), 6..=12);
    world.wait(5_000);
    assert!(world.net.log.traced(EventKind::RouteError).len() >= 7, "one for each packet");
    assert!((6..=12).all(|number| headers(&world, number)[0] == 0));
    world.send(flow(0, 3), 13..=14);
    assert!(headers(&world, 13)[0] > 0);
}

#[test]
fn both_directions_are_flows_of_their_own() {
    let flows = [flow(0, 3), flow(3, 0)];
    let mut world = World::new(Links::line(4), Settings::default(), &flows);
    for number in 1..=5 {
        world.send(flow(0, 3), [number]);
        world.send(flow(3, 0), [10 + number]);
    }
    world.wait(500);
    assert_eq!(world.net.log.delivered(flow(0, 3)), [1, 2, 3, 4, 5]);
    assert_eq!(world.net.log.delivered(flow(3, 0)), [11, 12, 13, 14, 15]);
    assert_eq!((headers(&world, 5), headers(&world, 15)), (vec![0; 3], vec![0; 3]));
}
