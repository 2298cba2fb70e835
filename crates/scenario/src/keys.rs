//! Which keys a scenario can have at all.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde_json::Value;

use crate::error::{Fault, ScenarioError, did_you_mean};
use crate::registry::Registry;
use crate::schema::json_schema;

/// Refuses a key that no scenario has, as one that is to be taken away.
///
/// # Errors
/// If there is no such key: which one it resembles.
pub fn check_key(key: &str, registry: &Registry) -> Result<(), ScenarioError> {
    static BUILT_IN: OnceLock<BTreeSet<String>> = OnceLock::new();
    let built_in = BUILT_IN.get_or_init(|| of_schema(&json_schema()));
    let of_scheme = |name: &str| {
        let params = registry.schemes.iter().flat_map(|scheme| scheme.params);
        params.into_iter().any(|param| param.name == name)
    };
    // of a table's array, as in node[0].x, only the whole is one key
    // a role has the name that the scenario gives it
    let of_role = key.strip_prefix("roles.").and_then(|rest| rest.split_once('.'));
    let is_of_role = of_role.is_some_and(|(_, rest)| {
        built_in.contains(&format!("roles.*.{rest}"))
            || rest.strip_prefix("scheme.").is_some_and(|name| name == "name" || of_scheme(name))
    });
    if built_in.contains(key) || is_of_role || key.strip_prefix("scheme.").is_some_and(of_scheme) {
        return Ok(());
    }
    let hint = did_you_mean(key, built_in.iter().map(String::as_str));
    let message = format!("unknown key '{key}', so there is nothing to take away{hint}");
    Err(Fault::new(key, message).placed(None))
}

/// The keys of a schema in JSON, as in `mac.cw_min`.
fn of_schema(text: &str) -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(text).unwrap_or_default();
    let mut keys = BTreeSet::new();
    walk(&schema, &schema["$defs"], "", &mut keys);
    keys
}

fn walk(schema: &Value, defs: &Value, prefix: &str, keys: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        walk(&defs[name], defs, prefix, keys);
    }
    for choice in ["anyOf", "oneOf", "allOf"] {
        for one in schema[choice].as_array().into_iter().flatten() {
            walk(one, defs, prefix, keys);
        }
    }
    if schema["additionalProperties"].is_object() {
        walk(&schema["additionalProperties"], defs, &format!("{prefix}.*"), keys);
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        walk(inner, defs, &key, keys);
        keys.insert(key);
    }
}
