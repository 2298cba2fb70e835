//! `DELTA_BINARY_PACKED`: integers by their differences, in blocks with as many bits for each as the largest
//! needs.

use crate::pack::{MINIBLOCK, pack, varint, width, zigzag};

/// Numbers per block.
const BLOCK: usize = 128;

/// Whole numbers whose differences wrap around as Parquet wants it.
pub(crate) trait Whole: Copy + Ord + Into<i64> {
    /// How much more than `before` it is.
    fn after(self, before: Self) -> i64;
}

impl Whole for i32 {
    fn after(self, before: Self) -> i64 {
        i64::from(self.wrapping_sub(before))
    }
}

impl Whole for i64 {
    fn after(self, before: Self) -> i64 {
        self.wrapping_sub(before)
    }
}

/// Write `numbers`.
pub(crate) fn encode<T: Whole>(out: &mut Vec<u8>, numbers: &[T]) {
    varint(out, BLOCK as u64);
    varint(out, (BLOCK / MINIBLOCK) as u64);
    varint(out, numbers.len() as u64);
    let Some(first) = numbers.first() else { return zigzag(out, 0) };
    zigzag(out, (*first).into());
    let (before, after) = (numbers, &numbers[1..]);
    if after.iter().all(|number| number == first) {
        // as where a column does not apply
        for _ in after.chunks(BLOCK) {
            out.extend_from_slice(&[0; 1 + BLOCK / MINIBLOCK]);
        }
        return;
    }
    for (before, after) in before.chunks(BLOCK).zip(after.chunks(BLOCK)) {
        let mut block = [0; BLOCK];
        for (difference, (before, after)) in block.iter_mut().zip(before.iter().zip(after)) {
            *difference = after.after(*before);
        }
        write(out, &block, after.len());
    }
}

/// Write a block, of whose differences `count` matter.
fn write(out: &mut Vec<u8>, block: &[i64; BLOCK], count: usize) {
    let least = block[..count].iter().fold(i64::MAX, |least, difference| least.min(*difference));
    zigzag(out, least);
    let mut above = [0; BLOCK];
    for (above, difference) in above.iter_mut().zip(&block[..count]) {
        *above = difference.wrapping_sub(least).cast_unsigned();
    }
    let (miniblocks, _) = above.as_chunks::<MINIBLOCK>();
    let widths = out.len();
    out.extend_from_slice(&[0; BLOCK / MINIBLOCK]);
    for (at, miniblock) in miniblocks.iter().enumerate() {
        let width = width(miniblock.iter().fold(0, |all, number| all | number));
        out[widths + at] = width as u8;
        pack(out, width, miniblock);
    }
}
