//! A station whose node listens only now and then hears and counts then what one does that always
//! listens; and for everybody else it is the same.

use multihop_core::{AirTime, Duration, Time};
use proptest::prelude::*;

use super::overlap::{Event, Seen, events, keys, run_with};
use crate::dcf::{Frame, FrameKind};
use crate::tests::air::{Air, Call, at, frame, micros};

/// What a station saw for itself, what it had counted after each event, and the packets for others.
struct Told {
    seen: Seen,
    counted: Vec<(Time, AirTime)>,
    others: Vec<(Time, Frame)>,
}

/// The longest propagation delay of an event. A frame that is under way at the moment at which somebody
/// begins to listen may have been counted already.
const LATE: Duration = micros(2);

/// By how much two differ, in what they differ most.
fn apart(one: AirTime, other: AirTime) -> Duration {
    let kinds = |air: AirTime| [air.sending, air.receiving, air.sensed, air.waiting, air.reserved];
    let pairs = kinds(one).into_iter().zip(kinds(other));
    pairs.map(|(a, b)| a.max(b).saturating_sub(a.min(b))).max().unwrap_or(Duration::ZERO)
}

/// A run in which the node listens after an event if `listens` says so.
fn told(keys: &str, seed: u64, events: &[Event], listens: impl Fn(usize) -> bool) -> Told {
    let mut counted = Vec::new();
    let mut saw = run_with(
        (keys, seed),
        events,
        |air| {
            air.stations[0].set_promiscuous(true);
            air.watch_air(0);
            air.stations[0].set_listening(listens(0), Time::ZERO);
        },
        |air, number| {
            // Of a frame that has ended nothing is open.
            air.call(0, &Call::CatchUp);
            counted.push((air.now, air.stations[0].air(air.now)));
            let on = listens(number + 1);
            if air.stations[0].is_listening() != on {
                air.stations[0].set_listening(on, air.now);
            }
        },
    );
    let (mine, others) = saw.received.iter().partition(|(_, frame)| frame.is_for(0));
    saw.received = mine;
    Told { seen: saw, counted, others }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn who_listens_now_and_then_hears_the_same_then(
        events in events(),
        listens in prop::collection::vec(any::<bool>(), 61),
        seed in any::<u64>(),
        keys in keys(),
    ) {
        let mut last = AirTime::default();
        let asked_once = run_with(
            (&keys, seed),
            &events,
            |air| {
                air.stations[0].set_promiscuous(true);
                air.watch_air(0);
            },
            |air, number| if number + 1 == events.len() {
                // An RTS may have ended that nobody has asked after.
                air.call(0, &Call::CatchUp);
                last = air.stations[0].air(air.now);
            },
        );
        let always = told(&keys, seed, &events, |_| true);
        let sparing = told(&keys, seed, &events, |number| listens[number]);
        prop_assert_eq!(always.counted.last().map(|(_, air)| *air), Some(last));
        prop_assert_eq!(asked_once.received.len(), always.seen.received.len() + always.others.len());
        prop_assert_eq!(&always.seen, &sparing.seen);
        let spans = always.counted.windows(2).zip(sparing.counted.windows(2));
        let mut heard = Vec::new();
        for (number, (all, own)) in (1..).zip(spans) {
            let counted = if listens[number] { all[1].1 - all[0].1 } else { AirTime::default() };
            let told = own[1].1 - own[0].1;
            prop_assert!(apart(told, counted) <= LATE, "{:?} {:?} after {}", told, counted, number);
            let within = |(end, _): &&(Time, Frame)| all[0].0 < *end && *end <= all[1].0;
            heard.extend(always.others.iter().filter(within).filter(|_| listens[number]).copied());
        }
        let (first, last) = (always.counted[0].0, always.counted.last().map_or(Time::ZERO, |c| c.0));
        let spared = sparing.others.into_iter().filter(|(end, _)| first < *end && *end <= last);
        prop_assert_eq!(spared.collect::<Vec<_>>(), heard);
    }
}

/// A stop and a start at once are nothing.
#[test]
fn nobody_misses_what_is_under_way() {
    let mut air = Air::alone("", 1);
    air.stations[0].set_promiscuous(true);
    let data = frame(FrameKind::Data, 7, 8, micros(314));
    air.stations[0].set_listening(false, Time::ZERO);
    air.hear(0, data, at(1000), None);
    air.run(at(3000));
    air.stations[0].set_listening(true, air.now);
    air.run(at(9000));
    assert_eq!(air.received(0), [data], "it began before somebody listened, and ends after");
    air.stations[0].set_listening(false, air.now);
    air.hear(0, data, at(10_000), None);
    air.run(at(20_000));
    air.stations[0].set_listening(true, air.now);
    air.run(at(30_000));
    assert_eq!(air.received(0), [data], "the other one has ended before");
}
