//! Runs whose nodes differ.

use std::sync::atomic::AtomicBool;

use multihop_core::{Forwarding, NodeId, Time};
use multihop_medium::Channel;
use multihop_scenario::from_toml;
use multihop_setup::Setup;
use multihop_trace::{Column, Table};
use proptest::prelude::*;

use crate::{Options, Simulation, Tables};

fn setup(text: &str) -> Setup {
    let setup = from_toml(text).and_then(|scenario| scenario.setup());
    setup.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn run(text: &str) -> Tables {
    let run = Simulation::new(setup(text), Options::default()).run(&AtomicBool::new(false));
    run.expect("nobody stops it")
}

/// The rows of a column of numbers.
fn numbers(table: &Table, column: &str) -> Vec<f64> {
    match table.iter().find(|(name, _)| *name == column) {
        Some((_, Column::Float(rows))) => rows.clone(),
        Some((_, Column::Integer(rows))) => rows.iter().map(|row| *row as f64).collect(),
        _ => panic!("no numbers in {column}"),
    }
}

fn fingerprint(tables: &Tables) -> String {
    format!("{:?}", tables.runs.iter().find(|(name, _)| *name == "fingerprint"))
}

/// A grid with the thresholds of a radio, and more.
fn network(seed: u64, radio: &str, more: &str) -> String {
    format!(
        "seed = {seed}\nwarmup = \"1 s\"\nduration = \"4 s\"\n[topology]\nkind = \"grid\"\nrows = 3\n\
         columns = 4\nspacing = \"150 m\"\nhorizontal_flows = 2\nvertical_flows = 1\n[routing]\nkind = \"aodv\"\n[scheme]\nname = \"udp\"\n\
         [radio]\nreceive_threshold = \"-64 dBm\"\nsense_threshold = \"-78 dBm\"\n{radio}\n[traffic]\n\
         load = \"40 kbit/s\"\nstart = \"0 s\"\n{more}"
    )
}

/// All nodes, by their names.
fn all(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|node| format!("\"n{node}\"")).collect();
    names.join(", ")
}

/// Schemes that have UDP's MAC and kind of traffic.
const LIKE_UDP: [&str; 4] = ["wake", "hxh", "udp-ack", "link-red"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// The same power at every node is the power of the radio.
    #[test]
    fn what_all_have_is_the_radio_s(seed in 1u64..1_000, milliwatts in 300u32..900) {
        let power = format!("transmit_power = \"{milliwatts} mW\"");
        let role = format!("[roles.all]\nnodes = [{}]\n{power}\n", all(12));
        let [by_radio, by_role] = [network(seed, &power, ""), network(seed, "", &role)];
        prop_assert_eq!(fingerprint(&run(&by_radio)), fingerprint(&run(&by_role)));
    }

    /// A scheme that every node has by its role is the scheme under test.
    #[test]
    fn a_scheme_of_all_nodes_is_the_scheme(seed in 1u64..1_000, at in 0..LIKE_UDP.len()) {
        let scheme = LIKE_UDP[at];
        let role = format!("[roles.all]\nnodes = [{}]\nscheme.name = \"{scheme}\"\n", all(12));
        let plain = network(seed, "", "");
        let [by_name, by_role] =
            [plain.replace("\"udp\"", &format!("\"{scheme}\"")), format!("{plain}{role}")];
        prop_assert_eq!(fingerprint(&run(&by_name)), fingerprint(&run(&by_role)));
    }

    /// What a role says that [radio] says as well changes nothing.
    #[test]
    fn a_role_that_differs_in_nothing_changes_nothing(seed in 1u64..1_000) {
        let plain = network(seed, "antenna_height = \"2 m\"", "");
        let role = "[roles.some]\nshare = \"50 %\"\nantenna_height = \"2 m\"\nantenna_gain = \"0 dBi\"\n";
        let same = network(seed, "antenna_height = \"2 m\"", role);
        prop_assert_eq!(fingerprint(&run(&plain)), fingerprint(&run(&same)));
    }

    /// Where gains differ and powers do not, a signal is as strong in either direction.
    #[test]
    fn gains_work_both_ways(seed in 1u64..1_000, gain in 1u32..9) {
        let role = format!("[roles.some]\nshare = \"40 %\"\nantenna_gain = \"{gain} dBi\"\nantenna_height = \"4 m\"\n");
        let setup = setup(&network(seed, "", &role));
        let radio = setup.medium.radio().expect("a radio").clone();
        let signals = Channel::new(&setup.nodes, radio, 1).signals(Time::ZERO);
        for there in &signals {
            let back = signals.iter().find(|back| (back.from, back.to) == (there.to, there.from));
            let back = back.expect("heard in both directions").power;
            prop_assert!((back / there.power - 1.0).abs() < 1e-12, "{:?}", there);
        }
    }
}

/// Two nodes 200 m apart, of which the second has a quarter of the power, so that over free space it is heard half as
/// far: 125 m.
fn pair(distance: u32, scheme: &str) -> String {
    format!(
        "warmup = \"0 s\"\nduration = \"5 s\"\n[topology]\nkind = \"explicit\"\n[routing]\nkind = \"aodv\"\n\
         [radio]\npropagation = \"free-space\"\n[scheme]\nname = \"{scheme}\"\n[traffic]\nload = \"20 kbit/s\"\nstart = \"0 s\"\n\
         [[node]]\nname = \"strong\"\nx = \"0 m\"\ny = \"0 m\"\n[[node]]\nname = \"weak\"\nx = \"{distance} m\"\n\
         y = \"0 m\"\ntransmit_power = \"0.0704595375 W\"\n[[flow]]\nfrom = \"strong\"\nto = \"weak\"\n"
    )
}

