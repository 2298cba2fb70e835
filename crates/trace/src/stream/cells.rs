//! What a cell of a trace can be, and how a batch of them is kept.

use multihop_parquet::{Column, Values};

/// So many rows a batch has at most: as many as the processor's caches hold.
pub const BATCH: usize = 1 << 12;

/// What a cell can be.
pub(super) trait Cell {
    /// The cells of a batch.
    type Cells;
    /// Its type's name in files.
    const KIND: &'static str;

    /// Room for a batch.
    fn room() -> Self::Cells;

    /// It stands in row `at` of a batch.
    fn put(self, cells: &mut Self::Cells, at: usize);

    /// The cells of so many rows as a column of a file.
    fn column(cells: &Self::Cells, rows: usize) -> Column<'_>;

    /// None is left.
    fn clear(_cells: &mut Self::Cells) {}
}

/// The cells of a column. That there are always as many, and a power of two, spares a look at each cell.
pub(super) struct Room<T>(Box<[T; BATCH]>);

impl<T: Copy + Default> Room<T> {
    fn new() -> Self {
        let cells = vec![T::default(); BATCH].into_boxed_slice();
        Room(cells.try_into().unwrap_or_else(|_| unreachable!("it is as long")))
    }

    #[inline]
    fn put(&mut self, at: usize, cell: T) {
        self.0[at % BATCH] = cell;
    }

    fn first(&self, rows: usize) -> &[T] {
        &self.0[..rows]
    }
}

macro_rules! numbers {
    ($($cell:ty => $column:ident, $kind:literal;)+) => {$(
        impl Cell for $cell {
            type Cells = Room<$cell>;
            const KIND: &'static str = $kind;

            fn room() -> Room<$cell> {
                Room::new()
            }

            #[inline]
            fn put(self, cells: &mut Room<$cell>, at: usize) {
                cells.put(at, self);
            }

            fn column(cells: &Room<$cell>, rows: usize) -> Column<'_> {
                Column::$column(cells.first(rows))
            }
        }
    )+};
}

numbers! {
    i64 => Int64, "int64";
    i32 => Int32, "int32";
    f64 => Float64, "float64";
}

/// A word of a vocabulary, or of some.
pub(crate) trait Word: Copy {
    /// Another number for every word; none of one that a part declares.
    fn code(self) -> Option<u8>;

    /// How it is written.
    fn name(self) -> &'static str;
}

/// Words, as places in the list of those that have occurred.
pub(super) struct Words {
    places: Room<u8>,
    names: Vec<&'static str>,
    /// By code, the place of each word and one more; 0 if it has not occurred.
    known: [u8; 1 << u8::BITS],
}

impl Words {
    #[inline]
    fn place_of_code(&mut self, code: u8, word: impl Word) -> u8 {
        let known = self.known[usize::from(code)];
        if known > 0 {
            return known - 1;
        }
        let place = self.place_of_name(word.name());
        self.known[usize::from(code)] = place + 1;
        place
    }

    /// What parts declare is rare: its name is looked up.
    #[inline(never)]
    fn place_of_name(&mut self, name: &'static str) -> u8 {
        let known = self.names.iter().position(|known| *known == name);
        let place = known.unwrap_or(self.names.len());
        if known.is_none() {
            self.names.push(name);
        }
        u8::try_from(place).expect("fewer than 256 words are said in a run")
    }
}

impl<T: Word> Cell for T {
    type Cells = Words;
    const KIND: &'static str = "string";

    fn room() -> Words {
        Words { places: Room::new(), names: Vec::new(), known: [0; 1 << u8::BITS] }
    }

    #[inline]
    fn put(self, cells: &mut Words, at: usize) {
        let place = match self.code() {
            Some(code) => cells.place_of_code(code, self),
            None => cells.place_of_name(self.name()),
        };
        cells.places.put(at, place);
    }

    fn column(cells: &Words, rows: usize) -> Column<'_> {
        Column::Words { places: cells.places.first(rows), words: &cells.names }
    }
}

/// A place in a list of [`Texts`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeaderPlace(u32);

/// Byte strings of nodes. What a node repeats, as it tries again, is kept once in a batch.
pub(super) struct Texts {
    places: Room<u32>,
    values: Values,
    /// Of the empty one, and by node behind it: the place of the last and one more; 0 if there is none in this batch.
    last: Vec<u32>,
}

impl Texts {
    /// Where the next `text` of `node` is in the list.
    pub fn place(&mut self, node: usize, text: &[u8]) -> HeaderPlace {
        let whose = if text.is_empty() { 0 } else { node + 1 };
        if whose >= self.last.len() {
            self.last.resize(whose + 1, 0);
        }
        let last = &mut self.last[whose];
        if last.checked_sub(1).is_none_or(|last| self.values.get(last as usize) != text) {
            self.values.push(text);
            *last = self.values.len() as u32;
        }
        HeaderPlace(*last - 1)
    }
}

impl Cell for HeaderPlace {
    type Cells = Texts;
    const KIND: &'static str = "binary";

    fn room() -> Texts {
        Texts { places: Room::new(), values: Values::default(), last: Vec::new() }
    }

    #[inline]
    fn put(self, cells: &mut Texts, at: usize) {
        cells.places.put(at, self.0);
    }

    fn column(cells: &Texts, rows: usize) -> Column<'_> {
        Column::Bytes { places: cells.places.first(rows), values: &cells.values }
    }

    fn clear(cells: &mut Texts) {
        cells.values.clear();
        cells.last.fill(0);
    }
}

#[cfg(test)]
mod tests;
