//! Nodes in rows and columns.

use multihop_core::{Alternative, Choice, Count};

use super::{Plan, SPACING, Site, Topology, add, limited};
use crate::error::Fault;

/// A grid.
pub(super) static TOPOLOGY: Topology = Topology {
    name: "grid",
    about: "Nodes in rows and columns, flows along evenly spread rows and columns.",
    params: &[
        ROWS.param().required(),
        COLUMNS.param().required(),
        SPACING.param(),
        HORIZONTAL_FLOWS.param(),
        VERTICAL_FLOWS.param(),
        ENDS.param(),
    ],
    spread: "topology.spacing",
    plan,
};

pub(super) const ROWS: Count = Count {
    name: "rows",
    about: "Number of rows; node 0 is the first of the first row",
    unit: "",
    default: 9,
    min: 1,
    max: u32::MAX,
};

pub(super) const COLUMNS: Count = Count {
    name: "columns",
    about: "Number of columns: of the nodes in each row",
    unit: "",
    default: 9,
    min: 1,
    max: u32::MAX,
};

const HORIZONTAL_FLOWS: Count = Count {
    name: "horizontal_flows",
    about: "Number of flows along rows, evenly spread, each from the first column to the last",
    unit: "",
    default: 0,
    min: 0,
    max: u32::MAX,
};

const VERTICAL_FLOWS: Count = Count {
    name: "vertical_flows",
    about: "Number of flows along columns, evenly spread, each from the first row to the last",
    unit: "",
    default: 0,
    min: 0,
    max: u32::MAX,
};

const ENDS: Choice<Ends> = Choice {
    name: "ends",
    about: "Where the flows begin and end",
    among: &[
        Alternative {
            name: "inside",
            about: "At the first and the last node of their row or column",
        },
        Alternative {
            name: "outside",
            about: "At nodes of their own, one spacing before the first and behind the last: the \
                    grid only passes on",
        },
    ],
    values: &[Ends::Inside, Ends::Outside],
};

/// Where the flows begin and end.
#[derive(Clone, Copy)]
enum Ends {
    Inside,
    Outside,
}

fn plan(site: &Site) -> Result<Plan, Fault> {
    let rows = site.get(ROWS);
    let columns = site.get(COLUMNS);
    if rows == 1 && columns == 1 {
        let message = "one row and one column make a single node; a network has at least 2";
        return Err(Fault::new("topology.columns", message));
    }
    // The first row and column of the nodes, in spacings: flows may begin and end beside them.
    let margin = match site.get(ENDS) {
        Ends::Inside => 0,
        Ends::Outside => 1,
    };
    let beside = 2 * u64::from(margin) * (u64::from(rows) + u64::from(columns));
    limited("topology.rows", u64::from(rows) * u64::from(columns) + beside)?;
    let spacing = site.get(SPACING);
    let horizontal = Lines { noun: "row", there: rows, length: columns };
    let vertical = Lines { noun: "column", there: columns, length: rows };
    let horizontal = horizontal.carrying(site, HORIZONTAL_FLOWS)?;
    let vertical = vertical.carrying(site, VERTICAL_FLOWS)?;
    if horizontal.is_empty() && vertical.is_empty() && !site.has_other_flows() {
        let message = "there is no flow; give horizontal_flows, vertical_flows or [[flow]] tables";
        return Err(Fault::new("topology", message));
    }
    let mut nodes = Vec::new();
    let mut place = |column: u32, row: u32| {
        add(&mut nodes, f64::from(column) * spacing, f64::from(row) * spacing);
        nodes.len() - 1
    };
    for row in 0..rows {
        for column in 0..columns {
            place(column + margin, row + margin);
        }
    }
    let node = |row: u32, column: u32| (row * columns + column) as usize;
    // Every flow keeps to its line, also where diagonals are in reach.
    let along_row = |row: &u32| (0..columns).map(|column| node(*row, column)).collect();
    let along_column = |column: &u32| (0..rows).map(|row| node(row, *column)).collect();
    let mut lines: Vec<Vec<usize>> =
        horizontal.iter().map(along_row).chain(vertical.iter().map(along_column)).collect();
    if margin > 0 {
        let beside_row = |row: &u32| ((0, row + margin), (columns + margin, row + margin));
        let beside_column = |column: &u32| ((column + margin, 0), (column + margin, rows + margin));
        let ends = horizontal.iter().map(beside_row).chain(vertical.iter().map(beside_column));
        for (line, (first, last)) in lines.iter_mut().zip(ends) {
            line.insert(0, place(first.0, first.1));
            line.push(place(last.0, last.1));
        }
    }
    let flows = lines.iter().map(|line| (line[0], line[line.len() - 1])).collect();
    let promised = lines.iter().map(|line| line.len() as u32 - 1).collect();
    let ways = lines.into_iter().enumerate().collect();
    Ok(Plan { ways, promised, ..Plan::new(nodes, flows) })
}

/// The rows of a grid, or its columns.
struct Lines {
    noun: &'static str,
    /// How many there are.
    there: u32,
    /// How many nodes each has.
    length: u32,
}

impl Lines {
    /// Which of them carry flows, if the key says how many do.
    fn carrying(&self, site: &Site, key: Count) -> Result<Vec<u32>, Fault> {
        let flows = site.get(key);
        let Lines { noun, there, length } = self;
        let message = if flows > *there {
            format!("must be at most {there}, one for each {noun} (got {flows})")
        } else if flows > 0 && *length < 2 {
            format!("a {noun} of a single node has no place for a flow (got {flows})")
        } else {
            return Ok(evenly(flows, *there));
        };
        Err(Fault::new(format!("topology.{}", key.name), message))
    }
}

/// Which of `lines` lines carry `flows` flows: the one at (i + 1/2) of `flows` equal parts, for
/// each i.
fn evenly(flows: u32, lines: u32) -> Vec<u32> {
    let at = |i: u64| (2 * i + 1) * u64::from(lines) / (2 * u64::from(flows));
    (0..u64::from(flows)).map(|i| at(i) as u32).collect()
}
