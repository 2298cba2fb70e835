//! Constants with the values of ns-2 2.35. [`super`] compares them with RFC 4728's.

use multihop_core::Duration;

/// RFC 4728: `BroadcastJitter`: requests, and the target's replies, are delayed by up to this time.
pub const JITTER: Duration = Duration::from_millis(10);

/// ns-2's `arp_timeout`: the gap between the packets that a reply sets free.
pub const RELEASE_GAP: Duration = Duration::from_millis(30);

/// ns-2's `IFQ_MAXLEN`: how many messages wait for the MAC.
pub const WAITING_LIMIT: usize = 50;

/// RFC 4728: the capacity of the send buffer; ns-2's `SEND_BUF_SIZE`.
pub const HELD_LIMIT: usize = 64;

/// RFC 4728: `SendBufferTimeout`.
pub const HELD_TIMEOUT: Duration = Duration::from_millis(30_000);

/// ns-2's `BUFFER_CHECK`: who waits is looked at after this time and up to once more.
pub const CHECK: Duration = Duration::from_millis(30);

/// RFC 4728: `GratReplyHoldoff`: how long a node keeps silent about a way that it has shortened.
pub const SHORTENING_PAUSE: Duration = Duration::from_millis(1_000);

/// RFC 4728: `GratReplyTableEntries`: how many such ways it remembers; ns-2's `RTREP_HOLDOFF_SIZE`.
pub const SHORTENED: usize = 10;

/// RFC 4728: `RequestTableSize`: how many nodes it remembers that have asked or were searched.
pub const MOST_KNOWN: usize = 128;

/// ns-2's `max_err_hold`: for how long a node tells with its next request of the link that it was told
/// is broken.
pub const ERROR_MEMORY: Duration = Duration::from_millis(1_000);

/// The radius of a request to everyone: more than a path has nodes.
pub const EVERYONE: u8 = 255;

/// ns-2's `TAP_CACHE_SIZE`: how many packets that were overheard it remembers: each is looked at once.
pub const OVERHEARD: usize = 1_024;

/// By how much numbers differ with which two lives of a node in a row begin, and the first packets of two nodes
/// whose addresses follow each other: 16 bits divided by the golden ratio, so that those of many lie far apart.
pub const SPREAD: u16 = 40_503;

/// A request whose number lies so far behind that of the last one, or further, is of another life of its
/// originator: floods do not overtake as many.
pub const REQUESTS_OF_A_LIFE: u16 = 256;

/// Flows between two nodes whose numbers differ by so much, or more, are of different lives of their source.
pub const FLOWS_OF_A_LIFE: u16 = 1_024;

/// ns-2's `END_TO_END_COUNT` and one: so many packets carry the source route before a flow counts as
/// established.
pub const ESTABLISHING: u32 = 3;

/// ns-2's `min_adv_interval`: after this time a packet carries the source route again.
pub const ADVERTISING: Duration = Duration::from_millis(5_000);

/// RFC 4728: `DefaultFlowTimeout`, in seconds.
pub const FLOW_TIMEOUT_S: u16 = 60;

/// How many flows a node remembers: ns-2's `FLOW_TABLE_SIZE` would be 3,000.
pub const MOST_FLOWS: usize = 1_024;

/// Of how many destinations a node tells what becomes of the route.
pub const MOST_ANNOUNCED: usize = 64;
