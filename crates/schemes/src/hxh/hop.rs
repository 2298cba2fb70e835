//! The scheduling layer of one node (3.2): it hands what happens to the mechanism that deals with
//! it.

use multihop_core::{
    Bytes, Cx, DropCause, EventKind, Failed, FlowId, FrameClass, Heard, Hop, HopStep, NodeId,
    Packet, RouteNews, Rx, Time, TxDone, TxRequest, Verdict,
};

use super::flow::Scheduling;
use super::header::{Header, Kind};
use super::state::Hxh;

impl Hxh {
    /// A packet from upstream, for this node or through it.
    fn on_data(&mut self, cx: &mut Cx, rx: &Rx, header: &Header) -> Verdict {
        let Packet { flow: id, tag, .. } = rx.packet;
        let at = self.entry(cx.now, id);
        let half = self.settings.half();
        let flow = &mut self.flows[at];
        if header.kind == Kind::Data && !flow.meet(cx, header.incarnation, half) {
            return Verdict::Done;
        }
        let here = header.kind == Kind::Data && self.has(id, header);
        let flow = &mut self.flows[at];
        // A frozen flow's packet must go to routing, although it is here already: it thaws the
        // flow, or repeats the route error (3.2.3).
        if here && flow.standing == Scheduling::Active {
            cx.trace(EventKind::DuplicateIgnored, id, header.sequence, tag);
            return Verdict::Done;
        }
        flow.seen = cx.now;
        flow.upstream = Some(rx.from);
        flow.tag = tag.control();
        flow.kind = header.kind;
        if header.kind == Kind::Data {
            self.learn(id, header);
            // At the destination, the transport looks for gaps.
            if id.destination != cx.me && id.source != cx.me {
                self.detect_gap(cx, at, header);
            }
        }
        Verdict::Accept
    }

    /// 3.3, 3.4.1: a neighbour passes a packet on.
    fn on_overheard(&mut self, cx: &mut Cx, rx: &Rx, header: &Header) {
        let flow = rx.packet.flow;
        self.hear_buffer(cx.now, flow, rx.from, header);
        if header.kind == Kind::Data && self.learn(flow, header) {
            cx.trace(EventKind::ImplicitAcknowledgment, flow, header.ack, rx.packet.tag);
        }
    }
}

impl Hop for Hxh {
    fn admits(&self, flow: FlowId) -> bool {
        let Ok(at) = self.position(flow) else { return true };
        let known = &self.flows[at];
        if known.goes_upstream() {
            return self.waiting(flow) < self.settings.queue_limit;
        }
        match known.standing {
            Scheduling::Active | Scheduling::Returning(..) => self.space(flow) > 0,
            // A packet without a way makes routing search.
            Scheduling::Frozen => known.queue.is_empty(),
            Scheduling::Searching(..) => false,
        }
    }

    fn way(&self, packet: &Packet) -> Option<NodeId> {
        if !packet.flow.is_reverse() {
            return None;
        }
        let at = self.position(packet.flow.reverse()).ok()?;
        self.flows[at].upstream
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.enqueue(cx, packet, next);
    }

    fn on_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        self.keep_unroutable(cx, packet);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        self.probing.on_heard(rx.from);
        let flow = rx.packet.flow;
        let header = match Header::of(&rx.packet) {
            Ok(header) if header.kind.goes_upstream() == flow.is_reverse() => header,
            _ => {
                cx.trace(EventKind::Malformed, flow, 0, rx.packet.tag);
                return Verdict::Done;
            }
        };
        match (rx.heard, header.kind) {
            (Heard::ForMe, _) if !self.make_room(flow) => Verdict::Refuse(DropCause::TooManyFlows),
            (Heard::ForMe, Kind::Data | Kind::Datagram) => self.on_data(cx, rx, &header),
            (Heard::ForMe, Kind::Ack | Kind::Nack) => {
                self.on_passing(cx, rx, &header);
                Verdict::Accept
            }
            (Heard::Overheard | Heard::Broadcast, Kind::Data | Kind::Datagram) => {
                self.on_overheard(cx, rx, &header);
                Verdict::Done
            }
            // What goes upstream goes to this node, or not through it.
            (Heard::Overheard | Heard::Broadcast, Kind::Ack | Kind::Nack) => Verdict::Done,
        }
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        self.finish(cx, done).map(Failed::Kept)
    }

    fn on_route(&mut self, _cx: &mut Cx, news: RouteNews) {
        self.freeze(news);
    }

    fn poll(&mut self, cx: &mut Cx) -> Option<HopStep> {
        self.hand_up(cx).or_else(|| self.reroute(cx))
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.pacer.on_deadline(cx.now);
        self.permit_stopped(cx.now);
        self.give_up_search(cx.now);
        self.release_idle(cx);
        if self.opens <= cx.now {
            self.opens = Time::NEVER;
        }
    }

    fn deadline(&self) -> Time {
        let flows = self.flows.iter().map(|flow| {
            let idle = flow.seen + self.settings.idle_timeout;
            idle.min(self.stopped_deadline(flow)).min(self.search_deadline(flow))
        });
        flows.min().unwrap_or(Time::NEVER).min(self.pacer.deadline()).min(self.opens)
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        self.next_frame(cx)
    }

    fn poll_more(&mut self, cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        self.more(cx, to, room)
    }

    fn backlog(&self) -> usize {
        let queued = self.flows.iter().map(|flow| flow.queue.len()).sum::<usize>();
        queued + self.below.len()
    }

    fn footprint(&self) -> usize {
        self.backlog() + self.flows.len() + self.probing.len()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        Header::of(packet).map_or(FrameClass::Control, |header| header.kind.class())
    }

    fn header_len(&self) -> usize {
        self.settings.header
    }
}
