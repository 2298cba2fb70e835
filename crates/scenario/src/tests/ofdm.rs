//! Receivers of OFDM: what their timings bring, and what they refuse.

use multihop_medium::dcf::Settings;
use multihop_setup::{ErrorModel, Interference, Ofdm, Radio};

use super::{CHAIN, right, wrong};
use crate::{conditions, from_toml};

fn radio(keys: &str) -> Radio {
    right(&format!("{CHAIN}{keys}")).medium.radio().expect("there are no wires").clone()
}

fn receiver(radio: &Radio) -> Ofdm {
    let Interference::Ofdm(ofdm) = radio.interference else { panic!("{radio:?}") };
    ofdm
}

fn dbm(watts: f64) -> f64 {
    10.0 * libm::log10(watts) + 30.0
}

#[test]
fn timings_of_ofdm_bring_its_receiver() {
    for (timing, frequency) in [("ofdm-5", 5180e6), ("ofdm-2.4", 2437e6)] {
        let radio = radio(&format!("[mac]\ntiming = \"{timing}\"\n"));
        let ofdm = receiver(&radio);
        assert_eq!((ofdm.errors, ofdm.margin.to_bits()), (ErrorModel::Nist, 0));
        for (found, expected) in [
            (dbm(ofdm.noise), -93.965),
            (dbm(radio.receive_threshold), -82.0),
            (dbm(radio.sense_threshold), -104.0),
            (radio.frequency / 1e6, frequency / 1e6),
        ] {
            assert!((found - expected).abs() < 1e-3, "{timing}: {found}, not {expected}");
        }
    }
    let pairwise = radio("[mac]\ntiming = \"ofdm-5\"\n[radio]\ninterference = \"ratio\"\n");
    assert_eq!(pairwise.interference, Interference::Ratio);
    assert!((pairwise.frequency - 914e6).abs() < 1.0);
    assert!((pairwise.neighbour_range - 250.0).abs() < 1e-3);
    assert_eq!(radio("").interference, Interference::Ratio);
}

#[test]
fn its_noise_and_its_thresholds_are_keys() {
    let given = radio(
        "[mac]\ntiming = \"ofdm-5\"\n[radio]\nnoise_figure = \"10 dB\"\nbandwidth = \"10 MHz\"\n\
         errors = \"table\"\nerror_margin = \"1 dB\"\nreceive_threshold = \"-91 dBm\"\n",
    );
    let ofdm = receiver(&given);
    assert_eq!(ofdm.errors, ErrorModel::Table);
    assert!((dbm(ofdm.noise) + 93.975).abs() < 1e-3, "{}", dbm(ofdm.noise));
    assert!((ofdm.margin - 1.0).abs() < 1e-9);
    assert!((dbm(given.receive_threshold) + 91.0).abs() < 1e-9);
    assert!((dbm(given.sense_threshold) + 104.0).abs() < 1e-9);
}

/// 10 % of frames of 1064 B are lost at 22.5 dB of SNR at 54 Mbit/s, and at 3.9 at 6 Mbit/s, where detection decides.
#[test]
fn neighbours_are_those_that_get_the_data_rate() {
    for (rate, expected) in [(54, -71.46), (24, -80.6), (6, -82.0)] {
        let radio = radio(&format!("[mac]\ntiming = \"ofdm-5\"\ndata_rate = \"{rate} Mbit/s\"\n"));
        let power = radio.propagation.mean_power(&radio, radio.neighbour_range);
        assert!((dbm(power) - expected).abs() < 0.1, "{rate}: {}", dbm(power));
        assert!((dbm(radio.carrying_power()) - dbm(power)).abs() < 1e-3, "{rate}");
    }
    let short = radio("[mac]\ntiming = \"ofdm-5\"\n[radio]\nreceive_range = \"210 m\"\n");
    assert!((short.neighbour_range - 210.0).abs() < 1e-3, "{}", short.neighbour_range);
}

