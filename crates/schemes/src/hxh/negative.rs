//! HxH 3.4.3: negative acknowledgments.

use multihop_core::{Duration, Serial, Time};

use super::header::{Header, Range};
use crate::parts::mean::SmoothedTime;

/// No window is wider. What seems to be a gap of more is another history of the flow.
const WIDEST_GAP: u32 = 10_000;

/// A destination's list of what is missing is not longer; the source's timer takes care of the
/// rest.
const MOST_MISSING: usize = 64;

/// The destination waits for a repair for so many average times from NACK to repair.
const PATIENCE: u64 = 4;

/// The wait doubles with every repetition, up to this many times.
const MOST_DOUBLINGS: u32 = 3;

/// What a node knows of a flow's sequence numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gaps {
    /// "The highest sequence number seen", and one; `None` without history.
    expected: Option<u32>,
    /// "A range of sequence numbers that should not be `NACKed`" by the nodes downstream.
    spared: Option<Range>,
}

impl Gaps {
    /// The history of the destination, which begins with packet `first`.
    pub(super) const fn from(first: u32) -> Self {
        Gaps { expected: Some(first), spared: None }
    }

    /// Packet `header` has come, when everything before `ack` is known to have arrived. What is
    /// missing, and what of it nobody has `NACKed` yet.
    pub(super) fn on_data(&mut self, header: &Header, ack: u32) -> Option<(Range, Vec<Range>)> {
        let Header { sequence, range, .. } = *header;
        if let Some(range) = range
            && self.spared.is_none_or(|spared| Serial(range.first).is_after(Serial(spared.first)))
        {
            self.spared = Some(range);
        }
        let expected = Serial(self.expected.unwrap_or(sequence));
        self.expected = Some(expected.latest(Serial(sequence).plus(1)).0);
        let missing = Range::new(expected.latest(Serial(ack)).0, sequence)?;
        if u32::from(missing.len) > WIDEST_GAP {
            return None;
        }
        self.spared = Some(missing);
        Some((missing, missing.without(range).into_iter().flatten().collect()))
    }

    /// What packet `sequence` tells the nodes downstream not to NACK.
    pub(super) fn spared_before(&self, sequence: u32, ack: u32) -> Option<Range> {
        let (sequence, ack) = (Serial(sequence), Serial(ack));
        let end = |range: &Range| Serial(range.end());
        self.spared.filter(|range| !end(range).is_after(sequence) && end(range).is_after(ack))
    }
}

/// A range that the destination lacks.
#[derive(Clone, Copy, Debug)]
struct Lack {
    range: Range,
    /// When it was asked for, by this node or another.
    since: Time,
    /// When to ask again.
    due: Time,
    /// How often it was asked for again.
    repeated: u32,
}

/// "The flow's destination monitors these NACK values and keeps a list of packets that are
/// missing."
#[derive(Clone, Debug)]
pub(super) struct Missing {
    lacks: Vec<Lack>,
    /// Times from NACK to repair, of what was asked for once (as RFC 6298, 3).
    repairs: SmoothedTime,
    least: Duration,
}

impl Missing {
    /// Nothing is missing. What will be is not asked for again before `least` has passed.
    pub(super) fn new(least: Duration) -> Self {
        Missing { lacks: Vec::new(), repairs: SmoothedTime::default(), least }
    }

    fn patience(&self, repeated: u32) -> Duration {
        let repair = self.repairs.get().unwrap_or(Duration::ZERO);
        (repair * PATIENCE).max(self.least) * (1 << repeated.min(MOST_DOUBLINGS))
    }

    /// `range` is missing, and has been asked for.
    pub(super) fn add(&mut self, now: Time, range: Range) {
        if self.lacks.len() < MOST_MISSING {
            let due = now + self.patience(0);
            self.lacks.push(Lack { range, since: now, due, repeated: 0 });
        }
    }

    /// Packet `sequence` has come.
    pub(super) fn on_arrival(&mut self, now: Time, sequence: u32) {
        let inside = |lack: &Lack| lack.range.contains(sequence);
        let Some(at) = self.lacks.iter().position(inside) else { return };
        let lack = self.lacks.remove(at);
        if lack.repeated == 0 {
            self.repairs.add(now.since(lack.since));
        }
        let rest = lack.range.without(Some(Range { first: sequence, len: 1 }));
        let room = MOST_MISSING - self.lacks.len();
        self.lacks
            .extend(rest.into_iter().flatten().take(room).map(|range| Lack { range, ..lack }));
    }

    /// "If too much time passes before the missing packets are received, the destination
    /// retransmits the NACK": the next range to ask for again.
    pub(super) fn overdue(&mut self, now: Time) -> Option<Range> {
        let at = self.lacks.iter().position(|lack| lack.due <= now)?;
        let repeated = self.lacks[at].repeated + 1;
        let due = now + self.patience(repeated);
        let lack = &mut self.lacks[at];
        *lack = Lack { due, repeated, ..*lack };
        Some(lack.range)
    }

    /// When the next range is overdue.
    pub(super) fn deadline(&self) -> Time {
        self.lacks.iter().map(|lack| lack.due).min().unwrap_or(Time::NEVER)
    }
}
