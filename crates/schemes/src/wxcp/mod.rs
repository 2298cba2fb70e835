//! WXCP: explicit windows for wireless multihop networks.
//!
//! Yang Su, Thomas Gross: *WXCP: Explicit Congestion Control for Wireless Multi-hop Networks*. `IWQoS`
//! 2005, LNCS 3552.
//!
//! XCP (its header, arithmetic and receiver are [`crate::parts::explicit`]) whose stations measure what they
//! can have instead of taking the rate of their interface for it, and whose senders look for losses when
//! their window is too small for duplicate acknowledgments.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | T (3.2, 3.3) | `Metrics::interval` | ns | the mean round trip |
//! | `T_free` (3.2) | `Metrics::free` | ns | |
//! | `s_j` / (`t_t` − `t_r`) (equation 2) | in `LinkThroughput::add` | bytes/1000 per s | |
//! | `bw_k` (3.3) | `LinkThroughput::of` | bytes/s | |
//! | bw (equation 1) | `LinkThroughput::mean` | bytes/s | |
//! | B (equation 1) | `Metrics::available` | bytes/s | |
//! | n (3.3) | `Metrics::neighbours` | stations | |
//! | `Q_ifq` (3.3) | `Metrics::queue` | bytes | |
//! | `Retry_avg` (3.3) | `Metrics::retries` / `Metrics::delivered` | retries | |
//! | Φ (equation 3) | `Metrics::aggregate` | bytes/10⁶ per interval | |
//! | α, β, ζ (3.6) | `alpha`, `beta`, `zeta` | , , bytes | 0.20, 0.11, 67 |
//! | `p_i`, `n_i` (equations 4 to 7) | `explicit::share` | bytes/1000 | |
//! | cwnd, rtt, feedback of the header (3.4) | `explicit::header` | bytes, µs, bytes/1000 | |
//! | equation 8 | `ExplicitWindow::adjust` | packets | |
//! | figure 1 | `state` | | |
//! | `W_min` (3.4, 3.6) | `discovery_window` | packets | 7 |
//! | `W_a` (3.5) | `Wxcp::available` | packets | |
//! | `B_t` (3.5, 3.6) | `tolerable_burst` | packets | 2 |
//!
//! What the paper leaves open, and what is done here:
//!
//! | Place | Here |
//! |---|---|
//! | 3.2 "an average of each link layer throughput measurement sample" | that of the samples of one interval, for stations have no parameter to smooth with (3.6): `bandwidth_memory`; every packet that a neighbour acknowledges is a sample, TCP's acknowledgments too |
//! | 3.2 "time used by station itself" | the time for which its MAC has a packet, backoff too (ADR 0044): `own_use` |
//! | 3.2 bw "to all the different destinations" | the mean of all neighbours' means: `bandwidth_mean` |
//! | 3.2 equation 2, `t_t` − `t_r` | the other way round: the time from `t_t` to `t_r` |
//! | 3.3 whose packets are "overheard" | those of every station whose packet the radio decodes: `neighbours`. ns-2's tap hears routing's broadcasts, too, which do not come to a hop protocol here: in the grid n is another one in 2.4 % of the intervals |
//! | 3.3 T, "the average of RTT of all the flows" | XCP's: Σ rtt² · s / cwnd over Σ rtt · s / cwnd |
//! | 3.3 T before a round trip is known, its bounds | ns-2's XCP: 50 ms; from 1 ms to 1 s |
//! | 3.3 sums "over all the flows L" | over the packets of the interval, or the units would not fit |
//! | 3.3 the unit of ζ, and of `Q_ifq` | bytes per retry, and bytes, or the units would not fit |
//! | 3.3 `Q_ifq` | without the packet in the MAC, as in ns-2: `queue` |
//! | 3.2 retransmissions | every time that the MAC had to try again, an RTS too; of packets that were then acknowledged; in the interval in which they were |
//! | 3.3 the time between the sums and the feedback | as in XCP: sums of one interval, feedback in the next; what is left of the aggregate is counted: `residue` |
//! | 3.3 shuffling | none: `gamma` is zero |
//! | 3.2 a link without a sample in the interval | keeps its mean; before its first, it has that of the others |
//! | links that are not used any more | forgotten: when routing loses the neighbour, with the first whole interval without them after a route was found or changed, and after `forget_after` |
//! | 3.4 acknowledgments | count as traffic and as samples; they carry the echo and no flow state, unless `ack_feedback` |
//! | 3.4 "a new acknowledgment" | not a duplicate one, unless `duplicate_feedback` |
//! | 3.4 losses "in the similar manner to TCP" | `NewReno`, as the paper's TCP is; its window does not open by itself |
//! | 3.4 feedback during fast recovery | changes the window as well: each partial acknowledgment first deflates it as RFC 6582 says, then adds its feedback (`explicit::on_new_ack`) |
//! | 3.4 the sender's wish | what fills the receiver's window within one round trip, as in XCP: it caps positive feedback. The paper's header carries cwnd and rtt only, and equations (4) and (8) have no cap |
//! | 3.4 the loss discovery timer | on the retransmission timer's clock, up to the next tick: with an exact SRTT every other round trip would be longer, and the timer is not to run out while it "does not increase dramatically" |
//! | 3.4 where the loss discovery timer runs | in window control and pacing; not in a recovery, nor after a timeout |
//! | 3.4 what is paced out in loss discovery | new packets; the distance counts from the last packet, whatever it was. What a duplicate acknowledgment lets out (RFC 3042) is not paced |
//! | 3.4 "when it paces out a CWND of packets" | the first number of packets that is not less |
//! | 3.4 `W_min` packets inserted | so many are not acknowledged; no more than `window_limit` |
//! | 3.4 a new or third duplicate acknowledgment after exit 1 | like exits 2 and 3 |
//! | 3.5 the first packet of a paced window | at once, unless one has just left |
//! | the window before any feedback | `initial_window`, after the acknowledgment of the SYN |
//! | rtt of the header, and of loss discovery | SRTT (RFC 6298), of exact times |

