//! One part of a node on the desk, called by hand: for tests of one mechanism.

use std::ops::{Deref, DerefMut};

use multihop_core::{
    Bytes, Cx, DropCause, Duration, Effect, End, EventKind, FlowId, Hop, NodeId, Outcome, Packet,
    Params, Purpose, Rng, Rx, Scheme, Time, Transport, TxDone, TxRequest, Verdict,
};

use crate::frames::{done, message};

/// The context of calls by hand, and what came of them.
pub struct Desk {
    /// The context of the next call, whose effects come behind those of the calls before.
    pub cx: Cx,
}

impl Deref for Desk {
    type Target = Cx;

    fn deref(&self) -> &Cx {
        &self.cx
    }
}

impl DerefMut for Desk {
    fn deref_mut(&mut self) -> &mut Cx {
        &mut self.cx
    }
}

impl Desk {
    /// The desk of node `me`.
    pub fn new(me: NodeId) -> Self {
        Desk { cx: Cx::new(me, Rng::stream(1, me, Purpose::Protocol)) }
    }

    /// Whether `kind` was traced.
    pub fn traced(&self, kind: EventKind) -> bool {
        self.count(kind) > 0
    }

    /// How often `kind` was traced.
    pub fn count(&self, kind: EventKind) -> usize {
        let is = |effect: &&Effect| matches!(effect, Effect::Trace(event, _) if event.kind == kind);
        self.effects.iter().filter(is).count()
    }

    /// Why packets were dropped.
    pub fn dropped(&self) -> Vec<DropCause> {
        let cause = |effect: &Effect| match effect {
            Effect::Drop(_, cause) => Some(*cause),
            _ => None,
        };
        self.effects.iter().filter_map(cause).collect()
    }

    /// The numbers of the packets that the application got.
    pub fn delivered(&self) -> Vec<u32> {
        let number = |effect: &Effect| match effect {
            Effect::Deliver(packet) => Some(packet.tag.number),
            _ => None,
        };
        self.effects.iter().filter_map(number).collect()
    }

    /// The numbers of the packets that the next hop has.
    pub fn released(&self) -> Vec<u32> {
        let number = |effect: &Effect| match effect {
            Effect::Release(tag) => Some(tag.number),
            _ => None,
        };
        self.effects.iter().filter_map(number).collect()
    }

    /// How often the frame below was to be taken back.
    pub fn withdrawals(&self) -> usize {
        let withdraws = |effect: &&Effect| matches!(effect, Effect::Withdraw(_));
        self.effects.iter().filter(withdraws).count()
    }
}

/// A hop protocol on a [`Desk`]. Effects are those of the last call.
pub struct HopDesk<H: ?Sized> {
    /// The hop protocol.
    pub hop: Box<H>,
    desk: Desk,
    /// When the MAC got the last frame.
    handed_over: Time,
}

impl<H: ?Sized> Deref for HopDesk<H> {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

impl<H: ?Sized> DerefMut for HopDesk<H> {
    fn deref_mut(&mut self) -> &mut Desk {
        &mut self.desk
    }
}

impl<H: Hop + ?Sized> HopDesk<H> {
    /// `hop` at node `me`.
    pub fn new(me: NodeId, hop: Box<H>) -> Self {
        HopDesk { hop, desk: Desk::new(me), handed_over: Time::ZERO }
    }

    /// Call it.
    pub fn call<R>(&mut self, handler: impl FnOnce(&mut H, &mut Cx) -> R) -> R {
        self.desk.effects.clear();
        handler(&mut self.hop, &mut self.desk.cx)
    }

    /// Let time pass; a deadline that has come meanwhile is served, late as it may be.
    ///
    /// # Panics
    /// If the deadline is in the past then.
    pub fn wait(&mut self, span: Duration) {
        self.desk.now += span;
        self.desk.effects.clear();
        if self.hop.deadline() <= self.desk.now {
            self.call(H::on_deadline);
            assert!(self.hop.deadline() > self.desk.now, "a deadline in the past");
        }
    }

