//! From the text of a scenario to its normal form, and what is to be said of it.

use std::path::Path;

use multihop_scenario::{Change, Note, Scenario, ScenarioError as Refused, check_key};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::prototype::{caught, registry};
use crate::{ScenarioError, refused, setup};

/// A key that is given beside the text: its value as JSON (`null` takes it away), and the option
/// that it was given with, for messages.
#[derive(FromPyObject)]
pub struct Override(String, String, String);

/// The text of a scenario, and what is given beside it.
struct Given<'a> {
    text: &'a str,
    is_toml: bool,
    /// A folder of no name is the current one.
    folder: &'a Path,
    changes: Vec<Change>,
    /// The options of the changes.
    options: Vec<String>,
}

impl<'a> Given<'a> {
    fn new(
        text: &'a str,
        format: &str,
        folder: Option<&'a str>,
        overrides: Vec<Override>,
    ) -> PyResult<Self> {
        let is_toml = match format {
            "toml" => true,
            "json" => false,
            other => {
                let message = format!("a scenario is 'toml' or 'json', not '{other}'");
                return Err(PyValueError::new_err(message));
            }
        };
        let (mut changes, mut options) = (Vec::new(), Vec::new());
        for Override(key, json, option) in overrides {
            let value: Option<serde_json::Value> = serde_json::from_str(&json).map_err(|_| {
                ScenarioError::new_err(format!("{key}: {json} is not a finite number"))
            })?;
            changes.push(Change { key, value });
            options.push(option);
        }
        let folder = Path::new(folder.unwrap_or_default());
        Ok(Given { text, is_toml, folder, changes, options })
    }

    /// The scenario with these changes, whose form alone is checked.
    fn read(&self, changes: &[Change]) -> Result<Scenario, Refused> {
        let read = match (self.is_toml, changes.is_empty()) {
            (true, true) => multihop_scenario::from_toml(self.text),
            (true, false) => multihop_scenario::from_toml_with(self.text, changes),
            (false, true) => multihop_scenario::from_json(self.text),
            (false, false) => multihop_scenario::from_json_with(self.text, changes),
        };
        read?.with_files(self.folder)
    }

    /// What `with` makes of the scenario with all changes.
    fn checked<T>(
        &self,
        py: Python<'_>,
        with: impl FnOnce(&Scenario) -> Result<T, Refused>,
    ) -> PyResult<T> {
        let checked = caught(|| {
            for change in self.changes.iter().filter(|change| change.value.is_none()) {
                check_key(&change.key, &registry())?;
            }
            with(&self.read(&self.changes)?)
        })?;
        checked.map_err(|error| self.blamed(py, error))
    }

    /// The error, with the option that is to blame, if one is.
    fn blamed(&self, py: Python<'_>, mut error: Refused) -> PyErr {
        let key = error.key.clone().unwrap_or_default();
        let Some(at) = self.culprit(&key) else { return refused(py, &error, error.to_string()) };
        let option = &self.options[at];
        // no line of the text is to blame
        error.line = None;
        let exception = refused(py, &error, format!("{option} {error}").trim_start().to_owned());
        match exception.value(py).setattr("option", option) {
            Ok(()) => exception,
            Err(failure) => failure,
        }
    }

    /// The number of the change that is to blame for an error at `key`: it replaces what stands there,
    /// or has made the table of that name.
    fn culprit(&self, key: &str) -> Option<usize> {
        let covers = |change: &Change| change.covers(key);
        self.changes.iter().rposition(covers).or_else(|| {
            let makes = |change: &Change| {
                !key.is_empty()
                    && change.key.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'))
            };
            let at = self.changes.iter().rposition(makes)?;
            let without = self.read(&[]).err().and_then(|error| error.key);
            (without.as_deref() != Some(key)).then_some(at)
        })
    }
}

#[pyfunction]
#[pyo3(signature = (text, format, folder = None, overrides = Vec::new()))]
pub fn normalize(
    py: Python<'_>,
    text: &str,
    format: &str,
    folder: Option<&str>,
    overrides: Vec<Override>,
) -> PyResult<String> {
    let given = Given::new(text, format, folder, overrides)?;
    given.checked(py, |scenario| {
        scenario.setup_with(&registry())?;
        Ok(scenario.to_json())
    })
}

/// The notes in the words of who reads them: an option stands before a key that it has given.
#[pyfunction]
#[pyo3(signature = (text, format, folder = None, overrides = Vec::new()))]
pub fn notes(
    py: Python<'_>,
    text: &str,
    format: &str,
    folder: Option<&str>,
    overrides: Vec<Override>,
) -> PyResult<Vec<(String, String)>> {
    let given = Given::new(text, format, folder, overrides)?;
    let found = given.checked(py, |scenario| scenario.notes_with(&registry()))?;
    let worded = |note: Note| {
        let option = given.culprit(&note.key).map(|at| given.options[at].as_str());
        let words = match option {
            Some(option) => format!("{option} {}", Note { line: None, ..note.clone() }),
            None => note.to_string(),
        };
        (note.key, words.trim_start().to_owned())
    };
    Ok(found.into_iter().map(worded).collect())
}

#[pyfunction]
pub fn identity(py: Python<'_>, scenario_json: &str) -> PyResult<String> {
    Ok(setup(py, scenario_json)?.identity())
}

/// As JSON.
#[pyfunction]
pub fn conditions(py: Python<'_>, scenario_json: &str) -> PyResult<String> {
    Ok(serde_json::Value::Object(multihop_scenario::conditions(&setup(py, scenario_json)?))
        .to_string())
}

#[pyfunction]
pub fn base_units(text: &str) -> Option<(f64, &'static str)> {
    multihop_scenario::in_base_units(text)
}
