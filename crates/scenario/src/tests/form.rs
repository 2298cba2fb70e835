//! Mistakes in the form: keys, types, units, syntax.

use multihop_core::Switch;

use super::{CHAIN, EXPLICIT, right, with, wrong};
use crate::{from_json, from_toml};

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_likely_one() {
    let message = wrong(&with(CHAIN, "duration =", "duratoin ="));
    assert!(
        message.starts_with("line 2: duratoin: unknown key 'duratoin', did you mean 'duration'?"),
        "{message}"
    );
    let message = wrong(&with(CHAIN, "hops = 4", "hopps = 4"));
    assert!(
        message.starts_with("line 5: topology.hopps: unknown key 'hopps', did you mean 'hops'?"),
        "{message}"
    );
    let message = wrong(&with(CHAIN, "[scheme]", "[protocol]"));
    assert!(
        message.starts_with("line 6: protocol: unknown key 'protocol'; known: name, seed,"),
        "{message}"
    );
    let message = wrong(&with(EXPLICIT, "name = \"beta\"", "nam = \"beta\""));
    assert!(message.starts_with("line 12: node[1].nam: unknown key 'nam'"), "{message}");
    let message = wrong(&with(CHAIN, "[scheme]", "[scheme]\nnam = \"udp\""));
    assert!(
        message.starts_with("line 7: scheme.nam: unknown key 'nam', did you mean 'name'?"),
        "{message}"
    );
}

#[test]
fn a_key_of_another_version_is_told_what_stands_in_its_place() {
    let message = wrong(&with(CHAIN, "[scheme]", "[scheme]\nbandwidth_gain = 0.2"));
    assert_eq!(
        message,
        "line 7: scheme.bandwidth_gain: this version has no such key: WXCP takes the mean of each interval; leave \
         bandwidth_gain out"
    );
    let message = wrong(&with(CHAIN, "[scheme]", "[routing]\ndelete_period = \"9 s\"\n[scheme]"));
    assert!(message.contains("forget_sequence_numbers"), "{message}");
    let message = wrong(&with(CHAIN, "[scheme]", "[scheme]\nbandwidth_gian = 0.2"));
    assert!(message.contains("unknown key"), "{message}");
}

#[test]
fn a_name_in_place_of_a_table_is_told_where_it_goes() {
    assert_eq!(
        wrong(&format!("scheme = \"udp\"\n{}", with(CHAIN, "[scheme]", "[routing]"))),
        "line 1: scheme: is a table; did you mean scheme.name = \"udp\"?"
    );
}

#[test]
fn a_wrong_unit_is_named() {
    assert_eq!(
        wrong(&with(CHAIN, "\"20 s\"", "\"60 m\"")),
        "line 2: duration: \"60 m\" is a length; a time wants ns, us, ms, s, min or h"
    );
    assert_eq!(
        wrong(&with(CHAIN, "\"100 kbit/s\"", "\"100 kB\"")),
        "line 9: traffic.load: \"100 kB\" is a size; a rate wants bit/s, kbit/s, Mbit/s or Gbit/s"
    );
}

#[test]
fn a_number_without_unit_is_named() {
    for number in ["20", "-3", "2.5"] {
        assert_eq!(
            wrong(&with(CHAIN, "\"20 s\"", number)),
            format!(
                "line 2: duration: {number} has no unit; a time wants ns, us, ms, s, min or h, as in \
                 \"10 s\""
            )
        );
    }
}

#[test]
fn negative_and_infinite_values_are_refused() {
    assert_eq!(
        wrong(&with(CHAIN, "\"20 s\"", "\"-20 s\"")),
        "line 2: duration: \"-20 s\" is negative; a time cannot be"
    );
    let message = wrong(&with(CHAIN, "\"20 s\"", "\"inf s\""));
    assert!(message.starts_with("line 2: duration: \"inf s\" is not a time"), "{message}");
    for number in ["nan", "inf", "-inf"] {
        let text = with(CHAIN, "[scheme]", &format!("[radio]\ncapture_ratio = {number}\n[scheme]"));
        let message = wrong(&text);
        assert!(message.starts_with("line 7: radio.capture_ratio: "), "{message}");
        assert!(message.contains("wants a number (got "), "{message}");
        let message = wrong(&with(CHAIN, "\"20 s\"", number));
        assert!(message.ends_with("is not a time; write for example \"10 s\""), "{message}");
    }
}

