//! Networks behind nodes, which they announce over several hops.

use std::net::Ipv4Addr;

use multihop_core::{Duration, NodeId};
use multihop_linux::ip::{IpPacket, Prefix, Subnet, packet4};
use multihop_linux::node::announcement::{Announcement, PROTOCOL};
use multihop_linux::node::host::Host;
use multihop_linux::node::member::Ways;
use multihop_linux::node::network::Network;
use multihop_routing::Life;
use multihop_setup::Setup;

use crate::applications::datagram;
use crate::world::{World, chain, of_network};

const HOPS: u32 = 4;
const DEFAULT: &str = "0.0.0.0/0";
const SITE: &str = "192.168.7.0/24";
const OUTSIDE: Ipv4Addr = Ipv4Addr::new(203, 0, 113, 9);
const INSIDE: Ipv4Addr = Ipv4Addr::new(192, 168, 7, 9);

fn subnet(text: &str) -> Subnet {
    text.parse().expect("it is one")
}

fn host(setup: &Setup, node: u32) -> Host {
    let network = Network::new(setup, NodeId(node), Prefix::DEFAULT);
    let network = network.with_gateways(vec![subnet(DEFAULT), subnet("192.168.0.0/16")], 0);
    of_network(setup, network, (Life::default(), &Ways::default()), 256)
}

/// A chain with gateways at both ends, and a site behind one of them.
fn world(scheme: &str) -> World {
    let setup = chain(HOPS, &format!("name = \"{scheme}\""));
    let mut world = World::of(&setup, |node| host(&setup, node));
    for (node, networks) in [(0, &[DEFAULT][..]), (HOPS, &[DEFAULT, SITE])] {
        let networks: Vec<_> = networks.iter().map(|text| subnet(text)).collect();
        let gateway = &mut world.hosts[node as usize];
        gateway.announce_networks(world.now, &networks);
        gateway.set_reached(world.now, |_| true);
    }
    world
}

fn seconds(world: &mut World, count: u64) {
    world.run(world.now + Duration::from_millis(count * 1_000));
}

fn way(world: &World, node: u32, to: Ipv4Addr) -> Option<u32> {
    world.hosts[node as usize].network().way_to(to.into()).map(|node| node.0)
}

/// A packet of a node to an address outside.
fn to(node: u32, destination: Ipv4Addr) -> Vec<u8> {
    let mut bytes = datagram(node, 0, 1, 100);
    bytes[16..20].copy_from_slice(&destination.octets());
    bytes
}

#[test]
fn packets_go_to_the_nearest_gateway_and_come_back_from_it() {
    for scheme in ["udp", "cxcc", "hxh", "wake"] {
        let mut world = world(scheme);
        seconds(&mut world, 10);
        assert_eq!(way(&world, 1, OUTSIDE), Some(0), "{scheme}");
        assert_eq!(way(&world, 3, OUTSIDE), Some(HOPS), "{scheme}");
        assert_eq!(way(&world, 0, OUTSIDE), None, "{scheme}: it is one itself");
        assert_eq!(way(&world, 1, INSIDE), Some(HOPS), "{scheme}");
        let asks = to(1, OUTSIDE);
        world.send(1, &asks);
        seconds(&mut world, 2);
        assert_eq!(world.delivered.remove(&0), Some(vec![asks]), "{scheme}");
        // the answer
        let mut answer = datagram(0, 1, 1, 100);
        answer[12..16].copy_from_slice(&OUTSIDE.octets());
        world.send(0, &answer);
        seconds(&mut world, 2);
        assert_eq!(world.delivered.remove(&1), Some(vec![answer.clone()]), "{scheme}");
        // nobody else may send in the name of somebody outside, or behind another
        world.send(2, &answer);
        assert_eq!(world.hosts[2].counters.forged, 1, "{scheme}");
        answer[12..16].copy_from_slice(&INSIDE.octets());
        world.send(0, &answer);
        seconds(&mut world, 2);
        assert_eq!(world.hosts[0].counters.forged, 1, "{scheme}");
    }
}

#[test]
fn a_gateway_that_loses_its_way_out_or_is_off_is_replaced() {
    let mut world = world("cxcc");
    seconds(&mut world, 10);
    // it says so at once
    let now = world.now;
    world.hosts[0].set_reached(now, |_| false);
    seconds(&mut world, 4);
    assert_eq!((way(&world, 1, OUTSIDE), way(&world, 0, OUTSIDE)), (Some(HOPS), Some(HOPS)));
    let now = world.now;
    world.hosts[0].set_reached(now, |_| true);
    seconds(&mut world, 10);
    assert_eq!((way(&world, 1, OUTSIDE), way(&world, 0, OUTSIDE)), (Some(0), None));
    // one that is off says nothing
    world.kill(0);
    seconds(&mut world, 106);
    assert_eq!(way(&world, 1, OUTSIDE), Some(HOPS));
    world.kill(HOPS);
    seconds(&mut world, 106);
    assert_eq!((way(&world, 1, OUTSIDE), way(&world, 1, INSIDE)), (None, None));
    world.send(1, &to(1, OUTSIDE));
    let got = world.delivered.remove(&1).expect("it is told");
    assert_eq!(got[0][20..22], [3, 1], "unreachable");
}

/// Announcing in a network of the field costs little: two gateways, a chain of five, ten minutes.
#[test]
fn gateways_take_little_of_the_air() {
    let mut world = world("cxcc");
    seconds(&mut world, 600);
    let frames: u64 = world.hosts.iter().map(|host| host.counters.frames_sent).sum();
    let said: u64 = world.hosts.iter().map(|host| host.counters.announcements_sent).sum();
    assert!((150..=250).contains(&said), "{said} in two times four to others, every half a minute");
    assert!(frames < 600 * 4, "{frames} frames in ten minutes");
}

#[test]
fn applications_and_noise_announce_nothing() {
    let mut world = world("cxcc");
    let said = Announcement { lifetime: 100, number: 9, networks: [subnet(DEFAULT)].into() };
    let of = |node: u32| Prefix::DEFAULT.address(NodeId(node));
    let forged = packet4((of(1), of(2)), PROTOCOL, 0, &said.emit());
    assert!(IpPacket::of(&forged).is_some());
    world.send(1, &forged);
    assert_eq!(world.hosts[1].counters.forged, 1, "of an application");
    seconds(&mut world, 10);
    assert!(world.hosts.iter().all(|host| host.counters.announcements_malformed == 0));
    assert!(world.hosts[2].counters.announcements >= 2);
    assert_eq!(world.hosts[2].counters.networks_refused, 0);
    assert!(world.delivered.is_empty(), "applications see no announcements");
}
