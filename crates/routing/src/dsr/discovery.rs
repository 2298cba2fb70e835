//! Route discovery (RFC 4728, 8.2).

use multihop_core::{
    Cx, DropCause, Duration, EventKind, FlowId, Heard, NodeId, Packet, Receiver, RoutingStep, Tag,
    Time,
};

use super::Dsr;
use super::options::{Header, Reply, Request};
use super::parameters::{CHECK, EVERYONE, JITTER, RELEASE_GAP};
use super::path::{MOST_NODES, Path};
use super::requests::Ask;
use crate::agenda::part_of;

impl Dsr {
    /// Keep a packet for which there is no route. What started here is searched for at once; what came
    /// from others when it is looked at next (ns-2).
    pub(super) fn keep(&mut self, cx: &mut Cx, packet: Packet) {
        let (destination, is_mine) = (packet.flow.destination, packet.flow.source == self.me);
        if is_mine {
            self.ask(cx, destination, true);
        }
        if self.held.len() == 0 {
            // ns-2's timer runs all the time, so that the wait begins within one of its periods.
            let (low, high) = (CHECK.nanos() as f64, 2.0 * CHECK.nanos() as f64);
            let squares = cx.rng.between(low * low, high * high);
            let within = Duration::from_nanos(squares.sqrt() as u64);
            self.check = cx.now + part_of(within, cx);
        }
        self.held.push(cx, packet);
    }

    /// Send a request for `destination`, if it is time. Whether a packet may wait on.
    fn ask(&mut self, cx: &mut Cx, destination: NodeId, is_mine: bool) -> bool {
        match self.requests.ask(destination, cx.now, is_mine, &self.settings) {
            Ask::Wait => true,
            Ask::GiveUp => false,
            Ask::Neighbours => self.request(cx, destination, 1),
            Ask::Everyone => self.request(cx, destination, EVERYONE),
        }
    }

    fn request(&mut self, cx: &mut Cx, target: NodeId, ttl: u8) -> bool {
        let mut path = Path::EMPTY;
        path.push(self.me);
        let id = self.next_request;
        self.next_request = id.wrapping_add(1);
        let broken = self.error_to_tell(cx.now, ttl == EVERYONE);
        let request = Some(Request { id, target, path });
        let header = Header { request, broken: broken.into_iter().collect(), ..Header::default() };
        let flow = FlowId::between(self.me, target);
        cx.trace(EventKind::RouteRequest, flow, id.into(), Tag::NONE);
        self.broadcast(cx, &header, self.me, ttl);
        true
    }

    /// Broadcast a request of `originator`, after the jitter.
    fn broadcast(&mut self, cx: &mut Cx, header: &Header, originator: NodeId, ttl: u8) {
        let packet = Packet { ttl, ..header.message(originator, NodeId::BROADCAST) };
        let time = cx.now + part_of(JITTER, cx);
        // One flood more or less: others pass it on, too.
        self.agenda.offer(time, RoutingStep::Transmit(packet, Receiver::Broadcast));
    }

    /// ns-2's timer: who waits gets a route, if one is known now, or asks again.
    pub(super) fn check_waiting(&mut self, cx: &mut Cx) {
        self.held.drop_old(cx);
        let learnt = self.cache.additions() != self.checked;
        self.checked = self.cache.additions();
        let mut at = 0;
        while let Some(FlowId { source, destination, .. }) = self.held.flow(at) {
            let path = if learnt { self.cache.take(destination, cx.now) } else { None };
            if let Some(path) = path {
                self.release_one(cx, at, path, Duration::ZERO);
            } else if self.ask(cx, destination, source == self.me) {
                at += 1;
            } else if let Some(packet) = self.held.take(at) {
                cx.drop(packet, DropCause::NoRoute);
            }
        }
        self.check = cx.now + CHECK + part_of(CHECK, cx);
    }

    /// The packet that waits at place `at` takes `path`, after `gap`.
    fn release_one(&mut self, cx: &mut Cx, at: usize, path: Path, gap: Duration) {
        let Some(mut packet) = self.held.take(at) else { return };
        let next = self.send_along(cx, &mut packet, path);
        let refused = self.agenda.offer(cx.now + gap, Self::step(packet, next));
        if let Some(RoutingStep::Forward(packet, _)) = refused {
            cx.drop(packet, DropCause::RouteBufferFull);
        }
    }

    /// A message of DSR was heard.
    pub(super) fn on_message(&mut self, cx: &mut Cx, packet: &Packet, heard: Heard) {
        let Ok(Some(header)) = Header::of(packet) else { return Self::malformed(cx, packet) };
        match (heard, header.request) {
            (Heard::Broadcast, Some(request)) => self.on_request(cx, packet.ttl, &header, request),
            (Heard::Broadcast, None) => Self::malformed(cx, packet),
            (Heard::Overheard, _) => self.overhear_message(cx, packet, &header),
            (Heard::ForMe, _) if packet.flow.destination == self.me => {
                self.receive(cx, packet, &header);
            }
            (Heard::ForMe, _) => self.pass_on(cx, packet, header),
        }
    }

    /// A message for this node.
    fn receive(&mut self, cx: &mut Cx, packet: &Packet, header: &Header) {
        if let Some(reply) = &header.reply {
            if reply.path.first() == Some(&self.me) {
                self.on_reply(cx, reply);
            } else {
                Self::malformed(cx, packet);
            }
        }
        self.on_broken(cx, &header.broken);
        if let Some(unknown) = &header.unknown {
            self.on_unknown(unknown);
        }
    }

