//! Nodes that move: who hears whom follows their positions, exactly.

use multihop_core::{Duration, NodeId, Purpose, Rng, Time, normal};
use multihop_scenario::setup::{Node, Propagation, Radio};
use multihop_scenario::{SPEED_OF_LIGHT, Setup};
use proptest::prelude::*;

use crate::Options;
use crate::channel::Channel;
use crate::mac::{BROADCAST, FrameKind, Job};
use crate::tests::air::{self, Air, PACKET, medium};
use crate::tests::{assert_balanced, fingerprint, floats, integers, run, seconds, setup, track};

fn node(place: (f64, f64), legs: &[(f64, f64, (f64, f64))]) -> Node {
    Node { name: String::new(), x: place.0, y: place.1, track: track(place, legs) }
}

/// Where `node` is, from its legs alone.
fn position(node: &Node, now: Time) -> (f64, f64) {
    let begun = node.track.legs.iter().rfind(|leg| leg.start <= now);
    begun.map_or((node.x, node.y), |leg| leg.position(now))
}

fn distance(here: &Node, there: &Node, now: Time) -> f64 {
    let (here, there) = (position(here, now), position(there, now));
    libm::hypot(here.0 - there.0, here.1 - there.1)
}

/// Who senses what `from` transmits at `now`: whether it can be decoded, its power and its delay.
fn arrivals(channel: &mut Channel, from: u32, now: Time) -> Vec<(u32, bool, f64, Duration)> {
    let frame = air::frame(FrameKind::Data, from, BROADCAST, Duration::ZERO);
    let mut found = Vec::new();
    channel.arrivals(&frame, now, |to, arrival| {
        found.push((to.0, arrival.spoiled.is_none(), arrival.power, arrival.start.since(now)));
    });
    found
}

/// A node passes by at 10 m/s, 150 m away.
fn passing() -> [Node; 2] {
    [node((0.0, 0.0), &[]), node((-700.0, 150.0), &[(5.0, 145.0, (700.0, 150.0))])]
}

#[test]
fn passing_by_a_frame_has_the_power_of_the_place_where_it_starts() {
    let nodes = passing();
    let (radio, _) = medium("");
    let mut channel = Channel::new(&nodes, radio.clone(), 1);
    // At x m the node has passed at 75 s + x / (10 m/s).
    let crosses = |range: f64| libm::sqrt(range * range - 150.0 * 150.0) / 10.0;
    let (sensed, decoded) = (crosses(550.0), crosses(250.0));
    let instants = [(-sensed, 0, 1), (-decoded, 1, 2), (decoded, 2, 1), (sensed, 1, 0)];
    let answers = |channel: &mut Channel, now: f64| {
        let found = arrivals(channel, 0, seconds(now));
        found.iter().map(|(_, decoded, ..)| 1 + i32::from(*decoded)).sum::<i32>()
    };
    for (instant, before, after) in instants {
        for (offset, expected) in [(-2e-6, before), (2e-6, after)] {
            let now = 75.0 + instant + offset;
            assert_eq!(answers(&mut channel, now), expected, "{now} s");
        }
    }
    let mut channel = Channel::new(&nodes, radio.clone(), 1);
    for now in (0u32..1500).map(|tenths| seconds(f64::from(tenths) / 10.0)) {
        for from in [0, 1] {
            for (to, _, power, delay) in arrivals(&mut channel, from, now) {
                assert_eq!(to, 1 - from);
                let apart = distance(&nodes[0], &nodes[1], now);
                let exact = radio.propagation.mean_power(&radio, apart);
                assert!((power / exact - 1.0).abs() < 1e-12, "{power} W, not {exact} W");
                assert_eq!(delay, Duration::from_seconds(apart / SPEED_OF_LIGHT));
            }
        }
    }
}

#[test]
fn a_frame_under_way_is_received_although_its_receiver_leaves() {
    // The frame takes 4.72 ms, the node 2 ms to the limit of 250 m.
    let leaving = [node((0.0, 0.0), &[]), node((249.98, 0.0), &[(0.0, 1.0, (259.98, 0.0))])];
    let mut air = Air::moving(&leaving, "", 1);
    air.saturated[0] =
        Some(Job { to: BROADCAST, packet: 0, bytes: PACKET, acknowledged: false, marked: false });
    air.run(seconds(0.5));
    let started = air.sent(0, FrameKind::UnacknowledgedData);
    let in_time = started.iter().filter(|start| **start < seconds(0.002)).count();
    assert!(in_time == 1 && started.len() > 80, "{started:?}");
    assert_eq!(air.received(1).len(), in_time);
}

