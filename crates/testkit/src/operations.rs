//! What applications, machines and the medium do to a network of nodes, drawn at random. The same list goes to hosts in virtual
//! time and to processes in real time.

use multihop_core::{NodeId, Purpose, Rng};

/// The longest pause, in milliseconds of the medium.
const LONGEST_PAUSE: u32 = 3_000;

/// The most packets that an application sends at once.
const MOST_PACKETS: u32 = 12;

/// One operation. Times are in milliseconds of the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// An application at one node sends so many packets to another.
    Send {
        /// The node where they begin.
        from: u32,
        /// Another node.
        to: u32,
        /// How many.
        count: u32,
    },
    /// The node ends with all that it has, and begins anew.
    Kill {
        /// Which.
        node: u32,
    },
    /// The node stands still, or its radio is away.
    Stop {
        /// Which.
        node: u32,
        /// For so long.
        millis: u32,
    },
    /// The medium ends, and begins anew.
    EndMedium,
    /// Time passes.
    Wait {
        /// So much.
        millis: u32,
    },
}

impl Operation {
    /// The operation as a JSON object.
    pub fn json(&self) -> String {
        match self {
            Operation::Send { from, to, count } => {
                format!(r#"{{"do": "send", "from": {from}, "to": {to}, "count": {count}}}"#)
            }
            Operation::Kill { node } => format!(r#"{{"do": "kill", "node": {node}}}"#),
            Operation::Stop { node, millis } => {
                format!(r#"{{"do": "stop", "node": {node}, "millis": {millis}}}"#)
            }
            Operation::EndMedium => r#"{"do": "end_medium"}"#.to_owned(),
            Operation::Wait { millis } => format!(r#"{{"do": "wait", "millis": {millis}}}"#),
        }
    }
}

/// The list number `seed` of `count` operations on a network of so many `nodes`, of which there are two or more. Each
/// `seed` has its own list, always the same.
pub fn operations(seed: u64, nodes: u32, count: usize) -> Vec<Operation> {
    let mut rng = Rng::stream(seed, NodeId(0), Purpose::Other);
    (0..count).map(|_| operation(&mut rng, nodes)).collect()
}

fn operation(rng: &mut Rng, nodes: u32) -> Operation {
    let node = rng.below(nodes);
    match rng.below(16) {
        0..9 => {
            let other = (node + 1 + rng.below(nodes - 1)) % nodes;
            Operation::Send { from: node, to: other, count: 1 + rng.below(MOST_PACKETS) }
        }
        9..11 => Operation::Kill { node },
        11..13 => Operation::Stop { node, millis: rng.below(LONGEST_PAUSE) },
        13 => Operation::EndMedium,
        _ => Operation::Wait { millis: rng.below(LONGEST_PAUSE) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_drawn_and_is_of_the_network() {
        let all: Vec<Operation> = (0..40).flat_map(|seed| operations(seed, 4, 20)).collect();
        assert_eq!(all[..20], operations(0, 4, 20), "a seed has one list");
        assert_ne!(all[..20], all[20..40]);
        let names = ["send", "kill", "stop", "end_medium", "wait"];
        for name in names {
            let word = format!(r#"{{"do": "{name}""#);
            assert!(all.iter().any(|operation| operation.json().starts_with(&word)), "{name}");
        }
        for operation in all {
            match operation {
                Operation::Send { from, to, count } => {
                    assert!(
                        from < 4 && to < 4 && from != to && (1..=MOST_PACKETS).contains(&count)
                    );
                }
                Operation::Kill { node } => assert!(node < 4),
                Operation::Stop { node, millis } => assert!(node < 4 && millis < LONGEST_PAUSE),
                Operation::Wait { millis } => assert!(millis < LONGEST_PAUSE),
                Operation::EndMedium => {}
            }
        }
    }
}