#[test]
fn a_node_with_half_the_range_is_heard_as_computed() {
    let delivered = |distance| numbers(&run(&pair(distance, "udp")).flows, "run_delivered")[0];
    // acknowledgments and route replies come back up to 125 m
    assert!(delivered(124) > 20.0, "{}", delivered(124));
    assert!(delivered(126).abs() < 0.5, "{}", delivered(126));
    let setup = setup(&pair(200, "udp"));
    let radio = setup.medium.radio().expect("a radio").clone();
    let mut channel = Channel::new(&setup.nodes, radio.clone(), 1);
    let signals = channel.signals(Time::ZERO);
    let power = |from: u32| {
        signals.iter().find(|signal| signal.from == NodeId(from)).map_or(0.0, |signal| signal.power)
    };
    assert!((power(0) / power(1) - 4.0).abs() < 1e-9, "{} and {}", power(0), power(1));
    assert!(power(0) > radio.receive_threshold && power(1) < radio.receive_threshold);
    assert!(!channel.in_range(NodeId(0), NodeId(1), Time::ZERO), "neighbours decode each other");
}

#[test]
fn a_budget_follows_nodes_that_move() {
    // the weak node comes from 200 m to 100 m, and is in reach from 125 m on: after 7.5 s
    let coming =
        "[[move]]\nnode = \"weak\"\nat = \"0 s\"\nx = \"100 m\"\ny = \"0 m\"\nspeed = \"10 m/s\"\n";
    let text = pair(200, "udp").replace("\"5 s\"", "\"12 s\"") + coming;
    let setup = setup(&text);
    let mut channel = Channel::new(&setup.nodes, setup.medium.radio().expect("a radio").clone(), 1);
    let at = |seconds: u64| Time::ZERO + multihop_core::Duration::from_millis(1_000) * seconds;
    let mut heard = |seconds| {
        let signals = channel.signals(at(seconds));
        signals.iter().any(|signal| signal.from == NodeId(1) && signal.decoded > 0.5)
    };
    assert_eq!([7, 8].map(&mut heard), [false, true]);
    let delivered = numbers(&run(&text).flows, "run_delivered")[0];
    assert!(delivered > 5.0, "{delivered}");
}

#[test]
fn a_queue_is_as_long_as_its_node_says() {
    let chain = "warmup = \"0 s\"\nduration = \"4 s\"\n[topology]\nkind = \"chain\"\nhops = 3\n[scheme]\nname = \"udp\"\n\
                 [traffic]\nload = \"900 kbit/s\"\nstart = \"0 s\"\n";
    let refused = |limit: &str| {
        let role = format!("{chain}[roles.source]\nnodes = [\"n0\"]\n{limit}\n");
        let flows = run(&role).flows;
        let causes = ["lost_source_buffer_full", "lost_queue_full"];
        causes.map(|cause| numbers(&flows, cause).iter().sum::<f64>()).iter().sum::<f64>()
    };
    let (short, usual) = (refused("scheme.queue_limit = 2"), refused(""));
    assert!(short >= usual + 40.0, "{short} with a queue of 2, {usual} with one of 49");
    assert_eq!(
        fingerprint(&run(chain)),
        fingerprint(&run(&format!("{chain}[roles.source]\nnodes = [\"n0\"]\n")))
    );
}

#[test]
fn nodes_show_in_what_they_differ() {
    let has = |tables: &Tables, column: &str| tables.nodes.iter().any(|(name, _)| *name == column);
    let plain = run(&network(1, "", ""));
    assert!(!["role", "transmit_power_w"].iter().any(|column| has(&plain, column)));
    let roles = run(&network(1, "", "[roles.r]\nnodes = [\"n2\"]\n"));
    assert!(has(&roles, "role") && !has(&roles, "transmit_power_w"));
    let powers = run(&network(
        1,
        "",
        "[roles.r]\nnodes = [\"n2\"]\ntransmit_power = \"1 W\"\nantenna_gain = \"-3 dBi\"\n",
    ));
    let power = numbers(&powers.nodes, "transmit_power_w");
    assert!((power[2] - 1.0).abs() < 1e-12 && (power[1] - 0.281_838_15).abs() < 1e-12, "{power:?}");
    let gain = numbers(&powers.nodes, "antenna_gain_dbi");
    assert!((gain[2] + 3.0).abs() < 1e-9 && gain[1].abs() < 1e-9, "{gain:?}");
}

/// Half of the nodes have one scheme and half another, for every scheme with the next that suits: whatever one node
/// gets of the other, it stands, and packet accounting balances (`Books` checks that at the end).
#[test]
fn schemes_that_do_not_know_each_other_share_the_air() {
    let schemes: Vec<_> = multihop_schemes::SCHEMES
        .iter()
        .filter(|scheme| scheme.forwarding == Forwarding::NextHop)
        .collect();
    let mut ran = 0;
    for (at, scheme) in schemes.iter().enumerate() {
        for other in [schemes[(at + 1) % schemes.len()], schemes[(at + 4) % schemes.len()]] {
            let role =
                format!("[roles.half]\nshare = \"50 %\"\nscheme.name = \"{}\"\n", other.name);
            let text = network(7, "", &role).replace("\"udp\"", &format!("\"{}\"", scheme.name));
            let Ok(setup) = from_toml(&text).and_then(|scenario| scenario.setup()) else {
                continue;
            };
            let run = Simulation::new(setup, Options::default()).run(&AtomicBool::new(false));
            let sent = numbers(&run.expect("nobody stops it").nodes, "medium_bytes");
            assert!(sent.iter().sum::<f64>() > 0.0, "{} and {}", scheme.name, other.name);
            ran += 1;
        }
    }
    assert!(ran > 30, "{ran} pairs");
}
