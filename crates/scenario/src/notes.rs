//! What the author of a valid scenario may not expect: keys without effect, and causes of results
//! that look like a network's and are the scenario's.

mod causes;
mod unheeded;

use core::fmt;
use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::Planned;
use crate::error::{Fault, ScenarioError};
use crate::form::Scenario;
use crate::registry::Registry;
use multihop_setup::Setup;

/// Something about a valid scenario that its author may not expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The key that it is about, as in `mac.cw_min`.
    pub key: String,
    /// The line of that key in the text, counted from one, where it is known.
    pub line: Option<usize>,
    /// Whether the key has no effect; else the key is the cause of something.
    pub unheeded: bool,
    /// For a key without effect, by whom, and why; else the cause, what follows, and the remedy.
    pub message: String,
}

impl Note {
    fn unheeded(key: &str, by: &str, why: &str) -> Self {
        let message = format!("by {by}, {why}");
        Note { key: key.to_owned(), line: None, unheeded: true, message }
    }

    fn cause(key: impl Into<String>, message: impl Into<String>) -> Self {
        Note { key: key.into(), line: None, unheeded: false, message: message.into() }
    }

    fn placed(self, text: Option<&str>) -> Self {
        let line = Fault::new(self.key.as_str(), "").placed(text).line;
        Note { line, ..self }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if self.unheeded {
            write!(f, "not heeded: {} {}", self.key, self.message)
        } else {
            write!(f, "{}: {}", self.key, self.message)
        }
    }
}

/// A scenario, what it means, and what its topology promises.
struct Checked<'a> {
    scenario: &'a Scenario,
    setup: &'a Setup,
    /// What is known of its flows.
    planned: &'a Planned,
}

impl Scenario {
    /// What the author of the scenario may not expect of it, in the order of the keys.
    ///
    /// # Errors
    /// As [`Scenario::setup_with`].
    pub fn notes_with(&self, registry: &Registry) -> Result<Vec<Note>, ScenarioError> {
        let text = self.text.as_deref();
        let (setup, planned) = self.check(registry).map_err(|fault| fault.placed(text))?;
        let checked = Checked { scenario: self, setup: &setup, planned: &planned };
        let given = self.given_keys();
        let unheeded =
            unheeded::notes(&checked).into_iter().filter(|note| given.contains(&note.key));
        let mut notes: Vec<Note> = unheeded.chain(causes::notes(&checked)).collect();
        notes.sort_by(|one, other| one.key.cmp(&other.key));
        notes.dedup_by(|one, other| one.key == other.key && one.unheeded && other.unheeded);
        Ok(notes.into_iter().map(|note| note.placed(text)).collect())
    }

    /// [`Scenario::notes_with`] the built-in parts.
    ///
    /// # Errors
    /// As [`Scenario::setup`].
    pub fn notes(&self) -> Result<Vec<Note>, ScenarioError> {
        self.notes_with(&Registry::default())
    }

    /// The keys that the scenario sets, as in `mac.cw_min` and `flow[2].class`.
    fn given_keys(&self) -> BTreeSet<String> {
        let mut keys = BTreeSet::new();
        let tables = serde_json::to_value(self).unwrap_or_default();
        collect("", &tables, &mut keys);
        keys
    }
}

fn collect(key: &str, value: &Value, keys: &mut BTreeSet<String>) {
    if let Value::Object(table) = value {
        for (name, inner) in table {
            let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
            collect(&key, inner, keys);
        }
    } else if let Value::Array(tables) = value {
        keys.insert(key.to_owned());
        for (at, inner) in tables.iter().enumerate().filter(|(_, inner)| inner.is_object()) {
            collect(&format!("{key}[{at}]"), inner, keys);
        }
    } else {
        keys.insert(key.to_owned());
    }
}
