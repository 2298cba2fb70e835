//! What a part may know of its parameters, its links and its radio.

use multihop_core::{Bytes, Param};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

/// The values of a scheme's parameters, and what it may know of the link.
#[pyclass(module = "multihop.prototype", frozen)]
pub struct Params {
    declared: &'static [Param],
    values: multihop_core::Params,
}

impl Params {
    pub(super) const fn new(declared: &'static [Param], values: multihop_core::Params) -> Self {
        Params { declared, values }
    }
}

#[pymethods]
impl Params {
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let param = self.declared.iter().find(|param| param.name == name).ok_or_else(|| {
            let known: Vec<_> = self.declared.iter().map(|param| param.name).collect();
            let known = known.join(", ");
            PyKeyError::new_err(format!("there is no parameter '{name}'; there are: {known}"))
        })?;
        match self.values.values.named(name) {
            None => Ok(py.None().into_bound(py)),
            Some(multihop_core::Value::Span(span)) => {
                Ok(span.seconds().into_pyobject(py)?.into_any())
            }
            Some(multihop_core::Value::Length(metres)) => Ok(metres.into_pyobject(py)?.into_any()),
            Some(value) => crate::value(py, param, value.clone()),
        }
    }

    /// The same, and `default` where there is none of that name.
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let is_there = self.declared.iter().any(|param| param.name == name);
        if is_there { self.__getitem__(py, name) } else { Ok(default) }
    }

    #[getter]
    fn data_rate_bit_s(&self) -> u64 {
        self.values.link.data_rate.0
    }

    fn hop_time_s(&self, length: u32) -> f64 {
        self.values.link.exchange_time(Bytes(length)).seconds()
    }
}

/// What a radio has done with its time, in seconds since the start.
#[pyclass(module = "multihop.prototype", frozen)]
pub struct AirTime(pub(super) multihop_core::AirTime);

#[pymethods]
impl AirTime {
    #[getter]
    fn sending_s(&self) -> f64 {
        self.0.sending.seconds()
    }

    #[getter]
    fn receiving_s(&self) -> f64 {
        self.0.receiving.seconds()
    }

    #[getter]
    fn sensed_s(&self) -> f64 {
        self.0.sensed.seconds()
    }

    #[getter]
    fn waiting_s(&self) -> f64 {
        self.0.waiting.seconds()
    }

    #[getter]
    fn reserved_s(&self) -> f64 {
        self.0.reserved.seconds()
    }
}
