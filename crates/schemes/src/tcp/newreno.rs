//! TCP `NewReno`: RFC 6582. Its congestion control is [`NewReno`], which other schemes use, too.

use multihop_core::{Capability, Forwarding, Plot, Scheme};

use crate::parts::fifo::Fifo;
use crate::parts::tcp::newreno::NewReno;
use crate::parts::tcp::{self, PARAMS};

/// TCP `NewReno`.
pub static SCHEME: Scheme = Scheme {
    name: "newreno",
    title: "TCP NewReno",
    paper: "Henderson, Floyd, Gurtov, Nishida: The NewReno Modification to TCP's Fast Recovery \
            Algorithm. RFC 6582, 2012",
    plot: Plot { color: "#cc7000", marker: "D" },
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| tcp::transport(params, flow, end, NewReno::default()),
    carries: tcp::carries,
};
