//! What waits for an acknowledgment, and is sent again without one: `NextHopRouter.cpp`, `PendingPacket`.

use multihop_core::{Duration, Packet, Time};

use super::firmware::MAX_TX_QUEUE;
use super::header::Name;
use super::queue::Turn;

/// A packet that is sent again unless it is acknowledged.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) packet: Packet,
    pub(super) turn: Turn,
    /// How often it may still be sent.
    pub(super) left: u32,
    /// Whether it was sent again.
    pub(super) repeated: bool,
    /// When it is.
    pub(super) due: Time,
}

/// All of them, by name.
#[derive(Debug, Default)]
pub(super) struct Unacknowledged(Vec<Pending>);

impl Unacknowledged {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is room for one more: the firmware's pool of packets is limited.
    pub(super) fn has_room(&self) -> bool {
        self.0.len() < MAX_TX_QUEUE as usize
    }

    /// One more.
    pub(super) fn add(&mut self, pending: Pending) {
        self.0.push(pending);
    }

    /// It is acknowledged, or given up.
    pub(super) fn remove(&mut self, name: Name) -> Option<Pending> {
        let at = self.0.iter().position(|pending| pending.turn.name == name)?;
        Some(self.0.swap_remove(at))
    }

    /// In this time none could be acknowledged, but for `except`.
    pub(super) fn wait_longer(&mut self, time: Duration, except: Option<Name>) {
        for pending in self.0.iter_mut().filter(|pending| Some(pending.turn.name) != except) {
            pending.due += time;
        }
    }

    /// One whose time has come.
    pub(super) fn take_due(&mut self, now: Time) -> Option<Pending> {
        let at = self.0.iter().position(|pending| pending.due <= now)?;
        Some(self.0.swap_remove(at))
    }

    /// When the next one is due.
    pub(super) fn due(&self) -> Time {
        self.0.iter().map(|pending| pending.due).min().unwrap_or(Time::NEVER)
    }
}
