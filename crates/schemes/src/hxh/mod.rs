//! HxH: hop-by-hop transport control.
//!
//! Daniel N. Scofield: *Hop-by-Hop Transport Control for Multi-Hop Wireless Networks*. Master's
//! thesis, Brigham Young University, 2007.
//!
//! Every node keeps a queue per flow and sends from it only while the next hop has room. How much
//! room that is, and what has arrived at the destination, it overhears from the packets that the
//! next hop passes on.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | packet header (figure 3.1) | [`Header`], `header` | bytes | 40 |
//! | a flow's state (3.2) | `flow::Flow` | | |
//! | "byte based round robin" (3.2.2) | `schedule`, `quantum` | bytes | 1500 |
//! | "inactive for more than two seconds" (3.2.1) | `idle_timeout` | s | 2 |
//! | frozen (3.2.3) | `flow::Standing::Frozen` | | |
//! | queue (3.2.1) | `queue_limit` | packets | 20 |
//! | "its halfway point" (3.3) | `Settings::half` | packets | half of `queue_limit` |
//! | pool of credits (3.3) | `credit::Credit::pool` | packets | |
//! | "five times the ... average" (3.3) | `stopped_factor` | | 5 |
//! | ACK value (3.4.1) | `passive::Passive::ack` | packets | |
//! | passive acknowledgments (3.4.1; figure 4.6) | `passive_acks` | switch | on |
//! | "subject to a rate limit" (3.4.2) | `ack_interval` | ms | 100 |
//! | gap, NACK, range not to be `NACKed` (3.4.3) | `negative::Gaps` | | |
//! | "too much time passes" (3.4.3) | `negative::Missing`, `nack_timeout` | ms | at least 200 |
//! | rate-limited version (5.1.2) | `rate::Rate`, `rate_limit` | switch | off |
//!
//! What the paper leaves open, and where this code departs from it:
//!
//! | Place | Here |
//! |---|---|
//! | figure 3.1: length, and units of the numbers | 40 bytes, which is the length that the line through table 4.1 needs; sequence numbers count packets. The ACK value is the number that the destination expects next, which can say "nothing yet" |
//! | 3.2.1 size of a queue | 20 packets, the one in the MAC included |
//! | 3.2.1 receiving "for the flow" | a transmission counts as well, so that a flow that is being sent is not removed; acknowledgments of the flow too; at the source, and while a frame of the flow is with the MAC, state with packets stays |
//! | 3.2.2 \[4\] | deficit round robin; a packet is charged when it has been sent, and one that failed costs its flow the rest of the turn |
//! | 3.2.2 acknowledgments in the queues | they are a flow of their own without credits, and go back over the neighbours that the data came from |
//! | 3.2.3 with fixed routes | nothing is announced as broken, nothing freezes: a failed packet is tried again in its turn |
//! | 3.2.3 the source's packet | a frozen flow's source hands one packet to routing, and waits for that one before it sends others, or they would overtake it |
//! | 3.3 credits at the start | half a queue |
//! | 3.3 credits and values heard | "adds credits to the flow's pool", and "hearing a single packet will allow the flow to reset its pool to the correct number of credits": every packet heard resets the pool to the value in it, which is for the case that "the transmission fails", and adds the one credit for the packet that leaves. What passes upstream resets it and adds none. The value is as old as the frame, which may have waited in the MAC, and a packet that fails after all is counted as gone; the other half of the queue takes what that sends too many |
//! | 3.3 "exponential mean weighted average" | gain 1/8. Before two transmissions were overheard: the time that this node's own first packet took in the MAC, because the next hop needs as long |
//! | 3.3 how long a stopped flow waits | at most `idle_timeout`: then the next hop has forgotten the flow, and has room. Without a bound the waits, which count in the average, can grow without end |
//! | 3.3 and deaf radios | both the wait and the average contain the time in which this radio could not overhear, so it does not matter (`Cx::air` is not read) |
//! | 3.3 the last hop | needs no credits: the destination has no queue |
//! | 3.4.1 the second to last node | counts on from what it knows of the destination; behind a gap it remembers what it has delivered, and asks for an explicit acknowledgment until the gap is closed |
//! | 3.4.1 "same error control techniques as TCP" | RFC 6298's timer sends the first missing packet again and asks for an acknowledgment; when that comes and no data is left that could show the gaps, what was sent before the timeout is sent again |
//! | 3.1 restarts | the header says which life of the source a flow is of; with another one, nodes forget the flow. A destination in a new life goes on behind the ACK value; what the MAC had brought it behind a gap may count as arrived |
//! | 3.1 sequence numbers | begin at 0 in every life, and wrap around (RFC 1982) |
//! | 3.4.1 start of a flow | one packet, which asks for an acknowledgment, and after a route is lost again: routing holds what has no route, and later packets would overtake it |
//! | 3.4.2 rate limit | the last request is always answered, at the latest after `ack_interval` |
//! | 3.4.3 a node that joins a flow | its first packet is no gap; the destination's history begins at 0 |
//! | 3.4.3 a node that comes back | what it knows to be acknowledged is not missing |
//! | 3.4.3 the source's reaction | sends a packet again once per round trip, however many NACKs name it |
//! | 3.4.3 repeated NACKs | after four times the average from NACK to repair, twice that the next time, and so on |
//! | source's window | `window_limit`: the memory of both ends, no congestion control |
//! | 5.1.2 how to find the rate | additive increase, multiplicative decrease by the MAC's retries: see `rate` |
//! | several packets a frame (`batch`) | Deviation, off by default: each packet of a batch takes a credit of those that are left, and packets that are heard in one frame add one each to the value in them; a turn of the round robin is one frame, of at most `quantum` for each packet of a full batch and what is left of the turns before |
//! | flows with another transport | are scheduled and credited, but neither acknowledged nor `NACKed` |

mod credit;
mod destination;
mod explicit;
mod flow;
mod freeze;
mod header;
mod hop;
mod listen;
mod negative;
mod parameters;
mod passive;
mod rate;
mod schedule;
mod source;
mod state;
#[cfg(test)]
mod tests;

pub use header::{FORMAT, HEADER_LEN, HXH, Header, Kind, Range};
pub use state::Hxh;

use multihop_core::{Capability, End, Forwarding, Plot, Scheme};

use destination::Destination;
use parameters::{Feedback, Settings};
use source::Source;

/// HxH.
pub static SCHEME: Scheme = Scheme {
    name: "hxh",
    title: "HxH",
    paper: "Scofield: Hop-by-Hop Transport Control for Multi-Hop Wireless Networks. Master's \
            thesis, Brigham Young University, 2007",
    plot: Plot { color: "#d62728", marker: ">" },
    counters: &[],
    words: &[],
    headers: &[&header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast, Capability::LinkAcknowledgment],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &parameters::PARAMS,
    hop: &|params| Box::new(Hxh::new(params)),
    transport: &|params, flow, end| {
        let settings = Settings::new(params);
        match end {
            End::Source => Box::new(Source::new(settings, flow)),
            End::Destination => Box::new(Destination::new(settings, flow)),
        }
    },
    carries: header::carries,
};
