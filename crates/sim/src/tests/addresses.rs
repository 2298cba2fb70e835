//! Nodes whose addresses are not their numbers.

use multihop_compose::fixed_routes;
use multihop_compose::record::replay;
use multihop_core::{AddressTable, NodeId};
use multihop_medium::medium;
use multihop_routing::{Life, ROUTINGS};
use multihop_schemes::SCHEMES;
use multihop_setup::Setup;

use crate::Options;
use crate::tests::{fingerprint, run, setup};

/// The set-up with other addresses: `address` of a node's number and how many nodes there are.
fn with(setup: Setup, address: fn(u32, u32) -> u32) -> Setup {
    let count = setup.nodes.len() as u32;
    let addresses = (0..count).map(|number| NodeId(address(number, count))).collect();
    Setup { addresses: AddressTable::new(addresses), ..setup }
}

fn outcome(setup: Setup) -> String {
    let tables = run(setup, Options::default());
    format!("{} {:?} {:?} {:?}", fingerprint(&tables), tables.runs, tables.flows, tables.nodes)
}

/// Runs `shape` with every scheme over every routing protocol.
fn everywhere(shape: &str, mut each: impl FnMut(Setup, &str)) {
    for scheme in SCHEMES {
        for routing in ROUTINGS.iter().filter(|routing| routing.serves(scheme.forwarding)) {
            let text = format!(
                "warmup = \"1 s\"\nduration = \"4 s\"\n[topology]\n{shape}\n\
                 [routing]\nkind = \"{}\"\n[scheme]\nname = \"{}\"\n\
                 [traffic]\nload = \"100 kbit/s\"\n",
                routing.name, scheme.name
            );
            each(setup(&text), &format!("{} over {}", scheme.name, routing.name));
        }
    }
}

/// What depends on addresses depends on their order only: which of two goes first.
#[test]
fn addresses_in_the_order_of_the_numbers_change_nothing() {
    everywhere("kind = \"bidirectional-cross\"\nhops = 4", |setup, name| {
        let plain = outcome(setup.clone());
        assert_eq!(outcome(with(setup, |number, _| 70_000 + 300 * number)), plain, "{name}");
    });
}

/// One flow: nobody has to choose between two.
#[test]
fn one_flow_is_the_same_whatever_the_addresses() {
    everywhere("kind = \"chain\"\nhops = 4", |setup, name| {
        let plain = outcome(setup.clone());
        assert_eq!(outcome(with(setup, |number, count| 9 * (count - number))), plain, "{name}");
    });
}

#[test]
fn wires_know_addresses_too() {
    let text = "duration = \"4 s\"\n[topology]\nkind = \"bidirectional-cross\"\nhops = 4\n[wired]\n\
                [scheme]\nname = \"udp\"\n[traffic]\nload = \"100 kbit/s\"\n";
    let plain = outcome(setup(text));
    assert_eq!(outcome(with(setup(text), |number, count| 9 * (count - number))), plain);
}

#[test]
fn a_recording_of_a_node_with_an_address_runs_again() {
    let text = "duration = \"4 s\"\n[topology]\nkind = \"chain\"\nhops = 3\n[scheme]\nname = \"cxcc\"\n\
                [traffic]\nload = \"50 kbit/s\"\n";
    for number in [0, 1, 3].map(NodeId) {
        let other = || with(setup(text), |number, count| 9 * (count - number));
        let options = Options { record: Some(number), ..Options::default() };
        let recording = run(other(), options).recording.expect("one was asked for");
        let medium = medium(&other());
        let mut routes = fixed_routes(&other(), &medium.neighbours(), &*medium);
        let routes = routes.swap_remove(number.index());
        let mut node = multihop_compose::node(&other(), number, routes, Life::default());
        assert!(replay(recording.as_bytes(), &mut node).expect("the same answers") > 100);
    }
}
