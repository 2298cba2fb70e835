//! Route discovery (RFC 3561, 6.3 to 6.7).

use multihop_core::{Cx, DropCause, Duration, EventKind, FlowId, NodeId, Packet, Receiver};
use multihop_core::{RouteNews, RoutingStep, Tag, Time};

use super::Aodv;
use super::message::{Message, Reply, Request, Sequence, Timestamp};
use super::parameters::{JITTER, MY_ROUTE_TIMEOUT, NET_DIAMETER, RELEASE_GAP, REVERSE_ROUTE_LIFE};
use super::table::{Probe, State};
use crate::agenda::part_of;

impl Timestamp {
    /// Now.
    fn at(time: Time) -> Self {
        Timestamp((time.nanos() / 1_000) as u32)
    }

    /// How long ago it was at `time`.
    fn age(self, time: Time) -> Duration {
        Duration::from_micros(u64::from(Timestamp::at(time).0.wrapping_sub(self.0)))
    }
}

impl Aodv {
    /// 6.3, generating route requests, and 6.4, controlling their dissemination: search for
    /// `destination`, unless a request is out already.
    pub(super) fn search(&mut self, cx: &mut Cx, destination: NodeId) {
        let entry = self.table.entry(destination);
        if self.silent_until > cx.now {
            entry.search.timeout = entry.search.timeout.max(self.silent_until);
            return;
        }
        if entry.state == State::Up {
            self.release(cx, destination, self.settings.scaled(RELEASE_GAP));
            return;
        }
        let destination_sequence = entry.sequence;
        let open_from = self.requests.open_from();
        if open_from > cx.now {
            entry.search.timeout = entry.search.timeout.max(open_from);
            return;
        }
        let ttl = match entry.search.next(cx.now, &self.settings) {
            Probe::Wait => return,
            Probe::GiveUp => {
                while let Some(packet) = self.held.pop(cx, destination) {
                    cx.drop(packet, DropCause::NoRoute);
                }
                return;
            }
            Probe::Ask(ttl) => ttl,
        };
        entry.expires = Time::ZERO;
        self.requests.on_sent(cx.now);
        self.sequence = self.sequence.plus(2);
        let request = Request {
            hop_count: 0,
            id: self.request_id,
            destination,
            destination_sequence,
            originator: self.me,
            originator_sequence: self.sequence,
            timestamp: Timestamp::at(cx.now),
        };
        self.request_id = self.request_id.wrapping_add(1);
        cx.trace(
            EventKind::RouteRequest,
            FlowId::between(self.me, destination),
            request.id,
            Tag::NONE,
        );
        let packet = self.broadcast(ttl, &Message::Request(request));
        self.steps.push_back(RoutingStep::Transmit(packet, Receiver::Broadcast));
    }

    /// 6.5, processing and forwarding route requests.
    pub(super) fn on_request(
        &mut self,
        cx: &mut Cx,
        packet: &Packet,
        from: NodeId,
        mut request: Request,
    ) {
        // 6.8: it comes over a link that does not go back, and one over another link may follow.
        if self.blacklist.has(from, cx.now) {
            return;
        }
        let is_mine = request.originator == self.me;
        if is_mine || !self.is_new(&request, cx.now) {
            return;
        }
        self.reverse_route(cx, from, &request);
        if self.is_silent(cx.now) {
            // 6.13: it learns its own number from who asks for it.
            if request.destination == self.me {
                self.learn_sequence(request.destination_sequence);
            }
            return;
        }
        if self.answer(cx, &request) {
            return;
        }
        let ttl = packet.ttl.saturating_sub(1);
        if ttl == 0 {
            return;
        }
        request.hop_count += 1;
        let known = self.table.get(request.destination).and_then(|entry| entry.sequence);
        request.destination_sequence = match (request.destination_sequence, known) {
            (Some(asked), Some(known)) => Some(asked.newest(known)),
            (asked, known) => asked.or(known),
        };
        let packet = self.broadcast(ttl, &Message::Request(request));
        let time = cx.now + part_of(self.settings.scaled(JITTER), cx);
        // One flood more or less: others pass it on, too.
        self.agenda.offer(time, RoutingStep::Transmit(packet, Receiver::Broadcast));
    }

    /// Whether this request was not heard before. From now on it was.
    fn is_new(&mut self, request: &Request, now: Time) -> bool {
        let remember = self.settings.request_memory();
        self.memory.is_new(request.originator, request.id, (now, remember))
    }

    /// 6.5: the way back to the originator.
    ///
    /// Deviation: as in ns-2, none is made to the neighbour from which the request came.
    fn reverse_route(&mut self, cx: &mut Cx, from: NodeId, request: &Request) {
        let hops = request.hop_count + 1;
        let entry = self.table.entry(request.originator);
        entry.expires = entry.expires.max(cx.now + self.settings.scaled(REVERSE_ROUTE_LIFE));
        if !entry.is_worse_than(request.originator_sequence, hops) {
            return;
        }
        let before = entry.way(cx.now);
        entry.update(request.originator_sequence, hops, from);
        if entry.search.timeout > Time::ZERO {
            entry.search.found(hops);
            entry.expires = cx.now + self.settings.active_route_timeout;
        }
        self.announce(request.originator, before, (from, hops));
        self.release(cx, request.originator, Duration::ZERO);
    }

    /// The route to `destination` was `before`, a next hop and a number of hops, and is `way` now.
    fn announce(&mut self, destination: NodeId, before: Option<(NodeId, u8)>, way: (NodeId, u8)) {
        let hops = u32::from(way.1);
        let news = match before {
            None => RouteNews::Found { destination, hops },
            Some(before) if before != way => RouteNews::Changed { destination, hops },
            Some(_) => return,
        };
        self.steps.push_back(RoutingStep::Announce(news));
    }

