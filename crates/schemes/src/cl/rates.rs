//! Which rate belongs to which length (3.2).

use std::sync::Arc;

use multihop_core::{Bytes, Duration, LinkTiming, NETWORK_HEADER_LEN, Params};

use super::REUSE;

/// The best sending rates.
#[derive(Clone, Debug, PartialEq)]
pub enum Rates {
    /// As measured, in packets per second: the first of one hop.
    Measured(Arc<[f64]>),
    /// As computed from what a packet takes of the medium.
    Analytic {
        /// What a hop takes besides the packet's own bits, both for the data and for its
        /// acknowledgment, and the acknowledgment itself.
        overhead: Duration,
        /// How long packets are on the air.
        link: LinkTiming,
        /// Within so many hops one packet is on the air at a time.
        reuse: u32,
    },
}

impl Rates {
    /// The computed ones, for packets with acknowledgments so long, or without.
    pub fn analytic(params: &Params, acknowledgment: Option<u32>) -> Self {
        let back = |len| params.link.exchange_time(Bytes(NETWORK_HEADER_LEN as u32 + len));
        Rates::Analytic {
            overhead: params.link.overhead + acknowledgment.map_or(Duration::ZERO, back),
            link: params.link,
            reuse: params.get(REUSE),
        }
    }

    /// The time from one packet of this length to the next, over a route of so many hops.
    ///
    /// # Panics
    /// If a table is empty, which no scenario's is.
    pub fn interval(&self, hops: u32, packet: Bytes) -> Duration {
        let hops = hops.max(1);
        match self {
            Rates::Measured(table) => {
                let at = (hops as usize).min(table.len()) - 1;
                Duration::from_seconds(1.0 / table[at])
            }
            Rates::Analytic { overhead, link, reuse } => {
                (*overhead + link.air_time(packet)) * u64::from(hops.min(*reuse))
            }
        }
    }
}
