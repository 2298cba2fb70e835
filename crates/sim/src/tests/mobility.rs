//! Runs in which nodes move.

use multihop_core::{NodeId, Purpose, Rng};
use multihop_setup::Setup;

use crate::Options;
use crate::tests::{assert_balanced, fingerprint, floats, integers, run, seconds, setup, track};

/// Every node of `setup` moves as the random waypoint model says, within a square of `side` m.
fn wander(mut setup: Setup, side: f64) -> Setup {
    for (number, node) in (0..).zip(&mut setup.nodes) {
        let mut rng = Rng::stream(setup.seed, NodeId(number), Purpose::Other);
        let (mut time, mut place, mut legs) = (0.0, (node.x, node.y), Vec::new());
        while seconds(time) < setup.end {
            let to = (rng.between(0.0, side), rng.between(0.0, side));
            let length = libm::hypot(to.0 - place.0, to.1 - place.1);
            let begin = time + rng.between(0.0, 2.0);
            time = begin + length / rng.between(10.0, 40.0);
            legs.push((begin, time, to));
            place = to;
        }
        node.track = track((node.x, node.y), &legs);
    }
    setup
}

/// Every node sets out again and again, and stays where it is.
fn tread(mut setup: Setup) -> Setup {
    for node in &mut setup.nodes {
        let place = (node.x, node.y);
        let legs: Vec<_> = (0u32..50)
            .map(f64::from)
            .map(|start| (0.2 * start, 0.2 * start + 0.15, place))
            .collect();
        node.track = track(place, &legs);
    }
    setup
}

const NETWORK: &str = "warmup = \"1 s\"\nduration = \"19 s\"\n[topology]\nkind = \"random\"\n\
                       nodes = 30\nwidth = \"800 m\"\nheight = \"800 m\"\nflows = 4\n";
const AODV: &str = "[routing]\nkind = \"aodv\"\n";
const CBR: &str = "[traffic]\nload = \"30 kbit/s\"\nstart = \"0.1 s\"\n";
const FTP: &str = "[traffic]\nkind = \"ftp\"\n";

fn networks() -> [String; 6] {
    let shadow = "[radio]\npropagation = \"log-normal-shadowing\"\nbit_error_rate = 1e-5\n";
    let free = "[radio]\npropagation = \"free-space\"\n";
    [
        format!("[scheme]\nname = \"udp\"\n{CBR}"),
        format!("[scheme]\nname = \"udp\"\n{AODV}{CBR}{shadow}"),
        format!("[scheme]\nname = \"cxcc\"\n{AODV}{CBR}"),
        format!("[scheme]\nname = \"newreno\"\n[mac]\nrts_cts = true\n{AODV}{FTP}"),
        format!("[scheme]\nname = \"sack\"\n{AODV}{FTP}{free}"),
        format!("[scheme]\nname = \"lecn\"\n{AODV}{FTP}[measure]\ncongestion_potential = true\n"),
    ]
    .map(|keys| format!("{NETWORK}{keys}"))
}

#[test]
fn movement_over_no_distance_changes_nothing() {
    for text in networks() {
        let [still, treading] =
            [setup(&text), tread(setup(&text))].map(|setup| run(setup, Options::default()));
        assert_eq!(fingerprint(&still), fingerprint(&treading), "{text}");
        let statistics =
            |tables: &crate::Tables| format!("{:?}{:?}", tables.nodes, tables.congestion);
        assert_eq!(statistics(&still), statistics(&treading), "{text}");
    }
}

#[test]
fn moving_networks_keep_the_books_and_can_be_repeated() {
    for text in networks() {
        let first = run(wander(setup(&text), 800.0), Options::default());
        let (sent, delivered, _) = assert_balanced(&first, &text);
        assert!(sent > 100 && delivered > 0, "{delivered} of {sent}: {text}");
        let traced = Options { trace: true, ..Options::default() };
        for options in [Options::default(), traced] {
            let again = run(wander(setup(&text), 800.0), options);
            assert_eq!(fingerprint(&again), fingerprint(&first), "{text}");
            let flows = |tables: &crate::Tables| format!("{:?}", tables.flows);
            assert_eq!(flows(&again), flows(&first), "{text}");
        }
        assert_ne!(fingerprint(&first), fingerprint(&run(setup(&text), Options::default())));
    }
}

