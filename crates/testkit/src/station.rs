//! A node of a network, with the frame below it and its books.

use std::cell::RefCell;

use multihop_core::{
    AirTime, CarriedBy, End, FlowId, Hop, NodeId, Packet, Protocol, Purpose, Rng, Routing, Time,
    Transport, TxRequest,
};
use multihop_node::{Addresses, Input, Node, Output, Parts, Transports};

use crate::audit::{self, Shared, Whose};
use crate::watch::Watch;

/// The transports of a node, with their flows.
pub type Ends = Vec<(FlowId, Box<dyn Transport>)>;

/// The transports that the test gave, each for the flow that its node opens.
struct Given {
    ends: RefCell<Ends>,
    ledger: Shared,
}

impl Transports for Given {
    fn make(&self, flow: FlowId, end: End, _carried_by: CarriedBy) -> Box<dyn Transport> {
        let mut ends = self.ends.borrow_mut();
        let at = ends.iter().position(|(given, _)| *given == flow);
        let (_, transport) = ends.remove(at.expect("a flow is opened once"));
        let outgoing = match end {
            End::Source => flow,
            End::Destination => flow.reverse(),
        };
        audit::transport(Whose { flow, outgoing }, transport, &self.ledger)
    }

    fn carrier(&self, _packet: &Packet) -> Option<CarriedBy> {
        None
    }
}

/// The frame below a node.
pub(crate) struct Below {
    pub(crate) request: TxRequest,
    /// What goes with it, in a batch.
    pub(crate) more: Vec<TxRequest>,
    /// How many of them, from the first on, were on the air before.
    pub(crate) repeated: usize,
    /// When the MAC got it.
    pub(crate) handed_over: Time,
    /// When it goes on the air, by itself.
    pub(crate) starts: Time,
    /// Since when it is on the air, and until when.
    pub(crate) on_air: Option<(Time, Time)>,
    pub(crate) withdrawn: bool,
}

impl Below {
    /// A frame that was handed over then, and goes on the air then, if nothing is in its way.
    pub(crate) fn new(request: TxRequest, handed_over: Time, starts: Time) -> Self {
        let (more, repeated, on_air, withdrawn) = (Vec::new(), 0, None, false);
        Below { request, more, repeated, handed_over, starts, on_air, withdrawn }
    }

    /// Whether it is one of several packets, or was.
    pub(crate) fn is_batch(&self) -> bool {
        !self.more.is_empty() || self.repeated > 0
    }

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
    /// What its radio has done with its time.
    pub(crate) air: AirTime,
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
        let flows: Vec<_> = ends.iter().map(|(flow, _)| *flow).collect();
        let given = Given { ends: RefCell::new(ends), ledger: ledger.clone() };
        let mut node = Node::new(Parts {
            me,
            incarnation: 0,
            rng: Rng::stream(seed, me, Purpose::Protocol),
            hop,
            routing: audit::routing(routing),
            addresses: Addresses::Known,
            transports: Box::new(given),
            most_accepted: 0,
            groups: Vec::new(),
        });
        for flow in flows {
            node.handle(Time::ZERO, Input::Open { flow, carried_by: CarriedBy::Scheme });
        }
        let (silent_until, air) = (Time::ZERO, AirTime::default());
        Station { node, below: None, silent_until, air, ledger, came: 0, went: 0 }
    }

    /// Some frames that it hears are forged.
    pub(crate) fn expect_forgeries(&self) {
        self.ledger.look().forgeries = true;
    }

    /// The application gives the node a message.
    pub(crate) fn count_message(&mut self) {
        self.came += 1;
    }

    /// The node has said something.
    pub(crate) fn count(&mut self, output: &Output) {
        match output {
            Output::Accept(_) => self.came += 1,
            Output::Release(_) => self.went += 1,
            // What is no data was taken by the transport that read it.
            Output::Deliver(packet) => self.went += usize::from(packet.tag.is_data()),
            Output::Drop(packet, _) => {
                self.went += usize::from(packet.protocol() == Protocol::Scheme);
            }
            Output::Withdraw(_)
            | Output::Mark(_)
            | Output::Decline
            | Output::LinkBroken(_)
            | Output::Gauge(..)
            | Output::Estimate(_)
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