#[test]
fn a_power_in_dbm_is_told_in_milliwatts() {
    for (dbm, milliwatts) in [("20 dBm", "100 mW"), ("-3.5 dBm", "0.446684 mW")] {
        let text =
            with(CHAIN, "[scheme]", &format!("[radio]\ntransmit_power = \"{dbm}\"\n[scheme]"));
        let wanted = format!(
            "line 7: radio.transmit_power: \"{dbm}\" is a signal; a power wants mW or W; \"{dbm}\" is \
             \"{milliwatts}\""
        );
        assert_eq!(wrong(&text), wanted);
    }
}

#[test]
fn a_wrong_type_is_named() {
    assert_eq!(
        wrong(&with(CHAIN, "hops = 4", "hops = \"four\"")),
        "line 5: topology.hops: wants a whole number (got \"four\")"
    );
    let message = wrong(&with(CHAIN, "hops = 4", "hops = -4"));
    assert_eq!(message, "line 5: topology.hops: must be at least 1 (got -4)");
    let message = wrong(&with(CHAIN, "\"20 s\"", "2024-01-01"));
    assert!(message.starts_with("line 2: duration: "), "{message}");
    let message = wrong(&with(CHAIN, "\"20 s\"", "true"));
    assert!(message.ends_with("expected a time such as \"10 s\""), "{message}");
    let message = wrong(&with(CHAIN, "[topology]\nkind", "[[topology]]\nkind"));
    assert!(message.starts_with("line 3: topology"), "{message}");
}

#[test]
fn an_unknown_kind_is_named_with_the_likely_one() {
    let message = wrong(&with(CHAIN, "\"chain\"", "\"chian\""));
    assert!(
        message.starts_with(
            "line 4: topology.kind: unknown topology 'chian', did you mean 'chain'? known: chain, "
        ),
        "{message}"
    );
}

#[test]
fn a_missing_key_is_named_with_its_table() {
    assert_eq!(wrong(&with(CHAIN, "kind = \"chain\"\n", "")), "line 3: topology.kind: is missing");
    assert_eq!(wrong(&with(CHAIN, "[scheme]\nname = \"udp\"\n", "")), "scheme: is missing");
    assert_eq!(wrong(&with(CHAIN, "name = \"udp\"\n", "")), "line 6: scheme.name: is missing");
    assert_eq!(
        wrong(&with(EXPLICIT, "name = \"beta\"\n", "")),
        "line 11: node[1].name: is missing"
    );
}

#[test]
fn a_file_cut_off_is_named_with_the_line() {
    let cut = &CHAIN[..CHAIN.find("udp").expect("the scheme") + 2];
    let message = wrong(cut);
    assert!(message.starts_with("line 7: not valid TOML: "), "{message}");
    let message = wrong("name = \"a\"\n[topology\n");
    assert!(message.starts_with("line 2: not valid TOML: "), "{message}");
    let message = wrong("name = \"a\"\nname = \"b\"\n");
    assert!(message.starts_with("line 2: not valid TOML: "), "{message}");
}

#[test]
fn an_empty_file_says_what_is_needed() {
    for text in ["", "  \n", "# only a comment\n"] {
        assert_eq!(
            wrong(text),
            "the scenario is empty; it needs at least [topology], [scheme] and [traffic]"
        );
    }
    assert!(from_json(" ").is_err_and(|error| error.message.contains("empty")));
}

