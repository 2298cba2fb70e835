//! The rules of IEEE 802.11 where ns-2 departs from them (`mac.rules = "ieee-802.11"`).

use multihop_core::{Duration, LossCause, NodeId, Outcome, Time};

use crate::dcf::{Arrival, BROADCAST, Frame, FrameKind, Job};
use crate::tests::air::{Air, STRONG, at, frame, job, micros, slots};

const RULES: &str = "rules = \"ieee-802.11\"";
const RTS: &str = "rules = \"ieee-802.11\"\nrts_cts = true";
const DIFS: Duration = micros(50);
const EIFS: Duration = micros(364);
const JOB: Job = job(BROADCAST);

/// A broadcast of 4720 us.
fn heard() -> Frame {
    frame(FrameKind::UnacknowledgedData, 7, BROADCAST, Duration::ZERO)
}

fn rts(from: u32, to: u32) -> Frame {
    frame(FrameKind::Rts, from, to, micros(5358))
}

/// When the only frame of station 0 is sent, which gets it at `us`.
fn sent(air: &mut Air, us: u64) -> Time {
    air.run(at(us));
    air.give(0, JOB);
    air.run(at(us + 100_000));
    air.transmissions(0)[0].0
}

#[test]
fn a_frame_that_finds_the_medium_idle_goes_without_a_backoff() {
    for seed in 0..20 {
        let mut air = Air::alone(RULES, seed);
        assert_eq!(sent(&mut air, 1000), at(1000), "idle for DIFS");
        let mut air = Air::alone(RULES, seed);
        air.hear(0, heard(), at(1000), None);
        assert_eq!(sent(&mut air, 5730), at(5720) + DIFS, "idle for 10 us");
    }
}

