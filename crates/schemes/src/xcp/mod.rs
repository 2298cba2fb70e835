//! XCP: explicit control, in which routers tell senders by how much to change their windows.
//!
//! Dina Katabi, Mark Handley, Charlie Rohrs: *Congestion Control for High Bandwidth-Delay Product
//! Networks*. SIGCOMM 2002. doi:10.1145/633025.633035. The header and the counters of what is left are
//! those of the later draft (Falk, Pryadkin, Katabi: *Specification for the Explicit Control Protocol*,
//! draft-falk-xcp-spec-03, 2007), and of ns-2.
//!
//! Made for wires of high rate. On a radio it takes the rate of the interface for what it can have, which
//! is what WXCP (3.1) sets out from.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | cwnd, rtt of the header (3.1) | `FlowState` | bytes, µs | |
//! | feedback of the header (3.1) | `PathHeader::feedback` | bytes/1000 | what fills the receiver's window |
//! | s | length of the packet in the network layer | bytes | |
//! | d, mean round trip, the control interval (3.5) | `Intervals` | ns | `initial_interval`: 50 ms |
//! | Φ, aggregate feedback (equation 1) | `aggregate` | bytes/10⁶ per interval | |
//! | S, spare bandwidth | in `aggregate` | bytes/s | |
//! | Q, persistent queue | `Closed::queue` | bytes | |
//! | α, β, γ | `alpha`, `beta`, `gamma` | | 0.4, 0.226, 0.1 |
//! | h, shuffled traffic (equation 4) | in `Shares::new` | bytes/10⁶ per interval | |
//! | p, n, positive and negative feedback (equations 5, 7) | in `Shares::take` | bytes/1000 | |
//! | `ξ_p`, `ξ_n` (equations 6, 8) | the two quotients in `Shares::take` | | |
//!
//! What the paper leaves open, and what is done here:
//!
//! | Place | Here |
//! |---|---|
//! | 3.5 capacity of a radio | the rate of data frames, as it is the interface's (WXCP 3.1) |
//! | 3.5 d before any round trip is known; its bounds | ns-2's: 50 ms; from 1 ms to 1 s |
//! | 3.5 over which packets ξ sums | those that leave the queue in one interval share what is handed out in the next |
//! | 3.5 what is handed out at most | the aggregate and the shuffled traffic, as in the draft: what is left is counted (`residue`). What another router, or the sender, has taken away counts as taken away here, and what a packet does not get for that reason is left |
//! | 3.5 Q | the least that has waited, over the interval. Deviation: not less the queueing delay |
//! | 3.3 the sender's wish | what fills the receiver's window within one round trip |
//! | 3.3 acknowledgments of old data | change nothing, unless `duplicate_feedback` |
//! | 3.3 losses | `NewReno`'s, whose window does not open by itself; it holds at least one packet |
//! | 3.3 feedback during fast recovery | changes the window as well, after `NewReno` has deflated it |
//! | 3.4 one acknowledgment for several packets | brings the sum of their feedback |
//! | acknowledgments | count as traffic; they have no flow state and get no feedback, unless `ack_feedback` |
//! | rtt | SRTT (RFC 6298), of exact times |
//! | a header that says what cannot be | counted (`malformed_headers`), and as if it was not there |
//! | a silent router | an interval without a packet, in queue or MAC, is the last; after `forget_after` it starts afresh |
//! | wires | each has a queue of its own below the node, which no router sees |

mod parameters;
pub mod router;
pub mod sender;

use multihop_core::{Capability, Forwarding, Plot, Scheme};

use crate::parts::explicit::receiver::Echo;
use crate::parts::explicit::{MALFORMED, header};
use crate::parts::stamped::Stamped;
use crate::parts::tcp;
use router::Router;
use sender::Xcp;

/// XCP.
pub static SCHEME: Scheme = Scheme {
    name: "xcp",
    title: "XCP",
    paper: "Katabi, Handley, Rohrs: Congestion Control for High Bandwidth-Delay Product Networks. \
            SIGCOMM 2002",
    plot: Plot { color: "#b8577e", marker: "8" },
    counters: &[MALFORMED],
    words: &[],
    headers: &[&header::FORMAT, &tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &parameters::PARAMS,
    hop: &|params| Box::new(Stamped::new(params, Router::new(params))),
    transport: &|params, flow, end| {
        tcp::halves(params, flow, end, Xcp::new(params), Echo::new(params))
    },
    carries: tcp::carries,
};
