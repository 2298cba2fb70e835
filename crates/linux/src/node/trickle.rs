//! When to say something again that others may not know: Trickle (RFC 6206), whose intervals double while all agree.
//! Nothing suppresses it here, because strangers could say what suppresses.

use multihop_core::{Duration, Rng, Time};

/// Once in every interval, at random in its second half.
#[derive(Clone, Debug)]
pub struct Trickle {
    /// The shortest and the longest interval (Imin and Imax of the RFC).
    bounds: [Duration; 2],
    interval: Duration,
    /// When to speak in this interval, if that is still to come.
    due: Time,
    end: Time,
}

impl Trickle {
    /// Intervals from `shortest` to `longest`; the first begins `now`.
    pub fn new(shortest: Duration, longest: Duration, now: Time, rng: &mut Rng) -> Self {
        let bounds = [shortest, longest];
        let mut trickle = Trickle { bounds, interval: shortest, due: now, end: now };
        trickle.begin(now, rng);
        trickle
    }

    fn begin(&mut self, now: Time, rng: &mut Rng) {
        let part = self.interval.seconds() * rng.between(0.5, 1.0);
        self.due = now + Duration::from_seconds(part);
        self.end = now + self.interval;
    }

    /// Somebody knows something else: the shortest interval begins, unless it is that already.
    pub fn reset(&mut self, now: Time, rng: &mut Rng) {
        if self.interval > self.bounds[0] {
            self.interval = self.bounds[0];
            self.begin(now, rng);
        }
    }

    /// When to call [`Trickle::poll`].
    pub fn deadline(&self) -> Time {
        self.due.min(self.end)
    }

    /// Whether to speak now. The next interval is no longer than `most`.
    pub fn poll(&mut self, now: Time, most: Duration, rng: &mut Rng) -> bool {
        let speaks = self.due <= now;
        if speaks {
            self.due = Time::NEVER;
        }
        if self.end <= now {
            self.interval = (self.interval * 2).min(self.bounds[1]).min(most);
            self.begin(now, rng);
        }
        speaks
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{NodeId, Purpose};

    use super::*;

    const SECOND: Duration = Duration::from_millis(1_000);

    fn spoken(trickle: &mut Trickle, from: u64, until: u64, rng: &mut Rng) -> Vec<u64> {
        let times = (from..until).filter(|second| {
            let now = Time::ZERO + SECOND * *second;
            trickle.poll(now, Duration::from_millis(u64::MAX / 2_000_000), rng)
        });
        times.collect()
    }

    #[test]
    fn it_speaks_once_in_every_interval_which_doubles_up_to_the_longest() {
        let mut rng = Rng::stream(1, NodeId(0), Purpose::Protocol);
        let mut trickle = Trickle::new(SECOND * 4, SECOND * 64, Time::ZERO, &mut rng);
        let times = spoken(&mut trickle, 0, 1_000, &mut rng);
        // intervals of 4, 8, 16, 32, and then 64 seconds
        let begins = [0, 4, 12, 28].into_iter().chain((0..15).map(|n| 60 + n * 64));
        let ends: Vec<u64> = begins.clone().skip(1).chain([1_020]).collect();
        assert_eq!(times.len(), ends.len(), "{times:?}");
        for ((time, begin), end) in times.iter().zip(begins).zip(ends) {
            assert!(*time >= u64::midpoint(begin, end) && *time <= end, "{time} in {begin}..{end}");
        }
        // somebody knows something else, again and again: not more often than once in the shortest
        let mut often = 0;
        for second in 1_000..1_100 {
            trickle.reset(Time::ZERO + SECOND * second, &mut rng);
            often += spoken(&mut trickle, second, second + 1, &mut rng).len();
        }
        assert!((20..=34).contains(&often), "{often} in 100 s");
    }

    #[test]
    fn a_process_that_stood_still_speaks_once() {
        let mut rng = Rng::stream(1, NodeId(0), Purpose::Protocol);
        let mut trickle = Trickle::new(SECOND, SECOND * 64, Time::ZERO, &mut rng);
        let late = Time::ZERO + SECOND * 100_000;
        assert!(trickle.poll(late, SECOND * 64, &mut rng));
        assert!(!trickle.poll(late, SECOND * 64, &mut rng));
        assert!(trickle.deadline() > late && trickle.deadline() <= late + SECOND * 2);
    }

    #[test]
    fn a_longest_interval_of_the_moment_holds() {
        let mut rng = Rng::stream(1, NodeId(0), Purpose::Protocol);
        let mut trickle = Trickle::new(SECOND, SECOND * 64, Time::ZERO, &mut rng);
        let mut spoken = 0;
        for second in 0..100 {
            spoken += u64::from(trickle.poll(Time::ZERO + SECOND * second, SECOND * 2, &mut rng));
        }
        assert!((33..=52).contains(&spoken), "{spoken}");
    }
}
