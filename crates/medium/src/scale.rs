//! Powers as channel and MAC compare them.

use multihop_setup::Propagation;

/// `power`, which is in W, as it is compared: in W as well or, where shadowing adds a normal variable
/// in dB, in dBW. The MAC's `Capture` compares powers accordingly.
pub fn on_scale(propagation: Propagation, power: f64) -> f64 {
    match propagation {
        Propagation::FreeSpace | Propagation::TwoRayGround => power,
        Propagation::LogNormalShadowing { .. } => 10.0 * libm::log10(power),
    }
}

/// The power in W that [`on_scale`] makes `power` of.
pub fn in_watts(propagation: Propagation, power: f64) -> f64 {
    match propagation {
        Propagation::FreeSpace | Propagation::TwoRayGround => power,
        Propagation::LogNormalShadowing { .. } => libm::pow(10.0, power / 10.0),
    }
}
