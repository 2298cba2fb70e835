//! The file that a scenario names.

use std::fs::{self, File};
use std::io::{Error, Read};
use std::path::Path;

use super::{key, ns2};
use crate::error::{Fault, ScenarioError};
use crate::form::{MobilityKind, Scenario};

/// In bytes. A file is read whole; a longer one is not a movement file.
const LONGEST_FILE: u64 = 256_000_000;

impl Scenario {
    /// Puts the text of the movement file in the place of its name, if there is one, so that the
    /// scenario says everything itself. A relative path begins in `folder`.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn with_files(mut self, folder: &Path) -> Result<Self, ScenarioError> {
        if let Some(section) = &mut self.mobility
            && section.kind == MobilityKind::Ns2
            && section.movements.is_none()
            && let Some(file) = &section.file
        {
            let text = movements(&folder.join(file), file)
                .map_err(|message| Fault::new(key("file"), message).placed(self.text.as_deref()))?;
            section.movements = Some(text);
            section.read_from = section.file.take();
        }
        Ok(self)
    }
}

/// What the movement file at `path`, which the scenario calls `name`, says of the nodes.
fn movements(path: &Path, name: &str) -> Result<String, String> {
    let text =
        read(path).map_err(|reason| format!("'{}' {reason}; check the path", path.display()))?;
    if let Some(line) = ns2::cut_line(&text) {
        return Err(format!(
            "line {line} of '{name}': the file ends without a line break, perhaps inside a number; \
             end the line if it is whole, or make the file again"
        ));
    }
    Ok(ns2::without_idle(&text))
}

fn read(path: &Path) -> Result<String, String> {
    let refused = |error: Error| format!("cannot be read: {error}");
    // opening a pipe would wait for somebody who writes into it
    if !fs::metadata(path).map_err(refused)?.is_file() {
        return Err("is not a file, but a folder, a pipe or a device".to_owned());
    }
    let file = File::open(path).map_err(refused)?;
    let mut bytes = Vec::new();
    file.take(LONGEST_FILE + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(format!("is longer than {} MB", LONGEST_FILE / 1_000_000));
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())
}
