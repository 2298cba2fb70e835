//! A table that grows: a folder of parts, each a file, and one file in the end.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::chunk::Kind;
use crate::column::Column;
use crate::file::{Group, MAGIC, Schema};

/// A part is about as long, in bytes.
const PART: u64 = 1 << 22;
/// So many bytes are written at once: what the processor still has in its caches.
const WRITE: usize = 1 << 16;

/// A table that is being written. A file appears whole or not at all, so whatever happens, what there is can be
/// read.
#[derive(Debug)]
pub struct Parts {
    /// Where the parts are, what becomes of them, and the next one while it grows.
    folder: PathBuf,
    whole: PathBuf,
    temporary: PathBuf,
    schema: Schema,
    rows: u64,
    /// The next part: what is in its file, if there is one already, and what is not yet.
    file: Option<File>,
    bytes: Vec<u8>,
    groups: Vec<Group>,
    /// How many of its row groups are in its file.
    stored: usize,
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
        Parts {
            folder: folder.join(name),
            whole: folder.join(format!("{name}.parquet")),
            temporary: folder.join(format!("{name}.tmp")),
            schema: Schema { name: name.to_owned(), metadata, columns },
            rows: 0,
            file: None,
            bytes: MAGIC.to_vec(),
            groups: Vec::new(),
            stored: 0,
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
    /// Those of the system. What was written before is a part then.
    pub fn write(&mut self, columns: &[(&'static str, Column)]) -> io::Result<()> {
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        if rows == 0 {
            return Ok(());
        }
        self.rows += rows as u64;
        self.groups.push(Group::encode(&mut self.bytes, columns, &mut self.page));
        if length(&self.groups) >= PART {
            self.flush()
        } else if self.bytes.len() >= WRITE {
            self.write_bytes().inspect_err(|_| self.save())
        } else {
            Ok(())
        }
    }

    /// Write the last part. What is cut off remains in parts.
    ///
    /// # Errors
    /// Those of the system. What there was room for is a part then.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.groups.is_empty() {
            return Ok(());
        }
        self.close_part().inspect_err(|_| self.save())
    }

    /// Make one file of all.
    ///
    /// # Errors
    /// Those of the system. The parts are left then.
    pub fn finish(mut self) -> io::Result<()> {
        if self.written.is_empty() {
            let whole = self.whole.clone();
            return self.close(&whole).inspect_err(|_| self.save());
        }
        self.flush()?;
        self.join().inspect_err(|_| drop(fs::remove_file(&self.temporary)))?;
        fs::remove_dir_all(&self.folder)
    }

    /// Where part `number` is, counted from 0.
    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(format!("part-{:06}.parquet", number + 1))
    }

    /// Add the bytes that are not there yet to the file of the next part.
    fn write_bytes(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(File::create(&self.temporary)?),
        };
        file.write_all(&self.bytes)?;
        self.bytes.clear();
        self.stored = self.groups.len();
        Ok(())
    }

    /// The next part is complete.
    fn close_part(&mut self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        self.close(&self.path(self.written.len()))?;
        self.written.push(std::mem::take(&mut self.groups));
        self.stored = 0;
        Ok(())
    }

    /// The file of the next part is complete: from now on it is at `path`.
    fn close(&mut self, path: &Path) -> io::Result<()> {
        self.bytes.extend_from_slice(&self.schema.footer(&self.groups));
        self.write_bytes()?;
        fs::rename(&self.temporary, path)?;
        self.file = None;
        self.bytes.extend_from_slice(MAGIC);
        Ok(())
    }

    /// Something could not be written. Of the next part that remains which is in its file, without as many row
    /// groups at its end as the footer needs room.
    fn save(&mut self) {
        self.groups.truncate(self.stored);
        while !self.groups.is_empty() {
            self.bytes.clear();
            if self.cut().and_then(|()| self.close_part()).is_ok() {
                return;
            }
            self.groups.pop();
        }
        self.file = None;
        self.bytes.clear();
        let _ = fs::remove_file(&self.temporary);
    }

    /// The file of the next part ends behind its row groups.
    fn cut(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let end = MAGIC.len() as u64 + length(&self.groups);
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end)).map(drop)
    }

    /// The row groups of all parts, as they are.
    fn join(&self) -> io::Result<()> {
        let mut file = File::create(&self.temporary)?;
        file.write_all(MAGIC)?;
        for (number, groups) in self.written.iter().enumerate() {
            let mut part = File::open(self.path(number))?;
            part.seek(SeekFrom::Start(MAGIC.len() as u64))?;
            io::copy(&mut part.take(length(groups)), &mut file)?;
        }
        file.write_all(&self.schema.footer(&self.written.concat()))?;
        drop(file);
        fs::rename(&self.temporary, &self.whole)
    }
}

/// How many bytes row groups have.
fn length(groups: &[Group]) -> u64 {
    groups.iter().map(|group| group.length).sum()
}
