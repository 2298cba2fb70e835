//! ATP: the ad hoc transport protocol, with rates from the routers and feedback once per epoch.
//!
//! Karthikeyan Sundaresan, Vaidyanathan Anantharaman, Hung-Yun Hsieh, Raghupathy Sivakumar: *ATP: a
//! Reliable Transport Protocol for Ad-Hoc Networks*. `MobiHoc` 2003; IEEE Transactions on Mobile
//! Computing 4(6), 2005.
//!
//! This is a **reconstruction**: the text of the paper was not to be had, only its abstract and what
//! later papers say of it. That an epoch lasts one second, that there is one acknowledgment per
//! epoch, and that there is no slow start, stand in Scofield's thesis on hop-by-hop transport
//! control (2.2). Everything else is from secondary accounts, and every constant is a parameter.
//!
//! A packet collects the largest delay of the nodes on its way. The receiver averages it, and tells
//! the sender once per epoch at which rate the slowest node would serve it, and what has arrived.
//! The sender paces at that rate; what is lost says nothing about the rate.
//!
//! | In the accounts | In the code | Unit | Default |
//! |---|---|---|---|
//! | Q, mean queueing delay | `AtpRouter::queueing` | s | |
//! | T, mean transmission delay | `AtpRouter::transmission` | s | |
//! | α, weight of the old mean of Q and T | `alpha` | | 0.75 |
//! | D, largest Q + T on the way | `PathHeader::delay_us` | µs | |
//! | η, factor of an idle node for a probe | `eta` | | 3 |
//! | κ, weight of the receiver's old mean of D | `kappa` | | 0.75 |
//! | E, epoch | `epoch` | s | 1 |
//! | S, sending rate | `Rate::current` | packets/s | |
//! | R = 1/D, advertised rate | `Header::interval_us`, its inverse | µs | |
//! | φ, how far R must lie above S | `phi` | | 0.25 |
//! | k, share of the difference per increase | `increase_divisor` | | 5 |
//! | SACK blocks per feedback | `sack_blocks` | | 20 |
//! | S after an epoch without feedback | `silence_factor` | | 0.5 |
//! | such epochs until a probe | `missed_epochs` | | 3 |
//!
//! What the accounts leave open, and what is done here:
//!
//! | Place | Here |
//! |---|---|
//! | Q and T of which packets | of all that leave the queue, feedback and probes too; T only of those that the MAC delivers; the first sample is the mean |
//! | idle | no packet but probes has left the node within the last epoch; η then stands before its last Q + T |
//! | a node that has sent nothing yet | does not know its T and stamps nothing |
//! | a probe that nobody has stamped | is answered so, and goes out again at once, for now every node has sent one; if that is in vain, the rate is one packet per round trip |
//! | an end that restarts | numbers begin with one that depends on the node's life; the first probe opens a connection; data without one is refused (a report without room), and the sender begins anew; a probe of another life ends a connection by naming what its receiver expects |
//! | what a block has named and later ones do not | is lost: the receiver has restarted |
//! | D of a new path | the receiver's mean starts anew with a probe |
//! | when the epoch begins | with the first packet that arrives; after an epoch without one the receiver is silent |
//! | when feedback is missing | `grace` of an epoch after it was due; then every epoch |
//! | a probe that is not answered | goes out again every `probe_interval`, 1 s |
//! | the path fails | as routing tells (`RouteNews::Lost`): stop, and probe until an answer |
//! | nothing to send for `missed_epochs` | the rate is out of date: probe again |
//! | which rates are possible | from one packet per epoch up to the data rate of the radio |
//! | what is lost | what was sent before something that has arrived, and has not arrived itself: transmissions carry a serial number for that, probes too; retransmissions therefore are not repeated while they may be on their way |
//! | flow control | how far beyond the acknowledgment the receiver has room: `receive_buffer`; the application reads at once |
//! | lengths | 8 bytes that routers write, 16 bytes from end to end, 4 bytes per SACK block behind them |

mod parameters;
mod router;

pub use router::AtpRouter;

use multihop_core::{Capability, Forwarding, Plot, Scheme};

use crate::parts::reliable::{self, Settings};
use crate::parts::stamped::Stamped;

/// ATP.
pub static SCHEME: Scheme = Scheme {
    name: "atp",
    title: "ATP",
    paper: "Sundaresan, Anantharaman, Hsieh, Sivakumar: ATP: a Reliable Transport Protocol for \
            Ad-Hoc Networks. MobiHoc 2003 (reconstructed)",
    plot: Plot { color: "#1e8a4c", marker: "p" },
    counters: &[],
    words: &[],
    headers: &[&reliable::PATH_FORMAT, &reliable::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &parameters::PARAMS,
    hop: &|params| Box::new(Stamped::new(params, AtpRouter::new(params))),
    transport: &|params, flow, end| reliable::ends(Settings::new(params), flow, end),
    carries: reliable::numbers,
};
