//! How long what is on the air lasts: formats of the physical layers' frames, and the rates of answers.

use multihop_core::{Bytes, Duration, Fill, Rate};

/// The rates of OFDM in a channel of 20 MHz, in bit/s (IEEE 802.11-2020, table 17-4).
pub const OFDM_RATES: [u64; 8] =
    [6_000_000, 9_000_000, 12_000_000, 18_000_000, 24_000_000, 36_000_000, 48_000_000, 54_000_000];

/// Those that every station has (17.2.3.3), at which frames are answered.
const MANDATORY: [u64; 3] = [6_000_000, 12_000_000, 24_000_000];

/// A preamble is detected if it is so many times as strong as noise and interference (4 dB; ns-3's
/// `ThresholdPreambleDetectionModel`).
pub(super) const DETECTABLE: f64 = 2.511_886;

/// Length of an OFDM symbol (table 17-5), in us.
const SYMBOL: u64 = 4;

/// The SERVICE field before a frame and the tail behind it, in bits (17.3.5.2, 17.3.5.3).
const SERVICE_AND_TAIL: u64 = 16 + 6;

/// The number of a frame's rate among those of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode(u8);

impl Mode {
    /// The only one of its format, or the slowest.
    pub const ONLY: Mode = Mode(0);

    /// How many there are in the format that has most.
    pub const MOST: usize = OFDM_RATES.len();

    /// Length of a symbol of OFDM, and how many bits of data it carries (table 17-4).
    pub(super) fn symbol(self) -> (Duration, f64) {
        let bits = OFDM_RATES[self.index()] * SYMBOL / 1_000_000;
        (Duration::from_micros(SYMBOL), bits as f64)
    }

    /// Its rate, among those of OFDM.
    pub(super) const fn rate(self) -> Rate {
        Rate(OFDM_RATES[self.index()])
    }

    /// Its place in tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How the bits of a frame stand behind its preamble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One after the other.
    Serial,
    /// In symbols of OFDM, the last of which is filled up.
    Symbols {
        /// How long nothing is sent at the end, which counts as a part of the frame (18.3.2.4).
        extension: Duration,
    },
}

impl Format {
    /// Whether frames can have this rate.
    pub fn has(self, rate: Rate) -> bool {
        self == Format::Serial || OFDM_RATES.contains(&rate.0)
    }

    /// The rate at which a frame goes for which this one is wanted: the highest that there is and that is not above it, or
    /// else the lowest.
    pub fn nearest(self, rate: Rate) -> Rate {
        match self {
            Format::Serial => rate,
            Format::Symbols { .. } => {
                let slower = OFDM_RATES.into_iter().rev().find(|known| *known <= rate.0);
                Rate(slower.unwrap_or(OFDM_RATES[0]))
            }
        }
    }

    /// The mode of a frame at this rate: in a format of any rate there is one.
    pub fn mode(self, rate: Rate) -> Mode {
        match self {
            Format::Serial => Mode::ONLY,
            Format::Symbols { .. } => {
                Mode(OFDM_RATES.partition_point(|slower| *slower < rate.0).min(Mode::MOST - 1) as u8)
            }
        }
    }

    /// The rate of a mode; `None` where modes have any.
    pub fn rate(self, mode: Mode) -> Option<Rate> {
        match self {
            Format::Serial => None,
            Format::Symbols { .. } => Some(mode.rate()),
        }
    }

    /// How long nothing is sent at the end of a frame.
    pub(super) fn extension(self) -> Duration {
        match self {
            Format::Serial => Duration::ZERO,
            Format::Symbols { extension } => extension,
        }
    }

    /// How long a frame of so many bytes lasts behind its preamble.
    pub fn air_time(self, rate: Rate, frame: Bytes) -> Duration {
        match self {
            Format::Serial => rate.air_time(frame),
            Format::Symbols { extension } => {
                let in_symbol = rate.0 * SYMBOL / 1_000_000;
                let symbols = (SERVICE_AND_TAIL + frame.bits()).div_ceil(in_symbol);
                Duration::from_micros(symbols * SYMBOL) + extension
            }
        }
    }

