//! Packets that follow a path, and whose next relay was not heard yet.

use multihop_core::{Packet, Time};

/// A packet whose next relay was not heard yet.
#[derive(Debug)]
pub(super) struct Awaited {
    pub(super) name: u64,
    /// Relays to come after this one.
    pub(super) hops: u8,
    pub(super) priority: u8,
    pub(super) packet: Packet,
    /// How often it may still be sent.
    pub(super) left: u32,
    pub(super) due: Time,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Echoes(pub(super) Vec<Awaited>);

impl Echoes {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// When the next wait is over.
    pub(super) fn due(&self) -> Time {
        self.0.iter().map(|awaited| awaited.due).min().unwrap_or(Time::NEVER)
    }

    /// A copy with so many relays to come was heard. Returns the packet, if that is an echo.
    pub(super) fn hear(&mut self, name: u64, hops: u8) -> Option<Packet> {
        let at = self.0.iter().position(|own| own.name == name && hops < own.hops)?;
        Some(self.0.swap_remove(at).packet)
    }
}
