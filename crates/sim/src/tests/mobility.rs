//! Nodes that move: who hears whom follows their positions.

use multihop_core::{NodeId, Time};

use crate::mac::{BROADCAST, Job};
use crate::tests::air::{Air, PACKET};
use crate::tests::{assert_balanced, fingerprint, integers, run, setup};
use crate::{Options, Simulation};

fn seconds(s: u64) -> Time {
    Time::from_nanos(s * 1_000_000_000)
}

#[test]
fn a_node_out_of_reach_stops_receiving_and_comes_back() {
    let mut air = Air::chain(2, "", 1);
    air.saturated[0] =
        Some(Job { to: BROADCAST, packet: 0, bytes: PACKET, acknowledged: false, marked: false });
    let mut heard = Vec::new();
    for (second, x) in (1..).zip([200.0, 249.9, 250.1, 549.0, 551.0, 5000.0, 200.0]) {
        air.channel.move_node(NodeId(1), x, 0.0);
        let before = (air.received(1).len(), air.stations[1].air_times(air.now).1);
        air.run(seconds(second));
        let sensed = air.stations[1].air_times(air.now).1.saturating_sub(before.1).seconds();
        heard.push((air.received(1).len() - before.0 > 190, sensed > 0.9));
    }
    let (decodes, senses, nothing) = ((true, true), (false, true), (false, false));
    assert_eq!(heard, [decodes, decodes, senses, senses, nothing, nothing, decodes]);
}

#[test]
fn both_directions_of_a_link_move_together() {
    let mut air = Air::chain(3, "", 1);
    // Node 1 goes from between the others to beyond node 2.
    air.channel.move_node(NodeId(1), 600.0, 0.0);
    let neighbours = air.channel.neighbours();
    let ids = |numbers: &[u32]| -> Vec<NodeId> { numbers.iter().copied().map(NodeId).collect() };
    assert_eq!(neighbours, [ids(&[]), ids(&[2]), ids(&[1])]);
    air.channel.move_node(NodeId(1), 200.0, 0.0);
    assert_eq!(air.channel.neighbours(), [ids(&[1]), ids(&[0, 2]), ids(&[1])]);
}

const CHAIN: &str = "warmup = \"1 s\"\nduration = \"4 s\"\n[topology]\nkind = \"chain\"\nhops = 2\n\
                     [scheme]\nname = \"udp\"\n[traffic]\nload = \"50 kbit/s\"\nstart = \"0 s\"\n";

#[test]
fn a_run_whose_relay_has_left_delivers_nothing() {
    let mut simulation = Simulation::new(setup(CHAIN), Options::default());
    simulation.move_node(NodeId(1), 2000.0, 0.0);
    let tables = simulation.run(&false.into()).expect("nobody interrupts the run");
    let (sent, delivered, lost) = assert_balanced(&tables, "the relay has left");
    assert!(sent > 50 && delivered == 0 && lost > 10);
}

#[test]
fn a_node_that_moves_to_where_it_is_changes_nothing() {
    let mut simulation = Simulation::new(setup(CHAIN), Options::default());
    simulation.move_node(NodeId(1), 3000.0, 7.0);
    simulation.move_node(NodeId(1), 200.0, 0.0);
    let tables = simulation.run(&false.into()).expect("nobody interrupts the run");
    assert_eq!(fingerprint(&tables), fingerprint(&run(setup(CHAIN), Options::default())));
}

#[test]
fn a_relay_that_leaves_and_comes_back_interrupts_the_flow() {
    let never = false.into();
    let mut simulation = Simulation::new(setup(CHAIN), Options::default());
    for (until, x) in [(2, 2000.0), (4, 200.0)] {
        simulation.run_until(seconds(until), &never).expect("nobody interrupts the run");
        simulation.move_node(NodeId(1), x, 0.0);
    }
    let tables = simulation.run(&never).expect("nobody interrupts the run");
    assert_balanced(&tables, "the relay left and came back");
    let delivered = integers(&tables.series, "delivered");
    let [before, also, away, still, back] = delivered[..] else { panic!("{delivered:?}") };
    assert!(before > 5 && also > 10 && back > 10, "{delivered:?}");
    assert!(away <= 1 && still == 0, "{delivered:?}");
}
