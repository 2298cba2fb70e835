//! What happens when an answer stays away.

use std::collections::BTreeSet;

use multihop_core::{Duration, Outcome, Time};

use crate::dcf::{Action, FrameKind, Job, OWN_LIMIT};
use crate::tests::air::{Air, at, frame, job, micros, slots};

const DIFS: Duration = micros(50);
/// Retry windows: a backoff is drawn from 0 to the window less one.
const WINDOWS: [u64; 6] = [63, 127, 255, 511, 1023, 1023];

/// The attempts of packets to a neighbour that does not exist.
fn deaf(keys: &str, kind: FrameKind, packets: usize) -> (Air, Vec<Time>) {
    let mut air = Air::alone(keys, 3);
    air.saturated[0] = Some(job(9));
    while air.done(0).len() < packets {
        let next = air.now + Duration::from_millis(1000);
        air.run(next);
    }
    let sent = air.sent(0, kind);
    (air, sent)
}

/// ns-2: seven attempts, each no earlier than 720 us (RTS) or 5088 us (data) after the one before.
#[test]
fn seven_attempts_with_windows_that_double() {
    let cases = [("rts_cts = true", FrameKind::Rts, 720), ("", FrameKind::Data, 5088)];
    for (keys, kind, least) in cases {
        let (air, sent) = deaf(keys, kind, 1000);
        let mut drawn = vec![BTreeSet::new(); 6];
        for (attempts, (end, outcome, count)) in sent.chunks(7).zip(air.done(0)).take(1000) {
            assert_eq!((outcome, count), (Outcome::Failed, 7));
            assert_eq!(end, attempts[6] + micros(least - 50));
            for (at, pair) in attempts.windows(2).enumerate() {
                drawn[at].insert(slots(pair[1].since(pair[0]), micros(least)));
            }
        }
        for (drawn, window) in drawn.iter().zip(WINDOWS) {
            assert!(drawn.iter().all(|slots| *slots < window), "{drawn:?}");
            assert!(drawn.last() > Some(&(window - 1 - window / 50)), "{drawn:?}");
            assert!(drawn.first() < Some(&(1 + window / 50)), "{drawn:?}");
        }
        assert_eq!(drawn[0].len(), 63);
    }
}

/// ns-2: the next packet's first attempt comes DIFS and 0 to 30 slots after the drop.
#[test]
fn the_window_is_reset_when_a_packet_is_given_up() {
    let (air, sent) = deaf("rts_cts = true", FrameKind::Rts, 1000);
    let mut drawn = BTreeSet::new();
    for (done, attempts) in air.done(0).iter().zip(sent.chunks(7).skip(1)) {
        drawn.insert(slots(attempts[0].since(done.0), DIFS));
    }
    assert_eq!(drawn, (0..31).collect());
}

/// Lets the RTS of station 0 be answered `after` unanswered ones, and returns when the data that
/// follows has begun.
fn clear(air: &mut Air, after: usize) -> Time {
    let before = air.sent(0, FrameKind::Rts).len();
    loop {
        let next = air.now + micros(10);
        air.run(next);
        if air.sent(0, FrameKind::Rts).len() > before + after {
            break;
        }
    }
    let rts = air.sent(0, FrameKind::Rts)[before + after];
    let cts = frame(FrameKind::Cts, 1, 0, micros(5000));
    let start = rts + micros(352 + 10);
    air.hear(0, cts, start, None);
    air.run(start + micros(304 + 10));
    *air.sent(0, FrameKind::Data).last().expect("a CTS is followed by data")
}

/// ns-2: a data frame behind an RTS is sent at most four times.
#[test]
fn data_behind_an_rts_is_sent_four_times() {
    let mut air = Air::alone("rts_cts = true", 1);
    air.offer(0, 1);
    let mut last = Time::ZERO;
    for unanswered in [0, 6, 2, 6] {
        // A CTS resets the count of short frames: six more RTS may fail each time.
        assert!(air.done(0).is_empty());
        last = clear(&mut air, unanswered);
    }
    air.run(last + micros(4720 + 2 + 10 + 304 + 2));
    let attempts = 4 + 1 + 7 + 3 + 7;
    assert_eq!(air.done(0), [(last + micros(5038), Outcome::Failed, attempts)]);
    assert_eq!(air.sent(0, FrameKind::Data).len(), 4);
}

