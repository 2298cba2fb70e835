//! Where the nodes are, and between which of them there are flows.

use std::collections::BTreeMap;

use multihop_core::{NodeId, Purpose, Rng};

use crate::error::{Fault, alternatives, did_you_mean};
use crate::form::{Scenario, Topology, TopologyKind};
use crate::quantity::Length;
use crate::reach::Reach;
use crate::setup::Node;

/// More nodes than any paper has simulated, and few enough that a mistyped number does not fill
/// the memory.
const MOST_NODES: u32 = 100_000;

/// As with the nodes.
const MOST_FLOWS: u32 = 100_000;

/// How often random positions, and each random pair, are drawn before giving up.
const MOST_DRAWS: u32 = 1000;

/// How many positions are drawn before giving up, so that a large network that cannot be
/// connected is refused in seconds.
const MOST_POSITIONS: u32 = 10_000_000;

/// Nodes, and the ends of the flows.
pub(crate) struct Plan {
    pub(crate) nodes: Vec<Node>,
    /// Source and destination of each flow.
    pub(crate) flows: Vec<(usize, usize)>,
}

impl TopologyKind {
    /// Its name in scenario files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TopologyKind::Chain => "chain",
            TopologyKind::BidirectionalChain => "bidirectional-chain",
            TopologyKind::Cross => "cross",
            TopologyKind::BidirectionalCross => "bidirectional-cross",
            TopologyKind::Star => "star",
            TopologyKind::Random => "random",
            TopologyKind::Explicit => "explicit",
        }
    }

    /// The keys of [topology] that apply to it.
    fn keys(self) -> &'static [&'static str] {
        match self {
            TopologyKind::Chain
            | TopologyKind::BidirectionalChain
            | TopologyKind::Cross
            | TopologyKind::BidirectionalCross => &["hops", "spacing"],
            TopologyKind::Star => &["senders", "radius"],
            TopologyKind::Random => {
                &["nodes", "width", "height", "flows", "min_hops", "topology_seed"]
            }
            TopologyKind::Explicit => &[],
        }
    }

    /// The key that decides how far apart the nodes are.
    pub(crate) fn spread_key(self) -> &'static str {
        match self {
            TopologyKind::Star => "topology.radius",
            TopologyKind::Random => "topology.width",
            TopologyKind::Explicit => "node",
            _ => "topology.spacing",
        }
    }
}