#[test]
fn json_gets_the_same_messages() {
    let json = from_toml(CHAIN).expect("right").to_json();
    assert!(from_json(&json).expect("the normal form").setup().is_ok());
    let message = |text: &str| match from_json(text).and_then(|scenario| scenario.setup()) {
        Ok(_) => panic!("passed: {text}"),
        Err(error) => error.to_string(),
    };
    assert_eq!(
        message(&with(&json, "\"20 s\"", "\"60 m\"")),
        "duration: \"60 m\" is a length; a time wants ns, us, ms, s, min or h"
    );
    assert_eq!(
        message(&with(&json, "\"20 s\"", "60")),
        "duration: 60 has no unit; a time wants ns, us, ms, s, min or h, as in \"10 s\""
    );
    assert_eq!(
        message(&with(&json, "\"hops\": 4", "\"hops\": 0")),
        "topology.hops: must be at least 1 (got 0)"
    );
    assert!(message(&with(&json, "\"hops\"", "\"hosp\"")).contains("did you mean 'hops'?"));
    assert!(message(&json[..json.len() - 2]).contains(": not valid JSON: "));
    assert!(message(&format!("{json} x")).contains("not valid JSON: trailing characters"));
}

/// As CXCC has it.
const RFA: Switch = Switch { name: "rfa", about: "", default: true };

#[test]
fn the_normal_form_holds_what_was_given_and_nothing_else() {
    let json = from_toml(CHAIN).expect("right").to_json();
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        value,
        serde_json::json!({
            "name": "test",
            "duration": "20 s",
            "topology": { "kind": "chain", "hops": 4 },
            "scheme": { "name": "udp" },
            "traffic": { "load": "100 kbit/s" },
        })
    );
    let text = with(CHAIN, "\"udp\"", "\"cxcc\"\nrfa = false\nduplicate_memory = 2");
    let setup = right(&text);
    let again = from_json(&from_toml(&text).expect("right").to_json()).expect("the normal form");
    let again = again.setup().expect("right");
    assert_eq!(setup.params, again.params);
    assert_eq!(setup.params.values.given(RFA), Some(false));
    assert_eq!(setup.nodes, again.nodes);
}

#[test]
fn a_number_that_is_no_whole_one_is_said_in_words() {
    let told = "line 1: seed: must be a whole number from 0 to 9223372036854775807 (got ";
    assert!(wrong(&format!("seed = 1e20\n{CHAIN}")).starts_with(told));
    for given in ["-3", "1.5", "\"one\""] {
        assert_eq!(wrong(&format!("seed = {given}\n{CHAIN}")), format!("{told}{given})"));
    }
}

#[test]
fn what_stands_twice_is_named() {
    let twice = format!("{CHAIN}[scheme]\nname = \"cxcc\"\n");
    let message = wrong(&twice);
    assert!(message.contains("'scheme' stands there twice"), "{message}");
    let message = wrong(&with(CHAIN, "hops = 4", "hops = 4\nhops = 5"));
    assert_eq!(
        message,
        "line 6: not valid TOML: 'hops' stands there twice; merge the two, or remove one"
    );
}

#[test]
fn json_may_name_the_schema_that_an_editor_checks_it_by() {
    let json = from_toml(CHAIN).expect("right").to_json();
    let named = json.replacen('{', "{\"$schema\": \"./scenario.schema.json\",", 1);
    assert_eq!(from_json(&named).expect("right").to_json(), json);
    assert!(from_json(&json.replacen('{', "{\"$schema\": 3,", 1)).is_err());
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    assert!(from_toml(&format!("a = {}", "[".repeat(100_000))).is_err());
    assert!(from_toml(&format!("a = {}", "{b=".repeat(100_000))).is_err());
    assert!(from_toml(&format!("{} = 1", "a.".repeat(50_000) + "a")).is_err());
    assert!(from_json(&"[".repeat(100_000)).is_err());
    assert!(from_json(&"{\"topology\":".repeat(100_000)).is_err());
}
