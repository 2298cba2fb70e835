//! Networks of nodes that run CXCC.

use multihop_core::{
    Capability, EventKind, FlowId, Hop, NodeId, Params, Receiver, Rng, Time, Transport,
};
use multihop_node::Output;
use multihop_testkit::{Ends, Frame, Links, Net, Watch, Ways};

use crate::cxcc::{Cxcc, Header, Kind, SCHEME};
use crate::parts::datagram::Datagram;

/// A frame that was on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub at: Time,
    pub from: usize,
    pub kind: Kind,
    pub sequence: u32,
}

impl Sent {
    fn of(frame: &Frame) -> Self {
        let header = Header::of(&frame.packet).expect("only CXCC frames are sent");
        assert!(matches!(frame.to, Receiver::Node(_)), "CXCC sends no broadcast");
        Sent { at: frame.at, from: frame.from, kind: header.kind, sequence: header.sequence }
    }
}

/// The network.
pub struct World {
    pub net: Net,
    hops: Vec<Watch<Cxcc>>,
    /// How much of the log was looked through for packets that were given up.
    looked_at: usize,
}

impl World {
    /// Nodes with these links, and shortest routes, for these flows.
    pub fn new(links: Links, params: &Params, seed: u64, flows: &[FlowId]) -> Self {
        let ways = Ways::shortest(&links);
        let hops: Vec<_> =
            (0..links.nodes()).map(|_| Watch::new(Box::new(Cxcc::new(params)))).collect();
        let mut net = Net::new(links, seed);
        net.air.acknowledges = !SCHEME.does_itself.contains(&Capability::LinkAcknowledgment);
        assert!(!net.air.acknowledges, "CXCC 6: no link layer retransmissions");
        for (at, hop) in hops.iter().enumerate() {
            let here =
                |flow: &&FlowId| [flow.source.index(), flow.destination.index()].contains(&at);
            let end = |flow: &FlowId| -> (FlowId, Box<dyn Transport>) {
                (*flow, Box::new(Datagram::new(*flow)))
            };
            let ends: Ends = flows.iter().filter(here).map(end).collect();
            net.add(hop.clone(), Watch::new(ways.routing(at)), ends);
        }
        World { net, hops, looked_at: 0 }
    }

    /// A chain, as in CXCC 7.1, with flows from its first node to its last and back.
    pub fn line(count: usize, params: &Params, seed: u64) -> Self {
        World::new(Links::line(count), params, seed, &ends_of_line(count))
    }

    /// Which frames are not decoded.
    pub fn lose(&mut self, mut loss: impl FnMut(&Sent, usize, &mut Rng) -> bool + Send + 'static) {
        self.net.lose(move |frame, receiver, rng| loss(&Sent::of(frame), receiver, rng));
    }

    /// The most packets that one node's hop protocol holds.
    pub fn largest_backlog(&self) -> usize {
        self.hops.iter().map(|hop| hop.look().backlog()).max().unwrap_or(0)
    }

    /// The edges of the wait graph (3.3).
    pub fn waits(&self) -> Vec<((FlowId, usize), (FlowId, usize))> {
        let of = |(at, hop): (usize, &Watch<Cxcc>)| {
            let edge = |(flow, next): (FlowId, NodeId)| ((flow, at), (flow, next.index()));
            hop.look().waits().map(edge).collect::<Vec<_>>()
        };
        self.hops.iter().enumerate().flat_map(of).collect()
    }

    /// What was on the air.
    pub fn sent(&self) -> Vec<Sent> {
        self.net.log.sent.iter().map(Sent::of).collect()
    }

    /// How often `node` traced `kind`.
    pub fn count(&self, node: usize, kind: EventKind) -> usize {
        self.net.log.traced(kind).into_iter().filter(|at| *at == node).count()
    }

    /// Go on to the next event, if it lies before `until`.
    pub fn step(&mut self, until: Time) -> bool {
        let on = self.net.step(until);
        self.check();
        on
    }

    /// Run until `until`, or until nothing is left to happen.
    pub fn run(&mut self, until: Time) {
        while self.step(until) {}
    }

    /// Nothing is given up.
    fn check(&mut self) {
        for entry in &self.net.log.said[self.looked_at..] {
            assert!(!matches!(entry.output, Output::Drop(..)), "{entry}");
        }
        self.looked_at = self.net.log.said.len();
        let refused: u64 = self.hops.iter().map(|hop| hop.look().refused()).sum();
        assert_eq!(refused, 0, "back-pressure did not hold a packet back");
    }
}

/// From the first node of a chain to its last, and back.
pub fn ends_of_line(count: usize) -> [FlowId; 2] {
    let last = NodeId(count as u32 - 1);
    [FlowId::between(NodeId(0), last), FlowId::between(last, NodeId(0))]
}
