//! A table that grows: a folder of parts, each a file, and one file in the end.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::chunk::Kind;
use crate::column::Column;
use crate::file::{Group, MAGIC, Schema};

/// A part is about as long, in bytes.
const PART: usize = 1 << 20;

/// A table that is being written. A file appears whole or not at all, so whatever happens, what there is can be
/// read.
#[derive(Debug)]
pub struct Parts {
    /// Where the parts are, and what becomes of them.
    folder: PathBuf,
    whole: PathBuf,
    schema: Schema,
    rows: u64,
    /// The next part, as far as it goes.
    bytes: Vec<u8>,
    groups: Vec<Group>,
    /// The row groups of the parts before it.
    written: Vec<Vec<Group>>,
    /// Room for a page.
    page: Vec<u8>,
}

impl Parts {
    /// The table `name` in `folder`, with `columns` as in every batch (their cells are not looked at), and
    /// `metadata`, keys and values. Nothing is written yet.
    pub fn new(
        folder: &Path,
        name: &str,
        columns: &[(&'static str, Column)],
        metadata: Vec<(String, String)>,
    ) -> Self {
        let columns = columns.iter().map(|(name, column)| (*name, Kind::of(column))).collect();
        // Room for a part that its last row group makes longer.
        let mut bytes = Vec::with_capacity(2 * PART);
        bytes.extend_from_slice(MAGIC);
        Parts {
            folder: folder.join(name),
            whole: folder.join(format!("{name}.parquet")),
            schema: Schema { name: name.to_owned(), metadata, columns },
            rows: 0,
            bytes,
            groups: Vec::new(),
            written: Vec::new(),
            page: Vec::new(),
        }
    }

    /// How many rows it has.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Another batch: a row group, and with it a part if that is long enough.
    ///
    /// # Errors
    /// Those of the system. Nothing is left of the part then.
    pub fn write(&mut self, columns: &[(&'static str, Column)]) -> io::Result<()> {
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        if rows == 0 {
            return Ok(());
        }
        self.rows += rows as u64;
        self.groups.push(Group::encode(&mut self.bytes, columns, &mut self.page));
        if self.bytes.len() < PART { Ok(()) } else { self.flush() }
    }

    /// Write the last part. What is cut off remains in parts.
    ///
    /// # Errors
    /// Those of the system. Nothing is left of the part then.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.groups.is_empty() {
            return Ok(());
        }
        self.bytes.extend_from_slice(&self.schema.footer(&self.groups));
        fs::create_dir_all(&self.folder)?;
        replace(&self.path(self.written.len()), |file| file.write_all(&self.bytes))?;
        self.bytes.truncate(MAGIC.len());
        self.written.push(std::mem::take(&mut self.groups));
        Ok(())
    }

    /// Make one file of all.
    ///
    /// # Errors
    /// Those of the system. The parts are left then.
    pub fn finish(mut self) -> io::Result<()> {
        if self.written.is_empty() {
            self.bytes.extend_from_slice(&self.schema.footer(&self.groups));
            return replace(&self.whole, |file| file.write_all(&self.bytes));
        }
        self.flush()?;
        replace(&self.whole, |file| self.join(file))?;
        fs::remove_dir_all(&self.folder)
    }

    /// Where part `number` is, counted from 0.
    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(format!("part-{:06}.parquet", number + 1))
    }

    /// The row groups of all parts, as they are.
    fn join(&self, file: &mut File) -> io::Result<()> {
        file.write_all(MAGIC)?;
        for (number, groups) in self.written.iter().enumerate() {
            let mut part = File::open(self.path(number))?;
            part.seek(SeekFrom::Start(MAGIC.len() as u64))?;
            io::copy(&mut part.take(groups.iter().map(|group| group.length).sum()), file)?;
        }
        file.write_all(&self.schema.footer(&self.written.concat()))
    }
}

/// Write a file that appears whole or not at all.
fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let temporary = path.with_extension("tmp");
    let written = File::create(&temporary)
        .and_then(|mut file| write(&mut file))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
