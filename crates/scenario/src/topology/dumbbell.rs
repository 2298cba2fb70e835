//! Two clusters with a chain between them.

use core::f64::consts::PI;

use multihop_core::Count;

use super::{Plan, SPACING, Site, Topology, add, limited};
use crate::error::Fault;

/// A dumbbell.
pub(super) static TOPOLOGY: Topology = Topology {
    name: "dumbbell",
    about: "Sources in a cluster at one end of a chain that all flows share, destinations in one at \
            the other end.",
    params: &[HOPS.param().required(), FLOWS.param().required(), SPACING.param()],
    spread: "topology.spacing",
    plan,
};

const HOPS: Count = Count {
    name: "hops",
    about: "Hops that the flows share",
    unit: "",
    default: 4,
    min: 1,
    max: u32::MAX,
};

const FLOWS: Count = Count {
    name: "flows",
    about: "Number of flows, each between nodes of its own",
    unit: "",
    default: 4,
    min: 1,
    max: u32::MAX,
};

/// Half the angle, in rad, over which a cluster fans out. The farthest two nodes of a cluster are
/// then one spacing apart: all of a cluster hear each other.
const HALF_FAN: f64 = PI / 6.0;

// HxH, figure 4.9.
/// With s for the spacing, the nodes of the shared chain are s apart in a line.
/// Sources stand at a distance of s from the first of them on the side away from the others, evenly
/// on an arc of 60 degrees; destinations likewise behind the last. A source is 2 s cos(15°), or
/// 1.93 s, from the second node of the chain at least: the range has to end before that, so that
/// every flow takes all the shared hops. Nodes are the chain's, then the sources, then the
/// destinations; flow i goes from source i to destination i.
fn plan(site: &Site) -> Result<Plan, Fault> {
    let range = site.range;
    let hops = site.get(HOPS);
    let flows = site.get(FLOWS);
    let makes = u64::from(hops) + 1 + 2 * u64::from(flows);
    limited(if hops > flows { "topology.hops" } else { "topology.flows" }, makes)?;
    let spacing = site.get(SPACING);
    let next = 2.0 * spacing * libm::cos(HALF_FAN / 2.0);
    if next <= range {
        let message = format!(
            "must be more than {:.1} m: with a range of {range:.0} m, the sources would reach past \
             the first node of the shared chain",
            spacing * range / next
        );
        return Err(Fault::new("topology.spacing", message));
    }
    let (first, middle) = (spacing, spacing * libm::sin(HALF_FAN));
    let last = first + f64::from(hops) * spacing;
    let mut nodes = Vec::new();
    for i in 0..=hops {
        add(&mut nodes, first + f64::from(i) * spacing, middle);
    }
    for (end, side) in [(first, -1.0), (last, 1.0)] {
        for i in 0..flows {
            let share = if flows == 1 { 0.5 } else { f64::from(i) / f64::from(flows - 1) };
            let angle = HALF_FAN * (2.0 * share - 1.0);
            let (x, y) = (spacing * libm::cos(angle), spacing * libm::sin(angle));
            add(&mut nodes, end + side * x, middle + y);
        }
    }
    let source = |flow: u32| (hops + 1 + flow) as usize;
    let pairs = (0..flows).map(|flow| (source(flow), source(flows + flow)));
    Ok(Plan::new(nodes, pairs.collect()))
}
