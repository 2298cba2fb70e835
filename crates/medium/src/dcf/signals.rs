//! Receivers to which interference is noise (`radio.interference = "dsss"`), as ns-3's are: all that is on the air at a
//! radio adds up.
//!
//! - A preamble is noticed if it stands out of the rest in its first 4 us ([`dsss::DETECTION`]); of those that begin
//!   within this time of each other the strongest alone has the chance. One that is not noticed is noise: it keeps
//!   the radio from no later frame, and no EIFS follows it.
//! - Bits of the frame that the radio keeps go wrong by what is on the air with each of them. A signal that begins later
//!   makes that worse, by a factor that is drawn then.

use multihop_core::{Bytes, LossCause, Rng, Time};

use super::dsss::{DETECTABLE, DETECTION};
use super::frame::{Frame, Profile};
use super::receiver::{Claim, Effect, Lock, Prospect, takes_over};

/// A frame at one radio: what of it others meet.
#[derive(Clone, Copy, Debug)]
struct Signal {
    start: Time,
    end: Time,
    power: f64,
    bytes: Bytes,
}

/// All frames that are on the air at one radio, in the order in which it has learned of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals(Vec<Signal>);

impl Signals {
    /// One more arrives from `start` on, and those that have ended are no more.
    pub fn add(&mut self, frame: &Frame, (start, power): (Time, f64), now: Time) {
        self.0.retain(|signal| signal.end > now);
        self.0.push(Signal { start, end: start + frame.air_time, power, bytes: frame.bytes });
    }

    /// The number of the frame that the radio is locked on to.
    fn find(&self, lock: &Lock) -> Option<usize> {
        let is_it = |signal: &Signal| (signal.start, signal.power) == (lock.start, lock.power);
        self.0.iter().rposition(is_it)
    }

    /// How many times as strong number `of` is as all others together of which `counts` is true; infinite if there are
    /// none.
    fn ratio(&self, of: usize, profile: &Profile, counts: impl Fn(usize, &Signal) -> bool) -> f64 {
        let power = self.0[of].power;
        let others = (0..).zip(&self.0).filter(|(at, other)| *at != of && counts(*at, other));
        let share = |(_, other): (usize, &Signal)| 1.0 / profile.capture.ratio(power, other.power);
        1.0 / others.map(share).fold(0.0, |sum, share| sum + share)
    }

    /// Whether the radio notices that number `of` begins.
    fn is_noticed(&self, of: usize, profile: &Profile) -> bool {
        let Signal { start, .. } = self.0[of];
        let meets = |other: &Signal| other.start < start + DETECTION && other.end > start;
        self.ratio(of, profile, |_, other| meets(other)) >= DETECTABLE
    }

    /// The probability that number `of` survives from `begin` to `end`, but for what number `without` does.
    fn survival(
        &self,
        of: usize,
        (begin, end): (Time, Time),
        without: Option<usize>,
        profile: &Profile,
    ) -> f64 {
        let Signal { start, end: over, bytes, .. } = self.0[of];
        let (mut at, mut whole) = (begin, 1.0);
        while at < end {
            let changes = self.0.iter().flat_map(|other| [other.start, other.end]);
            let next = changes.filter(|change| *change > at).fold(end, Time::min);
            let meets = |number: usize, other: &Signal| {
                Some(number) != without && other.start <= at && at < other.end
            };
            let ratio = self.ratio(of, profile, meets);
            let span = (at.since(start), next.since(start));
            whole *= profile.survival((bytes, over.since(start)), span, ratio);
            at = next;
        }
        whole
    }

    /// Whether number `of` survives what the newest signal does to it, which may be itself: then, what all others do.
    fn survives(&self, of: usize, profile: &Profile, rng: &mut Rng) -> bool {
        let newest = self.0.len() - 1;
        let Signal { start, end, .. } = self.0[of];
        let (span, before) = if of == newest {
            ((start, end), 1.0)
        } else {
            let other = &self.0[newest];
            let span = (other.start.max(start), other.end.min(end));
            (span, self.survival(of, span, Some(newest), profile))
        };
        let survival = self.survival(of, span, None, profile);
        survival >= before || rng.chance(survival / before)
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
        if !is_noticed || !self.survives(of, profile, rng) {
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
