//! Packets for everyone and for groups: every copy is accounted for, and the table of messages says what the trace says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use proptest::prelude::*;

use crate::tests::{assert_balanced, floats, integers, labels, run, run_text, setup};
use crate::{Options, Tables};

const CHAIN: &str = "warmup = \"0 s\"\nduration = \"4 s\"\n[topology]\nkind = \"explicit\"\n\
                     [scheme]\nname = \"flooding\"\n[traffic]\nload = \"4 kbit/s\"\nstart = \"0.5 s\"\n\
                     start_jitter = \"0 s\"\nstop = \"3 s\"\n";

/// A chain of nodes, each in reach of those beside it only.
fn chain(nodes: usize, flows: &str) -> String {
    let mut text = CHAIN.to_owned();
    for node in 0..nodes {
        let _ =
            write!(text, "[[node]]\nname = \"n{node}\"\nx = \"{} m\"\ny = \"0 m\"\n", 200 * node);
    }
    text + flows
}

fn flow(from: usize, to: &str) -> String {
    format!("[[flow]]\nfrom = \"n{from}\"\nto = {to}\n")
}

fn messages(tables: &Tables) -> &multihop_trace::Table {
    tables.messages.as_ref().expect("a flow is for several nodes")
}

#[test]
fn a_message_for_everyone_reaches_the_end_of_a_chain_with_a_frame_from_every_node() {
    let tables = run_text(&chain(6, &flow(0, "\"everyone\"")));
    let (sent, delivered, lost) = assert_balanced(&tables, "chain");
    assert!(sent >= 2 && (delivered, lost) == (sent, 0), "{delivered} of {sent}");
    let table = messages(&tables);
    assert_eq!(integers(table, "reached"), vec![5; sent as usize]);
    assert_eq!(integers(table, "addressed"), vec![5; sent as usize]);
    assert_eq!(integers(table, "frames"), vec![6; sent as usize]);
    assert!(floats(table, "hops_max").iter().all(|hops| (hops - 5.0).abs() < 1e-9));
    assert!(floats(table, "hops_mean").iter().all(|hops| (hops - 3.0).abs() < 1e-9));
    let delays =
        ["first_delay_s", "median_delay_s", "last_delay_s"].map(|name| floats(table, name));
    let rising = |at: usize| delays[0][at] < delays[1][at] && delays[1][at] < delays[2][at];
    assert!((0..sent as usize).all(rising), "{delays:?}");
    // Each frame but the first and the last is heard by the node before, which has it.
    let share = 5.0 / (5.0 + 5.0);
    assert!((floats(&tables.runs, "useful_share")[0] - share).abs() < 1e-9);
    assert!((floats(&tables.runs, "reach_mean")[0] - 1.0).abs() < 1e-9);
    assert!((floats(&tables.runs, "frames_per_message")[0] - 6.0).abs() < 1e-9);
    assert_eq!(integers(&tables.flows, "run_duplicates"), [0]);
}

#[test]
fn a_message_for_a_group_is_delivered_there_and_nowhere_else() {
    let text = chain(6, &flow(0, "[\"n4\", \"n2\"]"));
    let tables = run(setup(&text), Options { trace: true, ..Options::default() });
    let (sent, ..) = assert_balanced(&tables, "group");
    assert_eq!(integers(messages(&tables), "reached"), vec![2; sent as usize]);
    assert_eq!(delivered(&tables).values().next(), Some(&BTreeSet::from([2, 4])));
}

#[test]
fn a_message_that_nobody_passes_on_reaches_the_neighbours_only() {
    let silent = CHAIN.replace("\"flooding\"", "\"flooding\"\nprobability = 0");
    let text = chain(6, &flow(2, "\"everyone\"")).replace(CHAIN, &silent);
    let tables = run_text(&text);
    let (sent, delivered, lost) = assert_balanced(&tables, "silent");
    assert_eq!((delivered, lost), (sent, 0), "delivered as soon as one node has it");
    assert_eq!(integers(messages(&tables), "reached"), vec![2; sent as usize]);
    assert_eq!(integers(&tables.runs, "suppressed"), [2 * sent]);
}

#[test]
fn a_message_without_anybody_in_reach_is_lost_on_the_air() {
    let far = chain(2, &flow(0, "\"everyone\"")).replace("200 m", "9000 m");
    let tables = run_text(&far);
    let (sent, delivered, lost) = assert_balanced(&tables, "far");
    assert_eq!((delivered, lost), (0, sent));
    assert_eq!(integers(&tables.flows, "lost_not_received"), [sent]);
    assert!(floats(messages(&tables), "first_delay_s").iter().all(|delay| delay.is_nan()));
}

#[test]
fn a_flow_to_one_node_may_flood_and_makes_no_table() {
    let tables = run_text(&chain(6, &flow(0, "\"n3\"")));
    let (sent, delivered, _) = assert_balanced(&tables, "one");
    assert!(delivered == sent && tables.messages.is_none());
    assert!(tables.runs.iter().all(|(name, _)| *name != "reach_mean"));
    // It goes no farther than the destination.
    assert_eq!(integers(&tables.nodes, "data_frames"), [sent, sent, sent, 0, 0, 0]);
}

