//! Reception and capture: the rules that a scenario calls `ns2`.
//!
//! - A frame below the sense threshold does not exist.
//! - The radio locks on to the first frame that it senses, even one that it cannot decode.
//! - A later frame that is weaker by the capture ratio is ignored; any other destroys both, and
//!   the radio stays locked on whichever ends last. A later stronger frame is never captured,
//!   unless the scenario asks for the rules `message-in-message`, or the radio is locked on to one that is too weak to
//!   be decoded and the scenario asks for the rules `first-decodable`.
//! - While the radio transmits, arriving frames are lost.
//! - Interference is pairwise, never summed.
//!
//! The receiver is lazy: a frame's fate is settled when somebody asks after its end, so that
//! bystanders cost no event, and an RTS or a CTS none of its own: its answer is due after SIFS. One that
//! ends while the next is under way to the radio is settled with the news of that one, and reaches the node
//! up to a propagation delay before its end.

use multihop_core::{Duration, LossCause, Time};
use multihop_setup::Reception;

use super::fates::Entry;
use super::frame::{BROADCAST, Frame, PAIR, Profile};
use crate::channel;

/// A frame as it reaches one radio.
pub type Arrival<'a> = channel::Arrival<'a, Frame>;

/// Where a station keeps a frame that it awaits: there are two, for while it receives one another may
/// arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameSlot {
    First,
    Second,
}

impl FrameSlot {
    /// One that a frame in `taken` leaves free.
    pub fn beside(taken: Option<FrameSlot>) -> FrameSlot {
        if taken == Some(FrameSlot::First) { FrameSlot::Second } else { FrameSlot::First }
    }
}

/// What is to become of a frame that a radio is locked on to, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prospect {
    /// It cannot be decoded.
    Lost,
    /// It can, and nobody waits for it.
    Unwanted,
    /// It can, and somebody waits for it: it is there.
    Awaited(FrameSlot),
}

impl Prospect {
    /// Where the frame is, if somebody waits for it.
    pub fn place(self) -> Option<FrameSlot> {
        if let Prospect::Awaited(place) = self { Some(place) } else { None }
    }

    /// Whether somebody waits for it.
    pub fn is_awaited(self) -> bool {
        matches!(self, Prospect::Awaited(_))
    }

    /// Nobody waits for it any more. Returns where it is, if somebody did.
    pub fn forget(&mut self) -> Option<FrameSlot> {
        let place = self.place();
        if place.is_some() {
            *self = Prospect::Unwanted;
        }
        place
    }
}

/// The frame that a radio is locked on to, or would be: what of it matters at its end is known
/// when it arrives. Most frames reach radios that have nothing to do with them, and cost no copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lock {
    pub start: Time,
    pub end: Time,
    /// When the medium first became busy in this unbroken reception.
    pub busy_from: Time,
    /// How long the medium stays reserved after the end.
    pub reserved: Duration,
    pub power: f64,
}

/// What an RTS for another station has announced, by the rules of the standard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Announced {
    /// When it began to arrive.
    pub rts: Time,
    /// Until when what it announces lasts.
    pub until: Time,
    /// By when the header of another frame must be over.
    pub by: Time,
}

/// A frame that has, or might get, a radio's attention: what a station keeps of it in several places, where two
/// of them meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub lock: Lock,
    pub prospect: Prospect,
    /// Where it stands what becomes of it, if somebody watches.
    pub entry: Entry,
}

/// A frame that was decoded, and that somebody awaited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decoded {
    pub frame: Frame,
    /// When it ended.
    pub end: Time,
    pub power: f64,
}

/// What a newly arriving frame did to the frame that a radio is locked on to.
#[derive(Debug)]
pub(super) enum Effect {
    /// It was ignored; the medium counts as busy until this time.
    Captured {
        /// When the ignored frame ends.
        until: Time,
    },
    /// It and the frame before it are lost.
    Collided,
}

impl Frame {
    /// Whether the frame is meant for `me`.
    pub fn is_for(&self, me: u32) -> bool {
        self.to == me || self.to >= PAIR && (self.to == BROADCAST || self.pair.contains(&me))
    }

    /// Whether `me` is one of those that it names.
    #[inline]
    pub fn names(&self, me: u32) -> bool {
        self.to == me || self.to == PAIR && self.pair.contains(&me)
    }
}

impl Lock {
    /// On nothing: it has ended, and nothing follows from it.
    pub const NONE: Lock = Lock {
        start: Time::ZERO,
        end: Time::ZERO,
        busy_from: Time::ZERO,
        reserved: Duration::ZERO,
        power: 0.0,
    };

    /// The radio is not locked on to it any more: all that follows from its end is known.
    pub fn release(&mut self) {
        self.busy_from = self.end;
        self.reserved = Duration::ZERO;
    }

    /// Whether the radio is locked on to it, or its end is not known yet.
    pub fn is_held(&self) -> bool {
        self.busy_from < self.end
    }

