//! Whole runs.

mod addresses;
mod arp;
mod batches;
mod books;
mod channels;
mod custody;
mod determinism;
mod extremes;
mod given;
mod golden;
mod hearing;
mod hxh;
mod links;
mod listening;
mod lora;
mod meshcore;
mod messages;
mod mobility;
mod observers;
mod oracle;
mod outer;
mod properties;
mod range;
mod restarts;
mod roles;
mod slots;
mod sources;
mod steps;
mod survey;
mod transfers;
mod wire;

use std::sync::atomic::AtomicBool;

use multihop_core::{Duration, Time};
use multihop_setup::{Setup, Track};
use multihop_trace::{Column, Table};

use crate::{Options, Simulation, Tables};

/// The setup of a scenario that has to be right.
fn setup(text: &str) -> Setup {
    multihop_scenario::from_toml(text)
        .and_then(|scenario| scenario.setup())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The time `s` seconds after the start.
fn seconds(s: f64) -> Time {
    Time::ZERO + Duration::from_seconds(s)
}

/// A node at `place` goes to other places: from when, until when (in s), where to (in m).
fn track(place: (f64, f64), legs: &[(f64, f64, (f64, f64))]) -> Track {
    let leg = |&(start, end, to): &(f64, f64, _)| (seconds(start), seconds(end), to);
    Track::through(place, legs.iter().map(leg))
}

/// Nobody interrupts the run.
fn never() -> AtomicBool {
    AtomicBool::new(false)
}

fn run(setup: Setup, options: Options) -> Tables {
    Simulation::new(setup, options).run(&never()).expect("nobody interrupts the run")
}

/// A run of a scenario without anything kept beyond its statistics.
fn run_text(text: &str) -> Tables {
    run(setup(text), Options::default())
}

fn column<'a>(table: &'a Table, name: &str) -> &'a Column {
    let found = table.iter().find(|(known, _)| *known == name);
    &found.unwrap_or_else(|| panic!("no column '{name}'")).1
}

fn integers(table: &Table, name: &str) -> Vec<i64> {
    match column(table, name) {
        Column::Integer(rows) => rows.clone(),
        other => panic!("'{name}' is not of integers: {other:?}"),
    }
}

fn floats(table: &Table, name: &str) -> Vec<f64> {
    match column(table, name) {
        Column::Float(rows) => rows.clone(),
        other => panic!("'{name}' is not of floats: {other:?}"),
    }
}

fn labels(table: &Table, name: &str) -> Vec<&'static str> {
    match column(table, name) {
        Column::Label(rows) => rows.clone(),
        other => panic!("'{name}' is not of labels: {other:?}"),
    }
}

/// The run's fingerprint.
fn fingerprint(tables: &Tables) -> String {
    match column(&tables.runs, "fingerprint") {
        Column::Text(rows) => rows[0].clone(),
        other => panic!("the fingerprint is not text: {other:?}"),
    }
}

/// Every source's books: sent = delivered + lost + still inside in the whole run, and while
/// measuring what is lost is the sum of its causes. Returns how many were sent, delivered, lost in
/// the whole run, over all sources.
fn assert_balanced(tables: &Tables, context: &str) -> (i64, i64, i64) {
    let flows = &tables.flows;
    let get = |name: &str| integers(flows, name);
    let (sent, delivered, inside) = (get("run_offered"), get("run_delivered"), get("run_inside"));
    let (lost, measured, refused) = (get("run_lost"), get("lost"), get("refused"));
    let no_warmup = floats(&tables.runs, "warmup_s")[0] <= 0.0;
    let losses: Vec<Vec<i64>> = flows
        .iter()
        .filter(|(name, _)| name.starts_with("lost_"))
        .map(|(name, _)| integers(flows, name))
        .collect();
    assert!(!losses.is_empty());
    let mut sums = (0, 0, 0);
    for flow in 0..sent.len() {
        let accounted = delivered[flow] + lost[flow] + inside[flow];
        assert_eq!(
            sent[flow], accounted,
            "{context}, flow {flow}: {} delivered, {} lost, {} inside",
            delivered[flow], lost[flow], inside[flow]
        );
        let by_cause: i64 = losses.iter().map(|cause| cause[flow]).sum();
        assert_eq!(by_cause, measured[flow], "{context}, flow {flow}: lost, by cause");
        let in_order = refused[flow] <= measured[flow] && measured[flow] <= lost[flow];
        assert!(in_order, "{context}, flow {flow}: {} refused", refused[flow]);
        assert!(!no_warmup || measured[flow] == lost[flow], "{context}, flow {flow}: no warm-up");
        sums = (sums.0 + sent[flow], sums.1 + delivered[flow], sums.2 + lost[flow]);
    }
    sums
}
