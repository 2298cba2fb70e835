//! The drop-tail queue with a [`Stamp`]: the hop protocol of schemes whose routers only write into
//! the packets that pass.

use multihop_core::{
    Bytes, Cx, Failed, FlowId, FrameClass, Hop, Leaving, NodeId, Packet, Params, Protocol,
    Receiver, RouteNews, Rx, Stamp, Time, TxDone, TxRequest, Verdict,
};

use crate::parts::fifo::Fifo;

/// A queue, and what is written into the packets that leave it.
pub struct Stamped<S: Stamp> {
    queue: Fifo<S::Note>,
    stamp: S,
}

impl<S: Stamp> Stamped<S> {
    /// The queue that `params` describe, with `stamp`.
    pub fn new(params: &Params, stamp: S) -> Self {
        Stamped { queue: Fifo::with_notes(params), stamp }
    }
}

impl<S: Stamp> Hop for Stamped<S> {
    fn admits(&self, flow: FlowId) -> bool {
        self.queue.admits(flow)
    }

    fn has_room(&self, flow: FlowId) -> bool {
        self.queue.has_room(flow)
    }

    fn promiscuous(&self) -> bool {
        self.queue.promiscuous() || self.stamp.promiscuous()
    }

    fn watches_air(&self) -> bool {
        self.stamp.watches_air()
    }

    fn listens(&self) -> bool {
        self.queue.promiscuous() || self.stamp.listens()
    }

    fn on_enqueue(&mut self, cx: &mut Cx, mut packet: Packet, next: NodeId) {
        let note = self.stamp.on_enqueue(cx, &mut packet);
        self.queue.push(cx, packet, Receiver::Node(next), note);
    }

    fn on_link_packet(&mut self, cx: &mut Cx, request: TxRequest) -> Option<TxRequest> {
        self.queue.on_link_packet(cx, request)
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        self.stamp.on_heard(cx, rx);
        self.queue.on_heard(cx, rx)
    }

    fn on_consumed(&mut self, cx: &mut Cx, packet: &Packet, from: NodeId) {
        self.queue.on_consumed(cx, packet, from);
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        if done.packet.protocol() == Protocol::Scheme {
            self.stamp.on_tx_done(cx, done);
        }
        self.queue.on_tx_done(cx, done)
    }

    fn on_neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        self.stamp.on_neighbour_lost(next);
        self.queue.on_neighbour_lost(cx, next)
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.stamp.on_route(cx, news);
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        if self.stamp.deadline() <= cx.now {
            self.stamp.on_deadline(cx);
        }
        if self.queue.deadline() <= cx.now {
            self.queue.on_deadline(cx);
        }
    }

    fn deadline(&self) -> Time {
        self.stamp.deadline().min(self.queue.deadline())
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        let taken = self.queue.take()?;
        Some(self.stamped(cx, taken))
    }

    fn poll_more(&mut self, cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        let taken = self.queue.take_more(to, room)?;
        Some(self.stamped(cx, taken))
    }

    fn backlog(&self) -> usize {
        self.queue.backlog()
    }

    fn footprint(&self) -> usize {
        self.queue.footprint() + self.stamp.footprint()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        self.queue.frame_class(packet)
    }

    fn header_len(&self) -> usize {
        self.queue.header_len() + self.stamp.header_len()
    }
}

impl<S: Stamp> Stamped<S> {
    /// What is taken out of the queue, with its stamp.
    fn stamped(&mut self, cx: &mut Cx, (mut request, note): (TxRequest, S::Note)) -> TxRequest {
        if request.packet.protocol() == Protocol::Scheme {
            let (behind, bytes_behind) = self.queue.waiting();
            let leaving = Leaving { to: request.to, behind, bytes_behind };
            self.stamp.on_forward(cx, &mut request.packet, note, leaving);
        }
        request
    }
}
