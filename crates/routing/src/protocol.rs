//! How a routing protocol describes itself.

use multihop_core::{Forwarding, HeaderFormat, NodeId, Param, Routing, Time, Values, Vocabulary};

use crate::FixedRoutes;

/// A routing protocol, with everything that tools need to know of it. It lives as long as the
/// program, as a scheme does.
#[derive(Clone, Copy)]
pub struct RoutingProtocol {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Its name in messages.
    pub title: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Where its routes come from.
    pub routes: Routes,
    /// The longest route that it can use, in hops, where it has such a bound.
    pub most_hops: Option<u32>,
    /// Whether it takes every link for one in both directions with these values, of protocols that
    /// may.
    pub bidirectional: Option<fn(&Values) -> bool>,
    /// The words that it says beside the common ones.
    pub words: &'static [Vocabulary],
    /// The layouts of the headers and messages that it writes.
    pub headers: &'static [&'static HeaderFormat],
    /// Its parameters.
    pub params: &'static [Param],
    /// Makes the routing of one node.
    pub make: &'static MakeRouting,
}

/// Where the routes of a protocol come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routes {
    /// They are known from the start: the host works them out, so that every flow needs a way.
    Known,
    /// The nodes find them, with broadcasts by radio; a search may fail.
    Searched,
    /// There are none: packets go to all neighbours.
    None,
}

impl RoutingProtocol {
    /// Whether it serves schemes whose packets spread so.
    pub fn serves(&self, forwarding: Forwarding) -> bool {
        (self.routes == Routes::None) == (forwarding == Forwarding::Flood)
    }
}

/// Makes the routing of one node.
pub type MakeRouting = dyn Fn(&Values, RoutingNode) -> Box<dyn Routing> + Send + Sync;

/// The node that a routing is made for.
#[derive(Clone, Debug)]
pub struct RoutingNode {
    /// Which node.
    pub me: NodeId,
    /// The routes that the host has worked out for it: none unless they are [`Routes::Known`].
    pub known: FixedRoutes,
    /// Which life of it begins.
    pub life: Life,
}

/// A life of a node: the first one, or one after a restart, in which it has forgotten everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Life {
    /// Zero in the first; see [`multihop_core::Cx::incarnation`].
    pub incarnation: u16,
    /// When it began.
    pub since: Time,
}
