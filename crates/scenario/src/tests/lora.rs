//! Mistakes in [mac] with LoRa, and what of [radio] does not hold with it.

use super::{right, with, wrong};
use crate::from_toml;

const LORA: &str = r#"[topology]
kind = "chain"
hops = 2
spacing = "1500 m"
[radio]
propagation = "log-distance"
transmit_power = "1 W"
[mac]
kind = "lora"
preset = "long-fast"
[scheme]
name = "udp"
[traffic]
load = "10 bit/s"
payload = "40 B"
"#;

/// The scenario with this line in [mac].
fn and(line: &str) -> String {
    with(LORA, "\"long-fast\"\n", &format!("\"long-fast\"\n{line}\n"))
}

#[test]
fn a_range_follows_from_the_link_budget() {
    // 3GPP's suburban macro-cell with 30 dBm, and LongFast: 2013 m, by the sensitivity of -131.5 dBm
    let range = |line: &str| right(&and(line)).medium.neighbour_range();
    assert!((range("sensitivity = \"-131.5 dBm\"") - 2_013.0).abs() < 1.0);
    let exact = range("");
    assert!((exact - 2_015.0).abs() < 1.0, "{exact}");
    // 4 dB are a factor of 10^(4/44.9) of the distance.
    let less = range("noise_figure = \"10 dB\"") / exact;
    assert!((less - libm::pow(10.0, -4.0 / 44.9)).abs() < 1e-6, "{less}");
}

#[test]
fn a_preset_that_does_not_exist_is_answered_with_those_that_do() {
    let message = wrong(&with(LORA, "long-fast", "long-fats"));
    assert!(message.starts_with("line 10: mac.preset: "), "{message}");
    assert!(message.contains("long-fast") && message.contains("long-fats"), "{message}");
    let message = wrong(&with(LORA, "long-fast", "zigbee"));
    for name in ["long-fast", "very-long-slow", "medium-turbo", "short-slow", "meshcore-sf8"] {
        assert!(message.contains(name), "{message}");
    }
}

#[test]
fn numbers_that_no_radio_has_are_refused() {
    for (line, key) in [
        ("spreading_factor = 6", "spreading_factor"),
        ("spreading_factor = 13", "spreading_factor"),
        ("bandwidth = \"2 MHz\"", "bandwidth"),
        ("coding_rate = \"4/9\"", "coding_rate"),
        ("preamble = 5", "preamble"),
        ("header = \"255 B\"", "header"),
        ("duty_cycle = 1.5", "duty_cycle"),
        ("duty_cycle = 0", "duty_cycle"),
        ("window = 0", "window"),
        ("cad_miss = 1.1", "cad_miss"),
        ("slot = \"0 s\"", "slot"),
        ("access = \"slots\"\nretry_most = 0", "retry_most"),
        ("capture_locked = \"-1 dB\"", "capture_locked"),
    ] {
        let message = wrong(&and(line));
        assert!(message.contains(&format!("mac.{key}: ")), "{line}: {message}");
    }
    let message = wrong(&and("duty_cycle = 1.5"));
    assert_eq!(
        message,
        "line 11: mac.duty_cycle: must lie between 0.000001 and 1 (got 1.5); without the key, no limit"
    );
}

#[test]
fn values_that_make_no_sense_together_are_refused() {
    assert_eq!(
        wrong(&and("interfere_from = \"-120 dBm\"")),
        "line 11: mac.interfere_from: must not be above the sensitivity, or frames that are decoded would do no harm \
         (-120.00 dBm against -131.52 dBm)"
    );
    assert_eq!(
        wrong(&and("lock_symbols = 17")),
        "line 11: mac.lock_symbols: must not be longer than the preamble of 16 symbols"
    );
    assert_eq!(
        wrong(&and("grace = 20")),
        "line 11: mac.grace: must not be longer than the preamble of 16 symbols"
    );
    assert_eq!(
        wrong(&and("duty_cycle = 0.01\nduty_window = \"60 s\"")),
        "line 11: mac.duty_cycle: a frame of 255 B takes 2.157 s, more than this share of duty_window; give more of \
         one of the two"
    );
}