const CHAIN: &str = "warmup = \"1 s\"\nduration = \"4 s\"\n[topology]\nkind = \"chain\"\nhops = 2\n\
                     [scheme]\nname = \"udp\"\n[traffic]\nload = \"50 kbit/s\"\nstart = \"0 s\"\n";

#[test]
fn a_relay_that_leaves_and_comes_back_interrupts_the_flow() {
    let mut setup = setup(CHAIN);
    let there_and_back = [(1.9, 2.0, (2000.0, 0.0)), (3.9, 4.0, (200.0, 0.0))];
    setup.nodes[1].track = track((200.0, 0.0), &there_and_back);
    let tables = run(setup, Options::default());
    assert_balanced(&tables, "the relay left and came back");
    let delivered = integers(&tables.series, "delivered");
    let [before, also, away, still, back] = delivered[..] else { panic!("{delivered:?}") };
    assert!(before > 5 && also > 8 && back > 8, "{delivered:?}");
    assert!(away <= 1 && still <= 1, "{delivered:?}");
}

#[test]
fn fixed_routes_are_those_of_the_start() {
    let mut setup = setup(CHAIN);
    setup.nodes[1].track = track((200.0, 0.0), &[(0.0, 0.001, (2000.0, 0.0))]);
    let tables = run(setup, Options::default());
    let (sent, delivered, lost) = assert_balanced(&tables, "the relay has left");
    assert!(sent > 50 && delivered == 0 && lost > 10);
}

#[test]
fn the_potential_follows_the_nodes() {
    // Two pairs, each saturated; the second comes near the first after 10 s of 20 s.
    let text = "warmup = \"0 s\"\nduration = \"20 s\"\n[topology]\nkind = \"explicit\"\n\
        [[node]]\nname = \"a\"\nx = \"0 m\"\ny = \"0 m\"\n\
        [[node]]\nname = \"b\"\nx = \"100 m\"\ny = \"0 m\"\n\
        [[node]]\nname = \"c\"\nx = \"3 km\"\ny = \"0 m\"\n\
        [[node]]\nname = \"d\"\nx = \"3.1 km\"\ny = \"0 m\"\n\
        [[flow]]\nfrom = \"a\"\nto = \"b\"\n[[flow]]\nfrom = \"c\"\nto = \"d\"\n\
        [scheme]\nname = \"udp\"\n[traffic]\nload = \"2 Mbit/s\"\nstart = \"0 s\"\n\
        [measure]\ncongestion_potential = true\n";
    let mut setup = setup(text);
    for (node, x) in [(2, 200.0), (3, 300.0)] {
        let start = (setup.nodes[node].x, 0.0);
        setup.nodes[node].track = track(start, &[(9.99, 10.0, (x, 0.0))]);
    }
    let table = run(setup, Options::default()).congestion.expect("it was asked for");
    let rows = integers(&table, "node").into_iter().zip(integers(&table, "congestion_potential"));
    let time = |node: i64, value: i64| -> f64 {
        let times = rows.clone().zip(floats(&table, "time_s"));
        times.filter(|(row, _)| *row == (node, value)).map(|(_, time)| time).sum()
    };
    for node in [-1, 0, 1, 2, 3] {
        let (alone, together) = (time(node, 1), time(node, 2));
        assert!((9.5..10.2).contains(&alone) && (9.5..10.1).contains(&together), "node {node}");
    }
}

#[test]
fn the_positions_of_nodes_that_move_are_in_the_results() {
    assert!(run(setup(CHAIN), Options::default()).positions.is_none());
    let mut setup = setup(CHAIN);
    setup.nodes[1].track =
        track((200.0, 0.0), &[(1.0, 2.0, (210.0, 5.0)), (60.0, 70.0, (0.0, 0.0))]);
    let table = run(setup, Options::default()).positions.expect("a node moves");
    assert_eq!(integers(&table, "node"), [0, 1, 1, 1, 2]);
    assert_eq!(floats(&table, "time_s"), [0.0, 0.0, 1.0, 2.0, 0.0]);
    assert_eq!(floats(&table, "x_m"), [0.0, 200.0, 200.0, 210.0, 400.0]);
    assert_eq!(floats(&table, "y_m"), [0.0, 0.0, 0.0, 5.0, 0.0]);
}
