//! Tables as JSON: `{"runs": {"column": [...]}, ...}`, in the order in which they are. What is no number is `null`.

use multihop_sim::Tables;
use multihop_trace::{Column, Table};
use serde_json::Value;

/// All tables of a run.
pub fn json(tables: Tables) -> String {
    let Tables { runs, flows, nodes, series, congestion, positions, events, .. } = tables;
    let always = [("runs", runs), ("flows", flows), ("nodes", nodes), ("series", series)];
    let sometimes = [("congestion", congestion), ("positions", positions), ("events", events)];
    let sometimes = sometimes.into_iter().filter_map(|(name, table)| Some((name, table?)));
    object(always.into_iter().chain(sometimes).map(|(name, table)| (name, columns(table))))
}

fn columns(table: Table) -> String {
    let rows = |column| match column {
        Column::Integer(rows) => Value::from(rows),
        Column::Short(rows) => Value::from(rows),
        Column::Float(rows) => Value::from(rows),
        Column::Text(rows) => Value::from(rows),
        Column::Label(rows) => Value::from(rows),
    };
    object(table.into_iter().map(|(name, column)| (name, rows(column).to_string())))
}

/// An object whose values are JSON.
fn object<'a>(entries: impl Iterator<Item = (&'a str, String)>) -> String {
    let entries: Vec<_> =
        entries.map(|(name, value)| format!("{}:{value}", Value::from(name))).collect();
    format!("{{{}}}", entries.join(","))
}
