//! Tables as JSON: `{"runs": {"column": [...]}, ...}`. What is no number is `null`.

use multihop_sim::Tables;
use multihop_trace::{Column, Table};
use serde_json::{Map, Value};

/// All tables of a run.
pub fn json(tables: Tables) -> Value {
    let Tables { runs, flows, nodes, series, congestion, positions, events, .. } = tables;
    let always = [("runs", runs), ("flows", flows), ("nodes", nodes), ("series", series)];
    let sometimes = [("congestion", congestion), ("positions", positions), ("events", events)];
    let sometimes = sometimes.into_iter().filter_map(|(name, table)| Some((name, table?)));
    let all = always.into_iter().chain(sometimes);
    Value::Object(all.map(|(name, table)| (name.to_owned(), columns(table))).collect())
}

fn columns(table: Table) -> Value {
    let column = |column| match column {
        Column::Integer(rows) => Value::from(rows),
        Column::Short(rows) => Value::from(rows),
        Column::Float(rows) => Value::from(rows),
        Column::Text(rows) => Value::from(rows),
        Column::Label(rows) => Value::from(rows),
    };
    let named = table.into_iter().map(|(name, rows)| (name.to_owned(), column(rows)));
    Value::Object(named.collect::<Map<_, _>>())
}
