//! [policy].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ends, FileText};

/// A policy that controls nodes: a small neural network, trained before, which decides at every control step.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicySection {
    /// The policy's file (JSON), relative to the scenario file. Its text is then kept in `text`, so that the scenario
    /// says everything itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The text of a policy, instead of `file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) text: Option<FileText>,
    /// Who is controlled: "senders" (nodes at which flows begin), "relays" (nodes at which none begins or ends),
    /// "nodes", or names of nodes. Default: what the policy says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<OneOrMany>")]
    pub(crate) agents: Option<Ends>,
}

/// How [`Ends`] look in the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the schema is made of it")]
enum OneOrMany {
    /// A word, or a name.
    One(String),
    /// Names.
    Many(Vec<String>),
}
