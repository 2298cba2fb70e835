//! What a node does for its favourites: `FloodingRouter.cpp`, `roleAllowsCancelingDupe`, and `Router.cpp`,
//! `shouldDecrementHopLimit`.
//!
//! - A `client_base` gives up no relay of what comes from a favourite, or goes to one: if it hears another relay, it waits
//!   for the late window.
//! - A relay between favourite routers takes no hop off the limit: at a `router`, `router_late` or `client_base`, from the
//!   second hop on, if the last relay is a favourite router. The header names that by its last byte, so of all nodes that
//!   are known exactly one must have it.

use std::sync::Arc;

use multihop_core::{FlowId, NodeId, Params};

use super::header::Header;
use super::nodes::Nodes;
use super::parameters::{FAVOURITE_ROUTERS, FAVOURITES, RULES, Role};

/// The favourites of a node.
#[derive(Debug)]
pub(super) struct Favourites {
    nodes: Arc<[u32]>,
    /// Those that are routers: a node learns that of their announcements.
    routers: Arc<[u32]>,
}

impl Favourites {
    /// As `params` says; Meshtasticator knows none.
    pub(super) fn new(params: &Params) -> Self {
        if params.get(RULES).is_simulator() {
            return Favourites { nodes: Arc::default(), routers: Arc::default() };
        }
        Favourites { nodes: params.get(FAVOURITES), routers: params.get(FAVOURITE_ROUTERS) }
    }

    /// Whether packets of `flow` come from a favourite, or go to one.
    fn has_end(&self, flow: FlowId) -> bool {
        let is_one = |node: NodeId| self.nodes.contains(&node.0) || self.routers.contains(&node.0);
        is_one(flow.source) || is_one(flow.destination)
    }

    /// Whether a node of this role acts as a router for packets of `flow`, though it is none.
    pub(super) fn makes_router(&self, role: Role, flow: FlowId) -> bool {
        role == Role::ClientBase && self.has_end(flow)
    }

    /// Whether a relay of a packet with this header takes no hop off its limit.
    pub(super) fn keep_hop(&self, role: Role, header: &Header, nodes: &Nodes) -> bool {
        let routes = matches!(role, Role::Router | Role::RouterLate | Role::ClientBase);
        routes
            && !self.routers.is_empty()
            && !header.is_direct()
            && nodes.only(header.relay).is_some_and(|last| self.routers.contains(&last.0))
    }
}
