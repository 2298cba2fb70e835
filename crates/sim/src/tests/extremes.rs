//! Extreme values of every key that is a number: an error that names the key, or a run that ends.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use multihop_scenario::{from_toml, json_schema};
use serde_json::Value;

use crate::{Options, Simulation};

const CHAIN: &str = "warmup = \"0 s\"\nduration = \"1 s\"\n[topology]\nkind = \"chain\"\nhops = 2\n\
                     [scheme]\nname = \"udp\"\n[traffic]\nload = \"100 kbit/s\"\nstart = \"0 s\"\n";

/// [`CHAIN`] with another line in place of one of its own.
fn instead(old: &str, new: &str) -> String {
    assert!(CHAIN.contains(old), "{old}");
    CHAIN.replace(old, new)
}

/// The headers of the sections, their names in the schema, and scenarios in which their keys
/// apply.
fn sections() -> Vec<(&'static str, &'static str, Vec<String>)> {
    let chain = || CHAIN.to_owned();
    let shape = |kind: &str, keys: &str| {
        instead("kind = \"chain\"\nhops = 2", &format!("kind = \"{kind}\"\n{keys}"))
    };
    let listed = shape(
        "explicit",
        "[[node]]\nname = \"a\"\nx = \"0 m\"\ny = \"0 m\"\n[[node]]\nname = \"b\"\nx = \"9 m\"\n\
         y = \"0 m\"\n[[flow]]\nfrom = \"a\"\nto = \"b\"\n[[move]]\nnode = \"b\"\nat = \"0 s\"\n\
         x = \"50 m\"\ny = \"0 m\"\nspeed = \"9 m/s\"",
    );
    let listed_file = listed.replace("load = \"100 kbit/s\"", "kind = \"file\"\nsize = \"5 kB\"");
    let listed_poisson =
        listed.replace("load = \"100 kbit/s\"", "kind = \"poisson\"\ninterval = \"10 ms\"");
    let listed_mesh = listed.replace("load = \"100 kbit/s\"", "kind = \"meshtastic\"");
    let listed_mesh = listed_mesh.replace("udp", "flooding");
    let powered = measured("two-ray-ground").replace("delivery = 1", "signal = \"6 dBm\"");
    vec![
        ("", "", vec![chain()]),
        ("[[link]]", "LinkSection", vec![measured("two-ray-ground"), powered]),
        ("[[node]]", "NodeSection", vec![listed.clone()]),
        ("[roles.r]", "RoleSection", vec![chain(), measured("log-normal-shadowing")]),
        ("[[move]]", "MoveSection", vec![listed.clone()]),
        ("[[flow]]", "FlowSection", vec![listed, listed_file, listed_poisson, listed_mesh]),
    ]
}

/// A chain whose links are listed, with thresholds.
fn measured(propagation: &str) -> String {
    let link = |from, to| format!("[[link]]\nfrom = \"n{from}\"\nto = \"n{to}\"\ndelivery = 1\n");
    let links = [(0, 1), (1, 0), (1, 2), (2, 1)].map(|(from, to)| link(from, to)).concat();
    format!(
        "{CHAIN}[radio]\npropagation = \"{propagation}\"\nreceive_threshold = \"5 dBm\"\n\
         sense_threshold = \"-90 dBm\"\n{links}"
    )
}

/// `text` with `key` in the section below `header`.
fn put(text: &str, header: &str, key: &str, value: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if !header.is_empty() && !lines.iter().any(|line| line == header) {
        lines.push(header.to_owned());
    }
    let start = lines.iter().position(|line| line == header).map_or(0, |at| at + 1);
    let end = (start..lines.len()).find(|&at| lines[at].starts_with('['));
    let end = end.unwrap_or(lines.len());
    let given = format!("{key} = {value}");
    match (start..end).find(|&at| lines[at].starts_with(&format!("{key} ="))) {
        Some(at) => lines[at] = given,
        None => lines.insert(start, given),
    }
    lines.join("\n")
}

const NUMBERS: [&str; 17] = [
    "0",
    "-0.0",
    "-1",
    // below every sensitivity in dBm
    "-160",
    "0.5",
    "1",
    "1.5",
    "3",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "1e-300",
    "1e300",
    "nan",
    "inf",
    "-inf",
];

