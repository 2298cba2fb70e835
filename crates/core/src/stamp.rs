//! The seam of what a router writes into the packets that pass through it.

use crate::{Bytes, Cx, NodeId, Packet, Receiver, RouteNews, Rx, Time, TxDone};

/// Where a packet goes that leaves its queue, and what it leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// Its next hop.
    pub to: Receiver,
    /// How many others wait on.
    pub behind: usize,
    /// And how long they are together.
    pub bytes_behind: Bytes,
}

/// A router's part of a scheme: it watches a queue, its MAC and the air, and writes into packets. It
/// does not decide where they go or when, so it can sit on any queue.
pub trait Stamp: Send {
    /// What it notes of a packet for the time in which the packet waits.
    type Note: Default + Send;

    /// `packet` comes to the queue, which may have no room for it.
    fn on_enqueue(&mut self, cx: &mut Cx, packet: &mut Packet) -> Self::Note;

    /// `packet` leaves the queue for the MAC. A packet that the MAC has given back comes without a note.
    fn on_forward(&mut self, cx: &mut Cx, packet: &mut Packet, note: Self::Note, leaving: Leaving);

    /// Whether [`Stamp::on_heard`] wants the frames that are addressed to other nodes.
    fn promiscuous(&self) -> bool {
        false
    }

    /// A frame with a packet of the scheme was decoded.
    fn on_heard(&mut self, _cx: &mut Cx, _rx: &Rx) {}

    /// Whether it reads [`Cx::air`].
    fn watches_air(&self) -> bool {
        false
    }

    /// Whether [`Stamp::on_heard`] and [`Cx::air`] matter from now on; see
    /// [`Hop::listens`](crate::Hop::listens).
    fn listens(&self) -> bool {
        true
    }

    /// The neighbour `next` is lost, or has no routes any more.
    fn on_neighbour_lost(&mut self, _next: NodeId) {}

    /// The way to a destination is lost, found, or another one.
    fn on_route(&mut self, _cx: &mut Cx, _news: RouteNews) {}

    /// The MAC has finished with it.
    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone);

    /// Length in bytes of the header that routers write, besides the transport's.
    fn header_len(&self) -> usize {
        0
    }

    /// How many entries the packets of others have made in its tables; see
    /// [`Hop::footprint`](crate::Hop::footprint).
    fn footprint(&self) -> usize {
        0
    }

    /// The time given by [`Stamp::deadline`] has come.
    fn on_deadline(&mut self, _cx: &mut Cx) {}

    /// When to call [`Stamp::on_deadline`]; [`Time::NEVER`] if not at all.
    fn deadline(&self) -> Time {
        Time::NEVER
    }
}
