//! Ad hoc on-demand distance vector routing (RFC 3561), with the parameters and the habits of
//! ns-2 2.35, against which it is compared.
//!
//! A node searches for a destination with a route request (RREQ) that floods the network. Who
//! hears it learns the way back to the originator. The destination, or a node that knows a way,
//! answers with a route reply (RREP), which goes back and leaves the way forth behind. Routes
//! live while they are used. Links are watched by the MAC: a packet that it cannot deliver
//! breaks the route, which is repaired on the spot or announced as broken by a route error
//! (RERR). There are no hello messages, gratuitous replies, or multicasts; a blacklist of neighbours that
//! do not hear a node ([`Settings::blacklist_timeout`]) only where it is asked for, for ns-2 has none.
//!
//! | RFC 3561, section 10 | here | this value, ns-2's | RFC's |
//! | --- | --- | --- | --- |
//! | `ACTIVE_ROUTE_TIMEOUT` | [`Settings::active_route_timeout`] | 10 s | 3 s |
//! | `MY_ROUTE_TIMEOUT` | `MY_ROUTE_TIMEOUT` | 10 s | 6 s |
//! | `PATH_DISCOVERY_TIME` | `REQUEST_MEMORY` | 6 s, up to 12 s | 5.6 s |
//! | 6.5, life of a reverse route | `REVERSE_ROUTE_LIFE` | 6 s | 5.6 s, less per hop |
//! | `RREQ_RETRIES` | `REQUEST_RETRIES` | 3, then 10 s pause | 2 |
//! | `TTL_START` | `TTL_START` | 5, not in a first search | 1 |
//! | `TTL_INCREMENT` | `TTL_INCREMENT` | 2 | 2 |
//! | `TTL_THRESHOLD` | `TTL_THRESHOLD` | 7 | 7 |
//! | `NET_DIAMETER` | `NET_DIAMETER` | 30 | 35 |
//! | `NODE_TRAVERSAL_TIME` | `NODE_TRAVERSAL_TIME` | 30 ms, or as measured | 40 ms |
//! | `RING_TRAVERSAL_TIME` | `LONGEST_WAIT` | at most 10 s | by the radius |
//! | `RREQ_RATELIMIT` | [`Settings::request_rate_limit`] | none | 10 per second |
//! | `RERR_RATELIMIT` | [`Settings::error_rate_limit`] | none | 10 per second |
//! | `DELETE_PERIOD` | [`Settings::delete_period`], after a reboot, and with [`Settings::forget_sequence_numbers`] | none | 15 s |
//! | `BLACKLIST_TIMEOUT` | [`Settings::blacklist_timeout`], with `blacklist` | no blacklist | 5.6 s |
//! | 6.12, time for a repair | [`Settings::repair_timeout`] | as long again as since the start | 2.8 s |
//! | `HELLO_INTERVAL` | none: the MAC watches links | none | 1 s |
//! | jitter of broadcasts | `JITTER` | 0 to 10 ms | none |
//! | gap between released packets | `RELEASE_GAP` | 10 ms | none |
//! | buffer | `HELD_LIMIT`, `HELD_TIMEOUT` | 64 packets, 30 s | none |
//!
//! [`Settings::time_scale`] multiplies the constants with a time, for slower media.
//!
//! What differs from the RFC or from ns-2 is marked `Deviation:` at its place.

mod blacklist;
mod buffer;
mod discovery;
mod limits;
mod maintenance;
mod message;
mod parameters;
mod settings;
mod table;

use std::collections::VecDeque;

use multihop_core::{
    Cx, EventKind, FlowId, FrameClass, Heard, NextHeader, NodeId, Packet, Payload, Protocol, Route,
    Routing, RoutingStep, Rx, Tag, Time, Vocabulary,
};

pub use message::{
    ERROR_FORMAT, Message, REPLY_FORMAT, REQUEST_FORMAT, Reply, Request, Sequence, Timestamp,
    Unreachable, parse,
};
pub use settings::Settings;

use blacklist::Blacklist;
use buffer::Memory;
use limits::RateLimit;
use parameters::{HELD_LIMIT, HELD_TIMEOUT, TICK, tick_at};
use table::{State, Table};

use crate::agenda::Agenda;
use crate::send_buffer::SendBuffer;
use crate::words::LOCAL_REPAIR;
use crate::{Life, Routes, RoutingProtocol};

