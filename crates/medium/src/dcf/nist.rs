//! Bit errors of OFDM by the model of NIST (Pei and Henderson, Validation of OFDM error rate model in ns-3, 2010): the errors
//! of Gray-coded constellations in white noise, and the union bound for the convolutional code of IEEE 802.11-2020,
//! 17.3.5.6, which is decoded from hard decisions.
//!
//! The formula takes an `erfc` and ten powers. Receivers read a table of it, which is made once.

use std::sync::OnceLock;

use multihop_setup::{ErrorModel, Ofdm};

use super::phy::Mode;

/// A constellation with a code rate.
struct Coding {
    /// Points of the constellation.
    points: u32,
    /// So many bits come out of the code at a time: the numerator of its rate.
    bits: u32,
    /// Hamming distances of wrong paths from the right one, and how many bits are wrong on all paths of this distance.
    spectrum: &'static [(u32, f64)],
}

/// Code rate 1/2: the spectrum of the code with the generators 133 and 171 (octal).
const HALF: &[(u32, f64)] = &[
    (10, 36.0),
    (12, 211.0),
    (14, 1_404.0),
    (16, 11_633.0),
    (18, 77_433.0),
    (20, 502_690.0),
    (22, 3_322_763.0),
    (24, 21_292_910.0),
    (26, 134_365_911.0),
];

/// Code rate 2/3, by puncturing.
const TWO_THIRDS: &[(u32, f64)] = &[
    (6, 3.0),
    (7, 70.0),
    (8, 285.0),
    (9, 1_276.0),
    (10, 6_160.0),
    (11, 27_128.0),
    (12, 117_019.0),
    (13, 498_860.0),
    (14, 2_103_891.0),
    (15, 8_784_123.0),
];

/// Code rate 3/4, by puncturing.
const THREE_QUARTERS: &[(u32, f64)] = &[
    (5, 42.0),
    (6, 201.0),
    (7, 1_492.0),
    (8, 10_469.0),
    (9, 62_935.0),
    (10, 379_644.0),
    (11, 2_253_373.0),
    (12, 13_073_811.0),
    (13, 75_152_755.0),
    (14, 428_005_675.0),
];

/// Code rate 5/6, by puncturing.
const FIVE_SIXTHS: &[(u32, f64)] = &[
    (4, 92.0),
    (5, 528.0),
    (6, 8_694.0),
    (7, 79_453.0),
    (8, 792_114.0),
    (9, 7_375_573.0),
    (10, 67_884_974.0),
    (11, 610_875_423.0),
    (12, 5_427_275_376.0),
    (13, 47_664_215_639.0),
];

const fn coding(points: u32, bits: u32, spectrum: &'static [(u32, f64)]) -> Coding {
    Coding { points, bits, spectrum }
}

/// Of every mode (IEEE 802.11-2020, tables 17-4 and 19-27).
const CODINGS: [Coding; Mode::MOST] = [
    coding(2, 1, HALF),
    coding(2, 3, THREE_QUARTERS),
    coding(4, 1, HALF),
    coding(4, 3, THREE_QUARTERS),
    coding(16, 1, HALF),
    coding(16, 3, THREE_QUARTERS),
    coding(64, 2, TWO_THIRDS),
    coding(64, 3, THREE_QUARTERS),
    coding(2, 1, HALF),
    coding(4, 1, HALF),
    coding(4, 3, THREE_QUARTERS),
    coding(16, 1, HALF),
    coding(16, 3, THREE_QUARTERS),
    coding(64, 2, TWO_THIRDS),
    coding(64, 3, THREE_QUARTERS),
    coding(64, 5, FIVE_SIXTHS),
];

/// By how many dB the formula is behind the table of ns-3.37 (`TableBasedErrorRateModel`, simulations of links in white
/// noise), fitted for each mode to the success of 4096 to 12000 bits. What is left is 0.04 at most in the mean over a mode.
const BEHIND_TABLE: [f64; Mode::MOST] = [
    3.15, 4.14, 3.21, 3.55, 4.05, 4.06, 4.62, 4.53, 3.19, 3.17, 3.55, 4.08, 4.02, 4.62, 4.56, 4.41,
];

impl Coding {
    /// The probability that a bit on the air is wrong where signals are `ratio` times as strong as noise.
    fn raw(&self, ratio: f64) -> f64 {
        let points = f64::from(self.points);
        match self.points {
            2 => 0.5 * libm::erfc(libm::sqrt(ratio)),
            4 => 0.5 * libm::erfc(libm::sqrt(ratio / 2.0)),
            _ => {
                let side = libm::sqrt(points);
                let nearest = (side - 1.0) / (side * libm::log2(side));
                nearest * libm::erfc(libm::sqrt(1.5 * ratio / (points - 1.0)))
            }
        }
    }

