//! TCP Reno: RFC 5681, 3.2, fast retransmit and fast recovery. The first acknowledgment of new
//! data ends the recovery.

use multihop_core::{Capability, Cx, Forwarding, Plot, Scheme};

use crate::parts::fifo::Fifo;
use crate::parts::tcp::connection::{Cause, Connection, DUPLICATES};
use crate::parts::tcp::control::CongestionControl;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::{self, PARAMS};

/// TCP Reno.
pub static SCHEME: Scheme = Scheme {
    name: "reno",
    title: "TCP Reno",
    paper: "Jacobson: Modified TCP Congestion Avoidance Algorithm. 1990; RFC 5681, section 3.2",
    plot: Plot { color: "#cf5fae", marker: "^" },
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| tcp::transport(params, flow, end, Reno),
    carries: tcp::carries,
};

/// Its congestion control.
#[derive(Clone, Copy)]
pub struct Reno;

impl CongestionControl for Reno {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        if tcp.cause == Cause::Duplicates {
            tcp.cause = Cause::Recovered;
        }
        // RFC 5681, 3.2 step 6: deflate.
        tcp.window.inflation = 0;
        tcp.new_ack_opens(cx, ack);
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, _ack: &Ack) {
        tcp.duplicates += 1;
        if tcp.duplicates < DUPLICATES {
            tcp.limited_transmit();
        } else if tcp.duplicates > DUPLICATES {
            // RFC 5681, 3.2 step 4: one more segment has left the network.
            tcp.window.inflation += u32::from(tcp.cause == Cause::Duplicates);
        } else if tcp.is_new_loss() || tcp.cause == Cause::Duplicates {
            tcp.fast_retransmit(cx);
            tcp.window.inflation = DUPLICATES;
        } else if tcp.cause == Cause::Mark {
            tcp.retransmit_after_mark(cx);
            tcp.window.inflation = DUPLICATES;
        }
    }
}
