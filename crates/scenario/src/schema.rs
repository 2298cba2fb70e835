//! The published description of scenario files.

use multihop_core::{Otherwise, Param, ParamKind, Table, Value};
use multihop_medium::WIRED;
use multihop_medium::propagation::PROPAGATIONS;
use multihop_setup::{Mac, PropagationModel, TrafficKind};
use schemars::schema_for;
use serde_json::{Map, Value as Json, json};

use crate::bounds::LARGEST_SEED;
use crate::form::{FlowSection, Scenario};
use crate::mobility::MOBILITIES;
use crate::quantity::{BitRate, Length, Size, Span, measure_schema};
use crate::radio;
use crate::registry::Registry;
use crate::routing;
use crate::topology::TOPOLOGIES;
use crate::traffic;

/// By which other schemas and editors know it.
const ID: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/scenario.schema.json");

/// The JSON Schema of scenario files, with descriptions, units and examples, and with the
/// parameters of every scheme, routing protocol and topology. An editor that is given it completes
/// and checks scenarios.
pub fn json_schema() -> String {
    json_schema_with(&Registry::default())
}

/// [`json_schema`] with the schemes and routing protocols of `registry`.
///
/// # Panics
/// Never: a schema always has a form in JSON.
pub fn json_schema_with(registry: &Registry) -> String {
    let mut schema = schema_for!(Scenario);
    schema.insert("$id".to_owned(), json!(ID));
    let definitions = schema.get_mut("$defs").and_then(Json::as_object_mut);
    let definitions = definitions.expect("a scenario has sections");
    for section in sections(registry).into_iter().chain(of_nodes_and_flows(registry)) {
        definitions.insert(section.name.to_owned(), section.schema());
    }
    definitions.insert("FlowSection".to_owned(), flow(registry));
    serde_json::to_string_pretty(&schema).expect("a schema is JSON")
}

/// A section that chooses a part by its name.
struct Section {
    name: &'static str,
    about: &'static str,
    key: &'static str,
    /// The part that is meant where none is chosen.
    default: Option<&'static str>,
    entries: Vec<PartSchema>,
}

/// A part, as the schema shows it.
struct PartSchema {
    name: &'static str,
    title: &'static str,
    about: String,
    params: Vec<Param>,
}

fn sections(registry: &Registry) -> [Section; 6] {
    let scheme = |scheme: &&'static multihop_core::Scheme| PartSchema {
        name: scheme.name,
        title: scheme.title,
        about: scheme.paper.to_owned(),
        params: scheme.params.to_vec(),
    };
    let routing = |protocol: &&'static multihop_routing::RoutingProtocol| PartSchema {
        name: protocol.name,
        title: protocol.title,
        about: format!("{} ({})", protocol.about, protocol.source),
        params: routing::params(protocol),
    };
    let propagation = |model: &&'static PropagationModel| PartSchema {
        name: model.name,
        title: model.name,
        about: format!("{} ({})", model.about, model.source),
        params: radio::params(model),
    };
    let mac = |mac: &&'static Mac| PartSchema {
        name: mac.name,
        title: mac.title,
        about: format!("{} ({})", mac.about, mac.source),
        params: mac.params.to_vec(),
    };
    let topology = |topology: &&'static crate::Topology| PartSchema {
        name: topology.name,
        title: topology.name,
        about: topology.about.to_owned(),
        params: topology.params.to_vec(),
    };
    [
        Section {
            name: "scheme",
            about: "The scheme under test: its name, and any of its parameters.",
            key: "name",
            default: None,
            entries: registry.schemes.iter().map(scheme).collect(),
        },
        Section {
            name: "routing",
            about: "How packets find their way.",
            key: "kind",
            default: registry.routings.first().map(|protocol| protocol.name),
            entries: registry.routings.iter().map(routing).collect(),
        },
        Section {
            name: "topology",
            about: "Where the nodes are, and between which of them there are flows.",
            key: "kind",
            default: None,
            entries: TOPOLOGIES.iter().map(topology).collect(),
        },
        Section {
            name: "radio",
            about: "The radio of every node, and how power falls with distance.",
            key: "propagation",
            default: PROPAGATIONS.first().map(|model| model.name),
            entries: PROPAGATIONS.iter().map(propagation).collect(),
        },
        Section {
            name: "mac",
            about: "The MAC of every node. Without `kind`, a scheme has the first that can do what it needs, and \
                    nothing that it does itself.",
            key: "kind",
            default: registry.macs.first().map(|mac| mac.name),
            entries: registry.macs.iter().map(mac).collect(),
        },
        Section {
            name: "wired",
            about: "Duplex links between neighbours, instead of [radio] and [mac].",
            key: "kind",
            default: Some(WIRED.name),
            entries: vec![mac(&WIRED)],
        },
    ]
}

