//! The clock of a process: the only place in which time is read.

use multihop_core::{Duration, Time};
use rustix::time::{ClockId, Timespec, clock_gettime};

const SECOND: u64 = 1_000_000_000;

/// Protocol time: nanoseconds since the clock was made, slowed down by a factor. It never goes back, and
/// whoever sets the system's date does not move it.
#[derive(Clone, Debug)]
pub struct Clock {
    /// So many seconds of the machine are one second here.
    scale: f64,
    /// What the machine's clock showed, in nanoseconds, when this one showed `base`.
    origin: u64,
    base: Time,
    last: Time,
}

/// The machine's monotonic clock, in nanoseconds.
fn monotonic() -> u64 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::Monotonic);
    tv_sec as u64 * SECOND + tv_nsec as u64
}

/// The machine's monotonic clock, in microseconds.
pub fn monotonic_micros() -> u64 {
    monotonic() / 1_000
}

/// The machine's date, in nanoseconds since 1970.
fn date() -> i128 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::Realtime);
    nanos(tv_sec, tv_nsec)
}

fn nanos(seconds: i64, nanos: i64) -> i128 {
    i128::from(seconds) * i128::from(SECOND) + i128::from(nanos)
}

/// How old dates are that the kernel puts on messages, also while somebody sets the machine's date: a message that was
/// sent before counts by the date of before.
#[derive(Clone, Debug)]
pub struct Dates {
    /// How far the date is ahead of the monotonic clock, in nanoseconds.
    ahead: i128,
    /// How far it was before it was set, and until when messages of then may come, in the monotonic clock's nanoseconds.
    before: Option<(i128, u64)>,
}

/// A smaller change of the date is a pause between two readings, or corrects a clock that drifts.
const STEP: i128 = 5_000_000;

/// A message that was sent before the date was set is read by then.
const LATEST: u64 = 60 * SECOND;

impl Dates {
    /// From now on.
    pub fn new() -> Self {
        Dates { ahead: date() - i128::from(monotonic()), before: None }
    }

    /// How long ago the machine's date was so many `seconds` and `part` nanoseconds; zero if that is still to come.
    pub fn age(&mut self, seconds: i64, part: i64) -> Duration {
        self.age_at(date(), monotonic(), nanos(seconds, part))
    }

    /// The age of `stamp` when the machine has this date and its monotonic clock shows `machine`.
    fn age_at(&mut self, date: i128, machine: u64, stamp: i128) -> Duration {
        let ahead = date - i128::from(machine);
        if (ahead - self.ahead).abs() > STEP {
            self.before = Some((self.ahead, machine.saturating_add(LATEST)));
        }
        self.ahead = ahead;
        let earlier = self.before.filter(|(_, until)| machine < *until);
        let earlier = earlier.map(|(before, _)| i128::from(machine) + before - stamp);
        let ages = [Some(date - stamp), earlier].into_iter().flatten();
        // the other one is off by as much as the date was moved, forwards or into the future
        let age = ages.filter(|age| *age >= 0).min().unwrap_or(0);
        Duration::from_nanos(u64::try_from(age).unwrap_or(u64::MAX))
    }
}

impl Default for Dates {
    fn default() -> Self {
        Dates::new()
    }
}

impl Clock {
    /// A clock that shows zero now, `scale` times slower than the machine's.
    pub fn new(scale: f64) -> Self {
        Clock { scale, origin: monotonic(), base: Time::ZERO, last: Time::ZERO }
    }

    /// Now.
    pub fn now(&mut self) -> Time {
        self.at(monotonic())
    }

    /// What it shows when the machine's clock shows `machine` nanoseconds.
    fn at(&mut self, machine: u64) -> Time {
        let passed = machine.saturating_sub(self.origin) as f64 / self.scale;
        self.last = self.last.max(self.base + Duration::from_nanos(passed as u64));
        self.last
    }

    /// How many times slower than the machine's it is.
    pub const fn scale(&self) -> f64 {
        self.scale
    }

    /// From now on it is `scale` times slower than the machine's.
    pub fn set_scale(&mut self, scale: f64) {
        let machine = monotonic();
        self.base = self.at(machine);
        (self.origin, self.scale) = (machine, scale);
    }

    /// How long the machine has to wait from `now` until it shows `until`; `None` for ever.
    pub fn wait(&self, now: Time, until: Time) -> Option<Timespec> {
        if until == Time::NEVER {
            return None;
        }
        let span = until.since(now).nanos() as f64 * self.scale;
        // longer waits end early, and are looked at again
        let nanos = (span.ceil() as u64).min(3_600 * SECOND);
        let [whole, rest] = [nanos / SECOND, nanos % SECOND].map(u64::cast_signed);
        Some(Timespec { tv_sec: whole, tv_nsec: rest })
    }
}

#[cfg(test)]
mod tests;
