//! Dynamic source routing (RFC 4728), with the parameters and the habits of ns-2 2.35, against which it
//! is compared.
//!
//! The source writes the whole way into its packets. It searches for one with a route request, first among
//! its neighbours, then in the whole network; a request collects whom it passes, and the target, or a node
//! that knows a way, sends the path back in a route reply. Nodes remember the paths that they use and,
//! listening, those of others (`cache`); who overhears that it comes later on a path shortens it
//! (`listening`). Links are watched by the MAC: what it cannot deliver takes another way if the node
//! knows one (salvaging), and the source learns of the broken link by a route error (`maintenance`). Once
//! the nodes on a path know it by a number, packets leave it out (`flow_state`).
//!
//! | RFC 4728, section 9 | here | this value, ns-2's | RFC's |
//! | --- | --- | --- | --- |
//! | `BroadcastJitter` | `JITTER` | 0 to 10 ms | 10 ms |
//! | `MAX_SALVAGE_COUNT` | [`Settings::salvage_limit`] | 15 | 15 |
//! | nodes on a path, 5-bit and 6-bit fields | `MOST_NODES` | 16 | 15 hops and more |
//! | `RouteCacheTimeout` | [`Settings::cache_timeout`] | none | 300 s |
//! | `SendBufferTimeout`, `SendBuffer` | `HELD_TIMEOUT`, `HELD_LIMIT` | 30 s, 64 packets | 30 s |
//! | `RequestTableSize` | `MOST_KNOWN` | 128 nodes | 64 nodes |
//! | `RequestPeriod` | [`Settings::request_period`] | 0.5 s | 0.5 s |
//! | 4.3: growth of the wait | [`Settings::request_growth`] | 4 | 2 |
//! | `MaxRequestPeriod` | [`Settings::longest_request_period`] | 10 s | 10 s |
//! | `MaxRequestRexmt` | none: a packet waits as long as it may | none | 16 |
//! | `NonpropRequestTimeout` | [`Settings::neighbours_timeout`], then the next check | 30 ms | 30 ms |
//! | `GratReplyHoldoff` | `SHORTENING_PAUSE` | 1 s | 1 s |
//! | `MaintHoldoffTime`, passive acknowledgments | none: the MAC acknowledges | none | 0.25 s |
//! | `DefaultFlowTimeout` | `FLOW_TIMEOUT_S` | 60 s | 60 s |
//! | checks of who waits | `CHECK` | 30 to 60 ms | none |
//! | gap between released packets | `RELEASE_GAP` | 30 ms | none |
//! | 8.2.5: wait before a reply from the cache | none | none | random, by the length of the route |
//! | messages that wait for the MAC | `WAITING_LIMIT`, in order | 50 | any |
//! | path cache | [`Settings::primary_cache`], [`Settings::secondary_cache`] | 30 and 64 paths | any |
//!
//! What differs from the RFC or from ns-2 is marked `Deviation:` at its place.

mod cache;
mod discovery;
mod flow_state;
mod forwarding;
mod listening;
mod maintenance;
mod news;
mod options;
mod parameters;
mod path;
mod requests;
mod settings;

use std::collections::VecDeque;

use multihop_core::{
    Cx, DropCause, EventKind, FlowId, FrameClass, Heard, NodeId, Packet, Protocol, QueueDiscipline,
    Receiver, Route, Routing, RoutingStep, Rx, Time, Vocabulary,
};

pub use options::{Broken, DSR, FORMAT, Header, Reply, Request, SourceRoute, Unknown};
pub use path::Path;
pub use settings::Settings;

use cache::Cache;
use flow_state::Flows;
use listening::Listening;
use maintenance::HeldError;
use news::News;
use parameters::{HELD_LIMIT, HELD_TIMEOUT, SPREAD, WAITING_LIMIT};
use requests::Requests;

use crate::agenda::Agenda;
use crate::send_buffer::SendBuffer;
use crate::words::LOCAL_REPAIR;
use crate::{Life, Routes, RoutingProtocol};

/// DSR.
pub static ROUTING: RoutingProtocol = RoutingProtocol {
    name: "dsr",
    title: "DSR",
    source: "Johnson, Hu, Maltz: The Dynamic Source Routing Protocol (DSR) for Mobile Ad Hoc Networks \
             for IPv4. RFC 4728, 2007",
    about: "Routes are searched for when they are needed, and stand in the packets. Nodes and flows need \
            not be in reach of each other; a search that fails shows in the results.",
    routes: Routes::Searched,
    most_hops: Some(path::MOST_NODES as u32 - 1),
    bidirectional: None,
    words: &[Vocabulary::Event(&LOCAL_REPAIR)],
    headers: &[&FORMAT],
    params: &settings::PARAMS,
    make: &|values, place| Box::new(Dsr::in_life(place.me, Settings::new(values), place.life)),
};

/// DSR at one node.
#[derive(Clone, Debug)]
pub struct Dsr {
    me: NodeId,
    settings: Settings,
    cache: Cache,
    requests: Requests,
    /// The number of the next request.
    next_request: u16,
    /// The identification of the next packet that carries a source route.
    next_packet: u16,
    flows: Flows,
    listening: Listening,
    /// The last error that this node was told, for its next request.
    error: Option<HeldError>,
    news: News,
    held: SendBuffer,
    /// When to look at who waits.
    check: Time,
    /// How many paths the cache had taken when it was looked at last.
    checked: u64,
    agenda: Agenda<RoutingStep>,
    steps: VecDeque<RoutingStep>,
    deadline: Time,
}

