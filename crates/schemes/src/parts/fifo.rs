//! The drop-tail interface queue of the 802.11 stack.

use std::collections::VecDeque;

use multihop_core::{
    Bytes, Count, Cx, DropCause, Failed, FlowId, FrameClass, Heard, Hop, NodeId, Outcome, Packet,
    Params, Protocol, Receiver, Rx, Switch, TxDone, TxRequest, Verdict,
};

/// The parameter that every scheme with this queue has.
pub const QUEUE_LIMIT: Count = Count {
    name: "queue_limit",
    about: "Packets that wait in the interface queue, besides the one in the MAC, and those that go with it in a \
            batch. The default is \
            what ns-2's DropTail with limit_ 50 holds.",
    unit: "packets",
    default: 49,
    min: 1,
    max: 1_000_000,
};

/// Whether acknowledgments overtake data.
pub const ACKNOWLEDGMENTS_FIRST: Switch = Switch {
    name: "acknowledgments_first",
    about: "Acknowledgments leave the interface queue before data, and have as many places of their own, as \
            in the queue of several classes that ns-2's DSR needs; off, packets leave in the order in which \
            they came",
    default: false,
};

/// So many packets of expedited flows go one after the other while others wait; then one of those goes.
const MOST_IN_A_ROW: u8 = 3;

/// One queue for all flows: first in, first out, but for acknowledgments if they go first, and for expedited flows; and a
/// packet that finds it full is lost. Acknowledgments that go first and data take no places from each other, nor do
/// expedited flows and others. With every packet waits a note about it, if somebody makes notes.
pub struct Fifo<N = ()> {
    waiting: VecDeque<Waiting<N>>,
    limit: usize,
    /// How many of those that wait are of expedited flows.
    expedited: usize,
    /// How many of those have gone since one of another flow has.
    in_a_row: u8,
    acknowledgments_first: bool,
    /// How many packets of this queue the MAC has.
    below: usize,
    /// Whether the MAC has finished with some of them, and not with all.
    partly_done: bool,
}

