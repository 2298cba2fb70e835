//! `DELTA_BINARY_PACKED`: integers by their differences, in blocks with as many bits for each as the largest
//! needs.

use crate::few::Few;
use crate::pack::{MINIBLOCK, pack, pack_some, varint, width, zigzag};

/// Numbers per block.
const BLOCK: usize = 128;

/// Whole numbers whose differences wrap around as Parquet wants it.
pub(crate) trait Whole: Copy + Ord + Into<i64> {
    /// The few that occur, if that is worth looking for: small ones take few bits in any case.
    fn few(_cells: &[Self]) -> Option<Few> {
        None
    }

    /// Write a block: how much more than the number before it each number is.
    fn write(out: &mut Vec<u8>, before: &[Self], after: &[Self]);
}

impl Whole for i32 {
    fn write(out: &mut Vec<u8>, before: &[i32], after: &[i32]) {
        let differences = differences(before, after, i32::wrapping_sub);
        let least = differences.iter().fold(i32::MAX, |least, one| least.min(*one));
        zigzag(out, least.into());
        write(out, &differences.map(|one| one.wrapping_sub(least).cast_unsigned()));
    }
}

impl Whole for i64 {
    fn few(cells: &[i64]) -> Option<Few> {
        Few::of_whole(cells)
    }

    fn write(out: &mut Vec<u8>, before: &[i64], after: &[i64]) {
        let differences = differences(before, after, i64::wrapping_sub);
        let least = differences.iter().fold(i64::MAX, |least, one| least.min(*one));
        zigzag(out, least);
        let above = differences.map(|one| one.wrapping_sub(least).cast_unsigned());
        if above.iter().fold(0, |all, one| all | one) <= u32::MAX.into() {
            write(out, &above.map(|one| one as u32));
        } else {
            write_wide(out, &above);
        }
    }
}

/// The differences of a block. Behind the last one stands the first again, which nobody reads.
fn differences<T: Whole + Default>(before: &[T], after: &[T], less: fn(T, T) -> T) -> [T; BLOCK] {
    let mut block = [T::default(); BLOCK];
    for (difference, (before, after)) in block.iter_mut().zip(before.iter().zip(after)) {
        *difference = less(*after, *before);
    }
    let first = block[0];
    block[after.len()..].fill(first);
    block
}

/// Write `numbers`, which may be `alike`.
pub(crate) fn encode<T: Whole>(out: &mut Vec<u8>, numbers: &[T], alike: bool) {
    varint(out, BLOCK as u64);
    varint(out, (BLOCK / MINIBLOCK) as u64);
    varint(out, numbers.len() as u64);
    let Some(first) = numbers.first() else { return zigzag(out, 0) };
    zigzag(out, (*first).into());
    let (before, after) = (numbers, &numbers[1..]);
    if alike {
        // as where a column does not apply
        for _ in after.chunks(BLOCK) {
            out.extend_from_slice(&[0; 1 + BLOCK / MINIBLOCK]);
        }
        return;
    }
    for (before, after) in before.chunks(BLOCK).zip(after.chunks(BLOCK)) {
        T::write(out, before, after);
    }
}

/// Write how much the differences are above the least.
fn write(out: &mut Vec<u8>, above: &[u32; BLOCK]) {
    let (miniblocks, _) = above.as_chunks::<MINIBLOCK>();
    let widths = out.len();
    out.extend_from_slice(&[0; BLOCK / MINIBLOCK]);
    for (at, miniblock) in miniblocks.iter().enumerate() {
        let width = width(miniblock.iter().fold(0, |all, number| all | number).into());
        out[widths + at] = width as u8;
        if width > 0 {
            pack(out, width, miniblock);
        }
    }
}

/// The same where more than 32 bits are needed.
#[cold]
fn write_wide(out: &mut Vec<u8>, above: &[u64; BLOCK]) {
    let (miniblocks, _) = above.as_chunks::<MINIBLOCK>();
    let width_of = |miniblock: &[u64]| width(miniblock.iter().fold(0, |all, number| all | number));
    out.extend(miniblocks.iter().map(|miniblock| width_of(miniblock) as u8));
    for miniblock in miniblocks {
        pack_some(out, width_of(miniblock), miniblock);
    }
}
