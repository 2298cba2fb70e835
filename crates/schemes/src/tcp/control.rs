//! The seam between what all TCPs share and what tells them apart.

use multihop_core::{Cx, Time};

use super::connection::Connection;
use super::header::Header;

/// A congestion control: it decides what an acknowledgment, or its absence, means. What it wants
/// done it does with the methods of [`Connection`].
pub trait CongestionControl: Send {
    /// `ack` acknowledges segments that were not acknowledged before.
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Header);

    /// `ack` acknowledges what was acknowledged before: RFC 5681, 2.
    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Header);

    /// `ack` is older than one that has arrived.
    fn on_old_ack(&mut self, _tcp: &mut Connection, _ack: &Header) {}

    /// The retransmission timer has run out.
    fn on_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        tcp.window.inflation = 0;
        tcp.duplicates = 0;
        tcp.on_timeout(cx);
    }

    /// Segment `sequence` goes on its way, for the first time or again.
    fn on_transmit(&mut self, _now: Time, _sequence: u32) {}

    /// The sender stands by ([`super::elfn`]): round trips that have begun are no samples.
    fn on_standby(&mut self) {}

    /// The window allows this segment now, new or after a go-back.
    fn next_segment(&mut self, tcp: &mut Connection) -> Option<u32> {
        tcp.next_in_window()
    }
}
