//! What may stand for a parameter of each kind.

use multihop_core::{Defaults, Duration, Span, Value};

use super::{CHAIN, right, with, wrong};
use crate::{Registry, from_json, from_toml};
use multihop_setup::Setup;

/// As ATP has it, and the TCPs their least timeout.
const EPOCH: Span = Span {
    name: "epoch",
    about: "",
    bare_unit: "s",
    default: Duration::ZERO,
    min: Duration::ZERO,
    max: Duration::ZERO,
};

const MIN_RTO: Span = Span { name: "min_rto", bare_unit: "ms", ..EPOCH };

fn scheme(name: &str, keys: &str) -> String {
    with(CHAIN, "\"udp\"", &format!("\"{name}\"\n{keys}"))
}

#[test]
fn a_time_is_text_with_a_unit_or_a_number_in_the_parameters_unit() {
    for (text, millis) in [("\"200 ms\"", 200), ("\"0.25 s\"", 250), ("300", 300), ("1.5e2", 150)] {
        let setup = right(&scheme("newreno", &format!("min_rto = {text}")));
        assert_eq!(setup.params.get(MIN_RTO), Duration::from_millis(millis), "{text}");
    }
    for (text, millis) in [("\"200 ms\"", 200), ("2", 2_000), ("0.1", 100)] {
        let setup = right(&scheme("atp", &format!("epoch = {text}")));
        assert_eq!(setup.params.get(EPOCH), Duration::from_millis(millis), "{text}");
    }
    for (text, message) in [
        ("\"200\"", "\"200\" has no unit; a time wants ns, us, ms, s, min or h"),
        ("\"2 m\"", "\"2 m\" is a length; a time wants ns, us, ms, s, min or h"),
        ("\"2 d\"", "\"2 d\" has the unknown unit 'd'; a time wants ns, us, ms, s, min or h"),
        ("\"61 s\"", "must lie between 0 s and 60 s (got 61 s)"),
        ("61_000", "must lie between 0 s and 60 s (got 61 s)"),
        ("true", "wants a time (in ms)"),
    ] {
        let message = format!("line 8: scheme.min_rto: {message}");
        assert_eq!(wrong(&scheme("newreno", &format!("min_rto = {text}"))), message);
    }
}

#[test]
fn routing_and_topology_want_units() {
    let bare = with(CHAIN, "hops = 4", "hops = 4\nspacing = 200");
    let message = "line 6: topology.spacing: 200 has no unit; a length wants cm, m or km, as in \
                   \"200 m\"";
    assert_eq!(wrong(&bare), message);
    let routing = "[routing]\nkind = \"aodv\"\nactive_route_timeout = 10\n[scheme]";
    let message = "line 8: routing.active_route_timeout: 10 has no unit; a time wants ns, us, ms, s, \
                   min or h, as in \"10 s\"";
    assert_eq!(wrong(&with(CHAIN, "[scheme]", routing)), message);
}

#[test]
fn a_choice_is_one_of_its_names() {
    let grid = "kind = \"grid\"\nrows = 2\ncolumns = 2\nhorizontal_flows = 1\nends = ";
    let text = |ends: &str| with(CHAIN, "kind = \"chain\"\nhops = 4", &format!("{grid}{ends}"));
    assert_eq!(right(&text("\"outside\"")).nodes.len(), 6);
    assert_eq!(
        wrong(&text("\"outsid\"")),
        "line 8: topology.ends: unknown value 'outsid', did you mean 'outside'? known: inside, outside"
    );
    assert_eq!(
        wrong(&text("true")),
        "line 8: topology.ends: wants inside or outside, as text (got true)"
    );
}

#[test]
fn half_a_packet_is_none() {
    assert_eq!(
        wrong(&scheme("udp", "queue_limit = 1.9")),
        "line 8: scheme.queue_limit: wants a whole number (in packets)"
    );
}

#[test]
fn a_seed_is_any_whole_number() {
    let random = "kind = \"random\"\nnodes = 9\nwidth = \"300 m\"\nheight = \"300 m\"\nflows = 1\n\
                  topology_seed = ";
    let text = |seed: &str| with(CHAIN, "kind = \"chain\"\nhops = 4", &format!("{random}{seed}"));
    right(&text("9007199254740993"));
    for seed in ["-1", "0.5", "true"] {
        let message = wrong(&text(seed));
        assert_eq!(message, "line 9: topology.topology_seed: wants a whole number");
    }
}

