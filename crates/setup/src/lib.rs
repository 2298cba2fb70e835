//! A run as plain data: numbers in base units, every position and every flow explicit. This is all that a
//! simulator needs to know. `multihop-scenario` makes it of a scenario's text.

mod cells;
mod file;
mod fitting;
mod headers;
mod identity;
mod links;
mod mac;
mod propagation;
mod steer;
mod track;
mod traffic;

pub use cells::Cells;
pub use file::{Found, NamedFile};
pub use fitting::{Fitting, MOST_FITTINGS, Radios};
pub use headers::headers;
pub use links::{Link, Links, Unlisted};
pub use mac::{Floors, Hearing, Mac, Refusal};
pub use multihop_core::CarriedBy;
pub use propagation::{LEAST_DISTANCE, PathLoss, Propagation, PropagationModel, SPEED_OF_LIGHT};
pub use steer::{MakeEnd, SchemeParts, Steer, Steered};
pub use track::{Leg, Track};
pub use traffic::{
    Bulk, Cbr, CheckFlows, Ends, Messages, Pattern, Poisson, Sender, Stock, TRAFFICS, Terms,
    Traffic, TrafficKind, any_flows, no_stock,
};

use std::borrow::Cow;

use multihop_core::{
    AddressTable, CommonList, Duration, FlowId, LinkTiming, NodeId, Params, Scheme, Time, Values,
};
use multihop_routing::{RoutingProtocol, Weights};

/// A checked scenario.
#[derive(Clone)]
pub struct Setup {
    /// The scenario's name.
    pub name: String,
    /// Fixes every random number of the run.
    pub seed: u64,
    /// Whose MAC, channel and clock the run has.
    pub simulator: Simulator,
    /// Measuring begins here.
    pub warmup: Time,
    /// Measuring, and the run, end here.
    pub end: Time,
    /// Time resolution of the series table.
    pub series_interval: Duration,
    /// Whether to measure the congestion potential of every node (LECN 3.1).
    pub measure_congestion: bool,
    /// The nodes; a node's index is its `NodeId`.
    pub nodes: Vec<Node>,
    /// The addresses of the nodes on the air. All else here names them by their numbers.
    pub addresses: AddressTable,
    /// What carries the frames.
    pub medium: Carried,
    /// How packets find their way.
    pub routing: Routing,
    /// How nodes learn the MAC addresses of their neighbours.
    pub arp: Arp,
    /// The scheme under test.
    pub scheme: &'static Scheme,
    /// Its parameters.
    pub params: Params,
    /// The traffic sources; a source's index is its `Tag::source`.
    pub sources: Vec<Source>,
    /// The nodes of each group, in ascending order; [`NodeId::group`] of its number is its address.
    pub groups: Vec<Vec<NodeId>>,
    /// Channels beside the common one: the nodes that have a second radio there, in ascending order. No pair of nodes is on
    /// two of them.
    pub channels: Vec<Vec<NodeId>>,
    /// Which nodes restart, in the order of time.
    pub restarts: Vec<Restart>,
    /// Nodes that somebody controls.
    pub steered: Steered,
}

impl Setup {
    /// The addresses of the groups to which node `number` belongs.
    pub fn groups_of(&self, number: NodeId) -> Vec<NodeId> {
        let numbered = (0..).map(NodeId::group).zip(&self.groups);
        numbered
            .filter(|(_, nodes)| nodes.binary_search(&number).is_ok())
            .map(|(address, _)| address)
            .collect()
    }

    /// The nodes, other than its source, that a packet of `flow` is for.
    pub fn addressed(&self, flow: FlowId) -> Vec<NodeId> {
        let mut nodes = nodes_of(&self.nodes, &self.groups, flow.destination);
        nodes.retain(|node| *node != flow.source);
        nodes
    }

    /// The name of node, group or everyone `number` in tables and messages.
    pub fn called(&self, number: NodeId) -> Cow<'_, str> {
        called(&self.nodes, &self.groups, number)
    }
}

/// A node alone, the nodes of a group, or all nodes.
fn nodes_of(nodes: &[Node], groups: &[Vec<NodeId>], number: NodeId) -> Vec<NodeId> {
    if number == NodeId::BROADCAST {
        return (0..nodes.len() as u32).map(NodeId).collect();
    }
    let group = (0..).map(NodeId::group).zip(groups).find(|(address, _)| *address == number);
    group.map_or_else(|| vec![number], |(_, nodes)| nodes.clone())
}

