//! Where the nodes are, and between which of them there are flows.

mod dumbbell;
mod lattice;
mod listed;
mod random;
mod shapes;

use std::collections::BTreeMap;

use multihop_core::Time;

use crate::Track;
use crate::error::Fault;
use crate::form::{Scenario, Topology, TopologyKind};
use crate::mobility::{self, Movements};
use crate::names::MOST_NODES;
use crate::quantity::Length;
use crate::setup::Node;

/// Nodes, and the ends of the flows.
pub(crate) struct Plan {
    pub(crate) nodes: Vec<Node>,
    /// Source and destination of each flow: first of those that the topology makes, then of
    /// those of [[flow]].
    pub(crate) flows: Vec<(usize, usize)>,
    /// The nodes on the way of a flow, both ends included, where it is not the shortest.
    pub(crate) ways: BTreeMap<usize, Vec<usize>>,
    /// How many the topology makes.
    generated: usize,
}

impl Plan {
    fn new(nodes: Vec<Node>, flows: Vec<(usize, usize)>) -> Self {
        let generated = flows.len();
        Plan { nodes, flows, ways: BTreeMap::new(), generated }
    }

    /// Whether the topology makes any of the flows.
    pub(crate) fn makes_flows(&self) -> bool {
        self.generated > 0
    }

    /// Which [[flow]] of the file the flow is, unless the topology makes it.
    pub(crate) fn listed(&self, flow: usize) -> Option<usize> {
        flow.checked_sub(self.generated)
    }
}

impl TopologyKind {
    /// Its name in scenario files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TopologyKind::Chain => "chain",
            TopologyKind::BidirectionalChain => "bidirectional-chain",
            TopologyKind::Cross => "cross",
            TopologyKind::BidirectionalCross => "bidirectional-cross",
            TopologyKind::Grid => "grid",
            TopologyKind::Star => "star",
            TopologyKind::Dumbbell => "dumbbell",
            TopologyKind::MobileLattice => "mobile-lattice",
            TopologyKind::Random => "random",
            TopologyKind::Explicit => "explicit",
            TopologyKind::Movements => "movements",
        }
    }

    /// The keys of [topology] that apply to it.
    fn keys(self) -> &'static [&'static str] {
        match self {
            TopologyKind::Chain
            | TopologyKind::BidirectionalChain
            | TopologyKind::Cross
            | TopologyKind::BidirectionalCross => &["hops", "spacing"],
            TopologyKind::Grid => {
                &["rows", "columns", "spacing", "horizontal_flows", "vertical_flows", "ends"]
            }
            TopologyKind::Star => &["senders", "radius"],
            TopologyKind::Random => {
                &["nodes", "width", "height", "flows", "min_hops", "topology_seed"]
            }
            TopologyKind::Dumbbell => &["hops", "flows", "spacing"],
            TopologyKind::MobileLattice => &["rows", "columns", "spacing", "route_failures"],
            TopologyKind::Explicit | TopologyKind::Movements => &[],
        }
    }

    /// The key that decides how far apart the nodes are.
    pub(crate) fn spread_key(self) -> &'static str {
        match self {
            TopologyKind::Star => "topology.radius",
            TopologyKind::Random => "topology.width",
            TopologyKind::Explicit => "node",
            TopologyKind::Movements => "mobility",
            _ => "topology.spacing",
        }
    }
}

