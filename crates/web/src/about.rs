//! What is said of a scenario and of its run: as `run.json` of a trace on disk.

use multihop_core::{Field, HeaderFormat, Holds, Time};
use multihop_scenario::Scenario;
use multihop_schemes::SCHEMES;
use multihop_setup::Setup;
use multihop_trace::{Column, Table};
use serde_json::{Map, Value, json};

/// The version of the format of traces, as of those on disk.
const FORMAT: u32 = 4;

/// The schemes, and the version of the engine.
pub fn parts() -> Value {
    let scheme = |scheme: &&multihop_core::Scheme| json!({ "name": scheme.name, "title": scheme.title, "paper": scheme.paper, "color": scheme.plot.color });
    let schemes: Vec<_> = SCHEMES.iter().map(scheme).collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "schemes": schemes })
}

/// A network, for a map.
pub fn network(setup: &Setup, scenario: &Scenario) -> Value {
    Value::Object(entries(setup, scenario))
}

/// The network of a run, and what the replay of its trace needs.
pub fn run(setup: &Setup, scenario: &Scenario) -> Value {
    let mut about = entries(setup, scenario);
    let mac = multihop_sim::on_air(setup).and_then(|air| air.mac);
    about.insert("mac".into(), mac.map_or(Value::Null, |mac| json!(mac)));
    let known = multihop_schemes::headers().into_iter().chain(multihop_routing::headers());
    let headers: Vec<_> = known.chain([&multihop_node::ARP_FORMAT]).map(header).collect();
    about.insert("headers".into(), headers.into());
    about
        .into_iter()
        .chain([("format".into(), FORMAT.into()), ("complete".into(), true.into())])
        .collect::<Map<_, _>>()
        .into()
}

fn entries(setup: &Setup, scenario: &Scenario) -> Map<String, Value> {
    let nodes: Vec<_> = (0..)
        .zip(&setup.nodes)
        .map(|(number, node): (u32, _)| {
            let (role, scheme) = (&node.own.role, node.own.scheme.map(|scheme| scheme.name));
            json!({
                "node": number, "x_m": node.x, "y_m": node.y, "label": node.name, "role": role, "scheme": scheme,
            })
        })
        .collect();
    let flows: Vec<_> = (0..)
        .zip(&setup.sources)
        .map(|(number, source): (u32, _)| {
            let flow = source.flow;
            json!({ "flow": number, "source": flow.source.0, "destination": flow.destination.0, "label": source.name })
        })
        .collect();
    let ranges = multihop_sim::on_air(setup).and_then(|air| air.ranges_m);
    // to the millimetre: the engine rounds them up
    let millimetres = |range: f64| (range * 1e3).round() / 1e3;
    let scenario: Value = serde_json::from_str(&scenario.to_json()).unwrap_or_default();
    let said = json!({
        "scenario": scenario,
        "seed": setup.seed,
        "scheme": setup.scheme.name,
        "routing": setup.routing.protocol.name,
        "warmup_ns": setup.warmup.nanos(),
        "duration_ns": setup.end.nanos(),
        "rate_bit_s": setup.medium.hop().data_rate.0,
        "range_m": ranges.map(|(receive, _)| millimetres(receive)),
        "sense_range_m": ranges.map(|(_, sense)| millimetres(sense)),
        "nodes": nodes,
        "flows": flows,
        "effective": effective(setup),
    });
    let said = match said {
        Value::Object(entries) => entries,
        _ => Map::new(),
    };
    said.into_iter().chain(hearing(setup)).collect()
}

/// Of networks of so many nodes at most it is said who hears whom.
const MOST_HEARING: usize = 150;

/// Who hears whom, as [from, to, 2, signal] if frames are decoded, and [from, to, 1, signal] if they are sensed, with the mean
/// signal in dBm; beside it, in dBm too, the least signal that is decoded, and the noise. `hears` is null where nodes move,
/// and on wires, where nothing else is said.
fn hearing(setup: &Setup) -> Map<String, Value> {
    let few = setup.nodes.len() <= MOST_HEARING;
    let found = few.then(|| multihop_sim::hearers(setup, &[Time::ZERO]).ok()).flatten();
    let Some(found) = found.filter(|found| integers(&found.rules, "moves") == [0]) else {
        return Map::from_iter([("hears".to_owned(), Value::Null)]);
    };
    let signals = &found.signals;
    let pairs = integers(signals, "from").iter().zip(integers(signals, "to"));
    let shares = floats(signals, "sensed").iter().zip(floats(signals, "decoded"));
    let often = pairs.zip(shares).zip(floats(signals, "power_w"));
    let often = often.filter(|((_, (sensed, _)), _)| **sensed >= 0.5);
    let hears: Vec<_> = often
        .map(|(((from, to), (_, decoded)), power)| {
            json!([from, to, 1 + i64::from(*decoded >= 0.5), dbm(*power)])
        })
        .collect();
    let rule = |name| floats(&found.rules, name).first().and_then(|watts| dbm(*watts));
    let said = [
        ("hears", json!(hears)),
        ("decodes_from_dbm", json!(rule("decodes_from_w"))),
        ("noise_dbm", json!(rule("noise_w"))),
    ];
    said.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

/// A power in dBm, to a tenth; nothing for none.
fn dbm(watts: f64) -> Option<f64> {
    (watts > 0.0 && watts.is_finite()).then(|| (10.0 * (watts.log10() + 3.0) * 10.0).round() / 10.0)
}

fn integers<'t>(table: &'t Table, name: &str) -> &'t [i64] {
    match table.iter().find(|(known, _)| *known == name) {
        Some((_, Column::Integer(rows))) => rows,
        _ => &[],
    }
}

fn floats<'t>(table: &'t Table, name: &str) -> &'t [f64] {
    match table.iter().find(|(known, _)| *known == name) {
        Some((_, Column::Float(rows))) => rows,
        _ => &[],
    }
}

/// What holds, given or not, of what a scheme decides: its routing, and its MAC with the parameters of that.
fn effective(setup: &Setup) -> Map<String, Value> {
    let mac = &setup.medium.mac;
    let values = mac.params.iter().filter_map(|param| {
        let value = setup.medium.values.named(param.name)?;
        Some((format!("mac.{}", param.name), json!(value.to_string())))
    });
    let kinds = [("mac.kind", mac.name), ("routing.kind", setup.routing.protocol.name)];
    kinds.map(|(key, name)| (key.to_owned(), json!(name))).into_iter().chain(values).collect()
}

fn header(format: &HeaderFormat) -> Value {
    let field = |field: &Field| {
        let (holds, words) = match field.holds {
            Holds::Number => ("number", &[][..]),
            Holds::Signed => ("signed", &[][..]),
            Holds::Address => ("address", &[][..]),
            Holds::Zero => ("zero", &[][..]),
            Holds::Word(words) => ("word", words),
        };
        json!({ "name": field.name, "bits": field.bits, "about": field.about, "holds": holds, "words": words })
    };
    let fields: Vec<_> = format.fields.iter().map(field).collect();
    json!({
        "number": format.kind.0,
        "message": format.message,
        "name": format.name,
        "title": format.title,
        "fields": fields,
        "rest": format.rest,
    })
}