struct Waiting<N> {
    packet: Packet,
    to: Receiver,
    note: N,
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
            expedited: 0,
            in_a_row: 0,
            acknowledgments_first: params.get(ACKNOWLEDGMENTS_FIRST),
            below: 0,
            partly_done: false,
        }
    }

    /// How many packets wait, and how long they are together.
    pub(crate) fn waiting(&self) -> (usize, Bytes) {
        let bytes = self.waiting.iter().map(|waiting| waiting.packet.len().0).sum();
        (self.waiting.len(), Bytes(bytes))
    }

    /// The packet for the MAC, which is free, and its note.
    pub(crate) fn take(&mut self) -> Option<(TxRequest, N)> {
        if self.below > 0 {
            return None;
        }
        let next = if self.expedited == 0 { self.waiting.pop_front() } else { self.take_turn() };
        let Waiting { packet, to, note } = next?;
        (self.below, self.partly_done) = (1, false);
        Some((TxRequest::new(to, packet), note))
    }

    /// The next packet where some are of expedited flows: the first of those, unless others have waited for
    /// [`MOST_IN_A_ROW`] of them.
    #[cold]
    #[inline(never)]
    fn take_turn(&mut self) -> Option<Waiting<N>> {
        let expedited = self.in_a_row < MOST_IN_A_ROW || self.expedited == self.waiting.len();
        self.in_a_row = if expedited { self.in_a_row.saturating_add(1) } else { 0 };
        let is_next = |waiting: &Waiting<N>| waiting.packet.flow.is_expedited() == expedited;
        let at = self.waiting.iter().position(is_next)?;
        self.remove(at)
    }

    fn remove(&mut self, at: usize) -> Option<Waiting<N>> {
        let removed = self.waiting.remove(at)?;
        self.expedited -= usize::from(removed.packet.flow.is_expedited());
        Some(removed)
    }

    /// The next packet for `to` that goes with those that the MAC has, and its note. A batch whose rest is repeated takes no
    /// more once a packet for another neighbour is next: that one would wait for ever.
    pub(crate) fn take_more(&mut self, to: NodeId, room: Bytes) -> Option<(TxRequest, N)> {
        let to = Receiver::Node(to);
        if self.partly_done && self.waiting.front()?.to != to {
            return None;
        }
        let at = self.waiting.iter().position(|waiting| waiting.to == to)?;
        if self.waiting[at].packet.len() > room {
            return None;
        }
        let Waiting { packet, note, .. } = self.remove(at)?;
        self.below += 1;
        Some((TxRequest::new(to, packet), note))
    }

    /// `packet` is to wait for its turn to go to `to`.
    pub(crate) fn push(&mut self, cx: &mut Cx, packet: Packet, to: Receiver, note: N) {
        let flow = packet.flow;
        if !self.has_room_for(flow, || is_acknowledgment(&packet)) {
            return cx.drop(packet, DropCause::QueueFull);
        }
        self.expedited += usize::from(flow.is_expedited());
        // Made where it stays: see `Cx::want`.
        self.waiting.extend(std::iter::once_with(|| Waiting { packet, to, note }));
        if self.acknowledgments_first {
            self.let_last_overtake();
        }
    }

    /// Whether a packet of `flow` may wait; `is_one` says whether it is an acknowledgment, which is asked only where it matters.
    fn has_room_for(&self, flow: FlowId, is_one: impl FnOnce() -> bool) -> bool {
        let alike =
            if flow.is_expedited() { self.expedited } else { self.waiting.len() - self.expedited };
        alike + self.below.saturating_sub(1) < self.limit
            || self.acknowledgments_first && self.waiting_alike(is_one()) < self.limit
    }

    /// How many acknowledgments wait, or how many others.
    #[inline(never)]
    fn waiting_alike(&self, acknowledgments: bool) -> usize {
        let is_such = |waiting: &&Waiting<N>| is_acknowledgment(&waiting.packet) == acknowledgments;
        self.waiting.iter().filter(is_such).count()
    }

    /// If the last packet is an acknowledgment, it goes before the data that waits, behind other acknowledgments.
    #[inline(never)]
    fn let_last_overtake(&mut self) {
        let waiting = self.waiting.make_contiguous();
        let data = |waiting: &Waiting<N>| !is_acknowledgment(&waiting.packet);
        if let Some(first) = waiting.iter().position(data)
            && !waiting.last().is_some_and(data)
        {
            waiting[first..].rotate_right(1);
        }
    }
}

impl<N: Default + Send> Hop for Fifo<N> {
    fn is_passive(&self) -> bool {
        true
    }

    fn has_room(&self, flow: FlowId) -> bool {
        self.has_room_for(flow, || flow.is_reverse())
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
        if self.below == 0 {
            return None;
        }
        self.below -= 1;
        self.partly_done = self.below > 0;
        match (done.outcome, done.to) {
            (Outcome::Sent | Outcome::Acknowledged, _) => cx.release(&done.packet),
            (Outcome::Withdrawn, to @ Receiver::Node(_)) => {
                let note = N::default();
                self.expedited += usize::from(done.packet.flow.is_expedited());
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
        self.expedited -= lost.iter().filter(|waiting| waiting.packet.flow.is_expedited()).count();
        self.waiting = kept;
        lost.into_iter().map(|waiting| waiting.packet).collect()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        if is_acknowledgment(packet) {
            FrameClass::TransportAcknowledgment
        } else {
            FrameClass::Data
        }
    }

    fn poll_transmit(&mut self, _cx: &mut Cx) -> Option<TxRequest> {
        self.take().map(|(request, _)| request)
    }

    fn poll_more(&mut self, _cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        self.take_more(to, room).map(|(request, _)| request)
    }

    fn backlog(&self) -> usize {
        self.waiting.len() + self.below
    }
}

/// Whether `packet` is an acknowledgment: what a transport sends against the data, or without a payload.
pub fn is_acknowledgment(packet: &Packet) -> bool {
    let Packet { flow, payload, .. } = packet;
    packet.protocol() == Protocol::Scheme && (flow.is_reverse() || payload.is_empty())
}
