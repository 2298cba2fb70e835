//! Link RED: random early detection from the MAC's retries.
//!
//! Zhenghua Fu, Petros Zerfos, Haiyun Luo, Songwu Lu, Lixia Zhang, Mario Gerla: *The Impact of
//! Multihop Wireless Channel on TCP Throughput and Loss*. INFOCOM 2003.
//!
//! Many retries say that the medium around is contended: packets are marked with a probability
//! that grows with the mean number of retries, and TCP reduces its window.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | `avg_retry` | `LinkRed::average` | retries | |
//! | 1/8, the weight of a new sample | `WEIGHT` | | 1/8 |
//! | `min_th` | `min_threshold` | retries | 1 |
//! | `max_th` | `max_threshold` | retries | 3 |
//! | `max_P` | `max_probability` | | 0.2 |
//!
//! Deviation: the paper's values of the last three were not to be had; the defaults are
//! reconstructed. Deviation: the adaptive pacing of the same paper is not part of this.

mod stamp;

pub use stamp::LinkRed;

use multihop_core::{Capability, Forwarding, Number, Param, Plot, Scheme};

use crate::parts::stamped::Stamped;
use crate::parts::tcp::newreno::NewReno;
use crate::parts::tcp::{self, WINDOW_LIMIT};

/// TCP with link RED.
pub static SCHEME: Scheme = Scheme {
    name: "link-red",
    title: "TCP with link RED",
    paper: "Fu, Zerfos, Luo, Lu, Zhang, Gerla: The Impact of Multihop Wireless Channel on TCP \
            Throughput and Loss. INFOCOM 2003",
    plot: Plot { color: "#0f97a6", marker: "h" },
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast, Capability::LinkAcknowledgment],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &PARAMS,
    hop: &|params| Box::new(Stamped::new(params, LinkRed::new(params))),
    transport: &|params, flow, end| tcp::transport(params, flow, end, NewReno::default()),
    carries: tcp::carries,
};

const MIN_THRESHOLD: Number = Number {
    name: "min_threshold",
    about: "With fewer retries per packet in the mean, none is marked; reconstructed",
    unit: "retries",
    default: 1.0,
    min: 0.0,
    max: 1e3,
};

const MAX_THRESHOLD: Number = Number {
    name: "max_threshold",
    about: "With so many retries the probability would reach one; reconstructed",
    unit: "retries",
    default: 3.0,
    min: 0.0,
    max: 1e3,
};

const MAX_PROBABILITY: Number = Number {
    name: "max_probability",
    about: "The largest probability with which a packet is marked; reconstructed",
    unit: "",
    default: 0.2,
    min: 0.0,
    max: 1.0,
};

const PARAMS: [Param; 18] = tcp::marked(tcp::with(&[
    WINDOW_LIMIT.param(),
    MIN_THRESHOLD.param().at_most(MAX_THRESHOLD.name),
    MAX_THRESHOLD.param(),
    MAX_PROBABILITY.param(),
]));
