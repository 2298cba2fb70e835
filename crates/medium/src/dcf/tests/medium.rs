//! Carrier sense, physical and virtual, and what a transmitting radio misses.

use multihop_core::{Duration, LossCause, NodeId, Time};

use crate::dcf::{Arrival, BROADCAST, Frame, FrameKind, Job};
use crate::tests::air::{Air, STRONG, at, frame, job, micros, slots};

const DIFS: Duration = micros(50);
const JOB: Job = job(BROADCAST);

/// When station 0, given a frame at 0, sends it, less the end of all reservations.
fn waits(seed: u64, reserved_until: Time, disturb: impl Fn(&mut Air)) -> u64 {
    let mut air = Air::alone("", seed);
    disturb(&mut air);
    air.give(0, JOB);
    air.run(at(200_000));
    slots(air.transmissions(0)[0].0.since(reserved_until), DIFS)
}

fn overheard(kind: FrameKind, reserved_us: u64) -> Frame {
    frame(kind, 7, 8, micros(reserved_us))
}

#[test]
fn overheard_frames_reserve_the_medium() {
    for seed in 0..40 {
        for (kind, air_time) in
            [(FrameKind::Rts, 352), (FrameKind::Cts, 304), (FrameKind::Data, 4720)]
        {
            let until = at(1 + air_time + 6000);
            let heard = overheard(kind, 6000);
            assert!(waits(seed, until, |air| air.hear(0, heard, at(1), None)) < 31);
        }
    }
}

#[test]
fn a_reservation_is_never_shortened() {
    for seed in 0..40 {
        let until = at(1 + 352 + 9000);
        let drawn = waits(seed, until, |air| {
            air.hear(0, overheard(FrameKind::Rts, 9000), at(1), None);
            air.hear(0, overheard(FrameKind::Cts, 100), at(1000), None);
            air.hear(0, overheard(FrameKind::Data, 0), at(2000), Some(LossCause::TooWeak));
        });
        assert!(drawn < 31);
    }
}

#[test]
fn a_frame_for_this_station_reserves_nothing() {
    for seed in 0..40 {
        let cts = frame(FrameKind::Cts, 7, 0, micros(9000));
        assert!(waits(seed, at(1 + 304), |air| air.hear(0, cts, at(1), None)) < 31);
    }
}

/// Known of ns-2: a frame that is ignored reserves the medium up to its end, and EIFS.
#[test]
fn an_ignored_frame_reserves_the_medium() {
    for seed in 0..40 {
        let until = at(100 + 4720 + 364);
        let drawn = waits(seed, until, |air| {
            air.hear(0, frame(FrameKind::Cts, 7, 8, Duration::ZERO), at(1), None);
            let weak = overheard(FrameKind::Data, 0);
            let (to, power, start) = (NodeId(0), STRONG / 16.0, at(100));
            air.arrive(&Arrival { to, frame: &weak, power, start, spoiled: None, closing: false });
        });
        assert!(drawn < 31);
    }
}

#[test]
fn two_frames_that_collide_end_with_the_later_one() {
    for seed in 0..40 {
        let until = at(100 + 4720 + 364);
        let drawn = waits(seed, until, |air| {
            air.hear(0, overheard(FrameKind::Rts, 9000), at(1), None);
            air.hear(0, overheard(FrameKind::Data, 9000), at(100), None);
        });
        assert!(drawn < 31);
    }
}

/// A frame that begins while the radio transmits is lost, also if it lasts longer.
#[test]
fn a_transmitting_radio_is_deaf() {
    for start in [700, 2000, 4719] {
        let mut air = Air::alone("", 1);
        air.give(0, JOB);
        air.run(at(700));
        let begin = air.transmissions(0)[0].0;
        let heard = frame(FrameKind::UnacknowledgedData, 7, BROADCAST, Duration::ZERO);
        air.hear(0, heard, begin + micros(start), None);
        air.run(at(100_000));
        assert!(air.received(0).is_empty());
        assert_eq!(air.stations[0].losses().count(LossCause::Transmitting), 1);
    }
}

/// Its own frame of 4720 us has ended when the other one begins.
#[test]
fn a_radio_hears_what_begins_when_it_falls_silent() {
    let mut air = Air::alone("", 1);
    air.give(0, JOB);
    air.run(at(700));
    let begin = air.transmissions(0)[0].0;
    let heard = frame(FrameKind::UnacknowledgedData, 7, BROADCAST, Duration::ZERO);
    air.hear(0, heard, begin + micros(4720), None);
    air.run(at(100_000));
    assert_eq!(air.received(0).len(), 1);
    assert_eq!(air.stations[0].losses().count(LossCause::Transmitting), 0);
}

