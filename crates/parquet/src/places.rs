//! `RLE_DICTIONARY`: places in a dictionary, with as many bits for each as the last one needs.

use crate::pack::{MINIBLOCK, pack, pack_some, varint, width};

/// How many bits a place in a dictionary of `entries` has. Not every reader knows places without bits.
fn width_of(entries: usize) -> u32 {
    width(entries.saturating_sub(1) as u64).max(1)
}

/// Write one place so many times.
fn encode_one(out: &mut Vec<u8>, entries: usize, place: u32, count: usize) {
    let width = width_of(entries);
    out.push(width as u8);
    varint(out, (count as u64) << 1);
    out.extend_from_slice(&place.to_le_bytes()[..width.div_ceil(8) as usize]);
}

/// Write places in a dictionary of `entries`.
pub(crate) fn encode<T: Copy + Into<u32> + PartialEq>(
    out: &mut Vec<u8>,
    entries: usize,
    places: &[T],
) {
    if let Some((first, rest)) = places.split_first()
        && rest.iter().all(|place| place == first)
    {
        return encode_one(out, entries, (*first).into(), places.len());
    }
    let width = width_of(entries);
    out.push(width as u8);
    let groups = places.len().div_ceil(8);
    varint(out, (groups as u64) << 1 | 1);
    let (whole, rest) = places.as_chunks::<MINIBLOCK>();
    for places in whole {
        pack(out, width, &places.map(Into::into));
    }
    let mut last = [0; MINIBLOCK];
    for (last, place) in last.iter_mut().zip(rest) {
        *last = (*place).into().into();
    }
    pack_some(out, width, &last[..rest.len().next_multiple_of(8)]);
}
