//! A backoff (IEEE 802.11, 9.2.4).

use multihop_core::{Duration, Time};

use super::frame::Profile;

/// The backoff counter. It runs while the medium has been idle for DIFS, and keeps its slots
/// while the medium is busy.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    pub(super) slots: u32,
    pub(super) started: Time,
    /// Whether it was drawn. By the standard's rules it is not where the medium was idle when its frame came, but it is
    /// as soon as the medium becomes busy.
    pub(super) drawn: bool,
    /// It runs out at this time, although a frame that is under way arrives later: the station
    /// cannot know of it yet.
    pub(super) committed: Option<Time>,
}

impl Backoff {
    /// Since when the counter runs, if nothing more arrives: DIFS after the medium was last
    /// busy or reserved, or after the counter was drawn.
    pub(super) fn runs_from(&self, idle_from: Time, profile: &Profile) -> Time {
        idle_from.max(self.started) + profile.difs
    }

    /// How many of its slots are over when the medium becomes busy at `at`. In EDCA the counter falls at the beginning of each
    /// slot, also at that of the one in which another station transmits (802.11-2020, 10.23.2.4).
    pub(super) fn passed(&self, at: Time, idle_from: Time, profile: &Profile) -> u32 {
        let from = self.runs_from(idle_from, profile);
        let whole = (at.since(from) / profile.slot) as u32;
        (whole + u32::from(profile.edca && at >= from)).min(self.slots)
    }

    /// When it runs out, likewise.
    pub(super) fn ends(&self, idle_from: Time, profile: &Profile) -> Time {
        self.runs_from(idle_from, profile) + profile.slot * u64::from(self.slots)
    }

    /// Since when the medium would have to be idle for a frame of EDCA to go without slots, which comes at `now` and finds it idle: it
    /// goes at the beginning of a slot (10.23.2.4).
    pub(super) fn slot_boundary(now: Time, idle_from: Time, profile: &Profile) -> Time {
        let waits = now.since(idle_from + profile.difs);
        if waits == Duration::ZERO {
            return idle_from;
        }
        idle_from + profile.slot * (waits / profile.slot + 1)
    }
}
