//! Thresholds, propagation and MAC timing, against ns-2 2.35's numbers.

use multihop_core::{Duration, Values};

use super::{CHAIN, right, with, wrong};
use multihop_medium::dcf::{RuleSet, Settings};
use multihop_medium::propagation::PROPAGATIONS;
use multihop_setup::{Interference, Propagation, Radio, Reception};

fn medium(section: &str) -> (Radio, Settings) {
    let medium = right(&with(CHAIN, "[scheme]", &format!("{section}\n[scheme]"))).medium;
    let settings = Settings::of(&medium).expect("it is 802.11");
    (medium.radio().expect("a radio was asked for").clone(), settings)
}

fn close(a: f64, b: f64, relative: f64) -> bool {
    (a / b - 1.0).abs() < relative
}

#[test]
fn the_defaults_are_those_of_ns2() {
    let (radio, mac) = medium("");
    // ns-default.tcl: RXThresh_ 3.652e-10, CSThresh_ 1.559e-11, with 914 MHz and 0.28183815 W
    assert!(close(radio.receive_threshold, 3.652e-10, 1e-3), "{}", radio.receive_threshold);
    assert!(close(radio.sense_threshold, 1.559e-11, 1e-3), "{}", radio.sense_threshold);
    assert!(close(radio.capture_ratio, 10.0, 1e-12));
    assert_eq!(
        (mac.slot.nanos(), mac.sifs.nanos(), mac.preamble.nanos()),
        (20_000, 10_000, 192_000)
    );
    assert_eq!((mac.cw_min, mac.cw_max), (31, 1023));
    assert_eq!((mac.short_retry_limit, mac.long_retry_limit), (7, 4));
    assert_eq!((mac.header.0, mac.rts.0, mac.cts_ack.0), (34, 20, 14));
    assert_eq!(
        (mac.data_rate.0, mac.basic_rate.0, mac.rts_threshold),
        (1_000_000, 1_000_000, None)
    );
}

#[test]
fn the_mac_follows_its_profile_except_where_told() {
    let (_, mac) = medium("[mac]\ntiming = \"ofdm-2.4\"\nsifs = \"16 us\"\nrts_cts = true");
    assert_eq!((mac.slot.nanos(), mac.sifs.nanos(), mac.preamble.nanos()), (9_000, 16_000, 20_000));
    assert_eq!((mac.cw_min, mac.cw_max), (15, 1023));
    assert_eq!((mac.data_rate.0, mac.basic_rate.0), (54_000_000, 6_000_000));
    assert_eq!((mac.rules, mac.header.0), (RuleSet::Standard, 36));
    assert_eq!(mac.rts_threshold.map(|threshold| threshold.0), Some(0));
    let (_, mac) = medium("[mac]\nrts_threshold = \"256 B\"");
    assert_eq!(mac.rts_threshold.map(|threshold| threshold.0), Some(256));
}

#[test]
fn beside_older_stations_a_packet_costs_792_us() {
    let (_, mac) = medium("[mac]\ntiming = \"erp-mixed\"\nrts_cts = true");
    assert_eq!((mac.data_rate.0, mac.basic_rate.0), (54_000_000, 1_000_000));
    assert_eq!((mac.slot.nanos(), mac.cw_min, mac.cw_max), (20_000, 31, 1023));
    // HxH 1.2, equation 1.1: RTS, CTS, ACK, and the spaces between the four frames
    let control = |bytes| mac.preamble + mac.basic_rate.air_time(bytes);
    let overhead = control(mac.rts) + control(mac.cts_ack) * 2 + mac.sifs * 3;
    assert_eq!(overhead.nanos(), 792_000);
}

#[test]
fn the_link_layer_takes_its_time_over_dcf() {
    let delay = |text: &str| {
        let settings = Settings::of(&right(text).medium).expect("it is 802.11");
        settings.link_layer_delay.nanos()
    };
    let cxcc = with(CHAIN, "\"udp\"", "\"cxcc\"");
    // ns-default.tcl: LL set delay_ 25us
    assert_eq!((delay(CHAIN), delay(&cxcc)), (25_000, 0));
    for text in [CHAIN, &cxcc] {
        assert_eq!(delay(&format!("{text}[mac]\nlink_layer_delay = \"0 s\"\n")), 0);
        assert_eq!(delay(&format!("{text}[mac]\nlink_layer_delay = \"40 us\"\n")), 40_000);
    }
}

