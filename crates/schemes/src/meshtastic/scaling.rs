//! Own announcements and reports go less far where many nodes are near: `HopScalingModule.cpp` of 2026-09 (pull requests
//! 10176 and 11826).
//!
//! What is left out: its table has 128 entries, and a sample of the nodes where there are more; here all nodes count that a
//! node knows. Nodes count for 13 h to the second, and not in whole hours.

use multihop_core::{AirTime, Duration, Time};

use super::firmware::{HOP_MAX, UTILISATION_PERIOD};
use super::parameters::{Role, Scaling};

/// `INITIAL_DELAY_MS`: when the first run is.
const FIRST_RUN: Duration = Duration::from_millis(30_000);
/// `RUN_INTERVAL_MS`: how often the channel is looked at.
const RUN_INTERVAL: Duration = Duration::from_millis(300_000);
/// `RUNS_PER_HOUR`: so many runs later the limit is chosen anew.
const RUNS_PER_HOUR: u32 = 12;
/// `SEEN_WINDOW_HOURS`: for so long a node counts.
pub(super) const SEEN_WINDOW: Duration = Duration::from_millis(13 * 3_600_000);
/// `TARGET_AFFECTED_NODES`: the limit is the least with which so many nodes are reached.
const TARGET_NODES: usize = 40;
/// `CONGESTION_CONFIRM_RUNS`: so many runs in a row a threshold has to be passed.
const CONFIRM_RUNS: u32 = 3;
/// `CONGESTION_STRICT_PCT`: from this share on the walk is strictest.
const STRICT: f64 = 0.25;
/// `CHANNEL_UTILIZATION_EMA_DIVISOR`: the mean takes in so much of each period; 21 min, as its comment says.
const DIVISOR: f64 = 128.0;

/// Known nodes by the hops that they are away.
pub(super) type PerHop = [usize; HOP_MAX as usize + 1];

/// What a node does about its own hop limit.
#[derive(Debug)]
pub(super) struct HopScaling {
    kind: Scaling,
    /// From which mean use of the channel on it is congested, and from which on no longer.
    thresholds: (f64, f64),
    /// The least limit of its role.
    floor: u8,
    mean: Option<f64>,
    busy: Duration,
    looked: Time,
    next: Time,
    runs: u32,
    confirmed: u32,
    congested: bool,
    limit: u8,
}

impl HopScaling {
    /// Nothing is known yet.
    pub(super) fn new(kind: Scaling, (engage, release): (f64, f64), role: Role) -> Self {
        HopScaling {
            kind,
            thresholds: (engage, release),
            floor: role.least_hops(),
            mean: None,
            busy: Duration::ZERO,
            looked: Time::ZERO,
            next: if kind == Scaling::Off { Time::NEVER } else { Time::ZERO + FIRST_RUN },
            runs: 0,
            confirmed: 0,
            congested: false,
            limit: HOP_MAX as u8,
        }
    }

    /// When it runs next.
    pub(super) const fn due(&self) -> Time {
        self.next
    }

    /// The hop limit of an own announcement or report, of which the node's is `own`.
    pub(super) fn limit(&self, own: u8) -> u8 {
        own.min(self.limit)
    }

    /// A run, if it is time: `runOnce`. `nodes` counts the known nodes.
    pub(super) fn run(&mut self, now: Time, air: AirTime, nodes: impl FnOnce() -> PerHop) {
        if now < self.next {
            return;
        }
        let first = self.runs == 0;
        self.next = now + RUN_INTERVAL;
        self.look(now, air);
        self.runs += 1;
        if !first && !(self.runs - 1).is_multiple_of(RUNS_PER_HOUR) {
            return;
        }
        if self.kind == Scaling::Gated && !self.congested {
            self.limit = (self.limit + 1).min(HOP_MAX as u8);
        } else if !first {
            self.limit = suggested(&nodes(), self.politeness()).max(self.floor);
        }
    }

    /// The use of the channel since the last run enters its mean, and may be congestion: `updateCongestion`.
    fn look(&mut self, now: Time, air: AirTime) {
        let busy = air.sending + air.receiving + air.sensed;
        let passed = now.since(self.looked);
        let used = busy.saturating_sub(self.busy).seconds() / passed.seconds().max(1e-9);
        (self.busy, self.looked) = (busy, now);
        let periods = passed.seconds() / UTILISATION_PERIOD.seconds();
        let retained = libm::pow(1.0 - 1.0 / DIVISOR, periods);
        let mean = self.mean.map_or(used, |mean| used + (mean - used) * retained);
        self.mean = Some(mean);
        let (engage, release) = self.thresholds;
        let flips = if self.congested { mean <= release } else { mean >= engage };
        self.confirmed = if flips { self.confirmed + 1 } else { 0 };
        if self.confirmed >= CONFIRM_RUNS {
            self.congested = !self.congested;
            self.confirmed = 0;
        }
    }

