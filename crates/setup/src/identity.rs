//! What two scenarios have in common that mean the same run, however they are written.

use core::fmt::{self, Write};

use crate::Setup;

/// FNV-1a with 128 bits (Fowler, Noll, Vo).
struct Digest(u128);

impl Digest {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(Digest::PRIME);
        }
        Ok(())
    }
}

impl Setup {
    /// 32 hexadecimal digits that are equal for setups that are equal in everything: in every default,
    /// in base units. What a scheme in Python does is not in it.
    pub fn identity(&self) -> String {
        let mut digest = Digest(Digest::OFFSET);
        let Setup {
            name,
            seed,
            simulator,
            warmup,
            end,
            series_interval,
            measure_congestion,
            nodes,
            addresses,
            medium,
            routing,
            arp,
            scheme,
            params,
            sources,
            groups,
            channels,
            restarts,
            steered,
        } = self;
        let times = (warmup, end, series_interval);
        let parts = (scheme.name, params, routing.protocol.name, &routing.values, arp);
        let network = (nodes, addresses, medium, sources, restarts);
        let run = (name, seed, simulator, times, measure_congestion);
        // a digest takes whatever it is given
        let _ = write!(digest, "{run:?}{parts:?}{network:?}");
        if !groups.is_empty() {
            let _ = write!(digest, "{groups:?}");
        }
        if !channels.is_empty() {
            let _ = write!(digest, "{channels:?}");
        }
        for (node, steer) in steered {
            let _ = write!(digest, "{node:?}{}", steer.identity());
        }
        format!("{:032x}", digest.0)
    }
}
