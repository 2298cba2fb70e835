//! Rate control: which rate each attempt has, over links that ns-3 has measured (`docs/validation/ofdm_rates.md`).

use std::collections::BTreeMap;

use multihop_core::{Rate, Time};
use multihop_setup::Node;

use crate::dcf::{BROADCAST, FrameKind, Job, OFDM_RATES, choosing};
use crate::tests::air::{Air, job, radio_and_mac};

/// Two stations so many metres apart, by ns-3's rules and radio.
fn link(keys: &str, metres: f64) -> Air {
    link_of(&format!("timing = \"ofdm-5\"\n{keys}"), metres)
}

fn link_of(mac: &str, metres: f64) -> Air {
    let text = format!(
        "[topology]\nkind = \"chain\"\nhops = 1\nspacing = \"5 m\"\n[mac]\nrules = \"ns3\"\n{mac}\n\
         [radio]\npropagation = \"log-normal-shadowing\"\npath_loss_exponent = 3\nshadowing_deviation = \"0 dB\"\n\
         transmit_power = \"40 mW\"\n[scheme]\nname = \"udp\"\n[traffic]\nload = \"1 kbit/s\"\n"
    );
    let setup = multihop_scenario::from_toml(&text).and_then(|scenario| scenario.setup());
    let setup = setup.unwrap_or_else(|error| panic!("{error}"));
    let (radio, settings) = radio_and_mac(&setup);
    let rates = choosing::rates(&settings, &setup.medium.values, &radio);
    let nodes = [0.0, metres].map(|x| Node::at("", (x, 0.0)));
    let mut air = Air::with(&nodes, (radio, settings), 1);
    air.stations.iter_mut().for_each(|station| station.choose_rates(rates.as_ref()));
    air
}

/// How many data frames of station 0 had which rate in Mbit/s, from `from` seconds on.
fn counted(air: &Air, from: f64) -> BTreeMap<u64, usize> {
    let mut counts = BTreeMap::new();
    for (at, frame) in air.transmissions(0) {
        if frame.kind == FrameKind::Data && at.seconds() >= from {
            *counts.entry(OFDM_RATES[frame.mode.index()] / 1_000_000).or_default() += 1;
        }
    }
    counts
}

fn saturated(keys: &str, metres: f64, seconds: f64) -> Air {
    let mut air = link(keys, metres);
    air.saturated[0] = Some(Job { packet: 0, ..job(1) });
    air.run(Time::ZERO + multihop_core::Duration::from_seconds(seconds));
    air
}

#[test]
fn ideal_takes_the_fastest_rate_that_the_signal_bears() {
    for (metres, rate) in [(5.0, 54), (20.0, 54), (25.0, 36), (30.0, 36), (35.0, 24), (45.0, 18)] {
        let counts = counted(&saturated("rate = \"ideal\"", metres, 0.2), 0.0);
        let expected = [(6, 1), (rate, counts.values().sum::<usize>() - 1)];
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected, "{metres} m");
    }
}

#[test]
fn ideal_may_be_content_with_more_errors() {
    let keys = "rate = \"ideal\"\nideal_bit_error_rate = 0.001";
    let counts = counted(&saturated(keys, 25.0, 0.2), 0.1);
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [54], "{counts:?}");
}

/// At 40 m, 36 Mbit/s and more get nothing through, and 24 all.
#[test]
fn minstrel_finds_the_rate_that_carries_most() {
    for (metres, rate) in [(5.0, 54), (25.0, 48), (30.0, 36), (40.0, 24), (50.0, 18)] {
        let counts = counted(&saturated("rate = \"minstrel\"", metres, 3.0), 1.0);
        let all: usize = counts.values().sum();
        let most = counts.iter().max_by_key(|(_, count)| **count).expect("it sends");
        assert_eq!(*most.0, rate, "{metres} m: {counts:?}");
        assert!(*most.1 * 10 >= all * 8, "{metres} m: {counts:?}");
        assert!(counts.len() > 1, "it tries others: {counts:?}");
    }
}

#[test]
fn no_rate_above_data_rate_is_chosen() {
    for control in ["ideal", "minstrel", "minstrel-ht"] {
        let keys = format!("rate = \"{control}\"\ndata_rate = \"12 Mbit/s\"");
        let counts = counted(&saturated(&keys, 5.0, 1.0), 0.5);
        assert!(counts.keys().all(|rate| *rate <= 12), "{control}: {counts:?}");
        assert!(counts[&12] > 100, "{control}: {counts:?}");
    }
}

