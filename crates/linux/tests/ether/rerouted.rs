//! Routes that are searched: a relay is killed, and packets find their way all the same.

use multihop_core::{Duration, NodeId, Time};
use multihop_linux::node::member::Ways;
use multihop_routing::Life;
use multihop_setup::Setup;

use crate::applications::{datagram, number};
use crate::world::{World, bounded, chain, setup, told};

const ROUTINGS: [&str; 2] = ["aodv", "dsr"];
/// Those that take a link for broken over which nothing gets.
const SCHEMES: [&str; 3] = ["udp", "newreno", "hxh"];
/// These try for ever; the second numbers packets from end to end.
const PATIENT: [&str; 2] = ["cxcc", "cxcc, reliable"];
/// These acknowledge from end to end.
const RELIABLE: [&str; 2] = [SCHEMES[1], PATIENT[1]];
/// Between packets.
const INTERVAL: u64 = 200;

/// Packets so many milliseconds of each other from node 0 to the last, up to `until` in seconds. Returns
/// the number of the next one.
fn send(world: &mut World, first: u32, until: u64) -> u32 {
    let last = world.hosts.len() as u32 - 1;
    let mut number = first;
    while world.now < Time::ZERO + Duration::from_millis(1_000 * until) {
        world.send(0, &datagram(0, last, number, 300));
        world.run(world.now + Duration::from_millis(INTERVAL));
        number += 1;
    }
    number
}

/// The packets that the last node has got.
fn arrived(world: &World) -> Vec<u32> {
    let last = world.hosts.len() as u32 - 1;
    world.delivered.get(&last).into_iter().flatten().map(|packet| number(packet)).collect()
}

/// The scheme's name, and behind a comma a switch of it.
fn network(topology: &str, routing: &str, scheme: &str) -> Setup {
    let (name, switch) = scheme.split_once(", ").unwrap_or((scheme, ""));
    let on = if switch.is_empty() { String::new() } else { format!("{switch} = true\n") };
    setup(&format!(
        "{topology}\n[routing]\nkind = \"{routing}\"\n[scheme]\nname = \"{name}\"\n{on}"
    ))
}

/// All that are sent from `first` on arrive, up to `next`.
fn goes_on(world: &World, case: &str, first: u32, next: u32) {
    let arrived: Vec<u32> = arrived(world).into_iter().filter(|number| *number >= first).collect();
    assert_eq!(arrived, (first..next).collect::<Vec<_>>(), "{case}");
}

/// A scheme that acknowledges from end to end loses nothing that it has taken, also of what was on its way when the
/// relay died.
fn loses_nothing(world: &mut World, case: &str, sent: u32) {
    world.run(world.now + Duration::from_millis(120_000));
    let refused = world.hosts[0].counters.queue_full;
    let arrived = arrived(world);
    assert!(arrived.is_sorted(), "{case}: {arrived:?}");
    assert_eq!(arrived.len() as u64, u64::from(sent) - refused, "{case}: {refused} refused");
}

/// Two ways of two hops, from n0 to n3.
fn diamond() -> String {
    let places = ["0 0", "200 100", "200 -100", "400 0"];
    let nodes = (0..).zip(places).map(|(number, place)| {
        let (x, y) = place.split_once(' ').expect("there are two");
        format!("[[node]]\nname = \"n{number}\"\nx = \"{x} m\"\ny = \"{y} m\"\n")
    });
    format!(
        "topology = {{ kind = \"explicit\" }}\n[traffic]\nload = \"1 kbit/s\"\n{}\
         [[flow]]\nfrom = \"n0\"\nto = \"n3\"",
        nodes.collect::<String>()
    )
}

#[test]
fn another_way_is_found_when_a_relay_is_killed() {
    for routing in ROUTINGS {
        for scheme in SCHEMES {
            let case = format!("{scheme} over {routing}");
            let mut world = World::new(&network(&diamond(), routing, scheme));
            let killed_at = send(&mut world, 0, 5);
            assert_eq!(arrived(&world).len() as u32, killed_at, "{case}");
            let sent = |node| world.hosts[node as usize].counters.frames_sent;
            // the one that was used
            let relay = if sent(1) > sent(2) { 1 } else { 2 };
            world.kill(relay);
            let found = send(&mut world, killed_at, 15);
            let next = send(&mut world, found, 20);
            goes_on(&world, &case, found, next);
            if RELIABLE.contains(&scheme) {
                loses_nothing(&mut world, &case, next);
            }
        }
    }
}

#[test]
fn a_chain_goes_on_when_its_relay_is_back() {
    let topology = "[topology]\nkind = \"chain\"\nhops = 4\n[traffic]\nload = \"1 kbit/s\"";
    for routing in ROUTINGS {
        for scheme in SCHEMES.into_iter().chain(PATIENT) {
            let case = format!("{scheme} over {routing}");
            let mut world = World::new(&network(topology, routing, scheme));
            let killed_at = send(&mut world, 0, 5);
            world.kill(2);
            let back_at = send(&mut world, killed_at, 10);
            let before = arrived(&world).len();
            assert!(before as u32 <= killed_at, "{case}: nothing crosses a gap");
            world.join(2);
            // RFC 3561, 6.13: AODV says nothing for 50 s after it has begun anew
            let found = send(&mut world, back_at, 80);
            let next = send(&mut world, found, 90);
            goes_on(&world, &case, found, next);
            if RELIABLE.contains(&scheme) {
                loses_nothing(&mut world, &case, next);
            }
        }
    }
}

