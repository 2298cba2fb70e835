//! RFC 6298, section 3, Karn's algorithm: a segment that was sent twice says nothing about the
//! round-trip time, whichever variant has sent it again and why.

mod pipe;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use multihop_core::{Duration, NodeId, Purpose, Rng, Scheme, Time, Value};
use multihop_schemes::parts::tcp::header::Header;
use multihop_schemes::{SCHEMES, find};
use pipe::{Fate, Pipe};
use proptest::prelude::*;

/// The schemes whose transport is a TCP.
fn variants() -> impl Iterator<Item = &'static Scheme> {
    let is_tcp =
        |scheme: &&&Scheme| scheme.params.iter().any(|param| param.name == "initial_threshold");
    SCHEMES.iter().filter(is_tcp).copied()
}

/// When each segment was put on its way.
type Sent = BTreeMap<u32, Vec<Time>>;

/// Every sample of the round-trip time that `scheme` takes while one of `one_in` packets is lost,
/// with the segments that were sent at its beginning: when each was sent.
fn samples(scheme: &'static Scheme, seed: u64, one_in: u32) -> Vec<(Duration, Vec<Vec<Time>>)> {
    let mut pipe = Pipe::new(scheme, &[], Duration::from_nanos(20_300_017));
    let mut rng = Rng::stream(seed, NodeId(0), Purpose::Traffic);
    let log = Rc::new(RefCell::new(Vec::new()));
    let writer = Rc::clone(&log);
    pipe.data_path = Box::new(move |n, packet| {
        let header = Header::of(packet).expect("a TCP sent it");
        writer.borrow_mut().push(header.sequence);
        if n > 20 && rng.below(one_in) == 0 { Fate::IsLost } else { Fate::Arrives }
    });
    let (mut sent, mut found) = (Sent::new(), Vec::new());
    pipe.run(Time::ZERO);
    loop {
        for sequence in log.borrow_mut().drain(..) {
            sent.entry(sequence).or_default().push(pipe.now);
        }
        if !pipe.step(Time::ZERO + Duration::from_millis(20_000)) {
            return found;
        }
        // An acknowledgment speaks of what was sent before it.
        for sample in pipe.round_trips.drain(..) {
            let begun = Time::from_nanos(pipe.now.nanos() - sample.nanos());
            let then = sent.values().filter(|times| times.contains(&begun));
            found.push((sample, then.cloned().collect()));
        }
    }
}

/// ns-2 takes such samples: `X=1 ns data/wired.tcl Agent/TCP/Sack1 Agent/TCPSink/Sack1 "43 44 62 65 78"
/// 20 F 52.3` prints an `rtt_` of 0.320 s at 1.0460 s, from a segment that was sent at 0.7322 s and
/// again at 0.9414 s; `Agent/TCP/Vegas Agent/TCPSink "34 35 49 51"` one of 0.320 s at 1.1506 s. The
/// way there and back takes 0.105 s, and twice that if a gap before the segment is filled meanwhile.
#[test]
fn a_gap_that_was_filled_is_no_sample_although_it_is_one_in_ns_2() {
    for (name, lost) in [("sack", &[43, 44, 62, 65, 78][..]), ("vegas", &[34, 35, 49, 51])] {
        let given = [("min_rto", Value::Number(1_000.0))];
        let delay = Duration::from_micros(52_300);
        let mut pipe = Pipe::new(find(name).expect("a TCP"), &given, delay);
        pipe.data_path =
            Box::new(move |n, _| if lost.contains(&n) { Fate::IsLost } else { Fate::Arrives });
        pipe.run(Time::ZERO + Duration::from_millis(20_000));
        let longest = pipe.round_trips.iter().max().expect("there are samples");
        assert!(*longest < Duration::from_millis(210), "{name}: {longest:?}");
    }
}

/// A timer runs out at the nanosecond at which an acknowledgment arrives.
#[test]
fn a_deadline_may_come_together_with_a_packet() {
    for scheme in variants() {
        assert!(!samples(scheme, 18_185_758_494_902_990_262, 19).is_empty(), "{}", scheme.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_sample_is_taken_from_a_segment_that_was_sent_twice(seed: u64, one_in in 6u32..60) {
        for scheme in variants() {
            let samples = samples(scheme, seed, one_in);
            prop_assert!(!samples.is_empty(), "{}: no samples", scheme.name);
            for (sample, then) in samples {
                let once = then.iter().any(|times| times.len() == 1);
                prop_assert!(once, "{}: {sample:?} from {then:?}", scheme.name);
            }
        }
    }
}
