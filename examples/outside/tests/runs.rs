//! The scheme in whole simulations, with words that multihop has never heard of.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use multihop_outside::{SCHEME, aloha};
use multihop_routing::{RoutingProtocol, fixed};
use multihop_scenario::{Registry, from_toml};
use multihop_sim::{Options, Simulation, Tables};
use multihop_trace::{Column, Table};

/// Known routes under another name: a routing protocol of this crate.
static ROUTING: RoutingProtocol =
    RoutingProtocol { name: "known", title: "Known routes", ..fixed::ROUTING };

const SCENARIO: &str = r#"
warmup = "0 s"
duration = "20 s"
[topology]
kind = "chain"
hops = 4
[scheme]
name = "freshest"
patience = "200 ms"
[routing]
kind = "known"
[traffic]
load = "800 kbit/s"
"#;

fn run(text: &str) -> Tables {
    let registry = Registry::default().with_scheme(&SCHEME).with_routing(&ROUTING);
    let setup = from_toml(text).and_then(|scenario| scenario.setup_with(&registry));
    let setup = setup.unwrap_or_else(|error| panic!("{error}"));
    let options = Options { trace: true, ..Options::default() };
    Simulation::new(setup, options).run(&Arc::new(AtomicBool::new(false))).expect("nobody stops it")
}

/// The sum of a column of whole numbers.
fn sum(table: &Table, name: &str) -> i64 {
    let column = table.iter().find(|(known, _)| *known == name);
    match column {
        Some((_, Column::Integer(rows))) => rows.iter().sum(),
        other => panic!("{name}: {other:?}"),
    }
}

fn labels(table: &Table, name: &str) -> Vec<&'static str> {
    match table.iter().find(|(known, _)| *known == name) {
        Some((_, Column::Label(rows))) => rows.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn its_words_are_columns_and_events_like_all_others() {
    let tables = run(SCENARIO);
    let too_old = sum(&tables.flows, "lost_too_old");
    assert!(too_old > 0, "a saturated queue has old packets");
    assert!(sum(&tables.flows, "delivered") > 0);
    let (offered, lost) = (sum(&tables.flows, "run_offered"), sum(&tables.flows, "run_lost"));
    let (delivered, inside) =
        (sum(&tables.flows, "run_delivered"), sum(&tables.flows, "run_inside"));
    assert_eq!(offered, delivered + lost + inside, "packet accounting holds");
    let events = tables.events.as_ref().expect("the run is traced");
    let overtaken = labels(events, "event").iter().filter(|event| **event == "overtaken").count();
    assert_eq!(sum(&tables.nodes, "overtaken"), overtaken as i64);
    assert!(overtaken > 0);
    assert!(labels(events, "cause").contains(&"too_old"));
}

#[test]
fn the_same_seed_is_the_same_run_and_another_scheme_has_no_such_columns() {
    let fingerprint = |tables: &Tables| {
        let column = tables.runs.iter().find(|(name, _)| *name == "fingerprint");
        format!("{column:?}")
    };
    assert_eq!(fingerprint(&run(SCENARIO)), fingerprint(&run(SCENARIO)));
    let other =
        run(&SCENARIO.replace("name = \"freshest\"\npatience = \"200 ms\"", "name = \"udp\""));
    assert!(other.flows.iter().all(|(name, _)| *name != "lost_too_old"));
}

#[test]
fn its_mac_carries_frames_and_is_refused_where_it_does_not_suit() {
    let registry = Registry::default().with_scheme(&SCHEME).with_mac(&aloha::MAC);
    let text = "duration = \"20 s\"\ntraffic.load = \"60 kbit/s\"\nmac.kind = \"aloha\"\n\
                [topology]\nkind = \"chain\"\nhops = 2\n[scheme]\nname = \"udp\"\n";
    let setup = |text: &str| from_toml(text).and_then(|scenario| scenario.setup_with(&registry));
    let done = setup(text).unwrap_or_else(|error| panic!("{error}"));
    let run = Simulation::new(done, Options::default()).run(&Arc::new(AtomicBool::new(false)));
    let flows = run.expect("nobody stops it").flows;
    let (offered, lost) = (sum(&flows, "run_offered"), sum(&flows, "run_lost"));
    let (delivered, inside) = (sum(&flows, "run_delivered"), sum(&flows, "run_inside"));
    assert!(delivered > 10 && lost > 10, "{delivered} delivered, {lost} lost");
    assert_eq!(offered, delivered + lost + inside, "packet accounting holds without any answer");
    let refused = setup(&text.replace("\"udp\"", "\"freshest\"")).err();
    let message = refused.expect("nobody acknowledges").to_string();
    assert!(message.contains("link acknowledgments, which the slotted ALOHA MAC"), "{message}");
}

#[test]
fn its_parameters_are_checked_like_all_others() {
    let registry = Registry::default().with_scheme(&SCHEME).with_routing(&ROUTING);
    let text = SCENARIO.replace("200 ms", "0 ms");
    let refused = from_toml(&text).and_then(|scenario| scenario.setup_with(&registry));
    let message = refused.err().expect("patience has a least value").to_string();
    assert!(message.contains("patience"), "{message}");
}
