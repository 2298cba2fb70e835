//! Two chains that share their middle node.

use multihop_core::Count;

use super::{Directions, Plan, SPACING, Site, Topology, add, limited};
use crate::error::Fault;

/// A flow on each.
pub(super) static CROSS: Topology = Topology {
    name: "cross",
    about: "Two chains that share their middle node, a flow on each.",
    params: &[HOPS.param().required(), SPACING.param()],
    spread: "topology.spacing",
    plan: |site| plan(site, Directions::One),
};

/// Flows in both directions on each.
pub(super) static BIDIRECTIONAL: Topology = Topology {
    name: "bidirectional-cross",
    about: "Two chains that share their middle node, a flow in each direction on each.",
    plan: |site| plan(site, Directions::Both),
    ..CROSS
};

const HOPS: Count = Count {
    name: "hops",
    about: "Hops from end to end of each chain: an even number",
    unit: "",
    default: 10,
    min: 2,
    max: u32::MAX,
};

fn plan(site: &Site, directions: Directions) -> Result<Plan, Fault> {
    let hops = site.get(HOPS);
    if hops % 2 == 1 {
        let message =
            format!("must be even, because the chains share their middle node (got {hops})");
        return Err(Fault::new("topology.hops", message));
    }
    limited("topology.hops", 2 * u64::from(hops) + 1)?;
    let spacing = site.get(SPACING);
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
    Ok(Plan::new(nodes, directions.of(flows)).over(hops))
}
