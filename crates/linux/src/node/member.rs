//! A node of a scenario: its protocols, its routes, its neighbours' addresses.

use std::collections::BTreeSet;

use multihop_core::{FlowId, NodeId};
use multihop_medium::medium;
use multihop_node::Node;
use multihop_routing::{FixedRoutes, Life, Neighbours, Routes};
use multihop_setup::Setup;
use serde::Deserialize;

/// More nodes than this do not all know a fixed route to each other: who would, has to list ways.
const MOST_PAIRED: usize = 200;

/// Ways that are given, in a file of their own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ways {
    #[serde(default)]
    way: Vec<Way>,
}

/// The nodes on a way, both ends included, by their names. It is taken back, too.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Way {
    nodes: Vec<String>,
}

/// The number of the node called `name`.
///
/// # Errors
/// If there is none; the message names those that there are.
pub fn find(setup: &Setup, name: &str) -> Result<NodeId, String> {
    let found = setup.nodes.iter().position(|node| node.name == name);
    found.map(|number| NodeId(number as u32)).ok_or_else(|| {
        let names: Vec<_> = setup.nodes.iter().take(10).map(|node| node.name.as_str()).collect();
        let more = if setup.nodes.len() > names.len() { ", ..." } else { "" };
        format!("the scenario has no node '{name}'; it has {}{more}", names.join(", "))
    })
}

/// Node number `number` in this life. Fixed routes lead to every node: by the `ways` that are given, those
/// that the scenario's flows take, or else the shortest.
///
/// # Errors
/// If a way names a node that does not exist, or one twice.
pub fn node(setup: &Setup, number: NodeId, ways: &Ways, life: Life) -> Result<Node, String> {
    let routes = match setup.routing.protocol.routes {
        Routes::Known => routes(setup, ways)?.swap_remove(number.index()),
        Routes::Searched | Routes::None => FixedRoutes::default(),
    };
    Ok(multihop_compose::node(setup, number, routes, life))
}

fn routes(setup: &Setup, ways: &Ways) -> Result<Vec<FixedRoutes>, String> {
    let medium = medium(setup);
    let neighbours: Neighbours = medium.neighbours();
    let mut given: Vec<Vec<NodeId>> = Vec::new();
    for way in &ways.way {
        let way = numbers(setup, way)?;
        given.push(way.iter().rev().copied().collect());
        given.push(way);
    }
    given.extend(setup.sources.iter().map(|source| source.way.clone()));
    let count = setup.nodes.len() as u32;
    let pairs = (0..count)
        .flat_map(|from| (0..count).map(move |to| FlowId::between(NodeId(from), NodeId(to))))
        .filter(|flow| flow.source != flow.destination && setup.nodes.len() <= MOST_PAIRED);
    let of_flows = setup.sources.iter().map(|source| FlowId { label: 0, ..source.flow });
    let rest: Vec<FlowId> = of_flows.chain(pairs).collect();
    let first = given.iter().filter_map(|way| {
        let (from, to) = (*way.first()?, *way.last()?);
        Some((FlowId::between(from, to), &way[..]))
    });
    let rest: Vec<(FlowId, Vec<NodeId>)> = rest
        .into_iter()
        .map(|flow| (flow, multihop_compose::cheapest_way(setup, flow, &neighbours, &*medium)))
        .collect();
    let rest = rest.iter().map(|(flow, way)| (*flow, &way[..]));
    Ok(FixedRoutes::along(&neighbours, first.chain(rest), multihop_compose::ties(setup)))
}

fn numbers(setup: &Setup, way: &Way) -> Result<Vec<NodeId>, String> {
    let numbers =
        way.nodes.iter().map(|name| find(setup, name)).collect::<Result<Vec<_>, String>>()?;
    let once: BTreeSet<_> = numbers.iter().collect();
    if numbers.len() < 2 || once.len() < numbers.len() {
        return Err(format!("a way has two nodes or more, each once: {}", way.nodes.join(", ")));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests;
