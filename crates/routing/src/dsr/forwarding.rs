//! How packets get their way, and follow it (RFC 4728, 8.1; flow state: 8.6).

use multihop_core::{Cx, DropCause, Duration, EventKind, FlowId, NodeId, Packet, Route, Tag};

use super::Dsr;
use super::flow_state::{Flow, Flows, flow_timeout};
use super::options::{DSR, Header, SourceRoute, Unknown};
use super::parameters::FLOW_TIMEOUT_S;
use super::path::Path;

/// Where a packet stands on its source route.
enum OnRoute {
    /// This node is at this place of it.
    At(usize),
    /// This node is none of those to come.
    Elsewhere,
    /// It has been here already.
    Again,
}

impl Dsr {
    /// A packet begins its way here.
    pub(super) fn originate(&mut self, cx: &mut Cx, packet: &mut Packet, to: NodeId) -> Route {
        match self.cache.take(to, cx.now) {
            Some(path) => Route::Via(self.send_along(cx, packet, path)),
            None => Route::Discovering,
        }
    }

    /// Write `path`, which begins here, into `packet`, or the flow that stands for it. Returns the next
    /// hop.
    pub(super) fn send_along(&mut self, cx: &mut Cx, packet: &mut Packet, path: Path) -> NodeId {
        let is_mine = packet.flow.source == self.me;
        let message = Header::is_message(packet);
        if !is_mine || message || !self.settings.flow_state {
            // What a hop protocol says for a flow's other end has not come the flow's way.
            // Deviation: a packet that has waited at a relay counts as salvaged once, however often it was. That its
            // count goes on, as the RFC has it, makes no difference among 100 nodes that move (ADR 0045).
            self.write_route(packet, path, u8::from(!is_mine));
            self.note_use(&path, 0, is_mine && !message);
            return path[1];
        }
        let ends = (packet.flow.source, packet.flow.destination);
        let sending = self.flows.send(ends, path, packet.ttl, cx.now);
        self.note_use(&sending.path, 0, true);
        if sending.with_path {
            let route = SourceRoute { path: sending.path, next: 1, salvaged: 0 };
            let header = Header::of(packet).ok().flatten().unwrap_or_default();
            let header = Header {
                identification: self.identification(&header),
                route: Some(route),
                flow: Some(sending.number),
                lifetime_s: Some(FLOW_TIMEOUT_S),
                ..Header::default()
            };
            header.write(packet);
        } else if sending.is_default {
            packet.headers.remove(DSR);
        } else {
            Header::of_flow(sending.number).write(packet);
        }
        sending.path[1]
    }

    fn note_use(&mut self, path: &Path, at: usize, starts_here: bool) {
        self.news.on_use(path, at, starts_here);
    }

    /// The identification of a packet that gets a source route; one that had a route before keeps its own,
    /// as it would keep IPv4's, so that who overhears it again knows it.
    fn identification(&mut self, header: &Header) -> u16 {
        if header.route.is_some() {
            return header.identification;
        }
        self.next_packet = self.next_packet.wrapping_add(1);
        self.next_packet
    }

    /// Write a source route that begins here into `packet`, beside what its header says. Nothing of
    /// flows stays in it.
    pub(super) fn write_route(&mut self, packet: &mut Packet, path: Path, salvaged: u8) {
        let header = Header::of(packet).ok().flatten().unwrap_or_default();
        let route = Some(SourceRoute { path, next: 1, salvaged });
        let identification = self.identification(&header);
        Header { identification, route, flow: None, lifetime_s: None, ..header }.write(packet);
    }

    /// Why a packet that does not find its way here is lost, rather than kept.
    pub(super) fn why_lost(&self, packet: &Packet) -> Option<DropCause> {
        let Ok(header) = Header::of(packet) else { return Some(DropCause::Malformed) };
        let route = header.and_then(|header| header.route)?;
        let stranger = packet.hops() > 0 && packet.flow.source != self.me;
        match self.place(&route) {
            OnRoute::Again if stranger => Some(DropCause::Malformed),
            _ if stranger && route.salvaged >= self.settings.salvage_limit => {
                Some(DropCause::NoRoute)
            }
            _ => None,
        }
    }

    /// Whether a packet that has come back to its source is to: who has salvaged it knew a way that leads
    /// over the source. Any other has been in a loop.
    pub(super) fn is_led_back(&self, packet: &Packet) -> bool {
        let route = Header::of(packet).ok().flatten().and_then(|header| header.route);
        route.is_some_and(|route| matches!(self.place(&route), OnRoute::At(_)))
    }

    /// Where this node stands on a route by which a packet came here.
    fn place(&self, route: &SourceRoute) -> OnRoute {
        match route.path.position(self.me) {
            Some(at) if at >= route.next => OnRoute::At(at),
            Some(_) => OnRoute::Again,
            None => OnRoute::Elsewhere,
        }
    }

    /// A packet of another node is on its way through this one.
    pub(super) fn forward(&mut self, cx: &mut Cx, packet: &mut Packet) -> Route {
        let Ok(header) = Header::of(packet) else { return Route::Discovering };
        let Some(header) = header else { return self.follow_flow(cx, packet, None) };
        match (header.route, header.flow) {
            (Some(route), _) => self.follow_route(cx, packet, header, route),
            (None, flow) => self.follow_flow(cx, packet, flow),
        }
    }

