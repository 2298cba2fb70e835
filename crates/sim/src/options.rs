//! What a caller wants of a run.

use multihop_core::NodeId;

/// What to keep of a run beyond its statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Write the event trace.
    pub trace: bool,
    /// Record what goes into this node; see [`multihop_compose::record`].
    pub record: Option<NodeId>,
    /// What reaches a node.
    pub packets: Packets,
}

/// In which form packets reach a node. The results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packets {
    /// As the neighbour has handed them over.
    #[default]
    Whole,
    /// As bytes, read anew at every reception: nothing passes that is not in the headers.
    Bytes,
}
