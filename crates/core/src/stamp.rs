//! The seam of what a router writes into the packets that pass through it.

use crate::{Cx, Packet, Time, TxDone};

/// A router's part of a scheme: it watches a queue and its MAC, and writes into packets. It does
/// not decide where they go or when, so it can sit on any queue.
pub trait Stamp: Send {
    /// `packet` leaves the queue for the MAC; `queued` others wait behind it.
    fn on_forward(&mut self, cx: &mut Cx, packet: &mut Packet, queued: usize);

    /// The MAC has finished with it.
    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone);

    /// The time given by [`Stamp::deadline`] has come.
    fn on_timeout(&mut self, _cx: &mut Cx) {}

    /// When to call [`Stamp::on_timeout`]; [`Time::NEVER`] if not at all.
    fn deadline(&self) -> Time {
        Time::NEVER
    }
}