#[test]
fn eifs_and_rules_beyond_ns_2_are_switches() {
    let (radio, mac) = medium("");
    assert!(mac.eifs);
    assert_eq!((radio.reception, mac.rules), (Reception::Ns2, RuleSet::Ns2));
    assert!(!medium("[mac]\neifs = false").1.eifs);
    let names = [
        ("ns2", RuleSet::Ns2, 25),
        ("ieee-802.11", RuleSet::Standard, 25),
        ("ns3", RuleSet::Ns3, 0),
    ];
    for (name, rules, delay) in names {
        let mac = medium(&format!("[mac]\nrules = \"{name}\"")).1;
        assert_eq!((mac.rules, mac.link_layer_delay), (rules, Duration::from_micros(delay)));
    }
    for (name, reception) in [
        ("message-in-message", Reception::MessageInMessage),
        ("first-decodable", Reception::FirstDecodable),
    ] {
        assert_eq!(medium(&format!("[radio]\nreception = \"{name}\"")).0.reception, reception);
    }
    assert_eq!(medium("").0.interference, Interference::Ratio);
    let errors = "[radio]\ninterference = \"dsss\"\n";
    assert_eq!(medium(errors).0.interference, Interference::Dsss);
    for (keys, told) in [
        (
            &*format!("{errors}[mac]\ntiming = \"dsss\"\ndata_rate = \"3 Mbit/s\"\n"),
            "mac.data_rate: 802.11b has 1, 2, 5.5",
        ),
        (&format!("{errors}[mac]\ntiming = \"ofdm-5\"\n"), "mac.data_rate: 802.11b has 1, 2, 5.5"),
        (
            "[mac]\ntiming = \"ofdm-5\"\ndata_rate = \"11 Mbit/s\"\n",
            "mac.data_rate: OFDM has 6, 9, 12",
        ),
        (
            "[mac]\ntiming = \"ofdm\"\n",
            "mac.timing: unknown value 'ofdm'; known: dsss, ofdm-5, ofdm-2.4",
        ),
    ] {
        let message = wrong(&format!("{CHAIN}{keys}"));
        assert!(message.contains(told), "{message}");
    }
    let message = wrong(&format!("{CHAIN}[mac]\nrules = \"802.11b\"\n"));
    assert!(message.contains("mac.rules: unknown value '802.11b'"), "{message}");
}

#[test]
fn a_frame_takes_time() {
    for key in ["basic_rate", "data_rate"] {
        let fast = format!(
            "{CHAIN}[mac]\ntiming = \"dsss\"\npreamble = \"0 s\"\n{key} = \"1e15 bit/s\"\n"
        );
        let message = wrong(&fast);
        assert!(message.contains(&format!("mac.{key}: frames would take no time")), "{message}");
    }
    medium("[mac]\ntiming = \"dsss\"\npreamble = \"0 s\"\ndata_rate = \"10 Gbit/s\"");
}

#[test]
fn data_may_have_a_longer_preamble() {
    assert_eq!(medium("").1.data_preamble, multihop_core::Bytes(0));
    assert_eq!(
        medium("[mac]\ndata_preamble = \"200 B\"").1.data_preamble,
        multihop_core::Bytes(200)
    );
    let message = wrong(&format!("{CHAIN}[mac]\ndata_preamble = \"3 kB\"\n"));
    assert!(
        message.ends_with("mac.data_preamble: must lie between 0 B and 2304 B (got 3000 B)"),
        "{message}"
    );
}

#[test]
fn the_reduced_csma_has_no_rts() {
    let cxcc = with(CHAIN, "\"udp\"", "\"cxcc\"");
    for key in ["rts_cts = true", "rts_threshold = \"0 B\""] {
        let message = wrong(&format!("{cxcc}[mac]\n{key}\n"));
        assert!(message.contains("does not apply"), "{message}");
    }
    right(&format!("{cxcc}[mac]\nrts_cts = false\n"));
}

#[test]
fn two_ray_ground_is_continuous_at_the_crossover_and_finite_at_zero() {
    let (radio, _) = medium("");
    let crossover = 4.0 * core::f64::consts::PI * 1.5 * 1.5 * 914e6 / 3e8;
    let power = |distance| radio.propagation.mean_power(&radio, distance);
    assert!(close(power(crossover * (1.0 - 1e-9)), power(crossover), 1e-6));
    // Friis at 50 m, by hand: 0.28183815 * (0.328228/(4 pi 50))^2
    assert!(close(power(50.0), 7.6911e-8, 1e-3), "{}", power(50.0));
    for model in PROPAGATIONS {
        let values = Values::new(model.params, &[]).expect("all have defaults");
        let propagation = Propagation::new(model, values);
        assert!(propagation.mean_power(&radio, 0.0).is_finite());
        assert!(propagation.mean_power(&radio, 100.0) > propagation.mean_power(&radio, 101.0));
    }
}

