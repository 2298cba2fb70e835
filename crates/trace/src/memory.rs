//! A trace in memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use multihop_parquet::{Column, Memory};

use crate::Sink;
use crate::files::COLUMNS;

/// Keeps the tables of a trace in memory, and hands them out in parts, each of which is a Parquet file.
#[derive(Debug)]
pub struct InMemory {
    /// What the files of every table say of their columns.
    about: BTreeMap<&'static str, String>,
    tables: BTreeMap<&'static str, Memory>,
    /// How many more bytes it may write.
    room: usize,
    cut: bool,
}

impl InMemory {
    /// The files of every table say what is `about` it. The trace ends with the batch that makes it longer than
    /// `most` bytes.
    pub const fn new(about: BTreeMap<&'static str, String>, most: usize) -> Self {
        InMemory { about, tables: BTreeMap::new(), room: most, cut: false }
    }

    /// Whether the trace became longer than it may be, so that its end is missing.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// How many rows each table has, those of parts that were taken included.
    pub fn rows(&self) -> BTreeMap<&'static str, u64> {
        self.tables.iter().map(|(name, table)| (*name, table.rows())).collect()
    }

    /// The rows of a table since the last part, as a Parquet file; `None` if there is no such table.
    pub fn take(&mut self, table: &str) -> Option<Vec<u8>> {
        self.tables.get_mut(table).map(Memory::take)
    }
}

impl Sink for InMemory {
    fn write(&mut self, name: &'static str, columns: &[(&'static str, Column)]) -> ControlFlow<()> {
        let about = || (COLUMNS.to_owned(), self.about.get(name).cloned().unwrap_or_default());
        let new = || Memory::new(name, columns, vec![about()]);
        let written = self.tables.entry(name).or_insert_with(new).write(columns);
        if written <= self.room {
            self.room -= written;
            return ControlFlow::Continue(());
        }
        self.cut = true;
        ControlFlow::Break(())
    }
}
