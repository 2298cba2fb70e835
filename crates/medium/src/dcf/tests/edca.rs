//! The backoff of EDCA (IEEE 802.11-2020, 10.23.2.4), which stations of 802.11n have.

use std::collections::BTreeSet;

use multihop_core::{Bytes, Time};

use super::batch::line_of;
use crate::dcf::{FrameKind, Job};
use crate::tests::air::{Air, at, job, micros};

const AIFS: u64 = 43;
const SLOT: u64 = 9;

fn line(mac: &str, stations: u32, seed: u64) -> Air {
    line_of(mac, stations, 5.0, seed)
}

fn packet(to: u32) -> Job {
    Job { bytes: Bytes(1028), ..job(to) }
}

/// Every data frame: its sender, its begin, and the end of its exchange.
fn exchanges(air: &Air, stations: u32) -> Vec<(u32, Time, Time)> {
    let frames =
        |node| air.transmissions(node).into_iter().map(move |(begin, frame)| (node, begin, frame));
    let mut all: Vec<_> = (0..stations).flat_map(frames).collect();
    all.sort_by_key(|(_, begin, _)| *begin);
    let answered = |pair: &[(u32, Time, crate::dcf::Frame)]| {
        let [(node, begin, data), (_, end, answer)] = pair else { unreachable!("two") };
        let is_answered =
            data.kind.is_data() && matches!(answer.kind, FrameKind::Ack | FrameKind::BlockAck);
        is_answered.then(|| (*node, *begin, *end + answer.air_time))
    };
    all.windows(2).filter_map(answered).collect()
}

/// A counter falls at the beginning of each slot: what is left of one when another station transmits may be none, and then its station
/// sends as soon as AIFS is over. In the DCF a slot is left at least.
#[test]
fn a_counter_falls_in_the_slot_in_which_another_station_transmits() {
    for (mac, space, none_left) in [
        ("timing = \"ht-5\"\nrules = \"ns3\"\naggregation = \"0 s\"", AIFS, true),
        ("timing = \"ht-5\"", AIFS, true),
        ("timing = \"ofdm-5\"\nrules = \"ns3\"", 34, false),
        ("timing = \"ofdm-5\"", 34, false),
    ] {
        let mut air = line(mac, 3, 1);
        air.saturated[0] = Some(packet(1));
        air.saturated[2] = Some(packet(1));
        air.run(at(2_000_000));
        let all = exchanges(&air, 3);
        let turns = all.windows(2).filter(|pair| pair[0].0 != pair[1].0);
        let at_once =
            turns.filter(|pair| pair[1].1.since(pair[0].2) < micros(space + SLOT - 1)).count();
        assert_eq!(at_once > 10, none_left, "{mac}: {at_once} of {}", all.len());
        assert!(none_left || at_once == 0, "{mac}: {at_once}");
    }
}

/// A frame that finds the medium idle goes at the beginning of a slot.
#[test]
fn a_frame_on_an_idle_medium_goes_with_the_next_slot() {
    for rules in ["ns3", "ieee-802.11"] {
        for (given, slots) in [(0, 0), (43, 0), (44, 1), (51, 1), (52, 2), (100, 7), (1000, 107)] {
            let mut air = line(&format!("timing = \"ht-5\"\nrules = \"{rules}\""), 2, 1);
            air.run(at(given));
            air.give(0, packet(1));
            air.run(at(2000));
            let begins = air.transmissions(0)[0].0;
            assert_eq!(begins, at(AIFS + slots * SLOT), "{rules}: given at {given} us");
        }
    }
}

/// By ns-3's rules the packets of an A-MPDU reach a relay while it receives: it finds the medium busy, and draws.
#[test]
fn what_comes_in_a_batch_finds_the_medium_busy() {
    let mut drawn = BTreeSet::new();
    for seed in 0..20 {
        let batch = || {
            let mut air = line("timing = \"ht-5\"\nrules = \"ns3\"", 2, seed);
            air.saturated[0] = Some(packet(1));
            air
        };
        let mut air = batch();
        air.run(at(20_000));
        let answers = |air: &Air| air.sent(1, FrameKind::BlockAck);
        let received = Time::from_nanos(answers(&air)[0].nanos() - 16_000);
        let mut air = batch();
        air.run(received);
        air.saturated[0] = None;
        air.give(1, packet(0));
        air.run(at(20_000));
        let answered = answers(&air)[0] + micros(32);
        let sent = air.sent(1, FrameKind::Data)[0].since(answered + micros(AIFS));
        assert_eq!(sent.nanos() % (SLOT * 1000), 0, "{sent:?}");
        drawn.insert(sent.nanos() / (SLOT * 1000));
    }
    assert!(drawn.len() > 8 && drawn.iter().all(|slots| *slots < 16), "{drawn:?}");
}
