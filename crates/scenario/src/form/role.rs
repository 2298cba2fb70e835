//! [roles]: what nodes have in common that differ from the others.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ParamValue;
use crate::quantity::{Gain, Length, Power, Share, Signal};

/// A role: which nodes have it, and in what they differ from the others. A node has at most one.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoleSection {
    /// Names of the nodes that have it; a topology names its own n0, n1, ... Nodes of [[node]] may say so themselves.
    /// Default: those that `share` draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<Vec<String>>,
    /// This share of all nodes has it, rounded to whole nodes, besides those that are named: drawn by the scenario's
    /// seed from the nodes without a role. Default: "0 %".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) share: Option<Share>,
    /// Their transmission power. Default: that of [radio].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transmit_power: Option<Power>,
    /// The gain of their antennas, both ways. Default: "0 dBi".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) antenna_gain: Option<Gain>,
    /// The height of their antennas above ground. Default: that of [radio].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) antenna_height: Option<Length>,
    /// Power from which they sense frames. Default: that of [radio].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sense_threshold: Option<Signal>,
    /// Parameters of the scheme that have other values at these nodes than in [scheme]. With `name`, these nodes have
    /// that scheme, and parameters of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub(crate) scheme: BTreeMap<String, ParamValue>,
}
