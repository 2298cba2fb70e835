//! What a node may wish of its MAC for one frame: a rate, and a window of its own.

use multihop_core::{Bytes, Rate, Time};

use crate::dcf::{BROADCAST, FrameKind, Job, Mode, OWN_RATE, OWN_WINDOW};
use crate::tests::air::{Air, job, micros, slots};

const JOB: Job = job(1);

/// How long the only frame of `job` is on the air.
fn air_time(job: Job) -> u64 {
    let mut air = Air::chain(2, "", 1);
    air.give(0, job);
    air.run(Time::ZERO + micros(100_000));
    let data = [FrameKind::Data, FrameKind::UnacknowledgedData];
    let sent = air.transmissions(0).into_iter().find(|(_, frame)| data.contains(&frame.kind));
    sent.expect("one is sent").1.air_time.nanos() / 1000
}

#[test]
fn a_rate_decides_how_long_the_data_is_on_the_air() {
    // 192 us of preamble, and 566 B at 1 Mbit/s, 2 Mbit/s and 11 Mbit/s.
    let at = |mbit: u64| air_time(Job { rate: Rate(mbit * 1_000_000), ..JOB });
    assert_eq!(air_time(JOB), 4720);
    assert_eq!([at(1), at(2), at(11)], [4720, 2456, 603]);
    let longer = Job { preamble: multihop_core::Bytes(200), ..JOB };
    assert_eq!(air_time(longer), air_time(JOB) + 1_600, "200 B more at 1 Mbit/s");
    let broadcast = Job { to: BROADCAST, acknowledged: false, ..JOB };
    assert_eq!(air_time(broadcast), 4720);
    assert_eq!(air_time(Job { rate: Rate(2_000_000), ..broadcast }), 2456);
}

#[test]
fn what_an_rts_reserves_follows_the_rate() {
    let rts = |rate| {
        let mut air = Air::chain(2, "rts_cts = true", 1);
        air.give(0, Job { rate, ..JOB });
        air.run(Time::ZERO + micros(100_000));
        air.transmissions(0)[0].1
    };
    let (own, fast) = (rts(OWN_RATE), rts(Rate(2_000_000)));
    assert_eq!((own.kind, own.air_time), (FrameKind::Rts, fast.air_time));
    assert_eq!(own.reserved - fast.reserved, micros(4720 - 2456));
}

/// The slots before the first attempts of 300 frames that ask for `cw_min` behind `first` slots.
fn backoffs(cw_min: u32, first: u32) -> Vec<u64> {
    let mut air = Air::alone("", 3);
    let job = Job { to: BROADCAST, acknowledged: false, bytes: Bytes(100), cw_min, first, ..JOB };
    air.saturated[0] = Some(job);
    air.run(Time::ZERO + micros(5_000_000));
    let sent = air.transmissions(0);
    let gap = |pair: &[(Time, crate::dcf::Frame)]| {
        slots(pair[1].0.since(pair[0].0 + pair[0].1.air_time), micros(50))
    };
    sent.windows(2).map(gap).take(300).collect()
}

#[test]
fn a_smaller_window_draws_smaller_backoffs() {
    let most = |cw_min| {
        let slots = backoffs(cw_min, 0);
        assert_eq!(slots.len(), 300);
        slots.into_iter().max().expect("300 of them")
    };
    assert_eq!([most(OWN_WINDOW), most(31), most(7), most(1)], [30, 30, 6, 0]);
    // The largest window of the MAC bounds it.
    assert!((1000..1023).contains(&most(1_000_000)));
}

#[test]
fn slots_may_go_before_those_that_are_drawn() {
    let drawn = backoffs(OWN_WINDOW, 0);
    let later = backoffs(OWN_WINDOW, 5);
    // The same draws, but for the first: its backoff came before any wish.
    assert!(drawn.iter().zip(&later).skip(1).all(|(drawn, later)| *later == drawn + 5));
    assert_eq!(backoffs(1, 2).into_iter().skip(1).max(), Some(2));
    // The largest window of the MAC bounds them.
    assert_eq!(backoffs(1, u32::MAX).into_iter().nth(1), Some(1023));
}

#[test]
fn the_next_frame_without_a_wish_has_the_mac_s_window_again() {
    let mut air = Air::chain(2, "", 5);
    let mut most = 0;
    for round in 0..60 {
        let start = air.now;
        air.give(0, Job { cw_min: if round % 2 == 0 { 1 } else { OWN_WINDOW }, to: 9, ..JOB });
        air.run(start + micros(1_000_000));
        let sent: Vec<Time> =
            air.sent(0, FrameKind::Data).into_iter().filter(|at| *at >= start).collect();
        let timeout = air.profile.ack_timeout(micros(4720), air.profile.ack(Mode::ONLY));
        let second = slots(sent[1].since(sent[0] + timeout), micros(50));
        if round % 2 == 0 {
            assert!(second < 3, "the window is 1 and then 3: {second}");
        } else {
            most = most.max(second);
        }
    }
    assert!((31..63).contains(&most), "{most}");
}
