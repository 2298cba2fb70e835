//! TCP whose window somebody sets.

use multihop_core::{Cx, Time};
use multihop_schemes::parts::pacer::Allowance;
use multihop_schemes::parts::tcp::CongestionControl;
use multihop_schemes::parts::tcp::connection::Connection;
use multihop_schemes::parts::tcp::header::Ack;
use multihop_schemes::parts::tcp::newreno::NewReno;

use crate::station::Shared;

/// Recovers from losses as `NewReno` does; how much is on its way, the driver decides. Before it does, that is
/// `NewReno`'s window.
#[derive(Clone)]
pub(crate) struct SteeredWindow {
    station: Shared,
    newreno: NewReno,
    window: Option<u32>,
    due: Time,
}

impl SteeredWindow {
    /// The one of a flow that begins at the node of this station.
    pub(crate) fn new(station: Shared) -> Self {
        SteeredWindow { station, newreno: NewReno::default(), window: None, due: Time::ZERO }
    }
}

impl CongestionControl for SteeredWindow {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.newreno.on_ack(tcp, cx, ack);
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.newreno.on_duplicate_ack(tcp, cx, ack);
    }

    fn on_retransmission_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        self.newreno.on_retransmission_timeout(tcp, cx);
    }

    fn on_deadline(&mut self, _tcp: &mut Connection, cx: &mut Cx) {
        let mut station = self.station.held();
        self.window = station.controls(cx.now).window;
        self.due = station.terms.next(cx.now);
    }

    fn deadline(&self, _tcp: &Connection) -> Time {
        self.due
    }

    fn allowance(&self, tcp: &Connection) -> Allowance {
        Allowance::window(self.window.unwrap_or_else(|| tcp.window.segments()))
    }
}