/// AODV.
pub static ROUTING: RoutingProtocol = RoutingProtocol {
    name: "aodv",
    title: "AODV",
    source: "Perkins, Belding-Royer, Das: Ad hoc On-Demand Distance Vector (AODV) Routing. RFC 3561, \
             2003",
    about: "Routes are searched for when they are needed. Nodes and flows need not be in reach of \
            each other; a search that fails shows in the results.",
    routes: Routes::Searched,
    most_hops: None,
    bidirectional: Some(|values| Settings::new(values).blacklist_timeout.is_none()),
    words: &[Vocabulary::Event(&LOCAL_REPAIR)],
    headers: &[&REQUEST_FORMAT, &REPLY_FORMAT, &ERROR_FORMAT],
    params: &settings::PARAMS,
    make: &|values, place| Box::new(Aodv::in_life(place.me, Settings::new(values), place.life)),
};

/// AODV at one node.
#[derive(Clone, Debug)]
pub struct Aodv {
    me: NodeId,
    settings: Settings,
    /// Our own sequence number: even.
    sequence: Sequence,
    /// The RREQ ID of the next request.
    request_id: u32,
    table: Table,
    memory: Memory,
    blacklist: Blacklist,
    held: SendBuffer,
    /// What is said and sent later.
    agenda: Agenda<RoutingStep>,
    /// When repairs of routes to these destinations have had their time.
    repairs: Agenda<NodeId>,
    steps: VecDeque<RoutingStep>,
    requests: RateLimit,
    errors: RateLimit,
    /// 6.13: until then it forwards nothing and searches for nobody.
    silent_until: Time,
    /// When to see who waits for a search: see [`Aodv::next_tick`].
    tick: Time,
    deadline: Time,
}

impl Aodv {
    /// AODV at the node `me`.
    pub fn new(me: NodeId, settings: Settings) -> Self {
        Aodv {
            me,
            settings,
            sequence: Sequence(2),
            request_id: 1,
            table: Table::default(),
            memory: Memory::default(),
            blacklist: Blacklist::default(),
            held: SendBuffer::new(HELD_LIMIT, settings.scaled(HELD_TIMEOUT)),
            agenda: Agenda::default(),
            repairs: Agenda::default(),
            steps: VecDeque::new(),
            requests: RateLimit::new(settings.request_rate_limit),
            errors: RateLimit::new(settings.error_rate_limit),
            silent_until: Time::ZERO,
            tick: Time::NEVER,
            deadline: Time::NEVER,
        }
    }

    /// 6.13: AODV at the node `me`, which has forgotten at `now` what it knew. It learns from what it
    /// hears and says nothing until its neighbours have forgotten that it was their next hop.
    pub fn rebooted(me: NodeId, settings: Settings, now: Time) -> Self {
        let silent_until = now + settings.delete_period();
        Aodv { silent_until, ..Aodv::new(me, settings) }
    }

    /// AODV at the node `me` in one of its lives. The numbers of a later one begin ahead of those
    /// before it, so that its requests are not old news (6.1).
    fn in_life(me: NodeId, settings: Settings, life: Life) -> Self {
        if life.incarnation == 0 {
            return Aodv::new(me, settings);
        }
        let rebooted = Aodv::rebooted(me, settings, life.since);
        let sequence = rebooted.sequence.plus(u32::from(life.incarnation) << 16);
        Aodv { sequence, ..rebooted }
    }

    /// Whether it waits after a reboot.
    fn is_silent(&self, now: Time) -> bool {
        now < self.silent_until
    }

    /// The neighbour to which packets for `destination` go at `now`, for tools and tests.
    pub fn next_hop(&self, destination: NodeId, now: Time) -> Option<NodeId> {
        self.way(destination, now).map(|(next, _)| next)
    }

    /// The same, and over how many hops.
    fn way(&self, destination: NodeId, now: Time) -> Option<(NodeId, u8)> {
        self.table.get(destination)?.way(now).filter(|_| !self.is_silent(now))
    }

    fn packet(flow: FlowId, ttl: u8, message: &Message) -> Packet {
        Packet { ttl, ..Packet::message(flow, NextHeader::ROUTING, message.emit()) }
    }

    fn broadcast(&self, ttl: u8, message: &Message) -> Packet {
        Self::packet(FlowId::between(self.me, NodeId::BROADCAST), ttl, message)
    }

    /// Take down and forget what has had its time.
    fn expire(&mut self, now: Time) {
        let forget = self.settings.forget_sequence_numbers;
        self.table.expire(now, forget.then(|| self.settings.delete_period()));
    }

    /// Do what is due, and set the deadline for what comes next.
    fn settle(&mut self, cx: &mut Cx) {
        while let Some(step) = self.agenda.pop(cx.now) {
            self.steps.push_back(step);
        }
        while let Some(destination) = self.repairs.pop(cx.now) {
            self.end_repair(cx, destination);
        }
        self.tick = self.next_tick(cx.now);
        self.deadline = self.agenda.first().min(self.repairs.first()).min(self.tick);
    }

