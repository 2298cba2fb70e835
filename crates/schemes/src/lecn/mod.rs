//! LECN: link-layer explicit congestion notification.
//!
//! Changhee Joo, Saewoong Bahk, Hyogon Kim: *Detecting Spatial Congestion in Multihop Wireless
//! Networks*. IWCMC 2006. doi:10.1145/1143549.1143674
//!
//! A packet that waits long in the MAC says that many nodes around want the medium: it is marked,
//! and TCP reduces its window.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | T (3.2) | `threshold` | ms | 60; "40 and 60 ms ... perform best" (4) |
//! | | `threshold_exchanges` | exchanges | 0: as in the paper |
//! | staying time (3.2) | `Lecn::watched` | time | |
//! | "sets the ECN bit" (3.2) | `Cx::mark` | | |
//! | window limit (4) | `window_limit` | packets | 64 |
//! | ACK thinning (2) | `ack_thinning` | switch | off |
//!
//! What the paper leaves open:
//!
//! | Place | Here |
//! |---|---|
//! | 3.2 what the mark is on | the frame's further attempts: one that is on the air stays as it is |
//! | 3.2 acknowledgments of TCP | marked as data is: the queue does not look into packets. A sender does not look at the mark of an acknowledgment, only at its echo |
//! | 4 "TCP" | `NewReno`; see `tcp::newreno` |
//! | 2 which packets the two acknowledgments are for | every half window, rounded up; after 100 ms at the latest; at once when a gap opens or closes |

mod stamp;

pub use stamp::Lecn;

use multihop_core::{Capability, Count, Duration, Forwarding, Number, Param, Plot, Scheme, Span};

use crate::parts::stamped::Stamped;
use crate::parts::tcp::{self, newreno::NewReno};

/// TCP with LECN.
pub static SCHEME: Scheme = Scheme {
    name: "lecn",
    title: "TCP with LECN",
    paper: "Joo, Bahk, Kim: Detecting Spatial Congestion in Multihop Wireless Networks. IWCMC 2006",
    plot: Plot { color: "#2ca02c", marker: "*" },
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast, Capability::LinkAcknowledgment],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &PARAMS,
    hop: &|params| Box::new(Stamped::new(params, Lecn::new(params))),
    transport: &|params, flow, end| tcp::transport(params, flow, end, NewReno::default()),
    carries: tcp::carries,
};

const THRESHOLD: Span = Span {
    name: "threshold",
    about: "A packet that waits in the MAC for longer is marked (3.2)",
    bare_unit: "ms",
    default: Duration::from_millis(60),
    min: Duration::ZERO,
    max: Duration::from_millis(1_000_000),
};

/// The paper's 60 ms are about eleven at 2 Mbit/s with packets of 1000 B.
const THRESHOLD_EXCHANGES: Number = Number {
    name: "threshold_exchanges",
    about: "If not 0, a packet is marked that waits for longer than so many times what its hop takes on an idle \
            medium, in place of the threshold: a rule for links of other rates. 11 are about the paper's 60 ms",
    unit: "exchanges",
    default: 0.0,
    min: 0.0,
    max: 1e6,
};

const WINDOW_LIMIT: Count = Count {
    about: "The receiver's window: so many packets are on their way at most (4)",
    default: 64,
    ..tcp::WINDOW_LIMIT
};

const PARAMS: [Param; 17] =
    tcp::marked(tcp::with(&[THRESHOLD.param(), THRESHOLD_EXCHANGES.param(), WINDOW_LIMIT.param()]));
