//! What a tree knows of the parts that were added to it: they are listed, stand in the schema, and
//! run.

use std::sync::atomic::AtomicBool;

use multihop_medium::MACS;
use multihop_medium::propagation::PROPAGATIONS;
use multihop_routing::ROUTINGS;
use multihop_scenario::{MOBILITIES, TOPOLOGIES, from_toml, json_schema};
use multihop_schemes::SCHEMES;
use multihop_setup::TRAFFICS;
use multihop_sim::{Options, Simulation};
use multihop_trace::Column;

fn delivered(text: &str) -> i64 {
    let text = format!("warmup = \"1 s\"\nduration = \"4 s\"\n{text}");
    let setup = from_toml(&text).and_then(|scenario| scenario.setup());
    let setup = setup.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let tables = Simulation::new(setup, Options::default()).run(&AtomicBool::new(false));
    let tables = tables.expect("nobody interrupts the run");
    let column = tables.flows.iter().find(|(name, _)| *name == "run_delivered");
    match column {
        Some((_, Column::Integer(rows))) => rows.iter().sum(),
        other => panic!("no packets are counted: {other:?}"),
    }
}

#[test]
fn what_was_added_is_listed_described_and_runs() {
    assert!(SCHEMES.iter().any(|scheme| scheme.name == "lifo"));
    assert!(SCHEMES.iter().any(|scheme| scheme.name == "plain"));
    assert!(ROUTINGS.iter().any(|routing| routing.name == "line"));
    assert!(TOPOLOGIES.iter().any(|topology| topology.name == "ring"));
    assert!(MACS.iter().any(|mac| mac.name == "aloha"));
    assert!(PROPAGATIONS.iter().any(|model| model.name == "dual-slope"));
    assert!(TRAFFICS.iter().any(|kind| kind.name == "bursts"));
    assert!(MOBILITIES.iter().any(|model| model.name == "drift"));
    let schema = json_schema();
    for name in ["lifo", "plain", "line", "ring", "stride", "aloha", "persistence", "loss_exponent", "burst", "drift_speed"] {
        assert!(schema.contains(&format!("\"{name}\"")), "{name} is not in the schema");
    }
    let chain = "[topology]\nkind = \"chain\"\nhops = 4\n";
    let load = "[traffic]\nload = \"50 kbit/s\"\nstart = \"0 s\"\n";
    let ring = "[topology]\nkind = \"ring\"\nnodes = 6\nspacing = \"150 m\"\n";
    for (topology, routing, scheme) in [
        (chain, "kind = \"fixed\"", "name = \"lifo\"\nqueue_limit = 7"),
        (chain, "kind = \"aodv\"", "name = \"plain\"\nmin_rto = \"200 ms\""),
        (chain, "kind = \"line\"\nstride = 1", "name = \"udp\""),
        (ring, "kind = \"fixed\"", "name = \"udp\""),
    ] {
        let text = format!("{topology}[routing]\n{routing}\n[scheme]\n{scheme}\n{load}");
        assert!(delivered(&text) > 10, "{text}");
    }
    let bursts = format!("{chain}[scheme]\nname = \"udp\"\n[traffic]\nkind = \"bursts\"\nburst = 3\n");
    assert!((10..=15).contains(&delivered(&bursts)), "five bursts of three at the most");
    // All drift alike, so that nobody goes out of reach.
    let drift = format!("{chain}[mobility]\nkind = \"drift\"\n[scheme]\nname = \"udp\"\n{load}");
    assert!(delivered(&drift) > 10);
    // With thresholds instead of ranges, a steeper law decides who is heard.
    let law = "[radio]\npropagation = \"dual-slope\"\nreceive_threshold = \"-85 dBm\"\n\
               sense_threshold = \"-95 dBm\"\n";
    let near = format!("{chain}{law}loss_exponent = 2\n[scheme]\nname = \"udp\"\n{load}");
    assert!(delivered(&near) > 10);
    let far = near.replace("loss_exponent = 2", "loss_exponent = 6");
    assert!(from_toml(&far).and_then(|scenario| scenario.setup()).is_err(), "nobody is in reach");
    // A MAC that acknowledges nothing suits whoever needs no more than frames for one neighbour.
    let pair = "[topology]\nkind = \"chain\"\nhops = 1\n[mac]\nkind = \"aloha\"\nslot = \"6 ms\"\n";
    let often = format!("{pair}persistence = 0.9\n[scheme]\nname = \"udp\"\n{load}");
    let seldom = often.replace("0.9", "0.02");
    let (often, seldom) = (delivered(&often), delivered(&seldom));
    assert!(often > 40 && seldom > 0 && often > 2 * seldom, "{often} and {seldom}");
    let needy = format!("{pair}[scheme]\nname = \"lecn\"\n{load}");
    let refused = from_toml(&needy).and_then(|scenario| scenario.setup()).err();
    let refused = refused.expect("it has no link acknowledgments").to_string();
    assert!(refused.contains("link acknowledgments, which the slotted ALOHA MAC"), "{refused}");
}
