//! Lists of operations drawn at random, on hosts in virtual time: what a flow promises, it keeps.
//! `benches/operations.py` does the same to processes.

use std::collections::{BTreeMap, BTreeSet};

use multihop_core::{Duration, NodeId};
use multihop_linux::node::flows::Limits;
use multihop_testkit::{Operation, operations};

use crate::applications::{datagram, from_port, number};
use crate::world::{World, chain};

const NODES: u32 = 4;
/// The lab starts a process again after so long.
const RESPAWN: Duration = Duration::from_millis(1_000);
/// Everything that is to arrive has arrived then.
const QUIET: Duration = Duration::from_millis(120_000);

/// What was sent from one node to another, and whether one of them was killed since the first packet.
#[derive(Default)]
struct Flow {
    sent: u32,
    broken: bool,
}

/// A node is off for so long.
fn off(world: &mut World, node: u32, pause: Duration) {
    world.air.switch_off(world.now, NodeId(node));
    world.hosts[node as usize].on_radio_lost(world.now);
    world.obey(node);
    world.run(world.now + pause);
    world.join(node);
}

fn apply(world: &mut World, flows: &mut BTreeMap<(u32, u32), Flow>, operation: Operation) {
    let millis = |millis: u32| Duration::from_millis(millis.into());
    match operation {
        Operation::Send { from, to, count } => {
            let flow = flows.entry((from, to)).or_default();
            for _ in 0..count {
                world.send(from, &datagram(from, to, flow.sent, 200));
                flow.sent += 1;
            }
        }
        Operation::Kill { node } => {
            world.kill(node);
            world.hosts[node as usize].set_limits(limits());
            world.run(world.now + RESPAWN);
            world.join(node);
            for (_, flow) in flows.iter_mut().filter(|((from, to), _)| [*from, *to].contains(&node))
            {
                flow.broken = true;
            }
        }
        Operation::Stop { node, millis: pause } => off(world, node, millis(pause)),
        Operation::EndMedium => {
            for node in 0..NODES {
                world.air.switch_off(world.now, NodeId(node));
                world.hosts[node as usize].on_radio_lost(world.now);
                world.obey(node);
            }
            world.run(world.now + RESPAWN);
            (0..NODES).for_each(|node| world.join(node));
        }
        Operation::Wait { millis: pause } => world.run(world.now + millis(pause)),
    }
}

/// The numbers that arrived from `from` at `to`, in their order, every byte of them checked.
fn arrived(world: &World, from: u32, to: u32) -> Vec<u32> {
    let packets = world.delivered.get(&to).into_iter().flatten();
    packets.filter(|packet| u32::from(packet[15]) == from).map(|packet| number(packet)).collect()
}

fn keep_their_promises(scheme: &str, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let list = operations(seed, NODES, 16);
        let mut world = World::new(&chain(NODES - 1, scheme));
        world.hosts.iter_mut().for_each(|host| host.set_limits(limits()));
        let mut flows = BTreeMap::new();
        for operation in &list {
            apply(&mut world, &mut flows, *operation);
        }
        world.run(world.now + QUIET);
        for ((from, to), flow) in flows {
            let got = arrived(&world, from, to);
            let case = format!("{scheme}, list {seed}, from {from} to {to}: {got:?} of {list:?}");
            if flow.broken {
                assert!(got.iter().all(|number| *number < flow.sent), "{case}");
            } else {
                assert_eq!(got, (0..flow.sent).collect::<Vec<_>>(), "{case}");
            }
        }
        // and all is well again, also between nodes that were killed
        let before: BTreeMap<u32, usize> = (0..NODES).map(|to| (to, count(&world, to))).collect();
        for (from, to) in pairs() {
            world.send(from, &from_port(7, datagram(from, to, 0, 100)));
        }
        world.run(world.now + QUIET);
        for to in 0..NODES {
            assert_eq!(
                count(&world, to) - before[&to],
                3,
                "{scheme}, list {seed} at {to}: {list:?}"
            );
        }
    }
}

fn pairs() -> BTreeSet<(u32, u32)> {
    let all = (0..NODES).flat_map(|from| (0..NODES).map(move |to| (from, to)));
    all.filter(|(from, to)| from != to).collect()
}

fn count(world: &World, node: u32) -> usize {
    world.delivered.get(&node).map_or(0, Vec::len)
}

/// Room for all that is sent: who sends is not told that there is none.
fn limits() -> Limits {
    Limits {
        flows: 256,
        queue: 1_000,
        idle: Duration::from_millis(600_000),
        groups: 4,
        expedite: false,
    }
}

#[test]
#[should_panic(expected = "udp")]
fn a_scheme_without_repetitions_does_not() {
    keep_their_promises("name = \"udp\"", 0..40);
}

#[test]
fn reliable_flows_deliver_all_once_in_order_whatever_happens_between_their_ends() {
    keep_their_promises("name = \"cxcc\"\nreliable = true\nreport_interval = \"1 s\"", 0..40);
    keep_their_promises("name = \"wake\"\nreliable = true", 0..40);
    keep_their_promises("name = \"hxh\"", 0..40);
}
