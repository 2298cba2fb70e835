//! Constants (RFC 3561, section 10) with the values of ns-2 2.35. [`super`] compares them.

use multihop_core::{Duration, Time};

/// `MY_ROUTE_TIMEOUT`: how long a route lives that its destination announces.
pub const MY_ROUTE_TIMEOUT: Duration = Duration::from_millis(10_000);

/// ns-2's `REV_ROUTE_LIFE`: how long a reverse route lives that nobody uses.
pub const REVERSE_ROUTE_LIFE: Duration = Duration::from_millis(6_000);

/// ns-2's `BCAST_ID_SAVE`, in the RFC `PATH_DISCOVERY_TIME`: how long a request is remembered
/// at least, and how often what is older is thrown away.
pub const REQUEST_MEMORY: Duration = Duration::from_millis(6_000);

/// `NODE_TRAVERSAL_TIME`: how long a hop takes if nothing has been measured.
pub const NODE_TRAVERSAL_TIME: Duration = Duration::from_millis(30);

/// ns-2's `MAX_RREQ_TIMEOUT`: the longest wait for a reply, and the pause after
/// [`REQUEST_RETRIES`].
pub const LONGEST_WAIT: Duration = Duration::from_millis(10_000);

/// `RREQ_RETRIES`: how often a search of the whole network is repeated.
pub const REQUEST_RETRIES: u32 = 3;

/// `TTL_START`: the radius of the first search.
pub const TTL_START: u8 = 5;

/// `TTL_INCREMENT`: by how much a search widens.
pub const TTL_INCREMENT: u8 = 2;

/// `TTL_THRESHOLD`: from this radius on, the next search is of the whole network.
pub const TTL_THRESHOLD: u8 = 7;

/// `NET_DIAMETER`: the radius of the whole network.
pub const NET_DIAMETER: u8 = 30;

/// ns-2's jitter of broadcasts: they are delayed by up to this time.
pub const JITTER: Duration = Duration::from_millis(10);

/// ns-2's `ARP_DELAY`: the gap between the packets that a reply sets free.
pub const RELEASE_GAP: Duration = Duration::from_millis(10);

/// ns-2's `AODV_RTQ_MAX_LEN`: how many packets wait for routes.
pub const HELD_LIMIT: usize = 64;

/// ns-2's `AODV_RTQ_TIMEOUT`: how long a packet waits for a route.
pub const HELD_TIMEOUT: Duration = Duration::from_millis(30_000);

/// ns-2's `MAX_HISTORY`: how many discovery latencies are averaged.
pub const LATENCIES: usize = 3;

/// How many destinations a node remembers, and how many requests: more than any network here
/// has, and a bound for what forged packets can fill.
pub const MOST_KNOWN: usize = 8_192;

/// How many precursors a route remembers: more than any node has neighbours.
pub const MOST_PRECURSORS: usize = 256;

/// The period of ns-2's route cache timer, which starts at time zero.
pub const TICK: Duration = Duration::from_millis(500);

/// The first multiple of `period` that is not before `time`.
pub fn tick_at(time: Time, period: Duration) -> Time {
    let ticks = time.nanos().div_ceil(period.nanos());
    Time::from_nanos(ticks.saturating_mul(period.nanos()))
}

/// The first multiple of `period` that is after `time`.
pub fn tick_after(time: Time, period: Duration) -> Time {
    let ticks = time.nanos() / period.nanos();
    Time::from_nanos(ticks.saturating_add(1).saturating_mul(period.nanos()))
}
