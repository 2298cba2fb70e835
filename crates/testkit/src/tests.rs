//! The kit itself: it lets good parts be, and catches bad ones.

use std::panic::{AssertUnwindSafe, catch_unwind};

use multihop_core::{
    Cx, DropCause, End, Failed, FlowId, Hop, Message, NodeId, Packet, RouteNews, Rx, Time,
    Transport, TxDone, TxRequest, Verdict,
};
use multihop_node::{Input, Output};

use crate::{Ends, Fate, Links, Net, Queue, Watch, Ways};

/// What a bad part does when a packet comes.
#[derive(Clone, Copy, Debug)]
enum Vice {
    None,
    LosesPackets,
    MakesPackets,
    Delivers,
    LivesInThePast,
    AcceptsWhatIsForOthers,
}

/// A queue with a vice.
struct Bad(Queue, Vice);

impl Hop for Bad {
    fn admits(&self, flow: FlowId) -> bool {
        self.0.admits(flow)
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        match self.1 {
            Vice::LosesPackets => return,
            Vice::MakesPackets => self.0.on_enqueue(cx, packet.clone(), next),
            Vice::Delivers => cx.deliver(packet.clone()),
            Vice::None | Vice::LivesInThePast | Vice::AcceptsWhatIsForOthers => {}
        }
        self.0.on_enqueue(cx, packet, next);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        match self.1 {
            Vice::AcceptsWhatIsForOthers => Verdict::Accept,
            _ => self.0.on_heard(cx, rx),
        }
    }

    fn deadline(&self) -> Time {
        match self.1 {
            Vice::LivesInThePast => Time::ZERO,
            _ => Time::NEVER,
        }
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        self.0.on_tx_done(cx, done)
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        self.0.poll_transmit(cx)
    }

    fn backlog(&self) -> usize {
        self.0.backlog()
    }
}

/// Sends what it gets, and remembers what it was told of routes.
struct Pipe {
    flow: FlowId,
    end: End,
    waiting: Vec<Message>,
}

impl Transport for Pipe {
    fn wants_message(&self, room: bool) -> bool {
        room && self.end == End::Source
    }

