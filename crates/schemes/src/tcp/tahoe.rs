//! TCP Tahoe: Jacobson, *Congestion Avoidance and Control*, SIGCOMM 1988. The third duplicate
//! acknowledgment is answered like a timeout: slow start from one segment.

use multihop_core::{Capability, Cx, Forwarding, Plot, Scheme};

use crate::parts::fifo::Fifo;
use crate::parts::tcp::connection::{Cause, Connection, DUPLICATES};
use crate::parts::tcp::control::CongestionControl;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::window::Cut;
use crate::parts::tcp::{self, PARAMS};

/// TCP Tahoe.
pub static SCHEME: Scheme = Scheme {
    name: "tahoe",
    title: "TCP Tahoe",
    paper: "Jacobson: Congestion Avoidance and Control. SIGCOMM 1988",
    plot: Plot { color: "#96594c", marker: "v" },
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| tcp::transport(params, flow, end, Tahoe),
    carries: tcp::carries,
};

/// Its congestion control.
#[derive(Clone, Copy)]
pub struct Tahoe;

impl CongestionControl for Tahoe {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        tcp.new_ack_opens(cx, ack);
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, _ack: &Ack) {
        tcp.duplicates += 1;
        if tcp.duplicates < DUPLICATES {
            tcp.limited_transmit();
        } else if tcp.duplicates == DUPLICATES && tcp.is_new_loss() {
            tcp.recover = tcp.sent;
            tcp.cause = Cause::Duplicates;
            tcp.cut(cx, Cut::ToOne);
            tcp.go_back(cx);
        } else if tcp.duplicates == DUPLICATES && tcp.cause == Cause::Mark {
            tcp.cause = Cause::Duplicates;
            tcp.cut(cx, Cut::Restart);
            tcp.go_back(cx);
        }
    }
}
