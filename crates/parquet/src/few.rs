//! Columns in which few cells differ: measures that most rows do not have, how long frames last.

use crate::places;

/// The cells of a column, each once, if not many differ.
pub(crate) struct Few {
    /// As they stand in a dictionary.
    pub values: Vec<u8>,
    pub count: usize,
    places: Vec<u16>,
}

/// A dictionary of measures is worth its room if each of its entries stands in this many rows.
const WORTH: usize = 4;
/// How many entries it has at most.
const MOST: usize = 1 << 12;
/// How many whole numbers one looks through about as fast as one takes differences.
const MOST_WHOLE: usize = 8;

impl Few {
    /// Those of `cells`; `None` if many differ.
    pub fn of_measures(cells: &[f64]) -> Option<Few> {
        let most = (cells.len() / WORTH).clamp(1, MOST);
        // By their hashes, places in the dictionary and one more; 0 is free. At most half of the slots are taken.
        let mut slots = vec![0u16; (2 * most).next_power_of_two()];
        let mut known: Vec<u64> = Vec::new();
        let mut places = vec![0; cells.len()];
        let (mut last, mut place) = (!cells.first()?.to_bits(), 0);
        for (cell, at) in cells.iter().zip(&mut places) {
            let bits = cell.to_bits();
            if bits != last {
                let slot = slot(bits, &slots, &known);
                if slots[slot] == 0 {
                    if known.len() == most {
                        return None;
                    }
                    known.push(bits);
                    slots[slot] = known.len() as u16;
                }
                (last, place) = (bits, slots[slot] - 1);
            }
            *at = place;
        }
        let values = known.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        Some(Few { values, count: known.len(), places })
    }

    /// Those of `cells`; `None` if more than a handful differ.
    pub fn of_whole(cells: &[i64]) -> Option<Few> {
        let mut known = Vec::with_capacity(MOST_WHOLE);
        let mut places = vec![0; cells.len()];
        let (mut last, mut place) = (*cells.first()?, 0);
        known.push(last);
        for (cell, at) in cells.iter().zip(&mut places) {
            if *cell != last {
                let found = known.iter().position(|known| known == cell);
                if found.is_none() {
                    if known.len() == MOST_WHOLE {
                        return None;
                    }
                    known.push(*cell);
                }
                (last, place) = (*cell, found.unwrap_or(known.len() - 1) as u16);
            }
            *at = place;
        }
        let values = known.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        Some(Few { values, count: known.len(), places })
    }

    /// Write where each stands.
    pub fn encode(&self, out: &mut Vec<u8>) {
        places::encode(out, self.count, &self.places);
    }
}

/// Where `bits` stand among the slots, or may.
fn slot(bits: u64, slots: &[u16], known: &[u64]) -> usize {
    let last = slots.len() - 1;
    let mut slot = (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & last;
    while slots[slot] != 0 && known[usize::from(slots[slot]) - 1] != bits {
        slot = (slot + 1) & last;
    }
    slot
}
