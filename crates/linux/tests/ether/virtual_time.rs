//! The host of Linux beside the simulator, without a clock between them.

use std::sync::atomic::AtomicBool;

use multihop_core::{Duration, Scheme, Time};
use multihop_schemes::SCHEMES;
use multihop_sim::{Options, Simulation};
use multihop_trace::Column;

use crate::applications::{datagram, number};
use crate::world::{World, chain, setup};

fn seconds(s: u64) -> Time {
    Time::ZERO + Duration::from_millis(1_000 * s)
}

#[test]
fn every_scheme_carries_the_bytes_of_applications() {
    for Scheme { name, .. } in SCHEMES {
        // it sends a text once, unless it is told otherwise
        let more = if *name == "meshcore" { "\nattempts = 4" } else { "" };
        let mut world = World::new(&chain(3, &format!("name = \"{name}\"{more}")));
        for round in 0..20 {
            let end = seconds(1) + Duration::from_millis(300 * u64::from(round));
            world.send(0, &datagram(0, 3, round, 40 + 23 * round as usize));
            // Some schemes repeat nothing that meets on its way.
            world.run(world.now + end.since(world.now).scaled(0.5));
            world.send(3, &datagram(3, 0, 100 + round, 500));
            world.run(end);
        }
        world.run(seconds(60));
        let mut numbers = |node| -> Vec<u32> {
            world.delivered.remove(&node).unwrap_or_default().iter().map(|p| number(p)).collect()
        };
        assert_eq!(numbers(3), (0..20).collect::<Vec<_>>(), "{name}: forth");
        assert_eq!(numbers(0), (100..120).collect::<Vec<_>>(), "{name}: back");
    }
}

/// A chain of four hops, and what a scenario of it says besides.
fn scenario(rest: &str) -> String {
    format!("warmup = \"2 s\"\nduration = \"10 s\"\n[topology]\nkind = \"chain\"\nhops = 4\n{rest}")
}

/// Packets of 512 B that arrive in ten seconds over four hops, while node 0 always has some.
fn on_linux(rest: &str, lag: Duration) -> f64 {
    let mut world =
        World::new(&setup(&scenario(&format!("{rest}[traffic]\nload = \"1 kbit/s\"\n"))));
    world.lag = lag;
    let mut sent = 0;
    for round in 0..2_400 {
        for _ in 0..2 {
            world.send(0, &datagram(0, 4, sent, 512));
            sent += 1;
        }
        if round == 400 {
            world.delivered.clear();
        }
        world.run(Time::ZERO + Duration::from_millis(5 * (round + 1)));
    }
    let packets = world.delivered.get(&4).map_or(0, Vec::len);
    packets as f64 * 512.0 * 8.0 / 10.0
}

/// The same in the simulator, in bit/s.
fn in_the_simulator(rest: &str) -> f64 {
    let text = scenario(&format!("{rest}[traffic]\nkind = \"ftp\"\npayload = \"512 B\"\n"));
    let tables = Simulation::new(setup(&text), Options::default()).run(&AtomicBool::new(false));
    let tables = tables.expect("nobody stops it");
    let goodput = tables.runs.iter().find(|(name, _)| *name == "goodput_bit_s");
    match goodput {
        Some((_, Column::Float(rows))) => rows[0],
        _ => panic!("there is no such column"),
    }
}

/// Schemes whose throughput is compared.
const COMPARED: [&str; 4] =
    ["name = \"udp\"", "name = \"cxcc\"", "name = \"cxcc\"\nrfa = false", "name = \"hxh\""];

#[test]
fn the_throughput_is_the_simulators() {
    for scheme in COMPARED {
        agrees(&format!("[scheme]\n{scheme}\n"));
    }
}

#[test]
fn the_throughput_is_the_simulators_where_the_medium_is_no_plain_one() {
    const SHADOWING: &str =
        "[radio]\npropagation = \"log-normal-shadowing\"\nbit_error_rate = 1e-5\n";
    // the relay in the middle leaves at 7 s, and is back at 9 s
    const MOVING: &str = "[[move]]\nnode = \"n2\"\nat = \"7 s\"\nx = \"400 m\"\ny = \"2 km\"\nspeed = \"4000 m/s\"\n\
                          [[move]]\nnode = \"n2\"\nat = \"9 s\"\nx = \"400 m\"\ny = \"0 m\"\nspeed = \"4000 m/s\"\n";
    const FAST: &str = "[mac]\ndata_rate = \"2 Mbit/s\"\n";
    for medium in [SHADOWING, MOVING, FAST] {
        for scheme in ["cxcc", "udp"] {
            agrees(&format!("{medium}[scheme]\nname = \"{scheme}\"\n"));
        }
    }
}

/// What nodes of Linux deliver in this medium is what the simulator's do, within 10 %.
fn agrees(rest: &str) {
    let (here, there) = (on_linux(rest, Duration::ZERO), in_the_simulator(rest));
    let ratio = here / there;
    assert!((0.9..1.1).contains(&ratio), "{rest}: {here} and {there} bit/s");
}

/// What a busy machine costs: nodes hear later of what the medium has done.
#[test]
fn only_who_sends_whole_packets_again_pays_for_answers_that_are_late() {
    const ONE_MS: Duration = Duration::from_millis(1);
    for scheme in COMPARED {
        let rest = format!("[scheme]\n{scheme}\n");
        let there = in_the_simulator(&rest);
        let ratio = |lag| on_linux(&rest, lag) / there;
        let soon = ratio(Duration::from_micros(100));
        assert!((0.9..1.1).contains(&soon), "{scheme}: {soon} with 0.1 ms");
        let late = ratio(ONE_MS);
        if scheme.contains("rfa = false") {
            assert!(late < 0.5, "{scheme}: {late} with 1 ms");
        } else {
            assert!((0.9..1.1).contains(&late), "{scheme}: {late} with 1 ms");
        }
    }
}
