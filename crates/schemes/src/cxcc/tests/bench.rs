//! One node, B, between its upstream neighbour A and its next hop C, called by hand.

use multihop_core::{
    AirTime, Cx, DropCause, Duration, Effect, EventKind, FlowId, Heard, Hop, NodeId, Outcome,
    Packet, Params, Payload, Purpose, Rate, Receiver, Rng, Rx, Tag, Time, TxRequest, Verdict,
};

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

pub struct Bench {
    pub hop: Cxcc,
    pub now: Time,
    pub air: AirTime,
    rng: Rng,
    pub effects: Vec<Effect>,
}

impl Bench {
    pub fn new(params: &Params) -> Self {
        Bench {
            hop: Cxcc::new(params),
            now: Time::ZERO,
            air: AirTime::default(),
            rng: Rng::stream(1, B, Purpose::Protocol),
            effects: Vec::new(),
        }
    }

    fn call<R>(&mut self, handler: impl FnOnce(&mut Cxcc, &mut Cx) -> R) -> R {
        self.effects.clear();
        let mut cx = Cx {
            now: self.now,
            me: B,
            rng: &mut self.rng,
            air: &self.air,
            incarnation: 0,
            effects: &mut self.effects,
        };
        handler(&mut self.hop, &mut cx)
    }

    pub fn wait(&mut self, span: Duration) {
        self.now += span;
    }

    /// Let time pass to the deadline.
    pub fn time_out(&mut self) {
        assert_ne!(self.hop.deadline(), Time::NEVER, "no timer is running");
        self.now = self.now.max(self.hop.deadline());
        self.call(Hop::on_timeout);
    }

    pub fn enqueue(&mut self, packet: Packet, next: NodeId) {
        self.call(|hop, cx| hop.on_enqueue(cx, packet, next));
    }

    /// A packet of the flow that starts here.
    pub fn offer(&mut self) {
        let packet = Packet::new(outward(), Payload::Virtual(512), Tag::default());
        self.enqueue(packet, C);
    }

    pub fn hear(&mut self, from: NodeId, heard: Heard, packet: Packet) -> Verdict {
        let rx = Rx {
            rate: Rate(1_000_000),
            signal: None,
            from,
            heard,
            air_time: Duration::ZERO,
            packet,
        };
        self.call(|hop, cx| hop.on_heard(cx, &rx))
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

    pub fn poll(&mut self) -> Option<TxRequest> {
        self.call(Hop::poll_transmit)
    }

    /// What B would like to transmit: to whom, what, which.
    pub fn poll_header(&mut self) -> Option<(NodeId, Kind, u32)> {
        self.poll().map(|request| describe(&request))
    }

    pub fn done(&mut self, request: TxRequest, outcome: Outcome) {
        let done = request.done(outcome, Rate(1_000_000));
        let given_up = self.call(|hop, cx| hop.on_tx_done(cx, done));
        assert_eq!(given_up, None, "CXCC gives nothing up");
    }

    /// Poll a frame and let it be on the air.
    pub fn transmit(&mut self) -> (NodeId, Kind, u32) {
        let request = self.poll().expect("B has something to send");
        let description = describe(&request);
        self.done(request, Outcome::Sent);
        description
    }

    pub fn traced(&self, kind: EventKind) -> bool {
        let is = |effect: &Effect| matches!(effect, Effect::Trace(event, _) if event.kind == kind);
        self.effects.iter().any(is)
    }

    pub fn withdrawals(&self) -> usize {
        self.effects.iter().filter(|effect| **effect == Effect::Withdraw).count()
    }

    /// The numbers of the released packets.
    pub fn released(&self) -> Vec<u32> {
        let number = |effect: &Effect| match effect {
            Effect::Release(tag) => Some(tag.number),
            _ => None,
        };
        self.effects.iter().filter_map(number).collect()
    }

    pub fn dropped(&self) -> Vec<DropCause> {
        let cause = |effect: &Effect| match effect {
            Effect::Drop(_, cause) => Some(*cause),
            _ => None,
        };
        self.effects.iter().filter_map(cause).collect()
    }
}

pub fn describe(request: &TxRequest) -> (NodeId, Kind, u32) {
    let header = Header::of(&request.packet).expect("a CXCC frame");
    let Receiver::Node(to) = request.to else { panic!("CXCC sends no broadcast") };
    (to, header.kind, header.sequence)
}
