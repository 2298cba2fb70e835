//! A chain of nodes whose authority expels one of them, which has stolen the key; and strangers that forge rosters.

use multihop_core::{Duration, Heard, NodeId, Rate, Time};
use multihop_linux::ether::message::Reception;
use multihop_linux::node::host::Host;
use multihop_linux::node::membership::Membership;
use multihop_linux::roster::{Clear, Draft, Edition, Identity, Part, Signatory, Summary};
use multihop_linux::seal::{NetworkKey, Seal};
use multihop_routing::Life;
use multihop_setup::Setup;

use crate::applications::{datagram, number};
use crate::flood::{FORGERIES, Noise, forge};
use crate::world::{World, chain, host};

/// The nodes 0 to 5 stay, and 6 is the thief.
const LAST: u32 = 5;
const THIEF: u32 = 6;
const GRACE_S: u16 = 30;

fn seconds(seconds: u64) -> Time {
    Time::ZERO + Duration::from_millis(seconds * 1_000)
}

fn identity(node: u32) -> Identity {
    Identity::new(&[node as u8 + 1; 32])
}

/// The key of the roster of that number.
fn key(roster: u32) -> NetworkKey {
    NetworkKey([roster as u8; 32])
}

/// The roster of that number: the nodes of the chain, and others that are elsewhere, so that there are three parts.
fn roster(number: u32, expelled: Option<u32>) -> Vec<Vec<u8>> {
    let nodes = (0..24).filter(|node| Some(*node) != expelled);
    let members: Vec<_> = nodes.map(|node| (NodeId(node), identity(node).public())).collect();
    let (key, edition) = (key(number), Edition { number, draw: 1 });
    let draft = Draft { edition, grace_s: GRACE_S, key: &key, members: &members };
    draft.sign(&Signatory::new(&[9; 32])).expect("they have public keys")
}

/// A node that has the first roster.
fn member(setup: &Setup, node: u32, life: Life) -> Host {
    let authority = Signatory::new(&[9; 32]).authority();
    let mut membership = Membership::new(NodeId(node), identity(node), authority, 1);
    for part in roster(1, None) {
        membership.bring(life.since, &part).expect("it is signed");
    }
    host(setup, node, life).with_membership(membership)
}

/// All are members but the thief, which has read the key out of a machine and follows no roster.
fn network(setup: &Setup) -> World {
    World::of_members(setup, &key(1), |node| {
        let life = Life::default();
        if node == THIEF { host(setup, node, life) } else { member(setup, node, life) }
    })
}

/// The operator brings a roster to node 0.
fn bring(world: &mut World, parts: &[Vec<u8>]) {
    for part in parts {
        assert_eq!(world.hosts[0].bring(world.now, part), Ok(true));
    }
    world.obey(0);
}

/// The numbers of packets that have arrived at `node`, of those with `len` bytes.
fn arrived(world: &World, node: u32, len: usize) -> Vec<u32> {
    let packets = world.delivered.get(&node).into_iter().flatten();
    packets.filter(|packet| packet.len() == len).map(|packet| number(packet)).collect()
}

/// The number of the roster whose key seals at a node, and how many other keys it has.
fn sealing(world: &World, node: u32) -> Option<(u8, usize)> {
    let (key, others) = world.hosts[node as usize].membership()?.keys()?;
    Some((key.0[0], others.len()))
}

#[test]
fn a_thief_is_expelled_by_one_command_and_nobody_else_loses_a_packet() {
    let setup = chain(THIEF, "name = \"cxcc\"\nreliable = true");
    let mut world = network(&setup);
    let second = roster(2, Some(THIEF));
    let mut sent = 0;
    // half a packet a second from either end to the other, and between the thief and the first
    while world.now < seconds(300) {
        if world.now == seconds(50) {
            bring(&mut world, &second);
        }
        for (from, to, len) in [(0, LAST, 100), (LAST, 0, 101), (THIEF, 0, 102), (0, THIEF, 103)] {
            world.send(from, &datagram(from, to, sent, len));
        }
        sent += 1;
        world.run(world.now + Duration::from_millis(2_000));
    }
    world.run(world.now + Duration::from_millis(30_000));
    let every: Vec<u32> = (0..sent).collect();
    assert_eq!(arrived(&world, LAST, 100), every);
    assert_eq!(arrived(&world, 0, 101), every);
    for node in 0..=LAST {
        assert_eq!(sealing(&world, node), Some((2, 0)), "node {node}");
        let counters = &world.hosts[node as usize].counters;
        assert_eq!((counters.roster_parts, counters.roster_not_signed), (3, 0), "{counters:?}");
        if node < LAST {
            assert_eq!(
                counters.not_authentic, 0,
                "all open what their neighbours seal, all the time"
            );
        }
    }
    // the thief was a node until twice the grace after the roster had come, and is none any more
    let last =
        [arrived(&world, 0, 102), arrived(&world, THIEF, 103)].map(|all| all.last().copied());
    for last in last {
        assert!(last.is_some_and(|number| (25..50 + 10).contains(&number)), "{last:?}");
    }
    assert!(world.hosts[LAST as usize].counters.not_authentic > 50);
}

