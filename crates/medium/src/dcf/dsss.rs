//! Bit errors of 802.11b under interference, as ns-3's `DsssErrorRateModel` has them: a bit is spread over 22 MHz, and
//! interference that is weaker by a ratio is noise of as much less power.
//!
//! 1 Mbit/s is DBPSK, 2 Mbit/s DQPSK. Symbols of CCK are one of eight biorthogonal signals at 5.5 Mbit/s, and two such
//! at half the energy each at 11 Mbit/s: found from the rates that ns-3.37 itself gives (test).

use core::f64::consts::{PI, SQRT_2};

use multihop_core::{Rate, normal};

/// In Hz.
const BANDWIDTH: f64 = 22e6;
/// CCK's symbols a second.
const SYMBOLS: f64 = 1.375e6;
/// What is so many times weaker does no harm: at 11 Mbit/s, one symbol in 10^13.
const HARMLESS: f64 = 15.0;

/// The probability that so many `bits` at `rate` are received whole, of a frame that is `ratio` times as strong as
/// what interferes meanwhile. Rates that 802.11b does not have count as the next one that it has.
pub(super) fn survival(rate: Rate, bits: f64, ratio: f64) -> f64 {
    if ratio >= HARMLESS || bits <= 0.0 {
        return 1.0;
    }
    let per_bit = ratio * BANDWIDTH / rate.0 as f64;
    let (errors, bits_each) = match rate.0 {
        ..=1_000_000 => (0.5 * libm::exp(-per_bit), 1.0),
        1_000_001..=2_000_000 => (dqpsk(per_bit), 1.0),
        2_000_001..=5_500_000 => (biorthogonal(ratio * BANDWIDTH / SYMBOLS), 4.0),
        _ => {
            let right = 1.0 - biorthogonal(ratio * BANDWIDTH / SYMBOLS / 2.0);
            (1.0 - right * right, 8.0)
        }
    };
    libm::pow((1.0 - errors).max(0.0), bits / bits_each)
}

/// The bit error rate of DQPSK at so much energy a bit, in times of the noise's density.
fn dqpsk(per_bit: f64) -> f64 {
    let factor = (SQRT_2 + 1.0) / libm::sqrt(8.0 * PI * SQRT_2);
    (factor / libm::sqrt(per_bit) * libm::exp(-(2.0 - SQRT_2) * per_bit)).min(0.5)
}

/// How often one of eight biorthogonal signals of such energy, in times of the noise's density, is taken for another one.
fn biorthogonal(energy: f64) -> f64 {
    let distance = libm::sqrt(energy);
    let correct = |x: f64| {
        let other = 2.0 * normal(x + distance) - 1.0;
        libm::pow(other, 7.0) * libm::exp(-x * x / 2.0)
    };
    // Simpson's rule from where the signal itself is lost to where nothing is left.
    let (from, until) = (-distance.min(8.0), 8.0);
    let steps = 64;
    let width = (until - from) / f64::from(steps);
    let sum: f64 = (0..=steps)
        .map(|step| {
            let weight = match step {
                0 => 1.0,
                last if last == steps => 1.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * correct(from + width * f64::from(step))
        })
        .sum();
    (1.0 - sum * width / 3.0 / libm::sqrt(2.0 * PI)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors of a symbol (a bit, at 1 and 2 Mbit/s) at so many dB, by ns-3.37.
    const NS3: [(f64, [f64; 4]); 7] = [
        (-6.0, [1.991e-3, 4.828e-2, 3.9843e-1, 8.4255e-1]),
        (-3.0, [8.136e-6, 6.826e-3, 1.6376e-1, 6.3909e-1]),
        (0.0, [1.395e-10, 1.942e-4, 2.3999e-2, 3.0191e-1]),
        (2.0, [3.331e-16, 3.560e-6, 2.2609e-3, 1.0552e-1]),
        (4.0, [0.0, 7.200e-9, 4.9707e-5, 1.7147e-2]),
        (6.0, [0.0, 4.425e-13, 1.1612e-7, 8.5471e-4]),
        (8.0, [0.0, 0.0, 8.4396e-12, 6.9873e-6]),
    ];

    #[test]
    fn errors_are_those_of_ns3() {
        for (decibel, errors) in NS3 {
            let ratio = libm::pow(10.0, decibel / 10.0);
            for (found, expected) in [
                (1.0 - survival(Rate(1_000_000), 1.0, ratio), errors[0]),
                (1.0 - survival(Rate(2_000_000), 1.0, ratio), errors[1]),
                (1.0 - survival(Rate(5_500_000), 4.0, ratio), errors[2]),
                (1.0 - survival(Rate(11_000_000), 8.0, ratio), errors[3]),
            ] {
                let near = (found - expected).abs() < 0.01 * expected + 1e-9;
                assert!(near, "{decibel} dB: {found:e}, by ns-3 {expected:e}");
            }
        }
    }
}