    /// The probability that a decoded bit is wrong.
    fn decoded(&self, ratio: f64) -> f64 {
        let raw = self.raw(ratio);
        let distance = libm::sqrt(4.0 * raw * (1.0 - raw));
        let path = |&(length, wrong): &(u32, f64)| wrong * libm::pow(distance, f64::from(length));
        let sum: f64 = self.spectrum.iter().map(path).sum();
        (sum / f64::from(2 * self.bits)).min(1.0)
    }
}

/// The probability that so many `bits` in this mode are right, where the signal is `ratio` times as strong as noise and
/// interference: by the formula.
fn formula(mode: Mode, bits: f64, ratio: f64) -> f64 {
    libm::exp(bits * libm::log1p(-CODINGS[mode.index()].decoded(ratio)))
}

/// Entries of the table for each doubling of the ratio.
const STEPS_LOG2: u32 = 6;
/// How far below 1 the table begins, in doublings: at -12 dB no bit gets through.
const DOUBLINGS_BELOW: u32 = 4;
/// How far above 1 it ends: at 33 dB none is wrong.
const DOUBLINGS_ABOVE: u32 = 11;
const ENTRIES: usize = (((DOUBLINGS_BELOW + DOUBLINGS_ABOVE) << STEPS_LOG2) + 1) as usize;
/// Bits of a number between those that choose an entry and its end.
const FINE_BITS: u32 = f64::MANTISSA_DIGITS - 1 - STEPS_LOG2;
/// The first entry, as it stands in front of a number's fine bits.
const FIRST: u64 = (1023 - DOUBLINGS_BELOW as u64) << STEPS_LOG2;
/// Logarithms of losses a bit, in nepers, that stand for none and for all.
const NO_LOSS: f64 = -60.0;
const ALL_LOST: f64 = 12.0;
/// Up to this logarithm the longest frame's success is 1 to the last digit, and from that one on a single bit's is 0.
const NEGLIGIBLE: f64 = -51.0;
const HOPELESS: f64 = 7.0;

/// For every mode the logarithm of the loss a bit, which is minus the logarithm of its success, by the ratio. Between
/// two entries it is nearly a straight line.
static TABLE: OnceLock<Vec<[f64; ENTRIES]>> = OnceLock::new();

fn table() -> &'static [[f64; ENTRIES]] {
    TABLE.get_or_init(|| {
        let ratio = |at: usize| f64::from_bits((FIRST + at as u64) << FINE_BITS);
        let entry = |coding: &Coding, at| {
            let loss = -libm::log1p(-coding.decoded(ratio(at)));
            libm::log(loss).clamp(NO_LOSS, ALL_LOST)
        };
        let all = |coding| core::array::from_fn(|at| entry(coding, at));
        CODINGS.iter().map(all).collect()
    })
}

/// [`formula`], read from the table.
pub(super) fn success(mode: Mode, bits: f64, ratio: f64) -> f64 {
    let place = (ratio.to_bits() >> FINE_BITS).wrapping_sub(FIRST) as usize;
    if ratio < 1.0 && place >= ENTRIES {
        return 0.0;
    }
    let Some([before, after]) = table()[mode.index()].get(place..place + 2) else { return 1.0 };
    if *before <= NO_LOSS {
        return 1.0;
    }
    let fine = ratio.to_bits() & ((1 << FINE_BITS) - 1);
    let between = fine as f64 / (1u64 << FINE_BITS) as f64;
    let loss = before + between * (after - before);
    if loss <= NEGLIGIBLE {
        1.0
    } else if loss >= HOPELESS && bits >= 1.0 {
        0.0
    } else {
        libm::exp(-bits * libm::exp(loss))
    }
}

/// How many times better than the formula a receiver is in each mode.
pub(super) fn gains(ofdm: &Ofdm) -> [f64; Mode::MOST] {
    let shift = match ofdm.errors {
        ErrorModel::Nist => [0.0; Mode::MOST],
        ErrorModel::Table => BEHIND_TABLE,
    };
    shift.map(|shift| libm::pow(10.0, (shift + ofdm.margin) / 10.0))
}

/// How strong a signal in this mode must be, in times of the noise, for so many `bits` of it to be right with probability
/// `share`.
pub fn needed(ofdm: &Ofdm, mode: Mode, bits: f64, share: f64) -> f64 {
    usually_needed(mode, bits, share) / gains(ofdm)[mode.index()]
}