#[test]
fn a_node_out_of_reach_stops_receiving_and_comes_back() {
    let stops = [200.0, 249.9, 250.1, 549.0, 551.0, 5000.0, 200.0];
    let legs: Vec<_> = (0u32..)
        .zip(stops)
        .map(|(at, x)| (f64::from(at), f64::from(at) + 1e-9, (x, 0.0)))
        .collect();
    let nodes = [node((0.0, 0.0), &[]), node((200.0, 0.0), &legs)];
    let mut air = Air::moving(&nodes, "", 1);
    air.saturated[0] =
        Some(Job { to: BROADCAST, packet: 0, bytes: PACKET, acknowledged: false, marked: false });
    let mut heard = Vec::new();
    for second in 1..=7 {
        let before = (air.received(1).len(), air.stations[1].air_times(air.now).1);
        air.run(Time::ZERO + Duration::from_millis(1000 * second));
        let sensed = air.stations[1].air_times(air.now).1.saturating_sub(before.1).seconds();
        heard.push((air.received(1).len() - before.0 > 150, sensed > 0.9));
    }
    let (decodes, senses, nothing) = ((true, true), (false, true), (false, false));
    assert_eq!(heard, [decodes, decodes, senses, senses, nothing, nothing, decodes]);
}

/// Nodes with random tracks in a square of 2 km, most of them on the way most of the time.
fn wanderers() -> impl Strategy<Value = Vec<Node>> {
    let place = || (-1000.0f64..1000.0, -1000.0f64..1000.0);
    let leg = (0.0f64..20.0, 0.1f64..60.0, place());
    let one = (place(), prop::collection::vec(leg, 0..5)).prop_map(|(start, legs)| {
        let mut time = 0.0;
        let legs: Vec<_> = legs
            .iter()
            .map(|(pause, duration, to)| {
                let begin = time + pause;
                time = begin + duration;
                (begin, time, *to)
            })
            .collect();
        node(start, &legs)
    });
    prop::collection::vec(one, 2..16)
}

fn with(propagation: Propagation) -> Radio {
    Radio { propagation, ..medium("").0 }
}

proptest! {
    /// Asking the candidates gives the same as asking everybody.
    #[test]
    fn nobody_is_overlooked(
        nodes in wanderers(),
        mut times in prop::collection::vec((0.0f64..250.0, 0usize..16), 1..60),
        free in any::<bool>(),
    ) {
        let radio = with(if free { Propagation::FreeSpace } else { Propagation::TwoRayGround });
        let mut channel = Channel::new(&nodes, radio.clone(), 1);
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (now, from) in times {
            let (now, from) = (seconds(now), from % nodes.len());
            let found = arrivals(&mut channel, from as u32, now);
            let mut expected = Vec::new();
            for (to, there) in nodes.iter().enumerate().filter(|(to, _)| *to != from) {
                let apart = distance(&nodes[from], there, now);
                let power = radio.propagation.mean_power(&radio, apart);
                prop_assume!((power / radio.sense_threshold - 1.0).abs() > 1e-9);
                if power >= radio.sense_threshold {
                    expected.push((to as u32, power, apart / SPEED_OF_LIGHT));
                }
            }
            prop_assert_eq!(found.len(), expected.len(), "{:?}, not {:?}", found, expected);
            for ((to, _, power, delay), expected) in found.iter().zip(&expected) {
                prop_assert_eq!(*to, expected.0);
                prop_assert!((power / expected.1 - 1.0).abs() < 1e-9);
                prop_assert!((delay.seconds() - expected.2).abs() < 1.1e-9);
            }
        }
    }

    /// The same for shadowing, where the limit is a probability of 1e-9, and for neighbours.
    #[test]
    fn nobody_is_overlooked_in_the_shadow(nodes in wanderers(), exponent in 2.5f64..4.0) {
        let deviation = 5.0;
        let radio = with(Propagation::LogNormalShadowing { exponent, deviation });
        let mut channel = Channel::new(&nodes, radio.clone(), 1);
        for now in (0u32..25).map(|tens| seconds(10.0 * f64::from(tens))) {
            let sensing = channel.sensing(now);
            for (from, to) in (0..nodes.len()).flat_map(|a| (0..nodes.len()).map(move |b| (a, b))) {
                let apart = distance(&nodes[from], &nodes[to], now);
                let power = radio.propagation.mean_power(&radio, apart);
                let margin = 10.0 * libm::log10(power / radio.sense_threshold);
                let share = normal(margin / deviation);
                prop_assume!((share / 1e-9 - 1.0).abs() > 1e-6);
                let (here, there) = (NodeId(from as u32), NodeId(to as u32));
                prop_assert_eq!(sensing[from].contains(&there), from != to && share > 1e-9);
                let near = channel.in_range(here, there, now);
                prop_assert_eq!(near, apart <= radio.neighbour_range);
            }
        }
    }
}

