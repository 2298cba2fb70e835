//! What a file lists itself: [[node]] and [[flow]].

use std::collections::BTreeMap;

use multihop_core::NodeId;
use multihop_routing::{Routes, fixed};

use super::{Ends, Groups, Plan, Site, Topology, limited};
use crate::error::Fault;
use crate::form::{NodeSection, Scenario, To};
use crate::mesh::Vicinity;
use crate::names::Names;
use crate::reach::distance;
use multihop_setup::EVERYONE;
use multihop_setup::Node;
use multihop_setup::Track;

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
        if node.name == EVERYONE {
            let message = "is what a flow to all nodes says; give the node another name";
            return Err(Fault::new(format!("node[{i}].name"), message));
        }
        if let Some(first) = index.insert(node.name.as_str(), i) {
            let message =
                format!("there are two nodes '{}': node[{first}] and node[{i}]", node.name);
            return Err(Fault::new(format!("node[{i}].name"), message));
        }
        let (x, y) = place(scenario, i)?;
        nodes.push(Node { name: node.name.clone(), x, y, track: Track::default() });
    }
    Ok(Plan::new(nodes, Vec::new()))
}

/// The position of a node in m; all are in one place where positions need not be known.
fn place(scenario: &Scenario, index: usize) -> Result<(f64, f64), Fault> {
    let NodeSection { x, y, .. } = &scenario.node[index];
    let missing = match (x, y) {
        (Some(x), Some(y)) => return Ok((x.value(), y.value())),
        (None, None) if scenario.lists_all_links() => return Ok((0.0, 0.0)),
        (None, _) => "x",
        (Some(_), None) => "y",
    };
    let remedy = "say where the node is, as in \"200 m\" (only where [[link]] lists all that is \
                  heard, x and y may both be missing)";
    Err(Fault::missing(format!("node[{index}].{missing}"), remedy))
}

/// The ends of the flows of [[flow]], between nodes of any topology, and the groups of nodes that they go to.
pub(super) fn flows(scenario: &Scenario, nodes: &[Node]) -> Result<(Ends, Groups), Fault> {
    let (mut flows, mut groups) = (Vec::new(), Vec::new());
    if scenario.flow.is_empty() {
        return Ok((flows, groups));
    }
    let names = Names::new(scenario, nodes);
    for (i, flow) in scenario.flow.iter().enumerate() {
        let from = names.find(&format!("flow[{i}].from"), &flow.from)?;
        let key = format!("flow[{i}].to");
        let to = match &flow.to {
            To::Name(name) if name == EVERYONE => NodeId::BROADCAST.index(),
            To::Name(name) => names.find(&key, name)?,
            To::Names(list) => group(&key, &names.all(&key, list)?, &mut groups)?,
        };
        if from == to {
            let message = format!("the flow goes from '{}' to itself", flow.from);
            return Err(Fault::new(key, message));
        }
        if matches!(&flow.to, To::Names(list) if list.iter().all(|name| *name == flow.from)) {
            let message =
                format!("names only '{}', from which the flow comes; name another node", flow.from);
            return Err(Fault::new(key, message));
        }
        flows.push((from, to));
    }
    Ok((flows, groups))
}

/// The number of the group of these nodes, which is a new one where no flow before has named them.
fn group(key: &str, nodes: &[NodeId], groups: &mut Groups) -> Result<usize, Fault> {
    if nodes.is_empty() {
        return Err(Fault::new(key, "names nobody; name a node, or say \"everyone\""));
    }
    let known = groups.iter().position(|group| group == nodes);
    let number = known.unwrap_or(groups.len());
    if number >= NodeId::MOST_GROUPS as usize {
        let message = format!(
            "names another group; flows can go to {} different groups",
            NodeId::MOST_GROUPS
        );
        return Err(Fault::new(key, message));
    }
    if known.is_none() {
        groups.push(nodes.to_vec());
    }
    Ok(NodeId::group(number as u32).index())
}

/// The ways of the flows of [[flow]] that have one, by the flow's number in `plan`.
pub(crate) fn ways(
    site: &Site,
    plan: &Plan,
    vicinity: &Vicinity,
) -> Result<BTreeMap<usize, Vec<usize>>, Fault> {
    let Site { scenario, routing, .. } = *site;
    let names = Names::new(scenario, &plan.nodes);
    let mut ways = BTreeMap::new();
    for (number, &(from, to)) in plan.flows.iter().enumerate() {
        let Some(index) = plan.listed(number) else { continue };
        let Some(via) = &scenario.flow[index].via else { continue };
        let key = format!("flow[{index}].via");
        if routing.routes != Routes::Known {
            let others = if routing.routes == Routes::None { "has none" } else { "finds its own" };
            let message = format!(
                "applies to fixed routes; {} {others}. Remove it, or set routing.kind to \"{}\"",
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
            if !vicinity.joins(hop[0], hop[1]) {
                let apart = libm::round(distance(here, there));
                let away = if vicinity.links.is_empty() {
                    format!(", {apart} m away")
                } else {
                    " and back".to_owned()
                };
                let message = format!(
                    "'{}' does not reach '{}'{away}; name the nodes between them",
                    here.name, there.name,
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