#[test]
fn links_carry_data_from_the_same_power_on() {
    let linked = |signal: i32| {
        format!(
            "[topology]\nkind = \"explicit\"\n[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n\
             [[flow]]\nfrom = \"a\"\nto = \"b\"\n[[link]]\nfrom = \"a\"\nto = \"b\"\nsignal = \"{signal} dBm\"\n\
             both_ways = true\n[mac]\ntiming = \"ofdm-5\"\n[scheme]\nname = \"udp\"\n\
             [traffic]\nload = \"1 kbit/s\"\n"
        )
    };
    right(&linked(-71));
    let message = wrong(&linked(-72));
    assert!(message.contains("no route") || message.contains("reach"), "{message}");
    right(&linked(-72).replace("signal = \"-72 dBm\"", "delivery = 0.9"));
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (keys, told) in [
        ("[radio]\ninterference = \"ofdm\"\n", "mac.timing: is no timing of OFDM"),
        (
            "[mac]\ntiming = \"erp-mixed\"\n[radio]\ninterference = \"ofdm\"\n",
            "mac.timing: is no timing of OFDM",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\nrules = \"ns2\"\n",
            "mac.rules: ns-2 has no receiver of OFDM; use \"ieee-802.11\"",
        ),
        (
            "[mac]\ntiming = \"ht-5\"\nrules = \"ns2\"\n[radio]\ninterference = \"ratio\"\n",
            "mac.rules: ns-2 has no frames of several packets; use \"ieee-802.11\" or \"ns3\"",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\ndata_rate = \"11 Mbit/s\"\n",
            "mac.data_rate: OFDM has 6, 9, 12",
        ),
        (
            "[mac]\ntiming = \"ht-5\"\ndata_rate = \"54 Mbit/s\"\n",
            "mac.data_rate: 802.11n has 6.5, 13, 19.5",
        ),
        (
            "[mac]\ntiming = \"ht-5\"\nshort_guard = true\ndata_rate = \"52 Mbit/s\"\n",
            "mac.data_rate: 802.11n with short_guard has 7.2",
        ),
        (
            "[mac]\ntiming = \"ht-5\"\nbasic_rate = \"6.5 Mbit/s\"\n",
            "mac.basic_rate: OFDM has 6, 9",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\n[radio]\nsense_threshold = \"-70 dBm\"\n",
            "radio.sense_threshold: must not be above receive_threshold (-70 dBm against -82 dBm)",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\n[radio]\nreceive_threshold = \"-85 dBm\"\nsense_range = \"9 m\"\n",
            "radio.sense_range: says the same as",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\n[radio]\nnoise_figure = \"60 dB\"\ntransmit_power = \"0.000001 mW\"\n",
            "mac.data_rate: needs signals of",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\n[radio]\nerrors = \"yans\"\n",
            "radio.errors: unknown value 'yans'; known: nist, table",
        ),
        ("[mac]\ntiming = \"ofdm-5\"\n[radio]\nnoise_figure = \"-3 dB\"\n", "radio.noise_figure: "),
        (
            "[mac]\nrate = \"minstrel\"\n",
            "mac.rate: \"minstrel\" chooses among the rates of OFDM; set mac.timing",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\nrate = \"ideal\"\n[radio]\ninterference = \"ratio\"\n",
            "mac.rate: \"ideal\" compares signals with noise",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\nrate = \"best\"\n",
            "mac.rate: unknown value 'best'; known: fixed, ideal, minstrel",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\nrate = \"minstrel\"\ndata_rate = \"11 Mbit/s\"\n",
            "mac.data_rate: OFDM has 6, 9, 12",
        ),
        ("[routing]\nmetric = \"airtime\"\n", "routing.metric: \"airtime\" asks which rate"),
    ] {
        let message = wrong(&format!("{CHAIN}{keys}"));
        assert!(message.contains(told), "{message}");
    }
}

#[test]
fn rules_of_ns2_send_each_packet_alone() {
    let alone = "[mac]\ntiming = \"ht-5\"\nrules = \"ns2\"\naggregation = \"0 s\"\n\
                 [radio]\ninterference = \"ratio\"\n";
    right(&format!("{CHAIN}{alone}"));
}

