//! Receivers to which interference is noise (`radio.interference = "dsss"` and `"ofdm"`), as ns-3's are: all that is on
//! the air at a radio adds up.
//!
//! - A preamble is noticed if it stands out of the rest in its first 4 us ([`dsss::DETECTION`]); of those that begin
//!   within this time of each other the strongest alone has the chance. One that is not noticed is noise: it keeps
//!   the radio from no later frame, and no EIFS follows it.
//! - Bits of the frame that the radio keeps go wrong by what is on the air with each of them. A signal that begins later
//!   makes that worse, by a factor that is drawn then.

use multihop_core::{Bytes, Duration, LossCause, Rate, Rng, Time};

use super::dsss;
use super::frame::{Frame, FrameKind, Profile};
use super::phy::{DETECTABLE, Mode};
use super::receiver::{Claim, Effect, Lock, Prospect, takes_over};

/// A preamble is detected within that time, if it is [`DETECTABLE`] beside the rest by then.
pub(super) const DETECTION: Duration = Duration::from_micros(4);

/// A frame at one radio: what of it others meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signal {
    pub start: Time,
    pub end: Time,
    /// As the radio compares powers: by this and its start it is known.
    power: f64,
    pub watts: f64,
    bytes: Bytes,
    pub mode: Mode,
    /// The sender, if it carries several packets.
    pub aggregate: Option<u32>,
}

/// A part of a frame, and how probably it survives: where all but noise and interference are left out, the frame, from when
/// until when, and how many times as strong it is as the rest meanwhile.
pub(super) struct Part<L> {
    pub span: (Time, Time),
    pub law: L,
}

/// How probably a part of a frame survives.
pub(super) trait Law: Fn(&Signal, (Time, Time), f64) -> f64 {}

impl<F: Fn(&Signal, (Time, Time), f64) -> f64> Law for F {}

/// All frames that are on the air at one radio, in the order in which it has learned of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals(Vec<Signal>);

impl Signals {
    /// One more arrives from `start` on, and those that have ended are no more.
    pub fn add(
        &mut self,
        frame: &Frame,
        (start, power): (Time, f64),
        now: Time,
        profile: &Profile,
    ) {
        self.0.retain(|signal| signal.end > now);
        let silent = profile.settings().format.extension();
        self.0.push(Signal {
            start,
            end: start + frame.air_time.saturating_sub(silent),
            power,
            watts: profile.capture.in_watts(power),
            bytes: frame.bytes,
            mode: frame.mode,
            aggregate: (frame.kind == FrameKind::Aggregate).then_some(frame.from),
        });
    }

    /// All of them.
    pub fn all(&self) -> &[Signal] {
        &self.0
    }

    /// The number of the frame that the radio is locked on to.
    pub fn find(&self, lock: &Lock) -> Option<usize> {
        let is_it = |signal: &Signal| (signal.start, signal.power) == (lock.start, lock.power);
        self.0.iter().rposition(is_it)
    }

    /// How many times as strong number `of` is as noise and all others together of which `counts` is true; infinite if
    /// there is nothing.
    fn ratio(&self, of: usize, profile: &Profile, counts: impl Fn(usize, &Signal) -> bool) -> f64 {
        let others = (0..).zip(&self.0).filter(|(at, other)| *at != of && counts(*at, other));
        self.0[of].watts / others.fold(profile.noise, |sum, (_, other)| sum + other.watts)
    }

    /// Whether the radio notices that number `of` begins.
    pub fn is_noticed(&self, of: usize, profile: &Profile) -> bool {
        let Signal { start, .. } = self.0[of];
        let meets = |other: &Signal| other.start < start + DETECTION && other.end > start;
        self.ratio(of, profile, |_, other| meets(other)) >= DETECTABLE
    }