#[test]
fn a_member_that_was_off_while_the_key_changed_is_back_within_seconds() {
    let setup = chain(THIEF, "name = \"cxcc\"");
    let mut world = network(&setup);
    world.kill(LAST);
    world.run(seconds(10));
    bring(&mut world, &roster(2, Some(THIEF)));
    world.run(seconds(400));
    assert_eq!(sealing(&world, LAST - 1), Some((2, 0)));
    // it has the roster that it had, in its file
    let life = Life { incarnation: 2, since: world.now };
    world.join(LAST);
    world.begin(LAST, member(&setup, LAST, life));
    assert_eq!(sealing(&world, LAST), Some((1, 0)));
    for attempt in 0..60 {
        world.send(0, &datagram(0, LAST, attempt, 100));
        world.send(LAST, &datagram(LAST, 0, attempt, 101));
        world.run(world.now + Duration::from_millis(500));
    }
    assert_eq!(sealing(&world, LAST).map(|(key, _)| key), Some(2));
    let [there, back] = [arrived(&world, LAST, 100), arrived(&world, 0, 101)];
    assert!(there.contains(&59) && back.contains(&59), "{there:?} {back:?}");
}

/// A network begins with identities alone: no node has a key until the first roster comes.
#[test]
fn a_network_begins_with_its_first_roster() {
    let setup = chain(LAST, "name = \"cxcc\"");
    let mut world = World::of_members(&setup, &key(1), |node| {
        let authority = Signatory::new(&[9; 32]).authority();
        let membership = Membership::new(NodeId(node), identity(node), authority, 1);
        host(&setup, node, Life::default()).with_membership(membership)
    });
    world.send(0, &datagram(0, LAST, 7, 100));
    world.run(seconds(20));
    assert!(world.hosts.iter().all(|host| host.counters.frames_sent == 0), "there is no key");
    assert!(world.hosts.iter().all(|host| host.counters.roster_frames_sent > 0), "but questions");
    bring(&mut world, &roster(1, None));
    world.run(seconds(60));
    assert_eq!(arrived(&world, LAST, 100), [7], "it has waited");
}

/// A stranger says a thousand frames a second about rosters: noise, changed parts, and what it has.
#[test]
fn strangers_that_forge_rosters_change_nothing_and_data_goes_on() {
    let setup = chain(3, "name = \"cxcc\"\nreliable = true");
    let mut world =
        World::of_members(&setup, &key(1), |node| member(&setup, node, Life::default()));
    let (mut noise, parts) = (Noise(1), roster(2, None));
    let mut sent = 0;
    while world.now < seconds(100) {
        if sent < 40 * (1 + world.now.nanos() / 20_000_000_000) as u32 {
            world.send(0, &datagram(0, 3, sent, 100));
            sent += 1;
        }
        for _ in 0..10 {
            let part = Part::parse(&parts[noise.below(3)]).expect("it is one");
            let edition = Edition { number: noise.below(4) as u32, draw: 1 };
            let held = noise.below(1 << 31) as u128;
            let clear = [Clear::Part(part), Clear::Summary(Summary { edition, held })];
            let mut frame = clear[noise.below(2)].emit();
            let how = FORGERIES[noise.below(3)];
            let genuine = frame.clone();
            forge(&mut noise, how, &mut frame);
            frame[..4].copy_from_slice(&genuine[..4]);
            // what the authority has signed is no forgery
            if frame == genuine && matches!(Clear::parse(&frame), Ok(Clear::Part(_))) {
                continue;
            }
            let heard = broadcast(NodeId(noise.below(6) as u32), frame);
            world.whisper(NodeId(noise.below(4) as u32), &heard);
        }
        world.run(world.now + Duration::from_millis(10));
    }
    world.run(world.now + Duration::from_millis(30_000));
    assert_eq!(arrived(&world, 3, 100), (0..sent).collect::<Vec<_>>());
    for (node, host) in (0..).zip(&world.hosts) {
        assert_eq!(sealing(&world, node), Some((1, 0)));
        let known = host.membership().expect("it knows of rosters").known();
        assert_eq!((known.edition.number, known.parts().len()), (1, 3));
        let counters = &host.counters;
        assert!(
            counters.roster_not_signed > 500 && counters.roster_malformed > 1_000,
            "{counters:?}"
        );
        assert!(counters.roster_unchecked > 1_000 && counters.roster_parts == 0, "{counters:?}");
        // a hundredth of the air: a part takes over 3 ms at 2 Mbit/s, and a summary 0.3 ms
        assert!(counters.roster_frames_sent < 900, "{counters:?}");
    }
}

/// A frame that was heard.
fn broadcast(from: NodeId, frame: Vec<u8>) -> Reception {
    Reception {
        from,
        heard: Heard::Broadcast,
        rate: Rate(1_000_000),
        signal: None,
        air_time: Duration::ZERO,
        marked: false,
        frame,
    }
}

/// The old key does not come back with an old roster that somebody has recorded.
#[test]
fn a_recorded_roster_is_refused_once_a_newer_one_is_known() {
    let setup = chain(1, "name = \"cxcc\"");
    let mut world =
        World::of_members(&setup, &key(1), |node| member(&setup, node, Life::default()));
    bring(&mut world, &roster(2, Some(THIEF)));
    world.run(seconds(100));
    let mut thief = Seal::new(&key(1), NodeId(THIEF), 1, [1; 4]);
    let old = thief.close(multihop_core::Receiver::Broadcast, b"me?");
    let first = roster(1, None);
    let again = first.iter().map(|part| Clear::Part(Part::parse(part).expect("it is one")).emit());
    for frame in again.chain([old]) {
        let heard = broadcast(NodeId(1), frame);
        world.whisper(NodeId(0), &heard);
    }
    let counters = &world.hosts[0].counters;
    assert_eq!((counters.roster_old, counters.not_authentic), (3, 1));
    assert_eq!(sealing(&world, 0), Some((2, 0)));
}
