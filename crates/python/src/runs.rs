//! Runs one after another, whose tables are put together here: a hundred arrays for each of them,
//! kept till the end, would take as long as a short run.

use std::collections::BTreeMap;

use multihop_sim::Options;
use multihop_trace::Stack;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::{Cancel, cells, named, setup_to_run, simulate};

#[pyclass]
#[derive(Default)]
pub struct Runs {
    done: u32,
    tables: BTreeMap<&'static str, Stack>,
}

#[pymethods]
impl Runs {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    #[pyo3(signature = (scenario_json, tables, cancel = None))]
    #[expect(clippy::needless_pass_by_value, reason = "Python's strings are copied into it")]
    fn run(
        &mut self,
        py: Python<'_>,
        scenario_json: &str,
        tables: Vec<String>,
        cancel: Option<&Cancel>,
    ) -> PyResult<()> {
        let found = simulate(py, setup_to_run(py, scenario_json)?, Options::default(), cancel)?;
        for (name, table) in named(found) {
            if tables.iter().any(|wanted| wanted == name) {
                self.tables.entry(name).or_default().push(self.done, table);
            }
        }
        self.done += 1;
        Ok(())
    }

    fn tables<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, stack) in std::mem::take(self).tables {
            let (owners, stacked) = stack.finish();
            let columns = PyDict::new(py);
            for (column, rows) in stacked {
                let values = cells(py, rows.column)?;
                columns.set_item(column, (values, rows.known.into_pyarray(py)))?;
            }
            dict.set_item(name, (owners.into_pyarray(py), columns))?;
        }
        Ok(dict)
    }
}
