//! TCP without fast retransmit: only timeouts. An example; no paper.

use multihop_core::{Capability, Cx, MacAccess, Plot, Scheme};

use super::PARAMS;
use super::connection::Connection;
use super::control::CongestionControl;
use super::header::Ack;
use crate::fifo::Fifo;

/// TCP without fast retransmit.
pub static SCHEME: Scheme = Scheme {
    name: "plain",
    title: "TCP without fast retransmit",
    paper: "None; an example",
    plot: Plot { color: "#123456", marker: "8" },
    mac: MacAccess::Dcf,
    requires: &[Capability::Unicast],
    counters: &[],
    headers: &[&super::header::FORMAT],
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| super::transport(params, flow, end, Plain),
    carries: super::carries,
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