    /// Let time pass to the deadline.
    ///
    /// # Panics
    /// If there is none.
    pub fn time_out(&mut self) {
        assert_ne!(self.hop.deadline(), Time::NEVER, "no timer is running");
        self.desk.now = self.desk.now.max(self.hop.deadline());
        self.call(H::on_deadline);
    }

    /// Forward `packet` to `next`.
    pub fn enqueue(&mut self, packet: Packet, next: NodeId) {
        self.call(|hop, cx| hop.on_enqueue(cx, packet, next));
    }

    /// A frame was decoded.
    pub fn hear(&mut self, rx: &Rx) -> Verdict {
        self.call(|hop, cx| hop.on_heard(cx, rx))
    }

    /// The MAC is free.
    pub fn poll(&mut self) -> Option<TxRequest> {
        self.handed_over = self.desk.now;
        self.call(H::poll_transmit)
    }

    /// The MAC has won the medium, and sends what it got last to `to`: all that goes with it, of at most `room` each.
    pub fn gather(&mut self, to: NodeId, room: Bytes) -> Vec<TxRequest> {
        std::iter::from_fn(|| self.call(|hop, cx| hop.poll_more(cx, to, room))).collect()
    }

    /// What the MAC says of `request`, the frame that it got last, when it finishes with it now.
    pub fn report(&self, request: TxRequest, outcome: Outcome) -> TxDone {
        TxDone { service: self.now.since(self.handed_over), ..done(request, outcome) }
    }

    /// The MAC has finished with `request`, and the hop protocol gives nothing up.
    ///
    /// # Panics
    /// If it does.
    pub fn done(&mut self, request: TxRequest, outcome: Outcome) {
        let done = self.report(request, outcome);
        let given_up = self.call(|hop, cx| hop.on_tx_done(cx, &done));
        assert_eq!(given_up, None, "nothing is given up");
    }
}

/// A transport on a [`Desk`]. Effects are those of all calls.
pub struct EndDesk<T: ?Sized> {
    /// The transport.
    pub end: Box<T>,
    desk: Desk,
}

impl<T: ?Sized> Deref for EndDesk<T> {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

impl<T: ?Sized> DerefMut for EndDesk<T> {
    fn deref_mut(&mut self) -> &mut Desk {
        &mut self.desk
    }
}

impl<T: Transport + ?Sized> EndDesk<T> {
    /// `end` at node `me`.
    pub fn new(me: NodeId, end: Box<T>) -> Self {
        EndDesk { end, desk: Desk::new(me) }
    }

    /// Call it.
    pub fn call<R>(&mut self, handler: impl FnOnce(&mut T, &mut Cx) -> R) -> R {
        handler(&mut self.end, &mut self.desk.cx)
    }

    /// Let time pass; a deadline that has come meanwhile is served, late as it may be.
    ///
    /// # Panics
    /// If the deadline is in the past then.
    pub fn wait(&mut self, span: Duration) {
        self.desk.now += span;
        if self.end.deadline() <= self.desk.now {
            self.call(T::on_deadline);
            assert!(self.end.deadline() > self.desk.now, "a deadline in the past");
        }
    }

    /// All that it sends now.
    ///
    /// # Panics
    /// If it sends without end.
    pub fn sent(&mut self) -> Vec<Packet> {
        let sent: Vec<Packet> =
            std::iter::from_fn(|| self.call(T::poll_send)).take(WITHOUT_END).collect();
        assert!(sent.len() < WITHOUT_END, "a transport that sends without end");
        sent
    }
}

/// Whether what an end of `scheme` has sent is still its own, so that it may repeat it.
pub fn keeps(scheme: &Scheme, params: &Params) -> bool {
    let flow = FlowId::between(NodeId(0), NodeId(1));
    let mut source = EndDesk::new(NodeId(0), (scheme.transport)(params, flow, End::Source));
    source.call(|end, cx| end.on_message(cx, message(0, 0)));
    source.sent();
    source.end.backlog() > 0
}

/// More packets than any transport sends at once.
const WITHOUT_END: usize = 10_000;
