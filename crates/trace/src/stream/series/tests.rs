use multihop_core::{FlowId, NodeId, Packet, Payload};

use super::*;

fn at(ms: u64) -> Time {
    Time::ZERO + ms_of(ms)
}

fn ms_of(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A share in thousandths, or a time in ms.
fn per_mille(value: f64) -> i64 {
    whole(value * 1_000.0)
}

fn whole(value: f64) -> i64 {
    value.round() as i64
}

fn tag(number: u32) -> Tag {
    Tag { source: 0, number }
}

fn rows(meters: &mut Meters, now: Time) -> Vec<Interval> {
    let mut rows = Vec::new();
    meters.close(now, &Lengths::default(), |row| rows.push(row));
    rows
}

fn send(meters: &mut Meters, ms: u64, number: u32, class: FrameClass) {
    let flow = FlowId::between(NodeId(0), NodeId(1));
    let packet = Packet::new(flow, Payload::Virtual(1_000), tag(number));
    meters.on_sent(at(ms), class, &packet);
}

#[test]
fn air_is_what_a_radio_has_done_in_the_interval_and_busy_leaves_out_its_own_part() {
    let mut meters = Meters::new(1, 0, at(10_000));
    let spent = |sending, receiving, sensed, waiting, reserved| AirTime {
        sending: ms_of(sending),
        receiving: ms_of(receiving),
        sensed: ms_of(sensed),
        waiting: ms_of(waiting),
        reserved: ms_of(reserved),
    };
    let close = |meters: &mut Meters, now| {
        let row = rows(meters, at(now)).remove(0);
        assert_eq!((row.node, row.flow, row.time_ns), (0, -1, nanos(at(now - 100))));
        [row.air_sending, row.air_receiving, row.air_busy].map(per_mille)
    };
    meters.on_air(&[spent(10, 20, 5, 2, 3)]);
    assert_eq!(close(&mut meters, 100), [100, 200, 100]);
    meters.on_air(&[spent(60, 30, 5, 2, 23)]);
    assert_eq!(close(&mut meters, 200), [500, 100, 200], "since the interval before");
    assert_eq!(close(&mut meters, 300), [0, 0, 0], "nothing more was told");
}

#[test]
fn a_flow_has_goodput_rate_and_delays_of_its_interval() {
    let mut meters = Meters::new(0, 1, at(10_000));
    meters.on_offered(at(5), tag(7));
    send(&mut meters, 20, 7, FrameClass::Data);
    send(&mut meters, 30, 7, FrameClass::Data);
    assert_eq!(meters.on_delivered(at(60), tag(7), Bytes(1_000)), Some(ms_of(40)));
    assert_eq!(meters.on_delivered(at(61), tag(8), Bytes(500)), None, "nobody has seen it sent");
    meters.on_window(0, 2.5);
    assert_eq!(meters.end(), at(100));
    let row = rows(&mut meters, at(100)).remove(0);
    assert_eq!((row.node, row.flow), (-1, 0));
    assert_eq!([row.goodput_bit_s, row.rate_bit_s].map(whole), [120_000, 160_000]);
    assert_eq!([row.network_delay_s, row.end_to_end_delay_s].map(per_mille), [40, 55]);
    let next = rows(&mut meters, at(200)).remove(0);
    assert_eq!([next.goodput_bit_s, next.rate_bit_s].map(whole), [0, 0]);
    assert_eq!(per_mille(next.window), 2_500, "it lasts");
    assert!(next.network_delay_s.is_nan() && next.end_to_end_delay_s.is_nan());
}

#[test]
fn frames_without_data_are_no_part_of_a_flow_s_rate() {
    let mut meters = Meters::new(0, 1, at(10_000));
    send(&mut meters, 1, 7, FrameClass::RequestToSend);
    send(&mut meters, 1, tag(0).control().number, FrameClass::Data);
    assert_eq!(whole(rows(&mut meters, at(100)).remove(0).rate_bit_s), 0);
}

#[test]
fn of_a_flow_with_many_packets_under_way_the_last_are_remembered() {
    let mut firsts = Firsts::default();
    assert_eq!(firsts.on_delivered(3), None, "nothing has happened to any");
    for number in 0..=4 {
        firsts.on_packet(number, at(u64::from(number)), 4);
        firsts.on_packet(number, at(90), 4);
    }
    assert_eq!(firsts.on_delivered(0), None, "the fifth has taken its place");
    assert_eq!(firsts.on_delivered(4), Some(at(4)), "when it happened first");
    assert_eq!(firsts.on_delivered(4), None, "it has arrived before");
    assert_eq!(firsts.on_delivered(1), Some(at(1)));
}

#[test]
fn an_interval_without_length_has_no_rows() {
    let mut meters = Meters::new(2, 2, at(10_000));
    assert_eq!(rows(&mut meters, Time::ZERO).len(), 0);
    assert_eq!(rows(&mut meters, at(1)).len(), 4);
    assert_eq!(rows(&mut meters, at(1)).len(), 0);
}

#[test]
fn intervals_are_longer_where_there_would_be_too_many_rows() {
    let day = Time::ZERO + Duration::from_millis(86_400_000);
    assert_eq!(interval(170, at(100_000)), ms_of(100));
    assert_eq!(interval(500, at(100_000)), ms_of(100), "500,000 rows are not too many");
    assert_eq!(interval(501, at(100_000)), ms_of(200));
    assert_eq!(interval(500, day), ms_of(100_000));
    assert_eq!(interval(1, day), ms_of(200));
    assert!(interval(10_000, Time::NEVER) > ms_of(100), "a run without an end");
}
