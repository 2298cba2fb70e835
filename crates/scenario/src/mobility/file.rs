//! The file that a scenario names.

use std::path::Path;

use super::{key, ns2};
use crate::error::Fault;
use crate::files;
use crate::form::{MobilityKind, Scenario};

/// In bytes. A file is read whole; a longer one is not a movement file.
const LONGEST_FILE: u64 = 256_000_000;

/// Puts the text of the movement file in the place of its name, if there is one.
pub(crate) fn fill(scenario: &mut Scenario, folder: &Path) -> Result<(), Fault> {
    if let Some(section) = &mut scenario.mobility
        && section.kind == MobilityKind::Ns2
        && section.movements.is_none()
        && let Some(file) = &section.file
    {
        let text = movements(&folder.join(file), file)
            .map_err(|message| Fault::new(key("file"), message))?;
        section.movements = Some(text);
        section.read_from = section.file.take();
    }
    Ok(())
}

/// What the movement file at `path`, which the scenario calls `name`, says of the nodes.
fn movements(path: &Path, name: &str) -> Result<String, String> {
    let text = files::read(path, LONGEST_FILE)?;
    if let Some(line) = ns2::cut_line(&text) {
        return Err(format!(
            "line {line} of '{name}': the file ends without a line break, perhaps inside a number; \
             end the line if it is whole, or make the file again"
        ));
    }
    Ok(ns2::without_idle(&text))
}
