//! Frames for two receivers, which acknowledge them one after the other.

use multihop_core::{Duration, LossCause, Outcome};

use crate::dcf::{BROADCAST, Frame, FrameKind, Job, PAIR};
use crate::tests::air::{Air, Call, at, frame, job, micros};

/// 200 m at 3e8 m/s.
const PROPAGATION: Duration = Duration::from_nanos(667);
const SIFS: Duration = micros(10);
const ACK: Duration = micros(304);
/// 192 us of preamble, and 34 + 6 + 532 B at 1 Mbit/s.
const DATA: Duration = micros(192 + 8 * 572);

fn for_both(pair: [u32; 2]) -> Job {
    Job { pair, ..job(PAIR) }
}

/// A frame of station 1 for two, on the air for as long as a usual one.
fn for_two(pair: [u32; 2]) -> Frame {
    Frame { pair, ..frame(FrameKind::Data, 1, PAIR, micros(628)) }
}

/// Station 1 of a chain of three sends a frame to `pair`.
fn sent_to(pair: [u32; 2], keys: &str) -> Air {
    let mut air = Air::chain(3, keys, 1);
    air.give(1, for_both(pair));
    air.run(at(200_000));
    air
}

#[test]
fn two_receivers_acknowledge_one_after_the_other() {
    let air = sent_to([2, 0], "");
    let [(begin, data)] = air.transmissions(1)[..] else { panic!("one frame") };
    assert_eq!((data.air_time, data.reserved), (DATA, (SIFS + ACK) * 2));
    let [(first, ack)] = air.transmissions(2)[..] else { panic!("one acknowledgment") };
    assert_eq!(first, begin + DATA + PROPAGATION + SIFS);
    assert_eq!((ack.kind, ack.reserved), (FrameKind::Ack, SIFS + ACK));
    let [(second, ack)] = air.transmissions(0)[..] else { panic!("one acknowledgment") };
    assert_eq!(second, first + ACK + SIFS);
    assert_eq!((ack.kind, ack.reserved), (FrameKind::Ack, Duration::ZERO));
    assert_eq!(air.done(1), [(second + ACK + PROPAGATION, Outcome::Acknowledged, 1)]);
    assert_eq!([0, 2].map(|node| air.received(node).len()), [1, 1]);
}

#[test]
fn an_rts_announces_no_frame_for_two() {
    let air = sent_to([2, 0], "rts_cts = true");
    assert!(air.sent(1, FrameKind::Rts).is_empty());
    assert_eq!(air.done(1)[0].1, Outcome::Acknowledged);
}

#[test]
fn the_sender_says_which_of_the_two_has_acknowledged_and_does_not_try_again() {
    let outcome = |pair| {
        let air = sent_to(pair, "");
        let [(end, outcome, attempts)] = air.done(1)[..] else { panic!("it ends once") };
        (outcome, attempts, end.since(air.sent(1, FrameKind::Data)[0]))
    };
    let first = DATA + SIFS + ACK;
    // The last moment at which the second could still have come: ns-2 allows 2 us each way.
    let both = first + SIFS + ACK + micros(4);
    assert_eq!(outcome([2, 9]), (Outcome::FirstAcknowledged, 1, both));
    let second = first + SIFS + ACK + PROPAGATION * 2;
    assert_eq!(outcome([9, 2]), (Outcome::SecondAcknowledged, 1, second));
}

#[test]
fn a_frame_that_neither_acknowledges_is_tried_again_as_any_other() {
    let air = sent_to([8, 9], "");
    let [(end, outcome, attempts)] = air.done(1)[..] else { panic!("it ends once") };
    assert_eq!((outcome, attempts), (Outcome::Failed, 7));
    let sent = air.sent(1, FrameKind::Data);
    assert_eq!(end, sent[6] + DATA + (SIFS + ACK) * 2 + micros(4));
    assert!(air.transmissions(1).windows(2).all(|pair| pair[0].1 == pair[1].1), "the same frame");
}

#[test]
fn a_frame_that_comes_again_is_acknowledged_and_not_handed_up() {
    let mut air = Air::alone("", 1);
    for start in [1_000, 10_000] {
        air.hear(0, for_two([7, 0]), at(start), None);
        air.run(at(start + 8_000));
    }
    assert_eq!(air.sent(0, FrameKind::Ack), [1_000, 10_000].map(|from| at(from + 4720 + 324)));
    assert_eq!(air.received(0).len(), 1);
}

#[test]
fn what_is_declined_is_not_acknowledged_and_new_if_it_comes_again() {
    for pair in [[0, 7], [7, 0]] {
        let mut air = Air::alone("", 1);
        air.hear(0, for_two(pair), at(1_000), None);
        air.run(at(1_000 + 4720));
        air.call(0, &Call::Decline);
        air.run(at(9_000));
        assert!(air.transmissions(0).is_empty());
        air.hear(0, for_two(pair), at(10_000), None);
        air.run(at(18_000));
        assert_eq!(air.sent(0, FrameKind::Ack).len(), 1);
        assert_eq!(air.received(0).len(), 2, "both times");
    }
}

/// A station that has a frame itself goes on with its backoff.
#[test]
fn who_declines_sends_its_own_frame_then() {
    let mut air = Air::alone("", 1);
    air.hear(0, for_two([0, 7]), at(1_000), None);
    air.run(at(2_000));
    air.give(0, job(BROADCAST));
    air.run(at(1_000 + 4720));
    air.call(0, &Call::Decline);
    air.run(at(20_000));
    let sent = air.sent(0, FrameKind::UnacknowledgedData);
    assert!(sent.len() == 1 && sent[0] >= at(1_000 + 4720 + 628 + 50), "{sent:?}");
}

/// Whoever decodes the frame waits for both acknowledgments, also if none comes; so do its receivers.
#[test]
fn the_medium_stays_reserved_for_both_acknowledgments() {
    let own = job(BROADCAST);
    for pair in [[8, 9], [0, 9], [9, 0]] {
        for seed in 0..20 {
            let mut air = Air::alone("", seed);
            air.hear(0, for_two(pair), at(1_000), None);
            air.run(at(2_000));
            air.give(0, own);
            air.run(at(20_000));
            let sent = air.sent(0, FrameKind::UnacknowledgedData);
            let free = at(1_000 + 4720 + 628);
            assert!(sent.len() == 1 && sent[0] >= free + micros(50), "{pair:?}: {sent:?}");
        }
    }
}

#[test]
fn both_receivers_count_what_they_lose() {
    for pair in [[0, 7], [7, 0], [7, 8]] {
        let mut air = Air::alone("", 1);
        air.hear(0, for_two(pair), at(1_000), Some(LossCause::BitError));
        air.run(at(9_000));
        let lost = air.stations[0].losses().count(LossCause::BitError);
        assert_eq!(lost, u64::from(pair.contains(&0)), "{pair:?}");
    }
}
