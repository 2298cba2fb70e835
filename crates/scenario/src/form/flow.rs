//! [[flow]]: its ends, and whatever [traffic] can say, of this flow alone.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::ParamValue;

/// A flow of an explicit topology, or one beside those that another topology makes; what is
/// missing is taken from [traffic].
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct FlowSection {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The nodes where its packets come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<Ends>,
    /// The nodes where they go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<Ends>,
    /// The nodes between the two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) via: Option<Vec<String>>,
    /// What it sends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<String>,
    /// The parameters of that kind, and of every flow.
    #[serde(flatten)]
    pub(crate) params: BTreeMap<String, ParamValue>,
}

impl FlowSection {
    /// Its keys beside those of [traffic], with what they mean.
    pub(crate) const KEYS: [(&'static str, &'static str); 4] = [
        ("name", "Its name. Default: as in \"a->b\"."),
        (
            "from",
            "Name of the node where its packets come from; a topology names its own n0, n1, .... Several names in \
             brackets, or \"every node\", make a flow from each.",
        ),
        (
            "to",
            "Name of the node where they go; several names in brackets, or \"every node\", make a flow to each.",
        ),
        (
            "via",
            "Names of the nodes between the two, in order, if it is not to take the shortest way; fixed routes only.",
        ),
    ];
}

/// The nodes at one end of the flows of a table.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Ends {
    /// The node of this name, or [`Ends::EVERY`].
    One(String),
    /// The nodes of these names.
    Several(Vec<String>),
}

impl Ends {
    /// What stands for all nodes.
    pub(crate) const EVERY: &'static str = "every node";
}

struct EndsVisitor;

impl<'de> Visitor<'de> for EndsVisitor {
    type Value = Ends;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a node, names in brackets, or \"{}\"", Ends::EVERY)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Ends, E> {
        Ok(Ends::One(name.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Ends, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = seq.next_element()? {
            names.push(name);
        }
        Ok(Ends::Several(names))
    }
}

impl<'de> Deserialize<'de> for Ends {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EndsVisitor)
    }
}

/// What the schema knows it as; its content is written by [`crate::schema`], which knows what there is.
impl JsonSchema for FlowSection {
    fn schema_name() -> Cow<'static, str> {
        "FlowSection".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

struct FlowVisitor;

impl<'de> Visitor<'de> for FlowVisitor {
    type Value = FlowSection;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table with from, to and what the flow carries")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FlowSection, A::Error> {
        let mut flow = FlowSection::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "name" => flow.name = Some(map.next_value()?),
                "from" => flow.from = Some(map.next_value()?),
                "to" => flow.to = Some(map.next_value()?),
                "via" => flow.via = Some(map.next_value()?),
                "kind" => flow.kind = Some(map.next_value()?),
                _ => drop(flow.params.insert(key, map.next_value()?)),
            }
        }
        Ok(flow)
    }
}

impl<'de> Deserialize<'de> for FlowSection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FlowVisitor)
    }
}
