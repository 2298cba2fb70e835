//! The nodes of a movement file.

use super::{Plan, Site, Topology, add};
use crate::error::Fault;

/// The nodes of a movement file.
pub(super) static TOPOLOGY: Topology = Topology {
    name: "movements",
    about: "The nodes of an ns-2 movement file, which [mobility] names, and the flows of [[flow]].",
    params: &[],
    spread: "mobility",
    plan,
};

fn plan(site: &Site) -> Result<Plan, Fault> {
    let Some(movements) = site.movements else {
        let message = "\"movements\" takes the nodes from a movement file; give [mobility] with \
                       kind = \"ns2\" and file = \"movements.txt\"";
        return Err(Fault::new("topology.kind", message));
    };
    let mut nodes = Vec::new();
    for node in 0..movements.len() {
        let (x, y) = movements.place(node).ok_or_else(|| {
            let message = format!("says no X_ and Y_ of node {node}; set both, of every node");
            movements.fault(&message)
        })?;
        add(&mut nodes, x, y);
    }
    Ok(Plan::new(nodes, Vec::new()))
}
