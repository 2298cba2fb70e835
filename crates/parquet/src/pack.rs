//! Numbers of a fixed width in bits, the least significant first, as all encodings of Parquet pack them.

/// So many numbers are packed at once.
pub(crate) const MINIBLOCK: usize = 32;

/// How many bits `number` needs.
pub(crate) const fn width(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

macro_rules! widths {
    ($width:expr, $out:expr, $numbers:expr; $($fours:literal)+; $($pairs:literal)+) => {
        match $width {
            $($fours => join::<{ 4 * $fours }, 8>($out, fours::<$fours>(pairs::<$fours>($numbers))),)+
            $($pairs => join::<{ 2 * $pairs }, 16>($out, pairs::<$pairs>($numbers)),)+
            _ => {}
        }
    };
}

/// Write `numbers`, `width` bits of each, of which there are no more than 32. For the compiler each width is known.
pub(crate) fn pack(out: &mut Vec<u8>, width: u32, numbers: &[u32; MINIBLOCK]) {
    widths!(width, out, numbers;
        1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16;
        17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
}

/// Two numbers in a word each.
#[inline]
fn pairs<const WIDTH: u32>(numbers: &[u32; MINIBLOCK]) -> [u64; 16] {
    std::array::from_fn(|at| u64::from(numbers[2 * at]) | u64::from(numbers[2 * at + 1]) << WIDTH)
}

/// Four numbers in a word each.
#[inline]
fn fours<const WIDTH: u32>(pairs: [u64; 16]) -> [u64; 8] {
    std::array::from_fn(|at| pairs[2 * at] | pairs[2 * at + 1] << (2 * WIDTH))
}

/// Write words, `WIDTH` bits of each; their bits make whole bytes.
#[inline]
fn join<const WIDTH: u32, const WORDS: usize>(out: &mut Vec<u8>, words: [u64; WORDS]) {
    let mut bytes = [[0; 8]; WORDS];
    let (mut bits, mut count, mut at) = (0, 0, 0);
    for word in words {
        bits |= word << count;
        count += WIDTH;
        if count >= u64::BITS {
            bytes[at] = bits.to_le_bytes();
            at += 1;
            count -= u64::BITS;
            bits = if count == 0 { 0 } else { word >> (WIDTH - count) };
        }
    }
    if count > 0 {
        bytes[at] = bits.to_le_bytes();
    }
    out.extend_from_slice(&bytes.as_flattened()[..WORDS * WIDTH as usize / 8]);
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
