//! A scenario that names files becomes one that says everything itself.

use std::path::Path;

use crate::error::{Fault, ScenarioError};
use crate::form::Scenario;
use crate::{mobility, rates};

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
        mobility::fill(self, folder)?;
        rates::fill(&mut self.scheme, folder)
    }
}
