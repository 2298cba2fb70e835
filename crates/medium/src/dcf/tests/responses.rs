//! CTS and link acknowledgments: when they are owed, and when they are not sent.

use multihop_core::{Duration, LossCause, NodeId, Time};

use super::batch::line_of;
use crate::dcf::{Arrival, Frame, FrameKind};
use crate::tests::air::{Air, at, frame, micros, slots};

const RTS: &str = "rts_cts = true";

fn rts(from: u32, to: u32) -> Frame {
    frame(FrameKind::Rts, from, to, micros(5358))
}

fn data(from: u32, to: u32, sequence: u32) -> Frame {
    Frame { sequence, ..frame(FrameKind::Data, from, to, micros(314)) }
}

#[test]
fn an_rts_is_answered_after_sifs() {
    let mut air = Air::alone(RTS, 1);
    air.hear(0, rts(1, 0), at(1000), None);
    air.run(at(3000));
    assert_eq!(air.sent(0, FrameKind::Cts), [at(1000 + 352 + 10)]);
    let (_, cts) = air.transmissions(0)[0];
    assert_eq!((cts.to, cts.reserved), (1, micros(5358 - 10 - 304)));
}

/// Nobody needs to know of an RTS before the CTS is due.
#[test]
fn an_rts_needs_no_wake_up_of_its_own() {
    let mut air = Air::alone(RTS, 1);
    air.hear(0, rts(1, 0), at(1000), None);
    assert_eq!(air.deadline(0), at(1000 + 352 + 10));
    air.run(at(3000));
    assert_eq!(air.sent(0, FrameKind::Cts), [at(1000 + 352 + 10)]);
}

/// A CTS that is lost: who has sent the RTS sends it again. By ns-2's rules the station waits for the data of the first.
#[test]
fn a_cts_binds_its_station_by_ns2s_rules_alone() {
    for (rules, answers) in [("ns2", 1), ("ieee-802.11", 2), ("ns3", 2)] {
        let mut air = Air::alone(&format!("{RTS}\nrules = \"{rules}\""), 1);
        air.hear(0, rts(1, 0), at(1000), None);
        air.hear(0, rts(1, 0), at(3000), None);
        air.run(at(5000));
        assert_eq!(air.sent(0, FrameKind::Cts).len(), answers, "{rules}");
    }
}

/// ns-3 takes who sends an RTS for the holder of the TXOP, where stations have no access point.
#[test]
fn by_ns3s_rules_of_edca_a_cts_does_not_heed_the_nav() {
    for (keys, answers) in [
        ("timing = \"ht-5\"\nrules = \"ns3\"", 1),
        ("timing = \"ht-5\"\nrules = \"ieee-802.11\"", 0),
        ("timing = \"ofdm-5\"\nrules = \"ns3\"", 0),
    ] {
        let mut air = line_of(&format!("{RTS}\n{keys}"), 1, 5.0, 1);
        air.hear(0, rts(7, 8), at(1000), None);
        air.hear(0, rts(1, 0), at(1400), None);
        air.run(at(2000));
        assert_eq!(air.sent(0, FrameKind::Cts).len(), answers, "{keys}");
    }
}

/// ns-2, "NAV set: CTS not sent" and "NAV set: ACK sent after SIFS".
#[test]
fn a_reserved_medium_suppresses_the_cts_but_not_the_ack() {
    let mut air = Air::alone(RTS, 1);
    air.hear(0, rts(7, 8), at(1000), None);
    air.hear(0, rts(1, 0), at(3000), None);
    air.run(at(5000));
    assert!(air.transmissions(0).is_empty());
    // The RTS of 7 has reserved the medium until 1352 + 5358.
    air.hear(0, rts(1, 0), at(1352 + 5358 - 352 - 11), None);
    air.run(at(7000));
    assert!(air.transmissions(0).is_empty());
    air.hear(0, rts(1, 0), at(1352 + 5358 + 1000), None);
    air.run(at(9000));
    assert_eq!(air.transmissions(0).len(), 1);

    let mut air = Air::alone("", 1);
    air.hear(0, rts(7, 8), at(1000), None);
    air.hear(0, data(1, 0, 1), at(1500), None);
    air.run(at(20_000));
    assert_eq!(air.sent(0, FrameKind::Ack), [at(1500 + 4720 + 10)]);
    assert_eq!(air.received(0).len(), 1);
}

/// ns-2, "CTS not sent" and "ACK sent after SIFS" while an ignored frame is still on the air.
#[test]
fn a_captured_frame_suppresses_the_cts_but_not_the_ack() {
    for (keys, wanted, answers) in [(RTS, rts(1, 0), 0), ("", data(1, 0, 1), 1)] {
        let mut air = Air::alone(keys, 1);
        air.hear(0, wanted, at(1000), None);
        let weak = Arrival {
            to: NodeId(0),
            frame: &data(7, 8, 1),
            power: crate::tests::air::STRONG / 11.2,
            start: at(1100),
            spoiled: Some(LossCause::TooWeak),
            closing: false,
        };
        air.arrive(&weak);
        air.run(at(20_000));
        assert_eq!(air.transmissions(0).len(), answers, "{keys}");
    }
}

