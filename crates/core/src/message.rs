//! What applications send.

use serde::{Deserialize, Serialize};

use crate::{Payload, Tag};

/// What an application hands to its transport.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The data.
    pub payload: Payload,
    /// For measurements only.
    pub tag: Tag,
}
