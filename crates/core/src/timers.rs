//! Timers that wait to overhear something.

use crate::{Cx, Duration, Time};

/// A timer that counts only the time in which this radio could have overheard a neighbour.
///
/// While a radio sends, or receives something else, it misses what its neighbours forward.
/// A timer that waits for such a forwarding must not count that time, or it runs out because
/// the node was deaf and not because the neighbour was silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverhearTimer {
    expires: Time,
    deaf_at_start: Duration,
}

impl OverhearTimer {
    /// A timer over `span`, from now on.
    pub fn start(cx: &Cx, span: Duration) -> Self {
        OverhearTimer { expires: cx.now + span, deaf_at_start: cx.deaf }
    }

    /// When it runs out, as far as is known now.
    pub fn expires(&self, deaf: Duration) -> Time {
        self.expires + deaf.saturating_sub(self.deaf_at_start)
    }
}
