//! Senders round one receiver.

use multihop_core::{Count, Length};

use super::{Plan, Site, Topology, add, limited};
use crate::error::Fault;

/// A star.
pub(super) static TOPOLOGY: Topology = Topology {
    name: "star",
    about: "Senders evenly on a circle round one receiver, a flow from each.",
    params: &[SENDERS.param().required(), RADIUS.param()],
    spread: "topology.radius",
    plan,
};

const SENDERS: Count = Count {
    name: "senders",
    about: "Number of senders",
    unit: "",
    default: 5,
    min: 1,
    max: u32::MAX,
};

const RADIUS: Length = Length {
    name: "radius",
    about: "Distance of the senders from the receiver",
    default: 50.0,
    min: multihop_setup::LEAST_DISTANCE,
    max: f64::INFINITY,
};

fn plan(site: &Site) -> Result<Plan, Fault> {
    let senders = site.get(SENDERS);
    limited("topology.senders", u64::from(senders) + 1)?;
    let radius = site.get(RADIUS);
    let mut nodes = Vec::new();
    add(&mut nodes, radius, radius);
    for i in 0..senders {
        let angle = 2.0 * core::f64::consts::PI * f64::from(i) / f64::from(senders);
        let (x, y) = (radius * libm::cos(angle), radius * libm::sin(angle));
        add(&mut nodes, radius + x, radius + y);
    }
    Ok(Plan::new(nodes, (1..=senders as usize).map(|sender| (sender, 0)).collect()))
}
