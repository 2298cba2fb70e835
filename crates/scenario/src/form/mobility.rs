//! [[move]].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Coordinate, Span, Speed};

/// A way-point: from `at` on, the node goes straight to `x`, `y`, wherever it is then. A later one
/// takes over where the node is at its time.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveSection {
    /// Name of the node; a topology names its own n0, n1, ...
    pub(crate) node: String,
    /// When it sets out.
    pub(crate) at: Span,
    /// Where it goes.
    pub(crate) x: Coordinate,
    /// Where it goes.
    pub(crate) y: Coordinate,
    /// How fast it goes; at "0 m/s" it stops where it is.
    pub(crate) speed: Speed,
}
