//! Backoff: how many slots, from when on they count, and what interrupts them.

use multihop_core::{Duration, LossCause, NodeId, Outcome, Time};

use crate::dcf::{Arrival, BROADCAST, FrameKind, Job};
use crate::tests::air::{Air, STRONG, at, frame, job, micros, slots};

const DIFS: Duration = micros(50);
const EIFS: Duration = micros(364);
const SLOT: Duration = micros(20);
const BROADCAST_JOB: Job = job(BROADCAST);

/// The 99.9 % quantile of chi-square with 30 degrees of freedom.
const CHI_SQUARE: f64 = 59.7;

/// ns-2, saturated broadcaster: 0 to 30 slots, 31 distinct values.
#[test]
fn backoffs_are_even_over_0_to_30() {
    let mut air = Air::alone("", 1);
    air.saturated[0] = Some(BROADCAST_JOB);
    air.run(Time::from_nanos(100_000_000_000));
    let starts = air.sent(0, FrameKind::UnacknowledgedData);
    let mut counts = [0u32; 31];
    for pair in starts.windows(2) {
        let drawn = slots(pair[1].since(pair[0] + micros(4720)), DIFS);
        counts[usize::try_from(drawn).expect("few slots")] += 1;
    }
    let expected = f64::from(counts.iter().sum::<u32>()) / 31.0;
    assert!(expected > 600.0);
    let chi_square: f64 =
        counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    assert!(chi_square < CHI_SQUARE, "{chi_square}: {counts:?}");
}

/// Also the first frame on an idle medium backs off, and the medium may have been idle long.
#[test]
fn a_first_frame_backs_off_as_well() {
    let mut drawn: Vec<u64> = (0..400)
        .map(|seed| {
            let mut air = Air::alone("", seed);
            air.run(at(1_000_000));
            air.give(0, BROADCAST_JOB);
            air.run(at(2_000_000));
            slots(air.transmissions(0)[0].0.since(at(1_000_000)), DIFS)
        })
        .collect();
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn, (0..31).collect::<Vec<u64>>());
}

/// When station 0 sends its only frame, given at 0, if `disturb` happens on the way; and how many
/// slots it had drawn.
fn sends_at(seed: u64, disturb: impl Fn(&mut Air)) -> (Time, u64) {
    let mut calm = Air::alone("", seed);
    calm.give(0, BROADCAST_JOB);
    calm.run(at(1000));
    let drawn = slots(calm.transmissions(0)[0].0.since(Time::ZERO), DIFS);
    let mut air = Air::alone("", seed);
    air.give(0, BROADCAST_JOB);
    disturb(&mut air);
    air.run(at(100_000));
    (air.transmissions(0)[0].0, drawn)
}

/// The slots that are left when a frame arrives `start` us after the station drew `drawn`.
fn left(drawn: u64, start: u64) -> Option<u64> {
    let counted = start.saturating_sub(50) / 20;
    (counted < drawn).then(|| drawn - counted)
}

/// ns-2: slots before + slots after the interruption are whole numbers, 1 to 30 together.
#[test]
fn an_interrupted_backoff_keeps_its_whole_slots() {
    let mut interrupted = 0;
    for seed in 0..60 {
        for start in [1, 49, 50, 69, 70, 71, 155, 333] {
            let heard = frame(FrameKind::UnacknowledgedData, 7, BROADCAST, Duration::ZERO);
            let (sent, drawn) = sends_at(seed, |air| air.hear(0, heard, at(start), None));
            let Some(left) = left(drawn, start) else { continue };
            interrupted += 1;
            let idle = at(start) + micros(4720);
            assert_eq!(sent, idle + DIFS + SLOT * left, "seed {seed}, frame at {start} us");
        }
    }
    assert!(interrupted > 200);
}

/// ns-2: who comes closer is heard before the slot ends at whose end he would be heard if he kept his distance.
#[test]
fn a_slot_that_ends_with_the_frame_of_a_closing_station_has_not_passed() {
    for (start, closing, counted) in [(70, false, 1), (70, true, 0), (75, true, 1), (90, true, 1)] {
        for seed in 0..60 {
            let heard = &frame(FrameKind::UnacknowledgedData, 7, BROADCAST, Duration::ZERO);
            let (to, power, start) = (NodeId(0), STRONG, at(start));
            let arrival = Arrival { to, frame: heard, power, start, spoiled: None, closing };
            let (sent, drawn) = sends_at(seed, |air| air.arrive(&arrival));
            if drawn > 3 {
                let idle = start + micros(4720);
                assert_eq!(sent, idle + DIFS + SLOT * (drawn - counted), "seed {seed}, {start:?}");
            }
        }
    }
}