    /// How the bits of packets fill frames at this rate with a header of so many bytes, and how long what stands around them
    /// is on the air.
    pub fn fill(self, rate: Rate, header: Bytes) -> (Fill, Duration) {
        match self {
            Format::Serial => (Fill::Bits, rate.air_time(header)),
            Format::Symbols { extension } => {
                let block = Duration::from_micros(SYMBOL);
                let bits = (rate.0 * SYMBOL / 1_000_000) as u32;
                let extra = (SERVICE_AND_TAIL + header.bits()) as i32;
                (Fill::Blocks { block, bits, extra }, extension)
            }
        }
    }

    /// The rate of the answer to a frame: the highest that every station has and that is not above the frame's
    /// (10.6.6.5), or, in a format of any rate, the basic one.
    pub fn answer(self, rate: Rate, basic: Rate) -> Rate {
        let allowed = MANDATORY.into_iter().rev().find(|mandatory| *mandatory <= rate.0);
        match self {
            Format::Serial => basic,
            Format::Symbols { .. } => Rate(allowed.unwrap_or(MANDATORY[0])),
        }
    }

    /// The rates of its modes.
    pub fn rates(self, basic: Rate) -> Vec<Rate> {
        match self {
            Format::Serial => vec![basic],
            Format::Symbols { .. } => OFDM_RATES.map(Rate).to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::LinkTiming;

    use super::*;

    const OFDM: Format = Format::Symbols { extension: Duration::ZERO };

    /// IEEE 802.11-2020, 17.4.3: with 20 us of preamble and SIGNAL.
    #[test]
    fn frames_fill_whole_symbols() {
        let air_time = |rate: u64, bytes| OFDM.air_time(Rate(rate * 1_000_000), Bytes(bytes));
        assert_eq!(air_time(54, 1064), Duration::from_micros(160));
        assert_eq!(air_time(6, 1064), Duration::from_micros(1424));
        assert_eq!(air_time(24, 14), Duration::from_micros(8));
        assert_eq!(air_time(6, 14), Duration::from_micros(24));
        assert_eq!(air_time(6, 20), Duration::from_micros(32));
        let erp = Format::Symbols { extension: Duration::from_micros(6) };
        assert_eq!(erp.air_time(Rate(54_000_000), Bytes(1064)), Duration::from_micros(166));
    }

    #[test]
    fn packets_fill_the_symbols_that_frames_have() {
        let (header, rate) = (Bytes(36), Rate(24_000_000));
        let (fill, around) = OFDM.fill(rate, header);
        let link = LinkTiming { fill, ..LinkTiming::of_rate(rate) };
        for packet in [0, 1, 20, 532, 1500] {
            let whole = OFDM.air_time(rate, header + Bytes(packet));
            assert_eq!(link.air_time(Bytes(packet)) + around, whole, "{packet}");
        }
    }

    #[test]
    fn answers_have_a_rate_that_every_station_has() {
        let answers = OFDM_RATES.map(|rate| OFDM.answer(Rate(rate), Rate(1)).0 / 1_000_000);
        assert_eq!(answers, [6, 6, 12, 12, 24, 24, 24, 24]);
        assert_eq!(Format::Serial.answer(Rate(54_000_000), Rate(2_000_000)), Rate(2_000_000));
    }

    #[test]
    fn a_rate_that_there_is_not_becomes_one() {
        for (wanted, goes) in
            [(1, 6), (5_500_000, 6), (6_000_000, 6), (11_000_000, 9), (1 << 40, 54)]
        {
            assert_eq!(OFDM.nearest(Rate(wanted)), Rate(goes * 1_000_000), "{wanted}");
            assert_eq!(Format::Serial.nearest(Rate(wanted)), Rate(wanted));
        }
    }

    #[test]
    fn every_rate_is_a_mode_of_its_own() {
        let modes = OFDM_RATES.map(|rate| OFDM.mode(Rate(rate)).index());
        assert_eq!(modes, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(Format::Serial.mode(Rate(5_500_000)).index(), 0);
        assert!(OFDM.has(Rate(9_000_000)) && !OFDM.has(Rate(11_000_000)));
    }
}
