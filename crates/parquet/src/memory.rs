//! A table in memory, for programs without a file system.

use crate::chunk::Kind;
use crate::column::Column;
use crate::file::{Group, MAGIC, Schema};

/// A table that grows in memory and is handed out in parts. Each part is a Parquet file of its own.
#[derive(Debug)]
pub struct Memory {
    schema: Schema,
    rows: u64,
    /// The part that grows: its row groups, behind a file's beginning.
    bytes: Vec<u8>,
    groups: Vec<Group>,
    /// Room for a page.
    page: Vec<u8>,
}

impl Memory {
    /// The table `name`, with `columns` as in every batch (their cells are not looked at), and
    /// `metadata`, keys and values.
    pub fn new(
        name: &str,
        columns: &[(&'static str, Column)],
        metadata: Vec<(String, String)>,
    ) -> Self {
        let columns = columns.iter().map(|(name, column)| (*name, Kind::of(column))).collect();
        Memory {
            schema: Schema { name: name.to_owned(), metadata, columns },
            rows: 0,
            bytes: MAGIC.to_vec(),
            groups: Vec::new(),
            page: Vec::new(),
        }
    }

    /// How many rows were written, those of parts that were taken included.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Another batch: a row group of the part that grows. Returns by how many bytes the part has grown.
    pub fn write(&mut self, columns: &[(&'static str, Column)]) -> usize {
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        if rows == 0 {
            return 0;
        }
        let before = self.bytes.len();
        self.rows += rows as u64;
        self.groups.push(Group::encode(&mut self.bytes, columns, &mut self.page));
        self.bytes.len() - before
    }

    /// The part that has grown since the last one was taken, as a file; without rows if nothing was written.
    pub fn take(&mut self) -> Vec<u8> {
        let groups = std::mem::take(&mut self.groups);
        let mut file = std::mem::replace(&mut self.bytes, MAGIC.to_vec());
        file.extend_from_slice(&self.schema.footer(&groups));
        file
    }
}
