//! A short number that two runs share only if the same things happened at the same times.

use core::fmt;

/// The fingerprint of a run: 64 bits, mixed at every transmission and delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint(0x6A09_E667_F3BC_C908)
    }
}

impl Fingerprint {
    /// Mix a value in (two rounds of multiply and shift, as in `MurmurHash`'s finaliser).
    pub fn mix(&mut self, value: u64) {
        let mut x = self.0 ^ value.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        x = (x ^ (x >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        self.0 = x ^ (x >> 29);
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
