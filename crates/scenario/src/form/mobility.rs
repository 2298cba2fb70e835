//! [mobility] and [[move]].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::LARGEST_SEED;
use crate::quantity::{Coordinate, Span, Speed};

/// How the nodes move. Fixed routes are those of the start: with movement, AODV is what one wants.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MobilitySection {
    pub(crate) kind: MobilityKind,
    /// Least speed on a way; above zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "1 m/s")]
    pub(crate) min_speed: Option<Speed>,
    /// Greatest speed on a way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "20 m/s")]
    pub(crate) max_speed: Option<Speed>,
    /// Shortest pause between two ways. Default: "0 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_pause: Option<Span>,
    /// Longest pause between two ways. Default: that of `min_pause`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_pause: Option<Span>,
    /// Fixes the random ways. Default: the scenario's seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = LARGEST_SEED))]
    pub(crate) mobility_seed: Option<u64>,
    /// The movement file, relative to the scenario file; kind "ns2" only. Its text is then kept in
    /// `movements`, so that the scenario says everything itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "movements.txt")]
    pub(crate) file: Option<String>,
    /// The text of a movement file, instead of `file`. Default: the text of `file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "$node_(0) set X_ 1.5 ...")]
    pub(crate) movements: Option<String>,
    /// Where `movements` has been read from, for messages.
    #[serde(skip)]
    pub(crate) read_from: Option<String>,
}

/// A model of movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MobilityKind {
    /// Every node pauses, goes to a random place at a random speed, pauses, and so on; each is
    /// drawn uniformly.
    RandomWaypoint,
    /// An ns-2 movement file, as its tool setdest writes it.
    Ns2,
}

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
