//! [[restart]].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::Span;

/// A node restarts: it forgets everything, and what was inside it is lost.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RestartSection {
    /// Name of the node; a topology names its own n0, n1, ...
    pub(crate) node: String,
    /// When it restarts, which takes no time.
    pub(crate) at: Span,
}
