//! Tables of rates: as numbers, as files, and what is refused of them.

use std::fs;

use multihop_core::{Duration, Value};

use crate::{Scenario, from_json, from_toml};

const SCENARIO: &str = "[topology]\nkind = \"chain\"\nhops = 3\n[mac]\nrts_cts = true\n[traffic]\n\
                        kind = \"ftp\"\npayload = \"1000 B\"\n[scheme]\nname = \"cl\"\n";
const TABLE: &str = "[measured]\ncommand = \"multihop optimum\"\nengine = \"e\"\nseeds = \"1-5\"\n\
                     scenario = \"{}\"\n[made_for]\npayload = \"1 kB\"\n[made_for.mac]\n\
                     rts_cts = true\n[made_for.scheme]\nacknowledge = false\n[[rate]]\nhops = 1\n\
                     rate = 90.5\ngoodput = 720.0\n[[rate]]\nhops = 2\nrate = 45\n";

fn with(line: &str) -> String {
    format!("{SCENARIO}{line}\n")
}

/// The scenario with the file `table`, read.
fn reading(table: &str, scenario: &str) -> Result<Scenario, String> {
    let folder = tempfile::tempdir().expect("a folder for the test");
    fs::write(folder.path().join("rates.toml"), table).expect("a file for the test");
    let read = from_toml(scenario).and_then(|scenario| scenario.with_files(folder.path()));
    let read = read.and_then(|scenario| scenario.setup().map(|_| scenario));
    read.map_err(|error| error.to_string())
}

fn rates(scenario: &Scenario) -> Option<Vec<f64>> {
    let setup = scenario.setup().expect("a valid scenario");
    match setup.params.values.named("rates") {
        Some(Value::Table(numbers)) => numbers.as_ref().map(|numbers| numbers.to_vec()),
        other => panic!("{other:?} are no rates"),
    }
}

#[test]
fn rates_are_computed_written_or_read() {
    let plain = |line: &str| rates(&from_toml(&with(line)).expect("valid"));
    assert_eq!(plain(""), None);
    assert_eq!(plain("rates = \"analytic\""), None);
    assert_eq!(plain("rates = [95, 47.5, 31]"), Some(vec![95.0, 47.5, 31.0]));
    let read = reading(TABLE, &with("rates = \"rates.toml\"")).expect("valid");
    assert_eq!(rates(&read), Some(vec![90.5, 45.0]));
}

#[test]
fn a_scenario_that_has_read_a_table_says_it_itself() {
    let read = reading(TABLE, &with("rates = \"rates.toml\"")).expect("valid");
    let again = from_json(&read.to_json()).expect("what was read once");
    assert_eq!(again.to_json(), read.to_json());
    assert_eq!(rates(&again), Some(vec![90.5, 45.0]));
    assert!(read.to_json().contains("multihop optimum"), "with its provenance");
}

#[test]
fn tables_of_another_link_are_refused_by_what_differs() {
    for (change, named) in [
        (("rts_cts = true", "rts_cts = false"), "mac.rts_cts = true, which is false here"),
        (
            ("rts_cts = true", "rts_cts = true\ndata_rate = \"2 Mbit/s\""),
            "mac.data_rate = 1 Mbit/s, which is 2 Mbit/s here",
        ),
        (("rts_cts = true", "rts_cts = true\nbasic_rate = \"2 Mbit/s\""), "mac.basic_rate"),
        (("rts_cts = true", "rts_cts = true\nslot = \"9 us\""), "mac.slot = 20 us"),
        (("[mac]", "[radio]\nreceive_range = \"220 m\"\n[mac]"), "radio.receive_range (m) = 250.0"),
        (("[mac]", "[radio]\nsense_range = \"500 m\"\n[mac]"), "[radio]"),
        (("1000 B", "512 B"), "traffic.payload (B) = 1000, which is 512 here"),
        (("name = \"cl\"", "name = \"cl\"\nacknowledge = true"), "scheme.acknowledge"),
        (("[mac]\nrts_cts = true", "[wired]"), "and here is [wired]"),
    ] {
        let scenario = with("rates = \"rates.toml\"").replacen(change.0, change.1, 1);
        let refused = reading(TABLE, &scenario).expect_err(named);
        for word in ["scheme.rates", "'rates.toml'", named, "multihop optimum"] {
            assert!(refused.contains(word), "{word} is missing: {refused}");
        }
    }
}

