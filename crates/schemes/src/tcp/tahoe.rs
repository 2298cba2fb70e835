//! TCP Tahoe: Jacobson, *Congestion Avoidance and Control*, SIGCOMM 1988. The third duplicate
//! acknowledgment is answered like a timeout: slow start from one segment.

use multihop_core::{Capability, Cx, Plot, Scheme};

use super::PARAMS;
use super::connection::{Cause, Connection, DUPLICATES};
use super::control::CongestionControl;
use super::header::Ack;
use super::window::Cut;
use crate::fifo::Fifo;

/// TCP Tahoe.
pub static SCHEME: Scheme = Scheme {
    name: "tahoe",
    title: "TCP Tahoe",
    paper: "Jacobson: Congestion Avoidance and Control. SIGCOMM 1988",
    plot: Plot { color: "#96594c", marker: "v" },
    counters: &[],
    headers: &[&super::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| super::transport(params, flow, end, Tahoe),
    carries: super::carries,
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
