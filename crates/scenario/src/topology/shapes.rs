//! Topologies that a formula makes.

use super::{Plan, add, limited};
use crate::error::Fault;
use crate::form::{Ends, Topology};

/// The flows, and after them the opposite ones.
fn with_opposite(mut flows: Vec<(usize, usize)>, both: bool) -> Vec<(usize, usize)> {
    if both {
        let opposite: Vec<_> = flows.iter().map(|&(from, to)| (to, from)).collect();
        flows.extend(opposite);
    }
    flows
}

pub(super) fn chain(topology: &Topology, both: bool) -> Result<Plan, Fault> {
    let hops = topology.number("hops", topology.hops, 1)?;
    limited("topology.hops", u64::from(hops) + 1)?;
    let spacing = topology.length("spacing", topology.spacing.as_ref(), Some(200.0))?;
    let mut nodes = Vec::new();
    for i in 0..=hops {
        add(&mut nodes, f64::from(i) * spacing, 0.0);
    }
    Ok(Plan::new(nodes, with_opposite(vec![(0, hops as usize)], both)))
}

pub(super) fn cross(topology: &Topology, both: bool) -> Result<Plan, Fault> {
    let hops = topology.number("hops", topology.hops, 2)?;
    if hops % 2 == 1 {
        let message =
            format!("must be even, because the chains share their middle node (got {hops})");
        return Err(Fault::new("topology.hops", message));
    }
    limited("topology.hops", 2 * u64::from(hops) + 1)?;
    let spacing = topology.length("spacing", topology.spacing.as_ref(), Some(200.0))?;
    let middle = f64::from(hops / 2) * spacing;
    let mut nodes = Vec::new();
    for i in 0..=hops {
        add(&mut nodes, f64::from(i) * spacing, middle);
    }
    let top = nodes.len();
    for i in (0..=hops).filter(|&i| i != hops / 2) {
        add(&mut nodes, middle, f64::from(i) * spacing);
    }
    let flows = vec![(0, hops as usize), (top, nodes.len() - 1)];
    Ok(Plan::new(nodes, with_opposite(flows, both)))
}

pub(super) fn star(topology: &Topology) -> Result<Plan, Fault> {
    let senders = topology.number("senders", topology.senders, 1)?;
    limited("topology.senders", u64::from(senders) + 1)?;
    let radius = topology.length("radius", topology.radius.as_ref(), Some(50.0))?;
    let mut nodes = Vec::new();
    add(&mut nodes, radius, radius);
    for i in 0..senders {
        let angle = 2.0 * core::f64::consts::PI * f64::from(i) / f64::from(senders);
        let (x, y) = (radius * libm::cos(angle), radius * libm::sin(angle));
        add(&mut nodes, radius + x, radius + y);
    }
    Ok(Plan::new(nodes, (1..=senders as usize).map(|sender| (sender, 0)).collect()))
}

pub(super) fn grid(topology: &Topology) -> Result<Plan, Fault> {
    let rows = topology.number("rows", topology.rows, 1)?;
    let columns = topology.number("columns", topology.columns, 1)?;
    if rows == 1 && columns == 1 {
        let message = "one row and one column make a single node; a network has at least 2";
        return Err(Fault::new("topology.columns", message));
    }
    // The first row and column of the nodes, in spacings: flows may begin and end beside them.
    let margin = match topology.ends {
        None | Some(Ends::Inside) => 0,
        Some(Ends::Outside) => 1,
    };
    let beside = 2 * u64::from(margin) * (u64::from(rows) + u64::from(columns));
    limited("topology.rows", u64::from(rows) * u64::from(columns) + beside)?;
    let spacing = topology.length("spacing", topology.spacing.as_ref(), Some(200.0))?;
    let horizontal = Lines { noun: "row", there: rows, length: columns };
    let vertical = Lines { noun: "column", there: columns, length: rows };
    let horizontal = horizontal.carrying("horizontal_flows", topology.horizontal_flows)?;
    let vertical = vertical.carrying("vertical_flows", topology.vertical_flows)?;
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
    let ways = lines.into_iter().enumerate().collect();
    Ok(Plan { ways, ..Plan::new(nodes, flows) })
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
    fn carrying(&self, key: &str, flows: Option<u32>) -> Result<Vec<u32>, Fault> {
        let flows = flows.unwrap_or(0);
        let Lines { noun, there, length } = self;
        let message = if flows > *there {
            format!("must be at most {there}, one for each {noun} (got {flows})")
        } else if flows > 0 && *length < 2 {
            format!("a {noun} of a single node has no place for a flow (got {flows})")
        } else {
            return Ok(evenly(flows, *there));
        };
        Err(Fault::new(format!("topology.{key}"), message))
    }
}

/// Which of `lines` lines carry `flows` flows: the one at (i + 1/2) of `flows` equal parts, for
/// each i.
fn evenly(flows: u32, lines: u32) -> Vec<u32> {
    let at = |i: u64| (2 * i + 1) * u64::from(lines) / (2 * u64::from(flows));
    (0..u64::from(flows)).map(|i| at(i) as u32).collect()
}