/// TOML ends there; JSON does not.
#[test]
fn seeds_fit_integers_with_a_sign() {
    let json = |seed: &str, topology: &str| {
        let text = format!(
            r#"{{"seed": {seed}, "topology": {{"kind": "random", "nodes": 9, "width": "300 m",
               "height": "300 m", "flows": 1, "topology_seed": {topology}}},
               "traffic": {{"load": "1 kbit/s"}}, "scheme": {{"name": "udp"}}}}"#
        );
        let setup = from_json(&text).and_then(|scenario| scenario.setup());
        setup.map(|setup| setup.seed).map_err(|error| error.to_string())
    };
    let [last, next] = ["9223372036854775807", "9223372036854775808"];
    assert_eq!(json(last, last), Ok(i64::MAX as u64));
    for (seed, topology, key) in [(next, "1", "seed"), ("1", next, "topology.topology_seed")] {
        let message = format!("{key}: must be at most {last} (got {next})");
        assert_eq!(json(seed, topology), Err(message));
    }
}

/// What a host outside a simulator asks for.
#[test]
fn in_the_field_other_defaults_hold_of_what_a_file_does_not_give() {
    let field = Registry::default().with_defaults(Defaults::Field);
    let setup = |scheme: &str, registry: &Registry| {
        let text = with(CHAIN, "\"udp\"", scheme);
        let text =
            with(&text, "[scheme]", "[routing]\nkind = \"aodv\"\nerror_rate_limit = 3\n[scheme]");
        from_toml(&text).and_then(|scenario| scenario.setup_with(registry)).expect("it is valid")
    };
    let probe = |setup: &Setup| setup.params.values.named("longest_probe").cloned();
    let seconds = |s: u64| Some(Value::Span(Duration::from_millis(1_000 * s)));
    let [paper, there] =
        [Registry::default(), field.clone()].map(|registry| setup("\"cxcc\"", &registry));
    assert_eq!((probe(&paper), probe(&there)), (seconds(0), seconds(2)));
    let limits = |setup: &Setup| {
        ["request_rate_limit", "error_rate_limit"]
            .map(|name| setup.routing.values.named(name).cloned())
    };
    assert_eq!(limits(&paper), [None, Some(Value::Count(3))]);
    assert_eq!(limits(&there), [Value::Count(10), Value::Count(3)].map(Some));
    let given = setup("\"cxcc\"\nlongest_probe = \"7 s\"", &field);
    assert_eq!(probe(&given), seconds(7), "what is given holds");
}

#[test]
fn values_that_contradict_each_other_are_refused() {
    for (scheme, more, told) in [
        (
            "name = \"xcp\"\nleast_interval = \"2 s\"",
            "",
            "scheme.least_interval: must not exceed initial_interval (2 s against 50 ms)",
        ),
        (
            "name = \"xcp\"\nlongest_interval = \"20 ms\"",
            "",
            "scheme.longest_interval: must not be below initial_interval (20 ms against 50 ms)",
        ),
        (
            "name = \"ezflow\"\nmin_exponent = 9",
            "",
            "scheme.min_exponent: must not exceed first_exponent (9 against 5)",
        ),
        ("name = \"link-red\"\nmin_threshold = 5", "", "scheme.min_threshold: must not exceed"),
        (
            "name = \"vegas\"\nbeta = 0.5",
            "",
            "scheme.beta: must not be below alpha (0.5 against 1)",
        ),
        (
            "name = \"udp\"",
            "[routing]\nkind = \"dsr\"\nlongest_request_period = \"1 ms\"\n",
            "routing.longest_request_period: must not be below request_period",
        ),
        (
            "name = \"meshtastic\"\nhop_scaling = \"gated\"\nscaling_release = 0.5",
            "[mac]\nkind = \"lora\"\n",
            "scheme.scaling_release: must not exceed scaling_engage (0.5 against 0.2)",
        ),
    ] {
        let text = with(CHAIN, "name = \"udp\"", scheme);
        let message = wrong(&format!("{text}{more}"));
        assert!(message.contains(told), "{message}");
    }
}

#[test]
fn a_signal_to_noise_ratio_may_be_negative_and_a_deviation_may_not() {
    let slow = with(CHAIN, "load = \"100 kbit/s\"", "load = \"100 bit/s\"\npayload = \"40 B\"");
    let meshcore = with(&slow, "name = \"udp\"", "name = \"meshcore\"\nSNR");
    let given = |level| format!("{}[mac]\nkind = \"lora\"\n", meshcore.replace("SNR", level));
    right(&given("redundancy = 1\nredundancy_weak = \"-10 dB\"\nredundancy_strong = \"-5 dB\""));
    let message = wrong(&given("redundancy = 1\nredundancy_weak = \"-70 dB\""));
    assert!(message.contains("must lie between -60 dB and 100 dB"), "{message}");
    let shadowed = format!(
        "{CHAIN}[radio]\npropagation = \"log-normal-shadowing\"\nshadowing_deviation = \"-4 dB\"\n"
    );
    assert!(wrong(&shadowed).contains("radio.shadowing_deviation: must"), "{}", wrong(&shadowed));
}