    /// The radio has not noticed that a frame begins: it is noise to it, whatever its power.
    pub fn become_noise(&mut self, profile: &Profile) {
        self.power = f64::NEG_INFINITY;
        if profile.eifs_threshold > self.power {
            self.reserved = Duration::ZERO;
        }
    }

    /// [`Claim::interfere`] with a frame that arrives later, where neither can be decoded, by ns-2's rules or with
    /// `message-in-message`. `replaced` is called if the radio stays locked on to that one instead.
    pub fn drown(
        &mut self,
        (start, end): (Time, Time),
        power: f64,
        profile: &Profile,
        replaced: impl FnOnce(),
    ) -> Effect {
        let capture = profile.capture;
        let takes_over =
            profile.reception == Reception::MessageInMessage && capture.survives(power, self.power);
        if !takes_over && capture.survives(self.power, power) {
            return Effect::Captured { until: end };
        }
        let before = self.end;
        if takes_over || end > before {
            (self.start, self.end, self.power) = (start, end, power);
            replaced();
        }
        if takes_over { Effect::Captured { until: before } } else { Effect::Collided }
    }
}

/// Whether a radio that is locked on to a frame of power `locked` turns to one that arrives `late`.
#[cold]
pub(super) fn takes_over(locked: f64, late: f64, profile: &Profile) -> bool {
    match profile.reception {
        Reception::Ns2 => false,
        Reception::MessageInMessage => profile.capture.survives(late, locked),
        Reception::FirstDecodable => {
            locked < profile.receive_threshold && late >= profile.receive_threshold
        }
    }
}

impl Claim {
    /// It cannot be decoded any more; if it could so far, `lose` gets it.
    pub fn spoil(&mut self, profile: &Profile, lose: impl FnOnce(&Claim)) {
        if self.prospect == Prospect::Lost {
            return;
        }
        self.lock.reserved = profile.eifs;
        lose(self);
        self.prospect = Prospect::Lost;
    }

    /// The radio stays locked on to `other` instead; the medium has been busy without a break.
    pub fn replace(&mut self, mut other: Claim) -> Claim {
        other.lock.busy_from = self.lock.busy_from;
        std::mem::replace(self, other)
    }

    /// Another frame arrives while this one is locked. Frames that are lost by that are handed to `lose`.
    pub fn interfere(
        &mut self,
        mut late: Claim,
        profile: &Profile,
        mut lose: impl FnMut(&Claim, LossCause),
    ) -> Effect {
        if late.lock.start < self.lock.start {
            // Two frames within one propagation delay of each other: the transmissions are
            // handed to the receiver in the order of their starts at the transmitters, but the
            // nearer transmitter's frame is the first here.
            std::mem::swap(self, &mut late);
        }
        if profile.reception != Reception::Ns2
            && takes_over(self.lock.power, late.lock.power, profile)
        {
            // The newcomer takes over, and the earlier frame is the one that is ignored.
            late = self.replace(late);
        }
        if profile.capture.survives(self.lock.power, late.lock.power) {
            late.spoil(profile, |lost| lose(lost, LossCause::CaptureLost));
            return Effect::Captured { until: late.lock.end };
        }
        for claim in [&mut *self, &mut late] {
            claim.spoil(profile, |lost| lose(lost, LossCause::Collision));
        }
        if late.lock.end > self.lock.end {
            self.replace(late);
        }
        Effect::Collided
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::air::{Air, STRONG};

    /// A frame that cannot be decoded, begins `start` us and lasts `length` us.
    fn noise(start: u64, length: u64, power: f64, reserved: Duration) -> Claim {
        let start = Time::ZERO + Duration::from_micros(start);
        let end = start + Duration::from_micros(length);
        let lock = Lock { start, end, busy_from: start, reserved, power: power * STRONG };
        Claim { lock, prospect: Prospect::Lost, entry: Entry::NONE }
    }

    proptest! {
        #[test]
        fn noise_drowns_as_any_two_frames_interfere(
            (starts, lengths) in ((0u64..50, 0u64..50), (50u64..200, 1u64..200)),
            powers in prop::array::uniform2(prop::sample::select(vec![0.05, 0.5, 1.0, 9.0, 11.0, 120.0])),
            message_in_message in prop::bool::ANY,
        ) {
            let keys = if message_in_message { "[radio]\nreception = \"message-in-message\"\n" } else { "" };
            let profile = Air::alone(keys, 1).profile;
            let locked = noise(starts.0, lengths.0, powers[0], profile.eifs);
            let late = noise(starts.0 + starts.1, lengths.1, powers[1], profile.eifs);
            let (mut one, mut other) = (locked, locked);
            let (arrives, power) = ((late.lock.start, late.lock.end), late.lock.power);
            let effects = [
                one.interfere(late, &profile, |_, _| panic!("both were lost before")),
                other.lock.drown(arrives, power, &profile, || other.entry = late.entry),
            ];
            prop_assert_eq!(format!("{one:?}"), format!("{other:?}"));
            prop_assert_eq!(format!("{:?}", effects[0]), format!("{:?}", effects[1]));
        }
    }
}
