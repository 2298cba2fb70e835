//! How a station comes to send.

use multihop_core::{ContentionClass, Duration, Rng, Time};

/// How a station comes to send.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// After a random number of slots, drawn when it is a frame's turn, when the medium is busy at their end and, if it
    /// `redraws`, when a reception ends (Meshtastic, `RadioLibInterface.cpp`).
    Slots {
        /// A slot.
        slot: Duration,
        /// Slots before those that are drawn, where nobody asks for others.
        first: u32,
        /// From how many slots one is drawn, likewise.
        window: u32,
        /// Whether the end of a reception counts.
        redraws: bool,
    },
    /// At once; if the medium is busy, after 1 to `most` times `delay`; and after `force_after` of that whether it is busy or
    /// not (MeshCore, `Dispatcher.cpp`).
    Retry {
        /// The shortest wait.
        delay: Duration,
        /// The longest in units of it.
        most: u32,
        /// When the station sends in any case.
        force_after: Duration,
    },
}

/// What a station does next about its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It looks at the medium again at this time.
    Look(Time),
    /// It sends.
    Send,
}

impl Access {
    /// When a frame that comes to an idle radio at `start` is to be sent.
    pub fn first_look(&self, start: Time, asked: Option<ContentionClass>, rng: &mut Rng) -> Time {
        match self {
            Access::Slots { .. } => start + self.draw(asked, rng),
            Access::Retry { .. } => start,
        }
    }

    /// What the station does if it finds the medium busy `now`, and did so first at `since`.
    pub fn on_busy(
        &self,
        (now, since): (Time, Time),
        asked: Option<ContentionClass>,
        rng: &mut Rng,
    ) -> Next {
        match *self {
            Access::Slots { slot, .. } => {
                // A draw of no slot would find the medium as it is, and be followed by another one.
                let mut wait = self.draw(asked, rng);
                if wait == Duration::ZERO {
                    wait = slot * (1 + u64::from(rng.below(self.window(asked).max(2) - 1)));
                }
                Next::Look(now + wait)
            }
            Access::Retry { force_after, .. } if now.since(since) >= force_after => Next::Send,
            Access::Retry { delay, most, .. } => {
                Next::Look(now + delay * (1 + u64::from(rng.below(most))))
            }
        }
    }

    /// When the frame is to be sent after a reception that has ended `now`, if that changes.
    pub fn on_reception(
        &self,
        now: Time,
        asked: Option<ContentionClass>,
        rng: &mut Rng,
    ) -> Option<Time> {
        match self {
            Access::Slots { redraws: true, .. } => Some(now + self.draw(asked, rng)),
            Access::Slots { .. } | Access::Retry { .. } => None,
        }
    }

    /// Whether a busy medium holds up the station, and not the frame that it wanted to send.
    pub const fn retries(&self) -> bool {
        matches!(self, Access::Retry { .. })
    }

    /// A random number of slots.
    fn draw(&self, asked: Option<ContentionClass>, rng: &mut Rng) -> Duration {
        let Access::Slots { slot, first, .. } = *self else { return Duration::ZERO };
        let first = asked.map_or(first, |class| class.first);
        slot * (u64::from(first) + u64::from(rng.below(self.window(asked))))
    }

    /// From how many slots one is drawn.
    fn window(&self, asked: Option<ContentionClass>) -> u32 {
        match *self {
            Access::Slots { window, .. } => asked.map_or(window, |class| class.cw_min).max(1),
            Access::Retry { .. } => 1,
        }
    }

    /// How long a frame waits on an idle medium, in the mean.
    pub fn mean_delay(&self) -> Duration {
        match *self {
            Access::Slots { slot, first, window, .. } => {
                slot.scaled(f64::from(first) + f64::from(window - 1) / 2.0)
            }
            Access::Retry { .. } => Duration::ZERO,
        }
    }
}
