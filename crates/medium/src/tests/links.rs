//! A channel that is given by its links: reception, capture and carrier sense follow from them.

use std::fmt::Write;

use multihop_core::{Bytes, Duration, NodeId, Outcome, Time};
use multihop_setup::Track;
use multihop_setup::{Link, Links, Node, Radio, Unlisted};

use crate::channel::Channel;
use crate::dcf::{BROADCAST, FrameKind, Job};
use crate::tests::air::{Air, at, job, medium, radio_and_mac};

/// The channel of nodes without places between which there are these links, and its stations.
fn air(nodes: u32, links: &str, seed: u64) -> Air {
    let mut text = "topology.kind = \"explicit\"\nscheme.name = \"udp\"\n\
                    traffic.load = \"1 kbit/s\"\nrouting.kind = \"aodv\"\n\
                    radio.receive_threshold = \"-82 dBm\"\nradio.sense_threshold = \"-92 dBm\"\n\
                    [[flow]]\nfrom = \"0\"\nto = \"1\"\n"
        .to_owned();
    for node in 0..nodes {
        writeln!(text, "[[node]]\nname = \"{node}\"").expect("text grows");
    }
    for link in links.lines() {
        let (ends, quality) = link.trim().split_once(": ").expect("a link has a quality");
        let (from, to) = ends.split_once(' ').expect("a link has two ends");
        writeln!(text, "[[link]]\nfrom = \"{from}\"\nto = \"{to}\"\n{quality}")
            .expect("text grows");
    }
    let setup = multihop_scenario::from_toml(&text).and_then(|scenario| scenario.setup());
    let setup = setup.unwrap_or_else(|error| panic!("{error}\n{text}"));
    Air::with(&setup.nodes, radio_and_mac(&setup), seed)
}

/// The senders of the frames that a node has got.
fn got(air: &Air, node: u32) -> Vec<u32> {
    air.received(node).iter().map(|frame| frame.from).collect()
}

fn broadcast(node: u32) -> Job {
    Job { packet: 2 * node, bytes: Bytes(1520), ..job(BROADCAST) }
}

#[test]
fn each_direction_is_as_strong_as_listed_and_nobody_else_hears() {
    let mut air = air(
        4,
        "0 1: signal = \"-80 dBm\"
         1 0: signal = \"-85 dBm\"
         0 2: signal = \"-93 dBm\"",
        1,
    );
    assert_eq!(air.channel.sensing(Time::ZERO), [vec![NodeId(1)], vec![NodeId(0)], vec![], vec![]]);
    air.give(0, broadcast(0));
    air.run(at(50_000));
    air.give(1, broadcast(1));
    air.run(at(100_000));
    // 1 is sensed by 0, but too weak to be decoded
    assert_eq!((got(&air, 1), got(&air, 0), got(&air, 2)), (vec![0], vec![], vec![]));
}

#[test]
fn a_link_without_its_way_back_has_no_acknowledgments() {
    let there = "0 1: signal = \"-70 dBm\"";
    let back = format!("{there}\n1 0: signal = \"-80 dBm\"");
    for (links, outcome) in [(there, Outcome::Failed), (&back, Outcome::Acknowledged)] {
        let mut air = air(2, links, 1);
        air.offer(0, 1);
        air.run(at(1_000_000));
        let done: Vec<Outcome> = air.done(0).iter().map(|done| done.1).collect();
        assert_eq!(done, [outcome]);
        assert!(!air.received(1).is_empty(), "it got through all the same");
    }
}

/// A link delivers its share of the frames, whatever their power, and 3 is deaf to 0.
#[test]
fn a_link_delivers_its_share() {
    let mut air = air(
        4,
        "0 1: delivery = 0.7
         0 2: delivery = 1
         0 3: signal = \"-91 dBm\"",
        1,
    );
    for _ in 0..2000 {
        air.give(0, broadcast(0));
        let next = air.now + Duration::from_millis(20);
        air.run(next);
    }
    assert_eq!((air.received(2).len(), air.received(3).len()), (2000, 0));
    // binomial: standard deviation of the share 0.01
    let share = air.received(1).len() as f64 / 2000.0;
    assert!((share - 0.7).abs() < 0.04, "{share}");
}

/// Two senders that do not hear each other meet at the node between them.
#[test]
fn the_stronger_signal_captures() {
    let senders = |second: &str| {
        let links = format!("0 1: signal = \"-60 dBm\"\n2 1: signal = \"{second} dBm\"");
        let mut air = air(3, &links, 1);
        air.give(0, broadcast(0));
        air.run(at(4000));
        air.give(2, broadcast(2));
        air.run(at(50_000));
        got(&air, 1)
    };
    assert_eq!(senders("-71"), [0], "11 dB stronger");
    assert!(senders("-69").is_empty(), "9 dB do not do");
}

/// A sender that senses another waits; one that does not does not, whatever the receivers hear.
#[test]
fn carrier_sense_follows_the_links() {
    let overlap = |sensed: &str| {
        let links = format!("0 1: signal = \"-60 dBm\"\n0 2: signal = \"{sensed} dBm\"");
        let mut air = air(3, &links, 1);
        air.give(0, broadcast(0));
        air.run(at(4000));
        air.give(2, broadcast(2));
        air.run(at(50_000));
        let begin = |node| air.sent(node, FrameKind::UnacknowledgedData)[0];
        begin(2) < begin(0) + Duration::from_micros(12_000)
    };
    assert!(!overlap("-91"));
    assert!(overlap("-93"));
}

