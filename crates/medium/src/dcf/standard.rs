//! Access to the medium by the rules of IEEE 802.11-2020, where ns-2 departs from them (ADR 0075).
//!
//! - A frame that finds the medium idle goes without a backoff, if it stays idle until it has been for DIFS (10.3.4.2).
//! - EIFS takes the place of DIFS after a frame that could not be decoded, up to the next that can (10.3.2.3.7). It
//!   reserves nothing: nobody leaves a CTS out because of it.
//! - A frame that the radio ignores makes the medium busy, and reserves nothing.
//! - A CTS heeds the NAV alone, and an RTS without data behind it reserves little (10.3.2.4).
//!
//! What concerns the exchange itself stands in `exchange`, beside ns-2's rule.
//!
//! ns-3's rules are these but for the first (ADR 0077): its `ChannelAccessManager::NeedBackoffUponAccess` asks whether the
//! medium is idle only when a frame comes.

use multihop_core::{Duration, Time};

use super::frame::{Frame, FrameKind, Profile};
use super::receiver::{Announced, Lock, Prospect};
use super::station::{Backoff, State, Station};

impl Station {
    /// A frame has come that wants the medium from `now` on.
    pub(super) fn want_medium(&mut self, now: Time, profile: &Profile) {
        if profile.standard && !self.is_backing_off() && self.finds_idle(now, profile) {
            self.wait_undrawn(now, profile);
        } else {
            self.back_off(now, profile);
        }
    }

    /// Whether a frame that comes now is told that the medium is idle. In ns-3 a packet is handed over before its MAC
    /// hears that a frame that the radio has ignored is still on the air.
    #[cold]
    fn finds_idle(&self, now: Time, profile: &Profile) -> bool {
        if profile.ns3 && self.lock.end == now {
            return self.own.state == State::Idle && self.idle_from <= now;
        }
        self.is_idle(now)
    }

    #[cold]
    fn wait_undrawn(&mut self, now: Time, profile: &Profile) {
        let backoff = Backoff { slots: 0, started: now, drawn: true, committed: None };
        self.own.backoff = Some(if profile.ns3 {
            // It stays as it is, whatever happens to the medium, and DIFS begins now.
            backoff
        } else {
            // Behind DIFS that has passed already.
            let started = Time::from_nanos(now.nanos().saturating_sub(profile.difs.nanos()));
            Backoff { started, drawn: false, ..backoff }
        });
    }

    /// Whether the station may send its CTS, which heeds the NAV alone, or the data behind one, which heeds nothing.
    #[cold]
    pub(super) fn may_respond(&self, now: Time) -> bool {
        let unreserved = self.own.state == State::Idle && self.idle_from <= now;
        unreserved || self.own.exchange.response.is_none()
    }

    /// The frame that wanted the medium does not any more.
    pub(super) fn forget_undrawn_backoff(&mut self) {
        self.own.backoff.take_if(|backoff| !backoff.drawn);
    }

    /// The radio is locked on to a frame that begins to arrive. An RTS for another station reserves the medium no
    /// longer than until the announced data would have begun, for those who do not hear it. If it is the first frame
    /// after such an RTS that this radio can decode, whoever has sent it, and begins in time, the medium is reserved
    /// for as long as the RTS has said (10.3.2.4: a PHY-RXSTART.indication).
    #[cold]
    pub(super) fn hear_announced(&mut self, frame: &Frame, profile: &Profile) {
        if self.prospect == Prospect::Lost {
            return;
        }
        let header_over = self.lock.start + profile.settings().preamble;
        if let Some(Announced { until, by, .. }) = self.own.announced.take()
            && header_over <= by
        {
            self.occupy(until);
        }
        if frame.kind == FrameKind::Rts && self.lock.reserved > profile.nav_reset {
            let Lock { start: rts, end, reserved, .. } = self.lock;
            let (until, by) = (end + reserved, end + profile.nav_reset);
            self.own.announced = Some(Announced { rts, until, by });
            self.lock.reserved = profile.nav_reset;
        }
    }

    /// The frame that began to arrive at `rts` is lost, or the radio has turned to another one.
    #[cold]
    pub(super) fn forget_announced(&mut self, rts: Time) {
        self.own.announced.take_if(|announced| announced.rts == rts);
    }

    /// The radio ignores a frame that ends at `until`.
    #[cold]
    pub(super) fn ignore_by_standard(&mut self, until: Time) {
        self.own.ignored_until = self.own.ignored_until.max(until);
    }

    /// When such a `backoff` runs out, as far as can be foreseen.
    #[cold]
    pub(super) fn standard_backoff_ends(&self, backoff: &Backoff, profile: &Profile) -> Time {
        let idle = self.idle_from.max(self.lock.end + self.lock.reserved);
        backoff.ends(self.undisturbed_from(idle, profile), profile)
    }

    /// The idle medium becomes busy at `at` for such a backoff, which runs.
    #[cold]
    pub(super) fn pause_standard_backoff(&mut self, at: Time, profile: &Profile) {
        let (is_free, from) = (self.is_free(), self.undisturbed_from(self.idle_from, profile));
        let own = &mut *self.own;
        let Some(backoff) = &mut own.backoff else { return };
        let ends = backoff.ends(from, profile);
        if ends <= at && is_free {
            own.backoff = None;
        } else if ends <= at {
            backoff.committed = Some(ends);
        } else if !backoff.drawn {
            let slots = own.rng.below(profile.draws_from(own.contention_window));
            *backoff = Backoff { slots, started: at, drawn: true, committed: None };
        } else {
            backoff.slots -= (at.since(backoff.runs_from(from, profile)) / profile.slot) as u32;
        }
    }

    /// From when on nothing has disturbed the medium, of which `idle` is known: neither what the radio receives nor
    /// a reservation. DIFS after that, a backoff may run.
    fn undisturbed_from(&self, idle: Time, profile: &Profile) -> Time {
        let is_lost = self.prospect == Prospect::Lost
            && self.lock.power >= profile.eifs_threshold
            && self.own.transmits_until <= self.lock.end;
        let eifs = if is_lost { profile.eifs_beyond_difs } else { Duration::ZERO };
        idle.max(self.own.ignored_until).max(self.lock.end + eifs)
    }
}
