//! What a station may see: a stamp that counts what arrives at its queue and whom it hears around, and
//! writes both into what leaves, as the routers of explicit rates do. It shows the seam, and is no
//! scheme of a paper.

use std::collections::BTreeSet;

use multihop_core::{
    Cx, Duration, Effect, FlowId, Heard, Hop, Leaving, NextHeader, NodeId, Outcome, Packet, Params,
    Payload, Purpose, Rate, Rng, Rx, Stamp, Tag, TxDone, Verdict,
};
use multihop_schemes::parts::stamped::Stamped;
use multihop_schemes::udp;

const PATH: NextHeader = NextHeader::path(9);

/// Bytes that have come, and sources that were heard.
#[derive(Default)]
struct Station {
    arrived: u32,
    heard: BTreeSet<NodeId>,
}

impl Stamp for Station {
    /// How much had come before it.
    type Note = u32;

    fn on_enqueue(&mut self, _cx: &mut Cx, packet: &mut Packet) -> u32 {
        packet.headers.set(PATH, &[0; 3]);
        let before = self.arrived;
        self.arrived += packet.len().0;
        before
    }

    fn on_forward(&mut self, _cx: &mut Cx, packet: &mut Packet, before: u32, leaving: Leaving) {
        let since = (self.arrived - before) / packet.len().0;
        packet.headers.set(PATH, &[since as u8, self.heard.len() as u8, leaving.behind as u8]);
    }

    fn promiscuous(&self) -> bool {
        true
    }

    fn on_heard(&mut self, _cx: &mut Cx, rx: &Rx) {
        self.heard.insert(rx.packet.flow.source);
    }

    fn on_tx_done(&mut self, _cx: &mut Cx, _done: &TxDone) {}
}

struct Bench {
    hop: Stamped<Station>,
    cx: Cx,
}

impl Bench {
    fn new() -> Self {
        let params = Params::new(&udp::SCHEME, &[], Rate(2_000_000)).expect("valid");
        let hop = Stamped::new(&params, Station::default());
        Bench { hop, cx: Cx::new(NodeId(0), Rng::stream(1, NodeId(0), Purpose::Protocol)) }
    }

    fn call<R>(&mut self, call: impl FnOnce(&mut dyn Hop, &mut Cx) -> R) -> (R, Vec<Effect>) {
        (call(&mut self.hop, &mut self.cx), std::mem::take(&mut self.cx.effects))
    }

    fn enqueue(&mut self) {
        self.call(|hop, cx| hop.on_enqueue(cx, packet(0), NodeId(1)));
    }

    fn hear(&mut self, source: u32, heard: Heard) -> Verdict {
        let (from, rate, air_time) = (NodeId(source), Rate(1_000_000), Duration::ZERO);
        let rx = Rx { from, heard, rate, signal: None, air_time, packet: packet(source) };
        self.call(|hop, cx| hop.on_heard(cx, &rx)).0
    }

    /// What is written into the next packet that leaves.
    fn forward(&mut self) -> Vec<u8> {
        let (request, _) = self.call(|hop, cx| hop.poll_transmit(cx));
        let request = request.expect("a packet waits");
        let written = request.packet.headers.find(PATH).expect("a stamp").to_vec();
        let done = request.done(Outcome::Acknowledged, Rate(1_000_000));
        let (failed, effects) = self.call(|hop, cx| hop.on_tx_done(cx, &done));
        assert!(failed.is_none() && effects.len() == 1, "released");
        written
    }
}

fn packet(source: u32) -> Packet {
    let flow = FlowId::between(NodeId(source), NodeId(9));
    Packet::new(flow, Payload::Virtual(512), Tag::default())
}

#[test]
fn a_station_counts_what_arrives_and_notes_it_with_every_packet() {
    let mut bench = Bench::new();
    (0..3).for_each(|_| bench.enqueue());
    assert_eq!(bench.forward(), [3, 0, 2]);
    bench.enqueue();
    assert_eq!(bench.forward(), [3, 0, 2], "itself and two that have come since");
    assert_eq!(bench.forward(), [2, 0, 1]);
}

#[test]
fn a_station_hears_whoever_sends_around_it_and_takes_only_what_is_its_own() {
    let mut bench = Bench::new();
    assert!(bench.hop.promiscuous());
    for source in [4, 5, 4] {
        assert_eq!(bench.hear(source, Heard::Overheard), Verdict::Done);
    }
    assert_eq!(bench.hear(6, Heard::ForMe), Verdict::Accept);
    bench.enqueue();
    assert_eq!(bench.forward(), [1, 3, 0]);
}
