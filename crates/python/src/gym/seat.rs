//! The place between a learner and a node that it controls: controls down, what the node has seen up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use multihop_policy::{Controls, Driver, Seen, Terms, steered};
use multihop_setup::{SchemeParts, Steer};

/// What a learner wants of a node, and what that has seen since somebody looked.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    controls: Controls,
    seen: Seen,
    /// Whether the node has said something since somebody looked.
    told: bool,
}

/// The bell that the seats of an episode share: it has rung if a step of any agent has ended.
#[derive(Clone, Default)]
pub struct Bell(Arc<AtomicBool>);

impl Bell {
    fn ring(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it has rung since the last time.
    pub fn has_rung(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

/// The seat of one agent. The node takes the lock twice a step.
#[derive(Clone)]
pub struct Seat {
    place: Arc<Mutex<Place>>,
    terms: Terms,
    bell: Bell,
}

impl Seat {
    /// A seat at which nobody has decided anything.
    pub fn new(terms: Terms, bell: Bell) -> Self {
        Seat { place: Arc::default(), terms, bell }
    }

    /// A learner decides.
    pub fn control(&self, controls: Controls) {
        self.held().controls = controls;
    }

    /// What the node has seen in its last step; `None` if none has ended since the last time.
    pub fn seen(&self) -> Option<Seen> {
        let mut place = self.held();
        std::mem::take(&mut place.told).then_some(place.seen)
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
        let mut place = self.held();
        (place.seen, place.told) = (seen, true);
        drop(place);
        self.bell.ring();
    }

    fn controls(&mut self) -> Controls {
        self.held().controls
    }
}
