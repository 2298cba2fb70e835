//! The few distributions that the models need, on `libm`, so that results do not depend on the
//! platform's mathematics library.

use crate::Rng;

/// The value below which a standard normal variable lies with probability `p`.
///
/// Acklam's rational approximation with one step of Halley's method; the error is below 1e-15
/// for p in (1e-300, 1 - 1e-16). `p` is clamped to that range.
pub fn inverse_normal(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 5] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 4] = [
        7.784_695_709_041_462e-3,
        3.224_671_290_700_398e-1,
        2.445_134_137_142_996,
        3.754_408_661_907_416,
    ];
    const LOW: f64 = 0.024_25;
    let p = p.clamp(1e-300, 1.0 - 1e-16);
    let tail = |q: f64| {
        (((((C[0] * q + C[1]) * q + C[2]) * q + C[3]) * q + C[4]) * q + C[5])
            / ((((D[0] * q + D[1]) * q + D[2]) * q + D[3]) * q + 1.0)
    };
    let x = if p < LOW {
        tail(libm::sqrt(-2.0 * libm::log(p)))
    } else if p > 1.0 - LOW {
        -tail(libm::sqrt(-2.0 * libm::log(1.0 - p)))
    } else {
        let q = p - 0.5;
        let r = q * q;
        (((((A[0] * r + A[1]) * r + A[2]) * r + A[3]) * r + A[4]) * r + A[5]) * q
            / (((((B[0] * r + B[1]) * r + B[2]) * r + B[3]) * r + B[4]) * r + 1.0)
    };
    let error = normal(x) - p;
    let step = error * libm::sqrt(2.0 * core::f64::consts::PI) * libm::exp(x * x / 2.0);
    x - step / (1.0 + x * step / 2.0)
}

/// The probability that a standard normal variable lies below `x`.
pub fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / core::f64::consts::SQRT_2)
}

impl Rng {
    /// A normal variable with mean zero and standard deviation one.
    pub fn normal(&mut self) -> f64 {
        inverse_normal(self.unit() + f64::EPSILON / 4.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NodeId, Purpose};

    #[test]
    fn the_inverse_undoes_the_distribution() {
        for p in [1e-12, 1e-6, 0.01, 0.02425, 0.3, 0.5, 0.77, 0.95, 0.99, 1.0 - 1e-9] {
            assert!((normal(inverse_normal(p)) - p).abs() < 1e-12, "p = {p}");
        }
        assert!((inverse_normal(0.95) - 1.644_853_626_951_472_2).abs() < 1e-12);
    }

    #[test]
    fn samples_have_mean_zero_and_variance_one() {
        let mut rng = Rng::stream(5, NodeId(0), Purpose::Other);
        let n = 100_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..n {
            let x = rng.normal();
            sum += x;
            squares += x * x;
        }
        assert!((sum / f64::from(n)).abs() < 0.01);
        assert!((squares / f64::from(n) - 1.0).abs() < 0.02);
    }
}
