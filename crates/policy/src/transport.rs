//! The sending end of a flow that begins at a controlled node: what it shows of itself, the node knows.

use multihop_core::{Cx, Effect, Message, Packet, RouteNews, Time, Transport};

use crate::station::Shared;

/// A transport, and who looks at its gauges.
pub(crate) struct WatchedTransport {
    base: Box<dyn Transport>,
    station: Shared,
}

impl WatchedTransport {
    pub(crate) fn new(base: Box<dyn Transport>, station: Shared) -> Self {
        WatchedTransport { base, station }
    }

    fn watch<T>(&mut self, cx: &mut Cx, call: impl FnOnce(&mut dyn Transport, &mut Cx) -> T) -> T {
        let before = cx.effects.len();
        let found = call(&mut *self.base, cx);
        for effect in &cx.effects[before..] {
            if let Effect::Gauge(_, gauge) = effect {
                self.station.held().shows(cx.now, *gauge);
            }
        }
        found
    }
}

impl Transport for WatchedTransport {
    fn wants_message(&self, room: bool) -> bool {
        self.base.wants_message(room)
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        self.watch(cx, |base, cx| base.on_message(cx, message));
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        self.watch(cx, |base, cx| base.on_packet(cx, packet));
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.watch(cx, |base, cx| base.on_route(cx, news));
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.watch(cx, |base, cx| base.on_deadline(cx));
    }

    fn deadline(&self) -> Time {
        self.base.deadline()
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        self.watch(cx, |base, cx| base.poll_send(cx))
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.base.give_up()
    }

    fn backlog(&self) -> usize {
        self.base.backlog()
    }

    fn header_len(&self) -> usize {
        self.base.header_len()
    }
}
