//! Nodes that restart.

use std::collections::{BTreeMap, VecDeque};

use multihop_core::{DropCause, Medium, NodeId, Packet, Payload, Time};
use multihop_routing::{FixedRoutes, Life};
use multihop_setup::{Restart, Setup};
use multihop_trace::Observation;

use super::Engine;

/// The restarts to come, and what nodes need for them.
pub(super) struct Restarts {
    due: VecDeque<Restart>,
    /// The fixed routes of those that restart.
    routes: BTreeMap<NodeId, FixedRoutes>,
    /// Which life each of them is in.
    lives: BTreeMap<NodeId, u16>,
}

impl Restarts {
    /// The restarts of `setup`; `routes` are those of all its nodes.
    pub(super) fn new(setup: &Setup, routes: &[FixedRoutes]) -> Self {
        let nodes = setup.restarts.iter().map(|restart| restart.node);
        Restarts {
            due: setup.restarts.iter().copied().collect(),
            routes: nodes.map(|node| (node, routes[node.index()].clone())).collect(),
            lives: BTreeMap::new(),
        }
    }

    /// When the next one is due.
    pub(super) fn next(&self) -> Time {
        self.due.front().map_or(Time::NEVER, |restart| restart.at)
    }

    /// The node's fixed routes, and the life that begins.
    fn begin(&mut self, Restart { node, at }: Restart) -> (FixedRoutes, Life) {
        let incarnation = self.lives.entry(node).or_default();
        *incarnation += 1;
        let routes = self.routes.get(&node).cloned().unwrap_or_default();
        (routes, Life { incarnation: *incarnation, since: at })
    }
}

impl<M: Medium + ?Sized> Engine<'_, M> {
    /// The node whose restart is due forgets everything. What was inside it is lost, and what it
    /// transmits is cut off.
    pub(super) fn restart(&mut self) {
        let Some(restart) = self.restarts.due.pop_front() else { return };
        let node = restart.node;
        self.advance(restart.at);
        self.observers.tell(self.now, Observation::Restart { node });
        for tag in self.observers.inside(node) {
            let flow = self.setup.sources[tag.source as usize].flow;
            self.dropped(node, &Packet::new(flow, Payload::Virtual(0), tag), DropCause::Restarted);
        }
        if let Some((recorded, _)) = &mut self.recording {
            // a recording is of one life
            recorded.take_if(|recorded| *recorded == node);
        }
        for done in self.restart_medium(node) {
            self.service_ended(node, &done);
        }
        let (routes, life) = self.restarts.begin(restart);
        self.nodes[node.index()] = multihop_compose::node(&self.setup, node, routes, life);
        self.open(node);
        self.settle(node);
    }
}
