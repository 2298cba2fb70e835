//! A column of a row group: its pages, and what the file says of them.

use crate::column::Column;
use crate::delta::{self, Whole};
use crate::few::Few;
use crate::places;
use crate::thrift::Struct;

const PLAIN: i32 = 0;
const DELTA_BINARY_PACKED: i32 = 5;
const RLE_DICTIONARY: i32 = 8;

const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;

/// How a file calls what columns hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int32 = 1,
    Int64 = 2,
    Float64 = 5,
    Words = 6,
    Bytes = 7,
}

impl Kind {
    pub const fn of(column: &Column) -> Self {
        match column {
            Column::Int32(_) => Kind::Int32,
            Column::Int64(_) => Kind::Int64,
            Column::Float64(_) => Kind::Float64,
            Column::Words { .. } => Kind::Words,
            Column::Bytes { .. } => Kind::Bytes,
        }
    }

    /// Its physical type: words are bytes.
    pub const fn physical(self) -> i32 {
        match self {
            Kind::Words | Kind::Bytes => 6,
            kind => kind as i32,
        }
    }
}

/// A column of a row group.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    kind: Kind,
    rows: u64,
    /// Where it begins in the row group, and how long it is.
    begin: u64,
    length: u64,
    /// How far behind its beginning the data page begins: the dictionary is before it.
    data: u64,
    encoding: i32,
    /// The least and the greatest cell, of whole numbers that ascend.
    bounds: Option<(i64, i64)>,
}

impl Chunk {
    /// Write the pages of `column` behind `file`, whose last row group begins at `group`.
    pub fn encode(file: &mut Vec<u8>, group: usize, column: &Column, page: &mut Vec<u8>) -> Chunk {
        let begin = file.len();
        page.clear();
        let (encoding, bounds) = match *column {
            Column::Int32(cells) => whole(file, page, cells),
            Column::Int64(cells) => whole(file, page, cells),
            Column::Float64(cells) => (measures(file, page, cells), None),
            Column::Words { places, words } => {
                texts(page, words.iter().map(|word| word.as_bytes()));
                dictionary(file, words.len(), page);
                page.clear();
                places::encode(page, words.len(), places);
                (RLE_DICTIONARY, None)
            }
            Column::Bytes { places, values } => {
                texts(page, values.iter());
                dictionary(file, values.len(), page);
                page.clear();
                places::encode(page, values.len(), places);
                (RLE_DICTIONARY, None)
            }
        };
        let data = file.len();
        header(file, DATA_PAGE, page.len(), |of| {
            // Data page: values, encoding, and the encodings of levels that are not there.
            of.structure(5, |of| {
                of.int32(1, count(column.len()));
                of.int32(2, encoding);
                of.int32(3, 3);
                of.int32(4, 3);
            });
        });
        file.extend_from_slice(page);
        Chunk {
            kind: Kind::of(column),
            rows: column.len() as u64,
            begin: (begin - group) as u64,
            length: (file.len() - begin) as u64,
            data: (data - begin) as u64,
            encoding,
            bounds,
        }
    }

    /// What the footer says of it, if its row group begins at `group` in the file.
    pub fn describe(&self, name: &str, group: u64, of: &mut Struct) {
        let begin = group + self.begin;
        of.int64(2, begin);
        of.structure(3, |of| {
            of.int32(1, self.kind.physical());
            of.int32s(2, &[self.encoding, PLAIN][..if self.data > 0 { 2 } else { 1 }]);
            of.strings(3, &[name]);
            of.int32(4, 0);
            of.int64(5, self.rows);
            of.int64(6, self.length);
            of.int64(7, self.length);
            of.int64(9, begin + self.data);
            if self.data > 0 {
                of.int64(11, begin);
            }
            if let Some((least, greatest)) = self.bounds {
                of.structure(12, |of| self.statistics(least, greatest, of));
            }
        });
    }

    fn statistics(&self, least: i64, greatest: i64, of: &mut Struct) {
        let size = if self.kind == Kind::Int32 { 4 } else { 8 };
        of.int64(3, 0);
        of.bytes(5, &greatest.to_le_bytes()[..size]);
        of.bytes(6, &least.to_le_bytes()[..size]);
    }
}

/// Write whole numbers: as places in a dictionary if there are only a few, else by their differences. Returns how,
/// and the least and the greatest where a reader can skip row groups for that: if they ascend.
fn whole<T: Whole>(
    file: &mut Vec<u8>,
    page: &mut Vec<u8>,
    cells: &[T],
) -> (i32, Option<(i64, i64)>) {
    let ends = cells.first().zip(cells.last()).filter(|_| cells.is_sorted());
    let bounds = ends.map(|(first, last)| ((*first).into(), (*last).into()));
    if bounds.is_none()
        && let Some(few) = T::few(cells)
    {
        dictionary(file, few.count, &few.values);
        few.encode(page);
        return (RLE_DICTIONARY, None);
    }
    delta::encode(page, cells, bounds.is_some_and(|(first, last)| first == last));
    (DELTA_BINARY_PACKED, bounds)
}

/// Write measures: as places in a dictionary if few differ.
fn measures(file: &mut Vec<u8>, page: &mut Vec<u8>, cells: &[f64]) -> i32 {
    if let Some(few) = Few::of_measures(cells) {
        dictionary(file, few.count, &few.values);
        few.encode(page);
        return RLE_DICTIONARY;
    }
    page.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
    PLAIN
}

/// Numbers of rows, and lengths of pages, are below 2^31: a row group has a batch of rows.
pub(crate) fn count(length: usize) -> i32 {
    i32::try_from(length).expect("a row group is a batch")
}

/// What goes before a page of so many bytes.
fn header(out: &mut Vec<u8>, kind: i32, length: usize, particulars: impl FnOnce(&mut Struct)) {
    Struct::write(out, |of| {
        of.int32(1, kind);
        of.int32(2, count(length));
        of.int32(3, count(length));
        particulars(of);
    });
}

/// Write byte strings, each behind its length.
fn texts<'a>(page: &mut Vec<u8>, texts: impl Iterator<Item = &'a [u8]>) {
    for text in texts {
        page.extend_from_slice(&(text.len() as u32).to_le_bytes());
        page.extend_from_slice(text);
    }
}

/// Write the page of a dictionary.
fn dictionary(out: &mut Vec<u8>, entries: usize, page: &[u8]) {
    header(out, DICTIONARY_PAGE, page.len(), |of| {
        of.structure(7, |of| {
            of.int32(1, count(entries));
            of.int32(2, PLAIN);
        });
    });
    out.extend_from_slice(page);
}
