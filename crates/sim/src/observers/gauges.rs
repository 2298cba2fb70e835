//! What transports show of themselves: windows, round-trip times, and what they had to do again.

use multihop_core::{DropCause, Duration, EventKind, Gauge, Outcome, Time, TxDone};

/// What was seen of one source's transport within the measuring time.
#[derive(Clone, Debug)]
pub struct Gauges {
    /// The series has one entry for each.
    interval: Duration,
    /// The window in packets, since when.
    window: Option<(f64, Time)>,
    /// Packets times seconds, and seconds.
    held: (f64, f64),
    /// Sum and number of the values that the window changed to.
    changes: (f64, u64),
    /// Sum in s and number of round-trip times.
    round_trips: (f64, u64),
    /// Segments sent again.
    pub retransmissions: u64,
    /// Retransmission timers that ran out.
    pub timeouts: u64,
    /// Reductions of the window.
    pub reductions: u64,
    /// Acknowledgments and requests for a connection that were given up on their way.
    pub control_lost: u64,
    /// Packets of any kind for which there was no route.
    pub without_route: u64,
    /// Segments of data that were acknowledged.
    pub acknowledged: u64,
    /// Copies of data packets that a MAC gave up, wherever.
    pub mac_failures: u64,
    /// Those of them whose RTS was never answered.
    pub rts_failures: u64,
    /// Copies of data packets that queues, buffers and routing gave up.
    pub copies_dropped: u64,
    /// The window over time: for every interval packets times seconds, and seconds.
    pub series: Vec<(f64, f64)>,
}

impl Gauges {
    /// Nothing has been shown yet. The series has one entry per `interval`.
    pub fn new(interval: Duration) -> Self {
        Gauges {
            interval,
            window: None,
            held: (0.0, 0.0),
            changes: (0.0, 0),
            round_trips: (0.0, 0),
            retransmissions: 0,
            timeouts: 0,
            reductions: 0,
            control_lost: 0,
            without_route: 0,
            acknowledged: 0,
            mac_failures: 0,
            rts_failures: 0,
            copies_dropped: 0,
            series: Vec::new(),
        }
    }

    /// Whether the transport had anything that could not go.
    pub fn has_tried(&self) -> bool {
        self.control_lost > 0 || self.without_route > 0
    }

    /// A state has changed.
    pub fn on_gauge(&mut self, gauge: Gauge, now: Time) {
        match gauge {
            Gauge::Window(thousandths) => {
                let window = f64::from(thousandths) / 1000.0;
                self.hold(now);
                self.window = Some((window, now));
                self.changes.0 += window;
                self.changes.1 += 1;
            }
            Gauge::RoundTrip(time) => {
                self.round_trips.0 += time.seconds();
                self.round_trips.1 += 1;
            }
            Gauge::Acknowledged(segments) => self.acknowledged += u64::from(segments),
        }
    }

    /// A transport's own event.
    pub fn on_event(&mut self, kind: EventKind) {
        match kind {
            EventKind::SegmentRetransmission => self.retransmissions += 1,
            EventKind::RetransmissionTimeout => self.timeouts += 1,
            EventKind::WindowReduction => self.reductions += 1,
            _ => {}
        }
    }

    /// A packet of the source, data or not, was given up.
    pub fn on_drop(&mut self, data: bool, cause: DropCause) {
        self.control_lost += u64::from(!data);
        self.without_route += u64::from(cause == DropCause::NoRoute);
        let by_mac_or_twice = matches!(cause, DropCause::RetriesSpent | DropCause::Duplicate);
        self.copies_dropped += u64::from(data && !by_mac_or_twice);
    }

    /// A MAC has finished with a copy of a data packet, which an RTS `announced` or not.
    pub fn on_served(&mut self, done: &TxDone, announced: bool) {
        if done.outcome == Outcome::Failed {
            self.mac_failures += 1;
            // An attempt more than there were tries: a frame of data after its RTS.
            self.rts_failures += u64::from(announced && done.attempts == done.retries + 1);
        }
    }

    /// Account for the window's value up to `now`.
    pub fn hold(&mut self, now: Time) {
        let interval = self.interval;
        let Some((window, since)) = &mut self.window else { return };
        let seconds = now.since(*since).seconds();
        self.held.0 += *window * seconds;
        self.held.1 += seconds;
        while *since < now {
            let slot = (since.since(Time::ZERO) / interval) as usize;
            let end = (Time::ZERO + interval * (slot as u64 + 1)).min(now);
            if self.series.len() <= slot {
                self.series.resize(slot + 1, (0.0, 0.0));
            }
            let seconds = end.since(*since).seconds();
            self.series[slot].0 += *window * seconds;
            self.series[slot].1 += seconds;
            *since = end;
        }
    }

    /// Measuring begins `now`.
    pub fn restart(&mut self, now: Time) {
        self.hold(now);
        let (window, series) = (self.window, std::mem::take(&mut self.series));
        *self = Gauges { window, series, ..Gauges::new(self.interval) };
    }

    /// The window's mean over time, in packets.
    pub fn window_mean(&self) -> f64 {
        self.held.0 / self.held.1
    }

    /// The mean of the values that the window changed to, in packets.
    pub fn window_change_mean(&self) -> f64 {
        self.changes.0 / self.changes.1 as f64
    }

    /// The mean round-trip time in s.
    pub fn round_trip_mean(&self) -> f64 {
        self.round_trips.0 / self.round_trips.1 as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn the_window_s_mean_over_time_is_not_its_mean_over_changes() {
        let second = Duration::from_millis(1000);
        let mut gauges = Gauges::new(second);
        gauges.on_gauge(Gauge::Window(2000), at(500));
        gauges.on_gauge(Gauge::Window(8000), at(2500));
        gauges.hold(at(3000));
        assert!((gauges.window_change_mean() - 5.0).abs() < 1e-9);
        assert!((gauges.window_mean() - (2.0 * 2.0 + 8.0 * 0.5) / 2.5).abs() < 1e-9);
        assert_eq!(gauges.series, [(1.0, 0.5), (2.0, 1.0), (5.0, 1.0)]);
    }

    #[test]
    fn measuring_anew_keeps_the_window_and_the_series() {
        let second = Duration::from_millis(1000);
        let mut gauges = Gauges::new(second);
        gauges.on_gauge(Gauge::Window(2000), at(0));
        gauges.on_event(EventKind::RetransmissionTimeout);
        gauges.restart(at(1000));
        gauges.hold(at(2000));
        assert!((gauges.window_mean() - 2.0).abs() < 1e-9);
        assert_eq!(gauges.timeouts, 0);
        assert_eq!(gauges.series.len(), 2);
    }
}
