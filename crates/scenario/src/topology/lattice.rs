//! A lattice beside which a source and a destination move.

use multihop_core::{Count, Duration, Time};

use super::grid::{COLUMNS, ROWS};
use super::{Plan, SPACING, Site, Topology, add, limited};
use crate::error::Fault;
use crate::mobility::{MOST_LEGS, Walk, Waypoint};
use multihop_setup::Node;

/// A mobile lattice.
pub(super) static TOPOLOGY: Topology = Topology {
    name: "mobile-lattice",
    about: "Nodes in rows and columns that stay, and a source and a destination that move up and \
            down beside them.",
    params: &[
        ROWS.param().required(),
        COLUMNS.param().required(),
        SPACING.param(),
        ROUTE_FAILURES.param(),
    ],
    spread: "topology.spacing",
    plan,
};

const ROUTE_FAILURES: Count = Count {
    name: "route_failures",
    about: "How many links of the source and the destination break during the run, which decides their \
            speed; with 0 they stay",
    unit: "",
    default: 0,
    min: 0,
    max: u32::MAX,
};

// HxH 4.2.2, figure 4.12.
/// With s for the spacing and r for the range, the source moves up and
/// down one column (s) to the left of the lattice, and the destination one to the right. Each
/// reaches the rows up to h = sqrt(r² - s²) above and below it, in the nearest column only. Where
/// s/2 <= h < s, it always reaches one row, and never more than two; of the two it has just left
/// one behind. So whichever node carries its flow, that link is the next to break: on a way of
/// length h after the start, and then every s, turns included.
///
/// The destination follows half a spacing behind, so that the links of the two break in turn and
/// the shortest path keeps about the same length. The links thus break on ways of h, h + s/2,
/// h + s, ... of the source, and the run ends a quarter of a spacing after the last break wanted.
fn plan(site: &Site) -> Result<Plan, Fault> {
    let Site { range, end, .. } = *site;
    let rows = site.get(ROWS);
    let columns = site.get(COLUMNS);
    limited("topology.rows", u64::from(rows) * u64::from(columns) + 2)?;
    let spacing = site.get(SPACING);
    let failures = site.get(ROUTE_FAILURES);
    let mut nodes = Vec::new();
    for row in 0..rows {
        for column in 1..=columns {
            add(&mut nodes, f64::from(column) * spacing, f64::from(row) * spacing);
        }
    }
    let source = nodes.len();
    add(&mut nodes, 0.0, 0.0);
    add(&mut nodes, f64::from(columns + 1) * spacing, 0.0);
    if failures > 0 {
        if rows < 2 {
            let message = "must be at least 2 where routes are to fail: with a single row there \
                           is nowhere to go";
            return Err(Fault::new("topology.rows", message));
        }
        let speed = speed((spacing, range), failures, end)?;
        let lag = Duration::from_seconds(spacing / 2.0 / speed);
        let top = f64::from(rows - 1) * spacing;
        for (node, start) in nodes[source..].iter_mut().zip([Time::ZERO, Time::ZERO + lag]) {
            up_and_down(node, top, speed, start..end);
        }
    }
    Ok(Plan::new(nodes, vec![(source, source + 1)]).over(columns + 1))
}

/// The speed in m/s at which so many links break until `end`.
fn speed((spacing, range): (f64, f64), failures: u32, end: Time) -> Result<f64, Fault> {
    // range² - spacing² would be negative for a spacing beyond the range
    let height = libm::sqrt((range * range - spacing * spacing).max(0.0));
    if !(spacing / 2.0..spacing).contains(&height) {
        let message = format!(
            "must lie between {:.1} m and {:.1} m where routes are to fail: with a range of \
             {range:.0} m, it is then always one row that the source and the destination reach, \
             or two",
            range / core::f64::consts::SQRT_2,
            range * 2.0 / libm::sqrt(5.0)
        );
        return Err(Fault::new("topology.spacing", message));
    }
    if failures as usize > MOST_LEGS {
        let message = format!("must be at most {MOST_LEGS} (got {failures})");
        return Err(Fault::new("topology.route_failures", message));
    }
    let way = height + (f64::from(failures) - 0.5) * spacing / 2.0;
    Ok(way / end.seconds())
}

/// From the bottom to the `top` and back, for as long as the run goes on.
fn up_and_down(node: &mut Node, top: f64, speed: f64, run: core::ops::Range<Time>) {
    let mut walk = Walk::from((node.x, node.y));
    let (mut at, mut goals) = (run.start, [top, 0.0].into_iter().cycle());
    while at < run.end
        && let Some(goal) = goals.next()
    {
        at = walk.go(Waypoint { at, to: (node.x, goal), speed });
    }
    node.track = walk.track();
}
