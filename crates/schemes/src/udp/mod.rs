//! UDP over 802.11: no congestion control at all. The baseline of CXCC 1 and 7.1.

use multihop_core::{Capability, Forwarding, Plot, Scheme};

use crate::parts::datagram::{self, Datagram};
use crate::parts::fifo::{Fifo, QUEUE_LIMIT};

/// UDP over 802.11.
pub static SCHEME: Scheme = Scheme {
    name: "udp",
    title: "UDP over 802.11",
    paper: "The baseline of CXCC, sections 1 and 7.1: constant-rate datagrams over the common stack",
    plot: Plot { color: "#7f7f7f", marker: "s" },
    counters: &[],
    words: &[],
    headers: &[],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &[QUEUE_LIMIT.param()],
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|_, flow, _| Box::new(Datagram::new(flow)),
    carries: datagram::carries,
};
