//! The files that a scenario names.

use std::fs::{self, File};
use std::io::{Error, Read};
use std::path::Path;

/// The text of the file at `path`, which is read whole, up to `longest` bytes; or what is wrong with it,
/// and what to do.
pub(crate) fn read(path: &Path, longest: u64) -> Result<String, String> {
    text(path, longest).map_err(|reason| format!("'{}' {reason}; check the path", path.display()))
}

fn text(path: &Path, longest: u64) -> Result<String, String> {
    let refused = |error: Error| format!("cannot be read: {error}");
    // opening a pipe would wait for somebody who writes into it
    if !fs::metadata(path).map_err(refused)?.is_file() {
        return Err("is not a file, but a folder, a pipe or a device".to_owned());
    }
    let file = File::open(path).map_err(refused)?;
    let mut bytes = Vec::new();
    file.take(longest + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > longest {
        return Err(format!("is longer than {} MB", longest / 1_000_000));
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())
}
