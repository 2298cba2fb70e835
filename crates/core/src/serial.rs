//! Numbers that wrap around (RFC 1982), and those with which the lives of a node begin.

/// The number of a packet, written in 32 bits: numbers lie on a circle, and of two the later one is
/// at most half a circle ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Serial(pub u32);

impl Serial {
    /// How much further than `other`; negative if it lies before. RFC 1982 leaves open which of two
    /// opposite numbers is the later; here neither is.
    pub const fn since(self, other: Serial) -> i32 {
        self.0.wrapping_sub(other.0).cast_signed()
    }

    /// Whether it comes after `other` (RFC 1982, 3.2).
    pub const fn is_after(self, other: Serial) -> bool {
        self.since(other) > 0
    }

    /// The one that is `count` further (RFC 1982, 3.1).
    #[must_use]
    pub const fn plus(self, count: u32) -> Self {
        Serial(self.0.wrapping_add(count))
    }

    /// The later of the two.
    #[must_use]
    pub const fn latest(self, other: Serial) -> Self {
        if other.is_after(self) { other } else { self }
    }
}

/// How far apart the numbers of two lives in a row begin: the circle divided by the golden ratio, so
/// that those of any number of lives in a row are spread over it (Knuth, volume 3, 6.4).
const STRIDE: u32 = 0x9E37_79B9;

/// How an end numbers its packets: inside it counts from zero and never comes to an end; on the air
/// the count stands on a circle, from a place of its own on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbering {
    first: Serial,
}

impl Numbering {
    /// Counted from `first` on.
    pub const fn from(first: Serial) -> Self {
        Numbering { first }
    }

    /// That of a node's life number `incarnation`. The first life's begins at zero; of all others
    /// no two lie closer than 29,000 numbers, nor two in a row closer than a third of the circle.
    pub const fn of_life(incarnation: u16) -> Self {
        Numbering { first: Serial((incarnation as u32).wrapping_mul(STRIDE)) }
    }

    /// How `count` is written.
    pub const fn write(self, count: u64) -> Serial {
        self.first.plus(count as u32)
    }

    /// Which count is written as `number`: of all, the one nearest to `near`. `None` if it would lie
    /// before the first: it is of another numbering.
    pub const fn read(self, number: Serial, near: u64) -> Option<u64> {
        near.checked_add_signed(number.since(self.write(near)) as i64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn later_is_later_on_a_circle() {
        for (later, other) in [(1, 0), (0, u32::MAX), (0x7FFF_FFFF, 0), (5, u32::MAX - 5)] {
            assert!(Serial(later).is_after(Serial(other)), "{later} after {other}");
            assert!(!Serial(other).is_after(Serial(later)), "{other} after {later}");
        }
        for (one, other) in [(0, 0), (0x8000_0000, 0), (0, 0x8000_0000)] {
            assert!(!Serial(one).is_after(Serial(other)), "{one} after {other}");
        }
        assert_eq!(Serial(u32::MAX).latest(Serial(3)), Serial(3));
        assert_eq!(Serial(3).latest(Serial(u32::MAX)), Serial(3));
    }

    #[test]
    fn what_lies_before_the_first_is_of_another_numbering() {
        let numbering = Numbering::from(Serial(u32::MAX));
        assert_eq!(numbering.read(Serial(u32::MAX), 0), Some(0));
        assert_eq!(numbering.read(Serial(2), 0), Some(3));
        assert_eq!(numbering.read(Serial(u32::MAX - 1), 0), None);
        assert_eq!(numbering.read(Serial(u32::MAX - 1), 1_000), None);
    }

    #[test]
    fn lives_are_far_apart() {
        let mut first: Vec<u32> =
            (0..=u16::MAX).map(|life| Numbering::of_life(life).write(0).0).collect();
        for pair in first.windows(2) {
            let apart = pair[1].wrapping_sub(pair[0]);
            assert!(apart.min(apart.wrapping_neg()) > u32::MAX / 3, "{pair:?}");
        }
        assert_eq!(first[0], 0);
        first.sort_unstable();
        assert!(first.windows(2).all(|pair| pair[1] - pair[0] > 29_000));
    }

    proptest! {
        #[test]
        fn a_count_survives_the_wire(life: u16, near in 0u64..1 << 40, step in -1_000i64..1_000) {
            let numbering = Numbering::of_life(life);
            let Some(count) = near.checked_add_signed(step) else { return Ok(()) };
            prop_assert_eq!(numbering.read(numbering.write(count), near), Some(count));
        }
    }
}
