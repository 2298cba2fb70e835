//! Nodes on a circle.

use core::f64::consts::PI;

use multihop_core::Count;

use super::{Plan, SPACING, Site, Topology, add, limited};
use crate::error::Fault;

/// A ring.
pub(super) static TOPOLOGY: Topology = Topology {
    name: "ring",
    about: "Nodes on a circle, a flow from the first half way round.",
    params: &[NODES.param().required(), SPACING.param()],
    spread: "topology.spacing",
    plan,
};

const NODES: Count =
    Count { name: "nodes", about: "Number of nodes", unit: "", default: 8, min: 3, max: u32::MAX };

fn plan(site: &Site) -> Result<Plan, Fault> {
    let count = site.get(NODES);
    limited("topology.nodes", u64::from(count))?;
    let radius = site.get(SPACING) / (2.0 * libm::sin(PI / f64::from(count)));
    let mut nodes = Vec::new();
    for node in 0..count {
        let angle = 2.0 * PI * f64::from(node) / f64::from(count);
        add(&mut nodes, radius * (1.0 + libm::cos(angle)), radius * (1.0 + libm::sin(angle)));
    }
    Ok(Plan::new(nodes, vec![(0, count as usize / 2)]))
}
