//! A run as its caller has it: it goes on in one go, or in steps as far as the caller wants.

use std::sync::atomic::{AtomicBool, Ordering};

use multihop_core::Time;
use multihop_setup::Setup;
use multihop_trace::Observer;

use crate::engine::{Steps, engine};
use crate::options::Options;
use crate::results::Tables;

/// After so many events it is looked whether a run is to be interrupted.
const EVENTS_A_LOOK: u64 = 4096;

/// The run was stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the run was interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// A run of a scenario, about to begin, and those who watch it.
pub struct Simulation<'o> {
    engine: Box<dyn Steps<'o> + 'o>,
}

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
pub struct Run<'o> {
    engine: Box<dyn Steps<'o> + 'o>,
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

impl<'o> Simulation<'o> {
    /// A run of `setup`, about to begin.
    ///
    /// # Panics
    /// If it lasts for 36 years, which `multihop-scenario` refuses.
    pub fn new(setup: Setup, options: Options) -> Self {
        Simulation { engine: engine(setup, options) }
    }

    /// `observer` watches the run, too. One that is borrowed can be asked afterwards.
    #[must_use]
    pub fn watched_by(mut self, observer: impl Observer + 'o) -> Self {
        self.engine.watch(Box::new(observer));
        self
    }

    /// The run begins; it goes on when it is told to.
    #[must_use]
    pub fn into_run(mut self) -> Run<'o> {
        self.engine.begin();
        Run { engine: self.engine, over: false }
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
}

impl Run<'_> {
    /// Go on by so many events, or to the end.
    pub fn advance(&mut self, events: u64) -> Progress {
        self.over = self.over || self.engine.proceed(Time::NEVER, events);
        self.progress()
    }

    /// Go on to `time`: everything before it has happened then.
    pub fn advance_until(&mut self, time: Time) -> Progress {
        self.over = self.over || self.engine.proceed(time, u64::MAX);
        if !self.over {
            self.engine.reach(time);
        }
        self.progress()
    }

    /// Go on by one event, if there is one before `time`. Returns whether there was.
    pub fn advance_once(&mut self, time: Time) -> bool {
        let (_, _, before) = self.engine.progress();
        self.over = self.over || self.engine.proceed(time, 1);
        self.engine.progress().2 > before
    }

    /// How far the run is.
    pub fn progress(&self) -> Progress {
        let (now, end, events) = self.engine.progress();
        Progress { now: if self.over { end } else { now }, end, events, over: self.over }
    }

    /// End the run here. Observers have been told what has become of frames until now.
    pub fn cancel(mut self) {
        self.engine.cancel();
    }

    /// Go on to the end, and return the tables.
    pub fn finish(mut self) -> Tables {
        self.over = self.over || self.engine.proceed(Time::NEVER, u64::MAX);
        self.engine.into_tables()
    }
}
