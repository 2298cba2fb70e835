//! One run that goes on by control steps.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use multihop_core::{Duration, NodeId, Time};
use multihop_policy::{Controls, Seen, Terms};
use multihop_setup::{Setup, Steer};
use multihop_sim::{Options, Run, Simulation, Tables};

use super::features::{Agent, COUNT, Step, features};
use super::meter::Meter;
use super::seat::{Bell, Seat};

/// A run that agents control, one step after another.
pub struct Episode {
    run: Run<'static>,
    meter: Rc<RefCell<Meter>>,
    bell: Bell,
    terms: Terms,
    /// When the first step began, or the last one ended; and when that began.
    now: Time,
    since: Time,
    /// When the last step ends.
    end: Time,
    agents: Vec<Place>,
}

/// Where an agent is.
struct Place {
    seat: Arc<Seat>,
    sources: Vec<usize>,
    /// What its node saw in its last step, and whether that has just ended.
    seen: Seen,
    acts: bool,
}

/// What there is to know of the last step.
pub struct Known {
    /// Of every agent all features, and whether its next action counts.
    pub features: Vec<f64>,
    pub acts: Vec<bool>,
    /// When the step ended, and whether the episode did.
    pub now: Time,
    pub over: bool,
}

impl Episode {
    /// The run of `setup` up to the end of its warm-up. The agents are nodes, by their numbers.
    pub fn begin(mut setup: Setup, agents: &[NodeId], terms: Terms) -> Self {
        let bell = Bell::default();
        let end = match terms.event {
            None => {
                let steps = setup.end.since(setup.warmup).nanos() / terms.step.nanos();
                terms.origin + terms.step * steps
            }
            Some(_) => setup.end,
        };
        let places: Vec<Place> =
            agents.iter().map(|node| place(&setup, *node, terms, &bell)).collect();
        // All others are as they are in any run.
        for (agent, place) in agents.iter().zip(&places) {
            let seat: Arc<dyn Steer> = Arc::<Seat>::clone(&place.seat);
            setup.steered.insert(*agent, seat);
        }
        let meter = Rc::new(RefCell::new(Meter::new(setup.sources.len())));
        let run =
            Simulation::new(setup, Options::default()).watched_by(Rc::clone(&meter)).into_run();
        let (now, since) = (terms.origin, Time::ZERO);
        let mut episode = Episode { run, meter, bell, terms, now, since, end, agents: places };
        episode.run.advance_until(terms.origin);
        episode
    }

    /// Every agent does what it is told until the step is over.
    pub fn step(&mut self, controls: impl Iterator<Item = Controls>) {
        for (place, controls) in self.agents.iter().zip(controls) {
            place.seat.control(controls);
        }
        self.since = self.now;
        self.now = (self.now + self.terms.step).min(self.end);
        if self.terms.event.is_some() {
            self.bell.has_rung();
            while self.run.advance_once(self.now) {
                if self.bell.has_rung() {
                    // Agents whose steps end at the same time are told of together.
                    self.now = self.run.progress().now + Duration::from_nanos(1);
                    break;
                }
            }
        }
        self.run.advance_until(self.now);
    }

    /// What there is to know of the last step; of the warm-up, before the first.
    pub fn look(&mut self) -> Known {
        let all = self.end.since(self.terms.origin).nanos().max(1);
        let gone = self.now.since(self.terms.origin).nanos();
        let mut meter = self.meter.borrow_mut();
        let length = self.now.since(self.since);
        let step = Step { length, over: gone as f64 / all as f64, meter: &meter };
        let mut known = Vec::with_capacity(self.agents.len() * COUNT);
        for place in &mut self.agents {
            let seen = place.seat.seen();
            // Where steps are of a time, a node that said nothing has seen nothing.
            place.acts = seen.is_some() || self.terms.event.is_none() || gone == 0;
            place.seen = seen.unwrap_or(if place.acts { Seen::default() } else { place.seen });
            let agent = Agent { sources: &place.sources, seen: place.seen };
            known.extend(features(&step, &agent));
        }
        meter.restart();
        let acts = self.agents.iter().map(|place| place.acts).collect();
        Known { features: known, acts, now: self.now, over: self.now >= self.end }
    }

    /// Go on to the end of the run: its tables.
    pub fn finish(self) -> Tables {
        self.run.finish()
    }
}

fn place(setup: &Setup, node: NodeId, terms: Terms, bell: &Bell) -> Place {
    let begins = |at: &usize| setup.sources[*at].flow.source == node;
    let sources = (0..setup.sources.len()).filter(begins).collect();
    let seat = Arc::new(Seat::new(terms, bell.clone()));
    Place { seat, sources, seen: Seen::default(), acts: true }
}
