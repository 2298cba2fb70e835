//! What can be set.

use multihop_core::{Count, Duration, Param, Span, Switch, Values, While};

const FLOW_STATE: Switch = Switch {
    name: "flow_state",
    about: "Whether packets leave their source route out once their flow is established (RFC 4728, 3.5, \
            which is on in ns-2)",
    default: true,
};

const DEFAULT_FLOW_ERRORS: Switch = Switch {
    name: "default_flow_errors",
    about: "Whether a source that hears that a node on the way does not know its default flow tells the way anew \
            (RFC 4728, 8.6); ns-2's does not, and packets go astray until the way is told again, every five seconds",
    default: true,
};

const REPEAT_OWN_REPLIES: Switch = Switch {
    name: "repeat_own_replies",
    about: "Whether a node sends its own reply another way, or searches for one, when the link that it praises breaks \
            under it, as in ns-2; off, it drops it. Over links that carry frames in one direction only, replies and \
            searches follow each other without end",
    default: true,
};

const LISTEN: Switch = Switch {
    name: "listen",
    about: "Whether nodes learn from frames for others and shorten routes by them (RFC 4728, 3.4.3)",
    default: true,
};

const REPLY_FROM_CACHE: Switch = Switch {
    name: "reply_from_cache",
    about: "Whether nodes answer requests for others from their caches (RFC 4728, 3.3.2)",
    default: true,
};

const NEIGHBOURS_TIMEOUT: Span = Span {
    name: "neighbours_timeout",
    about: "How long the neighbours have for an answer before everyone is asked (RFC 4728, 9: \
            `NonpropRequestTimeout`); with \"0 ms\" everyone is asked at once",
    bare_unit: "",
    default: Duration::from_millis(30),
    min: Duration::ZERO,
    max: Duration::from_millis(1_000_000),
};

const SALVAGE_LIMIT: Count = Count {
    name: "salvage_limit",
    about: "How often nodes on the way may send a packet over another route (RFC 4728, 3.4.1: \
            `MAX_SALVAGE_COUNT`)",
    unit: "times",
    default: 15,
    min: 0,
    max: 15,
};

const PRIMARY_CACHE: Count = Count {
    name: "primary_cache",
    about: "Paths that a node remembers of those it uses or has asked for (ns-2's MobiCache)",
    unit: "paths",
    default: 30,
    min: 1,
    max: 10_000,
};

const SECONDARY_CACHE: Count = Count {
    name: "secondary_cache",
    about: "Paths that a node remembers of those it has overheard (ns-2's MobiCache)",
    unit: "paths",
    default: 64,
    min: 1,
    max: 10_000,
};

const CACHE_TIMEOUT: Span = Span {
    name: "cache_timeout",
    about: "How long a path lives that nobody uses (RFC 4728, 9: `RouteCacheTimeout`, 300 s)",
    bare_unit: "",
    default: Duration::from_millis(300_000),
    min: Duration::from_millis(1),
    max: Duration::from_millis(2_000_000_000),
};

const REQUEST_PERIOD: Span = Span {
    name: "request_period",
    about: "How long after a failed route discovery the next one begins at the earliest (RFC 4728, 9: \
            `RequestPeriod`)",
    bare_unit: "",
    default: Duration::from_millis(500),
    min: Duration::from_millis(1),
    max: Duration::from_millis(1_000_000),
};

const LONGEST_REQUEST_PERIOD: Span = Span {
    name: "longest_request_period",
    about: "The longest of these waits (RFC 4728, 9: `MaxRequestPeriod`)",
    bare_unit: "",
    default: Duration::from_millis(10_000),
    min: Duration::from_millis(1),
    max: Duration::from_millis(1_000_000),
};

const REQUEST_GROWTH: Count = Count {
    name: "request_growth",
    about: "By how much the wait grows with every failed route discovery (RFC 4728, 4.3: 2)",
    unit: "times",
    default: 4,
    min: 1,
    max: 16,
};

/// All of them.
pub(super) const PARAMS: [Param; 13] = [
    FLOW_STATE.param(),
    DEFAULT_FLOW_ERRORS.param().only_while("flow_state", While::Switch(true)),
    REPEAT_OWN_REPLIES.param(),
    LISTEN.param(),
    REPLY_FROM_CACHE.param(),
    NEIGHBOURS_TIMEOUT.param(),
    SALVAGE_LIMIT.param(),
    PRIMARY_CACHE.param(),
    SECONDARY_CACHE.param(),
    CACHE_TIMEOUT.param().or("as long as there is room, as in ns-2"),
    REQUEST_PERIOD.param().at_most(LONGEST_REQUEST_PERIOD.name),
    LONGEST_REQUEST_PERIOD.param(),
    REQUEST_GROWTH.param(),
];

/// The values of the parameters.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Whether packets leave their source route out once their flow is established.
    pub flow_state: bool,
    /// Whether a source heeds that a node on the way does not know its default flow.
    pub default_flow_errors: bool,
    /// Whether a node's own reply goes out again when the link that it praises breaks under it.
    pub repeat_own_replies: bool,
    /// Whether nodes learn from frames for others and shorten routes by them.
    pub listen: bool,
    /// Whether nodes answer requests for others from their caches.
    pub reply_from_cache: bool,
    /// How long the neighbours have for an answer before everyone is asked.
    pub neighbours_timeout: Duration,
    /// How often a packet may be sent over another route on its way.
    pub salvage_limit: u8,
    /// Paths that are remembered of those that are used or were asked for.
    pub primary_cache: usize,
    /// Paths that are remembered of those that were overheard.
    pub secondary_cache: usize,
    /// How long a path lives that nobody uses.
    pub cache_timeout: Option<Duration>,
    /// How long after a failed route discovery the next one begins at the earliest.
    pub request_period: Duration,
    /// The longest of these waits.
    pub longest_request_period: Duration,
    /// By how much the wait grows with every failed route discovery.
    pub request_growth: u32,
}

impl Settings {
    /// With these values.
    pub fn new(values: &Values) -> Self {
        Settings {
            flow_state: values.get(FLOW_STATE),
            default_flow_errors: values.get(DEFAULT_FLOW_ERRORS),
            repeat_own_replies: values.get(REPEAT_OWN_REPLIES),
            listen: values.get(LISTEN),
            reply_from_cache: values.get(REPLY_FROM_CACHE),
            neighbours_timeout: values.get(NEIGHBOURS_TIMEOUT),
            salvage_limit: values.get(SALVAGE_LIMIT) as u8,
            primary_cache: values.get(PRIMARY_CACHE) as usize,
            secondary_cache: values.get(SECONDARY_CACHE) as usize,
            cache_timeout: values.given(CACHE_TIMEOUT),
            request_period: values.get(REQUEST_PERIOD),
            longest_request_period: values.get(LONGEST_REQUEST_PERIOD),
            request_growth: values.get(REQUEST_GROWTH),
        }
    }
}

/// The defaults are what ns-2 2.35 does, but for `default_flow_errors`.
impl Default for Settings {
    fn default() -> Self {
        Settings::new(&Values::default())
    }
}
