//! Overlap and capture, beside the decisions of two programs of the field.

use std::rc::Rc;

use multihop_core::{
    Bytes, Duration, FlowId, FrameClass, LossCause, NodeId, Packet, Payload, Receiver, Tag, Time,
};
use proptest::prelude::*;

use super::settings;
use crate::lora::frame::Frame;
use crate::lora::receiver::{Beginning, Incoming, Overlap};

const CAPTURE: &str = include_str!("capture.csv");

const fn micros(us: u64) -> Duration {
    Duration::from_micros(us)
}

/// A frame of node `number` that arrives with `power` dBm.
fn incoming(number: u32, power: f64, (start, air_time): (Duration, Duration)) -> Incoming {
    let from = NodeId(number);
    let packet = Packet::new(FlowId::between(from, NodeId(9)), Payload::Virtual(0), Tag::default());
    let (to, class, bytes) = (Receiver::Broadcast, FrameClass::Data, Bytes(20));
    let frame = Rc::new(Frame { number, from, sender: from, to, class, packet, bytes, air_time });
    let start = Time::ZERO + start;
    Incoming {
        frame,
        power,
        start,
        end: start + air_time,
        beginning: Beginning::Received,
        lost: None,
        told: false,
    }
}

/// Whether two frames, told in this order, are received.
fn received(overlap: &Overlap, first: Incoming, mut second: Incoming) -> [bool; 2] {
    let mut there = [first];
    overlap.arrive(&mut second, &mut there);
    [&there[0], &second].map(|frame| frame.lost.is_none())
}

/// Meshtasticator's rules: as published, where its preamble rule never acts, and as it means them.
fn meshtasticator(rules: &str, setting: &str) -> Overlap {
    let grace = if rules == "mtr" { 0 } else { 11 };
    let preset = setting.to_lowercase().replace('_', "-");
    let keys = format!(
        "preset = \"{preset}\"\ngrace = {grace}\ninterferers = \"received\"\nsensitivity = \"-131.5 dBm\""
    );
    settings(&keys).overlap
}

#[test]
fn two_hidden_transmitters_meet_as_in_meshtasticator() {
    let lines: Vec<&str> = CAPTURE.lines().skip(1).collect();
    assert_eq!(lines.len(), 540);
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let span = |at: usize| micros(fields[at].parse().expect("microseconds"));
        let ahead: f64 = fields[3].parse().expect("dB");
        let overlap = meshtasticator(fields[0], fields[1]);
        let first = incoming(0, -100.0, (Duration::ZERO, span(2)));
        let second = incoming(1, -100.0 - ahead, (span(4), span(2)));
        let expected = [fields[5] == "1", fields[6] == "1"];
        assert_eq!(received(&overlap, first, second), expected, "{line}");
    }
}

/// `meshcore_simv2`: 3 dB once locked, 6 dB before, and one symbol forgiven at 4/7 and 4/8.
const SIMV2: &str = "preset = \"meshcore-sf8\"\npreamble = 16\ncapture_locked = \"3 dB\"\ngrace = 10\nforgiven_symbols = 1";

#[test]
fn a_locked_receiver_keeps_its_frame_at_less_than_it_takes_to_lock() {
    let settings = settings(SIMV2);
    let (symbols, air_time) = (|symbols| settings.modulation.symbols(symbols), micros(500_000));
    let pair = |ahead: f64, lag: f64| {
        let first = incoming(0, -100.0, (Duration::ZERO, air_time));
        received(&settings.overlap, first, incoming(1, -100.0 - ahead, (symbols(lag), air_time)))
    };
    assert_eq!(pair(4.0, 5.9), [false, false], "not locked yet");
    assert_eq!(pair(4.0, 6.1), [true, false]);
    assert_eq!(pair(2.9, 6.1), [false, false]);
    assert_eq!(pair(-5.9, 6.1), [false, false]);
    assert_eq!(pair(-6.0, 6.1), [false, true], "it takes over");
}

