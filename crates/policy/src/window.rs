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
    /// Where events end steps: when the step began for which the window was read.
    read_for: Option<Time>,
}

impl SteeredWindow {
    /// The one of a flow that begins at the node of this station.
    pub(crate) fn new(station: Shared) -> Self {
        let (window, due, read_for) = (None, Time::ZERO, None);
        SteeredWindow { station, newreno: NewReno::default(), window, due, read_for }
    }

    fn read(&mut self, now: Time) {
        let mut station = self.station.held();
        self.window = station.controls(now).window;
        self.due = station.next(now);
        if station.terms.event.is_some() {
            self.read_for = Some(station.begins_at()).filter(|begin| *begin <= now);
        }
    }

    /// Where an event has ended a step since the window was read.
    fn follow(&mut self, now: Time) {
        if self.read_for.is_some_and(|begin| begin != self.station.held().begins_at()) {
            self.read(now);
        }
    }
}

impl CongestionControl for SteeredWindow {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.follow(cx.now);
        self.newreno.on_ack(tcp, cx, ack);
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.follow(cx.now);
        self.newreno.on_duplicate_ack(tcp, cx, ack);
    }

    fn on_retransmission_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        self.newreno.on_retransmission_timeout(tcp, cx);
    }

    fn on_deadline(&mut self, _tcp: &mut Connection, cx: &mut Cx) {
        self.read(cx.now);
    }

    fn deadline(&self, _tcp: &Connection) -> Time {
        match self.read_for {
            // An acknowledgment that has just arrived may have ended a step.
            Some(read_for) => {
                let begin = self.station.held().begins_at();
                if begin == read_for { self.due } else { begin.min(self.due) }
            }
            None => self.due,
        }
    }

    fn allowance(&self, tcp: &Connection) -> Allowance {
        Allowance::window(self.window.unwrap_or_else(|| tcp.window.segments()))
    }
}
