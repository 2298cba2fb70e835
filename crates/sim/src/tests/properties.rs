//! Random small scenarios: no panic, balanced books, times that add up.
//!
//! A failing case prints its whole scenario, seed included: what it takes to run it again.

use std::fmt::Write as _;

use proptest::prelude::*;

use crate::Options;
use crate::tests::{assert_balanced, fingerprint, floats, integers, labels, run};

/// How much the sums of floating-point seconds may be off.
const ROUNDING_S: f64 = 1e-6;
const DURATION_S: f64 = 3.0;

/// Where the nodes are: each within reach of an earlier one, so that all are connected.
fn places() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let step = (0usize..8, 0.0f64..245.0, 0.0f64..core::f64::consts::TAU);
    prop::collection::vec(step, 1..7).prop_map(|steps| {
        let mut places = vec![(0.0, 0.0)];
        for (from, distance, angle) in steps {
            let (x, y): (f64, f64) = places[from % places.len()];
            places.push((x + distance * libm::cos(angle), y + distance * libm::sin(angle)));
        }
        places
    })
}

/// The text of a random scenario.
fn scenarios() -> impl Strategy<Value = String> {
    let flow = (0usize..8, 0usize..8, 1u32..600, 1u32..1500);
    let schemes = prop::sample::select(vec![
        "name = \"udp\"",
        "name = \"udp\"\nqueue_limit = 2",
        "name = \"cxcc\"",
        "name = \"cxcc\"\nrfa = false",
        "name = \"cxcc\"\ncount_deaf_time = false\ntimeout_packet_times = 1",
    ]);
    let media = prop::sample::select(vec![
        "",
        "[mac]\nrts_cts = true",
        "[mac]\nrts_cts = true\ndata_rate = \"11 Mbit/s\"\nlong_retry_limit = 1",
        "[mac]\ntiming = \"ofdm-2.4\"\nrts_threshold = \"500 B\"",
        "[mac]\ncw_min = 1\ncw_max = 1\neifs = false",
        "[radio]\npropagation = \"log-normal-shadowing\"",
        "[radio]\npropagation = \"log-normal-shadowing\"\nshadowing_deviation = \"9 dB\"\n\
         path_loss_exponent = 2.5\nbit_error_rate = 1e-5",
        "[radio]\npropagation = \"free-space\"\ncapture_ratio = 1",
        "[radio]\nbit_error_rate = 1e-4",
        "[mac]\nrules = \"ieee-802.11\"\nrts_cts = true\n[radio]\nreception = \"first-decodable\"",
        "[mac]\nrules = \"ns3\"\n[radio]\nreception = \"first-decodable\"\ncapture_ratio = 1\ninterference = \"dsss\"",
        "[mac]\nrules = \"ieee-802.11\"\ncw_min = 1\n[radio]\npropagation = \"log-normal-shadowing\"\n\
         reception = \"first-decodable\"\ncapture_ratio = 1",
        "[radio]\nreceive_range = \"300 m\"\nsense_range = \"300 m\"",
        "[wired]\nqueue = 1",
    ]);
    let flows = prop::collection::vec(flow, 1..5);
    let parts = (places(), flows, schemes, media, any::<u32>());
    parts.prop_map(|(places, flows, scheme, medium, seed)| {
        // The reduced CSMA MAC has no RTS and wires have no air time, which the scenario's check says.
        let refused = scheme.contains("cxcc") && medium.contains("rts")
            || scheme.contains("count_deaf_time") && medium.contains("wired");
        let medium = if refused { "" } else { medium };
        let mut text = format!(
            "seed = {seed}\nwarmup = \"1 s\"\nduration = \"{DURATION_S} s\"\n\
             [topology]\nkind = \"explicit\"\n{medium}\n[scheme]\n{scheme}\n\
             [traffic]\nstart = \"0.2 s\"\n"
        );
        for (node, (x, y)) in places.iter().enumerate() {
            let _ = write!(text, "[[node]]\nname = \"n{node}\"\nx = \"{x} m\"\ny = \"{y} m\"\n");
        }
        for (number, (from, to, load, payload)) in flows.iter().enumerate() {
            let from = from % places.len();
            let to = (from + 1 + to % (places.len() - 1)) % places.len();
            let _ = write!(
                text,
                "[[flow]]\nname = \"f{number}\"\nfrom = \"n{from}\"\nto = \"n{to}\"\n\
                 load = \"{load} kbit/s\"\npayload = \"{payload} B\"\n"
            );
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_scenario_keeps_the_books(text in scenarios()) {
        let setup = crate::tests::setup(&text);
        let tables = run(setup.clone(), Options::default());
        assert_balanced(&tables, &text);

        let nodes = &tables.nodes;
        let (transmit, receive) = (floats(nodes, "transmit_s"), floats(nodes, "receive_s"));
        for (node, idle) in floats(nodes, "idle_s").iter().enumerate() {
            let parts = [transmit[node], receive[node], *idle];
            prop_assert!(parts.iter().all(|part| *part > -ROUNDING_S), "node {node}: {parts:?}");
            let sum: f64 = parts.iter().sum();
            prop_assert!((sum - DURATION_S).abs() < ROUNDING_S, "node {node}: {parts:?}");
        }

        let flows = &tables.flows;
        let delivered = integers(flows, "delivered");
        let hops = integers(flows, "hops");
        for name in ["network_delay_mean_s", "network_delay_p50_s", "end_to_end_delay_mean_s"] {
            for (flow, delay) in floats(flows, name).iter().enumerate() {
                let nothing = delivered[flow] == 0 && delay.is_nan();
                // No frame is shorter than 26 us of preamble.
                let least = 26e-6 * hops[flow] as f64;
                let wired = text.contains("[wired]");
                prop_assert!(nothing || wired && *delay > 0.0 || *delay > least, "{name}: {delay}");
            }
        }
        let whole = (floats(flows, "end_to_end_delay_mean_s"), floats(flows, "network_delay_mean_s"));
        for (total, network) in whole.0.iter().zip(whole.1) {
            prop_assert!(total.is_nan() || *total > network - ROUNDING_S, "{total} < {network}");
        }
        for (max, p95) in floats(flows, "network_delay_max_s").iter().zip(floats(flows, "network_delay_p95_s")) {
            prop_assert!(max.is_nan() || *max >= p95);
        }

        let traced = run(setup, Options { trace: true, ..Options::default() });
        prop_assert_eq!(fingerprint(&traced), fingerprint(&tables));
        let events = traced.events.expect("the run was traced");
        let times = floats(&events, "time_s");
        prop_assert!(times.is_sorted());
        prop_assert!(times.last().is_none_or(|last| *last < 1.0 + DURATION_S));
    }
}

/// A frame that is under way when the warm-up ends counts from there on. The property above has
/// found that a busy radio could measure more than there was time.
#[test]
fn air_time_is_split_where_the_warm_up_ends() {
    for seed in 1..=20 {
        let text = format!(
            "seed = {seed}\nwarmup = \"1 s\"\nduration = \"2 s\"\n\
             [topology]\nkind = \"star\"\nsenders = 3\n[scheme]\nname = \"udp\"\n\
             [traffic]\nload = \"900 kbit/s\"\npayload = \"2000 B\"\nstart = \"0 s\"\n"
        );
        let tables = run(crate::tests::setup(&text), Options { trace: true, ..Options::default() });
        let events = tables.events.as_ref().expect("the run was traced");
        let (kinds, at) = (labels(events, "event"), integers(events, "node"));
        let (starts, spans) = (floats(events, "time_s"), floats(events, "duration_s"));
        for (node, measured) in (0i64..).zip(floats(&tables.nodes, "transmit_s")) {
            let mine = |row: &usize| kinds[*row] == "transmit_start" && at[*row] == node;
            let within =
                |row: usize| ((starts[row] + spans[row]).min(3.0) - starts[row].max(1.0)).max(0.0);
            let sum: f64 = (0..kinds.len()).filter(mine).map(within).sum();
            assert!(
                (sum - measured).abs() < ROUNDING_S,
                "seed {seed}, node {node}: {measured} s, not {sum} s"
            );
        }
    }
}
