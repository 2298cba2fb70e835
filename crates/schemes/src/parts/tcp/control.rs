//! The seams between what all TCPs share and what tells them apart: the two halves of a congestion
//! control.

use multihop_core::{Cx, Duration, Packet, Time};

use super::connection::Connection;
use super::header::{Ack, Header};
use super::options::Options;
use super::received::{Received, Sequencing};
use crate::parts::pacer::Allowance;

/// The sender's half: it decides what an acknowledgment, or its absence, means. What it wants
/// done it does with the methods of [`Connection`]. A connection that starts over begins with a copy of
/// what it was made with.
pub trait CongestionControl: Clone + Send {
    /// By how many bytes its options make segments longer than the parameter `header` says.
    const OPTIONS: usize = 0;

    /// `ack` acknowledges segments that were not acknowledged before.
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack);

    /// `ack` acknowledges what was acknowledged before: RFC 5681, 2.
    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack);

    /// `ack` is older than one that has arrived.
    fn on_old_ack(&mut self, _tcp: &mut Connection, _ack: &Ack) {}

    /// The retransmission timer has run out.
    fn on_retransmission_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        tcp.window.inflation = 0;
        tcp.duplicates = 0;
        tcp.on_retransmission_timeout(cx);
    }

    /// Segment `sequence` goes on its way, for the first time or again, with these options.
    fn on_transmit(&mut self, _now: Time, _sequence: u64, _options: &mut Options) {}

    /// `packet` leaves the sender: the place for what stations on its way are to read.
    fn on_departure(&mut self, _tcp: &Connection, _packet: &mut Packet) {}

    /// `packet`, with an acknowledgment that is told next, has arrived: the place to read what it brings
    /// besides.
    fn on_arrival(&mut self, _cx: &mut Cx, _packet: &Packet) {}

    /// A time of its own, given by [`CongestionControl::deadline`], has come.
    fn on_deadline(&mut self, _tcp: &mut Connection, _cx: &mut Cx) {}

    /// When to call [`CongestionControl::on_deadline`]; [`Time::NEVER`] if not at all.
    fn deadline(&self, _tcp: &Connection) -> Time {
        Time::NEVER
    }

    /// The sender stands by ([`super::elfn`]): round trips that have begun are no samples.
    fn on_standby(&mut self) {}

    /// What the sender may do now. A pace does not hold back what is forced: see [`Connection::force`].
    fn allowance(&self, tcp: &Connection) -> Allowance {
        Allowance::window(tcp.window.segments())
    }

    /// The segment that the window allows now, new or after a go-back.
    fn next_segment(&mut self, tcp: &mut Connection, _now: Time) -> Option<u64> {
        tcp.next_in(self.allowance(tcp).window)
    }
}

/// The receiver's half: it decides when to acknowledge what has arrived, and what to say besides. After
/// a restart of the sender the next connection begins with a copy of what it was made with.
pub trait ReceiverControl: Clone + Send {
    /// By how many bytes its options make acknowledgments longer than the parameter `header` says.
    const OPTIONS: usize = 0;

    /// A segment has arrived: when is it to be acknowledged? What is out of order, or fills a gap, is
    /// acknowledged at once in any case (RFC 5681, 4.2).
    fn on_segment(&mut self, now: Time, arrival: &Arrival) -> Answer;

    /// An acknowledgment goes on its way, with these options.
    fn on_acknowledge(&mut self, _now: Time, _received: &Received, _options: &mut Options) {}

    /// `packet`, with a segment that is told next, has arrived: the place to read what stations have
    /// written on its way.
    fn on_arrival(&mut self, _cx: &mut Cx, _packet: &Packet) {}

    /// `packet`, with the acknowledgment that was told before, leaves the receiver.
    fn on_departure(&mut self, _packet: &mut Packet) {}
}

/// A segment that has arrived.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// What it says.
    pub header: &'a Header,
    /// Which segment of the connection it is, counted from the SYN on.
    pub sequence: u64,
    /// How often it was forwarded on its way.
    pub hops: u8,
    /// How it lies to those that were there.
    pub order: Sequencing,
    /// How many segments are not acknowledged yet, with this one.
    pub unacknowledged: u32,
    /// All that has arrived, with this one.
    pub received: &'a Received,
}

/// When a segment is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// At once.
    Now,
    /// So long after the first that is not acknowledged, if no other answer comes before.
    Within(Duration),
}
