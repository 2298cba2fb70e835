//! What a radio does with its time.

use multihop_core::{AirTime, Duration, Time};

use super::receiver::Incoming;

/// The time of one radio.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    air: AirTime,
    /// So far it has counted.
    until: Time,
}

impl Meter {
    /// What it has counted up to `now`, with what has happened at the radio since it counted last: from when to when it
    /// transmitted, and what was on the air.
    #[must_use]
    pub fn read(&self, now: Time, sends: (Time, Time), incoming: &[Incoming]) -> AirTime {
        let mut air = self.air;
        let mut at = self.until;
        while at < now {
            let next = next_change(at, now, sends, incoming);
            let span = next.since(at);
            if let Some(share) = share(&mut air, at, sends, incoming) {
                *share += span;
            }
            at = next;
        }
        air
    }

    /// Count up to `now`.
    pub fn count(&mut self, now: Time, sends: (Time, Time), incoming: &[Incoming]) {
        if now > self.until {
            self.air = self.read(now, sends, incoming);
            self.until = now;
        }
    }
}

/// The next time after `at`, `now` at the latest, from which the radio may do something else.
fn next_change(at: Time, now: Time, sends: (Time, Time), incoming: &[Incoming]) -> Time {
    let lost = |frame: &Incoming| frame.lost.map_or(frame.end, |lost| lost.at);
    let of_frames = incoming.iter().flat_map(|frame| [frame.start, lost(frame), frame.end]);
    let changes = of_frames.chain([sends.0, sends.1]);
    changes.filter(|change| *change > at).fold(now, Time::min)
}

/// Where the time from `at` on counts.
fn share<'a>(
    air: &'a mut AirTime,
    at: Time,
    sends: (Time, Time),
    incoming: &[Incoming],
) -> Option<&'a mut Duration> {
    let is_whole = |frame: &Incoming| frame.lost.is_none_or(|lost| lost.at > at);
    let mut there = incoming.iter().filter(|frame| frame.lasts(at)).peekable();
    if sends.0 <= at && at < sends.1 {
        Some(&mut air.sending)
    } else if there.peek().is_none() {
        None
    } else if there.any(is_whole) {
        Some(&mut air.receiving)
    } else {
        Some(&mut air.sensed)
    }
}
