//! Where the nodes are, and between which of them there are flows.

mod chain;
mod cross;
mod dumbbell;
mod grid;
mod lattice;
mod listed;
mod moving;
mod random;
mod site;
mod star;

use std::borrow::Cow;
use std::collections::BTreeMap;

use multihop_core::{Length as Distance, NodeId, Param};

use crate::error::Fault;
use crate::mobility::Movements;
use crate::names::MOST_NODES;
pub(crate) use listed::ways;
use multihop_setup::Node;
pub(crate) use site::Site;

/// Every topology. A new one is a file, a `mod` line, and a line here.
pub static TOPOLOGIES: &[&Topology] = &[
    &chain::CHAIN,
    &chain::BIDIRECTIONAL,
    &cross::CROSS,
    &cross::BIDIRECTIONAL,
    &grid::TOPOLOGY,
    &star::TOPOLOGY,
    &dumbbell::TOPOLOGY,
    &lattice::TOPOLOGY,
    &random::TOPOLOGY,
    &listed::TOPOLOGY,
    &moving::TOPOLOGY,
];

/// A topology, with everything that tools need to know of it.
pub struct Topology {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Where the nodes are, and between which of them there are flows.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The key that decides how far apart the nodes are, for messages.
    pub(crate) spread: &'static str,
    /// Makes the nodes and flows.
    pub(crate) plan: fn(&Site) -> Result<Plan, Fault>,
}

/// Between neighbours of what stands in lines.
const SPACING: Distance = Distance {
    name: "spacing",
    about: "Distance between neighbours",
    default: 200.0,
    min: multihop_setup::LEAST_DISTANCE,
    max: f64::INFINITY,
};

/// Source and destination of flows, by number: a destination may be the address of a group or of everyone.
pub(crate) type Ends = Vec<(usize, usize)>;

/// The nodes of groups, each in ascending order.
pub(crate) type Groups = Vec<Vec<NodeId>>;

/// Nodes, and the ends of the flows.
pub(crate) struct Plan {
    pub(crate) nodes: Vec<Node>,
    /// Source and destination of each flow: first of those that the topology makes, then of those that the kind of
    /// traffic makes, then of those of [[flow]].
    pub(crate) flows: Ends,
    /// The groups that flows go to.
    pub(crate) groups: Groups,
    /// The nodes on the way of a flow, both ends included, where it is not the shortest.
    pub(crate) ways: BTreeMap<usize, Vec<usize>>,
    /// Over how many hops the topology says that its flows go, from the first flow on.
    pub(crate) promised: Vec<u32>,
    /// Width and height in m of the area in which the nodes are, if the topology has one.
    pub(crate) area: Option<(f64, f64)>,
    /// How many the topology makes.
    generated: usize,
    /// How many nodes send what the kind of traffic lets every node send, one after the other for each such message.
    stocked: usize,
    /// Which of [[flow]] the others are of.
    tables: Vec<usize>,
}

/// In which directions flows go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Directions {
    One,
    Both,
}

impl Directions {
    /// The flows, and after them the opposite ones where both directions have some.
    fn of(self, mut flows: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        if self == Directions::Both {
            let opposite: Vec<_> = flows.iter().map(|&(from, to)| (to, from)).collect();
            flows.extend(opposite);
        }
        flows
    }
}

impl Plan {
    fn new(nodes: Vec<Node>, flows: Vec<(usize, usize)>) -> Self {
        let generated = flows.len();
        Plan {
            nodes,
            flows,
            groups: Vec::new(),
            ways: BTreeMap::new(),
            promised: Vec::new(),
            area: None,
            generated,
            stocked: 0,
            tables: Vec::new(),
        }
    }

    /// The same, whose flows all go over so many hops.
    fn over(self, hops: u32) -> Self {
        Plan { promised: vec![hops; self.flows.len()], ..self }
    }

