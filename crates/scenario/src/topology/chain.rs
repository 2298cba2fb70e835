//! Nodes in a line.

use multihop_core::Count;

use super::{Directions, Plan, SPACING, Site, Topology, add, limited};
use crate::error::Fault;

/// A flow from end to end.
pub(super) static CHAIN: Topology = Topology {
    name: "chain",
    about: "Nodes in a line, one flow from end to end.",
    params: &[HOPS.param().required(), SPACING.param()],
    spread: "topology.spacing",
    plan: |site| plan(site, Directions::One),
};

/// Flows from both ends.
pub(super) static BIDIRECTIONAL: Topology = Topology {
    name: "bidirectional-chain",
    about: "Nodes in a line, a flow from each end to the other.",
    plan: |site| plan(site, Directions::Both),
    ..CHAIN
};

const HOPS: Count = Count {
    name: "hops",
    about: "Hops from end to end",
    unit: "",
    default: 10,
    min: 1,
    max: u32::MAX,
};

fn plan(site: &Site, directions: Directions) -> Result<Plan, Fault> {
    let hops = site.get(HOPS);
    limited("topology.hops", u64::from(hops) + 1)?;
    let spacing = site.get(SPACING);
    let mut nodes = Vec::new();
    for i in 0..=hops {
        add(&mut nodes, f64::from(i) * spacing, 0.0);
    }
    Ok(Plan::new(nodes, directions.of(vec![(0, hops as usize)])).over(hops))
}
