//! A policy as Python has it: checked, and asked what it does.

use multihop_policy::Policy;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A policy.
#[pyclass(frozen)]
pub struct PolicyData(Policy);

#[pymethods]
impl PolicyData {
    /// The policy of a text in JSON.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        Policy::read(text).map(PolicyData).map_err(PyValueError::new_err)
    }

    /// Its actions for rows of features.
    #[expect(clippy::needless_pass_by_value, reason = "Python hands over an array")]
    fn act<'py>(
        &self,
        py: Python<'py>,
        seen: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rows = seen.as_slice()?.chunks_exact(self.0.inputs());
        let actions: Vec<f64> = rows.flat_map(|row| self.0.act(row)).collect();
        Ok(actions.into_pyarray(py))
    }
}
