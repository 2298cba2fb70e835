//! Explicit windows: what the senders, receivers and stations of XCP and of schemes built on it have in common.
//!
//! - `header`: what a sender writes, stations rewrite and the receiver echoes;
//! - `window`, `receiver`: the halves of a connection;
//! - `interval`, `share`: how stations divide what they have among the packets that pass.

pub mod header;
pub mod interval;
pub mod parameters;
pub mod receiver;
pub mod share;
pub mod window;

use multihop_core::{Counter, Counts, Cx, EventKind};

use crate::parts::tcp::connection::Connection;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::newreno::NewReno;
use window::ExplicitWindow;

/// A new acknowledgment, for a window that follows the feedback: recovery first, and then the window.
/// Whether a recovery goes on.
pub fn on_new_ack(
    newreno: &mut NewReno,
    window: &mut ExplicitWindow,
    tcp: &mut Connection,
    cx: &mut Cx,
    ack: &Ack,
) -> bool {
    let recovers = newreno.recovers(tcp, cx, ack);
    if !recovers {
        tcp.new_ack(cx, ack);
        if ack.sequence == 1 {
            tcp.set_initial_window(cx);
        }
    }
    window.adjust(tcp, cx);
    recovers
}

/// Bad input from the air.
pub const MALFORMED: Counter = Counter {
    name: "malformed_headers",
    unit: "packets",
    about: "headers that could not be read, or said what cannot be; a congestion header then counts \
            as absent",
    counts: Counts::Events(EventKind::Malformed),
};
