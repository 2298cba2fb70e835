//! Access to the medium by the rules of IEEE 802.11-2020, where ns-2 departs from them (ADR 0075).
//!
//! - A frame that finds the medium idle goes without a backoff, if it stays idle until it has been for DIFS (10.3.4.2).
//! - EIFS takes the place of DIFS after a frame that could not be decoded, up to the next that can (10.3.2.3.7). It
//!   reserves nothing: nobody leaves a CTS out because of it.
//! - A frame that the radio ignores makes the medium busy, and reserves nothing.
//! - A CTS heeds the NAV alone, and an RTS without data behind it reserves little (10.3.2.4).
//! - A station draws a backoff after every frame, also after one that it has given up.

use multihop_core::{Duration, Time};

use super::backoff::Backoff;
use super::frame::{Frame, FrameKind, Profile};
use super::receiver::{Announced, Lock, Prospect};
use super::station::{Rules, State, Station};

/// The rules of the standard.
pub enum Standard {}

impl Rules for Standard {
    const BEYOND_WINDOW: u32 = 1;
    const NOTICES_APPROACH: bool = false;
    const CONTENDS_OWING: bool = false;
    const AWAITS_DATA: bool = false;
    const LIMITS_RTS: bool = true;
    const ACKNOWLEDGING_ENDS_ATTEMPT: bool = true;
    const HEEDS_ANNOUNCEMENTS: bool = true;
    const BATCHES: bool = true;

    fn want_medium(station: &mut Station, now: Time, profile: &Profile) {
        if station.is_backing_off() || !station.is_idle(now) {
            return station.back_off::<Self>(now);
        }
        let started = if profile.edca {
            let idle = station.undisturbed_from(station.idle_from, profile);
            Backoff::slot_boundary(now, idle, profile)
        } else {
            // Behind DIFS that has passed already.
            Time::from_nanos(now.nanos().saturating_sub(profile.difs.nanos()))
        };
        let backoff = Backoff { slots: 0, started, drawn: false, committed: None };
        station.own.backoff = Some(backoff);
    }

    fn backoff_ends(station: &Station, backoff: &Backoff, profile: &Profile) -> Time {
        let Lock { end, reserved, .. } = station.lock;
        let idle = station.idle_from.max(end + reserved);
        backoff.ends(station.undisturbed_from(idle, profile), profile)
    }

    fn pause_backoff(station: &mut Station, at: Time, profile: &Profile) {
        let is_free = station.is_free();
        let from = station.undisturbed_from(station.idle_from, profile);
        let own = &mut *station.own;
        let Some(backoff) = &mut own.backoff else { return };
        let ends = backoff.ends(from, profile);
        if ends <= at && is_free {
            own.backoff = None;
        } else if ends <= at {
            backoff.committed = Some(ends);
        } else if !backoff.drawn {
            let slots = own.rng.below(own.contention_window + Self::BEYOND_WINDOW);
            *backoff = Backoff { slots, started: at, drawn: true, committed: None };
        } else {
            backoff.slots -= backoff.passed(at, from, profile);
        }
    }

    fn find_busy(_station: &mut Station, _profile: &Profile) {}

    /// A CTS heeds the NAV alone, and the data behind one nothing.
    fn may_respond(station: &Station, now: Time, _profile: &Profile) -> bool {
        let unreserved = station.own.state == State::Idle && station.idle_from <= now;
        unreserved || station.own.exchange.response.is_none()
    }

    fn give_up(station: &mut Station, now: Time) {
        station.back_off::<Self>(now);
    }

    fn ignore(station: &mut Station, until: Time, _profile: &Profile) {
        station.own.ignored_until = station.own.ignored_until.max(until);
    }

    /// An RTS for another station reserves the medium no longer than until the announced data would have begun, for those
    /// who do not hear it. If `frame` is the first after such an RTS that this radio can decode, whoever has sent it, and
    /// begins in time, the medium is reserved for as long as the RTS has said (10.3.2.4: a PHY-RXSTART.indication).
    fn hear_announced(station: &mut Station, frame: &Frame, profile: &Profile) {
        if station.prospect == Prospect::Lost {
            return;
        }
        let header_over = station.lock.start + profile.settings().preamble;
        if let Some(Announced { until, by, .. }) = station.own.announced.take()
            && header_over <= by
        {
            station.occupy(until);
        }
        if frame.kind == FrameKind::Rts && station.lock.reserved > profile.nav_reset {
            let Lock { start: rts, end, reserved, .. } = station.lock;
            let (until, by) = (end + reserved, end + profile.nav_reset);
            station.own.announced = Some(Announced { rts, until, by });
            station.lock.reserved = profile.nav_reset;
        }
    }

    fn forget_announced(station: &mut Station, rts: Time) {
        station.own.announced.take_if(|announced| announced.rts == rts);
    }
}

impl Station {
    /// From when on nothing has disturbed the medium, of which `idle` is known: neither what the radio receives nor
    /// a reservation. DIFS after that, a backoff may run.
    pub(super) fn undisturbed_from(&self, idle: Time, profile: &Profile) -> Time {
        let is_lost = self.prospect == Prospect::Lost
            && self.lock.power >= profile.eifs_threshold
            && self.own.transmits_until <= self.lock.end;
        let eifs = if is_lost { profile.eifs_beyond_difs } else { Duration::ZERO };
        idle.max(self.own.ignored_until).max(self.lock.end + eifs)
    }
}
