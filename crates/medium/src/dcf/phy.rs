//! How long what is on the air lasts: formats of the physical layers' frames, and the rates of answers.

use multihop_core::{Bytes, Duration, Fill, Rate};

/// The rates of OFDM in a channel of 20 MHz, in bit/s (IEEE 802.11-2020, table 17-4).
pub const OFDM_RATES: [u64; 8] =
    [6_000_000, 9_000_000, 12_000_000, 18_000_000, 24_000_000, 36_000_000, 48_000_000, 54_000_000];

/// The rates of 802.11n with one stream in such a channel, MCS 0 to 7, in bit/s (table 19-27).
pub const HT_RATES: [u64; 8] =
    [6_500_000, 13_000_000, 19_500_000, 26_000_000, 39_000_000, 52_000_000, 58_500_000, 65_000_000];

/// The same with the short guard interval, as the table rounds them.
pub const HT_SHORT_RATES: [u64; 8] =
    [7_200_000, 14_400_000, 21_700_000, 28_900_000, 43_300_000, 57_800_000, 65_000_000, 72_200_000];

/// Bits of data in a symbol of MCS 0 to 7 (table 19-27).
const HT_BITS: [u64; 8] = [26, 52, 78, 104, 156, 208, 234, 260];

/// The rate of OFDM with the same constellation and code rate as MCS 0 to 7, or, for MCS 7, the next one: its non-HT
/// reference rate, by which its answers go (10.6.6.5.2).
const HT_REFERENCES: [usize; 8] = [0, 2, 3, 4, 5, 6, 7, 7];

/// Those that every station has (17.2.3.3), at which frames are answered.
const MANDATORY: [u64; 3] = [6_000_000, 12_000_000, 24_000_000];

/// A preamble is detected if it is so many times as strong as noise and interference (4 dB; ns-3's
/// `ThresholdPreambleDetectionModel`).
pub(super) const DETECTABLE: f64 = 2.511_886;

/// From this power on, in W, the medium is busy to a receiver of OFDM: -82 dBm.
pub(super) const BUSY: f64 = 6.309_573e-12;

/// Length of an OFDM symbol (table 17-5), in us.
const SYMBOL: u64 = 4;

/// Length of a symbol with the short guard interval (table 19-6).
const SHORT_SYMBOL: Duration = Duration::from_nanos(3600);

/// HT-SIG, and the training fields between it and the data of one stream (19.3.2): behind the preamble and SIGNAL that
/// stations without 802.11n read.
const HT_PREAMBLE: Duration = Duration::from_micros(8 + 4 + 4);

/// The SERVICE field before a frame and the tail behind it, in bits (17.3.5.2, 17.3.5.3).
const SERVICE_AND_TAIL: u64 = 16 + 6;

/// The number of a frame's rate among those of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode(u8);

impl Mode {
    /// The only one of its format, or the slowest.
    pub const ONLY: Mode = Mode(0);

    /// How many there are in the format that has most.
    pub const MOST: usize = OFDM_RATES.len() + HT_RATES.len();

    /// Its place in tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its place among those of 802.11n, if it is one of them.
    pub fn ht(self) -> Option<usize> {
        self.index().checked_sub(OFDM_RATES.len())
    }

    /// Which of `rates`, those of OFDM or of 802.11n, is this one or, if none is, the next above it.
    fn among(rates: &[u64], rate: Rate, first: usize) -> Mode {
        let at = rates.partition_point(|slower| *slower < rate.0).min(rates.len() - 1);
        Mode((first + at) as u8)
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
    /// Data in frames of 802.11n that others can read the beginning of (HT-mixed), one stream in 20 MHz; all else in frames
    /// of OFDM.
    HighThroughput {
        /// Whether the guard interval before a symbol of data is 0.4 us instead of 0.8 us.
        short_guard: bool,
    },
}

/// Those of 802.11n.
fn ht_rates(short_guard: bool) -> &'static [u64; 8] {
    if short_guard { &HT_SHORT_RATES } else { &HT_RATES }
}

impl Format {
    /// Whether data for one station can have this rate.
    pub fn has(self, rate: Rate) -> bool {
        match self {
            Format::Serial => true,
            Format::Symbols { .. } => OFDM_RATES.contains(&rate.0),
            Format::HighThroughput { short_guard } => ht_rates(short_guard).contains(&rate.0),
        }
    }

    /// Whether frames that every station must read can have this rate.
    pub fn has_basic(self, rate: Rate) -> bool {
        self == Format::Serial || OFDM_RATES.contains(&rate.0)
    }