/// [mobility] and [traffic].
fn of_nodes_and_flows(registry: &Registry) -> [Section; 2] {
    let mobility = |model: &&'static crate::MobilityModel| PartSchema {
        name: model.name,
        title: model.title,
        about: format!("{} ({})", model.about, model.source),
        params: model.params.to_vec(),
    };
    let traffic = |kind: &&'static TrafficKind| PartSchema {
        name: kind.name,
        title: kind.title,
        about: format!("{} ({})", kind.about, kind.source),
        params: of_table(kind, true),
    };
    [
        Section {
            name: "mobility",
            about: "How the nodes move. Fixed routes are those of the start: with movement, AODV is what one wants.",
            key: "kind",
            default: None,
            entries: MOBILITIES.iter().map(mobility).collect(),
        },
        Section {
            name: "traffic",
            about: "What the flows carry; those of [[flow]] carry it unless they say otherwise.",
            key: "kind",
            default: registry.traffics.first().map(|kind| kind.name),
            entries: registry.traffics.iter().map(traffic).collect(),
        },
    ]
}

/// The parameters of a table of flows, none of which has to stand there: another table may have it.
fn of_table(kind: &TrafficKind, of_all: bool) -> Vec<Param> {
    let optional = |param: Param| match param.otherwise {
        Otherwise::Required => param.or("none: every flow needs one"),
        _ => param,
    };
    traffic::params(kind, of_all).into_iter().map(optional).collect()
}

/// What [[flow]] can say: its ends, and whatever any kind of traffic has.
fn flow(registry: &Registry) -> Json {
    let mut properties = Map::new();
    for (name, about) in FlowSection::KEYS {
        let mut key = json!({ "type": "string", "description": about });
        if name != "name" {
            // one node, or several
            key["type"] = if name == "via" { json!("array") } else { json!(["string", "array"]) };
            key["items"] = json!({ "type": "string" });
        }
        properties.insert(name.to_owned(), key);
    }
    let kinds: Vec<_> = registry.traffics.iter().map(|kind| kind.name).collect();
    let about = "What it sends. Default: that of [traffic].";
    properties.insert("kind".to_owned(), json!({ "enum": kinds, "description": about }));
    for param in registry.traffics.iter().flat_map(|kind| of_table(kind, false)) {
        let mut described = property(&param.or("that of [traffic]"));
        described["description"] = json!(format!("{}.", param.about));
        properties.insert(param.name.to_owned(), described);
    }
    json!({
        "type": "object",
        "description": "A flow of an explicit topology, or one beside those that another topology makes; what is \
                        missing is taken from [traffic].",
        "properties": properties,
        "required": ["from", "to"],
        "additionalProperties": false,
    })
}

impl Section {
    /// One alternative for each part.
    fn schema(&self) -> Json {
        let names: Vec<_> = self.entries.iter().map(|entry| entry.name).collect();
        let alternatives: Vec<Json> = self.entries.iter().map(|entry| self.entry(entry)).collect();
        let mut chosen = json!({ "type": "string", "enum": names });
        let mut required = vec![self.key];
        if let Some(default) = self.default {
            chosen["default"] = json!(default);
            required.clear();
        }
        json!({
            "type": "object",
            "description": self.about,
            "properties": { self.key: chosen },
            "required": required,
            "anyOf": alternatives,
        })
    }

