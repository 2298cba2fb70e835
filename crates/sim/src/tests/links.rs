//! Runs over a channel that is given by its links.

use multihop_core::Time;

use super::{assert_balanced, fingerprint, floats, integers, run_text, setup};
use crate::Tables;
use crate::survey::survey;

/// Chains of 200 m with traffic both ways; `rest` ends the file.
fn chain(scheme: &str, rest: &str) -> String {
    format!(
        "seed = 3\nwarmup = \"1 s\"\nduration = \"5 s\"\n\
         topology = {{ kind = \"bidirectional-chain\", hops = 5 }}\n\
         scheme = {{ name = \"{scheme}\" }}\ntraffic = {{ load = \"150 kbit/s\" }}\n{rest}"
    )
}

/// [[link]] tables of everything that is heard in `text`.
fn listed(text: &str) -> String {
    let setup = setup(text);
    let signals = survey(&setup, Time::ZERO).expect("radios can be surveyed").signals;
    let (from, to) = (integers(&signals, "from"), integers(&signals, "to"));
    let powers = floats(&signals, "power_w");
    let link = |at: usize| {
        let dbm = 10.0 * powers[at].log10() + 30.0;
        format!(
            "[[link]]\nfrom = \"n{}\"\nto = \"n{}\"\nsignal = \"{dbm} dBm\"\n",
            from[at], to[at]
        )
    };
    (0..powers.len()).map(link).collect()
}

/// A list of all signals of a propagation model makes the same runs as the model, to the bit.
#[test]
fn a_list_of_a_model_s_signals_is_the_model() {
    for scheme in ["udp", "cxcc", "newreno"] {
        let text = chain(scheme, "");
        let links = listed(&text);
        assert!(links.matches("[[link]]").count() >= 18, "{links}");
        let given = chain(scheme, &links);
        let setup = setup(&given);
        let radio = setup.medium.radio().expect("there are no wires");
        assert!(!radio.links.is_empty());
        assert_eq!(fingerprint(&run_text(&text)), fingerprint(&run_text(&given)), "{scheme}");
    }
}

#[test]
fn a_bad_link_costs_retries_and_all_is_accounted_for() {
    let bad = "[[link]]\nfrom = \"n2\"\nto = \"n3\"\ndelivery = 0.5\n\
               [radio]\nunlisted = \"propagation\"\n";
    let light = |rest: &str| run_text(&chain("udp", rest).replace("150 kbit", "20 kbit"));
    let tables = light(bad);
    assert_balanced(&tables, "a bad link");
    let retries = |tables: &Tables| integers(&tables.nodes, "mac_retries");
    let (with, without) = (retries(&tables), retries(&light("")));
    // some 25 packets each way, and one attempt in two fails one way
    assert!(with[2] > 15 && without[2] < 5, "{with:?} {without:?}");
}

/// Half of the answers are lost and nobody tries again: half of the RTS fail, and half of the data
/// behind the others, whose acknowledgment is lost.
#[test]
fn what_a_mac_gives_up_is_counted_for_the_flow_and_by_the_frame_that_failed() {
    let failures = |rts: bool| {
        let text = format!(
            "warmup = \"1 s\"\nduration = \"60 s\"\ntopology = {{ kind = \"chain\", hops = 1 }}\n\
             scheme = {{ name = \"udp\" }}\ntraffic = {{ load = \"100 kbit/s\" }}\n\
             mac = {{ rts_cts = {rts}, short_retry_limit = 1, long_retry_limit = 1 }}\n\
             radio = {{ unlisted = \"propagation\" }}\n\
             [[link]]\nfrom = \"n1\"\nto = \"n0\"\ndelivery = 0.5\n"
        );
        let flows = run_text(&text).flows;
        let share = |name| integers(&flows, name)[0] as f64 / integers(&flows, "offered")[0] as f64;
        assert!(integers(&flows, "offered")[0] > 1_400);
        (share("mac_failures"), share("rts_failures"))
    };
    // A share of one half of 1464 packets has a standard error of 0.013.
    let (all, rts) = failures(true);
    assert!((all - 0.75).abs() < 0.05 && (rts - 0.5).abs() < 0.05, "{all} {rts}");
    let (all, rts) = failures(false);
    assert!((all - 0.5).abs() < 0.05 && rts == 0.0, "{all} {rts}");
}
