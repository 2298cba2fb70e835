//! The four measures of the receiver, over one interval.

use multihop_core::{Duration, Time};

use crate::parts::tcp::timestamp::SentAt;

/// What was measured over an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measures {
    /// IDD: by how much the gap between two arrivals exceeds that between their sending, mean, in
    /// seconds. Positive while queues grow.
    pub(super) delay_difference: f64,
    /// STT: segments per second.
    pub(super) throughput: f64,
    /// POR: the share of segments that arrived after one that was sent after them.
    pub(super) out_of_order: f64,
    /// PLR: the share of segments that were overtaken, and are missing so far.
    pub(super) lost: f64,
}

/// A segment that has arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) sequence: u64,
    pub(super) sent: SentAt,
}

/// An interval that is under way, and what it is measured against.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    interval: Duration,
    since: Option<Time>,
    /// The segment that arrived last, and when.
    last: Option<(Segment, SentAt)>,
    /// The segment with the largest number, and that which was sent last.
    highest: Option<u64>,
    newest: SentAt,
    count: u32,
    gaps: u32,
    difference: f64,
    overtaken: u32,
    missing: u64,
}

impl Meter {
    pub(super) const fn new(interval: Duration) -> Self {
        Meter {
            interval,
            since: None,
            last: None,
            highest: None,
            newest: SentAt(0),
            count: 0,
            gaps: 0,
            difference: 0.0,
            overtaken: 0,
            missing: 0,
        }
    }

    /// A segment arrives. What was measured, if its arrival ends an interval: the interval is then as
    /// long as it takes until something arrives.
    pub(super) fn on_arrival(&mut self, now: Time, segment: Segment) -> Option<Measures> {
        let since = *self.since.get_or_insert(now);
        self.count_in(now, segment);
        let length = now.since(since);
        if length < self.interval {
            return None;
        }
        let count = f64::from(self.count);
        let measures = Measures {
            delay_difference: self.difference / f64::from(self.gaps.max(1)),
            throughput: count / length.seconds(),
            out_of_order: f64::from(self.overtaken) / count,
            lost: self.missing as f64 / (self.missing as f64 + count),
        };
        *self = Meter {
            since: Some(now),
            last: self.last,
            highest: self.highest,
            newest: self.newest,
            ..Meter::new(self.interval)
        };
        Some(measures)
    }

    fn count_in(&mut self, now: Time, segment: Segment) {
        self.count += 1;
        let arrived = SentAt::now(now);
        if let Some((last, at)) = self.last.replace((segment, arrived)) {
            let (here, there) = (at.until(arrived), last.sent.until(segment.sent));
            self.difference += f64::from(here.wrapping_sub(there)) / 1e6;
            self.gaps += 1;
        }
        match self.highest {
            Some(highest) if segment.sequence <= highest => {
                // What was sent again is not out of order: it was sent after what it comes after.
                self.overtaken += u32::from(segment.sent.until(self.newest) > 0);
            }
            highest => {
                let expected = highest.map_or(segment.sequence, |highest| highest + 1);
                self.missing += segment.sequence - expected;
                self.highest = Some(segment.sequence);
            }
        }
        if self.newest.until(segment.sent) > 0 {
            self.newest = segment.sent;
        }
    }
}

#[cfg(test)]
mod tests;