    /// The rate at which a frame goes for which this one is wanted: the highest that there is and that is not above it, or
    /// else the lowest.
    pub fn nearest(self, rate: Rate) -> Rate {
        let rates = match self {
            Format::Serial => return rate,
            Format::HighThroughput { .. } if OFDM_RATES.contains(&rate.0) => return rate,
            Format::Symbols { .. } => &OFDM_RATES,
            Format::HighThroughput { short_guard } => ht_rates(short_guard),
        };
        let slower = rates.iter().rev().find(|known| **known <= rate.0);
        Rate(*slower.unwrap_or(&rates[0]))
    }

    /// The mode of a frame at this rate: in a format of any rate there is one.
    pub fn mode(self, rate: Rate) -> Mode {
        match self {
            Format::Serial => Mode::ONLY,
            Format::HighThroughput { short_guard } if !OFDM_RATES.contains(&rate.0) => {
                Mode::among(ht_rates(short_guard), rate, OFDM_RATES.len())
            }
            Format::Symbols { .. } | Format::HighThroughput { .. } => {
                Mode::among(&OFDM_RATES, rate, 0)
            }
        }
    }

    /// The rate of a mode; `None` where modes have any.
    pub fn rate(self, mode: Mode) -> Option<Rate> {
        let short_guard = match self {
            Format::Serial => return None,
            Format::Symbols { .. } => false,
            Format::HighThroughput { short_guard } => short_guard,
        };
        let rate = match mode.ht() {
            None => OFDM_RATES[mode.index()],
            Some(at) => ht_rates(short_guard)[at],
        };
        Some(Rate(rate))
    }

    /// Length of a symbol of OFDM in a frame of this mode, and how many bits of data it carries (tables 17-4 and 19-27).
    pub(super) fn symbol(self, mode: Mode) -> (Duration, u64) {
        let Some(at) = mode.ht() else {
            return (Duration::from_micros(SYMBOL), OFDM_RATES[mode.index()] * SYMBOL / 1_000_000);
        };
        let is_short = self == Format::HighThroughput { short_guard: true };
        (if is_short { SHORT_SYMBOL } else { Duration::from_micros(SYMBOL) }, HT_BITS[at])
    }

    /// How long nothing is sent at the end of a frame.
    pub(super) fn extension(self) -> Duration {
        match self {
            Format::Serial | Format::HighThroughput { .. } => Duration::ZERO,
            Format::Symbols { extension } => extension,
        }
    }

    /// How long a frame of so many bytes lasts behind its preamble, or that part of it which stations without 802.11n read.
    pub fn air_time(self, rate: Rate, frame: Bytes) -> Duration {
        if self == Format::Serial {
            return rate.air_time(frame);
        }
        let mode = self.mode(rate);
        let (symbol, bits) = self.symbol(mode);
        let symbols = symbol * (SERVICE_AND_TAIL + frame.bits()).div_ceil(bits);
        // Short guard intervals may leave a part of a usual symbol, which counts as a whole one (19.4.3).
        let whole = symbols.nanos().div_ceil(SYMBOL * 1000) * SYMBOL;
        let training = if mode.ht().is_some() { HT_PREAMBLE } else { Duration::ZERO };
        training + Duration::from_micros(whole) + self.extension()
    }

    /// The longest frame in this mode that lasts no longer than that behind its preamble.
    pub(super) fn longest_frame(self, mode: Mode, longest: Duration) -> Bytes {
        let training = if mode.ht().is_some() { HT_PREAMBLE } else { Duration::ZERO };
        let (symbol, bits) = self.symbol(mode);
        let behind = longest.saturating_sub(training + self.extension());
        let whole = Duration::from_micros(behind.nanos() / (SYMBOL * 1000) * SYMBOL);
        Bytes(((whole / symbol * bits).saturating_sub(SERVICE_AND_TAIL) / 8) as u32)
    }

    /// How the bits of packets fill frames at this rate with a header of so many bytes, and how long what stands around them
    /// is on the air. With short guard intervals a frame may be longer than that by less than a symbol.
    pub fn fill(self, rate: Rate, header: Bytes) -> (Fill, Duration) {
        if self == Format::Serial {
            return (Fill::Bits, rate.air_time(header));
        }
        let mode = self.mode(rate);
        let (block, bits) = self.symbol(mode);
        let extra = (SERVICE_AND_TAIL + header.bits()) as i32;
        let training = if mode.ht().is_some() { HT_PREAMBLE } else { Duration::ZERO };
        (Fill::Blocks { block, bits: bits as u32, extra }, training + self.extension())
    }

    /// The rate of the answer to a frame: the highest that every station has and that is not above the frame's
    /// (10.6.6.5) or, to one of 802.11n, above its reference; or, in a format of any rate, the basic one.
    pub fn answer(self, rate: Rate, basic: Rate) -> Rate {
        if self == Format::Serial {
            return basic;
        }
        let rate = match self.mode(rate).ht() {
            Some(at) => OFDM_RATES[HT_REFERENCES[at]],
            None => rate.0,
        };
        let allowed = MANDATORY.into_iter().rev().find(|mandatory| *mandatory <= rate);
        Rate(allowed.unwrap_or(MANDATORY[0]))
    }

