//! A hop protocol under audit: every packet that it was given leaves it once.

use std::collections::BTreeSet;

use multihop_core::{
    Bytes, Cx, Effect, Failed, FlowId, FrameClass, Heard, Hop, HopStep, NodeId, Packet, RouteNews,
    Rx, Time, TxDone, TxRequest, Verdict,
};

use super::{Shared, WITHOUT_END};
use crate::watch::Watch;

/// More packets of one flow than any queue holds by default.
const QUEUE_WITHOUT_BOUND: usize = 60;

pub(crate) struct AuditedHop<H: ?Sized> {
    hop: Watch<H>,
    ledger: Shared,
    given: usize,
    left: usize,
    /// Those of which it was given packets.
    flows: BTreeSet<FlowId>,
    steps: usize,
}

impl<H: Hop + ?Sized> AuditedHop<H> {
    pub(crate) fn new(hop: Watch<H>, ledger: Shared) -> Self {
        AuditedHop { hop, ledger, given: 0, left: 0, flows: BTreeSet::new(), steps: 0 }
    }

    fn call<R>(&mut self, cx: &mut Cx, handler: impl FnOnce(&mut H, &mut Cx) -> R) -> R {
        let before = cx.effects.len();
        let result = handler(&mut self.hop.look(), cx);
        for effect in &cx.effects[before..] {
            match effect {
                Effect::Release(_) | Effect::Drop(..) => self.left += 1,
                // A packet of its own, or a further copy of one.
                Effect::Accept(_) => self.given += 1,
                Effect::Withdraw(_)
                | Effect::Mark(_)
                | Effect::Decline
                | Effect::Estimate(_)
                | Effect::Trace(..) => {}
                Effect::Deliver(_) | Effect::LinkBroken(_) | Effect::Gauge(..) => {
                    panic!("{effect:?} is not for a hop protocol")
                }
            }
        }
        result
    }

    /// The hop protocol was told something.
    fn tell<R>(&mut self, cx: &mut Cx, handler: impl FnOnce(&mut H, &mut Cx) -> R) -> R {
        self.steps = 0;
        let result = self.call(cx, handler);
        self.balance(cx);
        result
    }

    /// Packets are neither lost without a cause nor made.
    fn balance(&self, cx: &Cx) {
        let backlog = self.hop.look().backlog();
        assert_eq!(self.given, self.left + backlog, "books of the hop protocol of {}", cx.me);
        let most = QUEUE_WITHOUT_BOUND * self.flows.len().max(1);
        assert!(backlog <= most, "a queue without bound at {}", cx.me);
    }
}

// What is not passed on would be a test of the default.
#[deny(clippy::missing_trait_methods)]
impl<H: Hop + ?Sized> Hop for AuditedHop<H> {
    fn is_passive(&self) -> bool {
        self.hop.look().is_passive()
    }

    fn admits(&self, flow: FlowId) -> bool {
        self.hop.look().admits(flow)
    }

    fn has_room(&self, flow: FlowId) -> bool {
        self.hop.look().has_room(flow)
    }

    fn promiscuous(&self) -> bool {
        self.hop.look().promiscuous()
    }

    fn watches_air(&self) -> bool {
        self.hop.look().watches_air()
    }

    fn listens(&self) -> bool {
        self.hop.look().listens()
    }

    fn way(&self, packet: &Packet) -> Option<NodeId> {
        self.hop.look().way(packet)
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.given += 1;
        self.flows.insert(packet.flow);
        self.call(cx, |hop, cx| hop.on_enqueue(cx, packet, next));
        self.balance(cx);
    }

    fn on_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        self.given += 1;
        self.call(cx, |hop, cx| hop.on_unroutable(cx, packet));
        self.balance(cx);
    }

    fn on_link_packet(&mut self, cx: &mut Cx, request: TxRequest) -> Option<TxRequest> {
        let back = self.call(cx, |hop, cx| hop.on_link_packet(cx, request));
        self.given += usize::from(back.is_none());
        self.balance(cx);
        back
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        let verdict = self.tell(cx, |hop, cx| hop.on_heard(cx, rx));
        let mine = verdict == Verdict::Done || rx.heard != Heard::Overheard;
        assert!(mine, "what is for another node is not accepted");
        verdict
    }

    fn on_consumed(&mut self, cx: &mut Cx, packet: &Packet, from: NodeId) {
        self.tell(cx, |hop, cx| hop.on_consumed(cx, packet, from));
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        self.steps = 0;
        let failed = self.call(cx, |hop, cx| hop.on_tx_done(cx, done));
        self.left += usize::from(matches!(failed, Some(Failed::GivenUp(_))));
        self.balance(cx);
        failed
    }

    fn on_neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        self.steps = 0;
        let back = self.call(cx, |hop, cx| hop.on_neighbour_lost(cx, next));
        self.left += back.len();
        self.balance(cx);
        back
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.tell(cx, |hop, cx| hop.on_route(cx, news));
    }

    fn poll(&mut self, cx: &mut Cx) -> Option<HopStep> {
        let step = self.call(cx, H::poll);
        self.steps += 1;
        assert!(self.steps < WITHOUT_END, "a hop protocol that wants something without end");
        match &step {
            Some(HopStep::Reroute(_)) => self.left += 1,
            Some(HopStep::HandUp(packet)) if !packet.tag.is_data() => self.ledger.look().made += 1,
            Some(HopStep::HandUp(_) | HopStep::Arrive(..) | HopStep::Hear(_)) | None => {}
        }
        self.balance(cx);
        step
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.tell(cx, H::on_deadline);
        assert!(self.deadline() > cx.now, "a hop protocol's deadline in the past at {}", cx.me);
    }

    fn deadline(&self) -> Time {
        self.hop.look().deadline()
    }

    fn most_below(&self) -> usize {
        self.hop.look().most_below()
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        self.tell(cx, H::poll_transmit)
    }

    fn poll_more(&mut self, cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        self.tell(cx, |hop, cx| hop.poll_more(cx, to, room))
    }

    fn backlog(&self) -> usize {
        self.hop.look().backlog()
    }

    fn footprint(&self) -> usize {
        self.hop.look().footprint()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        self.hop.look().frame_class(packet)
    }

    fn header_len(&self) -> usize {
        self.hop.look().header_len()
    }
}
