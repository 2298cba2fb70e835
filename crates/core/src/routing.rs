//! The seam of routing protocols.

use crate::{Cx, DropCause, FrameClass, NodeId, Packet, Receiver, Rx, Time};

/// Where a packet goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// To this neighbour.
    Via(NodeId),
    /// To every neighbour; the hop protocol decides which of them pass it on.
    Flood,
    /// It is not known yet: the packet goes to [`Routing::hold`].
    Discovering,
    /// Nowhere.
    Unreachable,
}

/// What a routing protocol wants its node to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoutingStep {
    /// Forward a packet that was held; its next hop is known now.
    Forward(Packet, NodeId),
    /// Transmit a packet of the routing protocol. It goes before everything that waits.
    Transmit(Packet, Receiver),
    /// The link to this neighbour is taken for broken: what waits for it, messages of routing and what the
    /// hop protocol gives back, goes to [`Routing::on_unsent`].
    LinkBroken(NodeId),
    /// The neighbour has lost its routes: what waits for it goes to [`Routing::on_unsent`], too.
    GiveUp(NodeId),
    /// Tell the hop protocol and the transports what has become of a route.
    Announce(RouteNews),
}

/// How the messages of a routing protocol wait for the MAC, before everything else that waits, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueDiscipline {
    /// The newest goes first, and the oldest gives way: what it says is out of date. As in ns-2's `PriQueue`.
    NewestFirst(usize),
    /// They go as they have come; one that finds no room is lost. As in ns-2's `CMUPriQueue`, which its DSR has.
    InOrder(usize),
}

/// What has become of the route from this node to a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteNews {
    /// There is a route to this node, where there was none.
    Found {
        /// Where it leads.
        destination: NodeId,
        /// Over so many hops, as far as routing knows.
        hops: u32,
    },
    /// The route to this node is another one now.
    Changed {
        /// Where it leads.
        destination: NodeId,
        /// Over so many hops.
        hops: u32,
    },
    /// There was a route to this node, and it is broken.
    Lost(NodeId),
}

impl RouteNews {
    /// Whose route it is about.
    pub const fn destination(self) -> NodeId {
        match self {
            RouteNews::Found { destination, .. }
            | RouteNews::Changed { destination, .. }
            | RouteNews::Lost(destination) => destination,
        }
    }
}

/// A routing protocol at one node.
pub trait Routing: Send {
    /// Whether nothing moves it any more, from now on and for good: it hears nothing, has no step to
    /// [`Routing::poll`] and no [`Routing::deadline`]. A node asks after every time-out, and spares itself these calls.
    fn is_settled(&self) -> bool {
        false
    }

    /// The next hop of `packet`, which starts here or is to be forwarded. Its header of
    /// [`Layer::Routing`](crate::Layer::Routing) is this protocol's to write.
    fn route(&mut self, cx: &mut Cx, packet: &mut Packet) -> Route;

    /// Over how many hops packets for `destination` go from here now, as was announced; `None` if no route is known.
    /// A transport that begins later asks.
    fn hops_to(&self, _destination: NodeId, _now: Time) -> Option<u32> {
        None
    }

    /// How its messages wait for the MAC.
    fn queue_discipline(&self) -> QueueDiscipline {
        QueueDiscipline::NewestFirst(64)
    }

    /// Keep a packet for which [`Routing::route`] answered [`Route::Discovering`].
    fn hold(&mut self, cx: &mut Cx, packet: Packet) {
        cx.drop(packet, DropCause::NoRoute);
    }

    /// Whether [`Routing::on_heard`] wants the frames that are addressed to other nodes.
    fn promiscuous(&self) -> bool {
        false
    }

    /// A frame was decoded that is for this node, for everyone, or (if this or the hop protocol is
    /// promiscuous) for another node. Routing packets go nowhere else.
    fn on_heard(&mut self, _cx: &mut Cx, _rx: &Rx) {}

    /// The MAC could not deliver `packet` to `next`, and the hop protocol has given it up. A protocol
    /// that knows another way salvages it: it keeps the packet, and forwards it with its next step.
    fn on_link_failure(&mut self, cx: &mut Cx, packet: Packet, _next: NodeId) {
        cx.drop(packet, DropCause::RetriesSpent);
    }

    /// `packet`, of the scheme or of this protocol, has waited in vain for `next`, which this protocol takes for
    /// lost. It may salvage it, too.
    fn on_unsent(&mut self, cx: &mut Cx, packet: Packet, _next: NodeId) {
        cx.drop(packet, DropCause::RouteBroken);
    }

    /// `packet`, one of this protocol, did not leave: `next` does not say its MAC address. A packet of the scheme
    /// goes to [`Routing::on_link_failure`] then.
    fn on_unresolved(&mut self, cx: &mut Cx, packet: Packet, _next: NodeId) {
        cx.drop(packet, DropCause::AddressUnknown);
    }

    /// The MAC could not deliver a packet for `destination` to `next`, and the hop protocol keeps
    /// the packet to try again.
    fn on_link_lost(&mut self, _cx: &mut Cx, _destination: NodeId, _next: NodeId) {}

    /// What to do next; asked until there is nothing, after every call that may change that.
    fn poll(&mut self, _cx: &mut Cx) -> Option<RoutingStep> {
        None
    }

    /// The time given by [`Routing::deadline`] has come.
    fn on_deadline(&mut self, _cx: &mut Cx) {}

    /// When to call [`Routing::on_deadline`]; [`Time::NEVER`] if not at all.
    fn deadline(&self) -> Time {
        Time::NEVER
    }

    /// How many packets are held, for the books.
    fn backlog(&self) -> usize {
        0
    }

    /// How many entries the packets of others have made in its tables and queues. Whatever arrives, there
    /// is a bound.
    fn footprint(&self) -> usize {
        self.backlog()
    }

    /// What kind of frame `packet`, one of this protocol, travels in, for measurements.
    fn frame_class(&self, _packet: &Packet) -> FrameClass {
        FrameClass::Routing
    }
}
