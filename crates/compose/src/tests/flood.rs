//! Whatever the air brings, what a node remembers is bounded.

use std::thread;

use multihop_core::{
    Cx, Duration, End, FlowId, Forwarding, Heard, Message, NextHeader, NodeId, Outcome, Packet,
    Params, Payload, Purpose, Rate, Rng, Rx, Scheme, Tag, Time,
};
use multihop_node::{Input, Node};
use multihop_routing::{FixedRoutes, Life, ROUTINGS, Routes, RoutingProtocol};
use multihop_routing::{aodv, dsr};
use multihop_scenario::from_toml;
use multihop_schemes::{SCHEMES, find};

use crate::{MOST_ACCEPTED, node};

const ME: NodeId = NodeId(1);

/// More than any table has room for: less than three quarters of them fill every one.
const FRAMES: u32 = 40_000;

struct Attacker {
    scheme: &'static Scheme,
    params: Params,
    routing: &'static str,
    rng: Rng,
}

impl Attacker {
    fn anybody(&mut self) -> NodeId {
        NodeId(self.rng.below(1 << 24))
    }

    /// A frame of data, or an answer to such, of a flow that nobody has heard of, as the scheme sends it.
    fn data(&mut self, now: Time) -> Option<Packet> {
        let destination = if self.rng.chance(0.8) { ME } else { NodeId(self.rng.below(3)) };
        let flow = FlowId {
            label: self.rng.below(1 << 15) as u16,
            ..FlowId::between(self.anybody(), destination)
        };
        let mut transport = (self.scheme.transport)(&self.params, flow, End::Source);
        let mut hop = (self.scheme.hop)(&self.params);
        let seed = u64::from(self.rng.below(u32::MAX));
        let cx = &mut Cx::new(flow.source, Rng::stream(seed, flow.source, Purpose::Protocol));
        cx.now = now;
        transport.on_message(cx, Message { payload: Payload::Virtual(64), tag: Tag::NONE });
        let packet = transport.poll_send(cx)?;
        hop.on_enqueue(cx, packet, ME);
        Some(hop.poll_transmit(cx)?.packet)
    }

    /// A search of somebody for somebody.
    fn request(&mut self) -> Packet {
        let (originator, destination) = (self.anybody(), self.anybody());
        if self.routing == "dsr" {
            return self.source_routed(originator, destination);
        }
        let request = aodv::Message::Request(aodv::Request {
            hop_count: 1,
            id: self.rng.below(u32::MAX),
            destination,
            destination_sequence: None,
            originator,
            originator_sequence: aodv::Sequence(2),
            timestamp: aodv::Timestamp(0),
        });
        let flow = FlowId::between(originator, NodeId::BROADCAST);
        Packet::message(flow, NextHeader::ROUTING, request.emit())
    }

    /// A request, a reply, an error, or data that establishes a flow through this node.
    fn source_routed(&mut self, from: NodeId, to: NodeId) -> Packet {
        let path = |nodes: &[NodeId]| dsr::Path::of(nodes.iter().copied()).expect("few");
        let through = path(&[from, ME, self.anybody(), to]);
        let route = Some(dsr::SourceRoute { path: through, next: 1, salvaged: 0 });
        let (id, target) = (self.rng.below(1 << 16) as u16, to);
        let header = dsr::Header { identification: id, ..dsr::Header::default() };
        match self.rng.below(4) {
            0 => {
                let request = Some(dsr::Request { id, target, path: path(&[from]) });
                dsr::Header { request, ..header }.message(from, NodeId::BROADCAST)
            }
            1 => {
                let reply = Some(dsr::Reply { id, path: path(&[ME, self.anybody(), to]) });
                let route =
                    Some(dsr::SourceRoute { path: path(&[from, ME]), next: 1, salvaged: 0 });
                dsr::Header { reply, route, ..header }.message(from, ME)
            }
            2 => {
                let broken = vec![dsr::Broken { from, to, tell: ME }];
                let route =
                    Some(dsr::SourceRoute { path: path(&[from, ME]), next: 1, salvaged: 0 });
                dsr::Header { broken, route, ..header }.message(from, ME)
            }
            _ => {
                let flow = FlowId::between(from, to);
                let mut packet = Packet::new(flow, Payload::Virtual(64), Tag::NONE);
                packet.ttl -= 1;
                let (number, lifetime_s) = (Some(id), Some(60));
                dsr::Header { route, flow: number, lifetime_s, ..header }.write(&mut packet);
                packet
            }
        }
    }

