//! The place of a controlled node, which its parts share: what it is told, what it has seen, and when.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use multihop_core::{Duration, Gauge, Time};

use crate::control::Controls;
use crate::events::Event;
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
    /// When the last one ends at the latest; [`Time::NEVER`] where nobody knows.
    pub until: Time,
    /// How long a step is; with an event, at most.
    pub step: Duration,
    /// What ends a step before its time.
    pub event: Option<Event>,
    /// Whether somebody asks what radios do with their time.
    pub watches_air: bool,
    /// Whether somebody asks for frames for others.
    pub overhears: bool,
    /// Whether windows are controlled.
    pub windows: bool,
}

/// The shortest time: a step that an event has ended is followed by the next one so much later.
const INSTANT: Duration = Duration::from_nanos(1);

impl Terms {
    /// When the step of `now` has begun where steps are of a time; the origin before the first.
    fn begin(&self, now: Time) -> Time {
        if now < self.origin {
            return self.origin;
        }
        let done = now.since(self.origin).nanos() / self.step.nanos();
        self.origin + Duration::from_nanos(done * self.step.nanos())
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
    /// When the step began, or begins, of which nothing was told yet.
    since: Time,
    /// When an acknowledgment has ended the step, of which nothing was told yet.
    called: Option<Time>,
}

impl Station {
    /// When the step of `now` has begun; the origin before the first.
    fn begin(&self, now: Time) -> Time {
        match self.terms.event {
            None => self.terms.begin(now),
            Some(_) => self.since.max(self.terms.origin),
        }
    }

    /// The end of the step of `now`, if no event is before; of what was before the first step, its begin.
    pub(crate) fn next(&self, now: Time) -> Time {
        let Terms { origin, step, until, .. } = self.terms;
        if now < origin { origin } else { (self.begin(now) + step).min(until) }
    }

    /// When the node says what it has seen unless an event is before: right before the end of a step, so that it is said
    /// before the run ends, too.
    pub(crate) fn before_next(&self, now: Time) -> Time {
        let before = |end: Time| Time::from_nanos(end.nanos() - INSTANT.nanos());
        let end = self.next(now);
        if before(end) > now { before(end) } else { before(end + self.terms.step) }
    }

    /// What the node is to do at `now`: its driver is asked once a step.
    pub(crate) fn controls(&mut self, now: Time) -> Controls {
        if now < self.terms.origin {
            return Controls::default();
        }
        let begin = self.begin(now);
        match self.told {
            // After an event, the next step has not begun yet.
            Some((at, controls)) if at == begin || now < begin => controls,
            _ => {
                let controls = self.driver.controls();
                self.told = Some((begin, controls));
                controls
            }
        }
    }

    /// The node says what it has seen, at the end of a step. The next one begins at the time that it returns.
    pub(crate) fn tell(&mut self, now: Time, seen: Seen) -> Time {
        let acknowledged = std::mem::take(&mut self.acknowledged);
        let end = match self.terms.event {
            None => self.next(now),
            Some(_) => now + INSTANT,
        };
        let length = end.since(self.since);
        (self.since, self.called) = (end, None);
        self.driver.tell(Seen { length, acknowledged, round_trip: self.round_trip, ..seen });
        end
    }

    /// The node has begun, or begun anew.
    pub(crate) fn begins(&mut self, now: Time) {
        (self.since, self.called) = (now, None);
    }

    /// Whether `event` ends the step of `now`.
    pub(crate) fn ends_with(&self, event: Event, now: Time) -> bool {
        self.terms.event == Some(event) && now >= self.begin(now)
    }

    /// A transport of the node shows its state.
    pub(crate) fn shows(&mut self, now: Time, gauge: Gauge) {
        match gauge {
            Gauge::Acknowledged(count) => {
                self.acknowledged += u64::from(count);
                if self.ends_with(Event::Acknowledged, now) {
                    self.called = self.called.or(Some(now));
                }
            }
            Gauge::RoundTrip(sample) => self.round_trip = Some(sample),
            Gauge::Window(_) => {}
        }
    }

    /// When an acknowledgment has ended the step, of which nothing was told yet.
    pub(crate) const fn called(&self) -> Option<Time> {
        self.called
    }

    /// When the step begins, or has begun, that follows the last event.
    pub(crate) fn begins_at(&self) -> Time {
        self.called.map_or_else(|| self.since.max(self.terms.origin), |at| at + INSTANT)
    }
}

/// A station, in the hands of the parts of its node.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Station>>);

impl Shared {
    /// The station of a node that `driver` controls.
    pub(crate) fn new(terms: Terms, driver: Box<dyn Driver>) -> Self {
        let (told, since, called) = (None, Time::ZERO, None);
        let (acknowledged, round_trip) = (0, None);
        let station = Station { terms, driver, told, acknowledged, round_trip, since, called };
        Shared(Arc::new(Mutex::new(station)))
    }

    pub(crate) fn held(&self) -> MutexGuard<'_, Station> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
