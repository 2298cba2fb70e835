//! What a column holds.

/// The cells of a column, one per row.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// Whole numbers.
    Int32(&'a [i32]),
    /// Whole numbers.
    Int64(&'a [i64]),
    /// Measures.
    Float64(&'a [f64]),
    /// Words, as places in a list.
    Words {
        /// Where each is.
        places: &'a [u8],
        /// The list.
        words: &'a [&'static str],
    },
    /// Bytes, as places in a list.
    Bytes {
        /// Where each is.
        places: &'a [u32],
        /// The list.
        values: &'a Values,
    },
}

impl Column<'_> {
    /// How many rows it has.
    pub fn len(&self) -> usize {
        match self {
            Column::Int32(cells) => cells.len(),
            Column::Int64(cells) => cells.len(),
            Column::Float64(cells) => cells.len(),
            Column::Words { places, .. } => places.len(),
            Column::Bytes { places, .. } => places.len(),
        }
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A list of byte strings, one behind the other.
#[derive(Clone, Debug, Default)]
pub struct Values {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Another one.
    pub fn push(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
        self.ends.push(self.bytes.len() as u32);
    }

    /// Number `at`.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn get(&self, at: usize) -> &[u8] {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.bytes[begin as usize..self.ends[at] as usize]
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// None is left.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}