#[test]
fn what_ends_within_the_grace_or_overlaps_by_a_symbol_does_no_harm() {
    let settings = settings(SIMV2);
    let air_time = micros(500_000);
    let symbols = |symbols: f64| settings.modulation.symbols(symbols);
    let pair = |overlap: &Overlap, length: f64| {
        let lag = air_time.saturating_sub(symbols(length));
        received(
            overlap,
            incoming(0, -100.0, (Duration::ZERO, air_time)),
            incoming(1, -100.0, (lag, air_time)),
        )
    };
    assert_eq!(pair(&settings.overlap, 9.9), [true, true]);
    assert_eq!(pair(&settings.overlap, 10.1), [false, false]);
    let strict = Overlap { grace: Duration::ZERO, ..settings.overlap };
    assert_eq!(pair(&strict, 0.9), [true, true]);
    assert_eq!(pair(&strict, 1.1), [false, false]);
}

#[test]
fn what_is_below_the_floor_does_no_harm_and_what_is_between_does() {
    let keys = "interfere_from = \"-140 dBm\"";
    let overlap = settings(keys).overlap;
    let air_time = micros(500_000);
    let weak = |power: f64| {
        let mut weak = incoming(0, power, (Duration::ZERO, air_time));
        weak.beginning = Beginning::Unnoticed;
        weak.lose(LossCause::TooWeak, Time::ZERO, None);
        received(&overlap, weak, incoming(1, -131.0, (micros(200_000), air_time)))
    };
    assert_eq!(weak(-141.0), [false, true]);
    assert_eq!(weak(-136.0), [false, false]);
}

#[test]
fn a_destroyed_frame_harms_later_ones_or_does_not() {
    let air_time = micros(500_000);
    let third = |interferers: &str| {
        let overlap = settings(&format!("interferers = \"{interferers}\"")).overlap;
        let mut all = vec![incoming(0, -100.0, (Duration::ZERO, micros(300_000)))];
        for (number, lag, power) in [(1, 100_000, -97.0), (2, 400_000, -100.0)] {
            let mut next = incoming(number, power, (micros(lag), air_time));
            overlap.arrive(&mut next, &mut all);
            all.push(next);
        }
        [0, 1, 2].map(|at| all[at].lost.map(|lost| (lost.cause, lost.by)))
    };
    let by = |number| Some((LossCause::Collision, Some(number)));
    assert_eq!(third("received"), [by(1), by(0), None]);
    assert_eq!(third("all"), [by(1), by(0), by(1)]);
}

fn any_frame() -> impl Strategy<Value = (f64, u64, u64)> {
    (-131.0..-80.0, 0..900_000_u64, 50_000..900_000_u64)
}

proptest! {
    /// Of frames that overlap by more than is forgiven, one is received at most, in whatever order the radio is told of them.
    #[test]
    fn one_frame_is_received_at_a_time(
        frames in prop::collection::vec(any_frame(), 2..6),
        locked in 0.0..12.0, unlocked in 0.0..12.0, grace in 0.0..10.0,
    ) {
        let keys = format!("capture_locked = \"{locked} dB\"\ncapture_unlocked = \"{unlocked} dB\"\ngrace = {grace}");
        let overlap = settings(&keys).overlap;
        let told = |order: &mut dyn Iterator<Item = usize>| {
            let mut all: Vec<Incoming> = Vec::new();
            for at in order {
                let (power, start, air_time) = frames[at];
                let mut next = incoming(at as u32, power, (micros(start), micros(air_time)));
                overlap.arrive(&mut next, &mut all);
                all.push(next);
            }
            all.retain(|frame| frame.lost.is_none());
            all
        };
        let received = told(&mut (0..frames.len()));
        for (at, one) in received.iter().enumerate() {
            for other in &received[at + 1..] {
                let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
                prop_assert!(first.end <= second.start + overlap.grace, "{first:?} and {second:?}");
            }
        }
        // Two alone meet in the same way, whoever is told first.
        if let [_, _] = frames[..] {
            let names = |all: Vec<Incoming>| {
                let mut names: Vec<u32> = all.iter().map(|frame| frame.frame.number).collect();
                names.sort_unstable();
                names
            };
            prop_assert_eq!(names(told(&mut (0..2))), names(told(&mut (0..2).rev())));
        }
    }
}
