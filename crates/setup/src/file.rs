//! Parameters that name a file: the scenario's reader puts its text in the place of its name.

use std::sync::Arc;

use multihop_core::{Content, Text, Values};

use crate::Refusal;

/// A file that a parameter names.
#[derive(Clone, Copy)]
pub struct NamedFile {
    /// The parameter that names it.
    pub file: Text,
    /// The parameter that has its text instead.
    pub text: Text,
    /// In bytes. A file is read whole; a longer one is refused.
    pub longest: u64,
    /// What is kept of the text of the file, whose name comes second; or what is wrong with it.
    pub keep: fn(&str, &str) -> Result<String, String>,
}

/// The text of a file that is there.
pub struct Found {
    /// The text.
    pub content: Arc<Content>,
    /// The key that it comes from.
    pub key: &'static str,
}

impl Found {
    /// The name of the text, for messages.
    pub fn name(&self) -> String {
        let file = self.content.read_from.as_ref();
        file.map_or_else(|| "the text".to_owned(), |file| format!("'{file}'"))
    }

    /// The text is refused, because of `message`, which begins with its name.
    pub fn refusal(&self, message: &str) -> Refusal {
        Refusal::new(self.key, format!("{} {message}", self.name()))
    }

    /// A line of the text is refused, because of `message`.
    pub fn line(&self, number: usize, message: &str) -> Refusal {
        Refusal::new(self.key, format!("line {number} of {}: {message}", self.name()))
    }
}

impl NamedFile {
    /// The text, which the part `kind` cannot do without.
    ///
    /// # Errors
    /// If there is none, or two.
    pub fn found(&self, values: &Values, kind: &str) -> Result<Found, Refusal> {
        let (key, text) = (self.file.name, self.text.name);
        match (values.given(self.text), values.given(self.file)) {
            (Some(_), Some(_)) => {
                let message = format!("takes the place of {text}; remove one of the two");
                Err(Refusal::new(key, message))
            }
            (Some(content), None) => {
                let key = if content.read_from.is_some() { key } else { text };
                Ok(Found { content, key })
            }
            (None, Some(file)) => {
                let message = format!(
                    "'{}' has not been read; read the scenario from its file, or give the text as {text}",
                    file.text
                );
                Err(Refusal::new(key, message))
            }
            (None, None) => {
                let example = self.file.default;
                let message =
                    format!("is missing; kind \"{kind}\" needs it, as in {key} = \"{example}\"");
                Err(Refusal::new(key, message))
            }
        }
    }
}
