//! What a file lists itself: [[node]] and [[flow]].

use std::collections::BTreeMap;

use multihop_core::NodeId;
use multihop_routing::{Routes, fixed};

use super::{Groups, Plan, Site, Topology, limited};
use crate::error::Fault;
use crate::form::{Ends, NodeSection, Scenario};
use crate::mesh::Vicinity;
use crate::names::Names;
use crate::reach::distance;
use crate::traffic::lacks_end;
use multihop_setup::EVERYONE;
use multihop_setup::Node;

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
    if !site.has_other_flows() {
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
        nodes.push(Node::at(node.name.as_str(), place(scenario, i)?));
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

/// A flow of [[flow]]: which of the tables it is of, and its ends.
pub(super) type Listed = (usize, (usize, usize));

/// The flows of [[flow]], between nodes of any topology, in the order of the tables and of where they come from, and the
/// groups of nodes that they go to.
pub(super) fn flows(scenario: &Scenario, nodes: &[Node]) -> Result<(Vec<Listed>, Groups), Fault> {
    let (mut flows, mut groups) = (Vec::new(), Vec::new());
    if scenario.flow.is_empty() {
        return Ok((flows, groups));
    }
    let names = Names::new(scenario, nodes);
    for (i, flow) in scenario.flow.iter().enumerate() {
        let lacks = |end: &str| lacks_end((i, flow), end);
        let (from, to) = (flow.from.as_ref(), flow.to.as_ref());
        let (from, whom) = (from.ok_or_else(|| lacks("from"))?, to.ok_or_else(|| lacks("to"))?);
        let from = members(&names, &format!("flow[{i}].from"), from, nodes.len())?;
        let key = format!("flow[{i}].to");
        let to = receiver(&names, &key, whom, &mut groups)?;
        if let [from] = from[..] {
            check_apart(&key, &nodes[from].name, whom)?;
        }
        if flows.len() as u64 + from.len() as u64 > MOST_FLOWS {
            let message = format!("makes more than {MOST_FLOWS} flows; name fewer nodes");
            return Err(Fault::new(format!("flow[{i}]"), message));
        }
        let pairs = from.into_iter().map(|from| (from, to));
        flows.extend(pairs.filter(|(from, to)| from != to).map(|pair| (i, pair)));
    }
    Ok((flows, groups))
}

/// Whom the packets of a flow are for: a node, everyone, or a group.
fn receiver(names: &Names, key: &str, to: &Ends, groups: &mut Groups) -> Result<usize, Fault> {
    match to {
        Ends::One(name) if name == EVERYONE => Ok(NodeId::BROADCAST.index()),
        Ends::One(name) if name == Ends::EVERY => {
            let message =
                "says where flows come from; for packets that are for all nodes say \"everyone\"";
            Err(Fault::new(key, message))
        }
        Ends::One(name) => names.find(key, name),
        Ends::Several(list) => group(key, &names.all(key, list)?, groups),
    }
}

/// Refuses a flow from the node of this name that goes nowhere else.
fn check_apart(key: &str, from: &str, to: &Ends) -> Result<(), Fault> {
    match to {
        Ends::One(name) if name == from => {
            Err(Fault::new(key, format!("the flow goes from '{from}' to itself")))
        }
        Ends::Several(names) if names.iter().all(|name| name == from) => {
            let message =
                format!("names only '{from}', from which the flow comes; name another node");
            Err(Fault::new(key, message))
        }
        _ => Ok(()),
    }
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

/// As many as a random topology can have.
const MOST_FLOWS: u64 = 100_000;

/// The nodes at one end of the flows of a table, of `count` nodes.
fn members(names: &Names, key: &str, ends: &Ends, count: usize) -> Result<Vec<usize>, Fault> {
    match ends {
        Ends::One(name) if name == Ends::EVERY => Ok((0..count).collect()),
        Ends::One(name) => Ok(vec![names.find(key, name)?]),
        Ends::Several(given) if given.is_empty() => {
            Err(Fault::new(key, "names no node; name one, or remove the flow"))
        }
        Ends::Several(given) => {
            let mut found = Vec::new();
            for name in given {
                let node = names.find(key, name)?;
                if found.contains(&node) {
                    return Err(Fault::new(
                        key,
                        format!("names '{name}' twice; name every node once"),
                    ));
                }
                found.push(node);
            }
            Ok(found)
        }
    }
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
        if plan.listed(number + 1) == Some(index)
            || number > 0 && plan.listed(number - 1) == Some(index)
        {
            let message =
                "is the way of one flow, and the table makes several; give a table for each";
            return Err(Fault::new(key, message));
        }
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
