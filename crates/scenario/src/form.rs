//! The form of a scenario file: its sections, its keys, and the types of their values.
//!
//! The comments of the fields are the descriptions in the published JSON Schema. Every section is
//! flat, with a `kind` where there are several, so that an error can point at one key.

mod channel;
mod flow;
mod link;
mod mobility;
mod node;
mod part;
mod policy;
mod restart;
mod role;
mod value;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use channel::ChannelSection;
pub(crate) use flow::{Ends, FlowSection};
pub(crate) use link::LinkSection;
pub(crate) use mobility::MoveSection;
pub(crate) use node::NodeSection;
pub(crate) use part::{
    InScheme, MacPart, MobilityPart, Part, RadioPart, RoutingPart, SchemePart, Section,
    TopologyPart, TrafficPart, WiredPart,
};
pub(crate) use policy::PolicySection;
pub(crate) use restart::RestartSection;
pub(crate) use role::RoleSection;
pub(crate) use value::{FileText, MadeFor, ParamValue, RateTable};

use crate::bounds::LARGEST_SEED;
use crate::quantity::Span;

/// A scenario of multihop: a wireless (or wired) multihop network, the scheme under test, and the
/// traffic. Quantities are text with a unit, as in "200 m" or "1 Mbit/s".
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Name in tables and messages. Default: the kind of topology.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Fixes every random number of the run. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = LARGEST_SEED))]
    pub(crate) seed: Option<u64>,
    /// Whose MAC, channel and clock the run has. Default: "multihop".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) simulator: Option<SimulatorKind>,
    /// Time before measuring begins. Default: "10 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) warmup: Option<Span>,
    /// Measured time after the warm-up. Default: "60 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) duration: Option<Span>,
    /// Time resolution of the series table. Default: "1 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) series_interval: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) measure: Option<MeasureSection>,
    pub(crate) topology: TopologyPart,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mobility: Option<MobilityPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) radio: Option<RadioPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mac: Option<MacPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wired: Option<WiredPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) routing: Option<RoutingPart>,
    pub(crate) scheme: SchemePart,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) traffic: Option<TrafficPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<PolicySection>,
    /// What some nodes have in common, and in what they differ from the others, by the name of the role.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) roles: BTreeMap<String, RoleSection>,
    /// The nodes of an explicit topology, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) node: Vec<NodeSection>,
    /// How strongly nodes of any topology hear each other, where that is known; in any order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) link: Vec<LinkSection>,
    /// Channels beside the common one, and who is on them; in any order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) channel: Vec<ChannelSection>,
    /// Where nodes of any topology go, and when; in any order. A node that is named here does not
    /// follow [mobility].
    #[serde(default, rename = "move", skip_serializing_if = "Vec::is_empty")]
    pub(crate) moves: Vec<MoveSection>,
    /// The flows of an explicit topology, in order; beside another topology, flows in addition to
    /// those that it makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) flow: Vec<FlowSection>,
    /// Which nodes restart, and when; in any order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) restart: Vec<RestartSection>,
    /// The TOML text, to find the line of a mistake.
    #[serde(skip)]
    pub(crate) text: Option<String>,
}

/// What carries out a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SimulatorKind {
    /// This project's engine.
    Multihop,
    /// ns-3, with its 802.11b (`make ns3`).
    Ns3,
}

/// What is measured beyond what always is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeasureSection {
    /// For every node, how many of those that sense it, itself included, have a packet to send
    /// (LECN 3.1). Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) congestion_potential: Option<bool>,
}

impl Scenario {
    /// The scenario as JSON: what was given and nothing else, so that a program can change it and
    /// read it again with [`crate::from_json`].
    ///
    /// # Panics
    /// Never: every value of a scenario has a form in JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("keys are text and numbers are finite")
    }
}
