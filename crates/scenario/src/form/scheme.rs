//! [scheme]: a name, and parameters that only the scheme knows.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::quantity::Number;

/// The scheme under test: its name, and any of its parameters.
#[derive(Clone, Debug)]
pub(crate) struct SchemeSection {
    pub(crate) name: String,
    pub(crate) params: BTreeMap<String, ParamValue>,
}

/// A parameter's value as it stands in the file.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ParamValue {
    Switch(bool),
    Number(Number),
}

impl Serialize for SchemeSection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1 + self.params.len()))?;
        map.serialize_entry("name", &self.name)?;
        for (name, value) in &self.params {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

struct SchemeVisitor;

impl<'de> Visitor<'de> for SchemeVisitor {
    type Value = SchemeSection;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table with a scheme's name and parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SchemeSection, A::Error> {
        let (mut scheme, mut params) = (None, BTreeMap::new());
        while let Some(key) = map.next_key::<String>()? {
            if key == "name" {
                scheme = Some(map.next_value()?);
            } else {
                params.insert(key, map.next_value()?);
            }
        }
        let name = scheme.ok_or_else(|| A::Error::missing_field("name"))?;
        Ok(SchemeSection { name, params })
    }
}

impl<'de> Deserialize<'de> for SchemeSection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SchemeVisitor)
    }
}

struct ParamVisitor;

impl Visitor<'_> for ParamVisitor {
    type Value = ParamValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false or a plain number")
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<ParamValue, E> {
        Ok(ParamValue::Switch(on))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<ParamValue, E> {
        Ok(ParamValue::Number(Number(number as f64)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<ParamValue, E> {
        Ok(ParamValue::Number(Number(number as f64)))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<ParamValue, E> {
        Number::finite(number).map(ParamValue::Number)
    }
}

impl<'de> Deserialize<'de> for ParamValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParamVisitor)
    }
}
