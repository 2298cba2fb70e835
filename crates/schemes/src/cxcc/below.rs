//! CXCC 6: "there exists no interface queue between CXCC and the MAC".
//!
//! The paper's MAC asks for a frame at the moment at which it may be sent, so that no frame is
//! sent that has become needless while it waited. Here one frame may wait for its air time, and
//! is withdrawn in that case, or if an answer wants to go first. What differs is the choice among
//! several queues (ADR 0008): it is made when the MAC becomes free, not when the backoff ends, so
//! a packet that arrives in between waits for the next turn.

use multihop_core::{Cx, FlowId, FrameId, NodeId};

use super::header::{Header, Kind};

/// The frame that waits for its air time, or is on the air.
#[derive(Clone, Debug)]
pub(super) struct Below {
    pub(super) flow: FlowId,
    pub(super) header: Header,
    pub(super) to: NodeId,
    pub(super) attempt: Attempt,
    pub(super) withdrawal: Withdrawal,
}

/// Whether the packet has been on the air before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    First,
    Repeated,
}

/// Whether the MAC was asked to give the frame back, and why. The frame may be on the air
/// already; then the MAC reports it as sent all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Withdrawal {
    /// Not asked for.
    None,
    /// An answer has to go first; the frame will be wanted again.
    Yielding,
    /// There is no point in sending it any more.
    Needless,
}

impl Below {
    pub(super) fn new(flow: FlowId, header: Header, to: NodeId, attempt: Attempt) -> Self {
        Below { flow, header, to, attempt, withdrawal: Withdrawal::None }
    }

    /// Whether it transports, or asks about, this packet.
    pub(super) fn is_packet(&self, flow: FlowId, sequence: u32) -> bool {
        !self.is_answer() && self.flow == flow && self.header.sequence == sequence
    }

    /// Whether it is an answer: an ACK or a NACK.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self.header.kind, Kind::Ack | Kind::Nack)
    }

    /// Whether it is an answer to the neighbour `to` about `flow`.
    pub(super) fn is_answer_to(&self, flow: FlowId, to: NodeId) -> bool {
        self.is_answer() && self.flow == flow && self.to == to
    }

    /// The frame has become needless.
    pub(super) fn make_needless(&mut self, cx: &mut Cx) {
        if self.withdrawal == Withdrawal::None {
            cx.withdraw(FrameId::ONLY);
        }
        self.withdrawal = Withdrawal::Needless;
    }

    /// An answer wants to go first.
    pub(super) fn make_yield(&mut self, cx: &mut Cx) {
        if self.withdrawal == Withdrawal::None {
            cx.withdraw(FrameId::ONLY);
            self.withdrawal = Withdrawal::Yielding;
        }
    }
}
