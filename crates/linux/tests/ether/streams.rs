//! Streams of proxies over the schemes that they are made for, without the kernel's TCP at their ends.

use multihop_core::{Duration, NodeId};
use multihop_linux::ip::Prefix;
use multihop_linux::proxy::segment::{Segment, carried, carry};
use multihop_linux::proxy::stream::{State, Stream};

use crate::world::{World, chain};

const PORT: u16 = 4_747;
const STREAM_PORT: u16 = 50_000;
const LAST: u32 = 4;

/// A stream's end at a node.
struct End {
    node: u32,
    stream: Option<Stream>,
    sends: Vec<u8>,
    sent: usize,
    got: Vec<u8>,
}

impl End {
    /// What has come for it.
    fn hear(&mut self, world: &mut World) {
        for packet in world.delivered.remove(&self.node).unwrap_or_default() {
            let (_, behind) = carried(&packet, PORT).expect("nothing else is sent");
            let segment = Segment::parse(behind).expect("it is one");
            match &mut self.stream {
                Some(stream) => stream.on_segment(world.now, &segment),
                None => self.stream = Some(Stream::accept(&segment, world.now)),
            }
        }
    }

    /// Let bytes flow, as far as the scheme takes them.
    fn speak(&mut self, world: &mut World) {
        let Some(stream) = &mut self.stream else { return };
        while let Some(len) = stream.ready().map(<[u8]>::len) {
            self.got.extend(stream.ready().unwrap_or_default());
            stream.take(world.now, len);
        }
        let (other, ports) = match self.node {
            0 => (LAST, (STREAM_PORT, PORT)),
            _ => (0, (PORT, STREAM_PORT)),
        };
        while world.hosts[self.node as usize].waiting(NodeId(other), ports) < 2 {
            if stream.has_room() && self.sent < self.sends.len() {
                let end = (self.sent + 900).min(self.sends.len());
                stream.write(&self.sends[self.sent..end]);
                self.sent = end;
            } else if self.sent == self.sends.len() && stream.state() == State::Open {
                stream.end();
            }
            let Some(segment) = stream.poll(world.now) else { break };
            let [from, to] = [self.node, other].map(|node| Prefix::DEFAULT.address(NodeId(node)));
            world.send(self.node, &carry((from, to), ports, &segment));
        }
    }
}

#[test]
fn a_stream_arrives_whole_both_ways_although_a_relay_is_killed_with_what_it_holds() {
    for scheme in ["cxcc", "hxh", "udp"] {
        let mut world = World::new(&chain(LAST, &format!("name = \"{scheme}\"")));
        let bytes = |len: usize| (0..len).map(|at| (at * at % 251) as u8).collect::<Vec<u8>>();
        let stream = Some(Stream::open(7, 8_000, world.now));
        let mut here = End { node: 0, stream, sends: bytes(100_000), sent: 0, got: Vec::new() };
        let mut there =
            End { node: LAST, stream: None, sends: bytes(20_000), sent: 0, got: Vec::new() };
        let mut killed = false;
        for _ in 0..60_000 {
            for end in [&mut here, &mut there] {
                end.hear(&mut world);
                end.speak(&mut world);
            }
            let holds = world.hosts[2].load().0 > 0;
            if !killed && holds && there.got.len() > 40_000 {
                killed = true;
                world.kill(2);
                let back = world.now + Duration::from_millis(2_000);
                world.run(back);
                world.join(2);
            }
            world.run(world.now + Duration::from_millis(5));
        }
        assert!(killed, "{scheme}: {} B arrived", there.got.len());
        assert!(there.got == here.sends, "{scheme}: {} B forth", there.got.len());
        assert!(here.got == there.sends, "{scheme}: {} B back", here.got.len());
        let states = [here, there].map(|end| end.stream.map(|stream| stream.state()));
        assert_eq!(states, [Some(State::Done); 2], "{scheme}");
    }
}
