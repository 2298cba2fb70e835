//! The MAC service as plain values. No protocol calls a MAC, and no MAC knows a protocol.

use serde::{Deserialize, Serialize};

use crate::{Duration, NodeId, Packet, Rate, SignalStrength};

/// Whom a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Receiver {
    /// One neighbour.
    Node(NodeId),
    /// These two neighbours, which acknowledge it one after the other
    /// ([`crate::Capability::TwoReceivers`]).
    Pair([NodeId; 2]),
    /// Everyone in reach.
    Broadcast,
}

/// How this node came to decode a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Heard {
    /// It was addressed to this node, or to it and another one.
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
    /// At which rate its data was sent.
    pub rate: Rate,
    /// How strong it was here, where the MAC knows.
    pub signal: Option<SignalStrength>,
    /// How long it was on the air.
    pub air_time: Duration,
    /// What it carried.
    pub packet: Packet,
}

/// Which of the frames of a node that a MAC has at a time, by the number that its owner has given it. A MAC that holds
/// one frame has no other, and heeds no number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FrameId(pub u16);

impl FrameId {
    /// The frame of a hop protocol that has one at a time.
    pub const ONLY: FrameId = FrameId(0);
    /// The frames of the node itself, for routing and the link layer, which it never takes back.
    pub const NODE: FrameId = FrameId(u16::MAX);

    /// Whether it is [`FrameId::ONLY`], which a recording leaves out.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_only(&self) -> bool {
        *self == FrameId::ONLY
    }
}

/// A frame that a node wants to transmit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TxRequest {
    /// Which of the owner's frames it is.
    #[serde(default, skip_serializing_if = "FrameId::is_only")]
    pub id: FrameId,
    /// Whom it is for.
    pub to: Receiver,
    /// At which rate to send it, if not at the MAC's own.
    pub rate: Option<Rate>,
    /// How to contend for the medium, if not in the MAC's own way.
    pub contention: Option<ContentionClass>,
    /// What it carries.
    pub packet: Packet,
}

impl TxRequest {
    /// `packet` goes to `to`, at the MAC's rate and in its way. Whether the receiver acknowledges it
    /// is the MAC's affair.
    pub const fn new(to: Receiver, packet: Packet) -> Self {
        TxRequest { id: FrameId::ONLY, to, rate: None, contention: None, packet }
    }

    /// It has ended at once, and was on the air (or on a wire) once at `rate`: the report of a MAC
    /// that keeps nobody waiting.
    pub fn done(self, outcome: Outcome, rate: Rate) -> TxDone {
        let TxRequest { id, to, packet, .. } = self;
        let (service, air_time) = (Duration::ZERO, Duration::ZERO);
        let (attempts, retries, batch) = (1, 0, 1);
        TxDone { id, to, outcome, service, attempts, retries, rate, air_time, batch, packet }
    }
}

/// How a frame contends for the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentionClass {
    /// The smallest contention window in slots, at least one: the backoff of a first attempt is
    /// drawn from it. The MAC's largest window bounds it.
    pub cw_min: u32,
    /// So many slots go before those that are drawn ([`crate::Capability::FirstSlot`]), as the longer
    /// interframe space of a class in IEEE 802.11e does, or the later window of a relay in a flood. The MAC's
    /// largest window bounds them, too.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first: u32,
    /// After how many attempts without an answer the MAC gives up, if not after its own short or long
    /// retry limit; at least one.
    pub attempts: Option<u32>,
}

impl ContentionClass {
    /// Backoffs are drawn from a window of its own; all else is the MAC's way.
    pub const fn window(cw_min: u32) -> Self {
        ContentionClass { cw_min, first: 0, attempts: None }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_zero(slots: &u32) -> bool {
    *slots == 0
}

/// How a transmission ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was on the air; no acknowledgment was asked for.
    Sent,
    /// The receiver acknowledged it; if there are two, both.
    Acknowledged,
    /// Of two receivers, only the first acknowledged it. The MAC does not try again.
    FirstAcknowledged,
    /// Of two receivers, only the second acknowledged it, likewise.
    SecondAcknowledged,
    /// The MAC gave up after its retries; of two receivers, none has acknowledged it.
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
            Outcome::FirstAcknowledged => "first_acknowledged",
            Outcome::SecondAcknowledged => "second_acknowledged",
            Outcome::Failed => "failed",
            Outcome::Withdrawn => "withdrawn",
        }
    }
}

/// The MAC has finished with the node's frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TxDone {
    /// Which of the owner's frames it was. A MAC that holds one at a time need not say it.
    #[serde(default, skip_serializing_if = "FrameId::is_only")]
    pub id: FrameId,
    /// Whom the frame was for.
    pub to: Receiver,
    /// How it ended.
    pub outcome: Outcome,
    /// From its hand-over to the MAC until now.
    pub service: Duration,
    /// How often the MAC put a frame on the air for it; an RTS is one, too.
    pub attempts: u32,
    /// How often it had to try again, for want of an answer.
    pub retries: u32,
    /// At which rate its data was to be sent.
    pub rate: Rate,
    /// How long this radio transmitted for it: of a batch, its share.
    pub air_time: Duration,
    /// How many packets shared the exchange that ended it, at least one. Each took a share
    /// of the medium ([`TxDone::service_share`]).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub batch: u32,
    /// The packet comes back to its owner.
    pub packet: Packet,
}

impl TxDone {
    /// What of the exchange's time is this packet's: all, or of a batch its share.
    pub fn service_share(&self) -> Duration {
        Duration::from_nanos(self.service.nanos() / u64::from(self.batch.max(1)))
    }
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_one(batch: &u32) -> bool {
    *batch == 1
}