    /// The name of a node, group or everyone.
    pub(crate) fn called(&self, number: NodeId) -> Cow<'_, str> {
        multihop_setup::called(&self.nodes, &self.groups, number)
    }

    /// The number of the first flow to several nodes.
    pub(crate) fn to_several(&self) -> Option<usize> {
        self.flows.iter().position(|(_, to)| NodeId(*to as u32).is_group())
    }

    /// Whether the topology makes any of the flows.
    pub(crate) fn makes_flows(&self) -> bool {
        self.generated > 0
    }

    /// Which [[flow]] of the file the flow is, unless the topology or the kind of traffic makes it.
    pub(crate) fn listed(&self, flow: usize) -> Option<usize> {
        self.tables.get(flow.checked_sub(self.generated + self.stocked)?).copied()
    }

    /// Which of the messages that the kind of traffic lets every node send the flow is of, if it is.
    pub(crate) fn stock(&self, flow: usize) -> Option<usize> {
        let at = flow.checked_sub(self.generated)?;
        (at < self.stocked).then(|| at / self.nodes.len())
    }

    /// Which [[flow]] of the file each flow is of, unless the topology or the kind of traffic makes it.
    pub(crate) fn origins(&self) -> Vec<Option<usize>> {
        (0..self.flows.len()).map(|flow| self.listed(flow)).collect()
    }

    /// The key of the file that the flow comes from.
    pub(crate) fn key(&self, flow: usize) -> String {
        match (self.listed(flow), self.stock(flow)) {
            (Some(index), _) => format!("flow[{index}]"),
            (None, Some(_)) => "traffic".to_owned(),
            (None, None) => "topology".to_owned(),
        }
    }
}

/// The nodes and flows of a scenario.
pub(crate) fn plan(site: &Site) -> Result<Plan, Fault> {
    let Site { scenario, topology, .. } = *site;
    if !scenario.node.is_empty() && topology.name != listed::TOPOLOGY.name {
        let message = format!(
            "[[node]] applies only to kind \"{}\"; kind \"{}\" makes its own",
            listed::TOPOLOGY.name,
            topology.name
        );
        return Err(Fault::new("node", message));
    }
    let mut plan = (topology.plan)(site)?;
    if let Some(movements) = &site.movements {
        displace(&mut plan.nodes, movements)?;
    }
    for _ in site.stock {
        let nodes = 0..plan.nodes.len();
        plan.flows.extend(nodes.map(|node| (node, NodeId::BROADCAST.index())));
    }
    plan.stocked = site.stock.len() * plan.nodes.len();
    let (listed, groups) = listed::flows(scenario, &plan.nodes)?;
    for (table, ends) in listed {
        plan.tables.push(table);
        plan.flows.push(ends);
    }
    plan.groups = groups;
    if plan.flows.is_empty() {
        return Err(Fault::new("topology", "there is no flow; give [[flow]] tables"));
    }
    Ok(plan)
}

/// Puts nodes where a movement file puts them.
fn displace(nodes: &mut [Node], movements: &Movements) -> Result<(), Fault> {
    let (there, named) = (nodes.len(), movements.len());
    if there != named {
        let message = format!(
            "has {named} nodes, but the topology has {there}; they must agree, or use a topology \
             of kind \"movements\""
        );
        return Err(movements.fault(&message));
    }
    for (index, node) in nodes.iter_mut().enumerate() {
        if let Some((x, y)) = movements.place(index) {
            (node.x, node.y) = (x, y);
        }
    }
    Ok(())
}

/// Refuses more nodes than [`MOST_NODES`].
fn limited(key: &str, nodes: u64) -> Result<(), Fault> {
    if nodes > u64::from(MOST_NODES) {
        let message = format!("makes {nodes} nodes; at most {MOST_NODES} are possible");
        return Err(Fault::new(key, message));
    }
    Ok(())
}

fn add(nodes: &mut Vec<Node>, x: f64, y: f64) {
    nodes.push(Node::at(format!("n{}", nodes.len()), (x, y)));
}
