//! The file that a scenario names.

use std::fs::File;
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
            match read(&folder.join(file)) {
                Ok(text) => {
                    section.movements = Some(ns2::without_idle(&text));
                    section.read_from = section.file.take();
                }
                Err(reason) => {
                    let message =
                        format!("'{}' {reason}; check the path", folder.join(file).display());
                    return Err(Fault::new(key("file"), message).placed(self.text.as_deref()));
                }
            }
        }
        Ok(self)
    }
}

fn read(path: &Path) -> Result<String, String> {
    let refused = |error: Error| format!("cannot be read: {error}");
    let file = File::open(path).map_err(refused)?;
    let mut bytes = Vec::new();
    file.take(LONGEST_FILE + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(format!("is longer than {} MB", LONGEST_FILE / 1_000_000));
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())
}
