//! The place between a learner and a node that it controls: controls down, what the node has seen up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use multihop_policy::{Controls, Driver, Seen, Terms, steered};
use multihop_setup::{SchemeParts, Steer};

/// What a learner wants of a node, and what that has seen since somebody looked.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    controls: Controls,
    seen: Seen,
}

/// The seat of one agent. The node takes the lock twice a step.
#[derive(Clone)]
pub struct Seat {
    place: Arc<Mutex<Place>>,
    terms: Terms,
}

impl Seat {
    /// A seat at which nobody has decided anything.
    pub fn new(terms: Terms) -> Self {
        Seat { place: Arc::default(), terms }
    }

    /// A learner decides.
    pub fn control(&self, controls: Controls) {
        self.held().controls = controls;
    }

    /// What the node has seen since the last time; nothing if it said nothing.
    pub fn seen(&self) -> Seen {
        std::mem::take(&mut self.held().seen)
    }

    fn held(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Steer for Seat {
    fn take(self: Arc<Self>, parts: SchemeParts) -> SchemeParts {
        let (terms, driver) = (self.terms, Seat::clone(&self));
        steered(parts, terms, Box::new(driver))
    }

    fn identity(&self) -> String {
        // Of what a learner decides, nothing is known.
        format!("{:?}", self.terms)
    }
}

impl Driver for Seat {
    fn tell(&mut self, seen: Seen) {
        self.held().seen = seen;
    }

    fn controls(&mut self) -> Controls {
        self.held().controls
    }
}