    /// When ns-2's route cache timer finds that packets wait for whom it may search (its other
    /// duty, to take down what has expired, is done when somebody looks).
    fn next_tick(&self, now: Time) -> Time {
        let timeout = |to| self.table.get(to).map_or(Time::ZERO, |entry| entry.search.timeout);
        let first = self.held.packets().map(|packet| timeout(packet.flow.destination)).min();
        first.map_or(Time::NEVER, |first| tick_at(first.max(now), TICK))
    }
}

impl Routing for Aodv {
    fn route(&mut self, cx: &mut Cx, packet: &mut Packet) -> Route {
        let FlowId { source, destination, .. } = packet.flow;
        let starts_here = source == self.me;
        // A packet that comes back to its source has been in a loop.
        if starts_here && packet.hops() > 0 {
            return Route::Unreachable;
        }
        if self.is_silent(cx.now) {
            // What it hears now may be of routes through itself.
            if starts_here {
                return Route::Discovering;
            }
            // 6.13: somebody still takes this node for its next hop.
            self.silent_until = cx.now + self.settings.delete_period();
            self.cannot_forward(cx, destination);
            return Route::Unreachable;
        }
        let state = match self.table.get_mut(destination) {
            // Deviation: 6.2 has the routes to the source and to both neighbours live on, too. In ns-2
            // only the one that is used does.
            Some(entry) if entry.is_up(cx.now) => {
                entry.expires = cx.now + self.settings.active_route_timeout;
                return Route::Via(entry.next);
            }
            Some(entry) => entry.state,
            None => State::Down,
        };
        if starts_here || state == State::InRepair {
            return Route::Discovering;
        }
        self.expire(cx.now);
        self.cannot_forward(cx, destination);
        Route::Unreachable
    }

    fn hops_to(&self, destination: NodeId, now: Time) -> Option<u32> {
        self.way(destination, now).map(|(_, hops)| u32::from(hops))
    }

    fn hold(&mut self, cx: &mut Cx, packet: Packet) {
        self.expire(cx.now);
        let FlowId { source, destination, .. } = packet.flow;
        self.held.push(cx, packet);
        if source == self.me {
            self.search(cx, destination);
        }
        self.settle(cx);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) {
        if rx.packet.protocol() != Protocol::Routing || rx.heard == Heard::Overheard {
            return;
        }
        let message = match &rx.packet.payload {
            Payload::Real(bytes) => parse(bytes).ok(),
            Payload::Virtual(_) | Payload::Coded(_) => None,
        };
        self.expire(cx.now);
        match message {
            Some(Message::Request(request)) => self.on_request(cx, &rx.packet, rx.from, request),
            Some(Message::Reply(reply)) => self.on_reply(cx, &rx.packet, rx.from, reply),
            Some(Message::Error(unreachable)) => self.on_error(cx, rx.from, &unreachable),
            None => cx.trace(EventKind::Malformed, rx.packet.flow, 0, Tag::NONE),
        }
        self.settle(cx);
    }

    fn on_link_failure(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.expire(cx.now);
        self.link_failed(cx, packet, next);
        self.settle(cx);
    }

    /// Deviation: no local repair, which needs a packet to search for.
    fn on_link_lost(&mut self, cx: &mut Cx, destination: NodeId, next: NodeId) {
        self.expire(cx.now);
        if self.table.get(destination).is_some() {
            self.neighbour_lost(cx, next);
        }
        self.settle(cx);
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<RoutingStep> {
        self.steps.pop_front()
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.expire(cx.now);
        if self.tick <= cx.now {
            let destination = |packet: &Packet| packet.flow.destination;
            let mut waiting: Vec<NodeId> = self.held.packets().map(destination).collect();
            waiting.sort_unstable();
            waiting.dedup();
            for destination in waiting {
                self.search(cx, destination);
            }
        }
        self.settle(cx);
    }

    fn deadline(&self) -> Time {
        self.deadline
    }

    fn backlog(&self) -> usize {
        let leaving = |step: &&RoutingStep| matches!(step, RoutingStep::Forward(..));
        let later = self.agenda.jobs().filter(leaving).count();
        self.held.len() + later + self.steps.iter().filter(leaving).count()
    }

    fn footprint(&self) -> usize {
        let waiting = self.held.len() + self.agenda.len() + self.repairs.len();
        waiting
            + self.steps.len()
            + self.table.footprint()
            + self.memory.len()
            + self.blacklist.len()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        match &packet.payload {
            Payload::Real(bytes) => Message::class(bytes),
            Payload::Virtual(_) | Payload::Coded(_) => FrameClass::Routing,
        }
    }
}
