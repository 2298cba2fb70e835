//! The words of tables, each with a number of its own.

use multihop_core::{DropCause, EventKind, Fate, FrameClass, HostEvent, LossCause, Outcome, Timer};

use super::cells::Word;
use crate::{Reach, RetransmissionReason};

macro_rules! open_vocabularies {
    ($($word:ident),+) => {$(
        impl Word for $word {
            #[inline]
            fn code(self) -> Option<u8> {
                self.place()
            }

            fn name(self) -> &'static str {
                $word::name(self)
            }
        }
    )+};
}

open_vocabularies!(FrameClass, DropCause);

impl Word for Timer {
    #[inline]
    fn code(self) -> Option<u8> {
        Some(self as u8)
    }

    fn name(self) -> &'static str {
        Timer::name(self)
    }
}

/// Where the words of the next vocabulary begin, if a column has words of some.
const NEXT: u8 = 64;
const _: () = {
    let most = [HostEvent::ALL.len(), EventKind::COMMON.len(), LossCause::ALL.len()];
    assert!(most[0] <= NEXT as usize && most[1] <= NEXT as usize && most[2] <= NEXT as usize);
};

impl Word for Fate {
    #[inline]
    fn code(self) -> Option<u8> {
        Some(match self {
            Fate::Decoded(decoded) => decoded as u8,
            Fate::Lost(cause) => NEXT + cause as u8,
            Fate::Sensed => 2 * NEXT,
        })
    }

    fn name(self) -> &'static str {
        Fate::name(self)
    }
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    Host(HostEvent),
    Protocol(EventKind),
}

impl Word for What {
    #[inline]
    fn code(self) -> Option<u8> {
        match self {
            What::Host(event) => Some(event as u8),
            What::Protocol(kind) => kind.place().map(|place| NEXT + place),
        }
    }

    fn name(self) -> &'static str {
        match self {
            What::Host(event) => event.name(),
            What::Protocol(kind) => kind.name(),
        }
    }
}

/// Why, or how it ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Why {
    Unsaid,
    Outcome(Outcome),
    Reason(RetransmissionReason),
    Reach(Reach),
}

impl Word for Why {
    #[inline]
    fn code(self) -> Option<u8> {
        Some(match self {
            Why::Unsaid => 0,
            Why::Outcome(outcome) => NEXT + outcome as u8,
            Why::Reason(reason) => 2 * NEXT + reason as u8,
            Why::Reach(reach) => 3 * NEXT + reach as u8,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Why::Unsaid => "",
            Why::Outcome(outcome) => outcome.name(),
            Why::Reason(reason) => reason.name(),
            Why::Reach(reach) => reach.name(),
        }
    }
}
