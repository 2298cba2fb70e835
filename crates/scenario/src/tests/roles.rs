//! Nodes that differ: roles, radios, parameters.

use multihop_core::{Count, NodeId, Value};

use super::{CHAIN, EXPLICIT, right, with, wrong};
use multihop_setup::{Radios, Setup};

/// [`CHAIN`] with tables more.
fn beside(tables: &str) -> String {
    format!("{CHAIN}{tables}\n")
}

fn roles(setup: &Setup) -> Vec<&str> {
    setup.nodes.iter().map(|node| node.own.role.as_deref().unwrap_or("-")).collect()
}

const QUEUE_LIMIT: Count =
    Count { name: "queue_limit", about: "", unit: "packets", default: 0, min: 1, max: u32::MAX };

#[test]
fn nodes_have_the_roles_that_name_them() {
    let router = beside("[roles.router]\nnodes = [\"n1\", \"n3\"]\ntransmit_power = \"1 W\"");
    let setup = right(&router);
    assert_eq!(roles(&setup), ["-", "router", "-", "router", "-"]);
    let power = |node: usize| setup.nodes[node].own.fitting.map(|own| own.transmit_power);
    assert_eq!((power(0), power(1)), (None, Some(1.0)));
    let own = with(
        EXPLICIT,
        "name = \"beta\"",
        "name = \"beta\"\nrole = \"router\"\nantenna_height = \"8 m\"",
    );
    let setup = right(&format!(
        "{own}[roles.router]\nantenna_height = \"6 m\"\nantenna_gain = \"10 dBi\"\n"
    ));
    assert_eq!(roles(&setup), ["-", "router", "-"]);
    let own = setup.nodes[1].own.fitting.expect("it says so");
    assert_eq!(
        (own.antenna_height, own.antenna_gain),
        (8.0, 10.0),
        "its own goes before its role's"
    );
}

#[test]
fn a_share_is_drawn_by_the_seed_from_those_without_a_role() {
    let grid = with(
        CHAIN,
        "\"chain\"\nhops = 4",
        "\"grid\"\nrows = 10\ncolumns = 10\nhorizontal_flows = 1",
    );
    let shared = format!(
        "{grid}[roles.a]\nshare = \"12.4 %\"\n[roles.b]\nnodes = [\"n0\"]\nshare = \"30 %\"\n"
    );
    let of = |text: &str| -> Vec<String> {
        roles(&right(text)).into_iter().map(str::to_owned).collect()
    };
    let first = of(&shared);
    let count = |role: &str| first.iter().filter(|one| *one == role).count();
    assert_eq!((count("a"), count("b")), (12, 31), "rounded, and besides those that are named");
    assert_eq!(first[0], "b");
    assert_eq!(first, of(&shared), "the same seed, the same nodes");
    assert_ne!(first, of(&format!("seed = 2\n{shared}")));
    // every node may have it
    let mut drawn = [0; 100];
    for seed in 1..=200 {
        let text = format!("seed = {seed}\n{grid}[roles.a]\nshare = \"20 %\"\n");
        for (node, role) in of(&text).iter().enumerate() {
            drawn[node] += usize::from(role == "a");
        }
    }
    // 200 draws of one in five: 40, with a deviation of 5.7
    assert!(drawn.iter().all(|count| (17..=63).contains(count)), "{drawn:?}");
    assert_eq!(drawn.iter().sum::<usize>(), 200 * 20);
}

#[test]
fn parameters_of_the_scheme_differ() {
    let queue = "[roles.big]\nnodes = [\"n2\"]\nscheme.queue_limit = 7\n";
    let setup = right(&beside(queue));
    let limit = |node: u32| setup.params_of(NodeId(node)).get(QUEUE_LIMIT);
    assert_eq!((limit(1), limit(2)), (49, 7));
    assert!(setup.nodes[1].own.params.is_none(), "the others keep the common ones");
    let common = with(&beside(queue), "name = \"udp\"", "name = \"udp\"\nqueue_limit = 3");
    let setup = right(&common);
    let values = |node: u32| setup.params_of(NodeId(node)).values.named("queue_limit").cloned();
    assert_eq!((values(1), values(2)), (Some(Value::Count(3)), Some(Value::Count(7))));
}

