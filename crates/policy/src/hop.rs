//! The hop protocol of a node, of any scheme, that somebody controls and looks at.

use multihop_core::{
    AirTime, Bytes, ContentionClass, Cx, Duration, Effect, Failed, FlowId, FrameClass, Heard, Hop,
    HopStep, NodeId, Outcome, Packet, Receiver, RouteNews, Rx, Time, TxDone, TxRequest, Verdict,
};
use multihop_routing::Weights;

use crate::control::Controls;
use crate::events::Event;
use crate::features::Seen;
use crate::station::{Shared, Terms};

/// What this node does next: at the end of a step it says what it saw, and then reads what to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tick {
    /// Say what was seen.
    Tell,
    /// Read what to do.
    Read,
}

/// A neighbour to which packets went in a step.
struct Neighbour {
    node: NodeId,
    sent: u64,
    attempts: u64,
}

/// Packets that arrived, and attempts, for the neighbour that the smallest share of attempts has reached.
fn weakest(neighbours: &[Neighbour]) -> (u64, u64) {
    let tried = neighbours.iter().filter(|one| one.attempts > 0);
    let least = tried.min_by(|a, b| (a.sent * b.attempts).cmp(&(b.sent * a.attempts)));
    least.map_or((0, 0), |one| (one.sent, one.attempts))
}

/// The hop protocol of a controlled node.
pub(crate) struct SteeredHop {
    base: Box<dyn Hop>,
    station: Shared,
    terms: Terms,
    me: NodeId,
    /// Whether it was called.
    began: bool,
    tick: Tick,
    due: Time,
    controls: Controls,
    seen: Seen,
    /// What became of packets for each neighbour in this step.
    neighbours: Vec<Neighbour>,
    /// The weights of routes, where a host has such.
    weights: Option<Weights>,
    /// What the radio had done at the end of the last step.
    air: AirTime,
    /// When the next packet of a flow of this node may go, and whether that time has come.
    next: Time,
    open: bool,
    /// When the next frame may go.
    held_until: Time,
}

impl SteeredHop {
    /// `base` at node `me`, controlled from this station.
    pub(crate) fn new(
        base: Box<dyn Hop>,
        me: NodeId,
        weights: Option<Weights>,
        station: Shared,
    ) -> Self {
        let terms = station.held().terms;
        SteeredHop {
            base,
            station,
            terms,
            me,
            began: false,
            tick: Tick::Read,
            // Only when it is called it learns what time it is.
            due: Time::ZERO,
            controls: Controls::default(),
            seen: Seen::default(),
            neighbours: Vec::new(),
            weights,
            air: AirTime::default(),
            next: Time::ZERO,
            open: true,
            held_until: Time::ZERO,
        }
    }

    /// Its time has come.
    fn on_tick(&mut self, cx: &Cx) {
        if !self.began {
            self.began = true;
            self.station.held().begins(cx.now);
            // A node that has restarted goes on with what it is told.
            self.read(cx.now);
            self.air = cx.air;
            return;
        }
        match self.tick {
            Tick::Tell => {
                let air = cx.air - self.air;
                let queue = self.base.backlog() as u64;
                let weakest = weakest(&self.neighbours);
                let seen =
                    Seen { queue, busy: air.busy(), sending: air.sending, weakest, ..self.seen };
                let end = self.station.held().tell(cx.now, seen);
                (self.seen, self.air) = (Seen::default(), cx.air);
                self.neighbours.clear();
                (self.tick, self.due) = (Tick::Read, end);
            }
            Tick::Read => self.read(cx.now),
        }
    }

    /// Something has happened that may end the step.
    fn on_event(&mut self, now: Time, event: Event) {
        if self.terms.event == Some(event)
            && self.tick == Tick::Tell
            && self.station.held().ends_with(event, now)
        {
            self.due = now;
        }
    }

    /// The scheme is called, and may drop packets.
    fn watch<T>(&mut self, cx: &mut Cx, call: impl FnOnce(&mut dyn Hop, &mut Cx) -> T) -> T {
        let before = cx.effects.len();
        let found = call(&mut *self.base, cx);
        if self.terms.event == Some(Event::Lost)
            && cx.effects[before..].iter().any(|effect| matches!(effect, Effect::Drop(..)))
        {
            self.on_event(cx.now, Event::Lost);
        }
        found
    }

    /// What became of a packet for one neighbour.
    fn count(&mut self, done: &TxDone) {
        let Receiver::Node(node) = done.to else { return };
        let (sent, attempts) =
            (u64::from(done.outcome != Outcome::Failed), u64::from(done.attempts));
        match self.neighbours.iter_mut().find(|known| known.node == node) {
            Some(known) => {
                known.sent += sent;
                known.attempts += attempts;
            }
            None => self.neighbours.push(Neighbour { node, sent, attempts }),
        }
    }

    /// When it looks at its station.
    fn due(&self) -> Time {
        // Transports tell the station of acknowledgments.
        let follows = self.terms.event == Some(Event::Acknowledged) && self.tick == Tick::Tell;
        let called = if follows { self.station.held().called() } else { None };
        called.map_or(self.due, |at| at.min(self.due))
    }