#[test]
fn background_traffic_may_have_other_packets() {
    let flow = "[[flow]]\nfrom = \"n1\"\nto = \"n2\"\nkind = \"cbr\"\nload = \"1 kbit/s\"\n\
                payload = \"99 B\"\ntransport = \"datagram\"\n";
    assert!(reading(TABLE, &(with("rates = \"rates.toml\"") + flow)).is_ok());
}

#[test]
fn gaps_and_what_is_no_table_are_refused_with_place_and_remedy() {
    for (from, to, words) in [
        (
            "hops = 2",
            "hops = 3",
            &["a gap: rate[1] should be that of 2 hops, and is that of 3"][..],
        ),
        ("hops = 1", "hops = 0", &["a gap: rate[0]"]),
        ("rate = 45", "rate = -45", &["scheme.rates", "between 0.001 and"]),
        ("rate = 45", "rate = \"45\"", &["line 18", "rate[1].rate"]),
        ("rate = 45", "", &["rate[1].rate", "is missing"]),
        ("[[rate]]", "[[rates]]", &["unknown key 'rates'"]),
        ("payload = \"1 kB\"", "payload = 1000", &["line 7", "made_for.payload", "no unit"]),
        ("payload = \"1 kB\"", "payload = \"1 kB", &["line 7"]),
        ("acknowledge = false", "acknowledged = false", &["no such parameter"]),
        ("acknowledge = false", "acknowledge = 3", &["scheme.acknowledge", "true or false"]),
    ] {
        let table = TABLE.replace(from, to);
        let refused = reading(&table, &with("rates = \"rates.toml\"")).expect_err(to);
        for word in words {
            assert!(refused.contains(word), "{word} is missing: {refused}");
        }
    }
    let missing = reading(TABLE, &with("rates = \"other.toml\"")).expect_err("there is none");
    assert!(missing.contains("other.toml") && missing.contains("check the path"), "{missing}");
}

#[test]
fn what_is_neither_numbers_nor_a_file_is_refused() {
    for (line, word) in [
        ("rates = \"fast\"", "got \"fast\""),
        ("rates = []", "needs numbers"),
        ("rates = [1, -2]", "between 0.001"),
        ("rates = [1, \"2\"]", "scheme"),
        ("rates = true", "wants numbers in brackets"),
        ("rates = \"rates.toml\"", "only a scenario file can name"),
        ("queue_limit = [1]", "a whole number"),
    ] {
        let refused = from_toml(&with(line)).and_then(|scenario| scenario.setup()).map(|_| ());
        let refused = refused.expect_err(line).to_string();
        assert!(refused.contains(word), "{line}: {refused}");
    }
}

#[test]
fn a_hop_takes_what_its_frames_and_the_spaces_between_take() {
    let overhead = |mac: &str, scheme: &str| {
        let text = SCENARIO.replace("rts_cts = true", mac).replace("\"cl\"", scheme);
        from_toml(&text).and_then(|s| s.setup()).expect("valid").params.link.overhead
    };
    let micros = Duration::from_micros;
    // DIFS, 15 slots, RTS, CTS, preamble and 34 B, ACK, three SIFS
    let all = 50 + 300 + 352 + 304 + 192 + 272 + 304 + 30;
    assert_eq!(overhead("rts_cts = true", "\"cl\""), micros(all));
    assert_eq!(overhead("rts_cts = false", "\"cl\""), micros(all - 352 - 304 - 20));
    assert_eq!(overhead("rts_cts = true\ndata_rate = \"2 Mbit/s\"", "\"cl\""), micros(all - 136));
    assert_eq!(overhead("rts_cts = false", "\"cxcc\""), micros(50 + 300 + 192 + 272));
}
