//! What a cell of a trace can be, and how a batch of them is kept.

use multihop_parquet::{Column, Values};

/// What a cell can be.
pub(super) trait Cell {
    /// The cells of a batch.
    type Cells;
    /// Its type's name in files.
    const KIND: &'static str;

    /// Room for so many cells.
    fn room(rows: usize) -> Self::Cells;

    /// Another cell.
    fn put(self, cells: &mut Self::Cells);

    /// The cells as a column of a file.
    fn column(cells: &Self::Cells) -> Column<'_>;

    /// None is left.
    fn clear(cells: &mut Self::Cells);
}

macro_rules! numbers {
    ($($cell:ty => $column:ident, $kind:literal;)+) => {$(
        impl Cell for $cell {
            type Cells = Vec<$cell>;
            const KIND: &'static str = $kind;

            fn room(rows: usize) -> Vec<$cell> {
                Vec::with_capacity(rows)
            }

            #[inline]
            fn put(self, cells: &mut Vec<$cell>) {
                cells.push(self);
            }

            fn column(cells: &Vec<$cell>) -> Column<'_> {
                Column::$column(cells)
            }

            fn clear(cells: &mut Vec<$cell>) {
                cells.clear();
            }
        }
    )+};
}

numbers! {
    i64 => Int64, "int64";
    i32 => Int32, "int32";
    f64 => Float64, "float64";
}

/// Words, as places in the list of those that have occurred.
pub(super) struct Words {
    places: Vec<u8>,
    words: Vec<&'static str>,
}

impl Words {
    /// Where `word` is in the list; at its end if it was not there.
    #[cold]
    fn place(&mut self, word: &'static str) -> usize {
        let known = self.words.iter().position(|known| *known == word);
        known.unwrap_or_else(|| {
            assert!(self.words.len() < usize::from(u8::MAX), "vocabularies are short");
            self.words.push(word);
            self.words.len() - 1
        })
    }
}

impl Cell for &'static str {
    type Cells = Words;
    const KIND: &'static str = "string";

    fn room(rows: usize) -> Words {
        Words { places: Vec::with_capacity(rows), words: Vec::new() }
    }

    #[inline]
    fn put(self, cells: &mut Words) {
        // The same word is mostly the same text in memory.
        let known = cells.words.iter().position(|known| std::ptr::eq(*known, self));
        let place = known.unwrap_or_else(|| cells.place(self));
        cells.places.push(place as u8);
    }

    fn column(cells: &Words) -> Column<'_> {
        Column::Words { places: &cells.places, words: &cells.words }
    }

    fn clear(cells: &mut Words) {
        cells.places.clear();
    }
}

/// A place in a list of [`Texts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u32);

/// Byte strings, each kept once in a batch: nodes forward packets, and try again.
pub(super) struct Texts {
    places: Vec<u32>,
    values: Values,
    /// Places by their hashes, one more than they are; 0 is free. At most half of them are taken.
    slots: Vec<u32>,
}

impl Texts {
    /// Where `text` is in the list.
    pub fn place(&mut self, text: &[u8]) -> Place {
        if self.values.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(text);
        if self.slots[slot] == 0 {
            self.values.push(text);
            self.slots[slot] = self.values.len() as u32;
        }
        Place(self.slots[slot] - 1)
    }

    /// Where `text` stands among the slots, or may.
    fn slot(&self, text: &[u8]) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = hash(text) as usize & last;
        while let Some(taken) = self.slots[slot].checked_sub(1)
            && self.values.get(taken as usize) != text
        {
            slot = (slot + 1) & last;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(64)];
        for at in 0..self.values.len() {
            let slot = self.slot(self.values.get(at));
            self.slots[slot] = at as u32 + 1;
        }
    }
}

/// A multiplicative hash, eight bytes at a time.
fn hash(text: &[u8]) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let words = text.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(text.len() as u64, mix) >> 32
}

impl Cell for Place {
    type Cells = Texts;
    const KIND: &'static str = "binary";

    fn room(rows: usize) -> Texts {
        Texts { places: Vec::with_capacity(rows), values: Values::default(), slots: Vec::new() }
    }

    #[inline]
    fn put(self, cells: &mut Texts) {
        cells.places.push(self.0);
    }

    fn column(cells: &Texts) -> Column<'_> {
        Column::Bytes { places: &cells.places, values: &cells.values }
    }

    fn clear(cells: &mut Texts) {
        cells.places.clear();
        cells.values.clear();
        cells.slots.fill(0);
    }
}