    /// The probability that a part of number `of` survives, but for what number `without` does.
    fn survival(
        &self,
        of: usize,
        part: &Part<impl Law>,
        without: Option<usize>,
        profile: &Profile,
    ) -> f64 {
        let (mut at, end) = part.span;
        let mut whole = 1.0;
        while at < end {
            let changes = self.0.iter().flat_map(|other| [other.start, other.end]);
            let next = changes.filter(|change| *change > at).fold(end, Time::min);
            let meets = |number: usize, other: &Signal| {
                Some(number) != without && other.start <= at && at < other.end
            };
            let ratio = self.ratio(of, profile, meets);
            whole *= (part.law)(&self.0[of], (at, next), ratio);
            at = next;
        }
        whole
    }

    /// Whether a part of number `of` survives what the newest signal does to it, which may be itself: then, what noise and
    /// all others do.
    pub fn survives(
        &self,
        of: usize,
        part: Part<impl Law>,
        profile: &Profile,
        rng: &mut Rng,
    ) -> bool {
        let newest = self.0.len() - 1;
        let (begin, end) = part.span;
        let (part, before) = if of == newest {
            (part, 1.0)
        } else {
            let other = &self.0[newest];
            let part = Part { span: (begin.max(other.start), end.min(other.end)), ..part };
            let before = self.survival(of, &part, Some(newest), profile);
            (part, before)
        };
        let survival = self.survival(of, &part, None, profile);
        survival >= before || rng.chance(survival / before)
    }

    /// Whether number `of`, a frame of 802.11b, survives what the newest signal does to it.
    fn survives_dsss(&self, of: usize, profile: &Profile, rng: &mut Rng) -> bool {
        let preamble = profile.settings().preamble;
        let law = |of: &Signal, (begin, end): (Time, Time), ratio| {
            let data = of.end.since(of.start + preamble);
            let share = end.since(begin.max(of.start + preamble)).seconds() / data.seconds();
            let bits = of.bytes.bits() as f64;
            dsss::survival(Rate((bits / data.seconds()) as u64), bits * share, ratio)
        };
        let Signal { start, end, .. } = self.0[of];
        self.survives(of, Part { span: (start, end), law }, profile, rng)
    }

    /// What the newest signal, or all others if it is that itself, make of a frame that the radio keeps.
    pub fn meet(
        &self,
        claim: &mut Claim,
        profile: &Profile,
        rng: &mut Rng,
        lose: impl FnOnce(&Claim, LossCause),
    ) {
        let Some(of) = self.find(&claim.lock) else { return };
        let is_noticed = self.is_noticed(of, profile);
        if !is_noticed || !self.survives_dsss(of, profile, rng) {
            claim.spoil(profile, |lost| lose(lost, LossCause::Collision));
        }
        if !is_noticed {
            claim.lock.become_noise(profile);
        }
    }

    /// [`Claim::interfere`] of the frame that the radio is locked on to with `late`, the newest.
    pub fn interfere(
        &self,
        held: &mut Claim,
        mut late: Claim,
        (profile, rng): (&Profile, &mut Rng),
        mut lose: impl FnMut(&Claim, LossCause),
    ) -> Effect {
        if late.lock.start < held.lock.start {
            std::mem::swap(held, &mut late);
        }
        let (first, second) = (&held.lock, &late.lock);
        let at_once = second.start.since(first.start) < DETECTION && second.power > first.power;
        if late.prospect != Prospect::Lost
            && (at_once || takes_over(first.power, second.power, profile))
        {
            late = held.replace(late);
        }
        if held.prospect != Prospect::Lost {
            self.meet(held, profile, rng, &mut lose);
        }
        let cause = if held.prospect == Prospect::Lost {
            LossCause::Collision
        } else {
            LossCause::CaptureLost
        };
        late.spoil(profile, |lost| lose(lost, cause));
        if held.lock.power < profile.receive_threshold && late.lock.end > held.lock.end {
            late.lock.become_noise(profile);
            held.replace(late);
            return Effect::Collided;
        }
        Effect::Captured { until: late.lock.end }
    }
}
