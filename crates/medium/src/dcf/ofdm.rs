//! Receivers of OFDM (`radio.interference = "ofdm"`; IEEE 802.11-2020, 17.3.12), as ns-3's are.
//!
//! - A frame has the radio's attention from `receive_threshold` on, whatever its rate, if its preamble stands 4 dB out of
//!   noise and all else; of those that begin within 4 us of each other the strongest alone has the chance.
//! - The SIGNAL field behind it, 24 bits at 6 Mbit/s, must survive, or the frame is noise. What follows is received to
//!   its end, right or wrong. A frame of 802.11n has a second such field, HT-SIG, 48 bits.
//! - With `message-in-message` a frame that is stronger by the capture ratio takes over, if it begins within 16 us of
//!   the first.
//! - The medium is busy while a frame is received, and while all signals together have -82 dBm (17.3.10.6: the least at
//!   which a frame must be noticed). Noise reserves nothing, and no EIFS follows it.
//!
//! The radio is locked on to what it receives alone. When the header of a frame is lost, or its preamble is not noticed,
//! the lock ends there.

use multihop_core::{Duration, LossCause, Rng, Time};

use super::aggregates::{self, Aggregates};
use super::frame::Profile;
use super::nist;
use super::phy::{BUSY, Mode};
use super::ports::{Deadline, Ports};
use super::receiver::{Arrival, Claim, Effect, Lock, Prospect};
use super::signals::{DETECTION, Part, Signal, Signals};
use super::station::{Own, Rules, Station};

/// The training symbols before the SIGNAL field (17.3.3).
const TRAINING: Duration = Duration::from_micros(16);
/// The SIGNAL field (17.3.4).
const SIGNAL: Duration = Duration::from_micros(4);
const SIGNAL_BITS: f64 = 24.0;
/// HT-SIG behind it, and the training fields behind that (19.3.2).
const HT_SIGNAL: Duration = Duration::from_micros(8);
const HT_SIGNAL_BITS: f64 = 48.0;
const HT_TRAINING: Duration = Duration::from_micros(8);
/// How long after the beginning of a frame another one may take over (ns-3's `SimpleFrameCaptureModel`).
const CAPTURE_WINDOW: Duration = Duration::from_micros(16);

/// What decides over a frame that the radio is locked on to.
pub(super) struct Judge<'a> {
    pub profile: &'a Profile,
    /// What A-MPDUs carry, where stations send some.
    pub aggregates: Option<&'a Aggregates>,
    pub rng: &'a mut Rng,
    /// Which packets of the frame can be decoded, if it carries several.
    pub survivors: &'a mut u64,
}

impl Signals {
    /// How long from `at` on all signals together keep the medium busy; `at` if they do not.
    fn busy_until(&self, at: Time) -> Time {
        let energy = |at| {
            let there = self.all().iter().filter(|signal| signal.end > at);
            there.fold(0.0, |sum, signal| sum + signal.watts)
        };
        let mut until = at;
        while energy(until) >= BUSY {
            let ends = self.all().iter().map(|signal| signal.end).filter(|end| *end > until);
            until = ends.min().unwrap_or(until);
        }
        until
    }

    /// Whether the header of number `of` survives what the newest signal does to it.
    fn header_survives(&self, of: usize, profile: &Profile, rng: &mut Rng) -> bool {
        let begin = self.all()[of].start + TRAINING;
        self.field_survives(of, (begin, SIGNAL, SIGNAL_BITS), profile, rng)
    }

    /// Whether a field of so many bits at 6 Mbit/s does.
    fn field_survives(
        &self,
        of: usize,
        (begin, length, bits): (Time, Duration, f64),
        profile: &Profile,
        rng: &mut Rng,
    ) -> bool {
        let law = |_: &Signal, (begin, end): (Time, Time), ratio| {
            let bits = bits * share(end.since(begin), length);
            nist::success(Mode::ONLY, bits, ratio * profile.gain(Mode::ONLY))
        };
        self.survives(of, Part { span: (begin, begin + length), law }, profile, rng)
    }

    /// Whether what is behind the header does, or some of its packets, if there are several.
    fn payload_survives(&self, of: usize, judge: &mut Judge) -> bool {
        let Judge { profile, aggregates, rng, survivors } = judge;
        let Signal { start, end, mode, aggregate, .. } = self.all()[of];
        let mut begin = start + TRAINING + SIGNAL;
        if mode.ht().is_some() {
            if !self.field_survives(of, (begin, HT_SIGNAL, HT_SIGNAL_BITS), profile, rng) {
                return false;
            }
            begin = begin + HT_SIGNAL + HT_TRAINING;
        }
        let (symbol, bits) = profile.settings().format.symbol(mode);
        let gain = profile.gain(mode);
        let law = |_: &Signal, (begin, end): (Time, Time), ratio| {
            nist::success(mode, bits as f64 * share(end.since(begin), symbol), ratio * gain)
        };
        let (Some(from), Some(aggregates)) = (aggregate, aggregates) else {
            return self.survives(of, Part { span: (begin, end), law }, profile, rng);
        };
        if of + 1 == self.all().len() {
            **survivors = u64::MAX;
        }
        let parts = &aggregates.of(from).parts;
        **survivors &= u64::MAX >> (u64::BITS as usize - parts.len().max(1));
        for (at, (first, last)) in aggregates::Part::shares(parts).enumerate() {
            let span = end.since(begin);
            let span = (begin + span.scaled(first), begin + span.scaled(last));
            if **survivors >> at & 1 == 1 && !self.survives(of, Part { span, law }, profile, rng) {
                **survivors &= !(1 << at);
            }
        }
        **survivors != 0
    }

