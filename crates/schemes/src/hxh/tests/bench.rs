//! One node, B, between its upstream neighbour A and its next hop C, called by hand.

use std::ops::{Deref, DerefMut};

use multihop_core::{
    Bytes, Duration, Failed, FlowId, Heard, Hop, HopStep, LinkTiming, NodeId, Outcome, Packet,
    Params, Payload, Receiver, RouteNews, Tag, TxDone, TxRequest, Value, Verdict,
};
use multihop_testkit::{HopDesk, heard};

use crate::hxh::tests::params;
use crate::hxh::{Header, Hxh, Kind, Range};

pub const A: NodeId = NodeId(0);
pub const B: NodeId = NodeId(1);
pub const C: NodeId = NodeId(2);
pub const D: NodeId = NodeId(3);

/// The flow that B forwards.
pub fn through() -> FlowId {
    FlowId::between(A, D)
}

/// The flow whose source is B.
pub fn outward() -> FlowId {
    FlowId::between(B, D)
}

pub fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub fn range(first: u32, len: u16) -> Option<Range> {
    Range::new(first, first + u32::from(len))
}

/// Packet `sequence` of a flow, of 1024 bytes.
pub fn data(sequence: u32) -> Header {
    Header::new(Kind::Data, sequence)
}

pub fn packet(flow: FlowId, header: Header) -> Packet {
    let len = if header.kind.goes_upstream() { 0 } else { 1_024 };
    let tag = Tag { source: 0, number: header.sequence };
    let tag = if header.kind.goes_upstream() { tag.control() } else { tag };
    let mut packet = Packet::new(flow, Payload::Virtual(len), tag);
    header.write(&mut packet, 40);
    packet
}

/// B on the desk.
pub struct Bench(HopDesk<Hxh>);

impl Deref for Bench {
    type Target = HopDesk<Hxh>;

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
    pub fn new(given: &[(&str, Value)]) -> Self {
        Bench(HopDesk::new(B, Box::new(Hxh::new(&params(given)))))
    }

    /// Over a link whose frames carry many packets, of which so many share one.
    pub fn in_batches(most: u32, given: &[(&str, Value)]) -> Self {
        let with = [&[("batch", Value::Number(most.into()))], given].concat();
        let params = params(&with);
        let link = LinkTiming { batch: 64, ..params.link };
        Bench(HopDesk::new(B, Box::new(Hxh::new(&Params { link, ..params }))))
    }

    /// All that B sends in one frame, to C.
    pub fn batch(&mut self) -> Vec<TxRequest> {
        let Some(first) = self.poll() else { return Vec::new() };
        let more = self.gather(C, Bytes(2_000));
        std::iter::once(first).chain(more).collect()
    }

    pub fn enqueue(&mut self, flow: FlowId, header: Header, next: NodeId) {
        self.0.enqueue(packet(flow, header), next);
    }

    pub fn enqueue_packet(&mut self, packet: Packet, next: NodeId) {
        self.0.enqueue(packet, next);
    }

    pub fn hear(&mut self, flow: FlowId, from: NodeId, how: Heard, header: Header) -> Verdict {
        self.0.hear(&heard(from, how, packet(flow, header)))
    }

    /// A packet of [`through`] from A, which B is to pass on to C.
    pub fn receive(&mut self, header: Header) {
        assert_eq!(self.hear(through(), A, Heard::ForMe, header), Verdict::Accept);
        self.enqueue(through(), header, C);
    }

    pub fn receive_all(&mut self, sequences: std::ops::Range<u32>) {
        for sequence in sequences {
            self.receive(data(sequence));
        }
    }

    /// B overhears C passing a packet of [`through`] on, with this to say about its queue.
    pub fn overhear(&mut self, sequence: u32, buffer: u16, ack: u32) {
        let header = Header { buffer, ack, ..data(sequence) };
        assert_eq!(self.hear(through(), C, Heard::Overheard, header), Verdict::Done);
    }

    /// An ACK or a NACK of [`through`] comes from C and goes where the data came from.
    pub fn pass_upstream(&mut self, header: Header) {
        let flow = through().reverse();
        assert_eq!(self.hear(flow, C, Heard::ForMe, header), Verdict::Accept);
        let way = self.hop.way(&packet(flow, header)).expect("data has come from somewhere");
        self.enqueue(flow, header, way);
    }

    pub fn done(&mut self, request: TxRequest, outcome: Outcome, retries: u32) -> Option<Failed> {
        let done = TxDone { retries, ..self.report(request, outcome) };
        self.call(|hop, cx| hop.on_tx_done(cx, &done))
    }

    /// Whether B has nothing to send now, but a time to look again.
    pub fn poll_is_closed(&mut self) -> bool {
        let now = self.now;
        !self.hop.pacer.permits(now)
    }

    /// Transmit the next packet in a millisecond: its flow, to whom it went, and its header.
    pub fn transmit(&mut self) -> Option<(FlowId, NodeId, Header)> {
        let request = self.poll()?;
        let description = describe(&request);
        self.now += millis(1);
        assert_eq!(self.done(request, Outcome::Acknowledged, 0), None);
        Some(description)
    }

    /// Transmit all that may be sent: the sequence numbers.
    pub fn transmit_all(&mut self) -> Vec<u32> {
        std::iter::from_fn(|| self.transmit()).map(|(_, _, header)| header.sequence).collect()
    }

    /// The next packet fails.
    pub fn fail(&mut self) -> Option<Failed> {
        let request = self.poll().expect("B has something to send");
        self.now += millis(1);
        self.done(request, Outcome::Failed, 7)
    }

    pub fn news(&mut self, news: RouteNews) {
        self.call(|hop, cx| hop.on_route(cx, news));
    }

    pub fn unroutable(&mut self, flow: FlowId, header: Header) {
        self.call(|hop, cx| hop.on_unroutable(cx, packet(flow, header)));
    }

    pub fn step(&mut self) -> Option<HopStep> {
        self.call(Hop::poll)
    }
}

pub fn describe(request: &TxRequest) -> (FlowId, NodeId, Header) {
    let header = Header::of(&request.packet).expect("an HxH packet");
    let Receiver::Node(to) = request.to else { panic!("HxH sends no broadcast") };
    (request.packet.flow, to, header)
}