/// Every node of `setup` moves as the random waypoint model says, within a square of `side` m.
fn wander(mut setup: Setup, side: f64) -> Setup {
    for (number, node) in (0..).zip(&mut setup.nodes) {
        let mut rng = Rng::stream(setup.seed, NodeId(number), Purpose::Other);
        let (mut time, mut place, mut legs) = (0.0, (node.x, node.y), Vec::new());
        while seconds(time) < setup.end {
            let to = (rng.between(0.0, side), rng.between(0.0, side));
            let length = libm::hypot(to.0 - place.0, to.1 - place.1);
            let begin = time + rng.between(0.0, 2.0);
            time = begin + length / rng.between(10.0, 40.0);
            legs.push((begin, time, to));
            place = to;
        }
        node.track = track((node.x, node.y), &legs);
    }
    setup
}

/// Every node sets out again and again, and stays where it is.
fn tread(mut setup: Setup) -> Setup {
    for node in &mut setup.nodes {
        let place = (node.x, node.y);
        let legs: Vec<_> = (0u32..50)
            .map(f64::from)
            .map(|start| (0.2 * start, 0.2 * start + 0.15, place))
            .collect();
        node.track = track(place, &legs);
    }
    setup
}

const NETWORK: &str = "warmup = \"1 s\"\nduration = \"19 s\"\n[topology]\nkind = \"random\"\n\
                       nodes = 30\nwidth = \"800 m\"\nheight = \"800 m\"\nflows = 4\n";
const AODV: &str = "[routing]\nkind = \"aodv\"\n";
const CBR: &str = "[traffic]\nload = \"30 kbit/s\"\nstart = \"0.1 s\"\n";
const FTP: &str = "[traffic]\nkind = \"ftp\"\n";

fn networks() -> [String; 6] {
    let shadow = "[radio]\npropagation = \"log-normal-shadowing\"\nbit_error_rate = 1e-5\n";
    let free = "[radio]\npropagation = \"free-space\"\n";
    [
        format!("[scheme]\nname = \"udp\"\n{CBR}"),
        format!("[scheme]\nname = \"udp\"\n{AODV}{CBR}{shadow}"),
        format!("[scheme]\nname = \"cxcc\"\n{AODV}{CBR}"),
        format!("[scheme]\nname = \"newreno\"\n[mac]\nrts_cts = true\n{AODV}{FTP}"),
        format!("[scheme]\nname = \"sack\"\n{AODV}{FTP}{free}"),
        format!("[scheme]\nname = \"lecn\"\n{AODV}{FTP}[measure]\ncongestion_potential = true\n"),
    ]
    .map(|keys| format!("{NETWORK}{keys}"))
}

#[test]
fn movement_over_no_distance_changes_nothing() {
    for text in networks() {
        let [still, treading] =
            [setup(&text), tread(setup(&text))].map(|setup| run(setup, Options::default()));
        assert_eq!(fingerprint(&still), fingerprint(&treading), "{text}");
        let statistics =
            |tables: &crate::Tables| format!("{:?}{:?}", tables.nodes, tables.congestion);
        assert_eq!(statistics(&still), statistics(&treading), "{text}");
    }
}

#[test]
fn moving_networks_keep_the_books_and_can_be_repeated() {
    for text in networks() {
        let first = run(wander(setup(&text), 800.0), Options::default());
        let (sent, delivered, _) = assert_balanced(&first, &text);
        assert!(sent > 100 && delivered > 0, "{delivered} of {sent}: {text}");
        let traced = Options { trace: true, ..Options::default() };
        for options in [Options::default(), traced] {
            let again = run(wander(setup(&text), 800.0), options);
            assert_eq!(fingerprint(&again), fingerprint(&first), "{text}");
            let flows = |tables: &crate::Tables| format!("{:?}", tables.flows);
            assert_eq!(flows(&again), flows(&first), "{text}");
        }
        assert_ne!(fingerprint(&first), fingerprint(&run(setup(&text), Options::default())));
    }
}

const CHAIN: &str = "warmup = \"1 s\"\nduration = \"4 s\"\n[topology]\nkind = \"chain\"\nhops = 2\n\
                     [scheme]\nname = \"udp\"\n[traffic]\nload = \"50 kbit/s\"\nstart = \"0 s\"\n";

