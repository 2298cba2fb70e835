//! The value of a parameter: a switch, a number, text, or a table of rates, as `multihop optimum
//! --rates` writes it into a file of its own.

use std::collections::BTreeMap;
use std::fmt;

use multihop_core::Content;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::quantity::{Number, Size};

/// A parameter's value as it stands in the file.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ParamValue {
    Switch(bool),
    Whole(u64),
    Number(Number),
    Text(String),
    List(Vec<Number>),
    Rates(Box<RateTable>),
    Read(FileText),
}

/// The text of a file that the scenario has named.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct FileText {
    text: String,
    /// The name of the file, for messages.
    #[serde(skip)]
    read_from: String,
}

impl FileText {
    pub(crate) fn new(text: String, read_from: &str) -> Self {
        FileText { text, read_from: read_from.to_owned() }
    }

    /// It, as the value of a parameter.
    pub(crate) fn content(&self) -> Content {
        Content { text: self.text.clone(), read_from: Some(self.read_from.clone()) }
    }
}

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
    pub(crate) radio: Option<BTreeMap<String, ParamValue>>,
    /// As in a scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mac: Option<BTreeMap<String, ParamValue>>,
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

struct ParamVisitor;

impl<'de> Visitor<'de> for ParamVisitor {
    type Value = ParamValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, a number, text, or numbers in brackets")
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<ParamValue, E> {
        Ok(ParamValue::Switch(on))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<ParamValue, E> {
        let whole = u64::try_from(number).map(ParamValue::Whole);
        Ok(whole.unwrap_or(ParamValue::Number(Number(number as f64))))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<ParamValue, E> {
        Ok(ParamValue::Whole(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<ParamValue, E> {
        Number::finite(number).map(ParamValue::Number)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ParamValue, E> {
        Ok(ParamValue::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ParamValue, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = seq.next_element()? {
            numbers.push(number);
        }
        Ok(ParamValue::List(numbers))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ParamValue, A::Error> {
        RateTable::deserialize(MapAccessDeserializer::new(map)).map(Box::new).map(ParamValue::Rates)
    }
}

impl<'de> Deserialize<'de> for ParamValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParamVisitor)
    }
}
