//! What a radio has done with its time, against times worked out by hand.

use multihop_core::{AirTime, Duration, LossCause, Time};

use crate::dcf::{BROADCAST, FrameKind, Mode};
use crate::tests::air::{Air, at, frame, micros};

/// A data frame of 512 bytes of payload, in us, as all that follow.
const DATA: u64 = 4720;
const ACK: u64 = 304;
const RTS: u64 = 352;
const SIFS: u64 = 10;
/// SIFS, DIFS and an ACK.
const EIFS: u64 = 364;

fn air_time([sending, receiving, sensed, waiting, reserved]: [u64; 5]) -> AirTime {
    AirTime {
        sending: micros(sending),
        receiving: micros(receiving),
        sensed: micros(sensed),
        waiting: micros(waiting),
        reserved: micros(reserved),
    }
}

/// One station that counts, and that only hears what a test says.
fn listener() -> Air {
    let mut air = Air::alone("", 1);
    air.watch_air(0);
    air
}

fn told(air: &mut Air, us: u64) -> AirTime {
    air.stations[0].air(at(us))
}

#[test]
fn a_frame_for_others_is_received_and_then_reserves_the_medium() {
    let mut air = listener();
    let heard = frame(FrameKind::Rts, 7, 8, micros(5000));
    air.hear(0, heard, at(1000), None);
    // Asked in the middle of everything, and long after it.
    assert_eq!(told(&mut air, 1000), AirTime::default());
    assert_eq!(told(&mut air, 1100), air_time([0, 100, 0, 0, 0]));
    assert_eq!(told(&mut air, 1000 + RTS + 40), air_time([0, RTS, 0, 0, 40]));
    let whole = air_time([0, RTS, 0, 0, 5000]);
    assert_eq!(told(&mut air, 9000), whole);
    air.run(at(20_000));
    assert_eq!(told(&mut air, 20_000), whole);
    assert_eq!(whole.busy(), micros(RTS + 5000));
    assert_eq!(whole.deaf(), micros(RTS));
}

#[test]
fn what_cannot_be_decoded_is_sensed_and_eifs_follows() {
    let mut air = listener();
    let weak = frame(FrameKind::Data, 7, 8, micros(314));
    air.hear(0, weak, at(1000), Some(LossCause::TooWeak));
    assert_eq!(told(&mut air, 50_000), air_time([0, 0, DATA, 0, EIFS]));
}

#[test]
fn a_collision_ends_the_receiving_but_not_the_sensing() {
    let mut air = listener();
    for start in [1000, 3000] {
        air.hear(
            0,
            frame(FrameKind::UnacknowledgedData, 7, BROADCAST, Duration::ZERO),
            at(start),
            None,
        );
    }
    let all = DATA + 2000;
    assert_eq!(told(&mut air, 3000), air_time([0, 2000, 0, 0, 0]));
    assert_eq!(told(&mut air, 50_000), air_time([0, 2000, all - 2000, 0, EIFS]));
}

#[test]
fn a_shorter_reservation_does_not_count_twice() {
    let mut air = listener();
    air.hear(0, frame(FrameKind::Rts, 7, 8, micros(5000)), at(1000), None);
    // The CTS falls into what the RTS has reserved, and reserves less.
    air.hear(0, frame(FrameKind::Cts, 8, 7, micros(4000)), at(1000 + RTS + SIFS), None);
    assert_eq!(told(&mut air, 50_000), air_time([0, RTS + ACK, 0, 0, 5000 - ACK]));
}

#[test]
fn an_answer_is_waited_for_and_given_within_the_own_exchange() {
    let mut air = listener();
    // Data for this station: the ACK follows after SIFS.
    air.hear(0, frame(FrameKind::Data, 7, 0, micros(314)), at(1000), None);
    air.run(at(50_000));
    assert_eq!(told(&mut air, 50_000), air_time([ACK, DATA, 0, SIFS, 0]));
    // An RTS for it: after the CTS it waits for data that never comes.
    let mut air = listener();
    air.hear(0, frame(FrameKind::Rts, 7, 0, micros(5000)), at(1000), None);
    air.run(at(50_000));
    let told = told(&mut air, 50_000);
    let reserved = air.transmissions(0)[0].1.reserved;
    let waits = air.profile.data_timeout(reserved).saturating_sub(micros(ACK)) + micros(SIFS);
    assert_eq!((told.sending, told.receiving, told.waiting), (micros(ACK), micros(RTS), waits));
    assert_eq!((told.sensed, told.reserved), (Duration::ZERO, Duration::ZERO));
}

#[test]
fn a_frame_that_nobody_answers_is_sent_and_waited_for() {
    let mut air = listener();
    air.offer(0, 9);
    air.run(at(4000));
    let sent = air.sent(0, FrameKind::Data)[0];
    let ends = sent + air.profile.ack_timeout(micros(DATA), air.profile.ack(Mode::ONLY));
    let before = ends.since(sent).saturating_sub(micros(DATA));
    air.run(ends);
    let told = air.stations[0].air(ends);
    assert_eq!((told.sending, told.waiting), (micros(DATA), before), "{told:?}");
    assert_eq!(told.busy(), micros(DATA) + before);
}

#[test]
fn while_it_sends_a_radio_does_nothing_else() {
    let mut air = listener();
    air.offer(0, 9);
    air.run(at(1000));
    let sent = air.transmissions(0)[0].0;
    let late = sent + micros(3000);
    air.hear(0, frame(FrameKind::Data, 7, 8, micros(314)), late, None);
    let end = late + micros(DATA + EIFS);
    air.run(end);
    let told = air.stations[0].air(end);
    // It sees the end of the other frame, and cannot make anything of it.
    assert_eq!((told.sending, told.receiving), (micros(DATA), Duration::ZERO));
    assert_eq!((told.sensed, told.reserved), (micros(3000), micros(EIFS)));
}

#[test]
fn a_station_that_nobody_asks_counts_nothing() {
    let mut air = Air::alone("", 1);
    air.hear(0, frame(FrameKind::Data, 7, 8, micros(314)), at(1000), None);
    air.run(at(20_000));
    assert_eq!(told(&mut air, 20_000), AirTime::default());
}

/// The meter and the totals of every radio are counted in two ways, and agree; and counting
/// changes nothing.
#[test]
fn counting_agrees_with_the_totals_and_changes_nothing() {
    for (seed, keys) in (1..).zip(["", "rts_cts = true", "eifs = false"]) {
        let busy = |counted: bool| {
            let mut air = Air::chain(6, keys, seed);
            for node in 0..6 {
                if counted {
                    air.watch_air(node);
                }
                air.saturate(node, (node + 1) % 6);
            }
            air.run(at(3_000_000));
            air
        };
        let (mut air, plain) = (busy(true), busy(false));
        assert_eq!(air.transmitted, plain.transmitted);
        for station in &mut air.stations {
            let (sending, receiving) = station.air_times(air.now);
            let told = station.air(air.now);
            assert_eq!(told.sending, sending);
            // Frames that begin within one propagation delay of each other.
            let sensed = told.receiving + told.sensed;
            let apart = sensed.nanos().abs_diff(receiving.nanos());
            assert!(apart < 5_000_000 / 100, "{keys}: {sensed} {receiving}");
            assert!(told.busy() <= air.now.since(Time::ZERO) && told.waiting > Duration::ZERO);
        }
    }
}
