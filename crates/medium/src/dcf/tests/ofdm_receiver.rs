//! Receivers of OFDM: what ns-3.37 makes of frames of 1064 B that overlap at one of its radios (802.11a, error model of
//! NIST, noise of -93.97 dBm, preambles from -82 dBm on).

use multihop_core::{Bytes, Duration, Rate, Time};

use crate::dcf::{BROADCAST, Frame, FrameKind};
use crate::tests::air::{Air, at, frame, job, micros};

const OFDM: &str = "timing = \"ofdm-5\"";

/// A frame at the receiver: when it begins, in us, and how strong it is, in dBm.
type Signal = (u64, f64);

/// A radio that nobody hears, and the frame of 1064 B at so many Mbit/s that others broadcast.
fn alone(keys: &str, seed: u64, rate: u64) -> (Air, Frame) {
    let air = Air::alone(keys, seed);
    let (rate, bytes) = (Rate(rate * 1_000_000), Bytes(1064));
    let frame = Frame {
        bytes,
        mode: air.profile.mode(rate),
        air_time: air.profile.data(bytes, rate),
        ..frame(FrameKind::UnacknowledgedData, 1, BROADCAST, Duration::ZERO)
    };
    (air, frame)
}

fn watts(dbm: f64) -> f64 {
    libm::pow(10.0, dbm / 10.0 - 3.0)
}

/// The signals arrive, of stations 1, 2 and so on, `from` then on.
fn arrive(air: &mut Air, frame: Frame, from: u64, signals: &[Signal]) {
    for (number, (start, dbm)) in (1..).zip(signals) {
        air.hear_as(&Frame { from: number, ..frame }, watts(*dbm), at(from + start));
    }
}

/// How often, of 200 times, the frame of each is received.
fn shares<const N: usize>(keys: &str, rate: u64, signals: [Signal; N]) -> [u32; N] {
    let (mut air, frame) = alone(keys, 1, rate);
    for time in 1..=200 {
        arrive(&mut air, frame, 20_000 * time, &signals);
    }
    air.run(at(20_000 * 202));
    let mut received = [0; N];
    for frame in air.received(0) {
        received[frame.from as usize - 1] += 1;
    }
    received
}

/// Three and a half standard errors of 200 draws.
fn near(found: u32, expected: u32) -> bool {
    found.abs_diff(expected) <= 24
}

#[test]
fn noise_decides_which_rate_a_signal_carries() {
    for (rate, dbm, expected) in
        [(6, -82.0, 200), (54, -82.0, 0), (54, -69.5, 200), (24, -78.0, 200)]
    {
        assert_eq!(shares(OFDM, rate, [(0, dbm)]), [expected], "{rate} Mbit/s, {dbm} dBm");
    }
    assert_eq!(shares(OFDM, 6, [(0, -82.1)]), [0], "below the threshold");
    let better = format!("{OFDM}\n[radio]\nerrors = \"table\"");
    assert_eq!(shares(&better, 54, [(0, -74.0)]), [200]);
    assert_eq!(shares(OFDM, 54, [(0, -74.0)]), [0]);
    let noisy = format!("{OFDM}\n[radio]\nnoise_figure = \"9 dB\"");
    let [less, more] = [OFDM, &noisy].map(|keys| shares(keys, 54, [(0, -71.0)])[0]);
    assert!(less > 150 && more < 20, "{less}, {more} with 2 dB more noise");
}

/// At 24 Mbit/s: A, then B behind it and so many dB weaker.
#[test]
fn of_two_the_frames_survive_that_survive_in_ns3() {
    for (dbm, ratio, offset, expected) in [
        (-60.0, 12.0, 30, [0, 0]),
        (-60.0, 12.0, 100, [1, 0]),
        (-60.0, 14.0, 30, [193, 0]),
        (-60.0, 16.0, 18, [200, 0]),
        (-75.0, 14.0, 18, [97, 0]),
        (-75.0, 14.0, 100, [112, 0]),
        (-60.0, -20.0, 3, [0, 200]),
        (-60.0, -20.0, 5, [0, 0]),
        (-60.0, -20.0, 30, [0, 0]),
    ] {
        let found = shares(OFDM, 24, [(0, dbm), (offset, dbm - ratio)]);
        let alike = found.into_iter().zip(expected).all(|(one, other)| near(one, other));
        assert!(alike, "{dbm} dBm, {ratio} dB, {offset} us: {found:?}, not {expected:?}");
    }
}

/// A third frame like B, 1 us later.
#[test]
fn of_three_they_do_too() {
    for (dbm, ratio, offset, expected) in [
        (-60.0, 14.0, 30, 0),
        (-60.0, 16.0, 5, 132),
        (-60.0, 16.0, 100, 150),
        (-75.0, 16.0, 30, 0),
        (-75.0, 18.0, 30, 186),
        (-60.0, -20.0, 3, 0),
    ] {
        let weaker = dbm - ratio;
        let found = shares(OFDM, 24, [(0, dbm), (offset, weaker), (offset + 1, weaker)]);
        let none = found[1] + found[2] == 0;
        assert!(none && near(found[0], expected), "{dbm} dBm, {ratio} dB, {offset} us: {found:?}");
    }
}