/// Which nodes got each packet, by flow and number, as the trace says.
fn delivered(tables: &Tables) -> BTreeMap<(i64, i64), BTreeSet<i64>> {
    let events = tables.events.as_ref().expect("the run was traced");
    let get = |name: &str| integers(events, name);
    let (node, flow, packet) = (get("node"), get("flow"), get("packet"));
    let mut found: BTreeMap<_, BTreeSet<i64>> = BTreeMap::new();
    for (at, event) in labels(events, "event").iter().enumerate() {
        if *event == "deliver" {
            let first = found.entry((flow[at], packet[at])).or_default().insert(node[at]);
            assert!(first, "n{} got {} twice", node[at], packet[at]);
        }
    }
    found
}

/// How many frames carried each packet.
fn frames(tables: &Tables) -> BTreeMap<(i64, i64), i64> {
    let events = tables.events.as_ref().expect("the run was traced");
    let (flow, packet) = (integers(events, "flow"), integers(events, "packet"));
    let mut found = BTreeMap::new();
    for (at, event) in labels(events, "event").iter().enumerate() {
        if *event == "transmit_start" && packet[at] >= 0 {
            *found.entry((flow[at], packet[at])).or_insert(0) += 1;
        }
    }
    found
}

/// What the table of messages says is what the trace says.
fn agrees(tables: &Tables) {
    let Some(table) = &tables.messages else { return };
    let (nodes, frames) = (delivered(tables), frames(tables));
    let (reached, carried) = (integers(table, "reached"), integers(table, "frames"));
    let (flow, number) = (integers(table, "flow"), integers(table, "message"));
    let mut arrived = BTreeMap::new();
    for at in 0..flow.len() {
        let key = (flow[at], number[at]);
        let got = nodes.get(&key).map_or(0, BTreeSet::len);
        assert_eq!(usize::try_from(reached[at]), Ok(got), "{key:?}");
        assert_eq!(carried[at], frames.get(&key).copied().unwrap_or(0), "{key:?}");
        *arrived.entry(flow[at]).or_insert(0) += i64::from(reached[at] > 0);
    }
    let delivered = integers(&tables.flows, "run_delivered");
    for (flow, arrived) in arrived {
        assert_eq!(delivered[flow as usize], arrived, "delivered when the first node has it");
    }
}

/// Nodes in a square, some of which hear each other, and flows of every kind.
fn scenarios() -> impl Strategy<Value = String> {
    let place = (0.0f64..700.0, 0.0f64..700.0);
    let flow = (0usize..9, 0usize..12, 1u32..120, 1u32..900);
    let given = prop::sample::select(vec![
        "",
        "copies = 2",
        "copies = 3\ndelay = \"0 s\"",
        "probability = 0.6\nqueue_limit = 1",
        "probability = 0.8\ncopies = 4\ndelay = \"40 ms\"",
        "copies = 1",
    ]);
    let media = prop::sample::select(vec![
        "",
        "[mac]\nkind = \"csma\"",
        "[mac]\nrules = \"ieee-802.11\"\n[radio]\nreception = \"first-decodable\"",
        "[radio]\npropagation = \"log-normal-shadowing\"",
        "[radio]\nbit_error_rate = 1e-4",
        "[wired]\nqueue = 2",
    ]);
    let restart = prop::option::of(0usize..9);
    let nodes = prop::collection::vec(place, 3..9);
    let flows = prop::collection::vec(flow, 1..5);
    (nodes, flows, given, media, restart, any::<u32>()).prop_map(
        |(places, flows, given, medium, restart, seed)| {
            let mut text = format!(
                "seed = {seed}\nwarmup = \"1 s\"\nduration = \"3 s\"\n[topology]\nkind = \"explicit\"\n\
                 {medium}\n[scheme]\nname = \"flooding\"\n{given}\n[traffic]\nstart = \"0.2 s\"\n"
            );
            for (node, (x, y)) in places.iter().enumerate() {
                let _ = write!(text, "[[node]]\nname = \"n{node}\"\nx = \"{x} m\"\ny = \"{y} m\"\n");
            }
            if let Some(node) = restart {
                let _ = write!(text, "[[restart]]\nnode = \"n{}\"\nat = \"2 s\"\n", node % places.len());
            }
            for (number, (from, to, load, payload)) in flows.iter().enumerate() {
                let (all, from) = (places.len(), from % places.len());
                let [other, third] = [1, 2].map(|step| (from + step + to % (all - 2)) % all);
                let to = match to % 3 {
                    0 => "\"everyone\"".to_owned(),
                    1 => format!("[\"n{other}\", \"n{third}\"]"),
                    _ => format!("\"n{other}\""),
                };
                let _ = write!(
                    text,
                    "[[flow]]\nname = \"f{number}\"\nfrom = \"n{from}\"\nto = {to}\n\
                     load = \"{load} kbit/s\"\npayload = \"{payload} B\"\n"
                );
            }
            text
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_copy_is_accounted_for(text in scenarios()) {
        let tables = run(setup(&text), Options { trace: true, ..Options::default() });
        assert_balanced(&tables, &text);
        if !text.contains("[[restart]]") {
            // Who has forgotten everything may take a packet again.
            prop_assert!(integers(&tables.flows, "run_duplicates").iter().all(|count| *count == 0));
            agrees(&tables);
        }
    }
}
