//! The place of a controlled node, which its parts share: what it is told, what it has seen, and when.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use multihop_core::{Duration, Gauge, Time};

use crate::control::Controls;
use crate::features::Seen;

/// Who decides what a node does.
pub trait Driver: Send {
    /// The node says what it has seen in a control step that is about to end.
    fn tell(&mut self, seen: Seen);

    /// What it is to do in the step that begins.
    fn controls(&mut self) -> Controls;
}

/// When control steps end, and what nodes have to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// When the first control step begins.
    pub origin: Time,
    /// How long a step is.
    pub step: Duration,
    /// Whether somebody asks what radios do with their time.
    pub watches_air: bool,
    /// Whether somebody asks for frames for others.
    pub overhears: bool,
    /// Whether windows are controlled.
    pub windows: bool,
}

impl Terms {
    /// The first end of a step after `now`.
    pub fn next(&self, now: Time) -> Time {
        if now < self.origin { self.origin } else { self.begin(now) + self.step }
    }

    /// When the step of `now` has begun; the origin before the first.
    fn begin(&self, now: Time) -> Time {
        if now < self.origin {
            return self.origin;
        }
        let done = now.since(self.origin).nanos() / self.step.nanos();
        self.origin + Duration::from_nanos(done * self.step.nanos())
    }

    /// When a node says next what it has seen: right before the end of a step, so that it is said before the run ends,
    /// too.
    pub fn before_next(&self, now: Time) -> Time {
        let before = |end: Time| Time::from_nanos(end.nanos() - 1);
        let end = self.next(now);
        if before(end) > now { before(end) } else { before(end + self.step) }
    }
}

/// What the parts of one node share. A lock is taken at the ends of steps, and at acknowledgments.
pub(crate) struct Station {
    pub(crate) terms: Terms,
    driver: Box<dyn Driver>,
    /// What holds in the step that has begun then.
    told: Option<(Time, Controls)>,
    acknowledged: u64,
    round_trip: Option<Duration>,
    /// When the step began of which nothing was told yet.
    since: Time,
}

impl Station {
    /// What the node is to do at `now`: its driver is asked once a step.
    pub(crate) fn controls(&mut self, now: Time) -> Controls {
        if now < self.terms.origin {
            return Controls::default();
        }
        let begin = self.terms.begin(now);
        match self.told {
            Some((at, controls)) if at == begin => controls,
            _ => {
                let controls = self.driver.controls();
                self.told = Some((begin, controls));
                controls
            }
        }
    }

    /// The node says what it has seen, right before `end`.
    pub(crate) fn tell(&mut self, end: Time, seen: Seen) {
        let acknowledged = std::mem::take(&mut self.acknowledged);
        let length = end.since(self.since);
        self.since = end;
        self.driver.tell(Seen { length, acknowledged, round_trip: self.round_trip, ..seen });
    }

    /// The node has begun, or begun anew.
    pub(crate) fn begins(&mut self, now: Time) {
        self.since = now;
    }

    /// A transport of the node shows its state.
    pub(crate) fn shows(&mut self, gauge: Gauge) {
        match gauge {
            Gauge::Acknowledged(count) => self.acknowledged += u64::from(count),
            Gauge::RoundTrip(sample) => self.round_trip = Some(sample),
            Gauge::Window(_) => {}
        }
    }
}

/// A station, in the hands of the parts of its node.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Station>>);

impl Shared {
    /// The station of a node that `driver` controls.
    pub(crate) fn new(terms: Terms, driver: Box<dyn Driver>) -> Self {
        let (told, since) = (None, Time::ZERO);
        let station = Station { terms, driver, told, acknowledged: 0, round_trip: None, since };
        Shared(Arc::new(Mutex::new(station)))
    }

    pub(crate) fn held(&self) -> MutexGuard<'_, Station> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
