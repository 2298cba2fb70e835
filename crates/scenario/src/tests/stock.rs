//! What a kind of traffic lets every node send.

use multihop_core::{Bytes, NodeId, TrafficClass};
use multihop_setup::{Setup, Source};

use super::{right, with, wrong};

const MESH: &str = r#"[topology]
kind = "grid"
rows = 1
columns = 3
spacing = "1500 m"
[radio]
propagation = "log-distance"
transmit_power = "1 W"
[mac]
kind = "lora"
[scheme]
name = "meshtastic"
[traffic]
kind = "meshtastic"
"#;

fn of<'a>(setup: &'a Setup, name: &str) -> &'a Source {
    let found = setup.sources.iter().find(|source| source.name == name);
    found.unwrap_or_else(|| panic!("no flow is called {name}"))
}

/// The mean interval of a source in minutes.
fn minutes(setup: &Setup, name: &str) -> u64 {
    let source = of(setup, name);
    let seconds = source.traffic.payload.bits() as f64 / source.traffic.pattern.load();
    (seconds / 60.0).round() as u64
}

#[test]
fn every_node_sends_all_of_it_to_everyone() {
    let setup = right(MESH);
    let names: Vec<&str> = setup.sources.iter().map(|source| source.name.as_str()).collect();
    let expected = ["nodeinfo", "position", "telemetry", "text"]
        .map(|name| [0, 1, 2].map(|node| format!("{name} n{node}->everyone")));
    assert_eq!(names, expected.concat());
    for (name, class, bytes) in [
        ("nodeinfo n1->everyone", TrafficClass::Announcement, 83),
        ("position n1->everyone", TrafficClass::Report, 30),
        ("telemetry n1->everyone", TrafficClass::Report, 34),
        ("text n1->everyone", TrafficClass::Text, 40),
    ] {
        let source = of(&setup, name);
        assert_eq!(source.flow.class(), class, "{name}");
        assert_eq!(source.traffic.payload, Bytes(bytes), "{name}");
        assert_eq!((source.flow.source, source.flow.destination), (NodeId(1), NodeId::BROADCAST));
    }
    let less = right(&format!("{MESH}telemetry = false\ntext_payload = \"100 B\"\n"));
    assert_eq!(less.sources.len(), 9);
    assert_eq!(of(&less, "text n0->everyone").traffic.payload, Bytes(100));
}

#[test]
fn flows_that_a_table_or_a_topology_makes_carry_texts() {
    let direct = "[[flow]]\nfrom = \"n0\"\nto = \"n2\"\ntext_interval = \"2 h\"\n";
    let setup = right(&format!("{MESH}{direct}"));
    assert_eq!(setup.sources.len(), 13);
    assert_eq!(of(&setup, "n0->n2").flow.class(), TrafficClass::Text);
    assert_eq!((minutes(&setup, "n0->n2"), minutes(&setup, "text n0->everyone")), (120, 60));
    let other = direct.replace("text_interval", "kind = \"poisson\"\npayload = \"9 B\"\ninterval");
    assert_eq!(of(&right(&format!("{MESH}{other}")), "n0->n2").traffic.payload, Bytes(9));
    let chain = with(MESH, "kind = \"grid\"\nrows = 1\ncolumns = 3", "kind = \"chain\"\nhops = 2");
    assert_eq!(of(&right(&chain), "n0->n2").flow.class(), TrafficClass::Text);
    let alone = with(
        MESH,
        "kind = \"grid\"\nrows = 1\ncolumns = 3\nspacing = \"1500 m\"",
        "kind = \"random\"\nnodes = 4\nflows = 0\nwidth = \"2 km\"\nheight = \"2 km\"",
    );
    assert_eq!(right(&alone).sources.len(), 16);
    let here = "kind = \"poisson\"\ninterval = \"1 h\"\npayload = \"40 B\"";
    let silent = wrong(&with(&alone, "kind = \"meshtastic\"", here));
    assert!(silent.contains("there is no flow; give [[flow]] tables"), "{silent}");
}

#[test]
fn intervals_follow_from_the_role_of_a_node() {
    let roles = "[roles.roof]\nnodes = [\"n1\"]\nscheme.role = \"router\"\n";
    let setup = right(&format!("{MESH}{roles}"));
    for (name, client, router) in [("nodeinfo", 180, 180), ("telemetry", 60, 720), ("text", 60, 60)]
    {
        assert_eq!(minutes(&setup, &format!("{name} n0->everyone")), client, "{name}");
        assert_eq!(minutes(&setup, &format!("{name} n1->everyone")), router, "{name}");
    }
    let moved = right(&format!(
        "{MESH}[[move]]\nnode = \"n2\"\nat = \"2 s\"\nx = \"3100 m\"\ny = \"0 m\"\nspeed = \"5 m/s\"\n"
    ));
    assert_eq!(minutes(&moved, "position n2->everyone"), 60);
    assert_eq!(minutes(&moved, "position n0->everyone"), 720);
    let doubled = right(&format!("{MESH}load_factor = 2\n"));
    assert_eq!(minutes(&doubled, "text n0->everyone"), 30);
}

#[test]
fn what_it_cannot_be_is_refused() {
    for (line, message) in [
        ("class = \"report\"", "line 15: traffic.class: does not apply to kind \"meshtastic\""),
        ("payload = \"9 B\"", "line 15: traffic.payload: does not apply to kind \"meshtastic\""),
        ("text_payload = \"250 B\"", "line 15: traffic.text_payload: a payload of 250 B and "),
        ("load_factor = 0", "line 15: traffic.load_factor: must lie between "),
    ] {
        let said = wrong(&format!("{MESH}{line}\n"));
        assert!(said.starts_with(message), "{said}");
    }
    let udp = with(MESH, "name = \"meshtastic\"", "name = \"udp\"");
    let said = wrong(&udp);
    assert!(said.starts_with("line 14: traffic.kind: is for several nodes, but 'udp'"), "{said}");
}
