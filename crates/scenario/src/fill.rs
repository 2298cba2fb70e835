//! A scenario that names files becomes one that says everything itself.

use std::collections::BTreeMap;
use std::path::Path;

use multihop_core::Text;
use multihop_setup::{NamedFile, TRAFFICS};

use crate::error::{Fault, ScenarioError};
use crate::form::{FileText, ParamValue, Scenario};
use crate::mobility::MOBILITIES;
use crate::{files, policy, rates};

impl Scenario {
    /// Puts what stands in files in the place of their names: the movement file's text, and tables of
    /// rates. So the scenario says everything itself. A relative path begins in `folder`.
    ///
    /// # Errors
    /// If a file cannot be read, or is no such file.
    pub fn with_files(mut self, folder: &Path) -> Result<Self, ScenarioError> {
        match self.fill(folder) {
            Ok(()) => Ok(self),
            Err(fault) => Err(fault.placed(self.text.as_deref())),
        }
    }

    fn fill(&mut self, folder: &Path) -> Result<(), Fault> {
        let models = MOBILITIES.iter().map(|model| (model.name, model.files));
        if let Some(section) = &mut self.mobility {
            fill(
                "mobility",
                files_of(section.name.as_deref(), models),
                &mut section.params,
                folder,
            )?;
        }
        let kinds = || TRAFFICS.iter().map(|kind| (kind.name, kind.files));
        let mut common = TRAFFICS[0].name.to_owned();
        if let Some(section) = &mut self.traffic {
            common = section.name.clone().unwrap_or(common);
            fill("traffic", files_of(Some(&common), kinds()), &mut section.params, folder)?;
        }
        for (index, flow) in self.flow.iter_mut().enumerate() {
            let named = files_of(Some(flow.kind.as_ref().unwrap_or(&common)), kinds());
            fill(&format!("flow[{index}]"), named, &mut flow.params, folder)?;
        }
        if let Some(section) = &mut self.policy {
            policy::fill(section, folder)?;
        }
        rates::fill(&mut self.scheme, folder)
    }
}

/// The files that the part `name` can name.
fn files_of(name: Option<&str>, mut parts: impl Iterator<Item = (&'static str, Files)>) -> Files {
    parts.find(|(one, _)| Some(*one) == name).map_or(&[], |(_, files)| files)
}

type Files = &'static [&'static NamedFile];

/// Puts the text of files in the place of their names, in the keys of the table `table`.
fn fill(
    table: &str,
    files: Files,
    params: &mut BTreeMap<String, ParamValue>,
    folder: &Path,
) -> Result<(), Fault> {
    for NamedFile { file, text: Text { name: into, .. }, longest, keep } in files {
        let Some(ParamValue::Text(name)) = params.get(file.name) else { continue };
        if params.contains_key(*into) {
            continue;
        }
        let text = files::read(&folder.join(name), *longest).and_then(|text| keep(&text, name));
        let text = text.map_err(|message| Fault::new(format!("{table}.{}", file.name), message))?;
        let text = ParamValue::Read(FileText::new(text, name));
        params.remove(file.name);
        params.insert((*into).to_owned(), text);
    }
    Ok(())
}
