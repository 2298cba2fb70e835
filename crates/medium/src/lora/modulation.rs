//! How long frames of chirps are on the air (Semtech SX1276 data sheet, 4.1.1.7; SX1261/2 data sheet, 6.1.4).

use multihop_core::{Bytes, Duration, Fill};

/// The longest frame that the radio's length field expresses.
pub const LONGEST_FRAME: Bytes = Bytes(255);

/// Symbols at least this long are sent with low-data-rate optimisation (SX1261/2 data sheet, 6.1.1.4), in ns.
const LONG_SYMBOL: u64 = 16_000_000;

/// Quarters of a symbol between the preamble and the code words: the sync word and the start-of-frame delimiter (4.25
/// symbols), and the first block of eight symbols, which has the header at the rate 4/8.
const QUARTERS: u64 = 17 + 32;

/// Bits beyond the bytes of a frame: the explicit header (20) and the checksum (16). The first block carries four bits for
/// each step of the spreading factor, less 8.
const EXTRA_BITS: i32 = 20 + 16 + 8;

/// How bits become chirps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modulation {
    /// Bits a chirp: a symbol has 2 to this power chips.
    pub spreading_factor: u32,
    /// Chips a second.
    pub bandwidth: u32,
    /// Symbols of a code word that carries four bits for each of a symbol's: 5 to 8.
    pub coding_rate: u32,
    /// Symbols of the preamble, without the sync word.
    pub preamble: u32,
    /// Whether a symbol carries two bits less, as long ones do (low-data-rate optimisation).
    pub is_slow: bool,
}

impl Modulation {
    /// Whether symbols of this spreading factor and bandwidth in Hz are so long that the radio makes them slow.
    pub const fn has_long_symbols(spreading_factor: u32, bandwidth: u32) -> bool {
        (1_000_000_000 << spreading_factor) >= LONG_SYMBOL * bandwidth as u64
    }

    /// How long so many quarters of a symbol last, rounded to the nanosecond.
    const fn quarters(&self, quarters: u64) -> Duration {
        let chips = (quarters as u128) << self.spreading_factor;
        let parts = 4 * self.bandwidth as u128;
        Duration::from_nanos(((chips * 1_000_000_000 + parts / 2) / parts) as u64)
    }

    /// How long so many symbols last, rounded to the nanosecond.
    pub fn symbols(&self, symbols: f64) -> Duration {
        let seconds = f64::from(1_u32 << self.spreading_factor) / f64::from(self.bandwidth);
        Duration::from_seconds(symbols * seconds)
    }

    /// How long the preamble is, without the sync word.
    pub const fn preamble_time(&self) -> Duration {
        self.quarters(4 * self.preamble as u64)
    }

    /// The bits of a code word.
    const fn word(&self) -> u32 {
        4 * (self.spreading_factor - if self.is_slow { 2 } else { 0 })
    }

    /// Bits of the code words beyond those of the frame's bytes; negative where the first block has some of them.
    const fn extra(&self) -> i32 {
        EXTRA_BITS - 4 * self.spreading_factor.cast_signed()
    }

    /// How long a frame of so many bytes is on the air, rounded to the nanosecond.
    pub fn air_time(&self, frame: Bytes) -> Duration {
        let bits = frame.bits().saturating_add_signed(self.extra().into());
        let words = bits.div_ceil(self.word().into());
        let whole = u64::from(self.preamble) + words * u64::from(self.coding_rate);
        self.quarters(4 * whole + QUARTERS)
    }

    /// How the bits of a packet fill the air in a frame that is longer than the packet by `added` bytes, which may be
    /// negative.
    pub fn fill(&self, added: i32) -> Fill {
        let block = self.quarters(4 * u64::from(self.coding_rate));
        Fill::Blocks { block, bits: self.word(), extra: self.extra() + 8 * added }
    }

    /// How long what stands before the code words of a frame is on the air.
    pub fn around(&self) -> Duration {
        self.quarters(4 * u64::from(self.preamble) + QUARTERS)
    }

    /// Bits of frames in a second of code words.
    pub fn rate(&self) -> u64 {
        let bits = u64::from(self.word()) * u64::from(self.bandwidth);
        (bits / u64::from(self.coding_rate)) >> self.spreading_factor
    }
}
