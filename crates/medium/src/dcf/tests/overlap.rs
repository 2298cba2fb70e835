//! Random frames that overlap at one station, which has frames of its own to send: a station that
//! keeps of a frame only what matters does the same as one that looks at everything.

use multihop_core::{Duration, Fate, LossCause, Losses, NodeId, Outcome, Reception, Time};
use proptest::prelude::*;

use crate::dcf::{Arrival, BROADCAST, Fates, Frame, FrameKind};
use crate::tests::air::{Air, STRONG, frame, micros};

/// No frame is under way for as long.
const LONGEST_DELAY: Duration = Duration::from_nanos(2000);

/// What happens at the station, `after` the event before.
#[derive(Clone, Debug)]
pub(super) struct Event {
    after: Duration,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// A frame reaches it `delay` from now.
    Arrives { frame: Frame, power: f64, delay: Duration, spoiled: Option<LossCause> },
    /// The node offers a frame, if the station can take one.
    Offer,
    /// The node takes its frame back.
    Withdraw,
}

fn arrivals() -> impl Strategy<Value = What> {
    let kind = prop::sample::select(vec![
        FrameKind::Rts,
        FrameKind::Cts,
        FrameKind::Data,
        FrameKind::Ack,
        FrameKind::UnacknowledgedData,
    ]);
    let to = prop::sample::select(vec![0, 0, 0, 2, 2, BROADCAST]);
    let power = prop::sample::select(vec![1e-7, 0.05, 0.5, 1.0, 9.0, 11.0, 120.0]);
    let spoiled = prop::sample::select(vec![None, None, None, Some(LossCause::TooWeak)]);
    let heard = (kind, 1u32..4, to, 0u64..6000, 1u32..3);
    (heard, power, 0..LONGEST_DELAY.nanos(), spoiled).prop_map(|(heard, power, delay, spoiled)| {
        let (kind, from, to, reserved, sequence) = heard;
        let spoiled = if power < 1e-3 { Some(LossCause::TooWeak) } else { spoiled };
        // Only data goes to everybody.
        let to = if to == BROADCAST && kind != FrameKind::UnacknowledgedData { 0 } else { to };
        let frame = Frame { sequence, ..frame(kind, from, to, micros(reserved)) };
        let delay = Duration::from_nanos(delay);
        What::Arrives { frame, power: power * STRONG, delay, spoiled }
    })
}

pub(super) fn events() -> impl Strategy<Value = Vec<Event>> {
    let what = prop_oneof![8 => arrivals(), 2 => Just(What::Offer), 1 => Just(What::Withdraw)];
    let after = prop_oneof![0u64..3, 0u64..700, 0u64..10_000];
    let event = (after, 0u64..1000, what)
        .prop_map(|(us, ns, what)| Event { after: micros(us) + Duration::from_nanos(ns), what });
    prop::collection::vec(event, 1..60)
}

/// Which rules MAC and receiver keep.
pub(super) fn keys() -> impl Strategy<Value = String> {
    let rules = prop::sample::select(vec!["ns2", "ieee-802.11", "ns3"]);
    let receptions = vec!["ns2", "message-in-message", "first-decodable"];
    let reception = prop::sample::select(receptions);
    let interference = prop::sample::select(vec!["ratio", "dsss", "ofdm"]);
    let picked = (any::<bool>(), rules, reception, 0u8..2, interference);
    picked.prop_map(|(rts, rules, reception, equal, interference)| {
        let ratio = if equal == 1 { 1 } else { 10 };
        let (timing, rules) = match (interference, rules) {
            ("ofdm", "ns2") => ("ofdm-5", "ns3"),
            ("ofdm", rules) => ("ofdm-5", rules),
            (_, rules) => ("dsss", rules),
        };
        format!(
            "timing = \"{timing}\"\nrts_cts = {rts}\nrules = \"{rules}\"\n[radio]\nreception = \"{reception}\"\n\
             capture_ratio = {ratio}\ninterference = \"{interference}\"\n"
        )
    })
}

