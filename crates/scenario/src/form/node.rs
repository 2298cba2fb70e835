//! [[node]].

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ParamValue;
use crate::quantity::{Coordinate, Gain, Length, Power, Signal};

/// A node of an explicit topology.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NodeSection {
    /// Its name.
    pub(crate) name: String,
    /// Its IPv4 address on the air, in 10.0.0.0/8. Default: 10.0.0.0 + the node's number, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    /// Its position. Default: none; only where `[[link]]` lists all that is heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) x: Option<Coordinate>,
    /// Its position. Default: none; only where `[[link]]` lists all that is heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) y: Option<Coordinate>,
    /// Its role, which [roles] describes. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<String>,
    /// Its transmission power. Default: that of its role, or of [radio].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transmit_power: Option<Power>,
    /// The gain of its antenna, both ways. Default: that of its role, or "0 dBi".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) antenna_gain: Option<Gain>,
    /// The height of its antenna above ground. Default: that of its role, or of [radio].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) antenna_height: Option<Length>,
    /// Power from which it senses frames. Default: that of its role, or of [radio].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sense_threshold: Option<Signal>,
    /// Parameters of the scheme that have other values here than in [scheme], or in its role. With `name`, it has that
    /// scheme, and parameters of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub(crate) scheme: BTreeMap<String, ParamValue>,
}