pub mod aggregate;
pub mod bandwidth;
mod discovery;
pub mod neighbours;
pub mod own_use;
pub mod parameters;
pub mod sender;
pub mod state;
pub mod station;
pub mod words;

use multihop_core::{Capability, Counter, Counts, EventKind, Forwarding, Plot, Scheme, Vocabulary};

use crate::parts::explicit;
use crate::parts::explicit::receiver::Echo;
use crate::parts::stamped::Stamped;
use crate::parts::tcp;
use sender::Wxcp;
use station::Station;

/// WXCP.
pub static SCHEME: Scheme = Scheme {
    name: "wxcp",
    title: "WXCP",
    paper: "Su, Gross: WXCP: Explicit Congestion Control for Wireless Multi-hop Networks. IWQoS 2005",
    plot: Plot { color: "#7b5cf0", marker: "<" },
    counters: &[explicit::MALFORMED, LOSS_DISCOVERIES],
    words: &[Vocabulary::Event(&words::LOSS_DISCOVERY)],
    headers: &[&explicit::header::FORMAT, &tcp::header::FORMAT],
    does_itself: &[],
    requires: &[
        Capability::Unicast,
        Capability::LinkAcknowledgment,
        Capability::Overhearing,
        Capability::AirTime,
    ],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &parameters::PARAMS,
    hop: &|params| Box::new(Stamped::new(params, Station::new(params))),
    transport: &|params, flow, end| {
        tcp::halves(params, flow, end, Wxcp::new(params), Echo::new(params))
    },
    carries: tcp::carries,
};

const LOSS_DISCOVERIES: Counter = Counter {
    name: "loss_discoveries",
    unit: "",
    about: "how often a sender entered loss discovery (WXCP 3.4)",
    counts: Counts::Events(EventKind::Declared(&words::LOSS_DISCOVERY)),
};
