//! Neighbours that may have vanished, and packets that get no further: they are tried ever more rarely.
//!
//! Schemes that promise to deliver repeat a frame until it is answered. Their papers' neighbours stay. A neighbour that was
//! switched off would be asked for ever, as fast as the scheme's timeout allows. So, with a `longest_probe`:
//!
//! - A neighbour is silent if nothing was heard of it for a second, while ten frames or more were sent to it in vain. One
//!   frame goes to it at a time, whatever it is about, after a quarter of the time for which it has been silent.
//! - What was sent to a neighbour more than a second ago, and is not answered although the neighbour is heard, is repeated
//!   after a quarter of its age. All that is so old shares two repetitions in a second.
//! - No such pause is longer than `LONGEST_PROBE`. So a neighbour that comes back is used again after this time at most.
//! - With the first frame that is heard of a neighbour everything is as in the paper again.

use multihop_core::{Duration, NodeId, Param, Params, Preset, Span, Time};

/// The longest pause before a neighbour that is silent is tried again.
const LONGEST_PROBE: Span = Span {
    name: "longest_probe",
    about: "A neighbour of which nothing is heard, and a packet that gets no further, are tried ever more rarely, but \
            after this pause at the latest; 0 s: as often as the scheme has it, for ever",
    bare_unit: "",
    default: Duration::ZERO,
    min: Duration::ZERO,
    max: Duration::from_millis(3_600_000),
};

/// The parameter, of every scheme that repeats without limit. In the field, nodes vanish.
pub const PARAM: Param =
    LONGEST_PROBE.param().in_the_field(Preset::Span(Duration::from_millis(2_000)));

/// Whether what is in vain is tried ever more rarely.
pub fn are_rare(params: &Params) -> bool {
    params.get(LONGEST_PROBE) > Duration::ZERO
}

/// From this age on something is in vain.
const IN_VAIN: Duration = Duration::from_millis(1_000);
/// So many frames without an answer make a neighbour silent.
const UNANSWERED: u32 = 10;
/// The pause is one part in so many of the time for which it was in vain.
const PART: f64 = 4.0;
/// Between two repetitions of anything old for one neighbour.
const BETWEEN_OLD: Duration = Duration::from_millis(500);
/// Neighbours that are remembered: more than any radio reaches.
const MOST_NEIGHBOURS: usize = 1_024;

/// A neighbour that owes an answer, or has owed one lately.
#[derive(Clone, Copy, Debug)]
struct Neighbour {
    node: NodeId,
    /// Frames to it since it was heard last, and when the first of them was sent.
    unanswered: u32,
    since: Time,
    /// Before, no frame goes to it.
    closed_until: Time,
    /// Before, nothing old is repeated to it.
    old_closed_until: Time,
}

impl Neighbour {
    fn is_silent(&self) -> bool {
        self.closed_until > self.since + IN_VAIN
    }
}

/// How a frame stands that may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// To whom it goes.
    pub to: NodeId,
    /// Since when it was sent in vain; nothing for the first time.
    pub since: Option<Time>,
}

impl Probe {
    fn is_old(&self, now: Time) -> bool {
        self.since.is_some_and(|since| now.since(since) >= IN_VAIN)
    }
}

/// What a node remembers of its neighbours' answers.
#[derive(Clone, Debug)]
pub struct Probing {
    longest: Duration,
    neighbours: Vec<Neighbour>,
}

impl Probing {
    /// With the parameter of `params`.
    pub fn new(params: &Params) -> Self {
        Probing { longest: params.get(LONGEST_PROBE), neighbours: Vec::new() }
    }

    /// The pause before the next try of what was in vain for `age`.
    pub fn pause(&self, age: Duration) -> Duration {
        if age < IN_VAIN { Duration::ZERO } else { age.scaled(1.0 / PART).min(self.longest) }
    }

    /// The neighbour `from` was heard: it is there.
    #[inline]
    pub fn on_heard(&mut self, from: NodeId) {
        if let Some(known) = self.neighbours.iter_mut().find(|known| known.node == from) {
            (known.unanswered, known.closed_until) = (0, Time::ZERO);
        }
    }

    /// A frame has been on the air that wants an answer.
    pub fn on_sent(&mut self, now: Time, probe: Probe) {
        if self.longest == Duration::ZERO {
            return;
        }
        let Probe { to, .. } = probe;
        let at = self.neighbours.iter().position(|known| known.node == to).unwrap_or_else(|| {
            if self.neighbours.len() == MOST_NEIGHBOURS {
                self.neighbours.remove(0);
            }
            self.neighbours.push(Neighbour {
                node: to,
                unanswered: 0,
                since: now,
                closed_until: Time::ZERO,
                old_closed_until: Time::ZERO,
            });
            self.neighbours.len() - 1
        });
        let known = &mut self.neighbours[at];
        if known.unanswered == 0 {
            known.since = now;
        }
        known.unanswered = known.unanswered.saturating_add(1);
        let (silent, unanswered) = (now.since(known.since), known.unanswered);
        if probe.is_old(now) {
            known.old_closed_until = now + BETWEEN_OLD.min(self.longest);
        }
        if unanswered >= UNANSWERED {
            self.neighbours[at].closed_until = now + self.pause(silent);
        }
    }

    /// From when on this frame may go, as far as its neighbour is concerned: [`Time::ZERO`] for any time.
    #[inline]
    pub fn opens(&self, now: Time, probe: Probe) -> Time {
        let Some(known) = self.neighbours.iter().find(|known| known.node == probe.to) else {
            return Time::ZERO;
        };
        if probe.is_old(now) {
            known.closed_until.max(known.old_closed_until)
        } else {
            known.closed_until
        }
    }

    /// Whether nothing was heard of this neighbour for long.
    pub fn is_silent(&self, node: NodeId) -> bool {
        self.neighbours.iter().any(|known| known.node == node && known.is_silent())
    }

    /// Whether nothing was heard of some neighbour for long.
    pub fn any_silent(&self) -> bool {
        self.neighbours.iter().any(Neighbour::is_silent)
    }

    /// Whether no neighbour owes an answer, or has owed one lately.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// How many neighbours are remembered.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }
}

#[cfg(test)]
mod tests;
