//! Packets in batches: A-MPDUs and block acknowledgments.

use std::collections::BTreeMap;

use multihop_core::{Bytes, Outcome, Time};
use multihop_setup::Node;

use crate::dcf::{Action, Ended, Frame, FrameKind, Job};
use crate::tests::air::{Air, at, job, micros, radio_and_mac};

/// A packet with 1000 B of payload under UDP and IP.
const PACKET: Bytes = Bytes(1028);

/// Stations in a line, so many metres apart, on ns-3's radio and by its rules.
fn line(keys: &str, stations: u32, metres: f64, seed: u64) -> Air {
    line_of(&format!("timing = \"ht-5\"\nrules = \"ns3\"\n{keys}"), stations, metres, seed)
}

/// The same with these keys of the MAC alone.
pub(super) fn line_of(mac: &str, stations: u32, metres: f64, seed: u64) -> Air {
    let text = format!(
        "[topology]\nkind = \"chain\"\nhops = 1\nspacing = \"5 m\"\n[mac]\n{mac}\n\
         [radio]\npropagation = \"log-normal-shadowing\"\npath_loss_exponent = 3\nshadowing_deviation = \"0 dB\"\n\
         transmit_power = \"40 mW\"\n[scheme]\nname = \"udp\"\n[traffic]\nload = \"1 kbit/s\"\n"
    );
    let setup = multihop_scenario::from_toml(&text).and_then(|scenario| scenario.setup());
    let medium = radio_and_mac(&setup.unwrap_or_else(|error| panic!("{error}")));
    let nodes: Vec<Node> =
        (0..stations).map(|n| Node::at("", (metres * f64::from(n), 0.0))).collect();
    Air::with(&nodes, medium, seed)
}

fn saturate(air: &mut Air, from: u32, to: u32) {
    air.saturated[from as usize] = Some(Job { packet: from, bytes: PACKET, ..job(to) });
}

fn ended(air: &Air, node: u32) -> Vec<Ended> {
    let mine = air.log.iter().filter(|entry| entry.node == node);
    mine.filter_map(|entry| match entry.action {
        Action::Done(ended) => Some(ended),
        _ => None,
    })
    .collect()
}

fn of_kind(air: &Air, node: u32, kind: FrameKind) -> Vec<(Time, Frame)> {
    air.transmissions(node).into_iter().filter(|(_, frame)| frame.kind == kind).collect()
}

/// ns-3.37: at MCS 7 41 frames of 1066 B fill 5448 us, and 32 us of block acknowledgment at 24 Mbit/s follow; at MCS 0 there
/// is room for four, and 68 us follow at 6 Mbit/s.
#[test]
fn a_batch_fills_a_frame() {
    for (keys, count, data, answer) in [
        ("", 41, 5448, 32),
        ("data_rate = \"6.5 Mbit/s\"", 4, 5316, 68),
        ("aggregation_size = \"4400 B\"", 4, 564, 32),
        ("aggregation = \"2 ms\"", 14, 1884, 32),
    ] {
        let mut air = line(keys, 2, 5.0, 1);
        saturate(&mut air, 0, 1);
        air.run(at(20_000));
        let (begin, first) = of_kind(&air, 0, FrameKind::Aggregate)[0];
        let (answered, ack) = of_kind(&air, 1, FrameKind::BlockAck)[0];
        assert_eq!((first.air_time, ack.air_time), (micros(data), micros(answer)), "{keys}");
        assert_eq!(first.reserved, micros(16 + answer), "{keys}");
        assert!(answered.since(begin + first.air_time).saturating_sub(micros(16)) < micros(1));
        assert_eq!((ack.bytes, ack.sequence), (Bytes(32), first.sequence));
        let done = ended(&air, 0);
        assert!(done[..count].iter().all(|one| one.batch == count as u32), "{keys}: {done:?}");
        assert_ne!(done.get(count).map(|one| one.batch), Some(0));
        assert_eq!(air.handed_up(1)[..count], (0..count as u32).collect::<Vec<_>>()[..], "{keys}");
    }
}

/// Saturated, a batch takes AIFS, half the window, data, SIFS and the block acknowledgment.
#[test]
fn one_link_carries_what_the_formula_says() {
    for (keys, handshake, count, data, answer) in [
        ("", 0.0, 41.0, 5448.0, 32.0),
        ("data_rate = \"6.5 Mbit/s\"", 0.0, 4.0, 5316.0, 68.0),
        ("rts_cts = true", 52.0 + 44.0 + 32.0, 41.0, 5448.0, 32.0),
        ("aggregation = \"0 s\"", 0.0, 1.0, 168.0, 28.0),
    ] {
        let mut air = line(keys, 2, 5.0, 3);
        saturate(&mut air, 0, 1);
        air.run(at(4_000_000));
        let cycle = 43.0 + 67.5 + handshake + data + 16.0 + answer;
        let expected = 4e6 / cycle * count;
        let done = ended(&air, 0).len() as f64;
        assert!((done / expected - 1.0).abs() < 0.005, "{keys}: {done} for {expected}");
    }
}