impl Dsr {
    /// DSR at the node `me`.
    pub fn new(me: NodeId, settings: Settings) -> Self {
        Self::in_life(me, settings, Life::default())
    }

    /// DSR at the node `me` in one of its lives. Its numbers begin far from those of the lives before it, so
    /// that its requests and flows are not taken for theirs. Packets begin at each node at another number:
    /// who salvages one of a flow, which has none, gives it one beside those of its source.
    fn in_life(me: NodeId, settings: Settings, life: Life) -> Self {
        let first = life.incarnation.wrapping_mul(SPREAD);
        Dsr {
            me,
            settings,
            cache: Cache::new(
                settings.primary_cache,
                settings.secondary_cache,
                settings.cache_timeout,
            ),
            requests: Requests::default(),
            next_request: first.wrapping_add(1),
            next_packet: first.wrapping_add((me.0 as u16).wrapping_mul(SPREAD)),
            flows: Flows::new(first),
            listening: Listening::default(),
            error: None,
            news: News::default(),
            held: SendBuffer::new(HELD_LIMIT, HELD_TIMEOUT),
            check: Time::NEVER,
            checked: 0,
            agenda: Agenda::default(),
            steps: VecDeque::new(),
            deadline: Time::NEVER,
        }
    }

    /// The path that a packet for `destination` would take from here, for tools and tests.
    pub fn path_to(&mut self, destination: NodeId, now: Time) -> Option<Path> {
        self.cache.find(destination, now)
    }

    /// Do what is due, and set the deadline for what comes next.
    fn settle(&mut self, cx: &mut Cx) {
        while let Some(step) = self.agenda.pop(cx.now) {
            self.steps.push_back(step);
        }
        while let Some(news) = self.news.poll() {
            self.steps.push_back(RoutingStep::Announce(news));
        }
        if self.held.len() == 0 {
            self.check = Time::NEVER;
        }
        self.deadline = self.agenda.first().min(self.check);
    }

    /// The packet, data or a message, leaves for `next`.
    fn leave(&mut self, packet: Packet, next: NodeId) {
        self.steps.push_back(Self::step(packet, next));
    }

    /// The step by which `packet` leaves for `next`.
    fn step(packet: Packet, next: NodeId) -> RoutingStep {
        if Header::is_message(&packet) {
            RoutingStep::Transmit(packet, Receiver::Node(next))
        } else {
            RoutingStep::Forward(packet, next)
        }
    }

    /// A header could not be read, or says what cannot be.
    fn malformed(cx: &mut Cx, packet: &Packet) {
        cx.trace(EventKind::Malformed, packet.flow, 0, packet.tag);
    }
}

impl Routing for Dsr {
    fn hops_to(&self, destination: NodeId, _now: Time) -> Option<u32> {
        self.news.hops_to(destination)
    }

    fn queue_discipline(&self) -> QueueDiscipline {
        QueueDiscipline::InOrder(WAITING_LIMIT)
    }

    fn route(&mut self, cx: &mut Cx, packet: &mut Packet) -> Route {
        let FlowId { source, destination, .. } = packet.flow;
        let route = if packet.hops() == 0 {
            self.originate(cx, packet, destination)
        } else if source == self.me && !self.is_led_back(packet) {
            Route::Unreachable
        } else {
            self.forward(cx, packet)
        };
        self.settle(cx);
        route
    }

    fn hold(&mut self, cx: &mut Cx, packet: Packet) {
        match self.why_lost(&packet) {
            Some(cause) => {
                if cause == DropCause::Malformed {
                    Self::malformed(cx, &packet);
                }
                cx.drop(packet, cause);
            }
            None => self.keep(cx, packet),
        }
        self.settle(cx);
    }

    fn promiscuous(&self) -> bool {
        self.settings.listen
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) {
        match (rx.packet.protocol(), rx.heard) {
            (Protocol::Routing, heard) => {
                self.on_message(cx, &rx.packet, heard);
                self.settle(cx);
            }
            (Protocol::Scheme, Heard::Overheard) if self.settings.listen => {
                self.overhear(cx, &rx.packet);
                self.settle(cx);
            }
            _ => {}
        }
    }

    fn on_link_failure(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.link_failed(cx, packet, next);
        self.settle(cx);
    }

    fn on_unsent(&mut self, cx: &mut Cx, packet: Packet, _next: NodeId) {
        self.unsent(cx, packet);
        self.settle(cx);
    }

    fn on_unresolved(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.link_failed(cx, packet, next);
        self.settle(cx);
    }

    fn on_link_lost(&mut self, cx: &mut Cx, destination: NodeId, next: NodeId) {
        self.link_lost(cx, destination, next);
        self.settle(cx);
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<RoutingStep> {
        self.steps.pop_front()
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        if self.check <= cx.now {
            self.check_waiting(cx);
        }
        self.settle(cx);
    }

    fn deadline(&self) -> Time {
        self.deadline
    }

    fn backlog(&self) -> usize {
        let scheme = |packet: &&Packet| !Header::is_message(packet);
        let leaving = |step: &&RoutingStep| matches!(step, RoutingStep::Forward(..));
        self.held.packets().filter(scheme).count()
            + self.agenda.jobs().filter(leaving).count()
            + self.steps.iter().filter(leaving).count()
    }

    fn footprint(&self) -> usize {
        let waiting = self.held.len() + self.agenda.len() + self.steps.len();
        let known = self.cache.len() + self.requests.len() + self.flows.len();
        waiting + known + self.listening.len() + self.news.len()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        Header::class(packet)
    }
}
