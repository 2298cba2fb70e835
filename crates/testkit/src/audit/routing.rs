//! Routing under audit: every packet that it holds leaves it once.

use multihop_core::{
    Cx, Effect, FrameClass, NodeId, Packet, Protocol, QueueDiscipline, Route, Routing, RoutingStep,
    Rx, Time,
};

use super::WITHOUT_END;
use crate::watch::Watch;

pub(crate) struct AuditedRouting<R: ?Sized> {
    routing: Watch<R>,
    given: usize,
    left: usize,
    steps: usize,
}

impl<R: Routing + ?Sized> AuditedRouting<R> {
    pub(crate) fn new(routing: Watch<R>) -> Self {
        AuditedRouting { routing, given: 0, left: 0, steps: 0 }
    }

    fn call<T>(&mut self, cx: &mut Cx, handler: impl FnOnce(&mut R, &mut Cx) -> T) -> T {
        let before = cx.effects.len();
        let result = handler(&mut self.routing.look(), cx);
        for effect in &cx.effects[before..] {
            match effect {
                Effect::Drop(packet, _) => self.left += scheme(packet),
                Effect::Trace(..) => {}
                effect => panic!("{effect:?} is not for a routing protocol"),
            }
        }
        result
    }

    /// Routing was told something.
    fn tell<T>(&mut self, cx: &mut Cx, handler: impl FnOnce(&mut R, &mut Cx) -> T) -> T {
        self.steps = 0;
        let result = self.call(cx, handler);
        self.balance(cx);
        result
    }

    fn balance(&self, cx: &Cx) {
        let held = self.routing.look().backlog();
        assert_eq!(self.given, self.left + held, "books of the routing of {}", cx.me);
    }
}

/// One, for a packet that counts.
fn scheme(packet: &Packet) -> usize {
    usize::from(packet.protocol() == Protocol::Scheme)
}

// What is not passed on would be a test of the default.
#[deny(clippy::missing_trait_methods)]
impl<R: Routing + ?Sized> Routing for AuditedRouting<R> {
    fn is_settled(&self) -> bool {
        self.routing.look().is_settled()
    }

    fn hops_to(&self, destination: NodeId, now: Time) -> Option<u32> {
        self.routing.look().hops_to(destination, now)
    }

    fn queue_discipline(&self) -> QueueDiscipline {
        self.routing.look().queue_discipline()
    }

    fn route(&mut self, cx: &mut Cx, packet: &mut Packet) -> Route {
        self.tell(cx, |routing, cx| routing.route(cx, packet))
    }

    fn hold(&mut self, cx: &mut Cx, packet: Packet) {
        self.given += scheme(&packet);
        self.tell(cx, |routing, cx| routing.hold(cx, packet));
    }

    fn promiscuous(&self) -> bool {
        self.routing.look().promiscuous()
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) {
        self.tell(cx, |routing, cx| routing.on_heard(cx, rx));
    }

    fn on_link_failure(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.given += scheme(&packet);
        self.tell(cx, |routing, cx| routing.on_link_failure(cx, packet, next));
    }

    fn on_unsent(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.given += scheme(&packet);
        self.tell(cx, |routing, cx| routing.on_unsent(cx, packet, next));
    }

    fn on_unresolved(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.given += scheme(&packet);
        self.tell(cx, |routing, cx| routing.on_unresolved(cx, packet, next));
    }

    fn on_link_lost(&mut self, cx: &mut Cx, destination: NodeId, next: NodeId) {
        self.tell(cx, |routing, cx| routing.on_link_lost(cx, destination, next));
    }

    fn poll(&mut self, cx: &mut Cx) -> Option<RoutingStep> {
        let step = self.call(cx, R::poll);
        self.steps += 1;
        assert!(self.steps < WITHOUT_END, "a routing protocol that wants something without end");
        if let Some(RoutingStep::Forward(packet, _)) = &step {
            self.left += scheme(packet);
        }
        self.balance(cx);
        step
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.tell(cx, R::on_deadline);
    }

    fn deadline(&self) -> Time {
        self.routing.look().deadline()
    }

    fn backlog(&self) -> usize {
        self.routing.look().backlog()
    }

    fn footprint(&self) -> usize {
        self.routing.look().footprint()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        self.routing.look().frame_class(packet)
    }
}
