//! A trace as a folder of Parquet files.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use multihop_parquet::{Column, Parts};

use crate::Sink;

/// The key of what a file says of its columns.
pub(crate) const COLUMNS: &str = "multihop.columns";

/// Writes the tables of a trace: in parts while the run lasts, as one file each in the end.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    /// What the files of every table say of their columns.
    about: BTreeMap<&'static str, String>,
    /// Becomes true when nothing more can be written.
    stop: Arc<AtomicBool>,
    tables: BTreeMap<&'static str, Parts>,
    failed: Option<io::Error>,
}

impl Files {
    /// Into `folder`, which is there and empty. The files of every table say what is `about` it. `stop` becomes
    /// true when nothing more can be written.
    pub fn new(
        folder: PathBuf,
        about: BTreeMap<&'static str, String>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        Files { folder, about, stop, tables: BTreeMap::new(), failed: None }
    }

    /// The run is over: make one file of every table. Returns how many rows each has.
    ///
    /// # Errors
    /// The first of the system, in the run or now. What was written until then can be read.
    pub fn finish(self) -> io::Result<BTreeMap<&'static str, u64>> {
        if self.failed.is_some() {
            return self.leave().map(|()| BTreeMap::new());
        }
        let rows = self.tables.iter().map(|(name, table)| (*name, table.rows())).collect();
        // Every table, also behind one that fails.
        let finished: Vec<_> = self.tables.into_values().map(Parts::finish).collect();
        finished.into_iter().collect::<io::Result<()>>().map(|()| rows)
    }

    /// The run was cut off: write what is left, and leave the tables in parts.
    ///
    /// # Errors
    /// As above.
    pub fn leave(mut self) -> io::Result<()> {
        let left: Vec<_> = self.tables.values_mut().map(Parts::flush).collect();
        self.failed.map_or_else(|| left.into_iter().collect(), Err)
    }
}

impl Sink for Files {
    fn write(&mut self, name: &'static str, columns: &[(&'static str, Column)]) -> ControlFlow<()> {
        let about = || (COLUMNS.to_owned(), self.about.get(name).cloned().unwrap_or_default());
        let new = || Parts::new(&self.folder, name, columns, vec![about()]);
        let table = self.tables.entry(name).or_insert_with(new);
        let Err(error) = table.write(columns) else { return ControlFlow::Continue(()) };
        self.failed = Some(error);
        self.stop.store(true, Ordering::Relaxed);
        ControlFlow::Break(())
    }
}
