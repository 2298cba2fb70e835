//! Frames of OFDM (`mac.timing = "ofdm-5"`, `"ofdm-2.4"` and `"ht-5"`) on the air.

use multihop_core::{Duration, Rate, Time};

use crate::dcf::{FrameKind, Job};
use crate::tests::air::{Air, PACKET, at, job, micros};

/// Over 200 m.
const FLIGHT: Duration = Duration::from_nanos(668);

/// Air times of data and of its link acknowledgment, and what lies between them.
fn exchange(keys: &str) -> (Duration, Duration, Duration) {
    let mut air = Air::chain(2, keys, 1);
    air.offer(0, 1);
    air.run(at(100_000));
    let ((sent, data), (answered, ack)) = (air.transmissions(0)[0], air.transmissions(1)[0]);
    assert_eq!((data.kind, ack.kind), (FrameKind::Data, FrameKind::Ack));
    assert_eq!(air.done(0).len(), 1, "it is acknowledged");
    (data.air_time, ack.air_time, answered.since(sent + data.air_time))
}

/// IEEE 802.11-2020, 17.4.3: 36 B of headers and 532 B fill 22 symbols at 54 Mbit/s and 191 at 6; an acknowledgment fills
/// two at 24 Mbit/s and six at 6. With 38 B, they fill 18 symbols of MCS 7 behind 36 us (19.4.3).
#[test]
fn an_exchange_takes_what_the_formats_say() {
    assert_eq!(PACKET.0 + 36, 568);
    for (keys, data, ack, sifs) in [
        ("timing = \"ofdm-5\"", 108, 28, 16),
        ("timing = \"ofdm-5\"\ndata_rate = \"6 Mbit/s\"", 784, 44, 16),
        ("timing = \"ofdm-5\"\ndata_rate = \"12 Mbit/s\"", 404, 32, 16),
        ("timing = \"ofdm-5\"\ndata_rate = \"9 Mbit/s\"", 528, 44, 16),
        ("timing = \"ofdm-2.4\"", 114, 34, 10),
        ("timing = \"ofdm-5\"\nheader = \"28 B\"", 104, 28, 16),
        ("timing = \"ht-5\"", 108, 28, 16),
        ("timing = \"ht-5\"\ndata_rate = \"6.5 Mbit/s\"", 744, 44, 16),
        ("timing = \"ht-5\"\ndata_rate = \"13 Mbit/s\"", 392, 32, 16),
        ("timing = \"ht-5\"\nshort_guard = true", 104, 28, 16),
    ] {
        let (sent, answered, gap) = exchange(keys);
        assert_eq!((sent, answered), (micros(data), micros(ack)), "{keys}");
        assert!(gap.saturating_sub(micros(sifs)) <= FLIGHT, "{keys}: {gap}");
    }
}

/// With RTS, the duration field covers what follows, and CTS and data come SIFS after what they answer.
#[test]
fn an_announced_exchange_is_reserved_to_its_end() {
    let mut air = Air::chain(2, "timing = \"ofdm-5\"\nrts_cts = true", 1);
    air.offer(0, 1);
    air.run(at(100_000));
    let (begin, rts) = air.transmissions(0)[0];
    let (end, ack) = air.transmissions(1)[1];
    assert_eq!(rts.air_time, micros(20 + 32));
    let over = end + ack.air_time;
    let reserved = begin + rts.air_time + rts.reserved;
    // Three frames follow, each behind the flight of the one before.
    assert!(over.since(reserved) <= FLIGHT * 3, "{reserved:?} {over:?}");
    assert!(reserved.since(over) <= micros(1), "{reserved:?} {over:?}");
}

/// Saturated, a frame takes DIFS or AIFS, half the window, data, SIFS and the acknowledgment.
#[test]
fn one_link_carries_what_the_formula_says() {
    for (timing, rate, idle, data, ack) in [
        ("ofdm-5", 54, 34.0, 108, 28),
        ("ofdm-5", 24, 34.0, 212, 28),
        ("ofdm-5", 6, 34.0, 784, 44),
        ("ht-5", 65, 43.0, 108, 28),
        ("ht-5", 13, 43.0, 392, 32),
        ("ht-5\"\naifsn = 2\nrules = \"ieee-802.11", 65, 34.0, 108, 28),
    ] {
        let alone = if timing.starts_with("ht") { "aggregation = \"0 s\"" } else { "" };
        let keys = format!("timing = \"{timing}\"\ndata_rate = \"{rate} Mbit/s\"\n{alone}");
        let mut air = Air::chain(2, &keys, 3);
        air.saturated[0] = Some(Job { packet: 0, ..job(1) });
        air.run(Time::ZERO + Duration::from_seconds(4.0));
        let cycle = idle + 7.5 * 9.0 + f64::from(data) + 16.0 + f64::from(ack) + 2.0 * 0.667;
        let expected = 4e6 / cycle;
        let sent = air.sent(0, FrameKind::Data).len() as f64;
        assert!(
            (sent / expected - 1.0).abs() < 0.005,
            "{timing} at {rate} Mbit/s: {sent} for {expected}"
        );
    }
}

/// What a scheme asks for need not be a rate of OFDM: no frame is without bits in a symbol.
#[test]
fn a_scheme_may_ask_for_any_rate() {
    for (wanted, air_time) in [(1, 784), (11_000_000, 528)] {
        let mut air = Air::chain(2, "timing = \"ofdm-5\"", 1);
        air.give(0, Job { rate: Rate(wanted), ..job(1) });
        air.run(at(100_000));
        assert_eq!(air.transmissions(0)[0].1.air_time, micros(air_time), "{wanted} bit/s");
        assert_eq!(air.done(0).len(), 1, "it is acknowledged");
    }
}
