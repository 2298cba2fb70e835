//! Packets that go no further, and what their senders are told: what traceroute sees.

use std::net::IpAddr;

use multihop_core::{Duration, NodeId, Time};
use multihop_linux::ip::{IpPacket, Prefix};

use crate::applications::datagram;
use crate::world::{World, chain};

const HOPS: u32 = 4;

fn of(node: u32) -> IpAddr {
    Prefix::DEFAULT.address(NodeId(node)).into()
}

/// A packet of node 0 that may go over so many hops.
fn limited(to: u32, ttl: u8) -> Vec<u8> {
    let mut bytes = datagram(0, to, ttl.into(), 100);
    bytes[8] = ttl;
    bytes
}

/// Who has answered node 0, and with what.
fn answers(world: &mut World) -> Vec<(IpAddr, [u8; 2])> {
    let got = world.delivered.remove(&0).unwrap_or_default();
    let answer = |bytes: &Vec<u8>| {
        let headers = IpPacket::of(bytes).expect("it is a packet");
        (headers.source, [bytes[headers.behind], bytes[headers.behind + 1]])
    };
    got.iter().map(answer).collect()
}

#[test]
fn every_router_on_the_way_answers_and_the_destination_gets_what_has_enough_hops() {
    for scheme in ["udp", "cxcc", "hxh", "wake"] {
        let mut world = World::new(&chain(HOPS, &format!("name = \"{scheme}\"")));
        for ttl in 1..=HOPS as u8 {
            world.send(0, &limited(HOPS, ttl));
            world.run(world.now + Duration::from_millis(2_000));
            let answers = answers(&mut world);
            let delivered = world.delivered.get(&HOPS).map_or(0, Vec::len);
            if u32::from(ttl) < HOPS {
                assert_eq!(answers, [(of(ttl.into()), [11, 0])], "{scheme}, {ttl}");
                assert_eq!(delivered, 0, "{scheme}, {ttl}");
            } else {
                assert_eq!((answers.len(), delivered), (0, 1), "{scheme}");
            }
        }
        assert_eq!(world.hosts[HOPS as usize].counters.ttl_expired, u64::from(HOPS) - 1);
    }
}

/// A packet of node 0 to all of a group; by default such packets may go over one hop.
fn to_group(group: [u8; 4], number: u8) -> Vec<u8> {
    let mut bytes = datagram(0, 1, number.into(), 100);
    bytes[8] = 1;
    bytes[16..20].copy_from_slice(&group);
    bytes
}

#[test]
fn packets_to_a_group_reach_every_other_node_but_a_flood_of_them_does_not() {
    for scheme in ["udp", "cxcc", "hxh", "wake"] {
        let mut world = World::new(&chain(HOPS, &format!("name = \"{scheme}\"")));
        let groups = [[224, 0, 0, 251], [255; 4], [10, 255, 255, 255]];
        for (number, group) in groups.into_iter().enumerate() {
            world.send(0, &to_group(group, number as u8));
            world.run(world.now + Duration::from_millis(2_000));
            assert_eq!(world.delivered.remove(&0), None, "{scheme}");
            for node in 1..=HOPS {
                let got = world.delivered.remove(&node).unwrap_or_default();
                let to: Vec<_> = got.iter().map(|bytes| bytes[16..20].to_vec()).collect();
                assert_eq!(to, [group.to_vec()], "{scheme}, node {node}");
            }
        }
        for number in 0..100 {
            world.send(0, &to_group(groups[0], number));
        }
        world.run(world.now + Duration::from_millis(5_000));
        let carried = world.delivered.get(&1).map_or(0, Vec::len);
        assert_eq!(carried, 4, "{scheme}");
        assert_eq!(world.hosts[0].counters.too_many_for_groups, 96, "{scheme}");
    }
}

#[test]
fn a_node_that_there_is_not_is_unreachable_and_a_flood_to_it_is_answered_now_and_then() {
    let mut world = World::new(&chain(1, "name = \"cxcc\""));
    world.send(0, &limited(9, 64));
    assert_eq!(answers(&mut world), [(of(9), [3, 1])], "the kernel takes no other address");
    for _ in 0..1_000 {
        world.send(0, &limited(9, 64));
    }
    assert!(answers(&mut world).len() < 20);
    world.run(Time::from_nanos(10_000_000_000));
    world.send(0, &limited(9, 64));
    assert_eq!(answers(&mut world).len(), 1, "again");
}