impl Topology {
    fn given(&self) -> [(&'static str, bool); 16] {
        [
            ("hops", self.hops.is_some()),
            ("spacing", self.spacing.is_some()),
            ("rows", self.rows.is_some()),
            ("columns", self.columns.is_some()),
            ("horizontal_flows", self.horizontal_flows.is_some()),
            ("vertical_flows", self.vertical_flows.is_some()),
            ("ends", self.ends.is_some()),
            ("senders", self.senders.is_some()),
            ("radius", self.radius.is_some()),
            ("nodes", self.nodes.is_some()),
            ("width", self.width.is_some()),
            ("height", self.height.is_some()),
            ("flows", self.flows.is_some()),
            ("min_hops", self.min_hops.is_some()),
            ("route_failures", self.route_failures.is_some()),
            ("topology_seed", self.topology_seed.is_some()),
        ]
    }

    fn number(&self, key: &str, value: Option<u32>, least: u32) -> Result<u32, Fault> {
        let path = format!("topology.{key}");
        let kind = self.kind.name();
        let value =
            value.ok_or_else(|| Fault::missing(&*path, &format!("kind \"{kind}\" needs it")))?;
        if value < least {
            return Err(Fault::new(path, format!("must be at least {least} (got {value})")));
        }
        Ok(value)
    }

    fn length(
        &self,
        key: &str,
        value: Option<&Length>,
        default: Option<f64>,
    ) -> Result<f64, Fault> {
        let path = format!("topology.{key}");
        let kind = self.kind.name();
        let Some(value) = value else {
            return default
                .ok_or_else(|| Fault::missing(path, &format!("kind \"{kind}\" needs it")));
        };
        longer_than_nothing(&path, value)
    }
}

/// A length that may not be zero.
pub(crate) fn longer_than_nothing(key: &str, length: &Length) -> Result<f64, Fault> {
    if length.value() < crate::LEAST_DISTANCE {
        return Err(Fault::new(key, format!("must be at least 1 cm (got {length})")));
    }
    Ok(length.value())
}

/// The nodes and flows of `scenario`, whose nodes are neighbours up to `range` m, and the nodes'
/// movement until `end`.
pub(crate) fn plan(scenario: &Scenario, range: f64, end: Time) -> Result<Plan, Fault> {
    let topology = &scenario.topology;
    let kind = topology.kind;
    check_keys(scenario)?;
    let movements = mobility::movements(scenario)?;
    let mut plan = match kind {
        TopologyKind::Chain => shapes::chain(topology, false),
        TopologyKind::BidirectionalChain => shapes::chain(topology, true),
        TopologyKind::Cross => shapes::cross(topology, false),
        TopologyKind::BidirectionalCross => shapes::cross(topology, true),
        TopologyKind::Grid => shapes::grid(topology),
        TopologyKind::Star => shapes::star(topology),
        TopologyKind::Dumbbell => dumbbell::dumbbell(topology, range),
        TopologyKind::MobileLattice => lattice::mobile_lattice(topology, range, end),
        TopologyKind::Random => random::random(scenario, range),
        TopologyKind::Explicit => listed::nodes(scenario),
        TopologyKind::Movements => moving(movements.as_ref()),
    }?;
    if let Some(movements) = &movements {
        displace(&mut plan.nodes, movements)?;
    }
    plan.flows.extend(listed::flows(scenario, &plan.nodes)?);
    let ways = listed::ways(scenario, &plan, range)?;
    plan.ways.extend(ways);
    if plan.flows.is_empty() {
        let message = match kind {
            TopologyKind::Grid => {
                "there is no flow; give horizontal_flows, vertical_flows or [[flow]] tables"
            }
            _ => "there is no flow; give [[flow]] tables",
        };
        return Err(Fault::new("topology", message));
    }
    mobility::set_out(scenario, movements, &mut plan.nodes, end)?;
    Ok(plan)
}

/// Refuses what does not apply to the kind.
fn check_keys(scenario: &Scenario) -> Result<(), Fault> {
    let kind = scenario.topology.kind;
    for (key, given) in scenario.topology.given() {
        if given && !kind.keys().contains(&key) {
            let takes = match kind {
                TopologyKind::Explicit => "[[node]] and [[flow]]".to_owned(),
                TopologyKind::Movements => "[mobility] and [[flow]]".to_owned(),
                _ => kind.keys().join(", "),
            };
            return Err(Fault::inapplicable(format!("topology.{key}"), kind.name(), &takes));
        }
    }
    if !scenario.node.is_empty() && kind != TopologyKind::Explicit {
        let message = format!(
            "[[node]] applies only to kind \"explicit\"; kind \"{}\" makes its own",
            kind.name()
        );
        return Err(Fault::new("node", message));
    }
    Ok(())
}

/// The nodes of a movement file.
fn moving(movements: Option<&Movements>) -> Result<Plan, Fault> {
    let Some(movements) = movements else {
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
    nodes.push(Node { name: format!("n{}", nodes.len()), x, y, track: Track::default() });
}
