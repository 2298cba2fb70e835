//! What counts as the same run, and which conditions it has.

use serde_json::json;

use super::{CHAIN, right, with};
use crate::{Registry, check_key, conditions, from_toml};

#[test]
fn scenarios_that_mean_the_same_are_the_same_run() {
    let same = |one: &str, other: &str| right(one).identity() == right(other).identity();
    assert!(same(CHAIN, &with(CHAIN, "100 kbit/s", "0.1 Mbit/s")));
    assert!(same(CHAIN, &with(CHAIN, "20 s", "20000 ms")));
    assert!(same(CHAIN, &format!("seed = 1\n{CHAIN}[mac]\ncw_min = 31\nslot = \"0.02 ms\"\n")));
    assert!(!same(CHAIN, &with(CHAIN, "100 kbit/s", "101 kbit/s")));
    assert!(!same(CHAIN, &with(CHAIN, "\"test\"", "\"other\"")), "the name is a column");
    let lists = ["udp", "udp-ack", "newreno", "reno"].map(|scheme| with(CHAIN, "udp", scheme));
    assert!(!same(&lists[0], &lists[1]) && !same(&lists[2], &lists[3]));
    for more in ["seed = 2\n", "warmup = \"9 s\"\n", "series_interval = \"2 s\"\n"] {
        assert!(!same(CHAIN, &format!("{more}{CHAIN}")), "{more}");
    }
    for more in ["[routing]\nkind = \"aodv\"\n", "[radio]\ncapture_ratio = 9\n", "[wired]\n"] {
        assert!(!same(CHAIN, &format!("{CHAIN}{more}")), "{more}");
    }
}

#[test]
fn conditions_are_those_in_force() {
    let of = |scheme: &str, more: &str| {
        conditions(&right(&format!("{}{more}", with(CHAIN, "\"udp\"", &format!("\"{scheme}\"")))))
    };
    let udp = of("udp", "");
    assert_eq!(udp["mac"], "802.11 DCF");
    assert_eq!((&udp["cw_min"], &udp["rts_cts"]), (&json!(31), &json!("off")));
    assert_eq!((&udp["short_retry_limit"], &udp["header_bytes"]), (&json!(7), &json!(20)));
    let wake = of("wake", "[mac]\ncw_min = 63\nrts_threshold = \"99 B\"\n");
    assert_eq!((&wake["cw_min"], &wake["long_retry_limit"]), (&json!(3), &json!(3)));
    assert_eq!((&wake["rts_cts"], &wake["queue_limit"]), (&json!("above 99 B"), &json!(49)));
    let steep = "[mac]\ntiming = \"ofdm-5\"\ndata_rate = \"24 Mbit/s\"\n[radio]\npropagation = \"free-space\"\n";
    let at_24 = of("wake", steep);
    assert_eq!((&at_24["cw_min"], &at_24["long_retry_limit"]), (&json!(15), &json!(7)));
    let by_ratio = of("wake", &format!("{steep}interference = \"ratio\"\n"));
    assert_eq!((&by_ratio["cw_min"], &by_ratio["long_retry_limit"]), (&json!(3), &json!(3)));
    let cxcc = of("cxcc", "");
    assert_eq!((&cxcc["mac"], &cxcc["short_retry_limit"]), (&json!("reduced CSMA"), &json!(null)));
    assert_eq!(of("udp", "[wired]\n")["mac"], "wired");
}

#[test]
fn a_key_that_no_scenario_has_cannot_be_taken_away() {
    let registry = Registry::default();
    let known = [
        "seed",
        "mac.cw_min",
        "mac",
        "scheme.rfa",
        "routing.arp",
        "topology.hops",
        "link",
        "traffic.interval",
        "mobility.file",
        "roles",
        "roles.router.share",
        "roles.router.scheme.queue_limit",
    ];
    for key in known {
        assert!(check_key(key, &registry).is_ok(), "{key}");
    }
    let error = check_key("topolgy.hops", &registry).expect_err("unknown");
    assert_eq!(
        error.to_string(),
        "topolgy.hops: unknown key 'topolgy.hops', so there is nothing to take away, did you mean \
         'topology.hops'?"
    );
    assert!(check_key("roles.router.shar", &registry).is_err());
    assert!(check_key("typo", &registry).is_err() && check_key("scheme.typo", &registry).is_err());
}

#[test]
fn rates_that_the_timing_lacks_are_refused_unless_it_is_named() {
    let mac = |keys: &str| format!("{CHAIN}[mac]\n{keys}\n");
    for key in ["data_rate", "basic_rate"] {
        let message = super::wrong(&mac(&format!("{key} = \"54 Mbit/s\"")));
        let start = format!("line 11: mac.{key}: 54 Mbit/s is no rate of 802.11b");
        assert!(message.starts_with(&start), "{message}");
        assert!(message.contains("mac.timing = \"ofdm-2.4\""), "{message}");
    }
    for keys in [
        "data_rate = \"5.5 Mbit/s\"",
        "data_rate = \"54 Mbit/s\"\ntiming = \"ofdm-2.4\"",
        "data_rate = \"3.7 Mbit/s\"\ntiming = \"dsss\"",
        "data_rate = \"9 kbit/s\"\nslot = \"1 ms\"\nsifs = \"1 ms\"\npreamble = \"0 s\"",
    ] {
        right(&mac(keys));
    }
    let with_timing = mac("data_rate = \"11 Mbit/s\"\ntiming = \"dsss\"");
    let without = mac("data_rate = \"11 Mbit/s\"");
    assert_eq!(right(&with_timing).identity(), right(&without).identity());
    assert!(from_toml(&without).is_ok());
}