#[test]
fn an_acknowledgment_resets_the_window() {
    let mut drawn = BTreeSet::new();
    for seed in 0..300 {
        let mut air = Air::alone("", seed);
        air.offer(0, 1);
        while air.sent(0, FrameKind::Data).len() < 4 {
            let next = air.now + micros(10);
            air.run(next);
        }
        let data = air.sent(0, FrameKind::Data)[3];
        let start = data + micros(4720 + 10);
        air.hear(0, frame(FrameKind::Ack, 1, 0, Duration::ZERO), start, None);
        air.run(start + micros(304));
        assert_eq!(air.done(0), [(start + micros(304), Outcome::Acknowledged, 4)]);
        air.offer(0, 1);
        air.run(air.now + micros(1000));
        drawn.insert(slots(air.sent(0, FrameKind::Data)[4].since(start + micros(304)), DIFS));
    }
    assert_eq!(drawn, (0..31).collect());
}

#[test]
fn answers_that_nobody_waits_for_are_ignored() {
    let mut air = Air::alone("rts_cts = true", 1);
    for (number, kind) in (0..).zip([FrameKind::Cts, FrameKind::Ack]) {
        air.hear(0, frame(kind, 1, 0, Duration::ZERO), at(10_000 * (number + 1)), None);
    }
    air.offer(0, 1);
    air.run(at(21_300));
    // An ACK while a CTS is awaited.
    let rts = air.sent(0, FrameKind::Rts)[0];
    air.hear(0, frame(FrameKind::Ack, 1, 0, Duration::ZERO), rts + micros(362), None);
    air.run(at(1_000_000));
    assert_eq!(air.done(0).len(), 1);
    assert_eq!((air.done(0)[0].1, air.done(0)[0].2), (Outcome::Failed, 7));
    assert!(!air.log.iter().any(|entry| matches!(entry.action, Action::Receive { .. })));
}

/// By ns-3's rules an RTS goes on as long as its frame lives, whatever the limits, but one that the frame's owner gives;
/// where frames have no life, attempts count.
#[test]
fn by_ns3s_rules_an_rts_is_repeated_as_long_as_its_frame_lives() {
    let own = "lifetime = \"2500 ms\"";
    for (rules, more, attempts, life) in [
        ("ns3", "", OWN_LIMIT, Ok(500)),
        ("ns3", own, OWN_LIMIT, Ok(2500)),
        ("ns3", "lifetime = \"0 s\"", OWN_LIMIT, Err(7)),
        ("ns3", "", 3, Err(3)),
        ("ieee-802.11", "", OWN_LIMIT, Err(7)),
        ("ieee-802.11", own, OWN_LIMIT, Err(7)),
        ("ns2", "", OWN_LIMIT, Err(7)),
    ] {
        let case = format!("{rules} {more} {attempts}");
        let mut air = Air::alone(&format!("rules = \"{rules}\"\nrts_cts = true\n{more}"), 1);
        air.give(0, Job { attempts, ..job(9) });
        air.run(at(5_000_000));
        let sent = air.transmissions(0);
        assert!(sent.iter().all(|(_, frame)| frame.kind == FrameKind::Rts), "{sent:?}");
        let [(end, Outcome::Failed, count)] = air.done(0)[..] else {
            panic!("{case}: {:?}", air.done(0))
        };
        assert_eq!(count as usize, sent.len(), "{case}");
        match life {
            // One attempt more begins before it is over, after a backoff of up to 1023 slots.
            Ok(life) => {
                let took = end.since(Time::ZERO);
                let millis = Duration::from_millis;
                assert!(took >= millis(life) && took < millis(life + 25), "{case}: {took:?}");
                assert!(count > 20, "{case}: {count}");
            }
            Err(attempts) => assert_eq!(count, attempts, "{case}"),
        }
    }
}

/// Data without an RTS has its attempts, and none after its life.
#[test]
fn a_life_ends_a_frame_that_has_attempts_left() {
    let attempts = |more: &str| {
        let mut air = Air::alone(more, 1);
        air.give(0, job(9));
        air.run(at(2_000_000));
        air.done(0)[0].2
    };
    assert_eq!(attempts("lifetime = \"1 s\""), 7);
    assert_eq!(attempts("lifetime = \"1 us\""), 1);
}
