//! The seam of what a router writes into the packets that pass through it.

use crate::{Cx, Duration, Packet, Time, TxDone};

/// The queue that a packet leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueView {
    /// How many packets wait behind it.
    pub behind: usize,
    /// How long it has waited.
    pub waited: Duration,
}

/// A router's part of a scheme: it watches a queue and its MAC, and writes into packets. It does
/// not decide where they go or when, so it can sit on any queue.
pub trait Stamp: Send {
    /// `packet` leaves the queue for the MAC.
    fn on_forward(&mut self, cx: &mut Cx, packet: &mut Packet, queue: QueueView);

    /// The MAC has finished with it.
    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone);

    /// Length in bytes of the header that routers write, besides the transport's.
    fn header_len(&self) -> usize {
        0
    }

    /// The time given by [`Stamp::deadline`] has come.
    fn on_timeout(&mut self, _cx: &mut Cx) {}

    /// When to call [`Stamp::on_timeout`]; [`Time::NEVER`] if not at all.
    fn deadline(&self) -> Time {
        Time::NEVER
    }
}
