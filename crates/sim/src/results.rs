//! The tables that a run leaves behind. `multihop list columns` explains every column.

use multihop_core::Time;
use multihop_setup::Setup;
use multihop_trace::Table;

use crate::table::{floats, integers};

/// Everything that a run leaves behind.
#[derive(Clone, Debug)]
pub struct Tables {
    /// One row: the run.
    pub runs: Table,
    /// One row per traffic source.
    pub flows: Table,
    /// One row per node.
    pub nodes: Table,
    /// One row per source and interval.
    pub series: Table,
    /// One row per node and congestion potential, if that was measured.
    pub congestion: Option<Table>,
    /// One row per packet that is for several nodes, if there are such flows.
    pub messages: Option<Table>,
    /// Where the nodes are, if any moves: one row per node at the start of the run, and one each
    /// at the start and the end of every leg. Between two rows a node moves evenly.
    pub positions: Option<Table>,
    /// One row per event, if the run was traced.
    pub events: Option<Table>,
    /// The recording of a node, if one was asked for.
    pub recording: Option<String>,
}

/// Where the nodes are up to `end`, if any moves on the air.
pub fn positions(setup: &Setup, end: Time) -> Option<Table> {
    let moves = setup.nodes.iter().any(|node| !node.track.legs.is_empty());
    if !moves || setup.medium.radio().is_none() {
        return None;
    }
    let rows = places(setup, end);
    Some(vec![
        ("time_s", floats(&rows, |(time, ..)| time.seconds())),
        ("node", integers(&rows, |(_, node, _)| *node as u64)),
        ("x_m", floats(&rows, |(.., place)| place.0)),
        ("y_m", floats(&rows, |(.., place)| place.1)),
    ])
}

/// When which node is where up to `end`: at the start, and at both ends of each leg.
pub fn places(setup: &Setup, end: Time) -> Vec<(Time, usize, (f64, f64))> {
    let mut rows = Vec::new();
    for (number, node) in setup.nodes.iter().enumerate() {
        rows.push((Time::ZERO, number, (node.x, node.y)));
        for leg in node.track.legs.iter().take_while(|leg| leg.start < end) {
            rows.push((leg.start, number, leg.from));
            rows.push((leg.end, number, leg.to));
        }
    }
    rows
}