#[test]
fn a_relay_that_leaves_and_comes_back_interrupts_the_flow() {
    let mut setup = setup(CHAIN);
    let there_and_back = [(1.9, 2.0, (2000.0, 0.0)), (3.9, 4.0, (200.0, 0.0))];
    setup.nodes[1].track = track((200.0, 0.0), &there_and_back);
    let tables = run(setup, Options::default());
    assert_balanced(&tables, "the relay left and came back");
    let delivered = integers(&tables.series, "delivered");
    let [before, also, away, still, back] = delivered[..] else { panic!("{delivered:?}") };
    assert!(before > 5 && also > 8 && back > 8, "{delivered:?}");
    assert!(away <= 1 && still <= 1, "{delivered:?}");
}

#[test]
fn fixed_routes_are_those_of_the_start() {
    let mut setup = setup(CHAIN);
    setup.nodes[1].track = track((200.0, 0.0), &[(0.0, 0.001, (2000.0, 0.0))]);
    let tables = run(setup, Options::default());
    let (sent, delivered, lost) = assert_balanced(&tables, "the relay has left");
    assert!(sent > 50 && delivered == 0 && lost > 10);
}

#[test]
fn the_potential_follows_the_nodes() {
    // Two pairs, each saturated; the second comes near the first after 10 s of 20 s.
    let text = "warmup = \"0 s\"\nduration = \"20 s\"\n[topology]\nkind = \"explicit\"\n\
        [[node]]\nname = \"a\"\nx = \"0 m\"\ny = \"0 m\"\n\
        [[node]]\nname = \"b\"\nx = \"100 m\"\ny = \"0 m\"\n\
        [[node]]\nname = \"c\"\nx = \"3 km\"\ny = \"0 m\"\n\
        [[node]]\nname = \"d\"\nx = \"3.1 km\"\ny = \"0 m\"\n\
        [[flow]]\nfrom = \"a\"\nto = \"b\"\n[[flow]]\nfrom = \"c\"\nto = \"d\"\n\
        [scheme]\nname = \"udp\"\n[traffic]\nload = \"2 Mbit/s\"\nstart = \"0 s\"\n\
        [measure]\ncongestion_potential = true\n";
    let mut setup = setup(text);
    for (node, x) in [(2, 200.0), (3, 300.0)] {
        let start = (setup.nodes[node].x, 0.0);
        setup.nodes[node].track = track(start, &[(9.99, 10.0, (x, 0.0))]);
    }
    let table = run(setup, Options::default()).congestion.expect("it was asked for");
    let rows = integers(&table, "node").into_iter().zip(integers(&table, "congestion_potential"));
    let time = |node: i64, value: i64| -> f64 {
        let times = rows.clone().zip(floats(&table, "time_s"));
        times.filter(|(row, _)| *row == (node, value)).map(|(_, time)| time).sum()
    };
    for node in [-1, 0, 1, 2, 3] {
        let (alone, together) = (time(node, 1), time(node, 2));
        assert!((9.5..10.2).contains(&alone) && (9.5..10.1).contains(&together), "node {node}");
    }
}

#[test]
fn the_positions_of_nodes_that_move_are_in_the_results() {
    assert!(run(setup(CHAIN), Options::default()).positions.is_none());
    let mut setup = setup(CHAIN);
    setup.nodes[1].track =
        track((200.0, 0.0), &[(1.0, 2.0, (210.0, 5.0)), (60.0, 70.0, (0.0, 0.0))]);
    let table = run(setup, Options::default()).positions.expect("a node moves");
    assert_eq!(integers(&table, "node"), [0, 1, 1, 1, 2]);
    assert_eq!(floats(&table, "time_s"), [0.0, 0.0, 1.0, 2.0, 0.0]);
    assert_eq!(floats(&table, "x_m"), [0.0, 200.0, 200.0, 210.0, 400.0]);
    assert_eq!(floats(&table, "y_m"), [0.0, 0.0, 0.0, 5.0, 0.0]);
}

#[test]
fn an_absurd_track_does_no_harm() {
    // A thousand kilometres in a nanosecond, and legs of a nanosecond each.
    let far =
        node((0.0, 0.0), &[(1.0, 1.000_000_001, (1e6, 1e6)), (2.0, 2.000_000_001, (0.0, 9.0))]);
    let nodes = [far, node((100.0, 0.0), &[])];
    let mut channel = Channel::new(&nodes, medium("").0, 1);
    let counts = [0.5, 1.5, 2.5].map(|now| arrivals(&mut channel, 1, seconds(now)).len());
    assert_eq!(counts, [1, 0, 1]);
}
