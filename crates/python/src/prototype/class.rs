//! Classes of Python whose objects are parts of nodes.

use pyo3::prelude::*;

use super::part::raise;

/// A class, and which methods are its own.
pub(super) struct Class {
    cls: Py<PyAny>,
    own: Vec<String>,
}

impl Class {
    /// What Python says of a class.
    pub fn new(described: &Bound<'_, PyAny>) -> PyResult<Self> {
        let own = described.getattr("own")?.extract()?;
        Ok(Class { cls: described.getattr("cls")?.unbind(), own })
    }

    /// Whether it has a method `name` that is not the base class's.
    pub fn own(&self, name: &str) -> bool {
        self.own.iter().any(|own| own == name)
    }

    /// An object of it, which `call` makes.
    pub fn made<'py>(
        &self,
        py: Python<'py>,
        what: &'static str,
        call: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
    ) -> Bound<'py, PyAny> {
        call(self.cls.bind(py)).unwrap_or_else(|error| raise(py, error, &format!("{what} is made")))
    }
}