/// What to try for a key that is described so; nothing if it is not a number.
fn tries(described: &Value) -> Vec<String> {
    if let Some(units) = described["x-units"].as_array() {
        let units = [units.first(), units.last()].into_iter().flatten().filter_map(Value::as_str);
        let with = |unit: &str| NUMBERS.map(|number| format!("\"{number} {unit}\"")).to_vec();
        // some have to lie so close together that none of the numbers does
        let default = described["default"].as_str().map(|default| format!("\"{default}\""));
        return units.flat_map(with).chain(default).collect();
    }
    let kind = &described["type"];
    let is =
        |name: &str| kind == name || kind.as_array().is_some_and(|all| all.contains(&name.into()));
    if !is("integer") && !is("number") {
        return Vec::new();
    }
    let mut tries = NUMBERS.map(str::to_owned).to_vec();
    tries.extend(described["default"].as_f64().map(|default| default.to_string()));
    // what the schema just allows, and what it just does not
    let bound = |name: &str| described[name].as_f64().filter(|bound| *bound < 1e15);
    for (name, outside) in
        [("minimum", -1.0), ("maximum", 1.0), ("exclusiveMinimum", 0.0), ("exclusiveMaximum", 0.0)]
    {
        tries.extend(bound(name).map(|bound| (bound + outside).to_string()));
        tries.extend(bound(name).map(|bound| bound.to_string()));
    }
    tries
}

/// Whether the schema says that `value` is too small, too large, or not whole.
fn is_outside(described: &Value, value: &str) -> bool {
    let Ok(number) = value.parse::<f64>() else { return false };
    let beyond = |name: &str, outside: fn(f64, f64) -> bool| {
        described[name].as_f64().is_some_and(|bound| outside(number, bound))
    };
    beyond("minimum", |number, bound| number < bound)
        || beyond("maximum", |number, bound| number > bound)
        || beyond("exclusiveMinimum", |number, bound| number <= bound)
        || beyond("exclusiveMaximum", |number, bound| number >= bound)
}

/// Runs `text`, at least its beginning, or returns what is wrong with it.
fn outcome(text: &str) -> Result<(), String> {
    let setup = from_toml(text).and_then(|scenario| scenario.setup());
    let setup = setup.map_err(|error| error.to_string())?;
    // stopped from outside after 4096 steps
    let _ = Simulation::new(setup, Options::default()).run(&AtomicBool::new(true));
    Ok(())
}

/// Tries every value of `key`, and returns how many ran.
fn attack(header: &str, key: &str, described: &Value, base: &str) -> usize {
    let section = header.trim_matches(['[', ']']);
    let mut ran = 0;
    for value in tries(described) {
        let text = put(base, header, key, &value);
        match outcome(&text) {
            Ok(()) => {
                assert!(!is_outside(described, &value), "the schema refuses this:\n{text}");
                ran += 1;
            }
            Err(message) => {
                // a place is one of its node, and of its table
                let table =
                    matches!(section, "topology" | "node" | "link" | "move" | "flow" | "mobility");
                // a radio that could decode nothing is one whose threshold is too high for it
                let threshold = matches!(section, "radio" | "mac")
                    && message.contains("radio.receive_threshold");
                // and one that decodes hardly anything has no neighbours; long headers leave no room for a payload
                let room = section == "mac"
                    && ["traffic.payload", "everyone's reach"]
                        .iter()
                        .any(|told| message.contains(told));
                let named = message.contains(key)
                    || threshold
                    || room
                    || table && message.contains(section);
                assert!(named, "{key} is not named: {message}\n{text}");
            }
        }
    }
    ran
}

#[test]
fn every_number_is_refused_by_name_or_runs() {
    let schema: Value = serde_json::from_str(&json_schema()).expect("a schema is JSON");
    for (header, name, bases) in sections() {
        let section = if name.is_empty() { &schema } else { &schema["$defs"][name] };
        for (key, described) in section["properties"].as_object().expect("a section has keys") {
            if tries(described).is_empty() {
                continue;
            }
            let ran: usize = bases.iter().map(|base| attack(header, key, described, base)).sum();
            assert!(ran > 0, "{header} {key}: no value was right");
        }
    }
}

