//! The engine of multihop with the parts of this crate, as a module of Python.
//!
//! The module takes the place of the engine that `multihop` brings: its entry point is in `pyproject.toml`.

use binding::{Extension, engine};
use multihop_outside::{SCHEME, SOURCES, aloha};
use pyo3::prelude::*;

/// What this crate adds.
const PARTS: Extension =
    Extension { schemes: &[&SCHEME], routings: &[], macs: &[&aloha::MAC], sources: SOURCES };

#[pymodule]
fn multihop_outside_engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    engine(module, PARTS)
}