    fn on_message(&mut self, _cx: &mut Cx, message: Message) {
        self.waiting.push(message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        cx.deliver(packet);
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        if let RouteNews::Lost(_) = news {
            for message in std::mem::take(&mut self.waiting) {
                cx.refuse(self.flow, message);
            }
        }
    }

    fn poll_send(&mut self, _cx: &mut Cx) -> Option<Packet> {
        let message = (!self.waiting.is_empty()).then(|| self.waiting.remove(0))?;
        Some(Packet::new(self.flow, message.payload, message.tag))
    }

    fn give_up(&mut self) -> Option<Packet> {
        let message = self.waiting.pop()?;
        Some(Packet::new(self.flow, message.payload, message.tag))
    }

    fn backlog(&self) -> usize {
        self.waiting.len()
    }
}

fn flow() -> FlowId {
    FlowId::between(NodeId(0), NodeId(2))
}

/// A line of three, one of which has a vice: the middle, or who overhears it.
fn line(vice: Vice) -> (Net, Ways, Vec<Watch<Bad>>) {
    let links = Links::line(3);
    let ways = Ways::shortest(&links);
    let mut net = Net::new(links, 7);
    let bad = usize::from(!matches!(vice, Vice::AcceptsWhatIsForOthers));
    let mut hops = Vec::new();
    for at in 0..3 {
        let vice = if at == bad { vice } else { Vice::None };
        let hop = Watch::new(Box::new(Bad(Queue::new(), vice)));
        let pipe =
            |end| -> Ends { vec![(flow(), Box::new(Pipe { flow: flow(), end, waiting: vec![] }))] };
        let ends = [pipe(End::Source), Vec::new(), pipe(End::Destination)];
        let ends = ends.into_iter().nth(at).expect("three nodes");
        net.add(hop.clone(), Watch::new(ways.routing(at)), ends);
        hops.push(hop);
    }
    (net, ways, hops)
}

const LATER: Time = Time::from_nanos(10_000_000_000);

#[test]
fn a_good_network_delivers_everything() {
    let (mut net, _, hops) = line(Vice::None);
    net.offer(flow(), 30);
    assert_eq!(net.remaining(), 30, "in front of it");
    net.run(LATER);
    assert_eq!(net.log.delivered(flow()), (0..30).collect::<Vec<_>>());
    assert_eq!((net.remaining(), hops[1].look().backlog()), (0, 0));
    assert_eq!(net.log.sent.len(), 60, "one frame per hop");
    assert_eq!((net.now, net.nodes()), (LATER, 3));
    let apart = |pair: &[crate::Frame]| pair[1].at.since(pair[0].at);
    assert!(net.log.sent.windows(2).all(|pair| apart(pair) > (net.air.air_time)(&pair[0].packet)));
}

#[test]
fn every_vice_is_caught() {
    for (vice, word) in [
        (Vice::LosesPackets, "books of the hop protocol of n1"),
        (Vice::MakesPackets, "books of the hop protocol of n1"),
        (Vice::Delivers, "is not for a hop protocol"),
        (Vice::LivesInThePast, "deadline in the past at n1"),
        (Vice::AcceptsWhatIsForOthers, "what is for another node is not accepted"),
    ] {
        let run = || {
            let (mut net, _, _) = line(vice);
            net.offer(flow(), 3);
            net.run(LATER);
        };
        let caught = catch_unwind(AssertUnwindSafe(run)).expect_err("a vice");
        let said = caught.downcast_ref::<String>().cloned();
        let said = said.or(caught.downcast_ref::<&str>().map(|said| (*said).to_owned()));
        assert!(said.expect("words").contains(word), "{vice:?}");
    }
}

#[test]
fn what_is_lost_or_in_doubt_is_what_the_test_wants() {
    let (mut net, _, _) = line(Vice::None);
    net.decide(|frame, _, _| match (frame.from, frame.packet.tag.number) {
        (0, 1) => Fate::Lost,
        (1, 2) => Fate::Unacknowledged,
        _ => Fate::Heard,
    });
    net.offer(flow(), 4);
    net.run(LATER);
    assert_eq!(net.log.delivered(flow()), [0, 2, 3]);
    let drops: Vec<_> =
        net.log.drops().into_iter().map(|(_, number, cause)| (number, cause)).collect();
    let spent = DropCause::RetriesSpent;
    assert_eq!(drops, [(1, spent), (2, spent)], "the second has arrived all the same");
}

#[test]
fn a_way_that_is_lost_is_held_for_until_it_is_found() {
    let (mut net, ways, _) = line(Vice::None);
    ways.lose(0, 2);
    net.serve_deadline(0);
    net.write(flow(), 0);
    net.run(LATER);
    assert_eq!((net.log.sent.len(), net.node(0).backlog()), (0, 1));
    ways.find_all();
    net.serve_deadline(0);
    net.run(Time::from_nanos(2 * LATER.nanos()));
    assert_eq!(net.log.delivered(flow()), [0]);
}

#[test]
fn by_hand_a_frame_waits_for_the_test() {
    let (mut net, _, _) = line(Vice::None);
    net.write(flow(), 0);
    net.poll(0);
    net.poll(0);
    assert!(net.has_frame(0) && net.log.sent.is_empty());
    net.start(0);
    net.start(0);
    assert_eq!(net.log.sent.len(), 1, "once on the air");
    net.finish(0, |node| if node == 1 { Fate::Heard } else { Fate::Lost });
    assert!(!net.has_frame(0));
    let words = net.log.words();
    assert_eq!(words, ["        0 us  n1 accepts 0", "        0 us  n0 releases 0"]);
    assert!(matches!(net.log.said[0].output, Output::Accept(_)));
}

#[test]
fn a_node_that_is_replaced_has_lost_what_it_had() {
    let (mut net, ways, _) = line(Vice::None);
    net.write(flow(), 0);
    net.poll(0);
    net.finish(0, |_| Fate::Heard);
    assert_eq!(net.node(1).backlog(), 1);
    let hop = Watch::new(Box::new(Queue::new()));
    net.replace(1, hop, Watch::new(ways.routing(1)), Ends::new());
    assert_eq!(net.remaining(), 0);
    net.write(flow(), 1);
    net.run(LATER);
    assert_eq!(net.log.delivered(flow()), [1]);
}

#[test]
fn a_source_that_closes_gives_up_what_waits() {
    let (mut net, _, hops) = line(Vice::None);
    (0..25).for_each(|number| net.write(flow(), number));
    assert_eq!((net.remaining(), hops[0].look().backlog()), (25, 20));
    net.tell(0, Input::Close { flow: flow() });
    assert_eq!((net.remaining(), net.log.drops().len()), (20, 5));
    net.run(LATER);
    assert_eq!(net.log.delivered(flow()), (0..20).collect::<Vec<_>>());
}

#[test]
fn a_mac_without_acknowledgments_never_fails() {
    let (mut net, _, _) = line(Vice::None);
    net.air.acknowledges = false;
    net.lose(|frame, _, _| frame.from == 1);
    net.offer(flow(), 3);
    net.run(LATER);
    assert_eq!((net.log.sent.len(), net.log.said.len()), (6, 9), "accepted, released, released");
    assert_eq!((net.remaining(), net.log.drops().len()), (0, 0));
}
