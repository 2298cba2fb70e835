//! `RLE_DICTIONARY`: places in a dictionary, with as many bits for each as the last one needs.

use crate::pack::{MINIBLOCK, pack, pack_some, varint, width};

/// Write places in a dictionary of `entries`.
pub(crate) fn encode<T: Copy + Into<u64> + PartialEq>(
    out: &mut Vec<u8>,
    entries: usize,
    places: &[T],
) {
    // Not every reader knows places without bits.
    let width = width(entries.saturating_sub(1) as u64).max(1);
    out.push(width as u8);
    let Some((first, rest)) = places.split_first() else { return };
    if rest.iter().all(|place| place == first) {
        // A run of one place.
        varint(out, (places.len() as u64) << 1);
        let place: u64 = (*first).into();
        out.extend_from_slice(&place.to_le_bytes()[..width.div_ceil(8) as usize]);
        return;
    }
    let groups = places.len().div_ceil(8);
    varint(out, (groups as u64) << 1 | 1);
    let (whole, rest) = places.as_chunks::<MINIBLOCK>();
    for places in whole {
        pack(out, width, &places.map(Into::into));
    }
    let mut last = [0; MINIBLOCK];
    for (last, place) in last.iter_mut().zip(rest) {
        *last = (*place).into();
    }
    pack_some(out, width, &last[..rest.len().next_multiple_of(8)]);
}
