//! Nodes that move: who hears whom follows their positions, exactly.

use multihop_core::{Dimension, Duration, Given, NodeId, Time, Value, Values, normal};
use multihop_setup::{Node, Propagation, PropagationModel, Radio, SPEED_OF_LIGHT, Track};
use proptest::prelude::*;

use crate::channel::Channel;
use crate::dcf::{BROADCAST, FrameKind};
use crate::propagation::{free_space, log_normal_shadowing, two_ray_ground};
use crate::tests::air::{self, Air, job, medium};

/// The time `s` seconds after the start.
fn seconds(s: f64) -> Time {
    Time::ZERO + Duration::from_seconds(s)
}

/// A node at `place` that goes to other places: from when, until when (in s), where to (in m).
fn node(place: (f64, f64), legs: &[(f64, f64, (f64, f64))]) -> Node {
    let leg = |&(start, end, to): &(f64, f64, _)| (seconds(start), seconds(end), to);
    let track = Track::through(place, legs.iter().map(leg));
    Node { track, ..Node::at("", place) }
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
    channel.arrivals(&frame, now, |arrival| {
        found.push((
            arrival.to.0,
            arrival.spoiled.is_none(),
            arrival.power,
            arrival.start.since(now),
        ));
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
fn a_link_says_whether_its_ends_come_closer() {
    let mut channel = Channel::new(&passing(), medium("").0, 1);
    // It is nearest at 75 s.
    for (now, expected) in [(30.0, true), (74.999, true), (75.001, false), (120.0, false)] {
        for from in [0, 1] {
            let frame = air::frame(FrameKind::Data, from, BROADCAST, Duration::ZERO);
            let mut closing = Vec::new();
            channel.arrivals(&frame, seconds(now), |arrival| closing.push(arrival.closing));
            assert_eq!(closing, [expected], "{now} s");
        }
    }
    let stops = [node((0.0, 0.0), &[]), node((200.0, 0.0), &[(1.0, 2.0, (100.0, 0.0))])];
    let mut channel = Channel::new(&stops, medium("").0, 1);
    for (now, expected) in [(0.5, false), (1.5, true), (2.5, false)] {
        let frame = air::frame(FrameKind::Data, 0, BROADCAST, Duration::ZERO);
        channel.arrivals(&frame, seconds(now), |arrival| assert_eq!(arrival.closing, expected));
    }
}

#[test]
fn a_frame_under_way_is_received_although_its_receiver_leaves() {
    // The frame takes 4.72 ms, the node 2 ms to the limit of 250 m.
    let leaving = [node((0.0, 0.0), &[]), node((249.98, 0.0), &[(0.0, 1.0, (259.98, 0.0))])];
    let mut air = Air::moving(&leaving, "", 1);
    air.saturated[0] = Some(job(BROADCAST));
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
    air.saturated[0] = Some(job(BROADCAST));
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

fn with(model: &'static PropagationModel, given: &[Given]) -> Radio {
    let values = Values::new(model.params, given).expect("they are its parameters");
    Radio { propagation: Propagation::new(model, values), ..medium("").0 }
}

proptest! {
    /// Asking the candidates gives the same as asking everybody.
    #[test]
    fn nobody_is_overlooked(
        nodes in wanderers(),
        mut times in prop::collection::vec((0.0f64..250.0, 0usize..16), 1..60),
        free in any::<bool>(),
    ) {
        let radio = with(if free { &free_space::MODEL } else { &two_ray_ground::MODEL }, &[]);
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
        let radio = with(
            &log_normal_shadowing::MODEL,
            &[
                ("path_loss_exponent".to_owned(), Value::Number(exponent)),
                ("shadowing_deviation".to_owned(), Value::Measure(deviation, Dimension::Level)),
            ],
        );
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

#[test]
fn a_radio_that_is_off_is_not_heard_and_hears_nobody() {
    let mut nodes = [node((0.0, 0.0), &[]), node((100.0, 0.0), &[]), node((200.0, 0.0), &[])];
    nodes[1].track.present = vec![(seconds(5.0), seconds(9.0)), (seconds(12.0), Time::NEVER)];
    let (radio, _) = medium("");
    let mut channel = Channel::new(&nodes, radio, 1);
    let mut heard = |from: u32, now: f64| -> Vec<u32> {
        arrivals(&mut channel, from, seconds(now)).iter().map(|arrival| arrival.0).collect()
    };
    for (now, there) in [(4.999, false), (5.0, true), (8.999, true), (9.0, false), (12.0, true)] {
        assert_eq!(heard(0, now), if there { vec![1, 2] } else { vec![2] }, "{now} s");
        assert_eq!(heard(1, now), if there { vec![0, 2] } else { vec![] }, "{now} s");
    }
    assert!(!channel.in_range(NodeId(0), NodeId(1), seconds(11.0)));
    assert!(channel.in_range(NodeId(0), NodeId(1), seconds(13.0)));
}
