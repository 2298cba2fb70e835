//! Every parser, and every scheme with whatever the air brings. Run with `cargo +nightly fuzz run headers`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use multihop_core::{
    Cx, Duration, FlowId, HeaderBytes, Heard, NetworkHeader, NodeId, Outcome, Packet, Params,
    Payload, Purpose, Rate, Rng, Rx, Scheme, Tag, Time, TxDone, TxRequest, Verdict,
};
use multihop_schemes::SCHEMES;
use multihop_schemes::cxcc::{self, Header};

fuzz_target!(|data: &[u8]| {
    parsers(data);
    for scheme in SCHEMES {
        hop(scheme, data);
    }
});

fn parsers(data: &[u8]) {
    let _ = NetworkHeader::parse(data);
    for (hop_len, transport_len) in [(0, 0), (cxcc::HEADER_LEN, 0), (16, 40), (17, 41)] {
        let _ = Packet::parse(data, hop_len, transport_len);
    }
    if let Ok(header) = Header::parse(data) {
        assert_eq!(header.emit().as_slice(), data);
    }
}

/// Twelve bytes are one step of a node's life.
fn hop(scheme: &Scheme, data: &[u8]) {
    let params = Params::new(scheme, &[], Rate(1_000_000)).expect("the defaults are valid");
    let me = NodeId(1);
    let mut hop = (scheme.hop)(&params);
    let mut rng = Rng::stream(0, me, Purpose::Protocol);
    let mut effects = Vec::new();
    let mut now = Time::ZERO;
    let mut below: Option<TxRequest> = None;
    for step in data.chunks_exact(12) {
        let [what, who, ..] = *step else { return };
        effects.clear();
        let mut cx = Cx { now, me, rng: &mut rng, deaf: Duration::ZERO, effects: &mut effects };
        let neighbour = NodeId(u32::from(who & 3));
        let flow = FlowId::between(NodeId(u32::from(who >> 2 & 3)), NodeId(u32::from(who >> 4)));
        let mut packet = Packet::new(flow, Payload::Virtual(u32::from(step[2])), Tag::default());
        packet.hop = HeaderBytes::new(&step[4..]).expect("eight bytes fit");
        match what % 8 {
            0..4 => {
                let heard = [Heard::ForMe, Heard::ForMe, Heard::Overheard, Heard::Broadcast];
                let heard = heard[usize::from(what % 4)];
                let rx = Rx { from: neighbour, heard, air_time: Duration::ZERO, packet };
                if hop.on_heard(&mut cx, &rx) == Verdict::Accept && flow.destination != me {
                    hop.on_enqueue(&mut cx, rx.packet, NodeId(u32::from(step[3] & 3)));
                }
            }
            4 => hop.on_enqueue(&mut cx, packet, neighbour),
            5 if below.is_none() => below = hop.poll_transmit(&mut cx),
            5 => {
                let TxRequest { to, packet, .. } = below.take().expect("just seen");
                let outcome = if who & 1 == 0 { Outcome::Sent } else { Outcome::Withdrawn };
                let air_time = Duration::ZERO;
                let done = TxDone { to, outcome, attempts: 1, air_time, packet };
                hop.on_tx_done(&mut cx, done);
            }
            6 => hop.on_consumed(&mut cx, &packet, neighbour),
            _ => {
                now += Duration::from_millis(u64::from(step[3]) * u64::from(step[3]));
                cx.now = now;
                hop.on_timeout(&mut cx);
                assert!(hop.deadline() > now, "a deadline in the past");
            }
        }
    }
}
