//! What a page is told where there is no answer.

use multihop_scenario::ScenarioError;
use serde_json::{Value, json};

/// What cannot be answered.
pub(crate) struct Refusal(pub(crate) Value);

impl From<ScenarioError> for Refusal {
    fn from(error: ScenarioError) -> Self {
        let said = error.to_string();
        let ScenarioError { message, line, key } = error;
        Refusal(json!({ "message": message, "line": line, "key": key, "said": said }))
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Self {
        Refusal(json!({ "message": message, "said": message }))
    }
}
