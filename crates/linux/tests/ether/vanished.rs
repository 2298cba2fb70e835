//! A node is switched off, and others have something for it: what that costs those that have nothing to do with it.

use multihop_core::{Duration, NodeId, Scheme, Time};
use multihop_scenario::Setup;
use multihop_schemes::SCHEMES;

use crate::applications::{datagram, from_port};
use crate::world::{World, in_the_field};

/// The last node of the chain, which vanishes.
const GONE: u32 = 4;
/// Schemes whose nodes repeat a frame without limit: many short flows go to the node over them. Ends that repeat what is
/// lost, as TCP's, do so ever more rarely, each for itself.
const PATIENT: [&str; 3] = ["cxcc", "wake", "hxh"];

fn flows(scheme: &Scheme) -> u16 {
    if PATIENT.contains(&scheme.name) { 100 } else { 10 }
}

/// Runs whose goodput is added up.
const SEEDS: u32 = 4;

fn chain(scheme: &str, seed: u32) -> Setup {
    in_the_field(&format!(
        "seed = {seed}\n[topology]\nkind = \"chain\"\nhops = {GONE}\n[mac]\ndata_rate = \"2 Mbit/s\"\n[scheme]\nname = \"{scheme}\"\n\
         [traffic]\nload = \"1 kbit/s\"\n"
    ))
}

fn seconds(s: u64) -> Duration {
    Duration::from_millis(1_000 * s)
}

/// The network after the last node was switched off; applications at the first one have sent it a packet over each of
/// `flows`.
fn after_loss(scheme: &str, flows: u16, seed: u32) -> World {
    let mut world = World::new(&chain(scheme, seed));
    world.run(Time::ZERO + seconds(1));
    world.kill(GONE);
    for port in 0..flows {
        for number in 0..3 {
            world.send(0, &from_port(2_000 + port, datagram(0, GONE, number, 84)));
        }
        world.run(world.now + Duration::from_millis(20));
    }
    world
}

/// Bytes that arrive at node 3 in so long, while node 1 always has some for it.
fn goodput(world: &mut World, span: Duration) -> usize {
    let until = world.now + span;
    world.delivered.clear();
    for number in 0.. {
        if world.now >= until {
            break;
        }
        for _ in 0..2 {
            world.send(1, &datagram(1, 3, number, 1_000));
        }
        world.run(world.now + Duration::from_millis(5));
    }
    world.delivered.get(&3).into_iter().flatten().map(Vec::len).sum()
}

/// Transmissions to this node, or all of them.
fn transmissions(world: &World, to: Option<u32>) -> u64 {
    let counted = world.transmissions.iter();
    let counted = counted.filter(|(known, _)| to.is_none_or(|to| **known == Some(NodeId(to))));
    counted.map(|(_, count)| count).sum()
}

#[test]
fn frames_to_a_node_that_is_off_become_a_few_in_a_second() {
    for scheme in SCHEMES {
        let name = scheme.name;
        let mut world = after_loss(name, flows(scheme), 1);
        world.run(world.now + seconds(30));
        let count = |world: &World| [Some(GONE), None].map(|to| transmissions(world, to));
        let before = count(&world);
        world.run(world.now + seconds(60));
        let [to_it, all] = [0, 1].map(|at| (count(&world)[at] - before[at]) as f64 / 60.0);
        println!("{name}: {to_it} to it, {all} in all");
        assert!(to_it <= 5.0, "{name}: {to_it} in a second");
        assert!(all <= 25.0, "{name}: {all} of all four nodes in a second");
    }
}

#[test]
#[ignore = "tmp"]
fn tmp_sweep() {
    let want = std::env::var("WANT").unwrap_or_default();
    let (a, b): (u32, u32) = std::env::var("SEEDS")
        .map(|s| {
            let (a, b) = s.split_once('-').unwrap();
            (a.parse().unwrap(), b.parse().unwrap())
        })
        .unwrap_or((1, 8));
    for scheme in SCHEMES {
        let name = scheme.name;
        if !want.is_empty() && !want.split(',').any(|w| w == name) {
            continue;
        }
        let t = std::time::Instant::now();
        for seed in a..=b {
            let [without, with] = [0, flows(scheme)].map(|flows| {
                let mut world = after_loss(name, flows, seed);
                world.run(world.now + seconds(5));
                goodput(&mut world, seconds(60)) as f64
            });
            println!("{name} {seed} {without} {with} {:.4}", 1.0 - with / without);
        }
        if std::env::var("WINDOWS").is_ok() {
            for f in [0, flows(scheme)] {
                let mut world = after_loss(name, f, a);
                for w in 0..13 {
                    let (t0, a0) = (transmissions(&world, Some(GONE)), transmissions(&world, None));
                    let g = goodput(&mut world, seconds(5));
                    println!(
                        "  {f} flows, {}s: {g} bytes, {} to gone, {} all",
                        5 * w,
                        transmissions(&world, Some(GONE)) - t0,
                        transmissions(&world, None) - a0
                    );
                }
            }
        }
        println!("{name} took {:?}", t.elapsed());
    }
}

#[test]
fn a_node_that_is_off_costs_flows_of_others_at_most_two_percent() {
    for scheme in SCHEMES {
        let name = scheme.name;
        // what chance makes of one run is as much
        let [without, with] = [0, flows(scheme)].map(|flows| {
            let runs = (1..=SEEDS).map(|seed| {
                let mut world = after_loss(name, flows, seed);
                world.run(world.now + seconds(5));
                goodput(&mut world, seconds(60)) as f64
            });
            runs.sum::<f64>()
        });
        println!("{name}: {}", with / without);
        assert!(with >= 0.98 * without, "{name}: {with} instead of {without} bytes");
    }
}

/// Within the two seconds of `longest_probe`, and what a packet needs over four hops.
#[test]
fn a_node_that_comes_back_is_used_again_within_three_seconds() {
    for Scheme { name, .. } in SCHEMES {
        let mut world = after_loss(name, 1, 1);
        world.run(world.now + seconds(60));
        world.join(GONE);
        let back = world.now;
        world.delivered.clear();
        let mut arrived = None;
        for number in 0..40 {
            world.send(0, &from_port(3_000 + number, datagram(0, GONE, number.into(), 84)));
            world.run(world.now + Duration::from_millis(100));
            if arrived.is_none() && world.delivered.contains_key(&GONE) {
                arrived = Some(world.now.since(back));
            }
        }
        println!("{name}: {arrived:?}");
        assert!(arrived.is_some_and(|after| after <= seconds(3)), "{name}: {arrived:?}");
    }
}
