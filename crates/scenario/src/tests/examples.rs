//! The published examples, and anything that might be mistaken for a scenario.

use proptest::prelude::*;

use crate::{Scenario, ScenarioError, from_json, from_toml};

/// An example by its name.
macro_rules! example {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../examples/", $name, ".toml")))
    };
}

pub(super) const EXAMPLES: &[(&str, &str)] = &[
    example!("bidirectional-chain"),
    example!("classes"),
    example!("drifting-flows"),
    example!("dumbbell"),
    example!("explicit"),
    example!("five-node-chain"),
    example!("flooding"),
    example!("lora-chain"),
    example!("lora-direct"),
    example!("lora-flooding"),
    example!("lora-hidden-relays"),
    example!("mesh"),
    example!("mesh-grid"),
    example!("meshcore"),
    example!("meshtastic"),
    example!("mobile-lattice"),
    example!("one-hop"),
    example!("random"),
    example!("random-waypoint"),
    example!("roles"),
    example!("tcp-chain"),
    example!("trading-places"),
];

fn examples() -> impl Iterator<Item = (&'static str, Scenario)> {
    EXAMPLES.iter().copied().map(|(name, text)| match from_toml(text) {
        Ok(scenario) => (name, scenario),
        Err(error) => panic!("{name}: {error}"),
    })
}

#[test]
fn the_examples_are_right() {
    let sizes: Vec<_> = examples()
        .map(|(name, scenario)| match scenario.setup() {
            Ok(setup) => (name, setup.nodes.len(), setup.sources.len()),
            Err(error) => panic!("{name}: {error}"),
        })
        .collect();
    assert_eq!(
        sizes,
        [
            ("bidirectional-chain", 11, 2),
            ("classes", 9, 11),
            ("drifting-flows", 4, 2),
            ("dumbbell", 13, 4),
            ("explicit", 3, 3),
            ("five-node-chain", 5, 3),
            ("flooding", 36, 2),
            ("lora-chain", 5, 1),
            ("lora-direct", 20, 8),
            ("lora-flooding", 25, 2),
            ("lora-hidden-relays", 4, 1),
            ("mesh", 5, 2),
            ("mesh-grid", 36, 12),
            ("meshcore", 20, 26),
            ("meshtastic", 25, 52),
            ("mobile-lattice", 27, 1),
            ("one-hop", 2, 3),
            ("random", 150, 10),
            ("random-waypoint", 200, 5),
            ("roles", 40, 3),
            ("tcp-chain", 9, 1),
            ("trading-places", 6, 1),
        ]
    );
}

#[test]
fn the_examples_survive_the_way_through_json() {
    for (name, scenario) in examples() {
        let json = scenario.to_json();
        let again = from_json(&json).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(json, again.to_json());
        let (a, b) = (scenario.setup().expect("right"), again.setup().expect("right"));
        assert_eq!((a.nodes, a.medium, a.sources), (b.nodes, b.medium, b.sources));
    }
}

#[test]
fn every_prefix_of_an_example_is_read_or_refused() {
    for (_, text) in EXAMPLES {
        let mut refused = 0;
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            refused += usize::from(attempt(from_toml(&text[..end])));
        }
        assert!(refused > text.len() / 2);
        let json = from_toml(text).expect("right").to_json();
        for end in 0..json.len() {
            assert!(attempt(from_json(&json[..end])), "half a JSON text passed");
        }
    }
}

/// Whether a text is refused, with a message.
fn attempt(read: Result<Scenario, ScenarioError>) -> bool {
    match read.and_then(|scenario| scenario.setup()) {
        Ok(_) => false,
        Err(error) => {
            assert!(!error.message.is_empty());
            true
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        attempt(from_toml(&text));
        attempt(from_json(&text));
    }

    #[test]
    fn lines_that_look_like_a_scenario_never_panic(
        lines in prop::collection::vec(
            "(\\[\\[?(topology|mobility|radio|mac|wired|routing|measure|scheme|traffic|node|move|flow)\\]\\]?)|\
             ((kind|name|hops|rows|columns|spacing|seed|load|size|slot|from|to|x|at|speed|min_speed|max_speed|movements) = \
             (-?[0-9]{1,3}|\"[a-z-]{0,8}\"|\"-?[0-9]{1,4} (m|s|us|B|m/s|kbit/s)\"|nan|true|\\[\\]))",
            0..12,
        )
    ) {
        attempt(from_toml(&lines.join("\n")));
    }

    #[test]
    fn a_damaged_example_never_panics(which in 0..EXAMPLES.len(), at in any::<prop::sample::Index>(), by in any::<char>()) {
        let mut chars: Vec<char> = EXAMPLES[which].1.chars().collect();
        let at = at.index(chars.len());
        chars[at] = by;
        attempt(from_toml(&chars.into_iter().collect::<String>()));
    }
}
