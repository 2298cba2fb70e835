//! What goes into a node.

use multihop_core::{FlowId, Message, Rx, TxDone};
use serde::{Deserialize, Serialize};

/// What a host tells a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// The radio has decoded a frame.
    Heard(Rx),
    /// The MAC has finished with the node's frame.
    TxDone(TxDone),
    /// The application at this node sends data over `flow`.
    Message {
        /// The flow, which must start here.
        flow: FlowId,
        /// The data.
        message: Message,
    },
    /// The application at this node, the destination of `flow`, can or cannot take packets.
    Sink {
        /// The flow, which must end here.
        flow: FlowId,
        /// Whether it takes packets from now on.
        ready: bool,
    },
    /// The time given by [`crate::Node::deadline`] has come.
    Deadline,
}