/// The name of a node, group or everyone among these nodes and groups: "a", "a, b" or "everyone".
pub fn called<'n>(nodes: &'n [Node], groups: &[Vec<NodeId>], number: NodeId) -> Cow<'n, str> {
    if let Some(node) = nodes.get(number.index()) {
        return Cow::Borrowed(&node.name);
    }
    if number == NodeId::BROADCAST {
        return Cow::Borrowed(EVERYONE);
    }
    let all = nodes_of(nodes, groups, number);
    let names: Vec<&str> = all.iter().map(|node| nodes[node.index()].name.as_str()).collect();
    Cow::Owned(names.join(", "))
}

/// The destination in scenario files and tables of packets that are for all nodes.
pub const EVERYONE: &str = "everyone";

/// What carries out a run. Each simulator runs whatever it is given; who asks for the run gives it to the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simulator {
    /// This project's engine.
    Multihop,
    /// ns-3.
    Ns3,
}

/// A node forgets everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// Which node.
    pub node: NodeId,
    /// When.
    pub at: Time,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name in tables and messages.
    pub name: String,
    /// Position in metres at the start of the run.
    pub x: f64,
    /// Position in metres at the start of the run.
    pub y: f64,
    /// How it moves.
    pub track: Track,
    /// In what it differs from the others.
    pub own: Own,
}

impl Node {
    /// A node that stays where it is, and is like all others.
    pub fn at(name: impl Into<String>, (x, y): (f64, f64)) -> Self {
        Node { name: name.into(), x, y, track: Track::default(), own: Own::default() }
    }
}

/// In what a node differs from the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Own {
    /// Its role, if it has one.
    pub role: Option<String>,
    /// What its radio has, if not what `[radio]` says.
    pub fitting: Option<Fitting>,
    /// Its scheme, if not the one under test.
    pub scheme: Option<&'static Scheme>,
    /// The parameters of its scheme, if not those of the scheme under test.
    pub params: Option<Params>,
}

impl Setup {
    /// The scheme of this node.
    pub fn scheme_of(&self, node: NodeId) -> &'static Scheme {
        self.nodes.get(node.index()).and_then(|node| node.own.scheme).unwrap_or(self.scheme)
    }

    /// The scheme under test, and those of nodes that have another, each once.
    pub fn schemes(&self) -> Vec<&'static Scheme> {
        let mut schemes = vec![self.scheme];
        for scheme in self.nodes.iter().filter_map(|node| node.own.scheme) {
            if !schemes.contains(&scheme) {
                schemes.push(scheme);
            }
        }
        schemes
    }

    /// All nodes have this list in common.
    pub fn share(&mut self, list: &CommonList) {
        let own = self.nodes.iter_mut().filter_map(|node| node.own.params.as_mut());
        for params in own.chain([&mut self.params]) {
            params.common = Some(list.clone());
        }
    }

    /// The parameters of the scheme at this node.
    pub fn params_of(&self, node: NodeId) -> &Params {
        self.nodes
            .get(node.index())
            .and_then(|node| node.own.params.as_ref())
            .unwrap_or(&self.params)
    }
}

/// How packets find their way.
#[derive(Clone)]
pub struct Routing {
    /// The routing protocol.
    pub protocol: &'static RoutingProtocol,
    /// The values of its parameters.
    pub values: Values,
    /// What hops cost, where somebody sets that during the run; the protocol has known routes then.
    pub weights: Option<Weights>,
}

/// How nodes learn the MAC addresses of their neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arp {
    /// They know them.
    Off,
    /// They ask, with the rules of ns-2.
    Ns2,
}

/// What carries the frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// The MAC of every node.
    pub mac: &'static Mac,
    /// The values of its parameters.
    pub values: Values,
    /// What its frames go over.
    pub channel: Channel,
}

/// What frames go over.
#[derive(Clone, Debug, PartialEq)]
pub enum Channel {
    /// One radio channel that all nodes share.
    Radio(Radio),
    /// Links between neighbours.
    Links {
        /// Nodes at most this far apart, in m, are linked.
        neighbour_range: f64,
    },
}

impl Carried {
    /// The radio of every node, if they have one.
    pub const fn radio(&self) -> Option<&Radio> {
        match &self.channel {
            Channel::Radio(radio) => Some(radio),
            Channel::Links { .. } => None,
        }
    }

