//! CXCC in batches: custody of several packets, for MACs that send frames of several.
//!
//! No paper. [CXCC](super) has one packet of a flow in flight on a hop, in a frame that nobody acknowledges. A frame of
//! 802.11n carries up to 64 packets, and needs the block acknowledgment of its receiver for that. So the unit of CXCC's rules is a
//! batch here, and the MAC's acknowledgment repairs the hop. What remains of the implicit acknowledgment is the back-pressure.
//!
//! | CXCC | here | in the code |
//! |---|---|---|
//! | a node has one packet in custody that the next hop has not passed on, and one that waits (4.2) | at most `batch` packets of each kind | `queue::Queue` |
//! | the next packet goes after the next hop was overheard passing the last one on (3.2) | the next batch goes after the next hop was overheard passing on the packet of the batch that it has received last. A packet that was passed on acknowledges all that the next hop received before it, as queues are served in the order of arrival | `Queue::passed_on` |
//! | what is lost on a hop is asked for by an RFA and repeated after a NACK, or repeated (4.1, 5.2) | the MAC repeats it, packet by packet. What it gives up is sent again after a timeout, and new packets may fill the frame | `Queue::missing` |
//! | after a timeout an RFA (5.2) | an RFA for the packet that the next hop has received last, if nothing is missing | `Queue::offer` |
//! | an ACK answers an RFA for a packet that the next hop has acknowledged (5.2) | for a packet that is on its way from there: it has left the queue, as one that was overheard | `taken` |
//! | a NACK answers an RFA for a packet that is unknown (5.2) | likewise; then all of the batch is missing, as the next hop has restarted or forgotten the flow. It ignores what it knows all the same | `Queue::lost` |
//! | the destination acknowledges explicitly what the application has taken (3.2) | the link acknowledgment does; the application is not waited for | `Batches::data_done` |
//! | 4.1 retries without limit | so here; with `longest_probe` ever more rarely ([`probing`]) | `Batches::opens` |
//! | an answer that waits takes a data frame back from the MAC (4.2) | the answer goes next | `Batches::poll_transmit` |
//!
//! `timeout_exchanges` is that of several with which most arrived over long chains whose nodes do not sense all that disturb them. It made
//! little difference elsewhere (ADR 0160).
//!
//! With `batch = 1`, and where frames carry one packet, it is CXCC with link acknowledgments, and not the paper's.

mod hop;
mod queue;
mod taken;
#[cfg(test)]
mod tests;

use multihop_core::{
    Bytes, Capability, Duration, Forwarding, LinkTiming, Number, Params, Plot, Rng, Scheme,
    Vocabulary, While,
};

use super::state;
use super::words::{REQUEST, WITHDRAWN};
use super::{COUNTERS, DUPLICATE_MEMORY, FORMAT};
use crate::parts::batch;
use crate::parts::probing;
use crate::parts::reliable::{self, RELIABLE, REPORT_INTERVAL};

use self::hop::Batches;

/// CXCC in batches.
pub static SCHEME: Scheme = Scheme {
    name: "cxcc-batches",
    title: "CXCC in batches",
    paper: "None; after Scheuermann, Lochert, Mauve: Implicit Hop-by-Hop Congestion Control in Wireless \
            Multihop Networks. Ad Hoc Networks 6(2), 2008",
    plot: Plot { color: "#4a6fb5", marker: "$B$" },
    counters: &COUNTERS,
    words: &[Vocabulary::Event(&WITHDRAWN), Vocabulary::Frame(&REQUEST)],
    headers: &[&FORMAT, &reliable::FORMAT],
    does_itself: &[],
    requires: &[
        Capability::Unicast,
        Capability::LinkAcknowledgment,
        Capability::Withdrawal,
        Capability::Overhearing,
    ],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &[
        batch::SIXTEEN,
        TIMEOUT.param(),
        TIMEOUT_JITTER.param(),
        TIMEOUT_GROWTH.param(),
        probing::PARAM,
        DUPLICATE_MEMORY.param(),
        RELIABLE.param(),
        REPORT_INTERVAL.param().only_while("reliable", While::Switch(true)),
    ],
    hop: &|params| Box::new(Batches::new(params)),
    transport: &reliable::transport,
    carries: reliable::carries,
};

const TIMEOUT: Number = Number {
    name: "timeout_exchanges",
    about: "The timeout as a multiple of the time that a hop takes for all packets of the batch on an idle medium, the 3 in \
            TO = 3 T_P ± j (4.3)",
    unit: "exchanges",
    default: 20.0,
    min: 0.0,
    max: 1e6,
};

const TIMEOUT_JITTER: Number = Number {
    name: "timeout_jitter",
    about: "The largest deviation of the timeout to either side, the j in TO = 3 T_P ± j (4.3)",
    unit: "exchanges",
    default: 0.5,
    min: 0.0,
    max: 1e6,
};

const TIMEOUT_GROWTH: Number = Number {
    name: "timeout_growth",
    about: "What each repetition of a batch, or request for it, multiplies the next timeout by, ten times at most and \
            until the next hop has received or passed on some of it",
    unit: "",
    default: 1.5,
    min: 1.0,
    max: 10.0,
};

/// The values of the parameters.
#[derive(Clone, Debug)]
struct Settings {
    batch: usize,
    /// In times of an exchange.
    timeout: f64,
    timeout_jitter: f64,
    timeout_growth: f64,
    duplicate_memory: Duration,
    link: LinkTiming,
}

impl Settings {
    fn new(params: &Params) -> Self {
        Settings {
            batch: batch::most(params),
            timeout: params.get(TIMEOUT),
            timeout_jitter: params.get(TIMEOUT_JITTER),
            timeout_growth: params.get(TIMEOUT_GROWTH),
            duplicate_memory: params.get(DUPLICATE_MEMORY),
            link: params.link,
        }
    }

    /// How long to wait for the next hop to pass on packets of so many bytes in all, after so many repetitions.
    fn timeout(&self, rng: &mut Rng, bytes: Bytes, repetitions: u32) -> Duration {
        let Settings { timeout: number, timeout_jitter: jitter, timeout_growth: growth, .. } =
            *self;
        let factor = state::timeout(rng, number, jitter, growth, repetitions);
        self.link.exchange_time(bytes).scaled(factor)
    }
}
