//! What can be set.

use multihop_core::{
    Alternative, Bytes, Choice, Count, Dimension, Measure, Number, Seed, Size, Switch,
};

/// What a node does for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It relays.
    Repeater,
    /// It relays nothing.
    Companion,
}

/// When a repeater takes a flood for one that goes round in circles: `loop.detect`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopDetect {
    /// If its hash stands in the path 4 times, 2 times at 2 B, once at 3 B.
    Minimal,
    /// 2 times, once at 2 B and more.
    Moderate,
    /// Once.
    Strict,
    /// Never.
    Off,
}

/// The role of a node.
pub const ROLE: Choice<Role> = Choice {
    name: "role",
    about: "What the node does for others. Each may send and receive",
    among: &[
        Alternative { name: "repeater", about: "It relays floods, and what names it as a relay" },
        Alternative { name: "companion", about: "It relays nothing" },
    ],
    values: &[Role::Repeater, Role::Companion],
};

/// The delay of floods.
pub const TXDELAY: Number = Number {
    name: "txdelay",
    about: "A repeater relays a flood after 0 to 5 times this factor times its air time, drawn in whole ms",
    unit: "",
    default: 0.5,
    min: 0.0,
    max: 10.0,
};

/// The delay of what follows a path.
pub const DIRECT_TXDELAY: Number = Number {
    name: "direct_txdelay",
    about: "The same for what follows a path (direct.txdelay); acknowledgments are relayed at once",
    unit: "",
    default: 0.3,
    min: 0.0,
    max: 10.0,
};

/// The base of the delay by signal.
pub const RXDELAY: Number = Number {
    name: "rxdelay",
    about: "Base b: a node looks at a flood only after (b^(0.85 - score) - 1) air times, so that the strongest copy comes \
            first; 0 for at once",
    unit: "",
    default: 0.0,
    min: 0.0,
    max: 20.0,
};

/// The signal from which a score counts.
pub const SNR_THRESHOLD: Measure = Measure {
    name: "snr_threshold",
    about: "The signal-to-noise ratio at which a score is 0: what the spreading factor needs, -10 dB for 8",
    dimension: Dimension::Level,
    default: -10.0,
    min: -40.0,
    max: 20.0,
};

/// The noise.
pub const NOISE_FLOOR: Measure = Measure {
    name: "noise_floor",
    about: "Noise at the receiver, from which a signal-to-noise ratio follows; that of 62.5 kHz and a noise figure of 6 dB",
    dimension: Dimension::Signal,
    default: -120.0,
    min: -200.0,
    max: 0.0,
};

const fn limit(name: &'static str, about: &'static str, default: u32) -> Count {
    Count { name, about, unit: "hops", default, min: 0, max: 64 }
}

/// How far a flood goes.
pub const FLOOD_MAX: Count = limit(
    "flood_max",
    "A repeater does not relay a flood that has come over so many hops (flood.max)",
    64,
);

/// How far a flood without region codes goes.
pub const FLOOD_MAX_UNSCOPED: Count = limit(
    "flood_max_unscoped",
    "The same for floods without region codes (flood.max.unscoped)",
    64,
);

/// How far an advert goes.
pub const FLOOD_MAX_ADVERT: Count =
    limit("flood_max_advert", "The same for adverts (flood.max.advert)", 8);

/// When a flood goes round in circles.
pub const LOOP_DETECT: Choice<LoopDetect> = Choice {
    name: "loop_detect",
    about: "How often a repeater's own hash may stand in the path of a flood that it relays (loop.detect)",
    among: &[
        Alternative {
            name: "minimal",
            about: "Less than 4 times with hashes of 1 B, 2 times with 2 B, once with 3 B",
        },
        Alternative {
            name: "moderate",
            about: "Less than 2 times with hashes of 1 B, once with more",
        },
        Alternative { name: "strict", about: "Not at all" },
        Alternative { name: "off", about: "As often as it does, as up to 1.17.1" },
    ],
    values: &[LoopDetect::Minimal, LoopDetect::Moderate, LoopDetect::Strict, LoopDetect::Off],
};

/// Bytes of a hash.
pub const PATH_HASH: Count = Count {
    name: "path_hash",
    about: "Bytes of a hash in the paths of floods that begin at the node (path.hash.mode + 1)",
    unit: "",
    default: 1,
    min: 1,
    max: 3,
};

/// Whether floods carry region codes.
pub const SCOPED: Switch = Switch {
    name: "scoped",
    about: "Floods that begin at the node carry region codes, 4 B more",
    default: false,
};

/// Whether a repeater knows the region of those floods.
pub const KNOWS_REGION: Switch = Switch {
    name: "knows_region",
    about: "A repeater knows the region of floods that carry codes; if not, it relays none of them \
            (MyMesh.cpp, filterRecvFloodPacket)",
    default: true,
};

/// Whether a repeater relays floods without a region.
pub const RELAYS_UNSCOPED: Switch = Switch {
    name: "relays_unscoped",
    about: "A repeater relays floods without region codes; if not, only those of its region (REGION_DENY_FLOOD for all others)",
    default: true,
};

/// How often a text is sent.
pub const ATTEMPTS: Count = Count {
    name: "attempts",
    about: "How often a node sends a text to one node at most; the app repeats it when the wait for its acknowledgment is over",
    unit: "attempts",
    default: 1,
    min: 1,
    max: 4,
};

/// When a path is given up.
pub const FLOOD_AFTER: Count = Count {
    name: "flood_after",
    about: "After so many attempts without an acknowledgment a node forgets the path, and floods the text again",
    unit: "attempts",
    default: 2,
    min: 1,
    max: 4,
};

/// Which adverts are flooded.
pub const FLOOD_ADVERTS: Count = Count {
    name: "flood_adverts",
    about: "Of so many adverts of a node the first one is flooded, and the others go to its neighbours only; 1 for all, 0 \
            for none",
    unit: "adverts",
    default: 1,
    min: 0,
    max: 1_000_000,
};

/// The name in front of channel messages.
pub const SENDER_NAME: Size = Size {
    name: "sender_name",
    about: "Length of the name that stands in front of a text to everyone",
    default: Bytes(8),
    min: Bytes(0),
    max: Bytes(31),
};

/// The length of acknowledgments.
pub const ACK_SIZE: Size = Size {
    name: "ack_size",
    about: "Length of an acknowledgment: 6 B, or 4 B up to 1.15",
    default: Bytes(6),
    min: Bytes(4),
    max: Bytes(6),
};

/// The packets of a node.
pub const POOL: Count = Count {
    name: "pool",
    about: "Packets that a node has for all that waits to be sent, is held, or is on the air (StaticPoolPacketManager)",
    unit: "packets",
    default: 32,
    min: 1,
    max: 100_000,
};

/// What public keys are drawn from.
pub const KEYS: Seed = Seed {
    name: "keys",
    about: "What the public keys of nodes are drawn from, whose first bytes stand in paths",
    default: 1,
};
