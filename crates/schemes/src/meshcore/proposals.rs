//! What developers of the firmware have proposed: parameters that change one rule each. By default all are off.
//!
//! | rule | source in `meshcore-dev/MeshCore` |
//! |---|---|
//! | a relay is given up once enough copies were overheard | pull requests 1745 (counted) and 3019 (weighed) |
//! | what follows a path is repeated until its next relay is heard | pull requests 2367, 2670, 2980, 3359 |
//! | relays, or floods, have a share of each hour | pull request 3450, issue 3278 |
//! | waits follow from the number of neighbours | pull requests 2125 and 2337 |
//! | floods go less far, and wait longer, where a repeater is busy | pull request 1938 |

use multihop_core::{Count, Dimension, Duration, Measure, Number, Span, Switch};

/// The weight of overheard copies that makes a relay needless.
pub const REDUNDANCY: Count = Count {
    name: "redundancy",
    about: "A repeater gives up its relay of a flood once the copies that it has heard after the first weigh so much; 0 \
            for never (relay.redundancy in pull request 1745, C in 3019)",
    unit: "",
    default: 0,
    min: 0,
    max: 1_000,
};

/// Below this a copy weighs nothing.
pub const REDUNDANCY_WEAK: Measure = Measure {
    name: "redundancy_weak",
    about: "Below this signal-to-noise ratio a copy weighs 0, from redundancy_strong on 2, between them 1 \
            (flood.suppress.snr.lo)",
    dimension: Dimension::Level,
    default: 0.0,
    min: -60.0,
    max: 100.0,
};

/// From here on it weighs double.
pub const REDUNDANCY_STRONG: Measure = Measure {
    name: "redundancy_strong",
    about: "From this signal-to-noise ratio on a copy weighs 2 (flood.suppress.snr.hi)",
    dimension: Dimension::Level,
    default: 9.0,
    min: -60.0,
    max: 100.0,
};

/// Whether the weight follows from the number of neighbours.
pub const REDUNDANCY_ADAPTS: Switch = Switch {
    name: "redundancy_adapts",
    about: "The weight follows from the neighbours of the last 10 min whose adverts were heard: of 1 or 2 a relay is never \
            given up, of 3 or 4 at 3, of more at 2; redundancy holds while there is none",
    default: false,
};

/// How often a relay sends what follows a path.
pub const RELAY_ATTEMPTS: Count = Count {
    name: "relay_attempts",
    about: "A repeater sends what follows a path up to so often, until it hears the next relay of it (hop.retry + 1 in pull \
            request 2980, max.resend + 1 in 2670); 1 is the firmware's",
    unit: "attempts",
    default: 1,
    min: 1,
    max: 6,
};

/// How long it listens for the next relay.
pub const ECHO_WAIT: Span = Span {
    name: "echo_wait",
    about: "So long it listens for the next relay, besides both air times and the longest wait of that (hop.retry.ms)",
    bare_unit: "",
    default: Duration::from_millis(1_500),
    min: Duration::from_millis(200),
    max: Duration::from_millis(10_000),
};

const fn share(name: &'static str, about: &'static str) -> Number {
    Number { name, about, unit: "", default: 1.0, min: 0.0, max: 1.0 }
}

/// The share of an hour for relays.
pub const RELAY_SHARE: Number = share(
    "relay_share",
    "Share of an hour in which a repeater may send what it relays; it relays nothing beyond it (fwd.dutycycle in pull \
     request 3450)",
);

/// The share of an hour for floods.
pub const FLOOD_SHARE: Number = share(
    "flood_share",
    "The same for relays of floods: the rest of the air is kept for what follows a path (issue 3278)",
);

/// Whether waits follow from neighbours.
pub const AUTOTUNE: Switch = Switch {
    name: "autotune",
    about: "With n neighbours above 0 dB whose adverts were heard (12 at most) txdelay is 0.5 + 0.6 n, direct_txdelay 0.3 n \
            and rxdelay 1 + 0.6 n (DelayTuning.h in pull request 2125)",
    default: false,
};

/// Whether floods go less far through a busy repeater.
pub const BUSY_TRACKER: Switch = Switch {
    name: "busy_tracker",
    about: "A repeater relays channel messages that have come over fewer than 8 hops and, the busier it is, down to 2; adverts \
            from 8 down to 1; and waits up to three times as long. How busy it is follows each minute from the share of air \
            time, of used packets and of copies among floods (BusyTracker.h in pull request 1938)",
    default: false,
};