    fn entry(&self, entry: &PartSchema) -> Json {
        let mut properties = Map::new();
        properties.insert(self.key.to_owned(), json!({ "const": entry.name }));
        for param in &entry.params {
            properties.insert(param.name.to_owned(), property(param));
        }
        let needed = entry.params.iter().filter(|param| param.otherwise == Otherwise::Required);
        let mut required: Vec<&str> = needed.map(|param| param.name).collect();
        if self.default.is_some_and(|default| default != entry.name) {
            required.push(self.key);
        }
        json!({
            "title": entry.title,
            "description": entry.about,
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }
}

fn property(param: &Param) -> Json {
    let mut property = kind(param);
    let about = match param.otherwise {
        Otherwise::Default => {
            property["default"] = written(param, param.default());
            param.about.to_owned()
        }
        Otherwise::Required => {
            property["examples"] = json!([written(param, param.default())]);
            param.about.to_owned()
        }
        Otherwise::Means(means) => {
            property["examples"] = json!([written(param, param.default())]);
            format!("{}. Default: {means}.", param.about)
        }
    };
    property["description"] = json!(match param.field {
        Some(preset) => format!("{about} (on Linux: {})", Value::from(preset)),
        None => about,
    });
    let says_itself = matches!(
        param.kind,
        ParamKind::Length { .. }
            | ParamKind::BitRate { .. }
            | ParamKind::Size { .. }
            | ParamKind::Measure { .. }
    );
    if !param.unit.is_empty() && !says_itself {
        property["x-unit"] = json!(param.unit);
    }
    property
}

fn kind(param: &Param) -> Json {
    match param.kind {
        ParamKind::Switch(_) => json!({ "type": "boolean" }),
        ParamKind::Count { min, max, .. } => {
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        ParamKind::Seed => json!({ "type": "integer", "minimum": 0, "maximum": LARGEST_SEED }),
        ParamKind::Number { min, max, .. } => {
            let mut number = json!({ "type": "number" });
            for (bound, value) in [("minimum", min), ("maximum", max)] {
                // JSON knows no infinity
                if value.is_finite() {
                    number[bound] = json!(value);
                }
            }
            number
        }
        ParamKind::Span { .. } => {
            let mut text: Json = Span::schema().into();
            if param.bare_unit().is_some() {
                text["type"] = json!(["string", "number"]);
            }
            text
        }
        ParamKind::Length { .. } => Length::schema().into(),
        ParamKind::BitRate { .. } => BitRate::schema().into(),
        ParamKind::Size { .. } => Size::schema().into(),
        ParamKind::Measure { dimension, .. } => measure_schema(dimension).into(),
        ParamKind::Text(_) => json!({ "type": "string" }),
        ParamKind::Choice(among) => {
            let one = |one: &multihop_core::Alternative| json!({ "type": "string", "const": one.name, "description": one.about });
            json!({ "oneOf": among.iter().map(one).collect::<Vec<_>>() })
        }
        ParamKind::Numbers(max) => json!({
            "type": "array",
            "items": { "type": "integer", "minimum": 0, "maximum": max },
        }),
        ParamKind::Table(Table { computed, min, max, .. }) => json!({ "anyOf": [
            { "const": computed, "description": "They are computed." },
            { "type": "string", "pattern": "\\.toml$", "description": "A file of them." },
            { "type": "array", "items": { "type": "number", "minimum": min, "maximum": max },
              "minItems": 1, "description": "The first is that of 1." },
            { "type": "object", "description": "What stands in a file of them." },
        ] }),
    }
}

/// A value as a file has it.
pub(crate) fn written(param: &Param, value: Value) -> Json {
    match (value, param.kind) {
        (Value::Switch(on), _) => json!(on),
        (Value::Count(count), _) => json!(count),
        (Value::Number(number), _) => json!(number),
        (Value::Seed(seed), _) => json!(seed),
        (Value::Choice(at), ParamKind::Choice(among)) => json!(among.get(at).map(|one| one.name)),
        (Value::Numbers(numbers), _) => json!(*numbers),
        (Value::Table(None), ParamKind::Table(table)) => json!(table.computed),
        (value, _) => json!(value.to_string()),
    }
}