#[test]
fn a_backoff_that_has_run_out_is_not_held_back() {
    let heard = frame(FrameKind::UnacknowledgedData, 7, BROADCAST, Duration::ZERO);
    for seed in 0..60 {
        let (sent, drawn) = sends_at(seed, |air| {
            // The frame is under way, but has not reached the station when the counter is zero.
            air.run(at(49));
            let (to, power, start) = (NodeId(0), STRONG, at(700));
            air.arrive(&Arrival { to, frame: &heard, power, start, spoiled: None, closing: false });
        });
        assert_eq!(sent, Time::ZERO + DIFS + SLOT * drawn);
    }
}

/// ns-2: after a frame that is only sensed nobody sends for 364 us and DIFS.
#[test]
fn after_a_frame_that_cannot_be_decoded_the_medium_is_reserved_for_eifs() {
    for seed in 0..60 {
        for cause in [LossCause::TooWeak, LossCause::BitError] {
            let heard = frame(FrameKind::Data, 7, 8, micros(9000));
            let (sent, drawn) = sends_at(seed, |air| air.hear(0, heard, at(100), Some(cause)));
            let Some(left) = left(drawn, 100) else { continue };
            assert_eq!(sent, at(100) + micros(4720) + EIFS + DIFS + SLOT * left, "seed {seed}");
        }
    }
}

/// ns-2 and 802.11-2007, 9.2.10: the link acknowledgment that EIFS spares is one at the lowest rate, whatever the basic
/// rate is; SIFS, DIFS and an acknowledgment of 304 us by 802.11b, of 50 us at 6 Mbit/s by OFDM with its extension.
#[test]
fn eifs_is_that_of_the_lowest_rate_whatever_the_basic_rate_is() {
    for (keys, eifs) in [
        ("basic_rate = \"2 Mbit/s\"", EIFS),
        ("data_rate = \"11 Mbit/s\"\nbasic_rate = \"11 Mbit/s\"", EIFS),
        ("timing = \"dsss\"\nbasic_rate = \"0.5 Mbit/s\"", EIFS + micros(112)),
        (
            "timing = \"ofdm-2.4\"\nrules = \"ns2\"\nbasic_rate = \"24 Mbit/s\"\n\
             [radio]\ninterference = \"ratio\"",
            micros(38 + 50),
        ),
        ("timing = \"erp-mixed\"\nbasic_rate = \"11 Mbit/s\"", micros(16 + 56 + 120 + 112)),
    ] {
        let mut air = Air::alone(keys, 1);
        assert_eq!(air.profile.eifs, eifs, "{keys}");
        air.give(0, BROADCAST_JOB);
        let (begin, heard) = (at(10), frame(FrameKind::Data, 7, 8, Duration::ZERO));
        air.hear(0, heard, begin, Some(LossCause::TooWeak));
        air.run(at(100_000));
        let waited = air.transmissions(0)[0].0.since(begin + micros(4720));
        let (slot, difs) = (air.profile.slot, air.profile.difs);
        assert_eq!(waited.saturating_sub(eifs + difs).nanos() % slot.nanos(), 0, "{keys}");
        assert!(waited >= eifs + difs, "{keys}");
    }
}

#[test]
fn eifs_can_be_switched_off() {
    let mut air = Air::alone("eifs = false", 1);
    air.give(0, BROADCAST_JOB);
    let heard = frame(FrameKind::Data, 7, 8, Duration::ZERO);
    air.hear(0, heard, at(1), Some(LossCause::TooWeak));
    air.run(at(100_000));
    let waited = air.transmissions(0)[0].0.since(at(1) + micros(4720));
    assert!(slots(waited, DIFS) < 31);
}

#[test]
fn a_withdrawn_frame_leaves_its_backoff_to_the_next() {
    for seed in 0..40 {
        let (calm, _) = sends_at(seed, |_| ());
        let (after, _) = sends_at(seed, |air| {
            air.run(at(40));
            assert_eq!(air.stations[0].withdraw(), Some(BROADCAST_JOB));
            assert!(air.stations[0].is_free());
            air.give(0, BROADCAST_JOB);
        });
        assert_eq!(after, calm, "seed {seed}");
    }
}

