//! How long packets take on the link layer: a scheme asks, and computes no time from a rate.

use crate::{Bytes, Duration, Rate};

/// How long the packets of a link layer are on the air, and what their exchanges take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkTiming {
    /// The nominal rate of data frames: how many bits of a packet a second of air time carries at most.
    pub data_rate: Rate,
    /// How the bits of a packet fill the air.
    pub fill: Fill,
    /// What a hop takes besides the packet's own bits: mean backoff of an idle medium, RTS and CTS, preamble, MAC
    /// header, link acknowledgment, the spaces between.
    pub overhead: Duration,
    /// What of that follows the frame: the space, and the link acknowledgment where the MAC has one.
    pub link_acknowledgment: Duration,
    /// How many times as strong as all that disturbs it a frame of data must be, as its modulation needs; `None` if the MAC
    /// does not say.
    pub needed_ratio: Option<f64>,
    /// How many packets a frame carries at most: one where the MAC sends no batches
    /// ([`Hop::poll_more`](crate::Hop::poll_more)).
    pub batch: u32,
}

/// How the bits of a packet fill the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// One after the other, at the rate of data frames.
    Bits,
    /// In blocks that are on the air whole: the symbols of OFDM, or the code words of chirps.
    Blocks {
        /// How long a block is.
        block: Duration,
        /// How many bits a block carries, at least one.
        bits: u32,
        /// How many bits go with a packet beyond its own, as a service field, tail bits and a checksum do; negative
        /// where the preamble carries some of the packet's.
        extra: i32,
    },
}

impl LinkTiming {
    /// A link that costs nothing but bits.
    pub const fn of_rate(data_rate: Rate) -> Self {
        let (overhead, link_acknowledgment) = (Duration::ZERO, Duration::ZERO);
        LinkTiming {
            data_rate,
            fill: Fill::Bits,
            overhead,
            link_acknowledgment,
            needed_ratio: None,
            batch: 1,
        }
    }

    /// How long the bits of a packet of this length are on the air, without what stands around them in every frame.
    pub fn air_time(&self, packet: Bytes) -> Duration {
        match self.fill {
            Fill::Bits => self.data_rate.air_time(packet),
            Fill::Blocks { block, bits, extra } => {
                let all = packet.bits().saturating_add_signed(extra.into());
                block * all.div_ceil(u64::from(bits.max(1)))
            }
        }
    }

    /// How long a hop takes for a packet of this length, if nobody else uses the medium.
    pub fn exchange_time(&self, packet: Bytes) -> Duration {
        self.overhead + self.air_time(packet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_take_what_the_rate_says() {
        for rate in [Rate(1_000_000), Rate(5_500_000), Rate(11_000_000)] {
            let link = LinkTiming::of_rate(rate);
            for bytes in [Bytes(0), Bytes(1), Bytes(532), Bytes(2304)] {
                assert_eq!(link.air_time(bytes), rate.air_time(bytes));
                assert_eq!(link.exchange_time(bytes), rate.air_time(bytes));
            }
        }
    }

    #[test]
    fn ofdm_symbols_are_whole() {
        // 802.11-2020, 17.4.3: 16 service and 6 tail bits, 4 us and 216 bits a symbol at 54 Mbit/s
        let fill = Fill::Blocks { block: Duration::from_micros(4), bits: 216, extra: 22 };
        let link = LinkTiming { fill, ..LinkTiming::of_rate(Rate(54_000_000)) };
        for (bytes, symbols) in [(0, 1), (24, 1), (25, 2), (1_536, 57)] {
            assert_eq!(link.air_time(Bytes(bytes)), Duration::from_micros(4) * symbols, "{bytes}");
        }
    }

    #[test]
    fn what_the_preamble_carries_takes_no_block() {
        // LoRa at SF 11 and 250 kHz without low-rate optimisation: 8.192 ms a symbol, five a code word of 44 bits
        let block = Duration::from_micros(40_960);
        let fill = Fill::Blocks { block, bits: 44, extra: -20 };
        let link = LinkTiming { fill, ..LinkTiming::of_rate(Rate(1_074)) };
        for (bytes, words) in [(0, 0), (2, 0), (3, 1), (8, 1), (9, 2)] {
            assert_eq!(link.air_time(Bytes(bytes)), block * words, "{bytes}");
        }
    }
}
