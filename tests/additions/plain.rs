//! TCP without fast retransmit: only timeouts. An example; no paper.

use multihop_core::{Capability, Cx, Plot, Scheme, Forwarding};

use crate::parts::fifo::Fifo;
use crate::parts::tcp::connection::Connection;
use crate::parts::tcp::control::CongestionControl;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::{self, PARAMS};

/// TCP without fast retransmit.
pub static SCHEME: Scheme = Scheme {
    name: "plain",
    title: "TCP without fast retransmit",
    paper: "None; an example",
    plot: Plot { color: "#123456", marker: "8" },
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| tcp::transport(params, flow, end, Plain),
    carries: tcp::carries,
};

/// Its congestion control.
#[derive(Clone)]
pub struct Plain;

impl CongestionControl for Plain {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        tcp.new_ack_opens(cx, ack);
    }

    fn on_duplicate_ack(&mut self, _tcp: &mut Connection, _cx: &mut Cx, _ack: &Ack) {}
}