    /// How many quarters of the gap between the target and twice of it one more hop may take.
    fn politeness(&self) -> usize {
        match self.mean.unwrap_or(0.0) {
            mean if mean >= STRICT => 1,
            mean if mean >= self.thresholds.0 => 2,
            _ => 4,
        }
    }
}

/// The least limit with which enough nodes are reached, and one more if that does not reach too many: `rollHour`.
fn suggested(nodes: &PerHop, quarters: usize) -> u8 {
    let mut reached = 0;
    for (hops, count) in nodes.iter().enumerate() {
        reached += count;
        if reached < TARGET_NODES {
            continue;
        }
        let next = nodes.get(hops + 1);
        let extends =
            next.is_some_and(|next| (reached + next) * 4 <= TARGET_NODES * (4 + quarters));
        return hops as u8 + u8::from(extends);
    }
    HOP_MAX as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(count: u64) -> Duration {
        Duration::from_millis(60_000 * count)
    }

    #[test]
    fn the_walk_ends_where_forty_nodes_are_reached_or_a_hop_later() {
        let few: PerHop = [10, 10, 10, 0, 0, 0, 0, 0];
        assert_eq!(suggested(&few, 4), 7);
        let many: PerHop = [20, 25, 10, 30, 0, 0, 0, 0];
        assert_eq!([1, 2, 4].map(|quarters| suggested(&many, quarters)), [1, 2, 2]);
        let dense: PerHop = [90, 5, 0, 0, 0, 0, 0, 0];
        assert_eq!([1, 4].map(|quarters| suggested(&dense, quarters)), [0, 0]);
        let line: PerHop = [6, 6, 6, 6, 6, 6, 6, 6];
        assert_eq!(suggested(&line, 4), 7, "42 are reached at hop 6, and 48 are not too many");
    }

    /// Runs every 5 min at this use of the channel, in hundredths: the limits that follow.
    fn limits(scaling: &mut HopScaling, start: u64, shares: &[u64]) -> Vec<u8> {
        let mut air = AirTime { receiving: scaling.busy, ..AirTime::default() };
        let run = |(at, share): (usize, &u64)| {
            let now = Time::ZERO + FIRST_RUN + minutes(5 * (start + at as u64));
            air.receiving += now.since(scaling.looked).scaled(*share as f64 / 100.0);
            scaling.run(now, air, || [50, 30, 30, 0, 0, 0, 0, 0]);
            scaling.limit(7)
        };
        shares.iter().enumerate().map(run).collect()
    }

    fn scaling(kind: Scaling, role: Role) -> HopScaling {
        HopScaling::new(kind, (0.20, 0.12), role)
    }

    #[test]
    fn it_acts_after_three_runs_of_congestion_at_the_next_hour_and_gives_a_hop_back_each_hour() {
        let mut gated = scaling(Scaling::Gated, Role::Client);
        let busy = limits(&mut gated, 0, &[60; 14]);
        assert_eq!((busy[11], busy[12]), (7, 0), "the hour is over after twelve runs");
        let quiet = limits(&mut gated, 14, &[0; 60]);
        let hourly: Vec<u8> = (0..4).map(|hour| quiet[12 * hour + 11]).collect();
        assert_eq!(hourly, [1, 2, 3, 4]);
        let mut idle = scaling(Scaling::Gated, Role::Client);
        assert_eq!(limits(&mut idle, 0, &[10; 30])[29], 7);
        let mut always = scaling(Scaling::Always, Role::Client);
        assert_eq!(limits(&mut always, 0, &[10; 30])[29], 1);
    }

    #[test]
    fn a_short_peak_is_no_congestion_and_roles_have_a_floor() {
        let mut peak = scaling(Scaling::Gated, Role::Client);
        limits(&mut peak, 0, &[5, 5, 60, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
        assert!(!peak.congested && peak.limit(7) == 7);
        for (role, limit) in [
            (Role::Router, 3),
            (Role::RouterLate, 3),
            (Role::ClientBase, 3),
            (Role::Tracker, 2),
            (Role::Sensor, 1),
        ] {
            let mut busy = scaling(Scaling::Gated, role);
            assert_eq!(limits(&mut busy, 0, &[60; 14])[13], limit);
        }
        assert_eq!(scaling(Scaling::Off, Role::Client).due(), Time::NEVER);
    }
}