/// All that is seen of a station from outside.
#[derive(Debug, PartialEq)]
pub(super) struct Seen {
    sent: Vec<(Time, Frame)>,
    pub(super) received: Vec<(Time, Frame)>,
    done: Vec<(Time, Outcome, u32)>,
    losses: Losses,
    air_times: Vec<(Duration, Duration)>,
    /// Of those frames that arrived, if the test has asked for it.
    fates: Vec<Reception>,
}

fn run(keys: &str, seed: u64, events: &[Event], prepare: impl FnOnce(&mut Air)) -> Seen {
    run_with((keys, seed), events, prepare, |_, _| {})
}

/// The same, with something done after each event, by its number.
pub(super) fn run_with(
    (keys, seed): (&str, u64),
    events: &[Event],
    prepare: impl FnOnce(&mut Air),
    mut after_each: impl FnMut(&mut Air, usize),
) -> Seen {
    let mut air = Air::alone(keys, seed);
    prepare(&mut air);
    let (mut air_times, mut fates) = (Vec::new(), Vec::new());
    let mut ask = |air: &mut Air| {
        if let Some(open) = &mut air.fates {
            open.hand_over(air.now, |known| fates.extend_from_slice(known));
        }
    };
    for (number, Event { after, what }) in events.iter().enumerate() {
        air.run(air.now + *after);
        match what {
            What::Arrives { frame, power, delay, spoiled } => {
                let (power, start, spoiled) = (*power, air.now + *delay, *spoiled);
                air.arrives(&Arrival {
                    to: NodeId(0),
                    frame,
                    power,
                    start,
                    spoiled,
                    closing: false,
                });
            }
            What::Offer if air.stations[0].is_free() => air.offer(0, 1),
            What::Offer => {}
            What::Withdraw => {
                air.stations[0].withdraw();
            }
        }
        air_times.push(air.stations[0].air_times(air.now));
        after_each(&mut air, number);
        ask(&mut air);
    }
    air.run(air.now + micros(1_000_000));
    ask(&mut air);
    Seen {
        sent: air.transmissions(0),
        received: air.heard(0),
        done: air.done(0),
        losses: air.stations[0].losses(),
        air_times,
        fates,
    }
}

/// The frames that arrive, in their order.
fn frames(events: &[Event]) -> Vec<Frame> {
    let arrives = |event: &Event| match event.what {
        What::Arrives { frame, .. } => Some(frame),
        _ => None,
    };
    events.iter().filter_map(arrives).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// [`Air`] also checks at every arrival that a deadline that stands is what it was. What was lost is what
    /// the station counts.
    #[test]
    fn looking_at_every_frame_changes_nothing(
        events in events(),
        seed in any::<u64>(),
        keys in keys(),
        promiscuous in prop::bool::ANY,
    ) {
        let plain = run(&keys, seed, &events, |air| {
            air.stations[0].set_promiscuous(promiscuous);
        });
        let mut watched = run(&keys, seed, &events, |air| {
            air.stations[0].set_promiscuous(promiscuous);
            air.fates = Some(Fates::new(4, 0, true));
        });
        let (fates, frames) = (std::mem::take(&mut watched.fates), frames(&events));
        prop_assert_eq!(&plain, &watched);
        prop_assert_eq!(fates.len(), frames.len());
        prop_assert!(fates.is_sorted_by(|one, next| one.frame < next.frame));
        for (time, received) in &plain.received {
            // A frame that ends while the next one is under way is handed up with the news of that one.
            let is_it = |(fate, frame): &(&Reception, &Frame)| {
                let early = fate.end.since(*time);
                let ended = fate.end >= *time && early < LONGEST_DELAY;
                ended && *frame == received && matches!(fate.fate, Fate::Decoded(_))
            };
            prop_assert!(fates.iter().zip(&frames).any(|both| is_it(&both)), "{time}: {received:?}");
        }
        for cause in LossCause::ALL {
            let lost = |fate: Fate| fate.name() == cause.name();
            let mine = |(fate, frame): &(&Reception, &Frame)| lost(fate.fate) && frame.is_for(0);
            let count = fates.iter().zip(&frames).filter(mine).count() as u64;
            prop_assert_eq!(count, plain.losses.count(*cause), "{:?}", cause);
        }
    }
}
