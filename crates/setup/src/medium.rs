//! What a medium offers, and what a hop over it takes.

use multihop_core::{Capability, Duration, MacAccess, Rate};

use crate::Medium;

impl Medium {
    /// Nodes at most this far apart, in m, are neighbours.
    pub fn neighbour_range(&self) -> f64 {
        match self {
            Medium::Radio(radio, _) => radio.neighbour_range,
            Medium::Wired(wired) => wired.neighbour_range,
        }
    }

    /// Whether a MAC on it can do that. Wires accept every frame at once: none waits that could be
    /// withdrawn, and none fails. Nobody but its receiver gets it.
    pub fn offers(&self, capability: Capability) -> bool {
        match (self, capability) {
            (Medium::Radio(_, mac), _) => mac.access.offers(capability),
            (
                Medium::Wired(_),
                Capability::Overhearing | Capability::AirTime | Capability::TwoReceivers,
            ) => false,
            (Medium::Wired(_), _) => true,
        }
    }

    /// What a packet takes of it on a hop besides its own bits. A threshold for RTS is not looked at:
    /// long packets exceed it.
    pub fn hop_overhead(&self) -> Duration {
        let mac = match self {
            Medium::Radio(_, mac) => mac,
            Medium::Wired(_) => return Duration::ZERO,
        };
        let control = |frame| mac.preamble + mac.basic_rate.air_time(frame);
        // ns-2 draws from 0 to the window less one
        let backoff = mac.slot.scaled(f64::from(mac.cw_min.saturating_sub(1)) / 2.0);
        let contention = mac.sifs + mac.slot * 2 + backoff;
        let data = mac.preamble + mac.data_rate.air_time(mac.header + mac.data_preamble);
        let handshake = match mac.rts_threshold {
            Some(_) => control(mac.rts) + control(mac.cts_ack) + mac.sifs * 2,
            None => Duration::ZERO,
        };
        contention + handshake + data + self.link_acknowledgment()
    }

    /// What of it follows the packet.
    pub fn link_acknowledgment(&self) -> Duration {
        match self {
            Medium::Radio(_, mac) if mac.access == MacAccess::Dcf => {
                mac.sifs + mac.preamble + mac.basic_rate.air_time(mac.cts_ack)
            }
            Medium::Radio(..) | Medium::Wired(_) => Duration::ZERO,
        }
    }

    /// Rate of data frames.
    pub fn data_rate(&self) -> Rate {
        match self {
            Medium::Radio(_, mac) => mac.data_rate,
            Medium::Wired(wired) => wired.rate,
        }
    }
}