    /// Read what to do, and when to say what was seen. A shorter pace counts at once.
    fn read(&mut self, now: Time) {
        let mut station = self.station.held();
        let told = station.controls(now);
        (self.tick, self.due) = (Tick::Tell, station.before_next(now));
        drop(station);
        if let (Some(weights), Some(weight)) = (&self.weights, told.weight) {
            weights.set(self.me, weight);
        }
        let before = std::mem::replace(&mut self.controls, told);
        if let (Some(before), false) = (before.pace, self.open) {
            let pace = self.controls.pace.unwrap_or_default();
            self.next =
                if pace < before { self.next.min(self.sent_at(before) + pace) } else { self.next };
        }
    }

    /// When the last packet of a flow of this node went, at a pace of `before`.
    fn sent_at(&self, before: Duration) -> Time {
        Time::from_nanos(self.next.nanos().saturating_sub(before.nanos()))
    }

    /// Whether packets of `flow` are paced: those that begin here are.
    fn paces(&self, flow: FlowId) -> bool {
        self.me == flow.source && self.controls.pace.is_some()
    }

    fn may_go(&self, flow: FlowId) -> bool {
        self.open || !self.paces(flow)
    }
}

impl Hop for SteeredHop {
    fn admits(&self, flow: FlowId) -> bool {
        self.may_go(flow) && self.base.admits(flow)
    }

    fn has_room(&self, flow: FlowId) -> bool {
        self.may_go(flow) && self.base.has_room(flow)
    }

    fn promiscuous(&self) -> bool {
        self.terms.overhears || self.base.promiscuous()
    }

    fn watches_air(&self) -> bool {
        self.terms.watches_air || self.base.watches_air()
    }

    fn listens(&self) -> bool {
        self.terms.overhears || self.terms.watches_air || self.base.listens()
    }

    fn way(&self, packet: &Packet) -> Option<NodeId> {
        self.base.way(packet)
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        if self.paces(packet.flow)
            && let Some(pace) = self.controls.pace
        {
            (self.open, self.next) = (false, cx.now + pace);
        }
        self.on_event(cx.now, Event::Arrived);
        self.watch(cx, |base, cx| base.on_enqueue(cx, packet, next));
    }

    fn on_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        self.watch(cx, |base, cx| base.on_unroutable(cx, packet));
    }

    fn on_link_packet(&mut self, cx: &mut Cx, request: TxRequest) -> Option<TxRequest> {
        self.base.on_link_packet(cx, request)
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        if rx.heard == Heard::Overheard {
            self.seen.overheard += 1;
            // The protocol did not ask for it.
            if !self.base.promiscuous() {
                return Verdict::Done;
            }
        } else {
            self.seen.heard += 1;
            self.on_event(cx.now, Event::Heard);
        }
        self.watch(cx, |base, cx| base.on_heard(cx, rx))
    }

    fn on_consumed(&mut self, cx: &mut Cx, packet: &Packet, from: NodeId) {
        self.on_event(cx.now, Event::Delivered);
        self.base.on_consumed(cx, packet, from);
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        match done.outcome {
            Outcome::Failed => {
                self.seen.failed += 1;
                self.on_event(cx.now, Event::Lost);
            }
            Outcome::Withdrawn => {}
            _ => {
                self.seen.sent += 1;
                self.on_event(cx.now, Event::Sent);
            }
        }
        if done.outcome != Outcome::Withdrawn {
            self.seen.attempts += u64::from(done.attempts);
            self.count(done);
        }
        if let Some(hold) = self.controls.hold {
            self.held_until = cx.now + hold;
        }
        self.watch(cx, |base, cx| base.on_tx_done(cx, done))
    }

    fn on_neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        self.base.on_neighbour_lost(cx, next)
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.base.on_route(cx, news);
    }

    fn poll(&mut self, cx: &mut Cx) -> Option<HopStep> {
        self.watch(cx, |base, cx| base.poll(cx))
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        if self.base.deadline() <= cx.now {
            self.watch(cx, |base, cx| base.on_deadline(cx));
        }
        if self.due() <= cx.now {
            self.on_tick(cx);
        }
        self.open |= self.next <= cx.now;
        // What was held is asked for after this.
        if self.held_until <= cx.now {
            self.held_until = Time::ZERO;
        }
    }

    fn deadline(&self) -> Time {
        let pace = if self.open { Time::NEVER } else { self.next };
        let hold = if self.held_until == Time::ZERO { Time::NEVER } else { self.held_until };
        self.base.deadline().min(self.due()).min(pace).min(hold)
    }

    fn most_below(&self) -> usize {
        self.base.most_below()
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        if cx.now < self.held_until {
            return None;
        }
        let mut request = self.watch(cx, |base, cx| base.poll_transmit(cx))?;
        if let (Some(window), None) = (self.controls.contention, request.contention) {
            request.contention = Some(ContentionClass::window(window));
        }
        Some(request)
    }

    fn poll_more(&mut self, cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        self.base.poll_more(cx, to, room)
    }

    fn backlog(&self) -> usize {
        self.base.backlog()
    }

    fn footprint(&self) -> usize {
        self.base.footprint()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        self.base.frame_class(packet)
    }

    fn header_len(&self) -> usize {
        self.base.header_len()
    }
}
