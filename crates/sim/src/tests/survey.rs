//! Surveys say what runs do.

use multihop_core::{Duration, Time};
use multihop_trace::Table;

use super::{floats, integers, run_text, seconds, setup, track};
use crate::survey::{Survey, survey};

const RATE: &str = "[traffic]\nload = \"100 kbit/s\"\n";

fn chain(hops: u32, scheme: &str, rest: &str) -> String {
    format!(
        "warmup = \"1 s\"\nduration = \"2 s\"\ntopology = {{ kind = \"chain\", hops = {hops} }}\n\
         scheme = {{ name = \"{scheme}\" }}\n{rest}{RATE}"
    )
}

fn found(text: &str) -> Survey {
    survey(&setup(text), Time::ZERO).expect("radios can be surveyed")
}

/// Who is in `column` = 1 for node `from`.
fn such(signals: &Table, from: i64, such: impl Fn(usize) -> bool) -> Vec<i64> {
    let (senders, receivers) = (integers(signals, "from"), integers(signals, "to"));
    let rows = senders.iter().enumerate().filter(|(at, sender)| **sender == from && such(*at));
    rows.map(|(at, _)| receivers[at]).collect()
}

#[test]
fn a_chain_of_200_m_is_decoded_one_hop_and_sensed_two_hops_away() {
    let Survey { signals, hops, .. } = found(&chain(6, "udp", ""));
    let (sensed, decoded) = (floats(&signals, "sensed"), floats(&signals, "decoded"));
    assert_eq!(such(&signals, 3, |at| sensed[at] > 0.5), [1, 2, 4, 5]);
    assert_eq!(such(&signals, 3, |at| decoded[at] > 0.5), [2, 4]);
    assert_eq!(integers(&hops, "from"), [0, 1, 2, 3, 4, 5]);
    assert_eq!(integers(&hops, "to"), [1, 2, 3, 4, 5, 6]);
    // the fourth power of the distance: 16 times less at twice the distance
    let power = floats(&signals, "power_w");
    assert!((power[0] / power[1] - 16.0).abs() < 1e-9, "{power:?}");
}

#[test]
fn frames_are_as_long_as_the_guide_says() {
    let rts = "[mac]\nrts_cts = true\n";
    let Survey { flows, mac, .. } = found(&chain(2, "udp", rts));
    assert_eq!(integers(&flows, "frame_bytes"), [566]);
    assert_eq!(floats(&flows, "data_s"), [4720e-6]);
    assert_eq!(integers(&flows, "announced"), [1]);
    assert!((floats(&flows, "offered_bit_s")[0] - 100e3).abs() < 1e-3);
    for (column, micros) in
        [("rts_s", 352), ("cts_s", 304), ("ack_s", 304), ("sifs_s", 10), ("backoff_s", 350)]
    {
        assert_eq!(floats(&mac, column), [Duration::from_micros(micros).seconds()], "{column}");
    }
    // CXCC: 8 B of header, no link acknowledgment
    let Survey { flows, mac, .. } = found(&chain(2, "cxcc", ""));
    assert_eq!(integers(&flows, "frame_bytes"), [574]);
    assert_eq!(integers(&flows, "announced"), [0]);
    assert_eq!(integers(&mac, "acknowledged"), [0]);
}

#[test]
fn a_saturated_hop_carries_what_its_frames_allow() {
    for (scheme, rest) in [("udp", ""), ("udp", "[mac]\nrts_cts = true\n"), ("cxcc", "")] {
        let text = chain(1, scheme, rest).replace("100 kbit/s", "2 Mbit/s").replace("2 s", "60 s");
        let Survey { flows, mac, .. } = found(&text);
        let time = |column| floats(&mac, column)[0];
        let announced = integers(&flows, "announced")[0] as f64;
        let acknowledged = integers(&mac, "acknowledged")[0] as f64;
        let packet = time("backoff_s")
            + floats(&flows, "data_s")[0]
            + acknowledged * (time("sifs_s") + time("ack_s"))
            + announced * (2.0 * time("sifs_s") + time("rts_s") + time("cts_s"));
        let goodput = floats(&run_text(&text).runs, "goodput_bit_s")[0];
        let expected = f64::from(512 * 8) / packet;
        // CXCC's last hop answers each packet with a frame of its own
        let least = if scheme == "cxcc" { 0.8 } else { 0.99 };
        assert!((least..1.005).contains(&(goodput / expected)), "{scheme}: {goodput} {expected}");
    }
}

/// By the standard's rules a frame may go without a backoff, though one that follows its own does not.
#[test]
fn no_backoff_is_counted_where_none_may_be_drawn() {
    let by_rules = "[mac]\nrules = \"ieee-802.11\"\n";
    let text = chain(1, "udp", by_rules).replace("100 kbit/s", "2 Mbit/s").replace("2 s", "60 s");
    let Survey { flows, mac, .. } = found(&text);
    let time = |column| floats(&mac, column)[0];
    assert_eq!(floats(&mac, "backoff_s"), [Duration::from_micros(50).seconds()]);
    let frames = floats(&flows, "data_s")[0] + time("sifs_s") + time("ack_s");
    let goodput = floats(&run_text(&text).runs, "goodput_bit_s")[0];
    let mean = 15.5 * 20e-6;
    let expected = f64::from(512 * 8) / (time("backoff_s") + mean + frames);
    assert!((0.99..1.005).contains(&(goodput / expected)), "{goodput} {expected}");
}

#[test]
fn nodes_that_move_are_surveyed_where_they_are() {
    let mut setup = setup(&chain(2, "udp", ""));
    setup.nodes[2].track = track((400.0, 0.0), &[(1.0, 2.0, (200.0, 100.0))]);
    let hops = |at| integers(&survey(&setup, seconds(at)).expect("radios").hops, "to");
    assert_eq!(hops(0.5), [1, 2]);
    assert_eq!(hops(2.0), [2]);
    assert_eq!(integers(&survey(&setup, Time::ZERO).expect("radios").mac, "moves"), [1]);
}

#[test]
fn what_cannot_be_surveyed_says_which_key_is_why() {
    let why = |rest| {
        let text = chain(2, "udp", rest) + "payload = \"32 B\"\n";
        survey(&setup(&text), Time::ZERO).err().expect("no survey")
    };
    assert!(why("[wired]\nrate = \"1 Mbit/s\"\n").starts_with("wired: "));
    assert!(why("[mac]\nkind = \"lora\"\n").starts_with("mac.kind: "));
}