#[test]
fn nodes_have_schemes_of_their_own() {
    let old = "[roles.old]\nnodes = [\"n1\"]\nscheme = { name = \"newreno\", queue_limit = 7 }\n";
    let common = with(&beside(old), "name = \"udp\"", "name = \"wxcp\"\nqueue_limit = 9");
    let setup = right(&common);
    let name = |node: u32| setup.scheme_of(NodeId(node)).name;
    assert_eq!((name(0), name(1)), ("wxcp", "newreno"));
    let names: Vec<_> = setup.schemes().iter().map(|scheme| scheme.name).collect();
    assert_eq!(names, ["wxcp", "newreno"], "each once");
    let of_newreno = setup.params_of(NodeId(1));
    assert_eq!(of_newreno.values.named("queue_limit"), Some(&Value::Count(7)));
    // what [scheme] says is of the scheme there
    let alone = with(&common, ", queue_limit = 7", "");
    let limit = right(&alone).params_of(NodeId(1)).values.named("queue_limit").cloned();
    assert_eq!(limit, Some(Value::Count(49)), "its default");
    // a node before its role, and what its role says of another scheme is nothing to it
    let node = with(
        EXPLICIT,
        "name = \"beta\"",
        "name = \"beta\"\nrole = \"old\"\nscheme.name = \"vegas\"",
    );
    let setup = right(&format!("{node}[roles.old]\nscheme = {{ name = \"cl\", reuse = 2 }}\n"));
    assert_eq!(setup.scheme_of(NodeId(1)).name, "vegas");
    // the scheme under test by its name is no other scheme
    let same = right(&beside("[roles.r]\nnodes = [\"n1\"]\nscheme.name = \"udp\"\n"));
    assert_eq!((same.nodes[1].own.scheme, same.schemes().len()), (None, 1));
}

#[test]
fn all_nodes_have_a_mac_that_suits_all_schemes() {
    let role =
        |name: &str| beside(&format!("[roles.r]\nnodes = [\"n1\"]\nscheme.name = \"{name}\"\n"));
    let mac = |text: &str| right(text).medium.mac.name;
    assert_eq!([mac(CHAIN), mac(&role("hxh")), mac(&role("cxcc"))], ["dcf", "dcf", "csma"]);
    let message = wrong(&with(&role("cxcc"), "name = \"udp\"", "name = \"hxh\""));
    assert!(
        message.starts_with("line 12: roles.r.scheme.name: 'cxcc' does itself what the"),
        "{message}"
    );
    let message = wrong(&role("flooding"));
    assert_eq!(
        message,
        "line 12: roles.r.scheme.name: 'udp' sends them to one next hop, but 'flooding' sends packets to all neighbours, \
         and all nodes have the same routing; name a scheme of the same kind"
    );
}