/// Station 8 restarts while the frame of station 7 arrives, or 7 itself does.
#[test]
fn only_the_frame_of_the_station_that_restarts_is_cut_off() {
    for (restarts, received) in [(8, 1), (7, 0)] {
        let mut air = Air::alone("", 1);
        air.hear(0, frame(FrameKind::Data, 7, 0, micros(314)), at(1000), None);
        air.run(at(2000));
        air.stations[0].on_cut_off(NodeId(restarts), air.now);
        air.run(at(100_000));
        assert_eq!(air.received(0).len(), received, "station {restarts} restarts");
    }
}

/// A radio that begins to transmit while it receives loses that frame.
#[test]
fn transmitting_spoils_what_is_being_received() {
    let mut air = Air::alone("", 1);
    // A link acknowledgment goes out although another frame has begun to arrive.
    air.hear(0, frame(FrameKind::Data, 1, 0, micros(314)), at(1000), None);
    let start = at(1000 + 4720 + 5);
    let heard = frame(FrameKind::UnacknowledgedData, 7, BROADCAST, Duration::ZERO);
    air.hear(0, heard, start, None);
    air.run(at(100_000));
    assert_eq!(air.sent(0, FrameKind::Ack).len(), 1);
    assert_eq!(air.received(0).len(), 1);
    assert_eq!(air.stations[0].losses().count(LossCause::Transmitting), 1);
}

/// Of two frames that are under way, the one that begins later may be the first that the radio is told of.
#[test]
fn a_radio_is_deaf_to_what_begins_before_it_is_silent_whatever_comes_first() {
    let mut air = Air::alone("", 1);
    air.hear(0, frame(FrameKind::Data, 1, 0, micros(314)), at(1000), None);
    air.run(at(6000));
    let (to, nanos) = (NodeId(0), Duration::from_nanos);
    let silent = air.sent(0, FrameKind::Ack)[0] + micros(304);
    air.run(silent - nanos(500));
    let frame = &frame(FrameKind::UnacknowledgedData, 7, BROADCAST, Duration::ZERO);
    let (start, spoiled) = (silent + nanos(200), Some(LossCause::TooWeak));
    air.arrives(&Arrival { to, frame, power: STRONG / 100.0, start, spoiled, closing: false });
    let start = silent - nanos(100);
    air.arrives(&Arrival { to, frame, power: STRONG, start, spoiled: None, closing: false });
    air.run(at(100_000));
    assert_eq!(air.received(0).len(), 1, "what was acknowledged");
    assert_eq!(air.stations[0].losses().count(LossCause::Transmitting), 1);
}

/// What a bystander counts in 32 bits, which are 4.3 s, goes on beyond them.
#[test]
fn air_times_of_any_length_are_exact() {
    let mut air = Air::alone("", 1);
    let mut all = Duration::ZERO;
    for ms in [3000, 1294, 1, 5000, 4294, 2, 17] {
        let air_time = Duration::from_millis(ms);
        let long = Frame { air_time, ..overheard(FrameKind::Data, 0) };
        air.hear(0, long, air.now + micros(1), None);
        all += air_time;
        assert_eq!(air.stations[0].air_times(air.now + air_time).1, all);
        air.now += air_time;
    }
}

#[test]
fn air_times_add_up() {
    let mut air = Air::chain(3, "rts_cts = true", 1);
    air.saturated[0] = Some(job(1));
    air.run(at(1_000_000));
    let end = air.now;
    let exchanges = air.done(0).len() as u64;
    let (sends, receives) = air.stations[0].air_times(end);
    let (answers, hears) = air.stations[1].air_times(end);
    // Up to what is under way at the end.
    let under_way = |here: Duration, there: Duration| here.saturating_sub(there);
    assert!(under_way(sends, hears) < micros(1) && under_way(answers, receives) < micros(1));
    assert!(answers >= micros(608) * exchanges && answers <= micros(608) * (exchanges + 1));
    // Node 2 senses both of them: everything that the others send, in turn.
    let (nothing, all) = air.stations[2].air_times(end);
    assert_eq!(nothing, Duration::ZERO);
    assert!(all <= sends + answers && under_way(sends + answers, all) < micros(2));
}
