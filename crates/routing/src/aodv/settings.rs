//! What can be set.

use multihop_core::{Capability, Count, Duration, Param, Preset, Span, Switch, Values, While};

use super::parameters::{MY_ROUTE_TIMEOUT, REQUEST_MEMORY};

const LOCAL_REPAIR: Switch = Switch {
    name: "local_repair",
    about: "Whether a node nearer to the destination than to the source repairs a broken route \
            itself (RFC 3561, 6.12)",
    default: true,
};

const REPAIR_TIMEOUT: Span = Span {
    name: "repair_timeout",
    about: "How long a node tries to repair a route before it reports the route as broken (RFC 3561, \
            6.12; 2.8 s is its `NET_TRAVERSAL_TIME`)",
    bare_unit: "",
    default: Duration::from_millis(2_800),
    min: Duration::from_millis(1),
    max: Duration::from_millis(2_000_000_000),
};

const EXPANDING_RING: Switch = Switch {
    name: "expanding_ring",
    about: "Whether the first search for a destination widens in rings (RFC 3561, 6.4) rather than \
            asking the whole network at once",
    default: false,
};

const ACTIVE_ROUTE_TIMEOUT: Span = Span {
    name: "active_route_timeout",
    about: "How long a route lives that nobody uses (RFC 3561, 10)",
    bare_unit: "",
    default: Duration::from_millis(10_000),
    // Route replies give lifetimes in milliseconds (RFC 3561, 5.2).
    min: Duration::from_millis(1),
    // Twice this, RFC 3561's MY_ROUTE_TIMEOUT, still fits their 32 bits.
    max: Duration::from_millis(2_000_000_000),
};

const FORGET_SEQUENCE_NUMBERS: Switch = Switch {
    name: "forget_sequence_numbers",
    about: "Whether a node forgets the sequence number of a route that has been down for `DELETE_PERIOD` \
            (RFC 3561, 6.11 and 10: five times `active_route_timeout`, or 50 s if that is longer)",
    default: false,
};

const BLACKLIST: Switch = Switch {
    name: "blacklist",
    about: "Whether a node ignores the route requests of a neighbour that its route reply has not reached, so \
            that routes go round links in one direction (RFC 3561, 6.8); ns-2 has no blacklist",
    default: false,
};

const BLACKLIST_TIMEOUT: Span = Span {
    name: "blacklist_timeout",
    about: "How long a node ignores them (RFC 3561, 10: `BLACKLIST_TIMEOUT`, its `RREQ_RETRIES` times its \
            `NET_TRAVERSAL_TIME`)",
    bare_unit: "",
    default: Duration::from_millis(5_600),
    min: Duration::from_millis(1),
    max: Duration::from_millis(2_000_000_000),
};

const TIME_SCALE: Count = Count {
    name: "time_scale",
    about: "What the constants with a time are multiplied by, for media on which a hop takes longer than the 30 ms that they \
            assume; times that are parameters stay as they are given",
    unit: "",
    default: 1,
    min: 1,
    max: 1_000,
};

/// More messages per second than a radio carries.
const MOST_PER_SECOND: u32 = 10_000;

const REQUEST_RATE_LIMIT: Count = Count {
    name: "request_rate_limit",
    about: "Route requests that a node begins in a second at most (RFC 3561, `RREQ_RATELIMIT`: 10)",
    unit: "messages per second",
    default: 10,
    min: 1,
    max: MOST_PER_SECOND,
};

const ERROR_RATE_LIMIT: Count = Count {
    name: "error_rate_limit",
    about: "Route errors that a node sends in a second at most (RFC 3561, `RERR_RATELIMIT`: 10)",
    unit: "messages per second",
    default: 10,
    min: 1,
    max: MOST_PER_SECOND,
};

/// What holds without a repair timeout.
const AS_LONG_AGAIN: &str =
    "as long again as the node has run when the repair begins, without a report, as in ns-2";

/// What holds without a rate limit.
const UNLIMITED: &str = "as many as it wants, as in ns-2";