#[test]
fn a_withdrawn_frame_is_not_sent_and_the_backoff_runs_out() {
    let mut air = Air::alone("", 1);
    air.give(0, BROADCAST_JOB);
    assert!(air.stations[0].withdraw().is_some());
    assert!(air.stations[0].withdraw().is_none());
    air.run(at(10_000));
    assert!(air.transmissions(0).is_empty());
    air.give(0, BROADCAST_JOB);
    air.run(at(20_000));
    assert!(slots(air.transmissions(0)[0].0.since(at(10_000)), DIFS) < 31);
}

#[test]
fn a_frame_that_was_on_the_air_cannot_be_withdrawn() {
    // While it is on the air, and between attempts.
    for rts in ["rts_cts = true", "rts_cts = false"] {
        let mut air = Air::alone(rts, 1);
        air.offer(0, 9);
        air.run(at(60 + 600));
        assert_eq!(air.transmissions(0).len(), 1);
        assert_eq!(air.stations[0].withdraw(), None);
        air.run(air.transmissions(0)[0].0 + micros(5040));
        assert_eq!(air.stations[0].withdraw(), None);
        air.run(at(1_000_000));
        assert_eq!(air.done(0).len(), 1);
        assert_eq!(air.done(0)[0].1, Outcome::Failed);
    }
}

/// When station 0 sends its only broadcast, and when if frames are on their way to it when it is about to: one behind the
/// other, each so many ns after that and so strong.
fn with_under_way(keys: &str, under_way: [(i64, f64); 2], closing: bool) -> (Time, Time) {
    let mut alone = Air::alone(keys, 1);
    alone.give(0, BROADCAST_JOB);
    alone.run(at(10_000));
    let sends = alone.transmissions(0)[0].0;
    let mut air = Air::alone(keys, 1);
    air.give(0, BROADCAST_JOB);
    air.run(sends - micros(2));
    for (from, (delay, power)) in (1..).zip(under_way) {
        let frame = &frame(FrameKind::UnacknowledgedData, from, BROADCAST, Duration::ZERO);
        let start = Time::from_nanos(sends.nanos().saturating_add_signed(delay));
        air.arrives(&Arrival { to: NodeId(0), frame, power, start, spoiled: None, closing });
    }
    air.run(at(100_000));
    (sends, air.transmissions(0)[0].0)
}

const RULES: [&str; 3] = [
    "",
    "rules = \"ieee-802.11\"\n[radio]\nreception = \"first-decodable\"\ncapture_ratio = 1",
    "rules = \"ns3\"\n[radio]\nreception = \"first-decodable\"\ncapture_ratio = 1",
];

/// Two frames of the same slot are under way to a station whose slot it is, too; one of them it will ignore.
#[test]
fn a_station_cannot_know_what_is_under_way_to_it() {
    for keys in RULES {
        for weak in [STRONG / 4.0, STRONG / 20.0] {
            let (alone, met) = with_under_way(keys, [(300, STRONG), (600, weak)], false);
            assert_eq!(met, alone, "{keys}");
            let (alone, met) = with_under_way(keys, [(600, weak), (300, STRONG)], false);
            assert_eq!(met, alone, "{keys}");
        }
    }
}

/// The frame of a farther station has begun first and comes too late; that of a nearer one comes in time.
#[test]
fn a_nearer_station_s_frame_pauses_the_backoff() {
    for keys in RULES {
        for near in [STRONG, 20.0 * STRONG] {
            let (alone, met) = with_under_way(keys, [(600, STRONG), (-300, near)], false);
            assert!(met >= alone + micros(4720), "{keys}");
        }
    }
}

/// ns-2: two of the same slot do not collide while they come closer: the one that counts since the other's last frame hears
/// the next one just before its slot ends. By the standard's rules nobody can notice it so soon.
#[test]
fn a_closing_station_s_frame_of_the_same_slot_pauses_the_backoff() {
    for (keys, heeds) in RULES.into_iter().zip([true, false, false]) {
        for closing in [false, true] {
            for under_way in [[(0, STRONG), (600, STRONG)], [(600, STRONG), (0, STRONG)]] {
                let (alone, met) = with_under_way(keys, under_way, closing);
                let pauses = heeds && closing;
                assert_eq!(met >= alone + micros(4720), pauses, "{keys} {closing} {under_way:?}");
                assert_eq!(met == alone, !pauses, "{keys} {closing} {under_way:?}");
            }
        }
    }
}
