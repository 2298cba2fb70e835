//! A table of rates, as `multihop optimum --rates` writes it: a file of its own, or a part of a
//! scenario.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{MacSection, ParamValue, RadioSection};
use crate::quantity::{Number, Size};

/// The table.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateTable {
    /// Where the numbers come from; nobody looks at it but the reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) measured: Option<Measured>,
    pub(crate) made_for: MadeFor,
    /// One for each number of hops.
    pub(crate) rate: Vec<RateRow>,
    /// The file that it was read from, for messages.
    #[serde(skip)]
    pub(crate) read_from: Option<String>,
}

/// Where the numbers come from.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Measured {
    /// The command that measures them again.
    command: String,
    /// The engine that has measured them.
    engine: String,
    /// With which seeds.
    seeds: String,
    /// The scenario, as it is without defaults.
    scenario: String,
}

/// For which link and traffic the rates are the best ones.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MadeFor {
    /// As in a scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) radio: Option<RadioSection>,
    /// As in a scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mac: Option<MacSection>,
    pub(crate) payload: Size,
    /// Parameters of the scheme that have to have these values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) scheme: BTreeMap<String, ParamValue>,
}

/// The rate over so many hops.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateRow {
    pub(crate) hops: u32,
    /// In packets per second.
    pub(crate) rate: Number,
    /// What it carries, in kbit/s, for who reads the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    goodput: Option<Number>,
    /// Of the goodput, in kbit/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    standard_error: Option<Number>,
}
