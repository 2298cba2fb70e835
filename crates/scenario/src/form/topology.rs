//! [topology] and [[node]].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Coordinate, Length};

/// Where the nodes are.
// the keys are the file's: `topology_seed` beside `seed` would be mistaken without its prefix
#[allow(clippy::struct_field_names)]
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Topology {
    pub(crate) kind: TopologyKind,
    /// Hops from end to end of each chain; an even number for the crosses; for a dumbbell, the
    /// hops that its flows share.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 10)]
    pub(crate) hops: Option<u32>,
    /// Distance between neighbours of a chain, cross, grid, dumbbell or lattice. Default: "200 m".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spacing: Option<Length>,
    /// Number of rows of a grid or lattice; node 0 is the first of the first row.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 9)]
    pub(crate) rows: Option<u32>,
    /// Number of columns of a grid or lattice: of the nodes in each row.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 9)]
    pub(crate) columns: Option<u32>,
    /// Number of flows along rows of a grid, evenly spread, each from the first column to the
    /// last. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 4)]
    pub(crate) horizontal_flows: Option<u32>,
    /// Number of flows along columns of a grid, evenly spread, each from the first row to the
    /// last. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 4)]
    pub(crate) vertical_flows: Option<u32>,
    /// Where the flows of a grid begin and end. Default: "inside".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ends: Option<Ends>,
    /// Number of senders of a star.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 5)]
    pub(crate) senders: Option<u32>,
    /// Distance of a star's senders from the receiver. Default: "50 m".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) radius: Option<Length>,
    /// Number of nodes of a random topology.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2), example = 150)]
    pub(crate) nodes: Option<u32>,
    /// Width of a random topology's area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) width: Option<Length>,
    /// Height of a random topology's area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) height: Option<Length>,
    /// Number of flows between random pairs of nodes, or of the pairs of a dumbbell.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 10)]
    pub(crate) flows: Option<u32>,
    /// Fewest hops between the ends of a random flow. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 3)]
    pub(crate) min_hops: Option<u32>,
    /// How many links of a mobile lattice's source and destination break during the run, which
    /// decides their speed; with 0 they stay. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 20)]
    pub(crate) route_failures: Option<u32>,
    /// Fixes the random positions and pairs. Default: the scenario's seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) topology_seed: Option<u64>,
}

/// The shape of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TopologyKind {
    /// Nodes in a line, one flow from end to end.
    Chain,
    /// Nodes in a line, a flow from each end to the other.
    BidirectionalChain,
    /// Two chains that share their middle node, a flow on each.
    Cross,
    /// Two chains that share their middle node, a flow in each direction on each.
    BidirectionalCross,
    /// Nodes in rows and columns, flows along evenly spread rows and columns.
    Grid,
    /// Senders evenly on a circle round one receiver, a flow from each.
    Star,
    /// Sources in a cluster at one end of a chain that all flows share, destinations in one at
    /// the other end.
    Dumbbell,
    /// Nodes in rows and columns that stay, and a source and a destination that move up and down
    /// beside them.
    MobileLattice,
    /// Nodes at random places, flows between random pairs.
    Random,
    /// The nodes and flows of [[node]] and [[flow]].
    Explicit,
    /// The nodes of an ns-2 movement file, which [mobility] names, and the flows of [[flow]].
    Movements,
}

/// Where the flows of a grid begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ends {
    /// At the first and the last node of their row or column.
    Inside,
    /// At nodes of their own, one spacing before the first and behind the last: the grid only
    /// passes on.
    Outside,
}

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
