//! The trace of a run that goes to a sink.

use std::collections::BTreeMap;

use multihop_core::NodeId;
use multihop_setup::Setup;
use multihop_trace::{ColumnAbout, Network, Place, Sink, Stream, TABLES, TableAbout};
use serde_json::{Map, Value, json};

use crate::results::places;

/// A trace of a run of `setup` into `sink`, in batches of so many rows; see
/// [`Simulation::watched_by`](crate::Simulation::watched_by). It says already where the nodes will be.
pub fn stream<S: Sink>(setup: &Setup, sink: S, batch: usize) -> Stream<S> {
    let network = Network {
        addresses: setup.addresses.clone(),
        nodes: setup.nodes.len(),
        sources: setup.sources.iter().map(|source| source.flow.source).collect(),
    };
    let mut stream = Stream::new(network, sink, batch);
    for (at, node, (x, y)) in places(setup, setup.end) {
        stream.place(Place { at, node: NodeId(node as u32), x, y });
    }
    stream
}

/// What the files of each table of a trace say of their columns: units and meanings, as JSON.
pub fn about_columns() -> BTreeMap<&'static str, String> {
    let column = |about: &ColumnAbout| {
        (about.name.to_owned(), json!({ "unit": about.unit, "about": about.about }))
    };
    let columns = |about: &TableAbout| {
        let columns: Map<_, _> = about.columns.iter().map(column).collect();
        (about.name, Value::Object(columns).to_string())
    };
    TABLES.iter().map(columns).collect()
}