#[test]
fn what_cannot_be_is_refused_where_it_stands() {
    for (tables, message) in [
        (
            "[roles.r]\nnodes = [\"n9\"]",
            "line 11: roles.r.nodes: unknown node 'n9'; there are n0 to n4",
        ),
        (
            "[roles.r]\nnodes = [\"n1\"]\n[roles.s]\nnodes = [\"n1\"]",
            "line 13: roles.s.nodes: 'n1' has the role 'r' already; a node has one",
        ),
        (
            "[roles.r]\nshare = \"60 %\"\n[roles.s]\nshare = \"60 %\"",
            "line 13: roles.s.share: is 3 nodes, and only 2 have no other role; lower it, or the other shares",
        ),
        (
            "[roles.r]\nshare = \"101 %\"",
            "line 11: roles.r.share: \"101 %\" is too large; a share may be at most 1e2 %",
        ),
        (
            "[roles.r]\nshare = 0.1",
            "line 11: roles.r.share: 0.1 has no unit; a share wants %, as in \"10 %\"",
        ),
        (
            "[roles.r]\ntransmit_power = \"0 W\"",
            "line 11: roles.r.transmit_power: must be greater than zero",
        ),
        (
            "[roles.r]\nscheme.queue_limit = 0",
            "line 11: roles.r.scheme.queue_limit: must lie between 1 and 1000000 packets (got 0)",
        ),
        (
            "[roles.r]\nscheme.queue_limt = 9",
            "line 11: roles.r.scheme.queue_limt: unknown key 'queue_limt', did you mean 'queue_limit'?",
        ),
        (
            "[roles.r]\nscheme.name = \"wke\"",
            "line 11: roles.r.scheme.name: unknown scheme 'wke', did you mean 'wake'?",
        ),
        (
            "[roles.r]\nscheme.name = 3",
            "line 11: roles.r.scheme.name: must be the name of a scheme, as text",
        ),
        (
            "[roles.r]\nscheme = { name = \"newreno\", hold = 2 }",
            "line 11: roles.r.scheme.hold: does not apply to name \"newreno\"; it belongs to cxcc-lora or wake",
        ),
        ("[roles.r]\npower = \"1 W\"", "line 11: roles.r.power: unknown key 'power'"),
        (
            "[roles.r]\nantenna_gain = \"3 dB\"",
            "line 11: roles.r.antenna_gain: \"3 dB\" is a level; a gain wants dBi",
        ),
        (
            "[wired]\n[roles.r]\ntransmit_power = \"1 W\"",
            "line 12: roles.r.transmit_power: is of a radio, which [wired] has not; remove one of the two",
        ),
        (
            "[roles.r]\nsense_threshold = \"-60 dBm\"",
            "line 11: roles.r.sense_threshold: must not be above the power from which frames are decoded (\"-60 dBm\" against -64.37 dBm)",
        ),
        (
            "[mac]\ntiming = \"ofdm-5\"\n[roles.r]\nsense_threshold = \"-95 dBm\"",
            "line 13: roles.r.sense_threshold: does not apply: a receiver of OFDM finds",
        ),
        (
            "[wired]\n[roles.r]\nsense_threshold = \"-95 dBm\"",
            "line 12: roles.r.sense_threshold: is of a radio, which [wired] has not",
        ),
    ] {
        let found = wrong(&beside(tables));
        assert!(found.starts_with(message), "{found}");
    }
    let role = |name: &str| {
        with(EXPLICIT, "name = \"beta\"", &format!("name = \"beta\"\nrole = \"{name}\""))
    };
    let message = wrong(&role("router"));
    assert_eq!(
        message,
        "line 13: node[1].role: there is no role 'router'; say what it is in [roles.router]"
    );
    let message = wrong(&format!("{}[roles.router]\n", role("ruoter")));
    assert!(
        message.starts_with("line 13: node[1].role: unknown role 'ruoter', did you mean 'router'?"),
        "{message}"
    );
    let ns3 = format!(
        "simulator = \"ns3\"\n{}",
        beside("[roles.r]\nnodes = [\"n1\"]\ntransmit_power = \"1 W\"")
    );
    let message = wrong(&ns3);
    assert!(
        message.starts_with(
            "line 1: simulator: ns-3 gives every node the radio of [radio], and 'n1' has"
        ),
        "{message}"
    );
}

#[test]
fn a_mac_that_says_what_is_sensed_leaves_no_threshold_to_nodes() {
    let lora =
        "[mac]\nkind = \"lora\"\n[roles.r]\nnodes = [\"n1\"]\nsense_threshold = \"-140 dBm\"";
    let message = wrong(&with(&beside(lora), "name = \"udp\"", "name = \"flooding\""));
    assert!(
        message.contains("sense_threshold: does not apply: with \"lora\", [mac] says"),
        "{message}"
    );
}

#[test]
fn more_radios_than_there_is_room_for_are_refused() {
    let grid =
        with(CHAIN, "\"chain\"\nhops = 4", "\"grid\"\nrows = 9\ncolumns = 9\nhorizontal_flows = 1");
    let roles = |count: usize| -> String {
        let role = |n: usize| {
            format!("[roles.r{n}]\nnodes = [\"n{n}\"]\nantenna_height = \"{}.5 m\"\n", n + 2)
        };
        (0..count).map(role).collect()
    };
    // and that of [radio]
    assert_eq!(right(&format!("{grid}{}", roles(63))).nodes.len(), 81);
    let message = wrong(&format!("{grid}{}", roles(64)));
    assert!(message.contains("node: has more than 64 different radios"), "{message}");
}

/// A sends with a quarter of the power over free space: half as far.
const WEAK: &str = "[radio]\npropagation = \"free-space\"\n[roles.weak]\nnodes = [\"n1\"]\n\
                    transmit_power = \"0.0704595375 W\"\n";

#[test]
fn fixed_routes_use_links_in_both_directions_only() {
    let near = with(&beside(WEAK), "hops = 4", "hops = 4\nspacing = \"120 m\"");
    assert_eq!(right(&near).nodes.len(), 5, "125 m is its range");
    let message = wrong(&beside(WEAK));
    assert!(
        message.starts_with("line 3: topology: there is no route from 'n0' to 'n4': neighbours are those that decode"),
        "{message}"
    );
    assert!(
        message.ends_with("add a node between them, or raise transmit_power or antenna_gain"),
        "{message}"
    );
    // an antenna of 6 dBi makes up for it, in both directions
    let gain = beside(&format!("{WEAK}antenna_gain = \"6.03 dBi\"\n"));
    assert_eq!(right(&gain).nodes.len(), 5);
}