/// All of them. In the field they are RFC 3561's: ns-2 runs for minutes, and nobody there is switched off.
pub(super) const PARAMS: [Param; 10] = [
    LOCAL_REPAIR.param(),
    REPAIR_TIMEOUT
        .param()
        .or(AS_LONG_AGAIN)
        .in_the_field(Preset::Span(REPAIR_TIMEOUT.default))
        .only_while("local_repair", While::Switch(true)),
    EXPANDING_RING.param(),
    ACTIVE_ROUTE_TIMEOUT.param(),
    TIME_SCALE.param(),
    FORGET_SEQUENCE_NUMBERS.param().in_the_field(Preset::Switch(true)),
    REQUEST_RATE_LIMIT.param().or(UNLIMITED).in_the_field(Preset::Count(10)),
    ERROR_RATE_LIMIT.param().or(UNLIMITED).in_the_field(Preset::Count(10)),
    BLACKLIST.param().needing(true, Capability::LinkAcknowledgment),
    BLACKLIST_TIMEOUT.param().only_while("blacklist", While::Switch(true)),
];

/// The values of the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Whether a node nearer to the destination than to the source repairs a broken route itself
    /// (RFC 3561, 6.12).
    pub local_repair: bool,
    /// How long a node tries to repair a route before it reports the route as broken.
    pub repair_timeout: Option<Duration>,
    /// Whether the first search for a destination widens in rings (RFC 3561, 6.4). ns-2 2.35
    /// searches the whole network at once.
    pub expanding_ring: bool,
    /// How long a route lives that nobody uses.
    pub active_route_timeout: Duration,
    /// What the constants with a time are multiplied by.
    pub time_scale: u32,
    /// Whether a node forgets the sequence number of a route that has been down for
    /// [`Settings::delete_period`]. ns-2 2.35 does not.
    pub forget_sequence_numbers: bool,
    /// Route requests that a node begins in a second at most.
    pub request_rate_limit: Option<u32>,
    /// Route errors that a node sends in a second at most.
    pub error_rate_limit: Option<u32>,
    /// How long a node ignores the requests of a neighbour that its route reply has not reached; `None` to
    /// heed them all.
    pub blacklist_timeout: Option<Duration>,
}

impl Settings {
    /// With these values.
    pub fn new(values: &Values) -> Self {
        Settings {
            local_repair: values.get(LOCAL_REPAIR),
            repair_timeout: values.given(REPAIR_TIMEOUT),
            expanding_ring: values.get(EXPANDING_RING),
            active_route_timeout: values.get(ACTIVE_ROUTE_TIMEOUT),
            time_scale: values.get(TIME_SCALE),
            forget_sequence_numbers: values.get(FORGET_SEQUENCE_NUMBERS),
            request_rate_limit: values.given(REQUEST_RATE_LIMIT),
            error_rate_limit: values.given(ERROR_RATE_LIMIT),
            blacklist_timeout: values.get(BLACKLIST).then(|| values.get(BLACKLIST_TIMEOUT)),
        }
    }

    /// A time of `parameters.rs` on the medium that these settings are for.
    pub(super) fn scaled(&self, time: Duration) -> Duration {
        time * u64::from(self.time_scale)
    }

    /// How long a request is remembered at least.
    pub(super) fn request_memory(&self) -> Duration {
        self.scaled(REQUEST_MEMORY)
    }

    /// RFC 3561, 10: `DELETE_PERIOD`, K (5) times the longest life of a route that nobody uses. Until
    /// then a neighbour may have a node for its next hop that has rebooted, or lost its route. With
    /// less (15 s and 30 s, where this is 50 s) there are loops in the worlds of `loops.rs`.
    pub fn delete_period(&self) -> Duration {
        self.active_route_timeout.max(self.scaled(MY_ROUTE_TIMEOUT)) * 5
    }
}

/// The defaults are what ns-2 2.35 does.
impl Default for Settings {
    fn default() -> Self {
        Settings::new(&Values::default())
    }
}
