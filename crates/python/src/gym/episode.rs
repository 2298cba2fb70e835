//! One run that goes on by control steps.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use multihop_core::{Duration, NodeId, Time};
use multihop_policy::{Controls, Terms};
use multihop_setup::{Setup, Steer};
use multihop_sim::{Options, Run, Simulation, Tables};

use super::features::{Agent, Step, features};
use super::meter::Meter;
use super::seat::Seat;

/// A run that agents control, one step after another.
pub struct Episode {
    run: Run<'static>,
    meter: Rc<RefCell<Meter>>,
    terms: Terms,
    /// How many steps are over, and how many there are.
    done: u64,
    steps: u64,
    agents: Vec<Place>,
}

/// Where an agent is.
struct Place {
    seat: Arc<Seat>,
    sources: Vec<usize>,
}

impl Episode {
    /// The run of `setup` up to the end of its warm-up. The agents are nodes, by their numbers.
    pub fn begin(mut setup: Setup, agents: &[NodeId], terms: Terms) -> Self {
        let steps = setup.end.since(setup.warmup).nanos() / terms.step.nanos();
        let places: Vec<Place> = agents.iter().map(|node| place(&setup, *node, terms)).collect();
        // All others are as they are in any run.
        for (agent, place) in agents.iter().zip(&places) {
            let seat: Arc<dyn Steer> = Arc::<Seat>::clone(&place.seat);
            setup.steered.insert(*agent, seat);
        }
        let meter = Rc::new(RefCell::new(Meter::new(setup.sources.len())));
        let run =
            Simulation::new(setup, Options::default()).watched_by(Rc::clone(&meter)).into_run();
        let mut episode = Episode { run, meter, terms, done: 0, steps, agents: places };
        episode.run.advance_until(terms.origin);
        episode
    }

    /// Every agent does what it is told until the step is over.
    pub fn step(&mut self, controls: impl Iterator<Item = Controls>) {
        for (place, controls) in self.agents.iter().zip(controls) {
            place.seat.control(controls);
        }
        self.done += 1;
        self.run.advance_until(self.end());
    }

    /// When the last step ended.
    fn end(&self) -> Time {
        self.terms.origin + Duration::from_nanos(self.terms.step.nanos() * self.done)
    }

    /// What there is to know of the last step, agent by agent; of the warm-up, before the first.
    pub fn look(&mut self, known: &mut Vec<f64>) {
        let length =
            if self.done > 0 { self.terms.step } else { self.terms.origin.since(Time::ZERO) };
        let mut meter = self.meter.borrow_mut();
        let step =
            Step { length, over: self.done as f64 / self.steps.max(1) as f64, meter: &meter };
        for Place { seat, sources } in &self.agents {
            let agent = Agent { sources, seen: seat.seen() };
            known.extend(features(&step, &agent));
        }
        meter.restart();
    }

    /// How many agents there are.
    pub fn agents(&self) -> usize {
        self.agents.len()
    }

    /// Go on to the end of the run: its tables.
    pub fn finish(self) -> Tables {
        self.run.finish()
    }
}

fn place(setup: &Setup, node: NodeId, terms: Terms) -> Place {
    let begins = |at: &usize| setup.sources[*at].flow.source == node;
    let sources = (0..setup.sources.len()).filter(begins).collect();
    Place { seat: Arc::new(Seat::new(terms)), sources }
}
