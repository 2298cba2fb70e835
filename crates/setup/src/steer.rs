//! Nodes whose scheme is in other hands: somebody controls its parts.

use std::collections::BTreeMap;
use std::sync::Arc;

use multihop_core::{End, FlowId, Hop, NodeId, Params, Scheme, Transport};
use multihop_routing::Weights;

/// Makes the transports of flow ends at one node.
pub type MakeEnd = Box<dyn Fn(FlowId, End) -> Box<dyn Transport> + Send>;

/// The parts of a scheme at one node.
pub struct SchemeParts {
    /// The node's address.
    pub me: NodeId,
    /// Its hop protocol.
    pub hop: Box<dyn Hop>,
    /// The parameters of its scheme.
    pub params: Params,
    /// Makes its transports.
    pub transport: MakeEnd,
    /// The weights of routes, where the host has such.
    pub weights: Option<Weights>,
}

impl SchemeParts {
    /// The parts of `scheme` with these parameters at the node of this address.
    pub fn of(me: NodeId, scheme: &'static Scheme, params: Params) -> Self {
        let hop = (scheme.hop)(&params);
        let own = params.clone();
        let transport = Box::new(move |flow, end| (scheme.transport)(&own, flow, end));
        SchemeParts { me, hop, params, transport, weights: None }
    }
}

/// Takes the parts of nodes into other hands.
pub trait Steer: Send + Sync {
    /// The parts of one node, controlled: asked at its start, and after every restart.
    fn take(self: Arc<Self>, parts: SchemeParts) -> SchemeParts;

    /// A text that is equal for what controls equally, as far as it is known beforehand.
    fn identity(&self) -> String;
}

/// Who controls which nodes.
pub type Steered = BTreeMap<NodeId, Arc<dyn Steer>>;