#[test]
fn the_shadowing_threshold_lies_below_the_mean() {
    let (radio, _) = medium("[radio]\npropagation = \"log-normal-shadowing\"");
    let mean = radio.propagation.mean_power(&radio, 250.0);
    // z(0.95) * 4 dB
    let decibel = 10.0 * libm::log10(mean / radio.receive_threshold);
    assert!((decibel - 1.644_853_6 * 4.0).abs() < 1e-5, "{decibel}");
    let mean = radio.propagation.mean_power(&radio, 550.0);
    assert!((10.0 * libm::log10(mean / radio.sense_threshold) - decibel).abs() < 1e-9);
}

#[test]
fn a_neighbour_exactly_at_the_range_is_in_it_despite_rounding() {
    // 3 * 33.3 - 2 * 33.3 is more than 33.3 in floating point
    let text = with(CHAIN, "hops = 4", "hops = 40\nspacing = \"33.3 m\"");
    let setup = right(&with(&text, "[scheme]", "[radio]\nreceive_range = \"33.3 m\"\n[scheme]"));
    let radio = setup.medium.radio().expect("a radio was asked for");
    for pair in setup.nodes.windows(2) {
        let power = radio.propagation.mean_power(radio, pair[1].x - pair[0].x);
        assert!(power >= radio.receive_threshold);
    }
}

#[test]
fn values_out_of_bounds_are_refused() {
    for (section, message) in [
        (
            "[radio]\ncapture_ratio = 0.5",
            "line 7: radio.capture_ratio: must be at least 1 (got 0.5)",
        ),
        (
            "[radio]\nbit_error_rate = 1.0",
            "line 7: radio.bit_error_rate: must lie between 0 and 0.99 (got 1)",
        ),
        (
            "[radio]\nsense_range = \"200 m\"",
            "line 7: radio.sense_range: must not be shorter than the receive range (receive 250 m, \
             sense 200 m)",
        ),
        (
            "[radio]\nreceive_range = \"600 m\"",
            "line 7: radio.receive_range: must not be longer than the sense range (receive 600 m, \
             sense 550 m)",
        ),
        (
            "[radio]\ntransmit_power = \"0 W\"",
            "line 7: radio.transmit_power: must lie between 0.000000000001 W and 1000000000 W (got 0 W)",
        ),
        (
            "[radio]\nantenna_height = \"0 m\"",
            "line 7: radio.antenna_height: must lie between 1 cm and 1000000000 m (got 0 m)",
        ),
        (
            "[radio]\npropagation = \"log-normal-shadowing\"\nrange_probability = 1",
            "line 8: radio.range_probability: must lie between 0.000001 and 0.999999 (got 1)",
        ),
        ("[mac]\ncw_min = 2000", "line 7: mac.cw_min: must not exceed cw_max (2000 against 1023)"),
        (
            "[mac]\ncw_max = 70_000",
            "line 7: mac.cw_max: must lie between 1 and 65535 slots (got 70000)",
        ),
        (
            "[mac]\nslot = \"0 us\"",
            "line 7: mac.slot: must lie between 1 ns and 1 s (got 0 s); without the key, \"20 us\" (dsss",
        ),
        (
            "[mac]\npreamble = \"2 s\"",
            "line 7: mac.preamble: must lie between 0 s and 1 s (got 2 s)",
        ),
        (
            "[mac]\nlink_layer_delay = \"2 s\"",
            "line 7: mac.link_layer_delay: must lie between 0 s and 1 s (got 2 s)",
        ),
        (
            "[mac]\nlink_layer_delay = \"25 m\"",
            "line 7: mac.link_layer_delay: \"25 m\" is a length; a time wants ns, us, ms, s, min or h",
        ),
        (
            "[mac]\nshort_retry_limit = 0",
            "line 7: mac.short_retry_limit: must be at least 1 (got 0)",
        ),
        (
            "[mac]\ndata_rate = \"0 bit/s\"",
            "line 7: mac.data_rate: must be at least 1 bit/s (got 0 bit/s)",
        ),
        (
            "[mac]\nheader = \"3 kB\"",
            "line 7: mac.header: must lie between 0 B and 2304 B (got 3000 B)",
        ),
        ("[wired]\nqueue = 0", "line 7: wired.queue: must be at least 1 packets (got 0)"),
    ] {
        let found = wrong(&with(CHAIN, "[scheme]", &format!("{section}\n[scheme]")));
        assert!(found.starts_with(message), "{found}");
    }
}
