//! XCP 3.3: a sender whose window follows the feedback; losses as `NewReno` has them.

use multihop_core::{Cx, Packet, Params};

use crate::parts::explicit::on_new_ack;
use crate::parts::explicit::window::{ExplicitWindow, keep_one};
use crate::parts::tcp::CongestionControl;
use crate::parts::tcp::connection::Connection;
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::newreno::NewReno;

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
