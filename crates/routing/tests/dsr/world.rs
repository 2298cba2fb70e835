//! Networks of nodes that run DSR under UDP.

use std::sync::{Arc, Mutex};

use multihop_core::{
    Cx, Duration, FlowId, FrameClass, Message, NodeId, Packet, Params, Protocol, Rate, Receiver,
    RouteNews, Time, Transport,
};
use multihop_routing::dsr::{Broken, Dsr, Header, Settings};
use multihop_schemes::parts::datagram::Datagram;
use multihop_schemes::udp;
use multihop_testkit::{Ends, Frame, Links, Net, Watch};

/// What the ends at the sources were told of routes: where, and what.
type Told = Arc<Mutex<Vec<(u32, RouteNews)>>>;

/// Datagrams, and a transport that writes down what routing announces.
struct Listener(Datagram, Told);

impl Transport for Listener {
    fn wants_message(&self, room: bool) -> bool {
        self.0.wants_message(room)
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        self.0.on_message(cx, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        self.0.on_packet(cx, packet);
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.1.lock().expect("nobody panics while writing").push((cx.me.0, news));
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        self.0.poll_send(cx)
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.0.give_up()
    }

    fn backlog(&self) -> usize {
        self.0.backlog()
    }
}

/// The network.
pub struct World {
    pub net: Net,
    pub nodes: Vec<Watch<Dsr>>,
    news: Told,
}

/// A point in time, in milliseconds.
pub const fn ms(ms: u64) -> Time {
    Time::from_nanos(ms * 1_000_000)
}

/// The flow from node `from` to node `to`.
pub const fn flow(from: u32, to: u32) -> FlowId {
    FlowId::between(NodeId(from), NodeId(to))
}

fn hop() -> Watch<dyn multihop_core::Hop> {
    let params = Params::new(&udp::SCHEME, &[], Rate(1_000_000)).expect("the defaults are valid");
    Watch::new((udp::SCHEME.hop)(&params))
}

impl World {
    /// Nodes with these links and flows.
    pub fn new(links: Links, settings: Settings, flows: &[FlowId]) -> Self {
        let told = Told::default();
        let count = links.nodes();
        let mut net = Net::new(links, 1);
        let make = |at: u32| Watch::new(Box::new(Dsr::new(NodeId(at), settings)));
        let nodes: Vec<Watch<Dsr>> = (0..count as u32).map(make).collect();
        for (at, node) in (0..).zip(&nodes) {
            net.add(hop(), node.clone(), ends(at, flows, &told));
        }
        World { net, nodes, news: told }
    }

    /// A chain with a flow from its first node to its last.
    pub fn line(count: u32) -> Self {
        World::new(Links::line(count as usize), Settings::default(), &[flow(0, count - 1)])
    }

    /// Node `at`, a relay, forgets everything.
    pub fn reboot(&mut self, at: usize) {
        let node = Watch::new(Box::new(Dsr::new(NodeId(at as u32), Settings::default())));
        self.nodes[at] = node.clone();
        self.net.replace(at, hop(), node, Vec::new());
    }

    /// Packets with these numbers leave, one every 100 ms, from now on; and as much time passes.
    pub fn send(&mut self, flow: FlowId, numbers: impl IntoIterator<Item = u32>) {
        for number in numbers {
            self.net.write(flow, number);
            self.wait(100);
        }
    }

    /// Let so many milliseconds pass.
    pub fn wait(&mut self, span: u64) {
        let until = self.net.now + Duration::from_millis(span);
        self.net.run(until);
    }

    /// What the source at `node` was told of its routes.
    pub fn news(&self, node: u32) -> Vec<RouteNews> {
        let told = self.news.lock().expect("nobody panics while writing");
        told.iter().filter(|(at, _)| *at == node).map(|(_, news)| *news).collect()
    }

    /// The frames that carried data.
    pub fn data(&self) -> impl Iterator<Item = &Frame> {
        self.net.log.sent.iter().filter(|frame| frame.packet.protocol() == Protocol::Scheme)
    }

    /// Between whom packet `number` went.
    pub fn hops(&self, number: u32) -> Vec<(usize, u32)> {
        let of = |frame: &&Frame| frame.packet.tag.number == number;
        let ends = |frame: &Frame| match frame.to {
            Receiver::Node(to) => (frame.from, to.0),
            Receiver::Pair(_) | Receiver::Broadcast => unreachable!("data goes to one node"),
        };
        self.data().filter(of).map(ends).collect()
    }

    /// Of which broken links the messages of one kind tell: when, who, and which.
    pub fn told(&self, class: FrameClass) -> Vec<(Time, usize, Vec<Broken>)> {
        let broken =
            |packet| Header::of(packet).expect("it can be read").expect("it has one").broken;
        let messages = self.messages(class);
        messages.iter().map(|(at, from, packet)| (*at, *from, broken(packet))).collect()
    }

    /// The messages of DSR of one kind: when, who, and what.
    pub fn messages(&self, class: FrameClass) -> Vec<(Time, usize, Packet)> {
        let of = |frame: &&Frame| {
            frame.packet.protocol() == Protocol::Routing && Header::class(&frame.packet) == class
        };
        let sent = self.net.log.sent.iter().filter(of);
        sent.map(|frame| (frame.at, frame.from, frame.packet.clone())).collect()
    }
}

fn ends(at: u32, flows: &[FlowId], told: &Told) -> Ends {
    let here = |flow: &&FlowId| [flow.source.0, flow.destination.0].contains(&at);
    let end = |flow: &FlowId| -> (FlowId, Box<dyn Transport>) {
        let datagram = Datagram::new(*flow);
        if flow.source.0 == at {
            (*flow, Box::new(Listener(datagram, Arc::clone(told))))
        } else {
            (*flow, Box::new(datagram))
        }
    };
    flows.iter().filter(here).map(end).collect()
}
