//! Numbers of a fixed width in bits, the least significant first, as all encodings of Parquet pack them.

/// So many numbers are packed at once.
pub(crate) const MINIBLOCK: usize = 32;

/// How many bits `number` needs.
pub(crate) const fn width(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

macro_rules! widths {
    ($width:expr, $out:expr, $numbers:expr; $($known:literal)+) => {
        match $width {
            0 => {}
            $($known => pack_in::<$known>($out, $numbers),)+
            wide => pack_some($out, wide, $numbers),
        }
    };
}

/// Write `numbers`, `width` bits of each.
pub(crate) fn pack(out: &mut Vec<u8>, width: u32, numbers: &[u64; MINIBLOCK]) {
    widths!(width, out, numbers; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
}

/// The same with a width of at most 32 that is known, so that the compiler unrolls it.
#[inline]
fn pack_in<const WIDTH: usize>(out: &mut Vec<u8>, numbers: &[u64; MINIBLOCK]) {
    let mut bytes = [[0; 4]; MINIBLOCK];
    let (mut bits, mut count, mut word) = (0, 0, 0);
    for number in numbers {
        bits |= number << count;
        count += WIDTH;
        if count >= 32 {
            bytes[word] = (bits as u32).to_le_bytes();
            word += 1;
            bits >>= 32;
            count -= 32;
        }
    }
    out.extend_from_slice(bytes[..WIDTH].as_flattened());
}

/// Write some numbers of any width; their bits make whole bytes.
pub(crate) fn pack_some(out: &mut Vec<u8>, width: u32, numbers: &[u64]) {
    let (mut bits, mut count) = (0u128, 0);
    for number in numbers {
        bits |= u128::from(*number) << count;
        count += width;
        while count >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    }
    debug_assert_eq!(count, 0, "bits are left");
}

/// Write an unsigned number in groups of seven bits (LEB128).
pub(crate) fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Write a signed number, small ones in few bytes.
pub(crate) fn zigzag(out: &mut Vec<u8>, number: i64) {
    varint(out, ((number << 1) ^ (number >> 63)).cast_unsigned());
}