#[test]
fn a_killed_relay_is_off() {
    let topology = "[topology]\nkind = \"chain\"\nhops = 2\n[traffic]\nload = \"1 kbit/s\"";
    let mut world = World::new(&network(topology, ROUTINGS[0], "udp"));
    world.kill(1);
    assert!(!world.air.is_on(NodeId(1)));
    send(&mut world, 0, 5);
    assert!(arrived(&world).is_empty());
}

/// n0 is told that n3 is its neighbour, whom it does not reach.
#[test]
fn a_route_that_goes_nowhere_holds_nobody_else_up() {
    for scheme in ["name = \"cxcc\"", "name = \"hxh\"", "name = \"udp\"", "name = \"newreno\""] {
        let setup = chain(3, scheme);
        let mut world = World::new(&setup);
        let ways = "[[way]]\nnodes = [\"n0\", \"n3\"]\n";
        let ways = toml::from_str(ways).expect("it is one");
        world.kill(0);
        world.hosts[0] = told(&setup, 0, Life { incarnation: 1, since: Time::ZERO }, &ways);
        world.join(0);
        let mut inside = [0; 2];
        for round in 0..200 {
            for packet in 0..5 {
                world.send(0, &datagram(0, 3, 5 * round + packet, 300));
            }
            world.send(0, &datagram(0, 1, round, 300));
            world.send(1, &datagram(1, 0, round, 300));
            world.run(world.now + Duration::from_millis(INTERVAL));
            let half = &mut inside[usize::from(round >= 100)];
            *half = world.hosts[0].load().0.max(*half);
        }
        world.run(world.now + Duration::from_millis(60_000));
        let got = |node| -> Vec<u32> {
            let packets: Option<&Vec<Vec<u8>>> = world.delivered.get(&node);
            packets.into_iter().flatten().map(|packet| number(packet)).collect()
        };
        let every: Vec<u32> = (0..200).collect();
        assert_eq!(got(1), every, "{scheme}: to the neighbour");
        assert_eq!(got(0), every, "{scheme}: from the neighbour");
        assert!(got(3).is_empty(), "{scheme}");
        assert!(inside[1] <= 110, "{scheme}: {inside:?} packets inside");
        let counters = &world.hosts[0].counters;
        let lost = counters.queue_full + counters.dropped.values().sum::<u64>();
        assert!(lost > 800, "{scheme}: {counters:?}");
    }
}

/// For longer than a flow without packets lives (60 s).
const LONG: u64 = 150_000;

#[test]
fn what_reliable_ends_have_taken_arrives_after_a_long_outage() {
    for scheme in ["name = \"cxcc\"\nreliable = true", "name = \"newreno\""] {
        let mut world = World::new(&chain(4, scheme));
        send(&mut world, 0, 2);
        world.kill(2);
        let sent = send(&mut world, 10, 4);
        world.run(world.now + Duration::from_millis(LONG));
        assert!(arrived(&world).len() < sent as usize, "{scheme}: nothing crosses a gap");
        world.join(2);
        loses_nothing(&mut world, scheme, sent);
    }
}

/// An IP packet of a connection of its own.
fn of_port(port: u16) -> Vec<u8> {
    let mut packet = datagram(0, 3, 0, 300);
    packet[20..22].copy_from_slice(&port.to_be_bytes());
    packet
}

#[test]
fn flows_to_who_is_gone_leave_and_make_room_for_others() {
    // of sixteen flows, three quarters may go to one node while they owe something
    let (most, share, more) = (16, 12, 27);
    let setup = chain(3, "name = \"newreno\"");
    let mut world = World::new(&setup);
    world.kill(0);
    world.hosts[0] = bounded(&setup, 0, Life::default(), &Ways::default(), most);
    world.join(0);
    world.kill(2);
    for port in 1..=share + more {
        for _ in 0..5 {
            world.send(0, &of_port(port));
        }
    }
    let counters = |world: &World| world.hosts[0].counters.clone();
    let refused = 5 * u64::from(more);
    assert_eq!(counters(&world).too_many_flows, refused, "{:?}", counters(&world));
    let got = |world: &World| -> Vec<u32> {
        let packets: Option<&Vec<Vec<u8>>> = world.delivered.get(&1);
        packets.into_iter().flatten().map(|packet| number(packet)).collect()
    };
    world.send(0, &datagram(0, 1, 7, 300));
    world.run(world.now + Duration::from_millis(1_000));
    assert_eq!(got(&world), [7], "others have room at once");
    world.run(world.now + Duration::from_millis(60_000));
    world.send(0, &of_port(share + more + 1));
    assert_eq!(counters(&world).too_many_flows, refused, "one that is stuck made room");
    world.send(0, &datagram(0, 1, 8, 300));
    world.run(world.now + Duration::from_millis(1_000));
    assert_eq!(got(&world), [7, 8]);
    world.run(world.now + Duration::from_millis(700_000));
    assert_eq!(world.hosts[0].flows().all().len(), 0, "all are over");
    assert!(counters(&world).dropped["flow_closed"] > 20, "{:?}", counters(&world));
}

/// CL sends a packet a second while it does not know how long its route is.
#[test]
fn a_flow_that_begins_later_knows_how_long_its_route_is() {
    let topology = "[topology]\nkind = \"chain\"\nhops = 3\n[traffic]\nload = \"1 kbit/s\"";
    for routing in ["fixed", ROUTINGS[0], ROUTINGS[1]] {
        let mut world = World::new(&network(topology, routing, "cl"));
        for port in 1..4 {
            world.run(Time::ZERO + Duration::from_millis(1_000 * u64::from(port)));
            for _ in 0..5 {
                world.send(0, &of_port(port));
            }
            world.run(world.now + Duration::from_millis(500));
            assert_eq!(world.delivered[&3].len(), 5 * usize::from(port), "flow {port}: {routing}");
        }
    }
}