/// When the radio, which the signals reach, finds the medium idle again, in us.
fn busy_until(keys: &str, signals: &[Signal]) -> u64 {
    let (mut air, frame) = alone(keys, 1, 24);
    arrive(&mut air, frame, 1000, signals);
    let idle = |us: &u64| air.stations[0].is_idle(at(1000 + us));
    let last = signals.last().map_or(0, |(start, _)| *start);
    (last + 1..2000).find(idle).expect("they end")
}

#[test]
fn the_medium_is_busy_as_long_as_signals_are_strong_enough_together() {
    // A lasts 376 us.
    for (signals, expected) in [
        (vec![(0, -60.0)], 376),
        (vec![(0, -75.0), (30, -81.0)], 406),
        (vec![(0, -75.0), (30, -83.0)], 376),
        (vec![(0, -75.0), (30, -83.0), (31, -83.0)], 406),
        (vec![(0, -75.0), (30, -87.0), (31, -87.0)], 376),
        // None of the two is noticed.
        (vec![(0, -60.0), (0, -60.0)], 376),
        (vec![(0, -60.0), (18, -40.0)], 394),
        // None of them would be.
        (vec![(0, -84.0), (100, -84.0)], 376),
    ] {
        assert_eq!(busy_until(OFDM, &signals), expected, "{signals:?}");
    }
    let (mut air, frame) = alone(OFDM, 1, 24);
    arrive(&mut air, frame, 1000, &[(0, -83.0)]);
    assert!(air.stations[0].is_idle(at(1100)), "too weak to be noticed");
}

#[test]
fn frames_that_are_noticed_below_the_level_of_energy_keep_the_medium_busy_while_they_are_received()
{
    let keys = format!("{OFDM}\n[radio]\nreceive_threshold = \"-90 dBm\"");
    assert_eq!(busy_until(&keys, &[(0, -88.0)]), 376);
    // The header is lost.
    assert_eq!(busy_until(&keys, &[(0, -88.0), (5, -84.0)]), 20);
}

#[test]
fn behind_a_header_that_is_lost_the_radio_is_free() {
    let lost = [(0, -60.0), (5, -40.0)];
    for (start, expected) in [(15, 0), (30, 200)] {
        let third = shares(OFDM, 24, [lost[0], lost[1], (start, -15.0)])[2];
        assert_eq!(third, expected, "{start} us");
    }
    let payload = shares(OFDM, 24, [(0, -60.0), (30, -40.0), (60, -15.0)]);
    assert_eq!(payload, [0, 0, 0], "a frame is received to its end, right or wrong");
}

#[test]
fn eifs_follows_frames_whose_header_was_right() {
    for (signals, idle_from) in [
        (&[(0, -60.0), (30, -60.0)][..], 376 + 16 + 44),
        // The medium is busy until then.
        (&[(0, -60.0), (5, -40.0)], 381),
        (&[(0, -60.0)], 376),
    ] {
        let (mut air, frame) = alone(OFDM, 1, 24);
        arrive(&mut air, frame, 1000, signals);
        air.run(at(1200));
        air.give(0, job(1));
        // The frame that is right is handed up.
        air.run(at(1376));
        let sends = at(1000 + idle_from) + air.profile.difs;
        let slots = air.deadline(0).since(sends);
        assert!(air.deadline(0) >= sends && slots <= micros(9 * 15), "{signals:?}: {slots}");
        assert_eq!(slots.nanos() % 9000, 0, "{signals:?}");
    }
}

#[test]
fn with_message_in_message_a_much_stronger_frame_takes_over_at_first() {
    let keys = format!("{OFDM}\n[radio]\nreception = \"message-in-message\"");
    for (keys, ratio, offset, expected) in [
        (OFDM, -27.0, 10, 0),
        (&keys, -27.0, 10, 200),
        (&keys, -27.0, 15, 200),
        (&keys, -27.0, 17, 0),
        (&keys, -9.0, 10, 0),
    ] {
        let found = shares(keys, 24, [(0, -60.0), (offset, -60.0 - ratio)]);
        assert_eq!(found, [0, expected], "{ratio} dB, {offset} us");
    }
}

#[test]
fn a_radio_that_has_transmitted_hears_what_begins_then() {
    let (mut air, frame) = alone(OFDM, 1, 24);
    arrive(&mut air, frame, 1000, &[(0, -60.0)]);
    air.run(at(1100));
    air.give(0, job(BROADCAST));
    air.run(at(3000));
    let (begin, sent) = air.transmissions(0)[0];
    assert!(begin > at(1000 + 376), "behind the frame that it received");
    let over = (begin + sent.air_time).since(Time::ZERO).nanos() / 1000 + 1;
    arrive(&mut air, frame, over, &[(0, -60.0)]);
    air.run(at(5000));
    assert_eq!(air.received(0).len(), 2);
}