/// What a node asks for itself holds, and broadcasts have the basic rate.
#[test]
fn only_frames_without_a_wish_have_a_rate_that_is_chosen() {
    let mut air = link("rate = \"ideal\"", 5.0);
    for job in [
        Job { rate: Rate(12_000_000), ..job(1) },
        Job { to: BROADCAST, acknowledged: false, ..job(1) },
        job(1),
    ] {
        air.give(0, job);
        let until = air.now + multihop_core::Duration::from_millis(10);
        air.run(until);
    }
    let sent = air.transmissions(0);
    let rates: Vec<u64> =
        sent.iter().map(|(_, frame)| OFDM_RATES[frame.mode.index()] / 1_000_000).collect();
    assert_eq!(rates, [12, 6, 54]);
    assert_eq!(air.done(0).len(), 3);
}

/// The RTS reserves what the data behind it takes at its rate, and the data keeps it.
#[test]
fn an_rts_announces_the_rate_of_its_data() {
    let mut air = link("rate = \"ideal\"\nrts_cts = true", 5.0);
    for _ in 0..2 {
        air.give(0, job(1));
        let until = air.now + multihop_core::Duration::from_millis(10);
        air.run(until);
    }
    let sent = air.transmissions(0);
    for pair in sent.chunks(2) {
        let [(begin, rts), (_, data)] = pair else { panic!("{sent:?}") };
        assert_eq!((rts.kind, data.kind), (FrameKind::Rts, FrameKind::Data));
        let over = air
            .transmissions(1)
            .iter()
            .map(|(at, frame)| *at + frame.air_time)
            .find(|end| end > begin && end.since(*begin) > data.air_time);
        let reserved = *begin + rts.air_time + rts.reserved;
        let off = over.expect("it is acknowledged").since(reserved);
        assert!(off < multihop_core::Duration::from_micros(1), "{off}");
    }
    let (first, second) = (sent[1].1, sent[3].1);
    assert_eq!(
        (OFDM_RATES[first.mode.index()], OFDM_RATES[second.mode.index()]),
        (6_000_000, 54_000_000)
    );
}

/// From 35 m on MCS 5 and more get nothing through.
#[test]
fn minstrel_ht_finds_the_rate_that_carries_most() {
    for (metres, mcs) in [(5.0, 7), (25.0, 5), (35.0, 4), (45.0, 3), (50.0, 2)] {
        let mut air = link_of("timing = \"ht-5\"\nrate = \"minstrel-ht\"", metres);
        air.saturated[0] = Some(Job { packet: 0, ..job(1) });
        air.run(Time::ZERO + multihop_core::Duration::from_seconds(4.0));
        let mut counts = [0; 8];
        for (at, frame) in air.transmissions(0) {
            if frame.kind == FrameKind::Aggregate && at.seconds() >= 2.0 {
                counts[frame.mode.ht().expect("it is of 802.11n")] += 1;
            }
        }
        let all: usize = counts.iter().sum();
        assert!(all > 300 && counts[mcs] * 100 >= all * 95, "{metres} m: {counts:?}");
    }
}

/// A new neighbour is sampled at once; without samples the slowest rate is all that it knows.
#[test]
fn minstrel_ht_knows_the_fastest_rate_after_a_few_frames() {
    let modes = |keys: &str| -> Vec<usize> {
        let mut air = link_of(&format!("timing = \"ht-5\"\nrate = \"minstrel-ht\"\n{keys}"), 5.0);
        air.saturated[0] = Some(Job { packet: 0, ..job(1) });
        air.run(Time::ZERO + multihop_core::Duration::from_millis(300));
        air.transmissions(0).iter().filter_map(|(_, frame)| frame.mode.ht()).collect()
    };
    let (sampling, settled) = (modes(""), modes("minstrel_ht_samples = 0"));
    let fastest = sampling.iter().filter(|mcs| **mcs == 7).count();
    assert!(sampling.len() > 40 && fastest * 10 > sampling.len() * 8, "{sampling:?}");
    assert!(settled.len() > 40 && settled.iter().all(|mcs| *mcs == 0), "{settled:?}");
}