#[test]
fn a_message_that_no_frame_carries_is_refused() {
    // 255 B of frame, 7 B of which are the radio's header; UDP has no header here, and the network header is not on the air.
    assert_eq!(right(&with(LORA, "\"40 B\"", "\"248 B\"")).sources.len(), 1);
    let message = wrong(&with(LORA, "\"40 B\"", "\"249 B\""));
    assert!(message.contains("a frame of the LoRa MAC carries at most 268 B"), "{message}");
    let large = with(&and("header = \"100 B\""), "\"40 B\"", "\"156 B\"");
    assert!(wrong(&large).contains("carries at most 175 B"));
}

#[test]
fn what_its_receiver_decides_itself_is_said_to_have_no_effect_in_the_radio_section() {
    let notes = |lines: &str| -> Vec<String> {
        let text = with(LORA, "[radio]\n", &format!("[radio]\n{lines}\n"));
        let scenario = from_toml(&text).expect("it can be read");
        scenario.notes().expect("it is right").iter().map(ToString::to_string).collect()
    };
    assert!(notes("").is_empty(), "{:?}", notes(""));
    for (line, key) in [
        ("receive_range = \"200 m\"", "receive_range"),
        ("sense_range = \"900 m\"", "sense_range"),
        ("receive_threshold = \"-80 dBm\"\nsense_threshold = \"-90 dBm\"", "receive_threshold"),
        ("capture_ratio = 4", "capture_ratio"),
        ("reception = \"first-decodable\"", "reception"),
        ("interference = \"dsss\"", "interference"),
        ("frequency = \"868 MHz\"", "frequency"),
        ("antenna_height = \"3 m\"", "antenna_height"),
    ] {
        let found = notes(line);
        let start = format!("not heeded: radio.{key} ");
        assert!(found.iter().any(|note| note.contains(&start)), "{line}: {found:?}");
    }
    let text = and("cad = false\ncad_symbols = 4");
    let scenario = from_toml(&text).expect("it can be read");
    let notes: Vec<String> =
        scenario.notes().expect("it is right").iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("mac.cad_symbols")), "{notes:?}");
}

#[test]
fn single_keys_that_need_another_one_say_so() {
    let notes = |line: &str| -> Vec<String> {
        let scenario = from_toml(&and(line)).expect("it can be read");
        scenario.notes().expect("it is right").iter().map(ToString::to_string).collect()
    };
    for (line, without) in [
        ("duty_window = \"60 s\"", "which has no mac.duty_cycle"),
        ("over_duty_cycle = \"wait\"", "which has no mac.duty_cycle"),
        ("energy_delay = \"1 s\"", "which has no mac.energy_threshold"),
        ("retry_delay = \"1 s\"", "which has mac.access = \"slots\""),
    ] {
        let found = notes(line);
        assert!(found.iter().any(|note| note.contains(without)), "{line}: {found:?}");
    }
}

#[test]
fn nodes_out_of_reach_are_told_what_would_help() {
    let message = wrong(&with(LORA, "1500 m", "2100 m"));
    assert!(message.contains("move them closer or raise radio.transmit_power"), "{message}");
}

#[test]
fn a_scheme_that_needs_link_acknowledgments_is_refused_and_cxcc_runs() {
    let chain = with(LORA, "\"udp\"", "\"cxcc\"");
    assert_eq!(right(&chain).medium.mac.name, "lora");
    let needy = multihop_schemes::SCHEMES
        .iter()
        .find(|scheme| scheme.requires.contains(&multihop_core::Capability::LinkAcknowledgment));
    let needy = needy.expect("there is one").name;
    let message = wrong(&with(LORA, "\"udp\"", &format!("\"{needy}\"")));
    assert!(message.contains("which the LoRa MAC does not have"), "{message}");
}
