//! The published schema says what the reader accepts.

use multihop_medium::MACS;
use multihop_routing::ROUTINGS;
use multihop_schemes::SCHEMES;
use multihop_setup::TRAFFICS;
use serde_json::Value;

use crate::{MOBILITIES, TOPOLOGIES, json_schema};

fn schema() -> Value {
    serde_json::from_str(&json_schema()).expect("a schema is JSON")
}

fn walk<'a>(value: &'a Value, visit: &mut impl FnMut(&'a Value)) {
    visit(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
        Value::Object(fields) => fields.values().for_each(|field| walk(field, visit)),
        _ => {}
    }
}

#[test]
fn sections_are_closed_and_described() {
    let schema = schema();
    assert_eq!(schema["additionalProperties"], false);
    let required: Vec<_> =
        schema["required"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(required, ["topology", "scheme"]);
    for name in [
        "MoveSection",
        "MeasureSection",
        "FlowSection",
        "NodeSection",
        "RoleSection",
        "RestartSection",
    ] {
        let section = &schema["$defs"][name];
        assert_eq!(section["additionalProperties"], false, "{name}");
        assert!(section["description"].is_string(), "{name}");
    }
    assert!(schema["properties"].get("text").is_none(), "the text is not a key");
}

/// The file beside the examples, which their first lines name, is this schema on fewer lines.
#[test]
fn the_examples_name_the_schema_that_stands_beside_them() {
    let published = include_str!("../../../../examples/scenario.schema.json");
    let published: Value = serde_json::from_str(published).expect("a schema is JSON");
    assert!(published == schema(), "examples/scenario.schema.json is old: make generate");
    assert!(schema()["$id"].as_str().is_some_and(|id| id.ends_with("/scenario.schema.json")));
    for (name, text) in super::examples::EXAMPLES {
        assert!(text.starts_with("#:schema ./scenario.schema.json\n"), "{name}");
    }
}

#[test]
fn shares_are_bounded() {
    let schema = schema();
    let key = |section: &str, key: &str| schema["$defs"][section]["properties"][key].clone();
    let rate = schema["$defs"]["radio"]["anyOf"][0]["properties"]["bit_error_rate"].clone();
    assert_eq!((&rate["minimum"], &rate["maximum"]), (&0.0.into(), &0.99.into()));
    let window = schema["$defs"]["mac"]["anyOf"][0]["properties"]["cw_min"].clone();
    assert_eq!((&window["minimum"], &window["maximum"]), (&1.into(), &65_535.into()));
    let jitter = key("FlowSection", "interval_jitter");
    assert_eq!((&jitter["minimum"], &jitter["maximum"]), (&0.0.into(), &1.0.into()));
}

#[test]
fn quantities_have_units_and_examples() {
    let schema = schema();
    let duration = &schema["properties"]["duration"];
    assert_eq!(
        duration["x-units"],
        serde_json::json!(["ns", "us", "ms", "s", "min", "h"]),
        "{duration}"
    );
    assert_eq!(duration["examples"], serde_json::json!(["10 s"]));
    assert_eq!(duration["description"], "Measured time after the warm-up. Default: \"60 s\".");
}

#[test]
fn alternatives_are_listed_and_described() {
    let schema = schema();
    let named = |alternatives: &Value| -> Vec<String> {
        let alternatives = alternatives["oneOf"].as_array().expect("alternatives");
        assert!(alternatives.iter().all(|one| one["description"].is_string()));
        alternatives.iter().filter_map(|one| one["const"].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(named(&schema["$defs"]["SimulatorKind"]), ["multihop", "ns3"]);
    let transport = &schema["$defs"]["traffic"]["anyOf"][0]["properties"]["transport"];
    assert_eq!(named(transport), ["scheme", "datagram"]);
    let delay =
        &schema["$defs"]["mac"]["anyOf"][0]["properties"]["link_layer_delay"]["description"];
    assert!(delay.as_str().is_some_and(|text| text.contains("\"25 us\", ns-2's")), "{delay}");
}

#[test]
fn every_part_and_every_parameter_of_it_is_in_it() {
    let schema = schema();
    let mut descriptions = String::new();
    walk(&schema, &mut |value| {
        if let Some(text) = value.get("description").and_then(Value::as_str) {
            descriptions += text;
            descriptions.push('\n');
        }
    });
    let schemes = SCHEMES.iter().map(|scheme| (scheme.paper, scheme.params));
    let routings = ROUTINGS.iter().map(|protocol| (protocol.about, protocol.params));
    let topologies = TOPOLOGIES.iter().map(|topology| (topology.about, topology.params));
    let macs = MACS.iter().map(|mac| (mac.about, mac.params));
    let mobilities = MOBILITIES.iter().map(|model| (model.about, model.params));
    let traffics = TRAFFICS.iter().map(|kind| (kind.about, kind.params));
    let parts = schemes.chain(routings).chain(topologies).chain(macs);
    for (about, params) in parts.chain(mobilities).chain(traffics) {
        assert!(descriptions.contains(about), "{about}");
        for param in params {
            assert!(descriptions.contains(param.about), "{about}: {}", param.name);
        }
    }
}

#[test]
fn parts_are_chosen_by_name_and_closed() {
    let schema = schema();
    let names = |section: &str, key: &str| -> Vec<String> {
        let chosen = &schema["$defs"][section]["properties"][key]["enum"];
        let alternatives = schema["$defs"][section]["anyOf"].as_array().expect("alternatives");
        for one in alternatives {
            assert_eq!(one["additionalProperties"], false, "{section}");
        }
        let named = alternatives.iter().map(|one| one["properties"][key]["const"].clone());
        assert_eq!(*chosen, Value::Array(named.collect()), "{section}");
        serde_json::from_value(chosen.clone()).expect("names")
    };
    assert_eq!(names("routing", "kind"), ["fixed", "aodv", "dsr", "none"]);
    assert_eq!(names("mac", "kind"), ["dcf", "csma", "lora"]);
    assert_eq!(names("mobility", "kind"), ["random-waypoint", "ns2"]);
    assert_eq!(names("traffic", "kind"), ["cbr", "ftp", "file", "poisson", "replay", "meshtastic"]);
    assert_eq!(names("scheme", "name").len(), SCHEMES.len());
    assert_eq!(names("topology", "kind")[..2], ["chain", "bidirectional-chain"]);
    let chain = &schema["$defs"]["topology"]["anyOf"][0];
    assert_eq!(chain["required"], serde_json::json!(["hops"]));
    assert_eq!(chain["properties"]["spacing"]["default"], "200 m");
    let aodv = &schema["$defs"]["routing"]["anyOf"][1];
    assert_eq!(aodv["required"], serde_json::json!(["kind"]));
    let limit = &aodv["properties"]["request_rate_limit"];
    assert_eq!(limit["default"], Value::Null);
    assert!(limit["description"].as_str().is_some_and(|text| text.contains("Default: as many")));
}
