//! What becomes of messages whose link is broken: one node by itself.

use multihop_core::{
    Cx, DropCause, Effect, FrameClass, NodeId, Packet, Purpose, Receiver, Rng, Routing, RoutingStep,
};
use multihop_routing::dsr::{Dsr, Header, Path, Reply, Settings, SourceRoute};

fn path(nodes: &[u32]) -> Path {
    Path::of(nodes.iter().copied().map(NodeId)).expect("few")
}

/// A reply with the path `praised` on its way over `route`, of which the node at place `next` is to get it.
fn reply(praised: &[u32], route: &[u32], next: usize) -> Packet {
    let ends = (NodeId(route[0]), NodeId(route[route.len() - 1]));
    let route = Some(SourceRoute { path: path(route), next, salvaged: 0 });
    let reply = Some(Reply { id: 1, path: path(praised) });
    Header { route, reply, ..Header::default() }.message(ends.0, ends.1)
}

/// A node, and what it is called with.
struct Desk(Dsr, Cx);

impl Desk {
    /// Node `me`, which knows nothing yet.
    fn new(me: u32) -> Self {
        let me = NodeId(me);
        let cx = Cx::new(me, Rng::stream(1, me, Purpose::Protocol));
        Desk(Dsr::new(me, Settings::default()), cx)
    }

    /// What it wants.
    fn steps(&mut self) -> Vec<RoutingStep> {
        std::iter::from_fn(|| self.0.poll(&mut self.1)).collect()
    }

    /// Why it has dropped packets.
    fn drops(&self) -> Vec<DropCause> {
        let cause = |effect: &Effect| match effect {
            Effect::Drop(_, cause) => Some(*cause),
            _ => None,
        };
        self.1.effects.iter().filter_map(cause).collect()
    }
}

const NEXT: NodeId = NodeId(2);

#[test]
fn a_message_whose_next_hop_says_no_address_breaks_the_link() {
    let mut desk = Desk::new(1);
    let packet = reply(&[0, 6, 3], &[3, 1, 2, 0], 2);
    desk.0.on_unresolved(&mut desk.1, packet, NEXT);
    let steps = desk.steps();
    assert!(steps.contains(&RoutingStep::LinkBroken(NEXT)), "{steps:?}");
    let RoutingStep::Transmit(error, Receiver::Node(NodeId(3))) = &steps[1] else {
        panic!("{steps:?}")
    };
    assert_eq!(Header::class(error), FrameClass::RouteError);
    assert!(desk.drops().is_empty(), "it waits for another way");
}