    /// A message for another node, which takes its way over this one.
    fn pass_on(&mut self, cx: &mut Cx, packet: &Packet, header: Header) {
        self.on_broken(cx, &header.broken);
        let Some(route) = header.route else { return Self::malformed(cx, packet) };
        let at = route.path.position(self.me).filter(|at| *at >= route.next);
        let next = at.and_then(|at| route.path.get(at + 1).copied().zip(Some(at)));
        let Some((next, at)) = next else { return Self::malformed(cx, packet) };
        let ttl = packet.ttl.saturating_sub(1);
        if ttl == 0 {
            return;
        }
        self.notice(route.path.from(at), cx.now);
        let mut packet = Packet { ttl, ..packet.clone() };
        let route = super::SourceRoute { next: at + 1, ..route };
        Header { route: Some(route), ..header }.write(&mut packet);
        self.leave(packet, next);
    }

    /// 8.2.2: a request. The target answers every copy that comes, so that its originator learns several
    /// paths; others deal with the first.
    fn on_request(&mut self, cx: &mut Cx, ttl: u8, header: &Header, request: Request) {
        self.on_broken(cx, &header.broken);
        let Some(&originator) = request.path.first() else { return };
        if request.target == self.me {
            self.requests.note(originator, request.id);
            return self.answer_as_target(cx, &request);
        }
        let old = !self.requests.is_new(originator, request.id);
        if old || request.path.contains(&self.me) || request.path.is_full() {
            return;
        }
        self.requests.note(originator, request.id);
        if (self.settings.reply_from_cache && self.answer_from_cache(cx, &request)) || ttl <= 1 {
            return;
        }
        let mut path = request.path;
        path.push(self.me);
        let header = Header { request: Some(Request { path, ..request }), ..header.clone() };
        self.broadcast(cx, &header, originator, ttl - 1);
    }

    /// 8.2.4 and 8.2.5: the answer goes back on the path on which the request came.
    fn answer_as_target(&mut self, cx: &mut Cx, request: &Request) {
        let mut path = request.path;
        if path.contains(&self.me) || !path.push(self.me) {
            return;
        }
        let back = path.reversed();
        self.learn(back, cx.now);
        let gap = part_of(JITTER, cx);
        self.reply(cx, Reply { id: request.id, path }, back, gap);
    }

    /// 8.2.3: this node knows the rest of the way. Whether it could answer.
    ///
    /// Deviation: a path that would visit a node twice is shortened, as in ns-2; the RFC (3.3.2) forbids the
    /// reply then. The reply leaves at once, as in ns-2; the RFC (3.3.3, 8.2.5) delays it by a random time
    /// that grows with the length of the route, so that not all neighbours answer together.
    fn answer_from_cache(&mut self, cx: &mut Cx, request: &Request) -> bool {
        let Some(rest) = self.cache.find(request.target, cx.now) else { return false };
        if request.path.len() + rest.len() > MOST_NODES {
            return false;
        }
        let all = request.path.iter().chain(rest.iter()).copied();
        let Some(path) = Path::of(all).map(|path| path.compressed()) else { return false };
        // Without this node, nobody would tell of a link that is broken meanwhile.
        if !path.contains(&self.me) {
            return false;
        }
        let mut back = request.path;
        back.push(self.me);
        let back = back.reversed();
        self.learn(back, cx.now);
        self.reply(cx, Reply { id: request.id, path }, back, Duration::ZERO);
        true
    }

    /// Send `reply` along `back`.
    pub(super) fn reply(&mut self, cx: &mut Cx, reply: Reply, back: Path, gap: Duration) {
        let (Some(&to), Some(&next)) = (back.last(), back.get(1)) else { return };
        let destination = *reply.path.last().unwrap_or(&self.me);
        let flow = FlowId::between(to, destination);
        cx.trace(EventKind::RouteReply, flow, reply.id.into(), Tag::NONE);
        let header = Header { reply: Some(reply), ..Header::default() };
        let mut packet = header.message(self.me, to);
        self.write_route(&mut packet, back, 0);
        self.agenda.offer(cx.now + gap, Self::step(packet, next));
    }

    /// 8.2.6: the answer to a search, or a shorter way. Packets that wait leave, with gaps.
    fn on_reply(&mut self, cx: &mut Cx, reply: &Reply) {
        let Some(&target) = reply.path.last() else { return };
        let flow = FlowId::between(self.me, target);
        cx.trace(EventKind::RouteFound, flow, reply.id.into(), Tag::NONE);
        self.learn(reply.path, cx.now);
        self.requests.found(target);
        self.held.drop_old(cx);
        let (mut at, mut gap) = (0, Duration::ZERO);
        while let Some(flow) = self.held.flow(at) {
            match self.cache.take(flow.destination, cx.now) {
                Some(path) => {
                    self.release_one(cx, at, path, gap);
                    gap += RELEASE_GAP;
                }
                None => at += 1,
            }
        }
    }

    /// This node has asked for `path`, or was told of it.
    pub(super) fn learn(&mut self, path: Path, now: Time) {
        self.cache.add(path, now);
        self.news.on_learnt(&path);
    }
}
