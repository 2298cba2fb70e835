//! A run whose medium another simulator has, and whose clock therefore goes by that one's. Nodes, sources and
//! observers are those of every run, and so are the tables.

use multihop_core::{NodeId, Outcome, Time};
use multihop_medium::{Order, Outer, OuterFrame, OuterReception, Sensed};
use multihop_setup::Setup;
use multihop_trace::Observation;

use super::Engine;
use crate::options::Options;
use crate::results::Tables;

/// What only our own radios count: columns of the table of nodes that would be zeros without them.
const OF_OUR_RADIOS: [&str; 6] =
    ["transmit_s", "receive_s", "idle_s", "collisions", "capture_lost", "bit_errors"];

/// A run on another simulator's medium. That simulator wakes it when it is due, carries out what it orders after each
/// call, and tells it what happens on the air. No time that it says is before one that it has said.
pub struct OuterRun {
    engine: Engine<'static, Outer>,
}

impl OuterRun {
    /// A run of `setup`, which begins at time zero.
    ///
    /// # Errors
    /// If the nodes have wires, or the scheme needs of its MAC what other simulators' do not offer; in words.
    pub fn new(setup: Setup) -> Result<Self, String> {
        let Some(medium) = Outer::new(&setup) else {
            return Err(
                "the nodes have wires, and only radios can be another simulator's; remove [wired]"
                    .into(),
            );
        };
        for number in (0..setup.nodes.len() as u32).map(NodeId) {
            let scheme = setup.scheme_of(number);
            if let Some(lacking) = scheme.lacks(setup.params_of(number), Outer::offers) {
                return Err(format!(
                    "'{}' needs {lacking}, which other simulators do not offer; use another scheme",
                    scheme.name
                ));
            }
        }
        let mut engine = Engine::new(Box::new(medium), setup, Options::default());
        engine.tell_start();
        Ok(OuterRun { engine })
    }

    /// What is run.
    pub fn setup(&self) -> &Setup {
        &self.engine.setup
    }

    /// When the run wants to be woken; at its end at the latest.
    pub fn due(&self) -> Time {
        self.engine.wakes.next().0.min(self.engine.stop)
    }

    /// It is `now`: what is due happens.
    pub fn wake(&mut self, now: Time) {
        let engine = &mut self.engine;
        let now = now.min(engine.setup.end);
        loop {
            let (at, node) = engine.wakes.next();
            if at.min(engine.stop) > now || at.min(engine.stop) >= engine.setup.end {
                break;
            }
            if at >= engine.stop {
                engine.pause();
            } else {
                engine.advance(at);
                engine.steps += 1;
                engine.step(node);
            }
        }
        engine.advance(now);
    }

    /// What the other simulator is to do next, if anything.
    pub fn poll_order(&mut self) -> Option<Order> {
        self.engine.medium.poll_order()
    }

    /// `frame` begins to be on the air `now`. `number` is that of the frame that it is or, as an RTS, announces. Returns
    /// whether it is of a node, and for one or for all; if not, nothing has happened.
    pub fn began(&mut self, now: Time, frame: &OuterFrame, number: Option<u32>) -> bool {
        self.wake(now);
        let Engine { now, medium, observers, nodes, .. } = &mut self.engine;
        let is_there = |node: NodeId| node.index() < nodes.len();
        if !is_there(frame.from) || !frame.to.is_none_or(is_there) {
            return false;
        }
        observers.tell(*now, Observation::Transmission(medium.began(frame, number, *now)));
        true
    }

    /// What the radio of `node` senses is something else from `now` on.
    pub fn senses(&mut self, now: Time, node: NodeId, sensed: Sensed) {
        self.engine.medium.senses(node, sensed, now);
    }

    /// The radio of `node` has decoded a frame by `now`. Returns whether there is such a frame; if not, nothing has
    /// happened.
    pub fn heard(&mut self, now: Time, node: NodeId, reception: &OuterReception) -> bool {
        self.wake(now);
        if node.index() >= self.engine.nodes.len() {
            return false;
        }
        let Some(mut rx) = self.engine.medium.heard(node, reception) else { return false };
        self.engine.hear(node, &mut rx);
        self.engine.settle(node);
        true
    }

    /// Frame `number` of `node` has ended so `now`. Returns whether it was its frame; if not, nothing has happened.
    pub fn ended(&mut self, now: Time, (node, number): (NodeId, u32), outcome: Outcome) -> bool {
        self.wake(now);
        let at = self.engine.now;
        let Some(done) = self.engine.medium.ended(node, number, outcome, at) else {
            return false;
        };
        self.engine.service_ended(node, &done);
        self.engine.finish(node, &done);
        self.engine.settle(node);
        true
    }

    /// The run is over: its tables, that of nodes without what only our radios count.
    pub fn tables(mut self) -> Tables {
        self.wake(self.setup().end);
        let mut tables = self.engine.tables();
        tables.nodes.retain(|(name, _)| !OF_OUR_RADIOS.contains(name));
        tables
    }
}