/// Whatever is lost, packets come up in their order and once, and each ends once: if it has come, as one that has.
#[test]
fn what_is_lost_is_repeated_and_comes_in_order() {
    for (keys, metres, both) in
        [("", 21.2, false), ("", 21.2, true), ("rts_cts = true", 21.2, true), ("", 21.8, true)]
    {
        let mut air = line(keys, 2, metres, 7);
        saturate(&mut air, 0, 1);
        if both {
            saturate(&mut air, 1, 0);
        }
        air.run(at(500_000));
        let up = air.handed_up(1);
        assert!(up.len() > 100, "{keys} {metres}: {}", up.len());
        assert!(up.is_sorted_by(|a, b| a < b), "{keys} {metres}: {up:?}");
        let done = ended(&air, 0);
        let has_come = done.iter().filter(|one| one.outcome == Outcome::Acknowledged).count();
        // What has come may wait for others, and what has come last is not yet acknowledged.
        assert!(up.len().abs_diff(has_come) <= 64, "{} {has_come}", up.len());
        assert!(done.iter().any(|one| one.retries > 0), "{keys} {metres}: nothing was repeated");
        let repeated = of_kind(&air, 0, FrameKind::Aggregate);
        let firsts: BTreeMap<u32, usize> =
            repeated.iter().fold(BTreeMap::new(), |mut all, frame| {
                *all.entry(frame.1.sequence).or_default() += 1;
                all
            });
        assert!(firsts.values().any(|count| *count > 1), "{keys} {metres}");
    }
}

/// Packets of a batch have attempts by the standard, and by ns-3's rules a life, in which there may be more of them.
#[test]
fn a_packet_of_a_batch_has_attempts_or_a_life() {
    let life = |rules: &str, more: &str| {
        let mac = format!("timing = \"ht-5\"\nrules = \"{rules}\"\n{more}");
        let mut air = line_of(&mac, 2, 22.2, 5);
        saturate(&mut air, 0, 1);
        air.run(at(1_000_000));
        let done = ended(&air, 0);
        let attempts = done.iter().map(|one| one.attempts).max().unwrap_or(0);
        (attempts, done.iter().filter(|one| one.outcome == Outcome::Failed).count())
    };
    let (attempts, failed) = life("ieee-802.11", "");
    assert!(attempts == 7 && failed > 50, "{attempts} {failed}");
    assert_eq!(life("ns3", "lifetime = \"0 s\"").0, 7, "attempts count without a life");
    let (usual, kept) = life("ns3", "");
    assert!(usual > 14 && kept < 10, "{usual} {kept}");
    let (short, failed) = life("ns3", "lifetime = \"10 ms\"");
    assert!(short < 7 && failed > 50, "{short} {failed}");
    let (own, kept) = life("ieee-802.11", "lifetime = \"500 ms\"");
    assert!(own > 14 && kept < 10, "{own} {kept}");
}

/// By ns-3's rules an RTS that fails ends a batch if enough answers to data have not come; else nothing but its life does.
#[test]
fn by_ns3s_rules_a_failed_rts_ends_a_batch_that_has_failed() {
    let failed = |keys: &str| {
        // The ends do not hear each other, and are too far away for the rate of the data.
        let mut air = line(&format!("lifetime = \"100 s\"\n{keys}"), 3, 40.0, 5);
        saturate(&mut air, 0, 1);
        saturate(&mut air, 2, 1);
        air.run(at(1_000_000));
        assert!(of_kind(&air, 0, FrameKind::Aggregate).len() > 20, "{keys}");
        ended(&air, 0).iter().filter(|one| one.outcome == Outcome::Failed).count()
    };
    assert_eq!(failed(""), 0);
    assert!(failed("rts_cts = true") > 40);
}

/// A block acknowledgment that does not come is asked for, and the answer says what has come.
#[test]
fn a_block_acknowledgment_that_is_lost_is_asked_for() {
    // The ends do not hear each other: what they send meets in the middle.
    let mut air = line("", 3, 45.0, 5);
    saturate(&mut air, 0, 1);
    saturate(&mut air, 2, 1);
    air.run(at(1_000_000));
    let asked = of_kind(&air, 0, FrameKind::BlockAckRequest);
    assert!(!asked.is_empty());
    assert!(asked.iter().all(|(_, frame)| frame.bytes == Bytes(24)));
    let sent: Vec<_> = air.transmissions(0);
    let follows_data = |pair: &[(Time, Frame)]| {
        pair[1].1.kind == FrameKind::BlockAckRequest && pair[0].1.kind.is_data()
    };
    assert!(sent.windows(2).any(follows_data));
}
