//! ns-2's rules, on which the papers ran (ns-2.35, mac-802_11.cc).
//!
//! - Every frame waits for a backoff, drawn from 0 to the window less one.
//! - EIFS, and a frame that the radio ignores, reserve the medium.
//! - A CTS, and the data behind one, need an idle medium; a link acknowledgment does not.
//! - A backoff that ends on a busy medium widens the window, although nothing has collided.

use multihop_core::Time;

use super::backoff::Backoff;
use super::frame::Profile;
use super::station::{Rules, Station};

/// ns-2's rules.
pub enum Ns2 {}

impl Rules for Ns2 {
    const BEYOND_WINDOW: u32 = 0;
    const NOTICES_APPROACH: bool = true;
    const CONTENDS_OWING: bool = false;
    const AWAITS_DATA: bool = true;
    const LIMITS_RTS: bool = true;
    const ACKNOWLEDGING_ENDS_ATTEMPT: bool = false;
    const HEEDS_ANNOUNCEMENTS: bool = false;
    const BATCHES: bool = false;

    #[inline]
    fn want_medium(station: &mut Station, now: Time, _profile: &Profile) {
        station.back_off::<Self>(now);
    }

    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    fn backoff_ends(station: &Station, backoff: &Backoff, profile: &Profile) -> Time {
        let idle = station.lock.end + station.lock.reserved;
        let from = backoff.runs_from(station.idle_from, profile).max(idle + profile.difs);
        from + profile.slot * u64::from(backoff.slots)
    }

    #[inline]
    fn pause_backoff(station: &mut Station, at: Time, profile: &Profile) {
        let (is_free, idle_from) = (station.is_free(), station.idle_from);
        let Some(backoff) = &mut station.own.backoff else { return };
        // Nothing has passed if it does not run yet, which nobody can foresee: no question is asked.
        let from = backoff.runs_from(idle_from, profile);
        let ends = from + profile.slot * u64::from(backoff.slots);
        if ends > at {
            backoff.slots -= (at.since(from) / profile.slot) as u32;
        } else if is_free {
            station.own.backoff = None;
        } else {
            backoff.committed = Some(ends);
        }
    }

    fn find_busy(station: &mut Station, profile: &Profile) {
        station.widen_window(profile);
    }

    fn may_respond(_station: &Station, _now: Time, _profile: &Profile) -> bool {
        false
    }

    fn give_up(_station: &mut Station, _now: Time) {}

    #[inline]
    fn ignore(station: &mut Station, until: Time, profile: &Profile) {
        station.occupy(until + profile.eifs);
    }
}
