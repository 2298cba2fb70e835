//! What becomes of every frame at every radio, for those who watch.
//!
//! A frame that a radio can decode when it arrives is entered as decoded; what destroys it later changes the
//! entry, and when it has ended, nothing can. So nobody is woken to see what became of a frame.

use multihop_core::{Decoded, Fate, LossCause, NodeId, Reception, Time};

use super::frame::{Frame, NO_FRAME};

/// So many entries are worth handing over.
const BATCH: usize = 1024;

/// Where it stands what becomes of a frame at a radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The number of the frame, or [`NO_FRAME`].
    pub frame: u32,
    /// Its place among all entries since the start; they count from 0 again after 2^32. What is lost when it
    /// arrives may have none.
    place: u32,
}

impl Entry {
    /// Nobody watches.
    pub const NONE: Entry = Entry { frame: NO_FRAME, place: 0 };
}

/// A frame that arrives at a radio.
pub(super) struct Newcomer<'a> {
    pub frame: &'a Frame,
    /// The radio's node.
    pub node: u32,
    /// When its last bit arrives.
    pub end: Time,
    /// Why it cannot be decoded, if that is known.
    pub spoiled: Option<LossCause>,
}

/// The fates of frames at radios.
#[derive(Debug)]
pub struct Fates {
    /// Those that were not yet handed over, in the order of frames.
    open: Vec<Reception>,
    /// How many were.
    handed: u32,
    /// Whether frames that are too weak for a radio for which they are not are entered, too.
    sensed: bool,
    /// The number of the next frame.
    next: u32,
    /// The last frame of every node.
    last: Vec<u32>,
    /// How many entries are worth handing over.
    due: usize,
}

impl Fates {
    /// Of frames from number `next` on, of `nodes` nodes. `sensed`: those that are too weak for a radio matter,
    /// too, if they are not for it.
    pub fn new(nodes: usize, next: u32, sensed: bool) -> Self {
        let last = vec![NO_FRAME; nodes];
        Fates { open: Vec::new(), handed: 0, sensed, next, last, due: BATCH }
    }

    /// `node` puts its next frame on the air.
    pub fn on_transmission(&mut self, node: u32) {
        self.last[node as usize] = self.next;
        self.next = self.next.wrapping_add(1);
    }

    /// The frame that was put on the air last arrives at a radio `now`.
    #[inline]
    pub(super) fn enter(&mut self, now: Time, newcomer: &Newcomer) -> Entry {
        let Newcomer { frame, node, end, spoiled } = *newcomer;
        let number = self.next.wrapping_sub(1);
        let is_sensed = spoiled == Some(LossCause::TooWeak) && !frame.names(node);
        if is_sensed && !self.sensed {
            return Entry { frame: number, ..Entry::NONE };
        }
        let fate = match spoiled {
            None if frame.is_for(node) => Fate::Decoded(Decoded::Addressed),
            None => Fate::Decoded(Decoded::Overheard),
            Some(_) if is_sensed => Fate::Sensed,
            Some(cause) => Fate::Lost(cause),
        };
        let certain = if spoiled.is_some() { now } else { end };
        let place = self.handed.wrapping_add(self.open.len() as u32);
        self.open.push(Reception {
            frame: number,
            node: NodeId(node),
            end,
            certain,
            fate,
            by: None,
        });
        Entry { frame: number, place }
    }

    /// The frame of `entry` is lost `now`, because of the frame `by` or another cause.
    pub(super) fn lose(&mut self, now: Time, entry: Entry, cause: LossCause, by: Option<u32>) {
        let at = entry.place.wrapping_sub(self.handed);
        if entry.frame != NO_FRAME
            && let Some(found) = self.open.get_mut(at as usize)
        {
            (found.fate, found.by, found.certain) = (Fate::Lost(cause), by, now);
        }
    }

    /// `node` restarts: what it sends and what it receives is cut off, and forgotten.
    pub fn on_restart(&mut self, now: Time, node: NodeId) {
        let sent = self.last[node.index()];
        let cut = |found: &Reception| found.node == node || found.frame == sent;
        let decoded = |found: &Reception| matches!(found.fate, Fate::Decoded(_));
        for found in &mut self.open {
            if found.end > now && decoded(found) && cut(found) {
                found.frame = NO_FRAME;
            }
        }
    }

    /// Whether enough has ended to hand it over.
    pub fn are_due(&self) -> bool {
        self.open.len() >= self.due
    }

    /// Hand over what has become of frames by `now`.
    pub fn hand_over(&mut self, now: Time, tell: impl FnOnce(&[Reception])) {
        let is_open = |found: &Reception| found.end > now && found.frame != NO_FRAME;
        let settled = self.open.iter().position(is_open).unwrap_or(self.open.len());
        let (settled, rest) = self.open.split_at(settled);
        self.handed = self.handed.wrapping_add(settled.len() as u32);
        self.due = BATCH.max(2 * rest.len());
        if settled.iter().any(|found| found.frame == NO_FRAME) {
            let known: Vec<Reception> =
                settled.iter().filter(|found| found.frame != NO_FRAME).copied().collect();
            tell(&known);
        } else {
            tell(settled);
        }
        let settled = settled.len();
        self.open.drain(..settled);
    }
}
