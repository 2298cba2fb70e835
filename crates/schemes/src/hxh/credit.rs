//! HxH 3.3: credits, overheard instead of sent.

use crate::parts::mean::SmoothedTime;
use multihop_core::{Duration, Time};

/// Whether a stopped flow may send one packet all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Permit {
    No,
    One,
}

/// How many packets of a flow a frame carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// One.
    None,
    /// A batch.
    Batches,
}

/// How long a stopped flow waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// So many average delays.
    pub(super) delays: f64,
    /// But not longer: each wait counts in the average of the next one, which could grow without
    /// end. By then the next hop has forgotten the flow (3.2.1), and has room.
    pub(super) most: Duration,
}

/// "A pool of credits indicating the amount of buffer space available to that flow at the
/// downstream node."
#[derive(Clone, Debug)]
pub(super) struct Credit {
    pool: u32,
    permit: Permit,
    /// The delays between the transmissions heard of the next hop.
    delays: SmoothedTime,
    /// When the last one was heard.
    heard: Option<Time>,
    /// How many packets were heard in it, if it was a batch.
    together: u32,
    /// How long this node's own first packet took in the MAC.
    own: Option<Duration>,
    /// Since when a stopped flow waits.
    since: Time,
}

impl Credit {
    /// The pool of a flow whose next hop has not been heard yet.
    pub(super) fn new(now: Time, pool: u32) -> Self {
        Credit {
            pool,
            permit: Permit::No,
            delays: SmoothedTime::default(),
            heard: None,
            together: 0,
            own: None,
            since: now,
        }
    }

    /// Whether a packet may be sent.
    pub(super) fn permits(&self) -> bool {
        self.pool > 0 || self.permit == Permit::One
    }

    /// The number of credits.
    pub(super) fn pool(&self) -> u32 {
        self.pool
    }

    /// "Each time a packet is successfully transmitted, the pool is decremented." The MAC needed
    /// `took` for it.
    pub(super) fn spend(&mut self, now: Time, took: Duration) {
        self.own.get_or_insert(took);
        if self.heard.is_none() && self.pool > 0 {
            // The next hop could not say anything before it had a packet.
            self.since = now;
        }
        self.pool = self.pool.saturating_sub(1);
        self.used_permit(now);
    }

    /// A packet was not sent after all. If it went without a credit, the waiting starts again.
    pub(super) fn on_failure(&mut self, now: Time) {
        self.used_permit(now);
    }

    fn used_permit(&mut self, now: Time) {
        if self.permit == Permit::One {
            self.permit = Permit::No;
            self.since = now;
        }
    }

    /// "The last downstream transmission" was just heard: the next hop passes a packet on. It "adds
    /// credits to the flow's pool", one for the packet that leaves, and "hearing a single packet
    /// will allow the flow to reset its pool to the correct number of credits": `buffer` is "the
    /// amount of buffer space that will be available if the transmission fails", so the packet that
    /// leaves is not in it. Packets of a batch are heard at the same time, and each adds its credit.
    pub(super) fn on_downstream(&mut self, now: Time, buffer: u16, sharing: Sharing) {
        if sharing == Sharing::Batches && self.heard == Some(now) {
            self.together += 1;
        } else {
            self.together = 1;
            if let Some(before) = self.heard.replace(now) {
                self.delays.add(now.since(before));
            }
        }
        self.pool = u32::from(buffer) + self.together;
        self.permit = Permit::No;
        self.since = now;
    }

    /// 3.4.3: what goes upstream carries the "buffer states" too. It is no packet of the flow that
    /// leaves, and does not show that the queue there moves.
    pub(super) fn on_upstream(&mut self, buffer: u16) {
        self.pool = u32::from(buffer);
    }

    /// "To prevent flows from stopping": when a stopped flow has waited for so many average
    /// delays.
    pub(super) fn deadline(&self, patience: Patience) -> Time {
        if self.permits() {
            return Time::NEVER;
        }
        let delay = self.delays.get().or(self.own).unwrap_or(Duration::ZERO);
        self.since + delay.scaled(patience.delays).min(patience.most)
    }

    /// If a stopped flow has waited for long enough, it may send one packet.
    pub(super) fn on_deadline(&mut self, now: Time, patience: Patience) {
        if self.deadline(patience) <= now {
            self.permit = Permit::One;
        }
    }
}
