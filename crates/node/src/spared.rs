//! Parts that are not asked for what they have said that they never do: on every hop of a packet, calls through a
//! `dyn` that say no cost more than they look (ADR 0073). Where debug assertions are on, they are asked all the same,
//! and have to say no.

use std::ops::{Deref, DerefMut};

use multihop_core::{Cx, Hop, HopStep, NodeId, Packet, Routing, Rx, Time};

/// A hop protocol.
pub struct SparedHop {
    hop: Box<dyn Hop>,
    passive: bool,
}

impl SparedHop {
    pub fn new(hop: Box<dyn Hop>) -> Self {
        SparedHop { passive: hop.is_passive(), hop }
    }

    /// [`Hop::way`].
    #[inline]
    pub fn way(&self, packet: &Packet) -> Option<NodeId> {
        if self.passive {
            debug_assert_eq!(self.hop.way(packet), None, "it is passive");
            return None;
        }
        self.hop.way(packet)
    }

    /// [`Hop::poll`].
    #[inline]
    pub fn poll(&mut self, cx: &mut Cx) -> Option<HopStep> {
        if self.passive {
            debug_assert_eq!(self.hop.poll(cx), None, "it is passive");
            return None;
        }
        self.hop.poll(cx)
    }

    /// [`Hop::deadline`].
    #[inline]
    pub fn deadline(&self) -> Time {
        if self.passive {
            debug_assert_eq!(self.hop.deadline(), Time::NEVER, "it is passive");
            return Time::NEVER;
        }
        self.hop.deadline()
    }
}

impl Deref for SparedHop {
    type Target = dyn Hop;

    fn deref(&self) -> &Self::Target {
        &*self.hop
    }
}

impl DerefMut for SparedHop {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.hop
    }
}

/// A routing protocol.
pub struct SparedRouting {
    routing: Box<dyn Routing>,
    settled: bool,
}

impl SparedRouting {
    pub fn new(routing: Box<dyn Routing>) -> Self {
        SparedRouting { settled: routing.is_settled(), routing }
    }

    /// [`Routing::on_heard`].
    #[inline]
    pub fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) {
        if !self.settled {
            self.routing.on_heard(cx, rx);
        }
    }

    /// Whether it has settled; there is nothing to [`Routing::poll`] then.
    #[inline]
    pub fn has_settled(&self) -> bool {
        self.settled
    }

    /// [`Routing::deadline`].
    #[inline]
    pub fn deadline(&self) -> Time {
        if self.settled {
            debug_assert_eq!(self.routing.deadline(), Time::NEVER, "it has settled");
            return Time::NEVER;
        }
        self.routing.deadline()
    }

    /// After a time-out and all that followed from it, the protocol may have settled.
    pub fn look_again(&mut self) {
        self.settled = self.routing.is_settled();
    }
}

impl Deref for SparedRouting {
    type Target = dyn Routing;

    fn deref(&self) -> &Self::Target {
        &*self.routing
    }
}

impl DerefMut for SparedRouting {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.routing
    }
}
