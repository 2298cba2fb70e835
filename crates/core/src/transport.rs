//! The seam of end-to-end protocols, one per flow end.

use serde::{Deserialize, Serialize};

use crate::{Cx, Message, Packet, RouteNews, Time};

/// Which end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where the data comes from.
    Source,
    /// Where it goes.
    Destination,
}

/// What carries a flow from end to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CarriedBy {
    /// The transport of the scheme.
    Scheme,
    /// Datagrams, without congestion control.
    Datagram,
}

/// A transport at one end of one flow. Packets against the data belong to [`FlowId::reverse`].
///
/// [`FlowId::reverse`]: crate::FlowId::reverse
pub trait Transport: Send {
    /// Whether an application that always has data should hand over another message now.
    /// `room`: the node below has room for another packet, which matters to a transport that
    /// keeps no limit of its own. With the same room, only a call changes the answer.
    fn wants_message(&self, room: bool) -> bool;

    /// The application has data to send.
    fn on_message(&mut self, cx: &mut Cx, message: Message);

    /// A packet of this flow, or of its reverse, has arrived at this end.
    fn on_packet(&mut self, cx: &mut Cx, packet: Packet);

    /// The way from this node to where the packets of this end go is lost, found, or another one.
    fn on_route(&mut self, _cx: &mut Cx, _news: RouteNews) {}

    /// The time given by [`Transport::deadline`] has come.
    fn on_deadline(&mut self, _cx: &mut Cx) {}

    /// When to call [`Transport::on_deadline`]; [`Time::NEVER`] if not at all.
    fn deadline(&self) -> Time {
        Time::NEVER
    }

    /// The hop admits a packet: which one? After `None` it is asked again when another method was
    /// called, or when its deadline has come.
    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet>;

    /// The end is closed: give up one of the packets that wait here; `None` when there are no more. At
    /// the source, also those that are on their way and not acknowledged.
    fn give_up(&mut self) -> Option<Packet>;

    /// How many packets wait at this end, for the books.
    fn backlog(&self) -> usize;

    /// Length in bytes of the header that this transport puts on every packet.
    fn header_len(&self) -> usize {
        0
    }
}
