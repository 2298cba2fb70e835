//! Numbers that must fit.

use crate::error::Fault;
use crate::quantity::Number;

/// Ranges reach this much farther, relatively, than the file says: positions are sums and
/// products in floating point, and neighbours that are exactly a range apart stay neighbours.
pub(crate) const ROUNDING: f64 = 1e-9;

/// A number that must fit, or what is wrong with it.
pub(crate) fn within(
    key: &str,
    Number(value): Number,
    fits: impl Fn(f64) -> bool,
    must: &str,
) -> Result<f64, Fault> {
    if fits(value) { Ok(value) } else { Err(Fault::new(key, format!("{must} (got {value})"))) }
}

/// The largest seed: tables have seeds in integers with a sign.
pub(crate) const LARGEST_SEED: u64 = i64::MAX as u64;

/// A seed that tables can hold, or what is wrong with it.
pub(crate) fn seed(value: u64) -> Result<u64, String> {
    if value <= LARGEST_SEED {
        return Ok(value);
    }
    Err(format!("must be at most {LARGEST_SEED} (got {value})"))
}
