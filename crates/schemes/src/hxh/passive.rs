//! HxH 3.4.1: passive acknowledgments.

use multihop_core::Serial;

/// How many separate ranges behind a gap are remembered. What does not fit is forgotten, which
/// only delays the acknowledgment.
const MOST_RANGES: usize = 32;

/// "A current acknowledgment value for each of the flows passing through."
#[derive(Clone, Debug, Default)]
pub(super) struct Passive {
    /// The destination has every packet before this one, once anybody has said so. It may have more.
    ack: Option<u32>,
    /// What else has been delivered to the destination from here: from, and up to but without.
    /// In order, and separate.
    beyond: Vec<(u32, u32)>,
    /// What the transport at the source has been told.
    handed_up: Option<u32>,
}

impl Passive {
    /// The ACK value.
    pub(super) fn ack(&self) -> Option<u32> {
        self.ack
    }

    /// Whether the destination has packets of which it is not known what lies before them.
    pub(super) fn has_gap(&self) -> bool {
        !self.beyond.is_empty()
    }

    /// Somebody has said that the destination has every packet before `ack`. Whether that is new.
    pub(super) fn learn(&mut self, ack: u32) -> bool {
        let before = self.ack;
        self.ack = Some(latest(before, ack));
        self.close_gaps();
        self.ack != before
    }

    /// "For the last hop, this value is updated each time a packet is successfully transmitted to
    /// the destination node." It counts on only over what the destination is known to have.
    pub(super) fn on_delivered(&mut self, sequence: u32) {
        let Some(ack) = self.ack else { return };
        if Serial(ack).is_after(Serial(sequence)) {
            return;
        }
        let next = sequence.wrapping_add(1);
        let at = self.beyond.partition_point(|(_, end)| Serial(sequence).is_after(Serial(*end)));
        match self.beyond.get_mut(at) {
            Some((first, end)) if sequence.wrapping_sub(*first) < end.wrapping_sub(*first) => {
                return;
            }
            Some((_, end)) if *end == sequence => *end = next,
            Some((first, _)) if *first == next => *first = sequence,
            _ => self.beyond.insert(at, (sequence, next)),
        }
        if let Some(&(next, end)) = self.beyond.get(at + 1)
            && self.beyond[at].1 == next
        {
            self.beyond[at].1 = end;
            self.beyond.remove(at + 1);
        }
        self.close_gaps();
        self.beyond.truncate(MOST_RANGES);
    }

    fn close_gaps(&mut self) {
        while let (Some(ack), Some(&(first, end))) = (self.ack, self.beyond.first())
            && !Serial(first).is_after(Serial(ack))
        {
            self.ack = Some(latest(Some(ack), end));
            self.beyond.remove(0);
        }
    }

    /// The transport knows this much.
    pub(super) fn on_handed_up(&mut self, ack: u32) {
        self.handed_up = Some(latest(self.handed_up, ack));
    }

    /// What the transport at the source does not know yet.
    pub(super) fn news(&self) -> Option<u32> {
        let told = |ack: &u32| self.handed_up.is_some_and(|told| told == *ack);
        self.ack.filter(|ack| !told(ack) && latest(self.handed_up, *ack) == *ack)
    }
}

/// The later of both numbers.
fn latest(known: Option<u32>, number: u32) -> u32 {
    known.map_or(number, |known| Serial(known).latest(Serial(number)).0)
}
