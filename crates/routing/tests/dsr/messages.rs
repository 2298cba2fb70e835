//! What becomes of messages whose link is broken: one node by itself.

use multihop_core::{
    Cx, DropCause, Effect, FrameClass, Heard, NodeId, Packet, Purpose, Receiver, Rng, Routing,
    RoutingStep,
};
use multihop_routing::dsr::{Broken, Dsr, Header, Path, Reply, Settings, SourceRoute};
use multihop_testkit::heard;

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
    /// Node `me`, which has passed on an error along each of `routes`: it knows where they lead from here.
    fn new(me: u32, routes: &[&[u32]]) -> Self {
        Self::with(Settings::default(), me, routes)
    }

    fn with(settings: Settings, me: u32, routes: &[&[u32]]) -> Self {
        let me = NodeId(me);
        let cx = Cx::new(me, Rng::stream(1, me, Purpose::Protocol));
        let mut desk = Desk(Dsr::new(me, settings), cx);
        for route in routes {
            let (from, to) = (NodeId(route[0]), NodeId(route[route.len() - 1]));
            let broken = vec![Broken { from, to: NodeId(99), tell: to }];
            let route = Some(SourceRoute { path: path(route), next: 1, salvaged: 0 });
            let packet = Header { route, broken, ..Header::default() }.message(from, to);
            desk.0.on_heard(&mut desk.1, &heard(from, Heard::ForMe, packet));
        }
        desk.steps();
        desk
    }

    /// What it wants.
    fn steps(&mut self) -> Vec<RoutingStep> {
        std::iter::from_fn(|| self.0.poll(&mut self.1)).collect()
    }

    /// Whom it sends messages of this kind.
    fn sent(&mut self, class: FrameClass) -> Vec<Receiver> {
        let to = |step| match step {
            RoutingStep::Transmit(packet, to) if Header::class(&packet) == class => Some(to),
            _ => None,
        };
        self.steps().into_iter().filter_map(to).collect()
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

/// Ways from 1 to 0, over 2 and over 4.
const DETOUR: [&[u32]; 1] = [&[5, 1, 4, 0]];

#[test]
fn a_message_whose_next_hop_says_no_address_breaks_the_link() {
    let mut desk = Desk::new(1, &[]);
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

#[test]
fn a_reply_that_praises_the_link_that_fails_under_it_is_dropped_if_there_is_another_way() {
    for (routes, drops) in [(&DETOUR[..], &[DropCause::RetriesSpent][..]), (&[], &[])] {
        let mut desk = Desk::new(1, routes);
        let packet = reply(&[0, 2, 1, 3], &[3, 1, 2, 0], 2);
        desk.0.on_link_failure(&mut desk.1, packet, NEXT);
        assert_eq!(desk.drops(), drops);
        assert!(desk.sent(FrameClass::RouteReply).is_empty());
    }
}

/// ns-2 looks one node too far.
#[test]
fn a_reply_that_waits_is_asked_of_the_link_to_the_node_behind() {
    let cases = [(&[0, 2, 1, 3][..], true), (&[0, 1, 3], false), (&[0, 6, 3], true)];
    for (praised, goes) in cases {
        let mut desk = Desk::new(1, &DETOUR);
        desk.0.on_unsent(&mut desk.1, reply(praised, &[3, 1, 2, 0], 2), NEXT);
        let sent = if goes { vec![Receiver::Node(NodeId(4))] } else { Vec::new() };
        assert_eq!(desk.sent(FrameClass::RouteReply), sent, "{praised:?}");
        assert_eq!(desk.drops().len(), usize::from(!goes), "{praised:?}");
    }
}

#[test]
fn a_node_sends_its_own_reply_another_way() {
    let mut desk = Desk::new(1, &DETOUR);
    desk.0.on_link_failure(&mut desk.1, reply(&[0, 2, 1], &[1, 2, 0], 1), NEXT);
    assert_eq!(desk.sent(FrameClass::RouteReply), [Receiver::Node(NodeId(4))]);
    assert!(desk.drops().is_empty());
}

#[test]
fn a_node_searches_for_a_way_for_its_own_reply() {
    let mut desk = Desk::new(1, &[]);
    desk.0.on_link_failure(&mut desk.1, reply(&[0, 2, 1], &[1, 2, 0], 1), NEXT);
    assert!(desk.drops().is_empty());
    desk.1.now = desk.0.deadline();
    desk.0.on_deadline(&mut desk.1);
    assert_eq!(desk.sent(FrameClass::RouteRequest), [Receiver::Broadcast]);
}

#[test]
fn a_node_drops_its_own_reply_that_praises_the_broken_link_if_it_is_asked() {
    let settings = Settings { repeat_own_replies: false, ..Settings::default() };
    for (praised, sent) in [(&[0, 2, 1][..], 0), (&[0, 6, 1], 1)] {
        let mut desk = Desk::with(settings, 1, &DETOUR);
        desk.0.on_link_failure(&mut desk.1, reply(praised, &[1, 2, 0], 1), NEXT);
        assert_eq!(desk.sent(FrameClass::RouteReply).len(), sent);
        assert_eq!(desk.drops().len(), 1 - sent);
    }
}