/// Scenarios with traffic of this kind.
fn with_traffic(kind: &str) -> Vec<String> {
    let terms = match kind {
        "cbr" => "load = \"100 kbit/s\"".to_owned(),
        "file" => "kind = \"file\"\nsize = \"5 kB\"".to_owned(),
        "poisson" => "kind = \"poisson\"\ninterval = \"10 ms\"".to_owned(),
        "replay" => "kind = \"replay\"\ntimes = \"time_s\\n0.1\\n\"".to_owned(),
        kind => format!("kind = \"{kind}\""),
    };
    let plain = instead("load = \"100 kbit/s\"", &terms);
    if kind == "replay" {
        // its times are those of the run
        return vec![plain.replace("start = \"0 s\"\n", "")];
    }
    if kind == "meshtastic" {
        // it is for everyone
        return vec![plain.replace("udp", "flooding")];
    }
    // late enough for packets that go a minute ahead
    let late = plain.replace("duration = \"1 s\"", "duration = \"80 s\"");
    let late = late.replace("start = \"0 s\"", "start = \"70 s\"");
    vec![plain.replace("udp", "newreno"), plain, late]
}

/// Scenarios with nodes that move so.
fn with_mobility(kind: &str) -> Vec<String> {
    let speeds = match kind {
        "random-waypoint" => "min_speed = \"1 m/s\"\nmax_speed = \"20 m/s\"\n",
        _ => "movements = \"$node_(3) set X_ 1.5\"\n",
    };
    let area = "kind = \"random\"\nnodes = 4\nwidth = \"200 m\"\nheight = \"200 m\"\nflows = 1";
    let still = instead("kind = \"chain\"\nhops = 2", area);
    vec![format!("{still}[mobility]\nkind = \"{kind}\"\n{speeds}")]
}

/// Scenarios with the part that the schema describes so, and what it needs.
fn with_part(section: &str, part: &Value) -> Vec<String> {
    let properties = &part["properties"];
    let name = |key: &str| properties[key]["const"].as_str().expect("a name").to_owned();
    match section {
        "scheme" => vec![instead("udp", &name("name"))],
        "radio" => {
            let propagation = name("propagation");
            let ranges = format!("{CHAIN}[radio]\npropagation = \"{propagation}\"\n");
            vec![ranges, measured(&propagation)]
        }
        "mac" => {
            let kind = name("kind");
            let chosen = format!("{CHAIN}[mac]\nkind = \"{kind}\"\n");
            if kind == "lora" {
                // a frame has 255 B at most
                let load = "load = \"100 kbit/s\"";
                return vec![chosen.replace(load, &format!("{load}\npayload = \"20 B\""))];
            }
            // rates that 802.11b lacks need a timing
            let any_rate = put(&chosen, "[mac]", "timing", "\"dsss\"");
            vec![chosen, any_rate]
        }
        "traffic" => with_traffic(&name("kind")),
        "mobility" => with_mobility(&name("kind")),
        "routing" | "wired" => vec![format!("{CHAIN}[{section}]\nkind = \"{}\"\n", name("kind"))],
        _ => {
            let mut keys = format!("kind = \"{}\"", name("kind"));
            for key in part["required"].as_array().expect("keys").iter().filter_map(Value::as_str) {
                // so small that thousands of steps are soon done
                let number = properties[key]["type"] == "integer";
                let small = if number { "4" } else { "\"200 m\"" };
                let _ = write!(keys, "\n{key} = {small}");
            }
            let flow = "[[flow]]\nfrom = \"n0\"\nto = \"n1\"\n";
            vec![instead("kind = \"chain\"\nhops = 2", &keys) + flow]
        }
    }
}

#[test]
fn every_parameter_is_refused_by_name_or_runs() {
    let schema: Value = serde_json::from_str(&json_schema()).expect("a schema is JSON");
    for section in ["scheme", "routing", "topology", "radio", "mac", "wired", "traffic", "mobility"]
    {
        for part in schema["$defs"][section]["anyOf"].as_array().expect("one each") {
            let bases = with_part(section, part);
            for (key, described) in part["properties"].as_object().expect("parameters") {
                if !tries(described).is_empty() {
                    let header = format!("[{section}]");
                    let tried = bases.iter().map(|base| attack(&header, key, described, base));
                    assert!(tried.sum::<usize>() > 0, "{section}.{key}: no value was right");
                }
            }
        }
    }
}
