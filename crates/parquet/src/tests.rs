//! What is packed is read back, by the text of the format; whole files are read by Polars and `DuckDB` in Python's
//! tests, and by hyparquet in the viewer's.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tempfile::tempdir;

use crate::few::Few;
use crate::{Column, Memory, Parts, Values, delta, places};

/// Reads bytes, and bits of them.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().expect("there is more");
        self.0 = rest;
        *first
    }

    fn varint(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    fn zigzag(&mut self) -> i64 {
        let number = self.varint();
        (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
    }

    /// `count` numbers of `width` bits.
    fn packed(&mut self, width: usize, count: usize) -> Vec<u64> {
        let bit = |at: usize| u64::from(self.0[at / 8] >> (at % 8) & 1);
        let number = |at: usize| (0..width).map(|n| bit(at * width + n) << n).sum();
        let numbers = (0..count).map(number).collect();
        self.0 = &self.0[width * count / 8..];
        numbers
    }
}

/// The numbers of a `DELTA_BINARY_PACKED` page, modulo 2^64.
fn read_delta(bytes: &[u8]) -> Vec<i64> {
    let mut reader = Reader(bytes);
    let (block, miniblocks) = (reader.varint() as usize, reader.varint() as usize);
    let count = reader.varint() as usize;
    let mut numbers = vec![reader.zigzag()];
    while numbers.len() < count {
        let least = reader.zigzag();
        let widths: Vec<u8> = (0..miniblocks).map(|_| reader.byte()).collect();
        for width in widths {
            for above in reader.packed(width.into(), block / miniblocks) {
                let before = numbers[numbers.len() - 1];
                numbers.push(before.wrapping_add(least).wrapping_add(above.cast_signed()));
            }
        }
    }
    assert_eq!(reader.0, [0; 0], "bytes are left");
    numbers.truncate(count);
    numbers
}

/// The places of a page of `count`.
fn read_places(bytes: &[u8], count: usize) -> Vec<u64> {
    let mut reader = Reader(bytes);
    let width = usize::from(reader.byte());
    let mut places = Vec::new();
    while !reader.0.is_empty() {
        let run = reader.varint() as usize;
        if run & 1 == 1 {
            places.extend(reader.packed(width, (run >> 1) * 8));
        } else {
            let bytes: Vec<u64> = (0..width.div_ceil(8)).map(|_| reader.byte().into()).collect();
            let place = bytes.iter().rev().fold(0, |place, byte| place << 8 | byte);
            places.extend(std::iter::repeat_n(place, run >> 1));
        }
    }
    places.truncate(count);
    places
}

fn numbers() -> impl Strategy<Value = Vec<i64>> {
    let step = prop_oneof![Just(0i64), -3..4i64, -70_000..70_000i64, any::<i64>()];
    prop::collection::vec((step, 0..300u16), 0..6).prop_map(|runs| {
        let mut numbers = Vec::new();
        for (step, count) in runs {
            for at in 0..i64::from(count) {
                let before = numbers.last().copied().unwrap_or(0i64);
                numbers.push(before.wrapping_add(step.wrapping_mul(1 + at % 3)));
            }
        }
        numbers
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn numbers_are_read_back(numbers in numbers()) {
        let mut bytes = Vec::new();
        delta::encode(&mut bytes, &numbers, numbers.iter().all(|number| *number == numbers[0]));
        prop_assert!(numbers.is_empty() || read_delta(&bytes) == numbers);
        let short: Vec<i32> = numbers.iter().map(|number| *number as i32).collect();
        bytes.clear();
        delta::encode(&mut bytes, &short, short.iter().all(|number| *number == short[0]));
        let read: Vec<i32> = read_delta(&bytes).iter().map(|number| *number as i32).collect();
        prop_assert!(short.is_empty() || read == short);
    }

    #[test]
    fn few_measures_are_read_back(
        cells in prop::collection::vec(0..100u8, 0..600),
        kinds in 1..100u8,
    ) {
        let measure = |cell: &u8| match cell % kinds {
            0 => f64::NAN,
            1 => -0.0,
            kind => f64::from(kind - 2) / 3.0,
        };
        let cells: Vec<f64> = cells.iter().map(measure).collect();
        let bits: Vec<u64> = cells.iter().map(|cell| cell.to_bits()).collect();
        let kinds = BTreeSet::from_iter(&bits).len();
        let few = Few::of_measures(&cells);
        prop_assert_eq!(few.is_some(), kinds > 0 && kinds <= (cells.len() / 4).max(1));
        let Some(few) = few else { return Ok(()) };
        let mut bytes = Vec::new();
        few.encode(&mut bytes);
        let value = |place: &u64| {
            let bytes = few.values.as_chunks().0[*place as usize];
            u64::from_le_bytes(bytes)
        };
        let read: Vec<u64> = read_places(&bytes, cells.len()).iter().map(value).collect();
        prop_assert_eq!(read, bits);
        prop_assert_eq!(few.count, kinds);
    }

    #[test]
    fn few_numbers_are_read_back(cells in prop::collection::vec(-1..12i64, 0..300)) {
        let kinds = BTreeSet::from_iter(&cells).len();
        let few = Few::of_whole(&cells);
        prop_assert_eq!(few.is_some(), kinds > 0 && kinds <= 8);
        let Some(few) = few else { return Ok(()) };
        let mut bytes = Vec::new();
        few.encode(&mut bytes);
        let value = |place: &u64| i64::from_le_bytes(few.values.as_chunks().0[*place as usize]);
        let read: Vec<i64> = read_places(&bytes, cells.len()).iter().map(value).collect();
        prop_assert_eq!(read, cells);
    }

    #[test]
    fn places_are_read_back(
        places in prop::collection::vec(0..300u32, 0..200),
        entries in 1..400u32,
    ) {
        let places: Vec<u32> = places.iter().map(|place| place % entries).collect();
        let mut bytes = Vec::new();
        places::encode(&mut bytes, entries as usize, &places);
        let expected: Vec<u64> = places.iter().map(|place| (*place).into()).collect();
        prop_assert_eq!(read_places(&bytes, places.len()), expected);
    }
}

#[test]
fn what_is_alike_takes_few_bytes() {
    let (mut bytes, one) = (Vec::new(), vec![-1i32; 1280]);
    delta::encode(&mut bytes, &one, true);
    assert!(bytes.len() < 60, "{}", bytes.len());
    bytes.clear();
    places::encode(&mut bytes, 5, &[3u8; 1280]);
    assert_eq!(bytes.len(), 4);
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("it is there").file_name();
    let mut names: Vec<_> = entries.map(name).map(|name| name.to_string_lossy().into()).collect();
    names.sort_unstable();
    names
}

#[test]
fn parts_become_one_file() {
    let folder = tempdir().expect("there is room");
    let folder = folder.path();
    let cells: Vec<f64> = (0..100_000u32).map(f64::from).collect();
    let batch = [("cells", Column::Float64(&cells))];
    let mut parts = Parts::new(folder, "table", &batch, Vec::new());
    for _ in 0..13 {
        parts.write(&batch).expect("there is room");
    }
    assert_eq!(parts.rows(), 1_300_000);
    // 800 kB a batch: six make a part, and the last one waits.
    assert_eq!(names(&folder.join("table")), ["part-000001.parquet", "part-000002.parquet"]);
    parts.finish().expect("there is room");
    assert_eq!(names(folder), ["table.parquet"]);
    let file = fs::read(folder.join("table.parquet")).expect("it is there");
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
}

#[test]
fn a_table_in_memory_is_the_same_file() {
    let folder = tempdir().expect("there is room");
    let cells: Vec<i64> = (0..3000).map(|cell| cell * cell).collect();
    let batch = [("cells", Column::Int64(&cells))];
    let about = vec![("about".to_owned(), "squares".to_owned())];
    let mut parts = Parts::new(folder.path(), "table", &batch, about.clone());
    let mut memory = Memory::new("table", &batch, about);
    let empty = memory.take();
    for _ in 0..2 {
        parts.write(&batch).expect("there is room");
        assert!(memory.write(&batch) > 100);
    }
    assert_eq!(memory.write(&[("cells", Column::Int64(&[]))]), 0);
    parts.finish().expect("there is room");
    let file = fs::read(folder.path().join("table.parquet")).expect("it is there");
    assert!(memory.take() == file);
    // The next part begins anew.
    assert_eq!(memory.rows(), 6000);
    assert!(memory.take() == empty);
}

#[test]
fn what_cannot_be_written_leaves_nothing_half() {
    let folder = tempdir().expect("there is room");
    let folder = folder.path();
    let values = Values::default();
    let nothing = [("bytes", Column::Bytes { places: &[], values: &values })];
    let parts = Parts::new(&folder.join("missing"), "table", &nothing, Vec::new());
    parts.finish().expect_err("there is no such folder");
    assert_eq!(names(folder), [""; 0]);
    // A table without rows is a file, too.
    Parts::new(folder, "table", &nothing, Vec::new()).finish().expect("there is room");
    assert_eq!(names(folder), ["table.parquet"]);
}