    fn arp(&mut self) -> Packet {
        let flow = FlowId::between(self.anybody(), ME);
        Packet::message(flow, NextHeader::ARP, [0, 1, 0, 0, 0, 0, 0, 0])
    }

    /// The packet as it came, or with a byte that is another one.
    fn garbled(&mut self, packet: Packet) -> Option<Packet> {
        if self.rng.chance(0.9) {
            return Some(packet);
        }
        let mut bytes = packet.emit();
        let at = self.rng.below(bytes.len() as u32) as usize;
        bytes[at] = self.rng.below(256) as u8;
        Packet::parse(&bytes).ok()
    }

    fn frame(&mut self, now: Time) -> Option<Rx> {
        let (packet, heard) = match self.rng.below(8) {
            0..=1 => (self.data(now)?, Heard::ForMe),
            2..=6 => {
                let packet = self.request();
                let everyone = packet.flow.destination == NodeId::BROADCAST;
                (packet, if everyone { Heard::Broadcast } else { Heard::ForMe })
            }
            _ => (self.arp(), Heard::ForMe),
        };
        let packet = self.garbled(packet)?;
        let (from, air_time) = (self.anybody(), Duration::from_micros(100));
        Some(Rx { from, heard, rate: Rate(1_000_000), signal: None, air_time, packet })
    }
}

/// What the node wants to send comes to a good or bad end.
fn serve(node: &mut Node, now: Time, rng: &mut Rng) {
    while node.poll_output().is_some() {}
    if node.deadline() <= now {
        node.handle(now, Input::Deadline);
    }
    if let Some(request) = node.poll_transmit(now) {
        let outcome = if rng.chance(0.5) { Outcome::Acknowledged } else { Outcome::Failed };
        node.handle(now, Input::TxDone(request.done(outcome, Rate(1_000_000))));
    }
    while node.poll_output().is_some() {}
}

/// The node in the middle of three.
fn victim(scheme: &Scheme, routing: &str) -> Node {
    let asks = scheme.does_itself.is_empty() && scheme.forwarding == Forwarding::NextHop;
    let arp = if asks { "arp = \"ns2\"\n" } else { "" };
    let text = format!(
        "duration = \"9 s\"\n[topology]\nkind = \"chain\"\nhops = 2\n[scheme]\nname = \"{}\"\n\
         [routing]\nkind = \"{routing}\"\n{arp}[traffic]\nload = \"10 kbit/s\"\n",
        scheme.name
    );
    let setup = from_toml(&text).and_then(|scenario| scenario.setup());
    let setup = setup.unwrap_or_else(|error| panic!("{error}"));
    let neighbours = vec![vec![ME], vec![NodeId(0), NodeId(2)], vec![ME]];
    let flows = [FlowId::between(ME, NodeId(0)), FlowId::between(ME, NodeId(2))];
    let routes = FixedRoutes::shortest(&neighbours, &flows).swap_remove(1);
    node(&setup, ME, routes, Life::default())
}

/// The largest footprint while the first three quarters of a flood come, and while the last does.
fn flood(scheme: &'static Scheme, routing: &'static str) -> (usize, usize) {
    let mut node = victim(scheme, routing);
    let params = Params::new(scheme, &[], Rate(1_000_000)).expect("the defaults are valid");
    let rng = Rng::stream(1, ME, Purpose::Traffic);
    let mut attacker = Attacker { scheme, params, routing, rng };
    let (mut before, mut after) = (0, 0);
    for number in 0..FRAMES {
        let now = Time::from_nanos(u64::from(number) * 100_000);
        if let Some(rx) = attacker.frame(now) {
            node.handle(now, Input::Heard(rx));
            serve(&mut node, now, &mut attacker.rng);
        }
        let most = if number < FRAMES / 4 * 3 { &mut before } else { &mut after };
        if number % 64 == 0 {
            *most = node.footprint().max(*most);
        }
    }
    (before, after)
}

