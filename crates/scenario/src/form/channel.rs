//! [[channel]].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A channel beside the common one. Its nodes have a second radio there, like the first, and send to each other over it.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChannelSection {
    /// Names of the nodes that are on it, two at least; a topology names its own n0, n1, ...
    pub(crate) nodes: Vec<String>,
}
