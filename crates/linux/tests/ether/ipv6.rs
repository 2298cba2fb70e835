//! Packets of IPv6 over several hops: to nodes, to groups, too far, too long, and to nobody.

use std::net::{IpAddr, Ipv6Addr};

use multihop_core::{Duration, NodeId};
use multihop_linux::ip::{IpPacket, Prefix, Prefix6};
use multihop_linux::node::host::Host;
use multihop_linux::node::member::Ways;
use multihop_linux::node::network::Network;
use multihop_routing::Life;
use multihop_setup::Setup;

use crate::applications::{address6, datagram6, prefix6};
use crate::world::{World, chain, of_network};

const HOPS: u32 = 3;
const LONG: usize = 1_400;

/// A node that has addresses of IPv6, and hands on packets of so many bytes.
fn host(setup: &Setup, node: u32, mtu: u16) -> Host {
    let network = Network::new(setup, NodeId(node), Prefix::DEFAULT).with_ipv6(Some(prefix6()));
    of_network(setup, network, (Life::default(), &Ways::default()), 256).with_mtu(mtu)
}

fn world(scheme: &str, mtu: impl Fn(u32) -> u16) -> World {
    let setup = chain(HOPS, &format!("name = \"{scheme}\""));
    World::of(&setup, |node| host(&setup, node, mtu(node)))
}

fn pass(world: &mut World) {
    world.run(world.now + Duration::from_millis(2_000));
}

/// Who has answered node 0, with which type and code, and what stands behind the checksum.
fn answers(world: &mut World) -> Vec<(IpAddr, [u8; 2], u32)> {
    let got = world.delivered.remove(&0).unwrap_or_default();
    let answer = |bytes: &Vec<u8>| {
        let behind: [u8; 4] = bytes[44..48].try_into().expect("it is long enough");
        let source = IpPacket::of(bytes).expect("it is a packet").source;
        (source, [bytes[40], bytes[41]], u32::from_be_bytes(behind))
    };
    got.iter().map(answer).collect()
}

#[test]
fn packets_arrive_as_they_are_and_every_router_on_the_way_answers_those_that_go_too_far() {
    for scheme in ["udp", "cxcc", "hxh", "wake"] {
        let mut world = world(scheme, |_| 1_500);
        let far = (address6(0), address6(HOPS));
        for hops in 1..=HOPS as u8 {
            let packet = datagram6(far, hops, LONG);
            world.send(0, &packet);
            pass(&mut world);
            let delivered = world.delivered.remove(&HOPS).unwrap_or_default();
            if u32::from(hops) < HOPS {
                let router = IpAddr::from(address6(hops.into()));
                assert_eq!(answers(&mut world), [(router, [3, 0], 0)], "{scheme}, {hops}");
                assert!(delivered.is_empty(), "{scheme}, {hops}");
            } else {
                assert_eq!(delivered, [packet], "{scheme}");
                assert_eq!(answers(&mut world), [], "{scheme}");
            }
        }
        // the addresses that only count in the network lead as far: it is one link
        let local =
            [0, HOPS].map(|node| Prefix6::link_local(Prefix::DEFAULT.address(NodeId(node))));
        let packet = datagram6((local[0], local[1]), 64, 100);
        world.send(0, &packet);
        pass(&mut world);
        assert_eq!(world.delivered.remove(&HOPS), Some(vec![packet]), "{scheme}");
    }
}

/// One relay carries less than the others: it says how much.
#[test]
fn a_packet_that_is_too_big_for_a_relay_is_answered_with_what_it_carries() {
    for scheme in ["udp", "cxcc", "wake"] {
        let mut world = world(scheme, |node| if node == 2 { 1_300 } else { 1_500 });
        let far = (address6(0), address6(HOPS));
        world.send(0, &datagram6(far, 64, LONG));
        pass(&mut world);
        let relay = IpAddr::from(address6(2));
        assert_eq!(answers(&mut world), [(relay, [2, 0], 1_300)], "{scheme}");
        world.send(0, &datagram6(far, 64, 1_300));
        world.send(0, &datagram6((address6(0), address6(2)), 64, LONG));
        pass(&mut world);
        assert_eq!(answers(&mut world), [], "{scheme}: it fits, or ends there");
    }
}

#[test]
fn a_group_hears_what_is_said_to_it_and_the_kernel_s_own_messages_are_not_carried() {
    let mut world = world("cxcc", |_| 1_500);
    let group: Ipv6Addr = "ff02::fb".parse().expect("it is one");
    let packet = datagram6((address6(0), group), 1, 100);
    world.send(0, &packet);
    pass(&mut world);
    for node in 1..=HOPS {
        assert_eq!(world.delivered.remove(&node), Some(vec![packet.clone()]), "node {node}");
    }
    // who is my neighbour? and: I listen
    for kind in [133, 135, 143] {
        let mut asks = datagram6((address6(0), "ff02::1".parse().expect("it is one")), 255, 64);
        (asks[6], asks[40]) = (58, kind);
        world.send(0, &asks);
    }
    pass(&mut world);
    assert_eq!(world.delivered.get(&1), None);
    assert_eq!(world.hosts[0].counters.of_link, 3);
    assert_eq!(world.hosts[0].counters.too_many_for_groups, 0);
}

#[test]
fn an_address_that_no_node_has_is_unreachable_and_one_of_another_is_forged() {
    let mut world = world("cxcc", |_| 1_500);
    let absent = address6(9);
    world.send(0, &datagram6((address6(0), absent), 64, 100));
    assert_eq!(answers(&mut world), [(absent.into(), [1, 3], 0)]);
    world.send(0, &datagram6((address6(1), address6(2)), 64, 100));
    assert_eq!(world.hosts[0].counters.forged, 1);
}

#[test]
fn a_network_without_ipv6_carries_none() {
    let setup = chain(1, "name = \"cxcc\"");
    let mut world = World::new(&setup);
    world.send(0, &datagram6((address6(0), address6(1)), 64, 100));
    pass(&mut world);
    assert_eq!((world.hosts[0].counters.not_ip, world.delivered.len()), (1, 0));
}
