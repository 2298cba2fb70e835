//! What goes into a node.

use multihop_core::{AirTime, CarriedBy, FlowId, Message, Rx, TxDone};
use serde::{Deserialize, Serialize};

/// What a host tells a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Input {
    /// The radio has decoded a frame.
    Heard(Rx),
    /// The MAC has finished with the node's frame.
    TxDone(TxDone),
    /// The application at this node opens its end of `flow`.
    Open {
        /// The flow, which must start or end here; of another one the node takes no notice. A flow whose
        /// end is here already stays as it is.
        flow: FlowId,
        /// What carries it.
        carried_by: CarriedBy,
    },
    /// The application at this node closes its end of `flow`. What waits there is given up; what is on
    /// its way goes on, and when more arrives, that is a first packet again.
    Close {
        /// The flow.
        flow: FlowId,
    },
    /// The application at this node sends data over `flow`.
    Message {
        /// The flow, which must start here and be open.
        flow: FlowId,
        /// The data.
        message: Message,
    },
    /// The application at this node, the destination of `flow`, can or cannot take packets.
    Sink {
        /// The flow, which must end here, and must be open or have begun.
        flow: FlowId,
        /// Whether it takes packets from now on.
        ready: bool,
    },
    /// What the radio has done with its time until now, for a node that
    /// [asks](crate::Node::watches_air): before each of the others.
    Air(AirTime),
    /// The time given by [`crate::Node::deadline`] has come.
    Deadline,
}
