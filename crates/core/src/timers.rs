//! Timers that wait to overhear something.

use crate::{Cx, Duration, Time};

/// Into so many parts a timer's span is cut: while its radio is deaf, it is looked at once in each
/// at most. Nobody knows how long a reception that is under way will last.
const GRAINS: f64 = 64.0;

/// A timer that counts only the time in which this radio could have overheard a neighbour.
///
/// While a radio sends, or receives something else, it misses what its neighbours forward.
/// A timer that waits for such a forwarding must not count that time, or it runs out because
/// the node was deaf and not because the neighbour was silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverhearTimer {
    expires: Time,
    deaf_at_start: Duration,
    grain: Duration,
}

impl OverhearTimer {
    /// A timer over `span`, from now on. The node's protocol must ask for [`Cx::air`].
    pub fn start(cx: &Cx, span: Duration) -> Self {
        OverhearTimer {
            expires: cx.now + span,
            deaf_at_start: cx.air.deaf(),
            grain: span.scaled(1.0 / GRAINS),
        }
    }

    /// When to look at it again; now or earlier if it has run out.
    pub fn look_at(&self, cx: &Cx) -> Time {
        let expires = self.expires + cx.air.deaf().saturating_sub(self.deaf_at_start);
        if expires <= cx.now { expires } else { expires.max(cx.now + self.grain) }
    }
}

#[cfg(test)]
mod tests;
