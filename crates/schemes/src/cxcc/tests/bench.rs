//! One node, B, between its upstream neighbour A and its next hop C, called by hand.

use std::ops::{Deref, DerefMut};

use multihop_core::{
    Duration, FlowId, Heard, Hop, NodeId, Outcome, Packet, Params, Payload, Receiver, Tag,
    TxRequest, Verdict,
};
use multihop_testkit::{HopDesk, heard, packet};

use crate::cxcc::{Cxcc, Header, Kind};

pub const A: NodeId = NodeId(0);
pub const B: NodeId = NodeId(1);
pub const C: NodeId = NodeId(2);
const D: NodeId = NodeId(3);

/// The flow that B forwards.
pub fn through() -> FlowId {
    FlowId::between(A, D)
}

/// The flow whose destination is B.
pub fn inward() -> FlowId {
    FlowId::between(A, B)
}

/// The flow whose source is B.
pub fn outward() -> FlowId {
    FlowId::between(B, D)
}

/// A frame of `flow` with payload as in CXCC 7 if it is data.
pub fn frame(flow: FlowId, kind: Kind, sequence: u32) -> Packet {
    let len = if kind == Kind::Data { 512 } else { 0 };
    let tag = Tag { source: 7, number: sequence };
    let mut packet = Packet::new(flow, Payload::Virtual(len), tag);
    Header { kind, payload_len: 512, sequence }.write(&mut packet);
    packet
}

/// B on the desk.
pub struct Bench(HopDesk<Cxcc>);

impl Deref for Bench {
    type Target = HopDesk<Cxcc>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Bench {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Bench {
    pub fn new(params: &Params) -> Self {
        Bench::of(Cxcc::new(params))
    }

    pub fn of(hop: Cxcc) -> Self {
        Bench(HopDesk::new(B, Box::new(hop)))
    }

    /// Time passes, and no timer is served.
    pub fn wait(&mut self, span: Duration) {
        self.now += span;
    }

    /// A packet of the flow that starts here.
    pub fn offer(&mut self) {
        self.enqueue(packet(outward(), 0), C);
    }

    pub fn hear(&mut self, from: NodeId, how: Heard, packet: Packet) -> Verdict {
        self.0.hear(&heard(from, how, packet))
    }

    /// A frame for B from A; if it is accepted for forwarding, it is enqueued.
    pub fn hear_a(&mut self, flow: FlowId, kind: Kind, sequence: u32) -> Verdict {
        let packet = frame(flow, kind, sequence);
        let verdict = self.hear(A, Heard::ForMe, packet.clone());
        if verdict == Verdict::Accept && flow.destination != B {
            self.enqueue(packet, C);
        }
        verdict
    }

    /// A frame of [`through`] from C that B hears.
    pub fn hear_c(&mut self, heard: Heard, kind: Kind, sequence: u32) {
        let verdict = self.hear(C, heard, frame(through(), kind, sequence));
        assert_eq!(verdict, Verdict::Done);
    }

    pub fn consume(&mut self, sequence: u32) {
        self.consume_packet(&frame(inward(), Kind::Data, sequence), A);
    }

    pub fn consume_packet(&mut self, packet: &Packet, from: NodeId) {
        self.call(|hop, cx| hop.on_consumed(cx, packet, from));
    }

    pub fn find_no_route(&mut self, packet: Packet) {
        self.call(|hop, cx| hop.on_unroutable(cx, packet));
    }

    /// What B would like to transmit: to whom, what, which.
    pub fn poll_header(&mut self) -> Option<(NodeId, Kind, u32)> {
        self.poll().map(|request| describe(&request))
    }

    /// Poll a frame and let it be on the air.
    pub fn transmit(&mut self) -> (NodeId, Kind, u32) {
        let request = self.poll().expect("B has something to send");
        let description = describe(&request);
        self.done(request, Outcome::Sent);
        description
    }
}

pub fn describe(request: &TxRequest) -> (NodeId, Kind, u32) {
    let header = Header::of(&request.packet).expect("a CXCC frame");
    let Receiver::Node(to) = request.to else { panic!("CXCC sends no broadcast") };
    (to, header.kind, header.sequence)
}
