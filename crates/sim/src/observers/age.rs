//! The age of information at a destination.

use multihop_core::Time;

/// How old the newest message is that has been delivered, as a mean over time from the first delivery on (Kaul, Yates,
/// Gruteser: Real-Time Status: How Often Should One Update? INFOCOM 2012).
#[derive(Clone, Copy, Debug, Default)]
pub struct Age {
    /// When the newest delivered message was offered.
    newest: Option<Time>,
    /// Until when `sum` counts.
    until: Time,
    /// The integral of the age in s^2, and over how many seconds.
    sum: f64,
    time: f64,
}

impl Age {
    /// It is `now`: the age has grown since the last call, and counts from `from` on.
    pub fn hold(&mut self, now: Time, from: Time) {
        let begin = self.until.max(from);
        self.until = now;
        let Some(newest) = self.newest.filter(|_| begin < now) else { return };
        let (least, most) = (begin.since(newest).seconds(), now.since(newest).seconds());
        let span = most - least;
        self.sum += span * f64::midpoint(least, most);
        self.time += span;
    }

    /// A message that was offered at `offered` is delivered.
    pub fn on_delivery(&mut self, now: Time, from: Time, offered: Time) {
        self.hold(now, from);
        self.newest = self.newest.max(Some(offered));
    }

    /// The mean age in s; not a number if nothing was delivered.
    pub fn mean(&self) -> f64 {
        self.sum / self.time
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::Duration;

    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    /// Messages of every second that take half of one: the age goes from 0.5 to 1.5 s.
    #[test]
    fn between_two_deliveries_it_grows() {
        let mut age = Age::default();
        for second in 0..5 {
            age.on_delivery(at(1_000 * second + 500), Time::ZERO, at(1_000 * second));
        }
        assert!((age.mean() - 1.0).abs() < 1e-9);
        age.hold(at(14_500), Time::ZERO);
        // Four seconds at 1 s, and ten from 0.5 to 10.5 s.
        assert!((age.mean() - (4.0 + 55.0) / 14.0).abs() < 1e-9);
    }

    #[test]
    fn an_older_message_makes_nothing_younger() {
        let mut age = Age::default();
        age.on_delivery(at(2_000), Time::ZERO, at(1_000));
        age.on_delivery(at(3_000), Time::ZERO, at(500));
        age.hold(at(4_000), Time::ZERO);
        assert!((age.mean() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn it_counts_from_the_beginning_of_measuring_and_from_the_first_delivery_on() {
        let mut age = Age::default();
        assert!(age.mean().is_nan());
        age.on_delivery(at(1_000), at(2_000), at(0));
        age.hold(at(3_000), at(2_000));
        assert!((age.mean() - 2.5).abs() < 1e-9);
        let mut late = Age::default();
        late.on_delivery(at(5_000), at(2_000), at(4_000));
        late.hold(at(6_000), at(2_000));
        assert!((late.mean() - 1.5).abs() < 1e-9);
    }
}