fn notes(keys: &str) -> Vec<String> {
    let scenario = from_toml(&format!("{CHAIN}{keys}")).expect("it is valid");
    let notes = scenario.notes().expect("it is valid");
    notes.into_iter().map(|note| note.to_string()).collect()
}

#[test]
fn keys_that_the_receiver_does_not_heed_are_named() {
    let ofdm = notes(
        "[mac]\ntiming = \"ofdm-5\"\n[radio]\ncapture_ratio = 5\nreception = \"first-decodable\"\n\
         transmit_power = \"400 mW\"\n",
    );
    assert_eq!(ofdm.len(), 2, "{ofdm:?}");
    assert!(ofdm[0].contains("radio.capture_ratio by interference \"ofdm\""), "{ofdm:?}");
    assert!(ofdm[1].contains("radio.reception by interference \"ofdm\""), "{ofdm:?}");
    let captures = "[mac]\ntiming = \"ofdm-5\"\n[radio]\ncapture_ratio = 5\nreception = \"message-in-message\"\n";
    assert_eq!(notes(captures), Vec::<String>::new());
    let pairwise = notes("[radio]\nnoise_figure = \"9 dB\"\nerrors = \"table\"\n");
    assert_eq!(pairwise.len(), 2, "{pairwise:?}");
    assert!(pairwise.iter().all(|note| note.contains("which knows no noise")), "{pairwise:?}");
}

#[test]
fn parameters_of_rate_controls_hold_with_theirs() {
    let ideal = "[mac]\ntiming = \"ofdm-5\"\nrate = \"ideal\"\n";
    let of_mac = |keys: &str| {
        let mut notes = notes(&format!("{ideal}{keys}"));
        notes.retain(|note| note.contains("mac."));
        notes
    };
    assert_eq!(of_mac("ideal_bit_error_rate = 0.001\n"), Vec::<String>::new());
    let other = of_mac("minstrel_samples = 0.2\n");
    assert!(matches!(&other[..], [note] if note.contains("mac.minstrel_samples")), "{other:?}");
    let setup = right(&format!("{CHAIN}{ideal}"));
    assert_eq!(conditions(&setup)["rate_control"].to_string(), "\"ideal\"");
}

/// At 6 Mbit/s the detection decides, at -82 dBm.
#[test]
fn neighbours_are_those_that_get_the_basic_rate_where_rates_are_chosen() {
    let radio = radio("[mac]\ntiming = \"ofdm-5\"\nrate = \"minstrel\"\n");
    assert!((dbm(radio.carrying_power()) + 82.0).abs() < 1e-3, "{}", dbm(radio.carrying_power()));
}

#[test]
fn by_ns3s_rules_an_rts_has_no_limit() {
    let limit = "[mac]\nrules = \"ns3\"\nshort_retry_limit = 3\n";
    assert_eq!(notes(limit), Vec::<String>::new());
    let told = notes(&format!("{limit}rts_cts = true\n"));
    assert!(matches!(&told[..], [note] if note.contains("mac.short_retry_limit")), "{told:?}");
}

#[test]
fn its_thresholds_and_errors_are_conditions_of_every_result() {
    let setup = right(&format!("{CHAIN}[mac]\ntiming = \"ofdm-5\"\n"));
    let found = conditions(&setup);
    for (name, expected) in [
        ("receive_threshold_dbm", "-82.0"),
        ("sense_threshold_dbm", "-104.0"),
        ("noise_dbm", "-93.96"),
        ("errors", "\"nist\""),
        ("error_margin_db", "0.0"),
    ] {
        assert_eq!(found[name].to_string(), expected, "{name}");
    }
    assert!(Settings::of(&setup.medium).is_some_and(|mac| mac.sends_ofdm()));
    assert!(!conditions(&right(CHAIN)).contains_key("noise_dbm"));
}
