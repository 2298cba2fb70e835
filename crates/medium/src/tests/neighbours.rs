//! Who senses whom, and who is a neighbour: what the cells find, against all pairs.

use multihop_core::{NodeId, Time, normal};
use multihop_setup::{Node, Radio};
use proptest::prelude::*;

use crate::channel::Channel;
use crate::dcf::Frame;
use crate::tests::air::{Air, medium};

/// Who of two nodes this far apart senses more than one frame in 1e9 of the other.
fn senses(radio: &Radio, distance: f64) -> bool {
    let power = radio.propagation.mean_power(radio, distance);
    match radio.propagation.deviation() {
        None => power >= radio.sense_threshold,
        Some(deviation) => {
            let margin = 10.0 * libm::log10(power / radio.sense_threshold);
            normal(margin / deviation) > 1e-9
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cells_find_the_neighbours_of_all_pairs(
        places in prop::collection::vec((-6000.0..6000.0f64, -6000.0..6000.0f64), 1..120),
        squeezed in 1u32..20,
        keys in prop::sample::select(vec![
            "",
            "[radio]\npropagation = \"free-space\"",
            "[radio]\npropagation = \"log-normal-shadowing\"",
            "[radio]\nreceive_range = \"300 m\"\nsense_range = \"300 m\"",
        ]),
    ) {
        let (radio, _) = medium(keys);
        let node = |&(x, y): &(f64, f64)| {
            Node::at("", (x / f64::from(squeezed), y / f64::from(squeezed)))
        };
        let nodes: Vec<Node> = places.iter().map(node).collect();
        let mut channel = Channel::new(&nodes, radio.clone(), 1);
        let (sensing, neighbours) = (channel.sensing(Time::ZERO), channel.neighbours());
        let distance =
            |a: usize, b: usize| libm::hypot(nodes[a].x - nodes[b].x, nodes[a].y - nodes[b].y);
        let all = |from: usize, near: &dyn Fn(f64) -> bool| -> Vec<NodeId> {
            let others = (0..nodes.len()).filter(|to| *to != from);
            others.filter(|to| near(distance(from, *to))).map(|to| NodeId(to as u32)).collect()
        };
        for from in 0..nodes.len() {
            prop_assert_eq!(&sensing[from], &all(from, &|distance| senses(&radio, distance)));
            let in_range = |distance| distance <= radio.neighbour_range && senses(&radio, distance);
            prop_assert_eq!(&neighbours[from], &all(from, &in_range));
        }
        channel.go_around();
        prop_assert_eq!(channel.sensing(Time::ZERO), sensing);
        prop_assert_eq!(channel.neighbours(), neighbours);
    }
}

/// Whom a frame of the first of nodes at these places reaches, in this order.
fn reached(places: &[(f64, f64)], keys: &str) -> Vec<u32> {
    let mut air = Air::new(places, keys, 1);
    air.channel.go_around();
    let frame = Frame { from: 0, ..Frame::BLANK };
    let mut reached = Vec::new();
    air.channel.arrivals(&frame, Time::ZERO, |arrival| reached.push(arrival.to.0));
    reached
}

#[test]
fn frames_go_around_to_those_who_can_decode_them_and_then_to_the_others() {
    let near = [(200.0, -1.0), (-50.0, 200.0), (200.0, 1.0), (-200.0, -100.0)];
    let far = [(0.0, -500.0), (500.0, 0.0), (-400.0, 300.0), (0.0, 0.0)];
    let places: Vec<(f64, f64)> = [(0.0, 0.0)].into_iter().chain(near).chain(far).collect();
    let [at_the_same_place, decoding, others] = [&[8][..], &[3, 2, 4, 1], &[6, 7, 5]];
    assert_eq!(reached(&places, ""), [at_the_same_place, decoding, others].concat());
}

/// The draws are in that order.
#[test]
fn where_chance_decides_frames_go_in_the_order_of_numbers() {
    let places = [(0.0, 0.0), (100.0, -1.0), (-50.0, 100.0), (100.0, 1.0)];
    assert_eq!(reached(&places, "[radio]\nbit_error_rate = 1e-9"), [1, 2, 3]);
}