    fn follow_route(
        &mut self,
        cx: &mut Cx,
        packet: &mut Packet,
        header: Header,
        route: SourceRoute,
    ) -> Route {
        let at = match self.place(&route) {
            OnRoute::At(at) => at,
            OnRoute::Again => return Route::Discovering,
            OnRoute::Elsewhere => return self.take_own_way(cx, packet),
        };
        let path = route.path;
        let Some(&next) = path.get(at + 1) else { return Route::Discovering };
        if let (Some(number), Some(seconds)) = (header.flow, header.lifetime_s)
            && self.settings.flow_state
            && path.first() == Some(&packet.flow.source)
        {
            let until = cx.now + Duration::from_millis(1_000) * u64::from(seconds);
            let ends = (packet.flow.source, packet.flow.destination);
            self.flows.establish(Flows::heard(ends, number, (path, at), packet.ttl, until));
        }
        self.notice(path.from(at), cx.now);
        self.note_use(&path, at, false);
        let route = Some(SourceRoute { next: at + 1, ..route });
        Header { route, ..header }.write(packet);
        Route::Via(next)
    }

    /// A packet has come here, and its route says nothing of this node, or leads over a link that is
    /// broken: this node may know another way.
    fn take_own_way(&mut self, cx: &mut Cx, packet: &mut Packet) -> Route {
        let salvaged = Header::of(packet).ok().flatten().and_then(|header| header.route);
        let salvaged = salvaged.map_or(0, |route| route.salvaged);
        if salvaged >= self.settings.salvage_limit {
            return Route::Discovering;
        }
        match self.cache.find(packet.flow.destination, cx.now) {
            Some(path) => {
                self.write_route(packet, path, salvaged + 1);
                Route::Via(path[1])
            }
            None => Route::Discovering,
        }
    }

    /// A packet without a source route: it belongs to flow `number`, or to the default flow.
    fn follow_flow(&mut self, cx: &mut Cx, packet: &mut Packet, number: Option<u16>) -> Route {
        let FlowId { source, destination, .. } = packet.flow;
        let ends = (source, destination);
        let ttl = packet.ttl;
        let flow = match number {
            Some(number) => self.flows.get(ends, number),
            None => self.flows.default(ends).filter(|flow| flow.ttl == ttl),
        };
        let Some(flow) = flow else {
            self.tell_unknown(cx, Unknown { source, destination, flow: number });
            return self.take_own_way(cx, packet);
        };
        flow.until = flow.until.max(cx.now + flow_timeout());
        let (next, path, at) = (flow.next(), flow.path, flow.at);
        self.note_use(&path, at, false);
        Route::Via(next)
    }

    /// RFC 4728, 8.6: the source is told that a node on the way does not know its flow.
    fn tell_unknown(&mut self, cx: &mut Cx, unknown: Unknown) {
        if !self.settings.flow_state {
            return;
        }
        let (destination, number) = (unknown.destination, unknown.flow.unwrap_or_default());
        let flow = FlowId::between(self.me, destination);
        cx.trace(EventKind::RouteError, flow, number.into(), Tag::NONE);
        let header = Header { unknown: Some(unknown), ..Header::default() };
        self.send_message(cx, &header, unknown.source);
    }

    /// Send a message from here to `to`, over what the cache knows, or after a search.
    pub(super) fn send_message(&mut self, cx: &mut Cx, header: &Header, to: NodeId) {
        let mut packet = header.message(self.me, to);
        match self.cache.take(to, cx.now) {
            Some(path) => {
                let next = self.send_along(cx, &mut packet, path);
                self.leave(packet, next);
            }
            None => self.keep(cx, packet),
        }
    }

    /// At the source: a node on the way does not know a flow.
    ///
    /// Deviation: ns-2 looks for a default flow by a number that it has not set (`processUnknownFlowError`), and
    /// finds none; so it is without `default_flow_errors`.
    pub(super) fn on_unknown(&mut self, unknown: &Unknown) {
        let ends = (unknown.source, unknown.destination);
        let flow = match unknown.flow {
            Some(number) => self.flows.get(ends, number),
            None if self.settings.default_flow_errors => self.flows.default(ends),
            None => None,
        };
        if unknown.source == self.me {
            flow.into_iter().for_each(Flow::is_unknown);
        }
    }

    /// The flow that a packet without a source route follows.
    pub(super) fn flow_of(&mut self, packet: &Packet) -> Option<&mut Flow> {
        let header = Header::of(packet).ok()?.unwrap_or_default();
        let ends = (packet.flow.source, packet.flow.destination);
        match (header.route, header.flow) {
            (Some(_), _) => None,
            (None, Some(number)) => self.flows.get(ends, number),
            (None, None) => self.flows.default(ends),
        }
    }

    /// The source route of a packet that leaves this node, and where this node stands on it.
    pub(super) fn way_of(&mut self, packet: &Packet) -> Option<(Path, usize)> {
        let header = Header::of(packet).ok()?;
        if let Some(route) = header.and_then(|header| header.route) {
            return Some((route.path, route.next - 1));
        }
        self.flow_of(packet).map(|flow| (flow.path, flow.at))
    }
}
