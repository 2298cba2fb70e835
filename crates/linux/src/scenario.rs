//! Reading a scenario's file.

use std::path::Path;

use multihop_core::Defaults;
use multihop_scenario::{Registry, from_json, from_toml};
use multihop_setup::Setup;

/// The set-up in the file at `path`, JSON if its name ends so, else TOML, with these `defaults`. Files that it names are
/// read.
///
/// # Errors
/// With a message that names the file and what is wrong.
pub fn read(path: &Path, defaults: Defaults) -> Result<Setup, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| named(&error))?;
    let scenario = match path.extension() {
        Some(extension) if extension == "json" => from_json(&text),
        _ => from_toml(&text),
    };
    let registry = Registry::default().with_defaults(defaults);
    let folder = path.parent().unwrap_or(Path::new(""));
    scenario
        .and_then(|scenario| scenario.with_files(folder)?.setup_with(&registry))
        .map_err(|error| named(&error))
}