    /// What the newest signal, or noise and all others if it is that itself, make of a frame that the radio keeps.
    fn meet_ofdm(&self, claim: &mut Claim, judge: &mut Judge, lose: impl FnOnce(&Claim)) {
        let profile = judge.profile;
        let Some(of) = self.find(&claim.lock) else { return };
        let missed = if !self.is_noticed(of, profile) {
            Some(DETECTION)
        } else if !self.header_survives(of, profile, judge.rng) {
            Some(TRAINING + SIGNAL)
        } else {
            None
        };
        let is_lost = claim.prospect == Prospect::Lost;
        if missed.is_some() || !is_lost && !self.payload_survives(of, judge) {
            claim.spoil(profile, lose);
        }
        if let Some(span) = missed {
            claim.lock.become_noise(profile);
            claim.lock.end = claim.lock.end.min(claim.lock.start + span);
        }
    }

    /// [`Signals::interfere`] at a receiver of OFDM.
    pub fn interfere_ofdm(
        &self,
        held: &mut Claim,
        mut late: Claim,
        judge: &mut Judge,
        mut lose: impl FnMut(&Claim, LossCause),
    ) -> Effect {
        let profile = judge.profile;
        let newest = late.lock.start;
        if late.lock.start < held.lock.start {
            std::mem::swap(held, &mut late);
        }
        if takes_over(&held.lock, &late.lock, profile) {
            late = held.replace(late);
        }
        self.meet_ofdm(held, judge, |lost| lose(lost, LossCause::Collision));
        let cause = if held.prospect == Prospect::Lost {
            LossCause::Collision
        } else {
            LossCause::CaptureLost
        };
        late.spoil(profile, |lost| lose(lost, cause));
        Effect::Captured { until: self.busy_until(newest) }
    }
}

/// How often one time lasts as long as another.
fn share(span: Duration, unit: Duration) -> f64 {
    span.nanos() as f64 / unit.nanos() as f64
}

/// Whether a radio that is locked on to the frame of `first` turns to that of `second`, which begins later.
fn takes_over(first: &Lock, second: &Lock, profile: &Profile) -> bool {
    let after = second.start.since(first.start);
    let captures = profile.captures_stronger()
        && after <= CAPTURE_WINDOW
        && profile.capture.survives(second.power, first.power);
    second.power >= profile.receive_threshold
        && (captures || after < DETECTION && second.power > first.power)
}

impl Station {
    /// A frame begins to arrive at a receiver of OFDM that is locked on to no other.
    #[cold]
    #[inline(never)]
    pub(super) fn on_ofdm_arrival<R: Rules>(
        &mut self,
        arrival: &Arrival,
        ports: &mut Ports<R>,
    ) -> Deadline {
        let Arrival { to, frame, start, .. } = *arrival;
        if self.counts_air() && self.lock.is_held() {
            self.meter_lock();
        }
        let mut deadline = self.on_unnoticed_end(start, ports);
        let mut claim = self.perceive::<R, true>(arrival, ports);
        claim = self.add_signal(claim, frame, ports);
        let is_heard = claim.lock.power >= ports.profile.receive_threshold;
        let until = self.own.signals.busy_until(start);
        if !is_heard && until <= start {
            return deadline;
        }
        if self.engaged {
            self.pause_backoff(start, ports);
            deadline = deadline.or(self.medium_matters());
        }
        if is_heard {
            self.meet_noise(&mut claim, frame.is_for(to.0), ports);
            self.hold::<true>(claim);
            R::hear_announced(self, frame, ports.profile);
            if claim.prospect != Prospect::Lost && self.wants(to.0, frame) {
                self.prospect = self.keep(frame, None);
                deadline = if self.heeds(frame) { Deadline::Moves } else { deadline };
            }
        }
        self.ignore(until, ports);
        deadline
    }

    /// What noise, and what is on the air, make of a frame that the radio may lock on to.
    fn meet_noise<R: Rules>(&mut self, claim: &mut Claim, mine: bool, ports: &mut Ports<R>) {
        let Own { signals, rng, losses, survivors, .. } = &mut *self.own;
        let aggregates = ports.aggregates.as_deref();
        let judge = &mut Judge { profile: ports.profile, aggregates, rng, survivors };
        let alone = signals.all().len() == 1;
        let cause = if alone { LossCause::BitError } else { LossCause::Collision };
        signals.meet_ofdm(claim, judge, |lost| {
            if mine {
                losses.count_one(cause);
            }
            if let Some(fates) = &mut ports.fates {
                fates.lose(ports.now, lost.entry, cause, None);
            }
        });
    }

    /// The radio, which is locked on to the frame of `claim`, begins to transmit `now`.
    #[cold]
    pub(super) fn stop_receiving<R: Rules>(
        &mut self,
        claim: &mut Claim,
        now: Time,
        profile: &Profile,
    ) {
        claim.lock.end = now;
        R::ignore(self, self.own.signals.busy_until(now), profile);
    }
}
