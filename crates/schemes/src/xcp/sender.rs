//! XCP 3.3: a sender whose window follows the feedback; losses as `NewReno` has them.

use multihop_core::{Cx, Packet, Params};

use super::window::{ExplicitWindow, keep_one};
use crate::tcp::CongestionControl;
use crate::tcp::connection::Connection;
use crate::tcp::header::Ack;
use crate::tcp::newreno::NewReno;

/// The sender's half.
#[derive(Clone)]
pub struct Xcp {
    newreno: NewReno,
    window: ExplicitWindow,
}

impl Xcp {
    /// With the parameters of XCP.
    pub fn new(params: &Params) -> Self {
        Xcp { newreno: NewReno::default(), window: ExplicitWindow::new(params) }
    }
}

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

impl CongestionControl for Xcp {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        on_new_ack(&mut self.newreno, &mut self.window, tcp, cx, ack);
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.newreno.on_duplicate_ack(tcp, cx, ack);
        self.window.on_duplicate(tcp, cx);
        keep_one(tcp, cx);
    }

    fn on_departure(&mut self, tcp: &Connection, packet: &mut Packet) {
        self.window.write(tcp, packet);
    }

    fn on_arrival(&mut self, cx: &mut Cx, packet: &Packet) {
        self.window.read(cx, packet);
    }
}
