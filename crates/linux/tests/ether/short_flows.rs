//! One node begins flow after flow, each of one packet: those of others get through meanwhile.

use multihop_core::Duration;

use crate::applications::{datagram, from_port};
use crate::world::{World, in_the_field};

/// Short flows of node 0 to node 3.
const FLOWS: u32 = 10_000;
/// Between two of them.
const INTERVAL: Duration = Duration::from_millis(10);
/// The same where each is a connection, which needs four packets or more.
const OF_CONNECTIONS: Duration = Duration::from_millis(50);
/// So many of them between two packets of another node, each of them a flow of its own.
const EACH_PING: u32 = 50;

/// What others get: bytes of the transfer from node 1 to node 3, and pings of node 2 to node 3 that arrive.
fn others(scheme: &str, interval: Duration, ports: u32) -> (usize, usize) {
    let mut world = World::new(&in_the_field(&format!(
        "[topology]\nkind = \"chain\"\nhops = 3\n[mac]\ndata_rate = \"11 Mbit/s\"\n[scheme]\nname = \"{scheme}\"\n\
         [traffic]\nload = \"1 kbit/s\"\n"
    )));
    for number in 0..FLOWS {
        let short = datagram(0, 3, number, 64);
        world.send(0, &from_port(1_024 + (number % ports) as u16, short));
        world.send(1, &datagram(1, 3, number, 1_000));
        if number % EACH_PING == 0 {
            let port = 2_000 + (number / EACH_PING) as u16;
            world.send(2, &from_port(port, datagram(2, 3, number, 84)));
        }
        world.run(world.now + interval);
    }
    world.run(world.now + Duration::from_millis(2_000));
    let arrived = world.delivered.remove(&3).unwrap_or_default();
    let of = |len: usize| arrived.iter().filter(|packet| packet.len() == len).count();
    (of(1_000) * 1_000, of(84))
}

/// Others get at least 90 % of what they get beside one flow with the same packets.
fn push_out_nobody(scheme: &str, interval: Duration) {
    let (transfer, pings) = others(scheme, interval, FLOWS);
    let (alone, answered) = others(scheme, interval, 1);
    assert!(transfer * 10 >= alone * 9, "{scheme}: {transfer} instead of {alone} bytes");
    assert!(pings * 10 >= answered * 9, "{scheme}: {pings} instead of {answered} pings");
    assert!(answered * 10 >= (FLOWS / EACH_PING) as usize * 9, "{scheme}: {answered} pings");
}

#[test]
fn ten_thousand_short_flows_of_one_node_push_out_nobody_else_s() {
    push_out_nobody("cxcc", INTERVAL);
}

#[test]
#[ignore = "long"]
fn ten_thousand_short_flows_push_out_nobody_else_s_over_other_schemes() {
    for scheme in ["udp", "wake", "hxh", "flush"] {
        push_out_nobody(scheme, INTERVAL);
    }
    push_out_nobody("newreno", OF_CONNECTIONS);
}

/// What made a node unreachable for minutes: as many packets in eleven seconds, each from a port of its own, and then
/// 8.5 in a second.
#[test]
fn a_node_whose_ports_were_scanned_is_reached_at_once() {
    for scheme in ["udp", "cxcc"] {
        let mut world = World::new(&in_the_field(&format!(
            "[topology]\nkind = \"chain\"\nhops = 2\n[mac]\ndata_rate = \"11 Mbit/s\"\n[scheme]\nname = \"{scheme}\"\n\
             [traffic]\nload = \"1 kbit/s\"\n"
        )));
        for number in 0..1_100 {
            world.send(0, &from_port(1_024 + number, datagram(0, 2, number.into(), 64)));
            world.run(world.now + INTERVAL);
        }
        world.delivered.clear();
        for round in 0..200u32 {
            world.send(0, &from_port(3_000 + round as u16, datagram(0, 2, round, 64)));
            world.send(1, &from_port(5_000 + round as u16, datagram(1, 2, round, 300)));
            world.run(world.now + Duration::from_millis(118));
        }
        let arrived = world.delivered.remove(&2).unwrap_or_default();
        let of_others = arrived.iter().filter(|packet| packet.len() == 300).count();
        assert_eq!((of_others, arrived.len()), (200, 400), "{scheme}");
    }
}
