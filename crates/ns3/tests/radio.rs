//! What ns-3's 802.11b is used for, and what is refused.

use multihop_ns3::{MultihopPropagation, MultihopRadio, radio};
use multihop_scenario::from_toml;

const LINKS: &str = "[[link]]\nfrom = \"n0\"\nto = \"n1\"\nsignal = \"-60 dBm\"\n\
                     [[link]]\nfrom = \"n1\"\nto = \"n0\"\nsignal = \"-60 dBm\"";

fn asked(keys: &str) -> Result<MultihopRadio, String> {
    let text = format!(
        "[topology]\nkind = \"chain\"\nhops = 1\n[scheme]\nname = \"udp\"\n\
         [traffic]\nload = \"1 kbit/s\"\n{keys}\n"
    );
    let setup = from_toml(&text).and_then(|scenario| scenario.setup());
    radio(&setup.unwrap_or_else(|error| panic!("{error}\n{text}")))
}

#[test]
fn rates_rts_and_propagation_are_the_scenario_s() {
    let fast = asked("[mac]\nrts_cts = true\ndata_rate = \"11 Mbit/s\"").expect("802.11b");
    assert_eq!((fast.rts, fast.data_rate, fast.basic_rate), (true, 11_000_000, 1_000_000));
    assert_eq!(fast.propagation, MultihopPropagation::TwoRayGround);
    let far = asked("[radio]\npropagation = \"free-space\"").expect("Friis");
    assert_eq!(far.propagation, MultihopPropagation::FreeSpace);
    assert_eq!((far.path_loss_exponent, far.shadowing_deviation), (0.0, 0.0));
    assert!((far.transmit_power - 24.5).abs() < 0.1, "{far:?}");
    let shadowed =
        "[radio]\npropagation = \"log-normal-shadowing\"\nshadowing_deviation = \"6 dB\"";
    let shadowed = asked(shadowed).expect("a power law");
    assert_eq!(shadowed.propagation, MultihopPropagation::LogNormalShadowing);
    assert_eq!((shadowed.path_loss_exponent, shadowed.shadowing_deviation), (4.0, 6.0));
}

#[test]
fn what_802_11b_is_not_is_refused_with_key_and_remedy() {
    let cases = [
        ("[radio]\nbit_error_rate = 1e-5", "radio.bit_error_rate", "leave it out"),
        ("[radio]\nreception = \"message-in-message\"", "radio.reception", "leave it out"),
        ("[radio]\ninterference = \"dsss\"", "radio.interference", "leave it out"),
        ("[mac]\ntiming = \"ofdm-5\"", "mac.timing", "'dsss'"),
        ("[mac]\nslot = \"9 us\"", "mac.timing", "'dsss'"),
        ("[mac]\nrts_threshold = \"300 B\"", "mac.rts_threshold", "mac.rts_cts"),
        (
            "[mac]\ntiming = \"dsss\"\ndata_rate = \"3 Mbit/s\"",
            "mac.data_rate",
            "1, 2, 5.5 and 11 Mbit/s",
        ),
        (LINKS, "link", "x and y"),
    ];
    for (keys, key, remedy) in cases {
        let error = asked(keys).expect_err(keys);
        assert!(error.starts_with(key) && error.contains(remedy), "{keys}: {error}");
    }
}
