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
    /// Its position.
    pub(crate) x: Coordinate,
    /// Its position.
    pub(crate) y: Coordinate,
}