    /// The rates that data may have.
    pub fn rates(self, basic: Rate) -> Vec<Rate> {
        match self {
            Format::Serial => vec![basic],
            Format::Symbols { .. } => OFDM_RATES.map(Rate).to_vec(),
            Format::HighThroughput { short_guard } => ht_rates(short_guard).map(Rate).to_vec(),
        }
    }

    /// All of its modes, and their rates.
    pub(super) fn modes(self, basic: Rate) -> Vec<(Mode, Rate)> {
        let data = self.rates(basic);
        let others =
            if self == Format::Serial { Vec::new() } else { OFDM_RATES.map(Rate).to_vec() };
        data.into_iter().chain(others).map(|rate| (self.mode(rate), rate)).collect()
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::LinkTiming;

    use super::*;

    const OFDM: Format = Format::Symbols { extension: Duration::ZERO };
    const HT: Format = Format::HighThroughput { short_guard: false };
    const HT_SHORT: Format = Format::HighThroughput { short_guard: true };

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

    /// IEEE 802.11-2020, 19.4.3: with 20 us of preamble and SIGNAL, 36 us before the data.
    #[test]
    fn frames_of_802_11n_fill_whole_symbols() {
        let air_time = |format: Format, at: usize, bytes| {
            let rate = format.rates(Rate(1))[at];
            format.air_time(rate, Bytes(bytes)).nanos() / 1000 + 20
        };
        // ns-3.37: a packet of 1000 B under UDP, IP, LLC, QoS header and FCS, and 41 of them in an A-MPDU.
        assert_eq!(air_time(HT, 7, 1066), 168);
        assert_eq!(air_time(HT, 0, 1066), 1352);
        assert_eq!(air_time(HT, 7, 43_950), 5448);
        let short = |at, bytes| air_time(HT_SHORT, at, bytes);
        // 33 symbols of 3.6 us are 118.8 us, and count as 120.
        assert_eq!((short(7, 1066), short(0, 1066)), (36 + 120, 36 + 1188));
        for (format, at) in [(HT, 0), (HT, 7), (HT_SHORT, 0), (HT_SHORT, 6)] {
            let (mode, rate) = format.modes(Rate(1))[at];
            for micros in [500, 2000, 5464] {
                let longest = Duration::from_micros(micros);
                let bytes = format.longest_frame(mode, longest);
                assert!(format.air_time(rate, bytes) <= longest, "{rate:?} {micros}");
                assert!(format.air_time(rate, bytes + Bytes(1)) > longest, "{rate:?} {micros}");
            }
        }
        // Control frames and broadcasts are those of OFDM.
        assert_eq!(HT.air_time(Rate(24_000_000), Bytes(32)), Duration::from_micros(12));
        assert_eq!(HT.air_time(Rate(6_000_000), Bytes(32)), Duration::from_micros(48));
    }

    #[test]
    fn packets_fill_the_symbols_that_frames_have() {
        let header = Bytes(36);
        for (format, rate) in [(OFDM, Rate(24_000_000)), (HT, Rate(65_000_000))] {
            let (fill, around) = format.fill(rate, header);
            let link = LinkTiming { fill, ..LinkTiming::of_rate(rate) };
            for packet in [0, 1, 20, 532, 1500] {
                let whole = format.air_time(rate, header + Bytes(packet));
                assert_eq!(link.air_time(Bytes(packet)) + around, whole, "{packet}");
            }
        }
    }

    #[test]
    fn answers_have_a_rate_that_every_station_has() {
        let answers = OFDM_RATES.map(|rate| OFDM.answer(Rate(rate), Rate(1)).0 / 1_000_000);
        assert_eq!(answers, [6, 6, 12, 12, 24, 24, 24, 24]);
        for (format, rates) in [(HT, HT_RATES), (HT_SHORT, HT_SHORT_RATES)] {
            let answers = rates.map(|rate| format.answer(Rate(rate), Rate(1)).0 / 1_000_000);
            assert_eq!(answers, [6, 12, 12, 24, 24, 24, 24, 24], "table 10-10");
        }
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
        for (format, rates) in [(HT, HT_RATES), (HT_SHORT, HT_SHORT_RATES)] {
            let modes = rates.map(|rate| format.mode(Rate(rate)).index());
            assert_eq!(modes, [8, 9, 10, 11, 12, 13, 14, 15]);
            for (mode, rate) in format.modes(Rate(1)) {
                assert_eq!(format.rate(mode), Some(rate));
            }
        }
        assert!(HT.has(Rate(65_000_000)) && !HT.has(Rate(54_000_000)));
        assert!(HT.has_basic(Rate(54_000_000)) && !HT.has_basic(Rate(65_000_000)));
        assert_eq!(HT.nearest(Rate(60_000_000)), Rate(58_500_000));
    }
}
