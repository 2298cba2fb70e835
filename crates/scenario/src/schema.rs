//! The published description of scenario files.

use std::borrow::Cow;

use multihop_core::{Param, ParamKind, Scheme};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde_json::{Map, Value, json};

use crate::form::{Scenario, SchemeSection};

/// By which other schemas and editors know it.
const ID: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/scenario.schema.json");

/// The JSON Schema of scenario files, with descriptions, units and examples, and with the
/// parameters of every scheme. An editor that is given it completes and checks scenarios.
///
/// # Panics
/// Never: a schema always has a form in JSON.
pub fn json_schema() -> String {
    let mut schema = schema_for!(Scenario);
    schema.insert("$id".to_owned(), json!(ID));
    serde_json::to_string_pretty(&schema).expect("a schema is JSON")
}

impl JsonSchema for SchemeSection {
    fn schema_name() -> Cow<'static, str> {
        "SchemeSection".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        of_schemes(multihop_schemes::SCHEMES)
    }
}

/// One alternative for each scheme.
pub(crate) fn of_schemes(schemes: &[&'static Scheme]) -> Schema {
    let names: Vec<_> = schemes.iter().map(|scheme| scheme.name).collect();
    let alternatives: Vec<Value> = schemes.iter().map(|scheme| alternative(scheme)).collect();
    json_schema!({
        "type": "object",
        "description": "The scheme under test: its name, and any of its parameters.",
        "properties": { "name": { "type": "string", "enum": names } },
        "required": ["name"],
        "anyOf": alternatives,
    })
}

fn alternative(scheme: &Scheme) -> Value {
    let mut properties = Map::new();
    properties.insert("name".to_owned(), json!({ "const": scheme.name }));
    for param in scheme.params {
        properties.insert(param.name.to_owned(), property(param));
    }
    json!({
        "title": scheme.title,
        "description": scheme.paper,
        "properties": properties,
        "additionalProperties": false,
    })
}

fn property(param: &Param) -> Value {
    let mut property = match param.kind {
        ParamKind::Switch(on) => json!({ "type": "boolean", "default": on }),
        ParamKind::Count { default, min, max } => {
            json!({ "type": "integer", "default": default, "minimum": min, "maximum": max })
        }
        ParamKind::Number { default, min, max } => {
            let mut number = json!({ "type": "number", "default": default });
            for (bound, value) in [("minimum", min), ("maximum", max)] {
                // JSON knows no infinity
                if value.is_finite() {
                    number[bound] = json!(value);
                }
            }
            number
        }
    };
    property["description"] = json!(param.about);
    if !param.unit.is_empty() {
        property["x-unit"] = json!(param.unit);
    }
    property
}
