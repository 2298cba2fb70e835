//! Keys that are replaced in a scenario before anything is checked: the text need not be valid
//! without them.

use serde_json::{Map, Value};

use crate::error::ScenarioError;
use crate::mobility::MOBILITIES;
use multihop_setup::{NamedFile, TRAFFICS};

/// A key that is given beside the text of a scenario.
#[derive(Clone, Debug)]
pub struct Change {
    /// The key; a dot leads into a table, as in `traffic.load`.
    pub key: String,
    /// What it becomes; `None` takes it away.
    pub value: Option<Value>,
}

impl Change {
    /// Replaces the key in `tables`.
    pub(crate) fn apply(&self, tables: &mut Map<String, Value>) -> Result<(), ScenarioError> {
        let (path, last) = self.key.rsplit_once('.').unwrap_or(("", &self.key));
        let mut table = tables;
        for part in path.split('.').filter(|part| !part.is_empty()) {
            let below = table.entry(part).or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(below) = below else {
                return Err(ScenarioError {
                    message: format!("cannot be set: '{part}' is not a table"),
                    line: None,
                    key: Some(self.key.clone()),
                });
            };
            table = below;
        }
        // the text of the file before it
        for file in self.files() {
            table.remove(file.text.name);
        }
        match &self.value {
            Some(value) => drop(table.insert(last.to_owned(), value.clone())),
            None => drop(table.remove(last)),
        }
        Ok(())
    }

    /// The files of which this key is the name.
    fn files(&self) -> impl Iterator<Item = &'static NamedFile> {
        let (table, key) = self.key.split_once('.').unwrap_or_default();
        let of_mobility = MOBILITIES.iter().flat_map(|model| model.files);
        let of_traffic = TRAFFICS.iter().flat_map(|kind| kind.files);
        let mobile = of_mobility.filter(move |_| table == "mobility");
        let files = mobile.chain(of_traffic.filter(move |_| table == "traffic"));
        files.copied().filter(move |file| file.file.name == key)
    }

    /// Whether `key` is what is changed, or stands within it.
    pub fn covers(&self, key: &str) -> bool {
        key.strip_prefix(self.key.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }
}
