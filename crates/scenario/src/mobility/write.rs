//! Writing a movement file of ns-2.

use multihop_core::Time;

use multihop_setup::{Leg, Setup};

/// The positions and the movement of the nodes as an ns-2 movement file. Numbers have all their
/// digits, so that what reads the file gets the same tracks.
///
/// ns-2 itself stops at a way to a coordinate that is not above zero, or not below the edge of its
/// topography.
pub fn movement_file(setup: &Setup) -> String {
    let mut lines =
        vec![format!("# nodes: {}, until: {} s", setup.nodes.len(), seconds(setup.end))];
    for (index, node) in setup.nodes.iter().enumerate() {
        lines.push(format!("$node_({index}) set X_ {}", node.x));
        lines.push(format!("$node_({index}) set Y_ {}", node.y));
        lines.push(format!("$node_({index}) set Z_ 0"));
    }
    for (index, node) in setup.nodes.iter().enumerate() {
        for (enters, leaves) in &node.track.present {
            lines.push(format!("$ns_ at {} \"$g({index}) start\"", seconds(*enters)));
            if *leaves < Time::NEVER {
                lines.push(format!("$ns_ at {} \"$g({index}) stop\"", seconds(*leaves)));
            }
        }
    }
    let legs = setup.nodes.iter().enumerate();
    let mut legs: Vec<(usize, &Leg)> = legs
        .flat_map(|(index, node)| node.track.legs.iter().map(move |leg| (index, leg)))
        .collect();
    legs.sort_by_key(|(index, leg)| (leg.start, *index));
    for (index, leg) in legs {
        let (at, (x, y), speed) = (seconds(leg.start), leg.to, speed(leg));
        lines.push(format!("$ns_ at {at} \"$node_({index}) setdest {x} {y} {speed}\""));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// All digits of a time: a float has not enough of them for more than 100 days.
fn seconds(time: Time) -> String {
    let nanos = time.nanos();
    format!("{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000)
}

/// In m/s.
fn speed(leg: &Leg) -> f64 {
    let (dx, dy) = (leg.to.0 - leg.from.0, leg.to.1 - leg.from.1);
    libm::sqrt(dx * dx + dy * dy) / leg.end.since(leg.start).seconds()
}