fn still((x, y): (f64, f64)) -> Node {
    Node::at("", (x, y))
}

/// A radio with one link from 0 to 1 of this power, in W.
fn listing(power: f64) -> Radio {
    let (from, to, neighbours) = (NodeId(0), NodeId(1), power > 1e-9);
    let link = Link { from, to, power, delivery: None, deviation: None, neighbours };
    Radio { links: Links { listed: vec![link], others: Unlisted::Propagation }, ..medium("").0 }
}

#[test]
fn what_is_not_listed_follows_the_propagation() {
    let nodes = [(0.0, 0.0), (100.0, 0.0), (200.0, 0.0), (9000.0, 0.0)].map(still);
    let heard = |power: f64| {
        let mut channel = Channel::new(&nodes, listing(power), 1);
        let sensing = channel.sensing(Time::ZERO).swap_remove(0);
        (sensing, channel.neighbours().swap_remove(0))
    };
    let [one, two] = [1, 2].map(NodeId);
    assert_eq!(heard(1e-8), (vec![one, two], vec![one, two]));
    assert_eq!(heard(1e-20), (vec![two], vec![two]));
}

#[test]
fn a_listed_link_stays_what_it_is_while_nodes_move() {
    let seconds = |s: u64| Time::ZERO + Duration::from_millis(1000 * s);
    let mut nodes = [(0.0, 0.0), (100.0, 0.0), (200.0, 0.0)].map(still);
    nodes[0].track = Track::through((0.0, 0.0), [(seconds(1), seconds(2), (9000.0, 0.0))]);
    let mut channel = Channel::new(&nodes, listing(1e-8), 1);
    let sensed = |channel: &mut Channel, now| channel.sensing(now).swap_remove(0);
    assert_eq!(sensed(&mut channel, Time::ZERO), [1, 2].map(NodeId));
    assert_eq!(sensed(&mut channel, seconds(3)), [NodeId(1)]);
    assert!(channel.in_range(NodeId(0), NodeId(1), seconds(3)));
    assert!(!channel.in_range(NodeId(0), NodeId(2), seconds(3)));
}

/// The share of frames from 0 to 1 that reach the receiver, and that it decodes, of a mean signal and deviation in dB relative
/// to the receive threshold.
fn shares(above: f64, deviation: f64, propagation: &str) -> (f64, f64) {
    const FRAMES: u32 = 20_000;
    let lines = format!(
        "[radio]\npropagation = \"{propagation}\"\nreceive_threshold = \"-80 dBm\"\nsense_threshold = \"-90 dBm\"\n"
    );
    let text = format!(
        "[topology]\nkind = \"chain\"\nhops = 1\n{lines}[routing]\nkind = \"none\"\n[scheme]\nname = \"flooding\"\n\
         [traffic]\nload = \"1 kbit/s\"\n[[link]]\nfrom = \"n0\"\nto = \"n1\"\nsignal = \"{} dBm\"\n\
         deviation = \"{deviation} dB\"\nboth_ways = true\n",
        above - 80.0
    );
    let setup = multihop_scenario::from_toml(&text).and_then(|scenario| scenario.setup());
    let setup = setup.unwrap_or_else(|error| panic!("{error}"));
    let radio = setup.medium.radio().expect("there are no wires").clone();
    let mut channel = Channel::new(&setup.nodes, radio, 1);
    let frame = crate::tests::air::frame(FrameKind::Data, 0, 1, Duration::ZERO);
    let (mut sensed, mut decoded) = (0, 0);
    for _ in 0..FRAMES {
        channel.arrivals(&frame, Time::ZERO, |arrival| {
            sensed += 1;
            decoded += u32::from(arrival.spoiled.is_none());
        });
    }
    let signal = channel.signals(Time::ZERO)[0];
    let share = |count: u32| f64::from(count) / f64::from(FRAMES);
    assert!((share(sensed) - signal.sensed).abs() < 0.01, "{signal:?}");
    assert!((share(decoded) - signal.decoded).abs() < 0.015, "{signal:?}");
    (share(sensed), share(decoded))
}

#[test]
fn the_power_of_a_link_varies_by_its_own_deviation() {
    for propagation in ["two-ray-ground", "log-normal-shadowing"] {
        let (sensed, decoded) = shares(0.0, 5.0, propagation);
        assert!((decoded - 0.5).abs() < 0.015 && sensed > 0.96, "{decoded}, {sensed}");
        // one deviation above the threshold: 84 %
        assert!((shares(3.0, 3.0, propagation).1 - 0.841).abs() < 0.015);
        // a mean below what is sensed at all reaches the receiver now and then
        let (sensed, decoded) = shares(-13.0, 3.0, propagation);
        assert!((sensed - 0.159).abs() < 0.015 && decoded < 0.001, "{sensed}, {decoded}");
        assert_eq!(
            shares(1.0, 0.0, propagation),
            (1.0, 1.0),
            "no deviation is none, whatever the propagation's"
        );
    }
}