fn holds_out(scheme: &'static Scheme, routing: &'static str) {
    let (before, after) = flood(scheme, routing);
    let of = format!("{} over {routing}", scheme.name);
    assert!(before > 500, "{of}: {before}: no flood");
    // ends of flows that others have begun may still become more, up to their own bound
    let most = (before + before / 50).max(MOST_ACCEPTED);
    assert!(after <= most && after < FRAMES as usize, "{of} grows from {before} to {after}");
}

#[test]
fn a_flood_of_forged_frames_fills_no_memory_of_a_scheme() {
    let (some, others) = SCHEMES.split_at(SCHEMES.len() / 2);
    thread::scope(|scope| {
        for half in [some, others] {
            scope.spawn(move || {
                for scheme in half {
                    let serves = |routing: &&&RoutingProtocol| routing.serves(scheme.forwarding);
                    let routing = ROUTINGS.iter().find(serves).expect("one serves it");
                    holds_out(scheme, routing.name);
                }
            });
        }
    });
}

/// Data that somebody sends in the node's own name, as if it were new, to somebody who is found and lost again and again.
#[test]
fn packets_in_the_node_s_own_name_wait_nowhere() {
    let (from, stranger) = (NodeId(0), NodeId(100));
    let routing = |to: NodeId, message: aodv::Message| {
        Packet::message(FlowId::between(from, to), NextHeader::ROUTING, message.emit())
    };
    for scheme in ["udp", "flush", "hxh", "wake"] {
        let mut node = victim(find(scheme).expect("there is one"), "aodv");
        let mut hear = |round: u32, heard, packet| {
            let air_time = Duration::from_micros(100);
            let rx = Rx { from, heard, rate: Rate(1_000_000), signal: None, air_time, packet };
            node.handle(Time::from_nanos(u64::from(round) * 100_000_000), Input::Heard(rx));
            while node.poll_output().is_some() {}
            node.footprint()
        };
        let mut most = 0;
        for round in 1..40 {
            for _ in 0..64 {
                let flow = FlowId::between(ME, stranger);
                let packet = Packet::new(flow, Payload::Virtual(64), Tag::NONE);
                hear(round, Heard::ForMe, Packet { ttl: u8::MAX, ..packet });
            }
            let reply = aodv::Message::Reply(aodv::Reply {
                hop_count: 1,
                destination: stranger,
                destination_sequence: aodv::Sequence(2 * round),
                originator: ME,
                lifetime_ms: 10_000,
                timestamp: aodv::Timestamp(0),
            });
            hear(round, Heard::ForMe, routing(ME, reply));
            let gone = aodv::Unreachable(stranger, aodv::Sequence(2 * round + 1));
            let error = aodv::Message::Error(vec![gone]);
            most = hear(round, Heard::Broadcast, routing(NodeId::BROADCAST, error)).max(most);
        }
        assert!(most < 200, "{scheme}: {most}");
    }
}

/// The routing protocols that learn from frames.
fn learning() -> impl Iterator<Item = &'static RoutingProtocol> {
    ROUTINGS.iter().copied().filter(|routing| routing.routes == Routes::Searched)
}

/// A scheme for every routing protocol that learns: one of an end and one of the hop.
#[test]
fn a_flood_of_forged_frames_fills_no_memory_of_routing() {
    for (routing, scheme) in learning().zip(["newreno", "cxcc"].into_iter().cycle()) {
        holds_out(find(scheme).expect("there is one"), routing.name);
    }
}

#[test]
#[ignore = "long"]
fn a_flood_of_forged_frames_fills_no_memory_of_any_scheme_over_any_routing() {
    thread::scope(|scope| {
        for routing in learning() {
            scope.spawn(move || {
                for scheme in SCHEMES.iter().filter(|scheme| routing.serves(scheme.forwarding)) {
                    holds_out(scheme, routing.name);
                }
            });
        }
    });
}
