//! [[node]].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::Coordinate;

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
}
