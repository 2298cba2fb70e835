//! What only the source of a flow does: it says which packets are held (rule 2), spaces them (rule 3), keeps
//! clear for longer where that heals the path (rule 5), sends trains where two flows meet (rule 6), and says which
//! packets go first (rule 9).

use multihop_core::{Duration, Time};

use super::parameters::Settings;

/// How long the source keeps clear for longer, the first time.
const FIRST_TRIAL: Duration = Duration::from_millis(4_000);
/// A path that collapses again so soon was healed by it.
const RELAPSE: Duration = Duration::from_millis(5_000);
/// The longest trial, and how long none follows one that was in vain.
const LONGEST_TRIAL: Duration = Duration::from_millis(64_000);

/// The state of a flow at its source.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Source {
    pub train: Train,
    pub reverse: Reverse,
    wide: Wide,
    /// When a packet was offered to the MAC last.
    offered: Option<Time>,
    /// How many packets in a row had to wait, because the flow kept clear.
    pressed: u8,
    /// The path's period without any other traffic, once it is known.
    natural: Option<Duration>,
    /// How many of the next packets go first (rule 9).
    firsts: u32,
}

/// The train that it sends: a single packet, too, is one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Train {
    /// Whether the next one has more than one packet.
    is_long: bool,
    /// Packets that are still to come.
    left: u8,
    /// Packets that have come.
    sent: u64,
    /// When its first packet was offered to the MAC.
    began: Time,
    /// Whether none of its packets was.
    is_due: bool,
}

/// The flow from its destination back to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reverse {
    /// When one of its packets was heard last.
    heard: Option<Time>,
    /// Until when this flow holds its own packets, because more of the train are to come.
    pub held_until: Time,
}

/// Whether it keeps clear for longer than a forwarding that follows its own needs.
#[derive(Clone, Copy, Debug, Default)]
struct Wide {
    is_on: bool,
    until: Time,
    /// How long this trial is, or the last one was.
    length: Duration,
    not_before: Time,
}

impl Train {
    /// Another packet starts. How many of its train follow it.
    pub(super) fn on_start(&mut self, length: u8) -> u8 {
        let is_first = self.left == 0;
        self.sent = if is_first { 1 } else { self.sent + 1 };
        self.is_due |= is_first;
        self.left = match self.left {
            0 if self.is_long => length.saturating_sub(1),
            left => left.saturating_sub(1),
        };
        self.left
    }

    /// A packet of it is offered to the MAC.
    pub(super) fn on_offer(&mut self, now: Time) {
        if self.sent <= 1 || self.is_due {
            self.began = now;
        }
        self.is_due = false;
    }

    /// How many exchanges its packets have taken, in batches of so many.
    fn exchanges(&self, batch: usize) -> u64 {
        self.sent.div_ceil(batch as u64)
    }
}

impl Reverse {
    /// A packet of it was heard, after which `left` of its train come. A hop takes `hop` for it, hold
    /// included.
    pub(super) fn on_heard(&mut self, now: Time, left: u8, hop: Duration, settings: &Settings) {
        let patience = if left > 0 { (hop * 3).scaled(settings.patience) } else { Duration::ZERO };
        (self.heard, self.held_until) = (Some(now), now + patience);
    }
}

impl Wide {
    /// A packet was passed on; the path is collapsed, or is not. Whether to keep clear for longer.
    fn on_passed(&mut self, now: Time, collapsed: bool) -> bool {
        let ended = self.until <= now;
        if ended && self.is_on && collapsed {
            // It has not helped.
            (self.length, self.not_before) = (Duration::ZERO, now + LONGEST_TRIAL);
        }
        self.is_on &= !ended;
        if collapsed && !self.is_on && self.not_before <= now {
            let relapses = now.since(self.until) <= RELAPSE;
            let before = if relapses { self.length } else { Duration::ZERO };
            self.length = (before * 2).clamp(FIRST_TRIAL, LONGEST_TRIAL);
            (self.until, self.is_on) = (now + self.length, true);
        }
        self.is_on
    }
}

/// How a path stands when its source has passed on a packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    /// The period that it can bear.
    pub period: Duration,
    /// Its period without any other traffic.
    pub natural: Duration,
    /// What a hop takes, hold included.
    pub hop: Duration,
    /// Whether it has more than three hops, as far as is known.
    pub is_long: bool,
    /// Whether it has one hop only: its source leaves room in any case, as those that it starves could not say so.
    pub is_single: bool,
    /// How long it keeps clear in any case.
    pub clearance: Duration,
}

impl Source {
    /// A packet is offered to the MAC, which `waited` because the flow kept clear. Whether it follows the one
    /// before so closely that it has to stay behind it (rule 2). If it `goes_first`, and none was before, it does not.
    pub(super) fn on_offer(
        &mut self,
        now: Time,
        waited: bool,
        goes_first: bool,
        settings: &Settings,
    ) -> bool {
        self.train.on_offer(now);
        self.pressed = if waited { self.pressed.saturating_add(1) } else { 0 };
        let interval = self.offered.replace(now).map(|before| now.since(before));
        let is_loose = match (interval, self.natural) {
            (Some(interval), Some(natural)) => interval >= natural.scaled(settings.loose),
            (None, _) => goes_first,
            (Some(_), None) => false,
        };
        waited || !is_loose
    }

    /// Another packet starts, which ends a silence of the application or does not. Whether it is one of the first, of
    /// which other flows keep clear (rule 9).
    pub(super) fn goes_first(&mut self, ends_silence: bool, settings: &Settings) -> bool {
        if ends_silence {
            self.firsts = settings.first_packets;
        }
        let is_one = self.firsts > 0;
        self.firsts = self.firsts.saturating_sub(1);
        is_one
    }

    /// The source has passed on a packet: until when the next one keeps clear.
    pub(super) fn on_passed(&mut self, now: Time, path: Path, settings: &Settings) -> Time {
        let Path { period, natural, .. } = path;
        let collapsed = period >= natural.scaled(settings.threshold);
        self.natural = Some(natural);
        let mut until = now;
        if path.is_long && settings.widening > 0.0 && self.wide.on_passed(now, collapsed) {
            until = now + path.clearance + path.hop.scaled(settings.widening);
        }
        let heard = self.reverse.heard.is_some_and(|at| now < at + settings.memory);
        let bearable = period <= natural.scaled(settings.train_limit);
        let meets = settings.train > 1 && heard && self.pressed >= settings.train;
        self.train.is_long = meets && collapsed && bearable;
        if self.train.left == 0 && (collapsed || path.is_single) {
            until = until.max(self.train.began + period * self.train.exchanges(settings.batch));
        }
        until
    }
}

#[cfg(test)]
mod tests;
