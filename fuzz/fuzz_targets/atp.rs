//! ATP's headers, and both ends of a connection with whatever the air brings. Run with
//! `cargo +nightly fuzz run atp`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use multihop_core::{
    Cx, Duration, Effect, End, FlowId, Message, NodeId, Packet, Params, Payload, Purpose, Rate,
    Rng, RouteNews, Tag, Time, Transport,
};
use multihop_schemes::atp::{ATP, ATP_PATH, Header, PathHeader, SCHEME};

fuzz_target!(|data: &[u8]| {
    parsers(data);
    ends(data);
});

fn parsers(data: &[u8]) {
    if let Ok((header, blocks)) = Header::parse(data) {
        let flow = FlowId::between(NodeId(0), NodeId(1));
        let mut packet = Packet::new(flow, Payload::Virtual(0), Tag::NONE);
        header.write(&mut packet, &blocks);
        assert_eq!(packet.headers.get(ATP), Some(data));
    }
    if let Ok(path) = PathHeader::parse(data) {
        assert_eq!(path.emit().as_slice(), data);
    }
}

/// What one step brings, in bytes: what to do, how many blocks, and both headers without blocks.
const STEP: usize = 2 + PATH + FIELDS;

/// Length of what a path header says, and of what a header without blocks says.
const PATH: usize = 6;
const FIELDS: usize = 14;

struct EndOfFlow {
    transport: Box<dyn Transport>,
    rng: Rng,
    now: Time,
}

impl EndOfFlow {
    fn call<R>(&mut self, handler: impl FnOnce(&mut dyn Transport, &mut Cx) -> R) -> R {
        let mut effects: Vec<Effect> = Vec::new();
        let mut cx = Cx::new(self.now, NodeId(0), &mut self.rng, &mut effects);
        handler(self.transport.as_mut(), &mut cx)
    }

    fn settle(&mut self) {
        let mut sent = 0;
        while self.call(|end, cx| end.poll_send(cx)).is_some() {
            sent += 1;
            assert!(sent < 100, "a transport that sends without end");
        }
        assert!(self.transport.deadline() > self.now, "a deadline in the past");
        assert!(self.transport.backlog() < 10_000, "a buffer without bound");
    }
}

fn ends(data: &[u8]) {
    let params = Params::new(&SCHEME, &[], Rate(1_000_000)).expect("the defaults are valid");
    let flow = FlowId::between(NodeId(0), NodeId(1));
    for (end, incoming) in [(End::Source, flow.reverse()), (End::Destination, flow)] {
        let mut end = EndOfFlow {
            transport: (SCHEME.transport)(&params, flow, end),
            rng: Rng::stream(0, NodeId(0), Purpose::Protocol),
            now: Time::ZERO,
        };
        let mut rest = data;
        for number in 0u32.. {
            let Some((step, behind)) = rest.split_at_checked(STEP) else { break };
            let (blocks, behind) = behind.split_at(behind.len().min(usize::from(step[1] & 0x7F)));
            rest = behind;
            let tag = Tag { source: 0, number };
            if end.transport.wants_message(true) {
                let message = Message { payload: Payload::Virtual(100), tag };
                end.call(|end, cx| end.on_message(cx, message));
            }
            match step[0] % 8 {
                0 => end.call(|end, cx| end.on_route(cx, RouteNews::Lost(NodeId(1)))),
                1..4 => {
                    let wait = Duration::from_millis(u64::from(step[1]) * 20);
                    end.now = end.transport.deadline().min(end.now + wait);
                    end.call(|end, cx| end.on_timeout(cx));
                }
                _ => {
                    let mut packet = Packet::new(incoming, Payload::Virtual(100), tag);
                    let (path, fields) = step[2..].split_at(PATH);
                    packet.headers.set(ATP_PATH, path);
                    packet.headers.set(ATP, &[fields, blocks].concat());
                    end.call(|end, cx| end.on_packet(cx, packet));
                }
            }
            end.settle();
        }
    }
}