/// The same of a receiver that is as good as the formula.
pub fn usually_needed(mode: Mode, bits: f64, share: f64) -> f64 {
    let (mut least, mut most) = (1e-3, 1e6);
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = libm::sqrt(least * most);
        if formula(mode, bits, middle) < share {
            least = middle;
        } else {
            most = middle;
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use multihop_core::Rate;

    use super::super::phy::Format;
    use super::*;

    const HT: Format = Format::HighThroughput { short_guard: false };

    const BITS: [f64; 4] = [24.0, 112.0, 4096.0, 12_000.0];

    fn modes() -> impl Iterator<Item = Mode> {
        HT.modes(Rate(1)).into_iter().map(|(mode, _)| mode)
    }

    fn ratio(decibel: f64) -> f64 {
        libm::pow(10.0, decibel / 10.0)
    }

    /// Rate in Mbit/s, bits, SNR in dB, and how often they are right.
    const NS3: &str = include_str!("../../../../docs/validation/data/ofdm_nist.txt");

    #[test]
    fn denser_modulations_need_stronger_frames() {
        let needs = |mode| 10.0 * libm::log10(usually_needed(mode, 8_512.0, 0.9));
        let needed: Vec<_> = modes().map(|mode| libm::round(needs(mode))).collect();
        let ht = [4.0, 7.0, 10.0, 13.0, 17.0, 21.0, 23.0, 24.0];
        let ofdm = [4.0, 7.0, 7.0, 10.0, 13.0, 17.0, 21.0, 23.0];
        assert_eq!(needed, [ht, ofdm].concat());
    }

    #[test]
    fn the_formula_gives_what_ns3_does() {
        let mut lines = 0;
        for line in NS3.lines().filter(|line| !line.starts_with('#')) {
            let values: Vec<f64> = line.split(' ').map(|word| word.parse().expect(line)).collect();
            let [rate, bits, decibel, expected] = values[..] else { panic!("{line}") };
            let mode = HT.mode(Rate((rate * 1e6) as u64));
            let found = formula(mode, bits, ratio(decibel));
            assert!((found - expected).abs() < 1e-6, "{line}: {found}");
            lines += 1;
        }
        assert!(lines > 200, "{lines}");
    }

    #[test]
    fn the_table_gives_what_the_formula_does() {
        for mode in modes() {
            for step in -1600..4000 {
                let ratio = ratio(f64::from(step) / 100.0);
                for bits in BITS {
                    let (found, expected) =
                        (success(mode, bits, ratio), formula(mode, bits, ratio));
                    let off = (found - expected).abs();
                    assert!(off < 4e-4, "{mode:?} {bits} {step}: {found}, not {expected}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_computed_is_certain() {
        let longest = f64::from(65_535 * 8);
        let right = [-longest * libm::exp(NEGLIGIBLE), -libm::exp(HOPELESS)].map(libm::exp);
        assert_eq!(right.map(f64::to_bits), [1.0f64, 0.0].map(f64::to_bits));
    }

    /// Of 1064 B: 10 % are lost.
    #[test]
    fn every_mode_needs_more_than_the_one_before() {
        let nist = Ofdm { noise: 1.0, errors: ErrorModel::Nist, margin: 0.0, carries: 0.0 };
        let needs = |ofdm: &Ofdm, rate: f64| {
            let mode = HT.mode(Rate((rate * 1e6) as u64));
            10.0 * libm::log10(needed(ofdm, mode, 8512.0, 0.9))
        };
        let expected = [
            (6.0, 3.9),
            (9.0, 6.8),
            (12.0, 6.9),
            (18.0, 9.8),
            (24.0, 13.4),
            (36.0, 16.5),
            (48.0, 21.3),
            (54.0, 22.5),
            (65.0, 23.7),
        ];
        for (rate, expected) in expected {
            let found = needs(&nist, rate);
            assert!((found - expected).abs() < 0.1, "{rate}: {found}, not {expected}");
            let better = needs(&Ofdm { margin: 2.0, ..nist }, rate);
            assert!((found - better - 2.0).abs() < 1e-9, "{rate}");
        }
        let table = Ofdm { errors: ErrorModel::Table, ..nist };
        assert!((needs(&nist, 54.0) - needs(&table, 54.0) - 4.53).abs() < 1e-9);
        assert!((needs(&nist, 65.0) - needs(&table, 65.0) - 4.41).abs() < 1e-9);
    }
}