#[test]
fn a_second_copy_is_acknowledged_but_not_handed_up() {
    let mut air = Air::alone("", 1);
    for (number, (from, sequence)) in (1..).zip([(1, 5), (1, 5), (2, 5), (1, 6), (2, 5), (1, 5)]) {
        air.hear(0, data(from, 0, sequence), at(10_000 * number), None);
        air.run(at(10_000 * number + 9000));
    }
    assert_eq!(air.sent(0, FrameKind::Ack).len(), 6);
    let taken: Vec<_> = air.received(0).iter().map(|f| (f.from, f.sequence)).collect();
    // Only the last frame of each neighbour is remembered (IEEE 802.11, 9.2.9).
    assert_eq!(taken, [(1, 5), (2, 5), (1, 6), (1, 5)]);
}

#[test]
fn announced_data_counts_only_after_the_cts() {
    let mut air = Air::alone(RTS, 1);
    air.hear(0, data(1, 0, 1), at(1000), None);
    air.run(at(10_000));
    assert!(air.log.is_empty() && air.transmitted.is_empty());
}

#[test]
fn a_damaged_frame_is_not_answered() {
    for cause in [LossCause::TooWeak, LossCause::BitError] {
        let mut air = Air::alone("", 1);
        air.hear(0, data(1, 0, 1), at(1000), Some(cause));
        air.hear(0, rts(1, 0), at(9000), Some(cause));
        air.run(at(20_000));
        assert!(air.log.is_empty() && air.transmitted.is_empty());
    }
}

/// ns-2: a CTS has come, but the medium is busy when the data is due: the exchange begins anew,
/// with a wider window (0 to 62 slots behind EIFS and DIFS).
#[test]
fn a_busy_medium_holds_back_the_data_and_widens_the_window() {
    let mut widest = 0;
    for seed in 0..200 {
        let mut air = Air::alone(RTS, seed);
        air.offer(0, 1);
        air.run(at(750));
        let begin = air.sent(0, FrameKind::Rts)[0];
        let cts = begin + micros(352 + 10);
        air.hear(0, frame(FrameKind::Cts, 1, 0, micros(5044)), cts, None);
        let noise = Arrival {
            to: NodeId(0),
            frame: &data(7, 8, 1),
            power: crate::tests::air::STRONG / 12.6,
            start: cts + micros(100),
            spoiled: Some(LossCause::TooWeak),
            closing: false,
        };
        air.arrive(&noise);
        air.run(at(100_000));
        assert!(air.sent(0, FrameKind::Data).is_empty());
        let idle = cts + micros(100 + 4720 + 364 + 50);
        let waited = slots(air.sent(0, FrameKind::Rts)[1].since(idle), Duration::ZERO);
        widest = widest.max(waited);
        assert!(waited < 63);
    }
    assert!(widest > 55, "{widest}");
}

/// A station whose CTS is followed by nothing is idle again after the time the data would take.
#[test]
fn data_that_stays_away_does_not_block_the_station() {
    let mut air = Air::alone(RTS, 1);
    air.hear(0, rts(1, 0), at(1000), None);
    air.run(at(1363));
    // Busy with the exchange: another RTS is not answered.
    air.hear(0, rts(2, 0), at(2000), None);
    air.run(at(9000));
    assert_eq!(air.sent(0, FrameKind::Cts).len(), 1);
    air.hear(0, rts(2, 0), at(9000), None);
    air.run(at(10_000));
    assert_eq!(air.sent(0, FrameKind::Cts).len(), 2);
}

#[test]
fn a_station_that_owes_an_answer_gives_it_before_its_own_frame() {
    for seed in 0..50 {
        let mut air = Air::alone("", seed);
        air.hear(0, data(1, 0, 1), at(1000), None);
        air.run(at(1000 + 4720));
        air.offer(0, 1);
        air.run(at(20_000));
        let ack = at(1000 + 4720 + 10);
        let first = air.transmissions(0);
        assert_eq!((first[0].0, first[0].1.kind), (ack, FrameKind::Ack));
        assert!(slots(first[1].0.since(ack + micros(304)), micros(50)) < 31);
        assert_eq!(air.now, Time::from_nanos(20_000_000));
    }
}

/// ns-2 (`recvDATA`): a station that has sent a CTS discards data that needed none. By the standard it acknowledges it.
#[test]
fn data_that_comes_in_place_of_what_was_announced_is_discarded_or_acknowledged() {
    for (rules, taken) in [("ns2", 0), ("ieee-802.11", 1), ("ns3", 1)] {
        let mut air = Air::alone(&format!("rules = \"{rules}\"\nrts_threshold = \"1000 B\""), 1);
        air.hear(0, rts(1, 0), at(1000), None);
        air.run(at(1670));
        assert_eq!(air.sent(0, FrameKind::Cts).len(), 1);
        air.hear(0, data(2, 0, 1), at(1680), None);
        air.run(at(20_000));
        let received = air.received(0).len();
        assert_eq!((received, air.sent(0, FrameKind::Ack).len()), (taken, taken), "{rules}");
    }
}
