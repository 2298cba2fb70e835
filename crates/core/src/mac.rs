//! The MAC service as plain values. No protocol calls a MAC, and no MAC knows a protocol.

use serde::{Deserialize, Serialize};

use crate::{Duration, NodeId, Packet};

/// Whom a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Receiver {
    /// One neighbour.
    Node(NodeId),
    /// Everyone in reach.
    Broadcast,
}

/// How this node came to decode a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Heard {
    /// It was addressed to this node.
    ForMe,
    /// It was addressed to another node.
    Overheard,
    /// It was addressed to everyone.
    Broadcast,
}

/// A frame that the radio has decoded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rx {
    /// Who transmitted it.
    pub from: NodeId,
    /// How it was heard.
    pub heard: Heard,
    /// How long it was on the air.
    pub air_time: Duration,
    /// What it carried.
    pub packet: Packet,
}

/// A frame that a node wants to transmit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TxRequest {
    /// Whom it is for.
    pub to: Receiver,
    /// Whether the MAC shall ask for a link acknowledgment and repeat the frame without one.
    pub acknowledged: bool,
    /// What it carries.
    pub packet: Packet,
}

/// How a transmission ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was on the air; no acknowledgment was asked for.
    Sent,
    /// The receiver acknowledged it.
    Acknowledged,
    /// The MAC gave up after its retries.
    Failed,
    /// The node withdrew it before it was on the air.
    Withdrawn,
}

impl Outcome {
    /// Its name in tables and traces.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Sent => "sent",
            Outcome::Acknowledged => "acknowledged",
            Outcome::Failed => "failed",
            Outcome::Withdrawn => "withdrawn",
        }
    }
}

/// The MAC has finished with the node's frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TxDone {
    /// Whom the frame was for.
    pub to: Receiver,
    /// How it ended.
    pub outcome: Outcome,
    /// How often the MAC had to try again.
    pub retries: u32,
    /// How long this radio transmitted for it.
    pub air_time: Duration,
    /// The packet comes back to its owner.
    pub packet: Packet,
}