impl Topology {
    fn given(&self) -> [(&'static str, bool); 10] {
        [
            ("hops", self.hops.is_some()),
            ("spacing", self.spacing.is_some()),
            ("senders", self.senders.is_some()),
            ("radius", self.radius.is_some()),
            ("nodes", self.nodes.is_some()),
            ("width", self.width.is_some()),
            ("height", self.height.is_some()),
            ("flows", self.flows.is_some()),
            ("min_hops", self.min_hops.is_some()),
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

/// The nodes and flows of `scenario`, whose nodes are neighbours up to `range` m.
pub(crate) fn plan(scenario: &Scenario, range: f64) -> Result<Plan, Fault> {
    let topology = &scenario.topology;
    let kind = topology.kind;
    for (key, given) in topology.given() {
        if given && !kind.keys().contains(&key) {
            let takes = kind.keys().join(", ");
            let takes = if takes.is_empty() { "[[node]] and [[flow]]".to_owned() } else { takes };
            let message =
                format!("does not apply to kind \"{}\", which takes {takes}", kind.name());
            return Err(Fault::new(format!("topology.{key}"), message));
        }
    }
    for (key, given) in [("node", !scenario.node.is_empty()), ("flow", !scenario.flow.is_empty())] {
        if given && kind != TopologyKind::Explicit {
            let message = format!(
                "[[{key}]] applies only to kind \"explicit\"; kind \"{}\" makes its own",
                kind.name()
            );
            return Err(Fault::new(key, message));
        }
    }
    match kind {
        TopologyKind::Chain => chain(topology, false),
        TopologyKind::BidirectionalChain => chain(topology, true),
        TopologyKind::Cross => cross(topology, false),
        TopologyKind::BidirectionalCross => cross(topology, true),
        TopologyKind::Star => star(topology),
        TopologyKind::Random => random(scenario, range),
        TopologyKind::Explicit => explicit(scenario),
    }
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
    nodes.push(Node { name: format!("n{}", nodes.len()), x, y });
}

/// The flows, and after them the opposite ones.
fn with_opposite(mut flows: Vec<(usize, usize)>, both: bool) -> Vec<(usize, usize)> {
    if both {
        let opposite: Vec<_> = flows.iter().map(|&(from, to)| (to, from)).collect();
        flows.extend(opposite);
    }
    flows
}

fn chain(topology: &Topology, both: bool) -> Result<Plan, Fault> {
    let hops = topology.number("hops", topology.hops, 1)?;
    limited("topology.hops", u64::from(hops) + 1)?;
    let spacing = topology.length("spacing", topology.spacing.as_ref(), Some(200.0))?;
    let mut nodes = Vec::new();
    for i in 0..=hops {
        add(&mut nodes, f64::from(i) * spacing, 0.0);
    }
    Ok(Plan { nodes, flows: with_opposite(vec![(0, hops as usize)], both) })
}

fn cross(topology: &Topology, both: bool) -> Result<Plan, Fault> {
    let hops = topology.number("hops", topology.hops, 2)?;
    if hops % 2 == 1 {
        let message =
            format!("must be even, because the chains share their middle node (got {hops})");
        return Err(Fault::new("topology.hops", message));
    }
    limited("topology.hops", 2 * u64::from(hops) + 1)?;
    let spacing = topology.length("spacing", topology.spacing.as_ref(), Some(200.0))?;
    let middle = f64::from(hops / 2) * spacing;
    let mut nodes = Vec::new();
    for i in 0..=hops {
        add(&mut nodes, f64::from(i) * spacing, middle);
    }
    let top = nodes.len();
    for i in (0..=hops).filter(|&i| i != hops / 2) {
        add(&mut nodes, middle, f64::from(i) * spacing);
    }
    let flows = vec![(0, hops as usize), (top, nodes.len() - 1)];
    Ok(Plan { nodes, flows: with_opposite(flows, both) })
}

fn star(topology: &Topology) -> Result<Plan, Fault> {
    let senders = topology.number("senders", topology.senders, 1)?;
    limited("topology.senders", u64::from(senders) + 1)?;
    let radius = topology.length("radius", topology.radius.as_ref(), Some(50.0))?;
    let mut nodes = Vec::new();
    add(&mut nodes, radius, radius);
    for i in 0..senders {
        let angle = 2.0 * core::f64::consts::PI * f64::from(i) / f64::from(senders);
        let (x, y) = (radius * libm::cos(angle), radius * libm::sin(angle));
        add(&mut nodes, radius + x, radius + y);
    }
    Ok(Plan { nodes, flows: (1..=senders as usize).map(|sender| (sender, 0)).collect() })
}

fn random(scenario: &Scenario, range: f64) -> Result<Plan, Fault> {
    let topology = &scenario.topology;
    let count = topology.number("nodes", topology.nodes, 2)?;
    limited("topology.nodes", u64::from(count))?;
    let width = topology.length("width", topology.width.as_ref(), None)?;
    let height = topology.length("height", topology.height.as_ref(), None)?;
    let flows = topology.number("flows", topology.flows, 1)?;
    if flows > MOST_FLOWS {
        let message = format!("must be at most {MOST_FLOWS} (got {flows})");
        return Err(Fault::new("topology.flows", message));
    }
    if u64::from(flows) > u64::from(count) * u64::from(count - 1) {
        let message = format!("{count} nodes have fewer than {flows} different pairs");
        return Err(Fault::new("topology.flows", message));
    }
    let least = topology.number("min_hops", topology.min_hops.or(Some(1)), 1)?;
    let seed = topology.topology_seed.unwrap_or_else(|| scenario.seed());
    let mut rng = Rng::stream(seed, NodeId(0), Purpose::Topology);
    let draws = MOST_DRAWS.min(MOST_POSITIONS / count);
    for _ in 0..draws {
        let mut nodes = Vec::new();
        for _ in 0..count {
            let x = rng.between(0.0, width);
            add(&mut nodes, x, rng.between(0.0, height));
        }
        let reach = Reach::new(&nodes, range);
        if reach.connected() {
            let flows = random_pairs(&reach, &mut rng, (count, flows, least))?;
            return Ok(Plan { nodes, flows });
        }
    }
    let message = format!(
        "{count} nodes in {width} m x {height} m were not connected in any of {draws} draws; \
         use more nodes, a smaller area, or a longer range"
    );
    Err(Fault::new("topology.nodes", message))
}

/// Different pairs out of `count` nodes, each at least `least` hops apart.
fn random_pairs(
    reach: &Reach,
    rng: &mut Rng,
    (count, flows, least): (u32, u32, u32),
) -> Result<Vec<(usize, usize)>, Fault> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut taken = std::collections::BTreeSet::new();
    for _ in 0..flows {
        let drawn = (0..MOST_DRAWS).find_map(|_| {
            let pair = (rng.below(count) as usize, rng.below(count) as usize);
            let usable =
                pair.0 != pair.1 && !taken.contains(&pair) && reach.at_least(pair.0, pair.1, least);
            usable.then_some(pair)
        });
        let pair = drawn.ok_or_else(|| {
            let key = if least > 1 { "topology.min_hops" } else { "topology.flows" };
            let message = format!(
                "found only {} of {flows} different pairs at least {least} hop(s) apart in \
                 {MOST_DRAWS} draws; ask for fewer flows or hops, or for a larger network",
                pairs.len()
            );
            Fault::new(key, message)
        })?;
        taken.insert(pair);
        pairs.push(pair);
    }
    Ok(pairs)
}

fn explicit(scenario: &Scenario) -> Result<Plan, Fault> {
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
        nodes.push(Node { name: node.name.clone(), x: node.x.value(), y: node.y.value() });
    }
    let find = |key: String, name: &str| {
        index.get(name).copied().ok_or_else(|| {
            let hint = did_you_mean(name, index.keys().copied());
            let hint = if hint.is_empty() && index.len() <= 10 {
                let names: Vec<&str> = index.keys().copied().collect();
                format!("; there are {}", alternatives(&names).replace(" or ", " and "))
            } else {
                hint
            };
            Fault::new(key, format!("unknown node '{name}'{hint}"))
        })
    };
    let mut flows = Vec::new();
    for (i, flow) in scenario.flow.iter().enumerate() {
        let from = find(format!("flow[{i}].from"), &flow.from)?;
        let to = find(format!("flow[{i}].to"), &flow.to)?;
        if from == to {
            let message = format!("the flow goes from '{}' to itself", flow.from);
            return Err(Fault::new(format!("flow[{i}].to"), message));
        }
        flows.push((from, to));
    }
    Ok(Plan { nodes, flows })
}
