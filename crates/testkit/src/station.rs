//! A node of a network, with the frame below it and its books.

use multihop_core::{
    FlowId, Hop, NodeId, Protocol, Purpose, Rng, Routing, Time, Transport, TxRequest,
};
use multihop_node::{Addresses, Node, Output, Parts, end_at};

use crate::audit::{self, Shared, Whose};
use crate::watch::Watch;

/// The transports of a node, with their flows.
pub type Ends = Vec<(FlowId, Box<dyn Transport>)>;

/// The frame below a node.
pub(crate) struct Below {
    pub(crate) request: TxRequest,
    /// When it goes on the air, by itself.
    pub(crate) starts: Time,
    /// Since when it is on the air, and until when.
    pub(crate) on_air: Option<(Time, Time)>,
    pub(crate) withdrawn: bool,
}

impl Below {
    /// When something happens to it.
    pub(crate) fn next(&self) -> Time {
        self.on_air.map_or(self.starts, |(_, until)| until)
    }
}

/// A node, what is below it, and its books.
pub(crate) struct Station {
    pub(crate) node: Node,
    pub(crate) below: Option<Below>,
    /// Its MAC does not begin before this.
    pub(crate) silent_until: Time,
    ledger: Shared,
    came: usize,
    went: usize,
}

impl Station {
    pub(crate) fn new<H, R>(
        seed: u64,
        me: NodeId,
        (hop, routing): (Watch<H>, Watch<R>),
        ends: Ends,
    ) -> Self
    where
        H: Hop + ?Sized + 'static,
        R: Routing + ?Sized + 'static,
    {
        let ledger = Shared::default();
        let hop = audit::hop(hop, &ledger);
        let end = |(flow, transport): (FlowId, Box<dyn Transport>)| {
            let outgoing = match end_at(flow, me) {
                multihop_core::End::Source => flow,
                multihop_core::End::Destination => flow.reverse(),
            };
            (flow, audit::transport(Whose { flow, outgoing }, transport, &ledger))
        };
        let node = Node::new(Parts {
            me,
            incarnation: 0,
            rng: Rng::stream(seed, me, Purpose::Protocol),
            hop,
            routing: audit::routing(routing),
            addresses: Addresses::Known,
            transports: ends.into_iter().map(end).collect(),
        });
        let silent_until = Time::ZERO;
        Station { node, below: None, silent_until, ledger, came: 0, went: 0 }
    }

    /// The application gives the node a message.
    pub(crate) fn count_message(&mut self) {
        self.came += 1;
    }

    /// The node has said something.
    pub(crate) fn count(&mut self, output: &Output) {
        match output {
            Output::Accept(_) => self.came += 1,
            Output::Release(_) | Output::Deliver(_) => self.went += 1,
            Output::Drop(packet, _) => {
                self.went += usize::from(packet.protocol() == Protocol::Scheme);
            }
            Output::Withdraw
            | Output::Mark
            | Output::LinkBroken(_)
            | Output::Gauge(..)
            | Output::Trace(..) => {}
        }
    }

    /// Packets are neither lost without a cause nor made.
    pub(crate) fn balance(&self) {
        let ledger = self.ledger.look();
        let (came, went) = (self.came + ledger.made, self.went + ledger.taken);
        assert_eq!(came, went + self.node.backlog(), "books of the node");
    }
}
