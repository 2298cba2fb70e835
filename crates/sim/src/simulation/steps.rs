//! A run that goes on in steps: as far as its caller wants, and no further.

use std::sync::atomic::{AtomicBool, Ordering};

use multihop_core::{HandOver, Medium, Time};

use super::{Interrupted, Simulation};
use crate::results::Tables;

/// After so many events it is looked whether a run is to be interrupted.
const EVENTS_A_LOOK: u64 = 4096;

/// A run that has begun. Its steps, however long they are, make the same run.
///
/// ```
/// use multihop_core::{Duration, Time};
/// use multihop_sim::{Options, Simulation};
///
/// let text = r#"
///     duration = "2 s"
///     topology = { kind = "chain", hops = 2, spacing = "200 m" }
///     scheme = { name = "udp" }
///     traffic = { kind = "cbr", load = "50 kbit/s", payload = "512 B" }
/// "#;
/// let setup = multihop_scenario::from_toml(text)?.setup()?;
/// let mut run = Simulation::new(setup, Options::default()).into_run();
/// run.advance_until(Time::ZERO + Duration::from_seconds(1.0));
/// assert!(!run.progress().is_over());
/// while !run.advance(1000).is_over() {}
/// let tables = run.finish();
/// # Ok::<(), multihop_scenario::ScenarioError>(())
/// ```
pub struct Run<'o, M: ?Sized = dyn Medium> {
    simulation: Simulation<'o, M>,
    over: bool,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The simulated time.
    pub now: Time,
    /// When the run ends.
    pub end: Time,
    /// How many events there were.
    pub events: u64,
    over: bool,
}

impl Progress {
    /// Whether no event is left before the end.
    pub const fn is_over(&self) -> bool {
        self.over
    }
}

impl<'o, M: Medium + ?Sized> Simulation<'o, M> {
    /// The run begins; it goes on when it is told to.
    #[must_use]
    pub fn into_run(mut self) -> Run<'o, M> {
        self.tell_start();
        Run { simulation: self, over: false }
    }

    /// Run to the end of the scenario.
    ///
    /// # Errors
    /// If `cancel` becomes true.
    pub fn run(self, cancel: &AtomicBool) -> Result<Tables, Interrupted> {
        let mut run = self.into_run();
        while !run.advance(EVENTS_A_LOOK).over {
            if cancel.load(Ordering::Relaxed) {
                run.cancel();
                return Err(Interrupted);
            }
        }
        Ok(run.finish())
    }

    /// What happens before `until`, but at most so many events. Returns whether none is left before the end.
    fn proceed(&mut self, until: Time, events: u64) -> bool {
        let last = self.steps.saturating_add(events);
        let mut limit = self.stop.min(until);
        while self.steps < last {
            let (at, node) = self.wakes.next();
            if at >= limit {
                if limit == self.setup.end {
                    return true;
                }
                if limit < self.stop {
                    return false;
                }
                self.pause();
                limit = self.stop.min(until);
                continue;
            }
            self.advance(at);
            self.steps += 1;
            self.step(node);
        }
        false
    }
}

impl<M: Medium + ?Sized> Run<'_, M> {
    /// Go on by so many events, or to the end.
    pub fn advance(&mut self, events: u64) -> Progress {
        self.over = self.over || self.simulation.proceed(Time::NEVER, events);
        self.progress()
    }

    /// Go on to `time`: everything before it has happened then.
    pub fn advance_until(&mut self, time: Time) -> Progress {
        self.over = self.over || self.simulation.proceed(time, u64::MAX);
        if !self.over {
            self.simulation.advance(time);
        }
        self.progress()
    }

    /// How far the run is.
    pub fn progress(&self) -> Progress {
        let Simulation { now, steps, setup, .. } = &self.simulation;
        let now = if self.over { setup.end } else { *now };
        Progress { now, end: setup.end, events: *steps, over: self.over }
    }

    /// End the run here. Observers have been told what has become of frames until now.
    pub fn cancel(mut self) {
        self.simulation.tell_receptions(HandOver::All);
    }

    /// Go on to the end, and return the tables.
    pub fn finish(mut self) -> Tables {
        self.over = self.over || self.simulation.proceed(Time::NEVER, u64::MAX);
        self.simulation.tables()
    }
}
