//! WAKE: wave-aligned keep-clear exchange. A scheme of our own; its rules and what they reach stand in
//! `docs/wake`.
//!
//! Along a chain, frames three hops apart can be on the air together, if the one farther upstream starts
//! first: a receiver keeps what it has locked on to. Random backoff destroys that order. One period for the
//! whole path, and a short hold after every reception, restore it. Losses are repaired where they happen,
//! by link acknowledgments; so a source needs to know one number, the period that its path can bear. Where
//! signals vary, no order is sure to save both frames: what is left of the rules then is that period.
//!
//! | Symbol | In the code | Unit | Default |
//! |---|---|---|---|
//! | `T`: data frame, SIFS and link acknowledgment on this hop | `hop` | s | as measured |
//! | `k`: hops in a row that cannot send at once, `min(hops to go, 3)` | `Flow::reuse` | | 3 at most |
//! | `h` | `hold`, in times of SIFS and link acknowledgment | s | 2.7 times: 0.85 ms at 1 Mbit/s |
//! | `S`: from "may go" to the link acknowledgment | `Flow::service` | s | `T + h` at first |
//! | `need = k max(S, 0.3 waits)` | `Flow::need`, `waiting` | s | |
//! | `D = max(1.4 need, 0.5 need of others, D of the next hop)` | `Wake::period`, `spacing`, `yielding` | s | |
//!
//! | Rule | Where |
//! |---|---|
//! | 1 custody: who has the link acknowledgment's packet answers for it; of flows whose head may go, the one served least recently | `hop` |
//! | 2 upstream first: a received packet is held for `h`; after a packet was passed on, the flow keeps clear for `0.88 (k - 1) (T + h)`. Not held is, on all of its way, what goes no further than three hops, and what its source sent at once, 1.3 natural periods or more after the packet before | `hop`, `Flow::clearance`, `Source::on_offer` |
//! | 3 one period: every data frame carries `need`, hops to go and `D`; a node overhears `D` of the path from its next hop; only the source spaces its packets, by `D` from offer to offer, if `D >= 1.6 (k T + (k - 1) h)`, or the path has one hop: those whom such a source starves could not tell it | `period`, `source` |
//! | 4 give up soon, pause for longer: 3 attempts; 5 to 10 ms times `2^n` after the n-th failure, n at most 4 | `hop`, `attempts`, `pause`, `pause_growth` |
//! | 5 learned spacing: with such a `D` the source keeps clear by one forwarding more for 4 s; if that does not heal the path, not again for 64 s; after a relapse within 5 s for twice as long | `source::Wide` |
//! | 6 trains: the source of a flow that meets its reverse, once ten packets in a row had to wait, with `D <= 4.5` natural periods, sends 10 packets at the natural pace and waits until `10 D` after it began; its own packets are held while the other train comes | `source::Train`, `source::Reverse` |
//! | 7 coding, an option: where each of two heads goes to where the other one came from, one frame carries both, and both receivers acknowledge it in turn; a packet that has come, and is not of a train, waits up to 10 ms for such a partner that is due | `coding`, `coded`, `pairs` |
//! | 8 no waves by chance: where signals of a neighbour that follow each other within 200 ms differ as those of a standard deviation of 1 dB do, until they differ half as much, `h` is one link acknowledgment, nothing keeps clear, `k` is `min(hops to go, 4)`, `S` is a mean of up to 200 samples instead of 50, the source spaces its packets by any `D`, and rules 5 and 6 rest | `fading`, `Settings::of_chance` |
//! | 9 first packets first: once its application has had nothing to send for 500 ms, the next three packets of a flow say so; every node that hears or passes on one of them keeps its other flows clear for `4 (T + h)`. A source that its own period or a failure has held back was not silent | `Source::goes_first`, `Wake::keep_clear_of` |
//! | 10 no order at steep rates: where the modulation needs frames to be more than 9 dB stronger than what disturbs them, `h` is one link acknowledgment, the contention window is 15, and a frame has seven attempts | `Settings::new`, `steep` |
//! | 11 batches: where a frame carries several packets, up to 16 of a flow share one. All rules count it as one packet, as long as it is on the air; a train has so many full batches | `batches`, `exchange` |
//!
//! What the rules leave open:
//!
//! | Place | Here |
//! |---|---|
//! | duplicates | the MAC's own memory ends with its attempts: a packet with the number of the last one taken from the flow is one; with batches, of the last 64 |
//! | links that fail | after `alarm` failures of the same packet routing learns of it; the packet stays, and is tried on. With routes that are searched for, relays give back what waits for a lost neighbour, and a source hands its packet to routing |
//! | a MAC that does not tell how strong a frame was | signals do not vary there |
//! | a path's length | the next hop's plus one; before it was heard, routing's; before that, more than three |
//! | a full relay | loses the packet (`queue_full`), which spacing should prevent |
//! | what dies with a node | is lost, or repeated by the ends with `reliable` |
//! | who can read a coded frame | a relay codes what it has from the neighbour itself, for a second at most, and as it came; nodes keep 256 packets that they have sent, for 2 s. Who cannot read its packet declines it. A packet that was coded in vain goes alone |
//! | the reverse flow of trains | its data: reports without payload do not count |

mod batches;
mod coded;
mod coding;
mod exchange;
mod fading;
mod flow;
mod header;
mod hop;
mod pairs;
mod parameters;
mod period;
mod source;
mod state;
mod store;
pub mod words;

pub use coded::{CODED_FORMAT, Part, Parts, WAKE_CODED, decode, encode, tail};
pub use header::{FORMAT, HEADER_LEN, Header, WAKE};

use multihop_core::{Capability, Counter, Counts, EventKind, Forwarding, Plot, Scheme, Vocabulary};

use crate::parts::reliable;
use state::Wake;

/// What is counted in WAKE's runs only.
static COUNTERS: [Counter; 2] = [
    Counter {
        name: "coded",
        unit: "packets",
        about: "packets that shared a frame with another one, for another neighbour (coding)",
        counts: Counts::Events(EventKind::Declared(&words::CODED)),
    },
    Counter {
        name: "undecodable",
        unit: "frames",
        about: "frames with two packets, one of them for this node, that it could not decode (coding)",
        counts: Counts::Events(EventKind::Declared(&words::UNDECODABLE)),
    },
];

/// WAKE.
pub static SCHEME: Scheme = Scheme {
    name: "wake",
    title: "WAKE",
    paper: "None: a scheme of this project (docs/wake)",
    plot: Plot { color: "#e0218a", marker: "2" },
    counters: &COUNTERS,
    words: &[Vocabulary::Event(&words::CODED), Vocabulary::Event(&words::UNDECODABLE)],
    headers: &[&FORMAT, &CODED_FORMAT, &reliable::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast, Capability::LinkAcknowledgment, Capability::Overhearing],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &parameters::PARAMS,
    hop: &|params| Box::new(Wake::new(params)),
    transport: &reliable::transport,
    carries: reliable::carries,
};
