//! What a file lists itself: [[node]] and [[flow]].

use std::collections::BTreeMap;

use multihop_routing::{Routes, fixed};

use super::{Plan, Site, Topology, limited};
use crate::Track;
use crate::error::Fault;
use crate::form::Scenario;
use crate::names::Names;
use crate::reach::distance;
use crate::setup::Node;

/// What a file lists.
pub(super) static TOPOLOGY: Topology = Topology {
    name: "explicit",
    about: "The nodes and flows of [[node]] and [[flow]].",
    params: &[],
    spread: "node",
    plan,
};

fn plan(site: &Site) -> Result<Plan, Fault> {
    let scenario = site.scenario;
    if scenario.node.is_empty() {
        return Err(Fault::missing("node", "kind \"explicit\" needs [[node]] tables"));
    }
    if scenario.flow.is_empty() {
        return Err(Fault::missing("flow", "kind \"explicit\" needs [[flow]] tables"));
    }
    limited("node", scenario.node.len() as u64)?;
    let mut index = BTreeMap::new();
    let mut nodes = Vec::new();
    for (i, node) in scenario.node.iter().enumerate() {
        if node.name.trim().is_empty() {
            return Err(Fault::new(format!("node[{i}].name"), "must not be empty"));
        }
        if let Some(first) = index.insert(node.name.as_str(), i) {
            let message =
                format!("there are two nodes '{}': node[{first}] and node[{i}]", node.name);
            return Err(Fault::new(format!("node[{i}].name"), message));
        }
        let (x, y) = (node.x.value(), node.y.value());
        nodes.push(Node { name: node.name.clone(), x, y, track: Track::default() });
    }
    Ok(Plan::new(nodes, Vec::new()))
}

/// The ends of the flows of [[flow]], between nodes of any topology.
pub(super) fn flows(scenario: &Scenario, nodes: &[Node]) -> Result<Vec<(usize, usize)>, Fault> {
    if scenario.flow.is_empty() {
        return Ok(Vec::new());
    }
    let names = Names::new(scenario, nodes);
    let mut flows = Vec::new();
    for (i, flow) in scenario.flow.iter().enumerate() {
        let from = names.find(&format!("flow[{i}].from"), &flow.from)?;
        let to = names.find(&format!("flow[{i}].to"), &flow.to)?;
        if from == to {
            let message = format!("the flow goes from '{}' to itself", flow.from);
            return Err(Fault::new(format!("flow[{i}].to"), message));
        }
        flows.push((from, to));
    }
    Ok(flows)
}

/// The ways of the flows of [[flow]] that have one, by the flow's number in `plan`.
pub(super) fn ways(site: &Site, plan: &Plan) -> Result<BTreeMap<usize, Vec<usize>>, Fault> {
    let Site { scenario, range, routing, .. } = *site;
    let names = Names::new(scenario, &plan.nodes);
    let mut ways = BTreeMap::new();
    for (number, &(from, to)) in plan.flows.iter().enumerate() {
        let Some(index) = plan.listed(number) else { continue };
        let Some(via) = &scenario.flow[index].via else { continue };
        let key = format!("flow[{index}].via");
        if routing.routes == Routes::Searched {
            let message = format!(
                "applies to fixed routes; {} finds its own. Remove it, or set routing.kind to \
                 \"{}\"",
                routing.title,
                fixed::ROUTING.name
            );
            return Err(Fault::new(key, message));
        }
        let mut way = vec![from];
        for name in via {
            way.push(names.find(&key, name)?);
        }
        way.push(to);
        for (at, hop) in way.windows(2).enumerate() {
            let (here, there) = (&plan.nodes[hop[0]], &plan.nodes[hop[1]]);
            if way[..=at].contains(&hop[1]) {
                let message = format!("comes to '{}' twice; name every node once", there.name);
                return Err(Fault::new(key, message));
            }
            let apart = distance(here, there);
            if apart > range {
                let message = format!(
                    "'{}' does not reach '{}', {} m away; name the nodes between them",
                    here.name,
                    there.name,
                    libm::round(apart)
                );
                return Err(Fault::new(key, message));
            }
        }
        let same = plan.flows[..number].iter().position(|ends| *ends == (from, to));
        if same.is_some_and(|same| ways.get(&same).or(plan.ways.get(&same)) != Some(&way)) {
            let message = "differs from the way of another flow between the same nodes; give all \
                           of them the same one";
            return Err(Fault::new(key, message));
        }
        ways.insert(number, way);
    }
    Ok(ways)
}
