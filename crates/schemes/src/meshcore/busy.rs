//! How busy a repeater is, and how far floods go through one that is: pull request 1938 (`BusyTracker.h`, `MyMesh.cpp`).

use multihop_core::{AirTime, Duration, Time};

use super::header::Kind;

/// How long it counts before it judges anew (`BUSY_WINDOW_MS`).
const WINDOW: Duration = Duration::from_millis(60_000);

/// Up to this score floods go as far as in a quiet mesh (`BUSY_ONSET`).
const ONSET: f64 = 0.15;

/// What the shares of air time, of used packets and of copies weigh in the score (`BUSY_WEIGHT_AIRTIME`, `_QUEUE`, `_DUP`).
const WEIGHTS: [f64; 3] = [0.5, 0.3, 0.2];

/// Hops that a channel message may have come: in a quiet mesh, at the knee, in the busiest one (`GROUP_FLOOD_MAX`, `_MID`,
/// `_FLOOR`).
const CHANNEL_HOPS: [u32; 3] = [8, 5, 2];

/// The same of adverts (`ADVERT_FLOOD_MAX`, `_MID`, `_FLOOR`).
const ADVERT_HOPS: [u32; 3] = [8, 4, 1];

/// By how much the longest wait of a relay grows from the quietest to the busiest mesh (`getRetransmitDelay`).
const STRETCH: f64 = 2.0;

/// What a repeater counts.
#[derive(Debug)]
pub(super) struct Busy {
    is_on: bool,
    /// When it judges next.
    due: Time,
    booked: AirTime,
    floods: u32,
    copies: u32,
    /// From 0 to 1.
    score: f64,
}

impl Busy {
    /// Nothing was counted, if anything is to be.
    pub(super) fn new(is_on: bool) -> Self {
        let due = if is_on { Time::ZERO + WINDOW } else { Time::NEVER };
        Busy { is_on, due, booked: AirTime::default(), floods: 0, copies: 0, score: 0.0 }
    }

    /// Whether it counts.
    pub(super) const fn is_on(&self) -> bool {
        self.is_on
    }

    /// When [`Busy::judge`] is to be called.
    pub(super) const fn due(&self) -> Time {
        self.due
    }

    /// A flood was received.
    pub(super) fn hear(&mut self) {
        self.floods = self.floods.saturating_add(1);
    }

    /// It was one that had been heard before.
    pub(super) fn hear_again(&mut self) {
        self.copies = self.copies.saturating_add(1);
    }

    /// A window is over: the radio has spent its time as `air` says, and a share `queue` of the pool of packets is used.
    pub(super) fn judge(&mut self, now: Time, air: AirTime, queue: f64) {
        if now < self.due {
            return;
        }
        let passed = now.since(self.due).seconds() + WINDOW.seconds();
        let new = air - self.booked;
        let used = (new.sending + new.receiving).seconds() / passed;
        let copies = f64::from(self.copies) / f64::from(self.floods.max(1));
        let shares = [used, queue, copies].map(|share| share.min(1.0));
        self.score = shares.iter().zip(WEIGHTS).map(|(share, weight)| share * weight).sum();
        (self.due, self.booked, self.floods, self.copies) = (now + WINDOW, air, 0, 0);
    }

    /// How many hops a flood of this kind may have come for a relay of it, if that depends on the score.
    pub(super) fn most_hops(&self, kind: Kind) -> Option<u32> {
        let hops = match kind {
            _ if !self.is_on => return None,
            Kind::Channel => CHANNEL_HOPS,
            Kind::Advert => ADVERT_HOPS,
            Kind::Text | Kind::Ack | Kind::Path => return None,
        };
        Some(ramp(self.score, hops))
    }

    /// What the longest wait of a relayed flood is multiplied by.
    pub(super) fn stretch(&self) -> f64 {
        1.0 + STRETCH * self.score
    }
}

/// From the most hops over the knee to the fewest as the score grows, in two straight lines.
fn ramp(score: f64, [most, knee, fewest]: [u32; 3]) -> u32 {
    let beyond = ((score - ONSET) / (1.0 - ONSET)).clamp(0.0, 1.0);
    let between =
        |from: u32, to: u32, share: f64| to + ((1.0 - share) * f64::from(from - to)) as u32;
    if beyond <= 0.5 {
        between(most, knee, beyond * 2.0)
    } else {
        between(knee, fewest, beyond * 2.0 - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Time {
        Time::ZERO + Duration::from_millis(1_000 * seconds)
    }

    #[test]
    fn floods_go_less_far_the_higher_the_score() {
        let hops =
            [0.0, 0.15, 0.2, 0.4, 0.575, 0.7, 0.9, 1.0].map(|score| ramp(score, CHANNEL_HOPS));
        assert_eq!(hops, [8, 8, 7, 6, 5, 4, 2, 2]);
        assert_eq!([0.0, 0.575, 1.0].map(|score| ramp(score, ADVERT_HOPS)), [8, 4, 1]);
    }

    #[test]
    fn the_score_is_of_air_time_packets_and_copies_in_a_minute() {
        let mut busy = Busy::new(true);
        let half = Duration::from_millis(15_000);
        let air = AirTime { sending: half, receiving: half, sensed: half, ..AirTime::default() };
        (0..4).for_each(|_| busy.hear());
        busy.hear_again();
        busy.judge(at(59), air, 1.0);
        assert_eq!((busy.score, busy.due()), (0.0, at(60)));
        busy.judge(at(60), air, 0.5);
        assert!((busy.score - (0.25 + 0.15 + 0.05)).abs() < 1e-9);
        assert_eq!((busy.due(), busy.most_hops(Kind::Channel)), (at(120), Some(5)));
        assert_eq!([Kind::Text, Kind::Path].map(|kind| busy.most_hops(kind)), [None; 2]);
        assert!((busy.stretch() - 1.9).abs() < 1e-9);
        busy.judge(at(120), air, 0.0);
        assert_eq!((busy.score, busy.stretch()), (0.0, 1.0), "nothing was on the air since");
    }

    #[test]
    fn switched_off_it_bounds_nothing() {
        let busy = Busy::new(false);
        assert_eq!((busy.due(), busy.most_hops(Kind::Advert)), (Time::NEVER, None));
    }
}
