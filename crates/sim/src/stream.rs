//! The trace of a run that goes to a sink.

use std::collections::BTreeMap;

use multihop_core::NodeId;
use multihop_setup::Setup;
use multihop_trace::{ColumnAbout, EventTable, Network, Place, Sink, Stream, TABLES, TableAbout};
use serde_json::{Map, Value, json};

use crate::results::places;

/// What traces have to know of the network of `setup`.
fn network(setup: &Setup) -> Network {
    Network {
        addresses: setup.addresses.clone(),
        nodes: setup.nodes.len(),
        sources: setup.sources.iter().map(|source| source.flow.source).collect(),
        end: setup.end,
    }
}

/// The table of events of a run of `setup`, in memory, for a short run; see
/// [`Simulation::watched_by`](crate::Simulation::watched_by).
pub fn event_table(setup: &Setup) -> EventTable {
    EventTable::new(network(setup))
}

/// A trace of a run of `setup` into `sink`, in batches of so many rows; see
/// [`Simulation::watched_by`](crate::Simulation::watched_by). It says already where the nodes will be.
pub fn stream<S: Sink>(setup: &Setup, sink: S, batch: usize) -> Stream<S> {
    let mut stream = Stream::new(network(setup), sink, batch);
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
