//! Every parser, and every scheme with whatever the air brings. Run with `cargo +nightly fuzz run headers`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use multihop_core::{
    Cx, Duration, End, FlowId, Heard, Message, NetworkHeader, NextHeader, NodeId, Outcome, Packet,
    Params, Payload, Purpose, Rate, Rng, Routing, Rx, Scheme, Tag, Time, TxRequest, Verdict,
};
use multihop_routing::aodv::{self, Aodv};
use multihop_schemes::SCHEMES;
use multihop_schemes::cxcc::Header;

fuzz_target!(|data: &[u8]| {
    parsers(data);
    for scheme in SCHEMES {
        hop(scheme, data);
        for end in [End::Source, End::Destination] {
            transport(scheme, end, data);
        }
    }
    routing(data);
});

fn parsers(data: &[u8]) {
    let _ = NetworkHeader::parse(data);
    if let Ok(packet) = Packet::parse(data) {
        assert_eq!(Packet::parse(&packet.emit()), Ok(packet));
    }
    if let Ok(header) = Header::parse(data) {
        assert_eq!(header.emit().as_slice(), data);
    }
    if let Ok(message) = aodv::parse(data) {
        assert_eq!(&*message.emit(), data);
    }
}

/// Nineteen bytes are a header that reaches one end of a connection.
fn transport(scheme: &Scheme, end: End, data: &[u8]) {
    let params = Params::new(scheme, &[], Rate(1_000_000)).expect("the defaults are valid");
    let flow = FlowId::between(NodeId(0), NodeId(1));
    let (me, incoming) = match end {
        End::Source => (flow.source, flow.reverse()),
        End::Destination => (flow.destination, flow),
    };
    let mut transport = (scheme.transport)(&params, flow, end);
    let mut rng = Rng::stream(0, me, Purpose::Protocol);
    let mut effects = Vec::new();
    let mut now = Time::ZERO;
    for (number, header) in (0u32..).zip(data.chunks(19)) {
        effects.clear();
        let mut cx = Cx::new(now, me, &mut rng, &mut effects);
        let payload = Payload::Virtual(100);
        if end == End::Source && transport.wants_message(true) {
            let tag = Tag { source: 0, number };
            transport.on_message(&mut cx, Message { payload: payload.clone(), tag });
        }
        let mut packet = Packet::new(incoming, payload, Tag { source: 0, number });
        packet.headers.set(NextHeader::transport(header[0] % 2), &header[1..]);
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

/// Up to sixty bytes are a routing packet.
fn routing(data: &[u8]) {
    let me = NodeId(1);
    let mut routing = Aodv::new(me, aodv::Settings::default());
    let mut rng = Rng::stream(0, me, Purpose::Protocol);
    let mut effects = Vec::new();
    let mut now = Time::ZERO;
    for bytes in data.chunks(60) {
        effects.clear();
        let mut cx = Cx::new(now, me, &mut rng, &mut effects);
        let from = NodeId(u32::from(bytes[0] & 3));
        let flow = FlowId::between(from, NodeId::BROADCAST);
        let packet = Packet::message(flow, NextHeader::ROUTING, bytes);
        let rx = Rx {
            rate: Rate(1_000_000),
            signal: None,
            from,
            heard: Heard::Broadcast,
            air_time: Duration::ZERO,
            packet,
        };
        routing.on_heard(&mut cx, &rx);
        while routing.poll(&mut cx).is_some() {}
        now = routing.deadline().min(now + Duration::from_millis(100));
        cx.now = now;
        if routing.deadline() <= now {
            routing.on_timeout(&mut cx);
            while routing.poll(&mut cx).is_some() {}
            assert!(routing.deadline() > now, "a deadline in the past");
        }
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
        let mut cx = Cx::new(now, me, &mut rng, &mut effects);
        let neighbour = NodeId(u32::from(who & 3));
        let flow = FlowId::between(NodeId(u32::from(who >> 2 & 3)), NodeId(u32::from(who >> 4)));
        let mut packet = Packet::new(flow, Payload::Virtual(u32::from(step[2])), Tag::default());
        packet.headers.set(NextHeader::hop(what >> 7), &step[4 + 2 * usize::from(who & 1)..]);
        match what % 8 {
            0..4 => {
                let heard = [Heard::ForMe, Heard::ForMe, Heard::Overheard, Heard::Broadcast];
                let heard = heard[usize::from(what % 4)];
                let rx = Rx {
                    rate: Rate(1_000_000),
                    signal: None,
                    from: neighbour,
                    heard,
                    air_time: Duration::ZERO,
                    packet,
                };
                if hop.on_heard(&mut cx, &rx) == Verdict::Accept && flow.destination != me {
                    hop.on_enqueue(&mut cx, rx.packet, NodeId(u32::from(step[3] & 3)));
                }
            }
            4 => hop.on_enqueue(&mut cx, packet, neighbour),
            5 if below.is_none() => below = hop.poll_transmit(&mut cx),
            5 => {
                let request = below.take().expect("just seen");
                let outcome = if who & 1 == 0 { Outcome::Sent } else { Outcome::Withdrawn };
                let done = request.done(outcome, Rate(1_000_000));
                let _ = hop.on_tx_done(&mut cx, done);
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
