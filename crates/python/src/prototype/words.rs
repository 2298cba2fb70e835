//! Words of tables and traces, by which Python calls what Rust has enums for.

use multihop_core::DropCause;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::words::CAUSES;

/// What is called `text` among `all`. Unrolled for each vocabulary, in each place, it would take minutes to compile.
#[inline(never)]
pub(super) fn word<T: Copy>(
    what: &str,
    all: &[T],
    name: fn(T) -> &'static str,
    text: &str,
) -> PyResult<T> {
    all.iter().copied().find(|one| name(*one) == text).ok_or_else(|| {
        let known: Vec<_> = all.iter().map(|one| name(*one)).collect();
        PyValueError::new_err(format!(
            "there is no {what} '{text}'; there are: {}",
            known.join(", ")
        ))
    })
}

pub(super) fn drop_cause(text: &str) -> PyResult<DropCause> {
    word("cause of a loss", &CAUSES, DropCause::name, text)
}