    /// Nodes at most this far apart, in m, are neighbours.
    pub const fn neighbour_range(&self) -> f64 {
        match &self.channel {
            Channel::Radio(radio) => radio.neighbour_range,
            Channel::Links { neighbour_range } => *neighbour_range,
        }
    }

    /// How long packets take over a hop, and what they need there. What the modulation needs counts where receivers decide
    /// by its bit errors.
    pub fn hop(&self) -> LinkTiming {
        let hop = (self.mac.hop)(&self.values);
        let by_errors = |radio: &Radio| matches!(radio.interference, Interference::Ofdm(_));
        let needed_ratio = hop.needed_ratio.filter(|_| self.radio().is_some_and(by_errors));
        LinkTiming { needed_ratio, ..hop }
    }
}

/// The radio of every node.
#[derive(Clone, Debug, PartialEq)]
pub struct Radio {
    /// How power falls with distance.
    pub propagation: Propagation,
    /// Transmission power in W.
    pub transmit_power: f64,
    /// Carrier frequency in Hz.
    pub frequency: f64,
    /// Antenna height above ground in m.
    pub antenna_height: f64,
    /// Power in W from which a frame can be decoded.
    pub receive_threshold: f64,
    /// Power in W from which a frame is sensed; below it, it does not exist.
    pub sense_threshold: f64,
    /// How many times stronger the frame being received must be than a newcomer to survive it.
    pub capture_ratio: f64,
    /// What a weaker frame does to the one being received.
    pub interference: Interference,
    /// Which frame a receiver stays with.
    pub reception: Reception,
    /// Probability that a bit of a decodable frame is wrong.
    pub bit_error_rate: f64,
    /// Nodes at most this far apart, in m, are neighbours for routing.
    pub neighbour_range: f64,
    /// Who hears whom whatever the distance.
    pub links: Links,
}

impl Radio {
    /// Power in W from which a signal carries data to a neighbour, unless it is disturbed.
    pub const fn carrying_power(&self) -> f64 {
        match self.interference {
            Interference::Ofdm(ofdm) => ofdm.carries,
            Interference::Ratio | Interference::Dsss => self.receive_threshold,
        }
    }
}

/// Which frame a receiver stays with when frames overlap: a named set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// ns-2's rules: with the first that it senses.
    Ns2,
    /// ns-2's rules, but a later frame that is stronger by the capture ratio takes over.
    MessageInMessage,
    /// With the first that it can decode, as ns-3's: what is too weak for that is noise.
    FirstDecodable,
}

/// What a frame does to another one that is being received.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interference {
    /// Nothing if it is weaker by the capture ratio, else it destroys it.
    Ratio,
    /// Bit errors of 802.11b, by the rate of the one and the strength of both, as in ns-3.
    Dsss,
    /// Bit errors of OFDM, by the mode of the one, the strength of all, and noise.
    Ofdm(Ofdm),
}

/// A receiver of OFDM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ofdm {
    /// Power of the receiver's noise in W.
    pub noise: f64,
    /// How often bits are wrong.
    pub errors: ErrorModel,
    /// How much better the receiver is than the error model, in dB.
    pub margin: f64,
    /// Power in W from which a signal carries data to a neighbour.
    pub carries: f64,
}

/// How often bits of OFDM are wrong at a ratio of signal to interference and noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorModel {
    /// By the formula that NIST has published.
    Nist,
    /// By that formula, shifted for each mode to where simulations of links are that ns-3 has in a table.
    Table,
}

/// What waits at a source until its transport takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceQueue {
    /// What the transport keeps itself.
    Transport,
    /// One message, the newest.
    Latest,
}

/// A traffic source.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Its name in tables and messages.
    pub name: String,
    /// From where to where.
    pub flow: FlowId,
    /// The nodes on its way, both ends included, where routes are fixed; the shortest way if there
    /// are none.
    pub way: Vec<NodeId>,
    /// What it sends.
    pub traffic: Traffic,
    /// What carries it end to end.
    pub carried_by: CarriedBy,
    /// What waits before that takes it.
    pub queue: SourceQueue,
    /// It starts between here ...
    pub start: Time,
    /// ... and this much later, uniformly.
    pub start_jitter: Duration,
    /// How long before its start the first of the single packets goes out that make its route known:
    /// at most `start`. `None` if there are none.
    pub lead: Option<Duration>,
    /// It stops here.
    pub stop: Time,
}

/// How many single packets make the route of a source known, and how far apart they are.
pub const LEAD: (u32, Duration) = (3, Duration::from_millis(500));

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