/// From 0 to the window: 31, which ns-2 never draws, too.
#[test]
fn a_frame_that_finds_it_busy_draws_one() {
    let drawn = |when: u64, hears: u64| {
        let seeds = (0..600).map(|seed| {
            let mut air = Air::alone(RULES, seed);
            air.run(at(when.min(hears)));
            if hears < when {
                air.hear(0, heard(), at(hears), None);
                return slots(sent(&mut air, when).since(at(hears + 4720)), DIFS);
            }
            air.hear(0, heard(), at(0), None);
            air.run(at(when));
            air.give(0, JOB);
            air.hear(0, heard(), at(hears), None);
            air.run(at(100_000));
            slots(air.transmissions(0)[0].0.since(at(hears + 4720)), DIFS)
        });
        let mut all: Vec<u64> = seeds.collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let whole: Vec<u64> = (0..32).collect();
    assert_eq!(drawn(5000, 1000), whole, "busy when it came");
    assert_eq!(drawn(4730, 4750), whole, "busy before it had been idle for DIFS");
}

/// By ns-3's rules it matters only whether the medium is idle when the frame comes: here, after the end of a frame, and
/// before this station's own acknowledgment and another frame.
#[test]
fn by_ns_3_s_rules_a_frame_that_finds_the_medium_idle_never_draws_one() {
    let rules = "rules = \"ns3\"";
    for seed in 0..20 {
        let mut air = Air::alone(rules, seed);
        assert_eq!(sent(&mut air, 1000), at(1000) + DIFS, "DIFS begins when it comes");
        let mut air = Air::alone(rules, seed);
        air.hear(0, frame(FrameKind::Data, 1, 0, micros(314)), at(1000), None);
        assert_eq!(sent(&mut air, 5720), at(5730), "the acknowledgment goes first");
        assert_eq!(air.sent(0, FrameKind::UnacknowledgedData), [at(5730 + 304) + DIFS]);
        let mut air = Air::alone(rules, seed);
        air.hear(0, heard(), at(1000), None);
        air.run(at(5720));
        air.give(0, JOB);
        air.hear(0, heard(), at(5725), None);
        air.run(at(100_000));
        assert_eq!(air.transmissions(0)[0].0, at(5725 + 4720) + DIFS, "another frame came first");
    }
    let late: Vec<Time> = (0..20)
        .map(|seed| {
            let mut air = Air::alone(rules, seed);
            air.hear(0, heard(), at(1000), None);
            sent(&mut air, 5000)
        })
        .collect();
    assert!(late.iter().any(|sent| *sent > at(5720) + DIFS), "it came while the medium was busy");
}

/// In ns-3 a packet comes before the MAC is told of a frame that goes on.
#[test]
fn by_ns_3_s_rules_an_ignored_frame_counts_after_the_end_of_the_other() {
    let sent_after = |rules: &str, us: u64, seed| {
        let mut air = Air::alone(&format!("rules = \"{rules}\""), seed);
        air.hear(0, heard(), at(1000), None);
        let (to, start, power) = (NodeId(0), at(2000), STRONG / 100.0);
        air.arrive(&Arrival { to, frame: &heard(), power, start, spoiled: None, closing: false });
        sent(&mut air, us)
    };
    let free = at(6720) + DIFS;
    assert!((0..20).all(|seed| sent_after("ns3", 5720, seed) == free), "at its end");
    assert!((0..20).any(|seed| sent_after("ns3", 5721, seed) > free), "later");
    assert!((0..20).any(|seed| sent_after("ieee-802.11", 5720, seed) > free));
}

/// After a success as after a failure, a backoff is due before the next frame.
#[test]
fn a_frame_that_has_failed_is_followed_by_a_backoff() {
    let mut waits: Vec<u64> = (0..200)
        .map(|seed| {
            let mut air = Air::alone(RULES, seed);
            air.offer(0, 1);
            while air.done(0).is_empty() {
                air.run(air.now + micros(20));
            }
            let (failed, outcome, _) = air.done(0)[0];
            assert_eq!(outcome, Outcome::Failed);
            air.give(0, JOB);
            air.run(air.now + micros(100_000));
            slots(air.sent(0, FrameKind::UnacknowledgedData)[0].since(failed), DIFS)
        })
        .collect();
    waits.sort_unstable();
    waits.dedup();
    assert_eq!(waits, (0..32).collect::<Vec<u64>>());
}

#[test]
fn eifs_holds_up_to_the_next_good_frame_and_includes_difs() {
    let mut air = Air::alone(RULES, 1);
    air.hear(0, heard(), at(1000), Some(LossCause::TooWeak));
    assert_eq!(sent(&mut air, 5721), at(5720) + EIFS);
    let mut air = Air::alone(RULES, 1);
    air.hear(0, heard(), at(1000), Some(LossCause::TooWeak));
    air.hear(0, frame(FrameKind::Ack, 7, 8, Duration::ZERO), at(5730), None);
    assert_eq!(sent(&mut air, 6035), at(5730 + 304) + DIFS);
}

/// A receiver that locks on to nothing that it cannot decode does not know that there was a frame.
#[test]
fn no_eifs_follows_noise() {
    for (rules, waits) in [("ieee-802.11", DIFS), ("ns2", micros(50 + 414))] {
        for (reception, waits) in [("first-decodable", DIFS), ("ns2", waits.max(EIFS))] {
            let keys = format!("rules = \"{rules}\"\n[radio]\nreception = \"{reception}\"");
            let mut air = Air::alone(&keys, 1);
            let noise = Arrival {
                to: NodeId(0),
                frame: &heard(),
                power: 1e-10,
                start: at(1000),
                spoiled: Some(LossCause::TooWeak),
                closing: false,
            };
            air.arrive(&noise);
            let wait = sent(&mut air, 5721).since(at(5720));
            if rules == "ieee-802.11" {
                assert_eq!(wait, waits, "{reception}");
            } else {
                // ns-2's EIFS ends before another DIFS, and a backoff is drawn.
                let least = if reception == "ns2" { EIFS + DIFS } else { DIFS };
                assert!(wait >= least && wait <= least + micros(620), "{reception}: {wait}");
            }
        }
    }
}

/// What is ignored makes the medium busy, and reserves nothing.
#[test]
fn a_frame_that_is_ignored_is_not_followed_by_eifs() {
    let ignored = |keys| {
        let mut air = Air::alone(keys, 1);
        air.hear(0, heard(), at(1000), None);
        let power = STRONG / 100.0;
        let (to, start, spoiled) = (NodeId(0), at(2000), None);
        air.arrive(&Arrival { to, frame: &heard(), power, start, spoiled, closing: false });
        sent(&mut air, 6721)
    };
    assert_eq!(ignored(RULES), at(6720) + DIFS);
    assert!(ignored("") >= at(6720) + EIFS + DIFS);
}

/// ns-2 wants the medium idle for it, too.
#[test]
fn a_cts_heeds_the_nav_alone() {
    let answered = |keys| {
        let mut air = Air::alone(keys, 1);
        air.hear(0, rts(1, 0), at(1000), None);
        air.hear(0, heard(), at(1355), None);
        air.run(at(3000));
        air.sent(0, FrameKind::Cts)
    };
    assert_eq!(answered(RTS), [at(1000 + 352 + 10)]);
    assert!(answered("rts_cts = true").is_empty());
}

/// The reservation of an RTS ends unless a frame follows it in time: here, after 556 us.
#[test]
fn an_rts_without_data_behind_it_reserves_little() {
    let answers = |keys: &str, follows: bool, us: u64| {
        let mut air = Air::alone(keys, 1);
        air.hear(0, rts(7, 8), at(1000), None);
        if follows {
            let cts = frame(FrameKind::Cts, 9, 8, Duration::ZERO);
            air.hear(0, cts, at(1400), None);
        }
        air.hear(0, rts(1, 0), at(us), None);
        air.run(at(us + 1000));
        !air.sent(0, FrameKind::Cts).is_empty()
    };
    assert!(answers(RTS, false, 1352 + 556), "nothing has followed");
    assert!(!answers(RTS, true, 1352 + 556), "a frame has");
    assert!(!answers(RTS, false, 1352 + 100), "it follows itself");
    assert!(answers(RTS, true, 1352 + 5358), "the reservation is over");
    assert!(!answers("rts_cts = true", false, 1352 + 556));
}

/// The CTS that answers such an RTS may come from too far away to be decoded. The first frame behind it that can be,
/// whoever has sent it, keeps the reservation, if its header is over in time.
#[test]
fn noise_behind_an_rts_leaves_its_reservation_to_the_next_frame() {
    let answers = |spoiled: Option<LossCause>, us: u64| {
        let keys = format!("{RTS}\n[radio]\nreception = \"first-decodable\"\ncapture_ratio = 1");
        let mut air = Air::alone(&keys, 1);
        air.hear(0, rts(7, 8), at(1000), spoiled);
        let cts = frame(FrameKind::Cts, 8, 7, Duration::ZERO);
        let (to, power, spoiled) = (NodeId(0), 1e-10, Some(LossCause::TooWeak));
        air.arrive(&Arrival { to, frame: &cts, power, start: at(1362), spoiled, closing: false });
        air.hear(0, rts(1, 0), at(us), None);
        air.run(at(us + 1000));
        !air.sent(0, FrameKind::Cts).is_empty()
    };
    let in_time = 1352 + 556 - 192;
    assert!(!answers(None, 1352 + 210), "while the CTS is on the air");
    assert!(!answers(None, in_time), "after it");
    assert!(answers(None, in_time + 1), "too late");
    assert!(answers(Some(LossCause::BitError), in_time), "the RTS was not heard");
}

/// ns-2 takes data above the RTS threshold only if it has sent the CTS.
#[test]
fn all_data_is_acknowledged() {
    let acknowledged = |keys| {
        let mut air = Air::alone(keys, 1);
        air.hear(0, frame(FrameKind::Data, 1, 0, micros(314)), at(1000), None);
        air.run(at(7000));
        (air.sent(0, FrameKind::Ack), air.received(0).len())
    };
    assert_eq!(acknowledged(RTS), (vec![at(1000 + 4720 + 10)], 1));
    assert_eq!(acknowledged("rts_cts = true"), (vec![], 0));
}

/// The attempt has failed, as soon as something else comes than what the station awaits.
#[test]
fn data_that_comes_in_place_of_an_acknowledgment_is_acknowledged_in_time() {
    let mut air = Air::alone(RULES, 1);
    air.run(at(1000));
    air.offer(0, 1);
    air.run(at(1000));
    let until = at(1000 + 4720);
    assert_eq!(air.sent(0, FrameKind::Data), [at(1000)]);
    let short = Frame { air_time: micros(220), ..frame(FrameKind::Data, 2, 0, micros(314)) };
    air.hear(0, short, until + micros(5), None);
    air.run(until + micros(1000));
    assert_eq!(air.sent(0, FrameKind::Ack), [until + micros(5 + 220 + 10)]);
}

/// A frame that is taken back leaves no backoff that was not drawn.
#[test]
fn a_frame_taken_back_leaves_the_next_one_its_first_attempt() {
    let mut air = Air::alone(RULES, 1);
    air.hear(0, heard(), at(1000), None);
    air.run(at(5730));
    air.give(0, JOB);
    assert!(air.stations[0].withdraw().is_some());
    assert_eq!(sent(&mut air, 5740), at(5720) + DIFS);
}
