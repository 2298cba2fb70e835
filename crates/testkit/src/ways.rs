//! Routing that loses and finds ways when the test says so.

use std::sync::{Arc, Mutex, MutexGuard};

use multihop_core::{Cx, NodeId, Packet, Route, RouteNews, Routing, RoutingStep, Time};

use crate::Links;

/// The shortest ways of a network, known to every node until the test says otherwise. A source holds
/// packets while it has no way, as it does with routing that searches.
#[derive(Clone)]
pub struct Ways(Arc<Mutex<Vec<Table>>>);

/// What one node knows.
#[derive(Default)]
struct Table {
    /// The next hop to each node.
    next: Vec<Option<usize>>,
    known: Vec<bool>,
    fragile: bool,
    steps: Vec<RoutingStep>,
    held: Vec<Packet>,
}

impl Ways {
    /// The shortest ways over `links`.
    pub fn shortest(links: &Links) -> Self {
        let ways: Vec<_> = (0..links.nodes()).map(|to| links.ways_to(to)).collect();
        let table = |at| {
            let next = ways.iter().map(|way| way[at]).collect();
            Table { next, known: vec![true; ways.len()], ..Table::default() }
        };
        Ways(Arc::new(Mutex::new((0..links.nodes()).map(table).collect())))
    }

    /// The routing of node `at`.
    pub fn routing(&self, at: usize) -> Box<dyn Routing> {
        Box::new(Known { ways: self.clone(), at })
    }

    /// Node `at` loses its way to a destination when the MAC says so; others believe in their links.
    pub fn break_at(&self, at: usize) {
        self.tables()[at].fragile = true;
    }

    /// Node `at` loses the way to `destination`. It says so when its node asks next.
    pub fn lose(&self, at: usize, destination: usize) {
        let table = &mut self.tables()[at];
        if at != destination && std::mem::replace(&mut table.known[destination], false) {
            let lost = RouteNews::Lost(NodeId(destination as u32));
            table.steps.push(RoutingStep::Announce(lost));
        }
    }

    /// Node `at` finds the way to `destination`, and forwards what it has held. It says so when its
    /// node asks next.
    pub fn find(&self, at: usize, destination: usize) {
        let table = &mut self.tables()[at];
        if std::mem::replace(&mut table.known[destination], true) {
            return;
        }
        let found = RouteNews::Found { destination: NodeId(destination as u32), hops: 1 };
        table.steps.push(RoutingStep::Announce(found));
    }

    /// Every node finds all its ways.
    pub fn find_all(&self) {
        let nodes = self.tables().len();
        (0..nodes).for_each(|at| (0..nodes).for_each(|to| self.find(at, to)));
    }

    fn tables(&self) -> MutexGuard<'_, Vec<Table>> {
        self.0.lock().expect("nobody panics while reading")
    }
}

struct Known {
    ways: Ways,
    at: usize,
}

impl Known {
    fn with<R>(&self, read: impl FnOnce(&mut Table) -> R) -> R {
        read(&mut self.ways.tables()[self.at])
    }
}

impl Table {
    fn next(&self, packet: &Packet) -> Option<NodeId> {
        let to = packet.flow.destination.index();
        self.next[to].filter(|_| self.known[to]).map(|next| NodeId(next as u32))
    }

    /// A packet that was held and has a way now.
    fn forward(&mut self) -> Option<RoutingStep> {
        let at = self.held.iter().position(|packet| self.next(packet).is_some())?;
        let packet = self.held.remove(at);
        self.next(&packet).map(|next| RoutingStep::Forward(packet, next))
    }
}

impl Routing for Known {
    fn route(&mut self, cx: &mut Cx, packet: &mut Packet) -> Route {
        match self.with(|table| table.next(packet)) {
            Some(next) => Route::Via(next),
            None if packet.flow.source == cx.me => Route::Discovering,
            None => Route::Unreachable,
        }
    }

    fn hold(&mut self, _cx: &mut Cx, packet: Packet) {
        self.with(|table| table.held.push(packet));
    }

    fn on_link_lost(&mut self, _cx: &mut Cx, destination: NodeId, _next: NodeId) {
        if self.with(|table| table.fragile) {
            self.ways.lose(self.at, destination.index());
        }
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<RoutingStep> {
        self.with(|table| {
            if table.steps.is_empty() { table.forward() } else { Some(table.steps.remove(0)) }
        })
    }

    fn deadline(&self) -> Time {
        if self.with(|table| table.steps.is_empty()) { Time::NEVER } else { Time::ZERO }
    }

    fn backlog(&self) -> usize {
        self.with(|table| table.held.len())
    }
}
