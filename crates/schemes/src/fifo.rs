//! The drop-tail interface queue of the 802.11 stack.

use std::collections::VecDeque;

use multihop_core::{
    Bytes, Count, Cx, DropCause, Failed, FlowId, FrameClass, Heard, Hop, NodeId, Outcome, Packet,
    Params, Protocol, Receiver, Rx, TxDone, TxRequest, Verdict,
};

/// The parameter that every scheme with this queue has.
pub const QUEUE_LIMIT: Count = Count {
    name: "queue_limit",
    about: "Packets that wait in the interface queue, besides the one in the MAC. The default is \
            what ns-2's DropTail with limit_ 50 holds.",
    unit: "packets",
    default: 49,
    min: 1,
    max: 1_000_000,
};

/// One queue for all flows: first in, first out, and a packet that finds it full is lost. With every
/// packet waits a note about it, if somebody makes notes.
pub struct Fifo<N = ()> {
    waiting: VecDeque<Waiting<N>>,
    limit: usize,
    below: Below,
}

struct Waiting<N> {
    packet: Packet,
    to: Receiver,
    note: N,
}

/// Whether the MAC has a packet of this queue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    Frame,
}

impl Fifo {
    /// A queue with the limit given by [`QUEUE_LIMIT`].
    pub fn new(params: &Params) -> Self {
        Self::with_notes(params)
    }
}

impl<N> Fifo<N> {
    /// The same with notes.
    pub(crate) fn with_notes(params: &Params) -> Self {
        Fifo {
            waiting: VecDeque::new(),
            limit: params.get(QUEUE_LIMIT) as usize,
            below: Below::Nothing,
        }
    }

    /// How many packets wait, and how long they are together.
    pub(crate) fn waiting(&self) -> (usize, Bytes) {
        let bytes = self.waiting.iter().map(|waiting| waiting.packet.len().0).sum();
        (self.waiting.len(), Bytes(bytes))
    }

    /// The packet for the MAC, which is free, and its note.
    pub(crate) fn take(&mut self) -> Option<(TxRequest, N)> {
        if self.below == Below::Frame {
            return None;
        }
        let Waiting { packet, to, note } = self.waiting.pop_front()?;
        self.below = Below::Frame;
        Some((TxRequest::new(to, packet), note))
    }

    /// `packet` is to wait for its turn to go to `to`.
    pub(crate) fn push(&mut self, cx: &mut Cx, packet: Packet, to: Receiver, note: N) {
        if self.waiting.len() < self.limit {
            self.waiting.push_back(Waiting { packet, to, note });
        } else {
            cx.drop(packet, DropCause::QueueFull);
        }
    }
}

impl<N: Default + Send> Hop for Fifo<N> {
    fn has_room(&self, _flow: FlowId) -> bool {
        self.waiting.len() < self.limit
    }

    fn promiscuous(&self) -> bool {
        false
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.push(cx, packet, Receiver::Node(next), N::default());
    }

    fn on_link_packet(&mut self, cx: &mut Cx, request: TxRequest) -> Option<TxRequest> {
        self.push(cx, request.packet, request.to, N::default());
        None
    }

    fn on_heard(&mut self, _cx: &mut Cx, rx: &Rx) -> Verdict {
        match rx.heard {
            Heard::ForMe => Verdict::Accept,
            Heard::Overheard | Heard::Broadcast => Verdict::Done,
        }
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        if self.below == Below::Nothing {
            return None;
        }
        self.below = Below::Nothing;
        match (done.outcome, done.to) {
            (Outcome::Sent | Outcome::Acknowledged, _) => cx.release(&done.packet),
            (Outcome::Withdrawn, to @ Receiver::Node(_)) => {
                let note = N::default();
                self.waiting.push_front(Waiting { packet: done.packet.clone(), to, note });
            }
            // It sends nothing to two.
            (
                Outcome::Failed
                | Outcome::FirstAcknowledged
                | Outcome::SecondAcknowledged
                | Outcome::Withdrawn,
                _,
            ) => return Some(Failed::GivenUp(done.packet.clone())),
        }
        None
    }

    fn on_neighbour_lost(&mut self, _cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        let (lost, kept): (VecDeque<_>, _) = self.waiting.drain(..).partition(|waiting| {
            waiting.to == Receiver::Node(next) && waiting.packet.protocol() == Protocol::Scheme
        });
        self.waiting = kept;
        lost.into_iter().map(|waiting| waiting.packet).collect()
    }

    /// What a transport sends against the data, or without a payload, is none.
    fn class(&self, packet: &Packet) -> FrameClass {
        if packet.flow.is_reverse() || packet.payload.is_empty() {
            FrameClass::TransportAcknowledgment
        } else {
            FrameClass::Data
        }
    }

    fn poll_transmit(&mut self, _cx: &mut Cx) -> Option<TxRequest> {
        self.take().map(|(request, _)| request)
    }

    fn backlog(&self) -> usize {
        self.waiting.len() + usize::from(self.below == Below::Frame)
    }
}