    /// 6.6, generating route replies. Whether this node could answer `request`.
    fn answer(&mut self, cx: &mut Cx, request: &Request) -> bool {
        let (hop_count, sequence, lifetime) = if request.destination == self.me {
            self.learn_sequence(request.destination_sequence);
            (0, self.sequence, self.settings.scaled(MY_ROUTE_TIMEOUT))
        } else {
            // 6.6.2. Deviation: ns-2 also answers with a route that it repairs.
            let Some(entry) = self.table.get(request.destination) else { return false };
            let (State::Up, Some(sequence)) = (entry.state, entry.sequence) else { return false };
            if request.destination_sequence.is_some_and(|asked| asked.is_newer_than(sequence)) {
                return false;
            }
            (entry.hops, sequence, entry.expires.since(cx.now))
        };
        // Deviation: in ns-2 the lifetime is in whole seconds.
        let whole_seconds = lifetime / Duration::from_millis(1_000);
        let reply = Reply {
            hop_count,
            destination: request.destination,
            destination_sequence: sequence,
            originator: request.originator,
            lifetime_ms: u32::try_from(whole_seconds * 1_000).unwrap_or(u32::MAX),
            timestamp: request.timestamp,
        };
        self.send_reply(cx, &reply);
        true
    }

    /// 6.1 and 6.6.1: our number is newer than any that is known of us. Ours are even, and odd numbers
    /// are those of lost routes.
    ///
    /// Deviation: the RFC's grows only if it was asked for the one that follows; ns-2's grows with each
    /// answer.
    fn learn_sequence(&mut self, asked: Option<Sequence>) {
        self.sequence = self.sequence.newest(asked.unwrap_or_default()).plus(1);
        self.sequence = self.sequence.plus(self.sequence.0 % 2);
    }

    /// Send the reply that this node has made to the neighbour from which the request came.
    fn send_reply(&mut self, cx: &mut Cx, reply: &Reply) {
        let Some(back) = self.table.get(reply.originator) else { return };
        // Deviation: ns-2 sends it to node 0 if the reverse route is down, as it may be if the
        // originator's sequence number is older than one that was lost here.
        if back.state != State::Up {
            return;
        }
        let next = back.next;
        let flow = FlowId::between(reply.originator, reply.destination);
        cx.trace(EventKind::RouteReply, flow, reply.destination_sequence.0, Tag::NONE);
        let flow = FlowId::between(self.me, reply.originator);
        let packet = Self::packet(flow, NET_DIAMETER, &Message::Reply(*reply));
        self.steps.push_back(RoutingStep::Transmit(packet, Receiver::Node(next)));
        if reply.destination != self.me {
            self.couple(reply.originator, reply.destination);
        }
    }

    /// 6.6.2 and 6.7: each of the two routes has the other's next hop among its precursors.
    fn couple(&mut self, originator: NodeId, destination: NodeId) {
        let back = self.table.entry(originator).next;
        let forth = self.table.entry(destination);
        let next = forth.next;
        forth.add_precursor(back);
        self.table.entry(originator).add_precursor(next);
    }

    /// 6.7, receiving and forwarding route replies.
    ///
    /// Deviation: as in ns-2, who passes a reply on makes no route to the neighbour from which it came, and
    /// only the route to the destination gets a precursor.
    pub(super) fn on_reply(
        &mut self,
        cx: &mut Cx,
        packet: &Packet,
        from: NodeId,
        mut reply: Reply,
    ) {
        if reply.destination == self.me {
            return;
        }
        let hops = reply.hop_count + 1;
        let sequence = reply.destination_sequence;
        let entry = self.table.entry(reply.destination);
        if !entry.is_worse_than(sequence, hops) {
            return;
        }
        let before = entry.way(cx.now);
        entry.update(sequence, hops, from);
        entry.expires = cx.now + Duration::from_millis(u64::from(reply.lifetime_ms));
        entry.search.found(hops);
        let is_mine = reply.originator == self.me;
        if is_mine {
            let latency = reply.timestamp.age(cx.now).nanos() / u64::from(hops);
            entry.search.measured(Duration::from_nanos(latency));
            let flow = FlowId::between(self.me, reply.destination);
            cx.trace(EventKind::RouteFound, flow, sequence.0, Tag::NONE);
        }
        self.announce(reply.destination, before, (from, hops));
        self.release(cx, reply.destination, self.settings.scaled(RELEASE_GAP));
        let ttl = packet.ttl.saturating_sub(1);
        if is_mine || ttl == 0 || self.is_silent(cx.now) {
            return;
        }
        let Some(back) = self.table.get_mut(reply.originator) else { return };
        if back.state != State::Up {
            return;
        }
        back.expires = cx.now + self.settings.active_route_timeout;
        let next = back.next;
        self.table.entry(reply.destination).add_precursor(next);
        reply.hop_count = hops;
        let packet = Self::packet(packet.flow, ttl, &Message::Reply(reply));
        self.steps.push_back(RoutingStep::Transmit(packet, Receiver::Node(next)));
    }

    /// Send the packets that waited for the route to `destination`, `gap` apart. ns-2 fixes
    /// their next hop now.
    fn release(&mut self, cx: &mut Cx, destination: NodeId, gap: Duration) {
        if self.is_silent(cx.now) {
            return;
        }
        let mut time = cx.now;
        while let Some(packet) = self.held.pop(cx, destination) {
            let entry = self.table.entry(destination);
            entry.expires = cx.now + self.settings.active_route_timeout;
            self.agenda.add(time, RoutingStep::Forward(packet, entry.next));
            time += gap;
        }
    }
}
