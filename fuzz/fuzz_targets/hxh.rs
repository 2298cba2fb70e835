//! HxH with headers that are nearly right. Run with `cargo +nightly fuzz run hxh`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use multihop_core::{
    Cx, Duration, End, FlowId, Heard, HopStep, Message, NodeId, Outcome, Packet, Params, Payload,
    Purpose, Rate, Rng, RouteNews, Rx, Tag, Time, TxDone, TxRequest, Verdict,
};
use multihop_schemes::hxh::{HXH, Header, SCHEME};

fuzz_target!(|data: &[u8]| {
    if let Ok(header) = Header::parse(data) {
        let (fields, padding) = data.split_at(header.emit().len());
        assert_eq!(header.emit(), fields);
        assert!(padding.iter().all(|byte| *byte == 0));
    }
    hop(data);
    for end in [End::Source, End::Destination] {
        transport(end, data);
    }
});

fn params() -> Params {
    Params::new(&SCHEME, &[], Rate(54_000_000)).expect("the defaults are valid")
}

/// A header of these sixteen bytes, with a kind and flags that exist, and small numbers if the
/// third byte is even.
fn header(bytes: &[u8; 16]) -> [u8; 16] {
    let mut bytes = *bytes;
    bytes[0] = 1 + bytes[0] % 4;
    bytes[1] &= 1;
    if bytes[2] % 2 == 0 {
        for high in [4, 6, 7, 8, 10, 11, 12, 14] {
            bytes[high] = 0;
        }
    }
    bytes
}

/// Twenty bytes are one step of a node's life.
fn hop(data: &[u8]) {
    let me = NodeId(1);
    let mut hop = (SCHEME.hop)(&params());
    let mut rng = Rng::stream(0, me, Purpose::Protocol);
    let mut effects = Vec::new();
    let mut now = Time::ZERO;
    let mut below: Option<TxRequest> = None;
    for step in data.chunks_exact(20) {
        let ([what, who, way, time], Some(rest)) =
            ([step[0], step[1], step[2], step[3]], step.last_chunk())
        else {
            return;
        };
        effects.clear();
        let mut cx = Cx::new(now, me, &mut rng, &mut effects);
        let neighbour = NodeId(u32::from(way & 3));
        let forth = FlowId::between(NodeId(u32::from(who & 3)), NodeId(u32::from(who >> 2 & 3)));
        let flow = if who >> 4 & 1 == 1 { forth.reverse() } else { forth };
        let mut packet = Packet::new(flow, Payload::Virtual(100), Tag::default());
        packet.headers.set(HXH, &header(rest));
        match what % 8 {
            0..3 => {
                let heard = [Heard::ForMe, Heard::ForMe, Heard::Overheard][usize::from(what % 8)];
                let rx = Rx {
                    rate: Rate(1_000_000),
                    signal: None,
                    from: neighbour,
                    heard,
                    air_time: Duration::ZERO,
                    packet,
                };
                if hop.on_heard(&mut cx, &rx) == Verdict::Accept && flow.destination != me {
                    let next = hop.way(&rx.packet).unwrap_or(NodeId(u32::from(way >> 2 & 3)));
                    hop.on_enqueue(&mut cx, rx.packet, next);
                }
            }
            3 => hop.on_unroutable(&mut cx, packet),
            4 => {
                let destination = NodeId(u32::from(way & 3));
                let lost = way >> 2 & 1 == 1;
                let news =
                    if lost { RouteNews::Lost(destination) } else { RouteNews::Found(destination) };
                hop.on_route(&mut cx, news);
            }
            5 if below.is_none() => below = hop.poll_transmit(&mut cx),
            5 | 6 => {
                if let Some(request) = below.take() {
                    let outcome =
                        if who & 1 == 0 { Outcome::Acknowledged } else { Outcome::Failed };
                    let done = request.done(outcome, Rate(1_000_000));
                    let done = TxDone { retries: u32::from(time), ..done };
                    let _ = hop.on_tx_done(&mut cx, done);
                }
            }
            _ => {
                now += Duration::from_millis(u64::from(time) * u64::from(time));
                cx.now = now;
                hop.on_timeout(&mut cx);
                assert!(hop.deadline() > now, "a deadline in the past");
            }
        }
        while let Some(step) = hop.poll(&mut cx) {
            if let HopStep::Reroute(packet) = step {
                hop.on_unroutable(&mut cx, packet);
            }
        }
    }
}

/// Sixteen bytes are a header that reaches one end.
fn transport(end: End, data: &[u8]) {
    let flow = FlowId::between(NodeId(0), NodeId(1));
    let (me, incoming) = match end {
        End::Source => (flow.source, flow.reverse()),
        End::Destination => (flow.destination, flow),
    };
    let mut transport = (SCHEME.transport)(&params(), flow, end);
    let mut rng = Rng::stream(0, me, Purpose::Protocol);
    let mut effects = Vec::new();
    let mut now = Time::ZERO;
    for (number, bytes) in (0u32..).zip(data.as_chunks::<16>().0) {
        effects.clear();
        let mut cx = Cx::new(now, me, &mut rng, &mut effects);
        let tag = Tag { source: 0, number };
        if end == End::Source && transport.wants_message(true) {
            transport.on_message(&mut cx, Message { payload: Payload::Virtual(100), tag });
        }
        let mut packet = Packet::new(incoming, Payload::Virtual(100), tag);
        packet.headers.set(HXH, &header(bytes));
        transport.on_packet(&mut cx, packet);
        while transport.poll_send(&mut cx).is_some() {}
        now = transport.deadline().min(now + Duration::from_millis(100));
        cx.now = now;
        if transport.deadline() <= now {
            transport.on_timeout(&mut cx);
            assert!(transport.deadline() > now, "a deadline in the past");
        }
    }
}