#[test]
fn a_pair_has_one_budget_for_each_direction() {
    let setup = right(&with(&beside(WEAK), "hops = 4", "hops = 4\nspacing = \"120 m\""));
    let radio = setup.medium.radio().expect("a radio");
    let radios = Radios::new(radio, &setup.nodes).expect("two radios");
    let [n0, n1, n2] = [0, 1, 2].map(NodeId);
    for (from, to, range) in [(n1, n0, 125.0), (n0, n1, 250.0), (n0, n2, 250.0)] {
        assert!(radios.decodes(from, to, range * 0.999), "{from:?} {to:?}");
        assert!(!radios.decodes(from, to, range * 1.001), "{from:?} {to:?}");
    }
    assert!(radios.join(n0, n1, 124.9) && !radios.join(n0, n1, 125.1));
    assert!((radios.reach() - 250.0).abs() < 0.001, "{}", radios.reach());
}

#[test]
fn heights_of_both_ends_count_in_two_ray_ground() {
    let text = beside(
        "[radio]\nreceive_range = \"600 m\"\nsense_range = \"900 m\"\n[roles.roof]\nnodes = [\"n1\"]\nantenna_height = \"6 m\"",
    );
    let setup = right(&text);
    let radios = Radios::new(setup.medium.radio().expect("a radio"), &setup.nodes).expect("two");
    // beyond the crossover distance power grows with the square of the product: four times the height, twice as far
    let [n0, n1] = [0, 1].map(NodeId);
    for (from, to) in [(n0, n1), (n1, n0)] {
        assert!(radios.decodes(from, to, 1_199.0) && !radios.decodes(from, to, 1_201.0));
    }
}

#[test]
fn a_link_in_one_direction_is_named() {
    let aodv = format!("{}[routing]\nkind = \"aodv\"\n", beside(WEAK));
    let scenario = crate::from_toml(&aodv).expect("its form is right");
    let notes = scenario.notes().expect("right");
    let note = notes.iter().find(|note| note.key == "roles").expect("one about the link");
    let message = &note.message;
    assert!(
        message.starts_with(
            "'n1' hears 'n0', and not the other way round (2 links are like it): \"aodv\""
        ),
        "{message}"
    );
    assert!(message.ends_with("raise the transmit_power of 'n1'"), "{message}");
    let blacklist = aodv.replace("\"aodv\"\n", "\"aodv\"\nblacklist = true\n");
    let notes = crate::from_toml(&blacklist).and_then(|scenario| scenario.notes()).expect("right");
    let note = notes.iter().find(|note| note.key == "roles").expect("the link is there still");
    assert!(note.message.contains("the link is in one direction only"), "{note}");
}

#[test]
fn keys_without_effect_are_named() {
    let unheeded = |text: &str| -> Vec<String> {
        let notes = crate::from_toml(text).and_then(|scenario| scenario.notes()).expect("right");
        notes.into_iter().filter(|note| note.unheeded).map(|note| note.to_string()).collect()
    };
    let height = beside(
        "[radio]\npropagation = \"free-space\"\n[roles.r]\nnodes = [\"n1\"]\nantenna_height = \"3 m\"",
    );
    let expected =
        "line 14: not heeded: roles.r.antenna_height by free-space, which asks for no height";
    assert_eq!(unheeded(&height), [expected]);
    let all =
        "[roles.all]\nnodes = [\"n0\", \"n1\", \"n2\", \"n3\", \"n4\"]\ntransmit_power = \"0.3 W\"";
    let thresholds = "receive_threshold = \"-64 dBm\"\nsense_threshold = \"-78 dBm\"";
    let power = beside(&format!("[radio]\n{thresholds}\ntransmit_power = \"2 W\"\n{all}"));
    let expected =
        "line 13: not heeded: radio.transmit_power by the nodes, each of which has its own";
    assert_eq!(unheeded(&power), [expected]);
    let ranges = beside(&format!("[radio]\ntransmit_power = \"0.2 W\"\n{all}"));
    assert!(unheeded(&ranges).is_empty(), "the thresholds follow from it");
}
