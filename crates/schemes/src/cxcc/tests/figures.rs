//! Figures 2 and 5: the message sequences between a node A (0) and its next hop B (1), in a
//! chain that goes on to C (2) and D (3).

use multihop_core::{Duration, EventKind, FlowId, NodeId, Params, Time};

use super::host::{Sent, World};
use super::{basic, params};
use crate::cxcc::Kind;

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

fn flow() -> FlowId {
    FlowId::between(NodeId(0), NodeId(3))
}

fn second() -> Time {
    Time::ZERO + Duration::from_millis(1000)
}

/// A packet of 512 B, its CXCC and its network header at 1 Mbit/s.
fn packet_time() -> Duration {
    Duration::from_micros((512 + 8 + 20) * 8)
}

/// What A and B sent about packet 0.
fn first_packet(world: &World) -> Vec<(usize, Kind)> {
    let about_0 = world.sent().into_iter().filter(|sent| sent.from <= B && sent.sequence == 0);
    about_0.map(|sent| (sent.from, sent.kind)).collect()
}

/// Loses the first `count` frames that `from` sends, at `receiver`.
fn loses_first(from: usize, receiver: usize) -> impl FnMut(&Sent, usize) -> bool + Send {
    let mut first = true;
    move |sent, at| {
        let hit = sent.from == from && at == receiver;
        hit && std::mem::replace(&mut first, false)
    }
}

fn chain(params: &Params, mut loss: impl FnMut(&Sent, usize) -> bool + Send + 'static) -> World {
    let mut world = World::line(4, params, 1);
    world.lose(move |sent, at, _| loss(sent, at));
    world
}

fn finish(mut world: World, packets: u32) -> World {
    world.net.offer(flow(), packets);
    world.run(second());
    assert_eq!(world.net.log.delivered(flow()), (0..packets).collect::<Vec<_>>());
    assert_eq!(world.net.remaining(), 0);
    world
}

/// The end of A's n-th frame to the start of its next.
fn pause_of_a(world: &World, n: usize) -> Duration {
    let frames: Vec<_> = world.sent().into_iter().filter(|sent| sent.from == A).collect();
    frames[n + 1].at.since(frames[n].at).saturating_sub(packet_time())
}

#[test]
fn figures_2a_and_5a_forwarding_is_the_acknowledgment() {
    for params in [basic(), params(&[])] {
        let world = finish(chain(&params, |_, _| false), 2);
        let sent = world.sent().into_iter().filter(|sent| sent.from <= B);
        let sent: Vec<_> = sent.map(|sent| (sent.from, sent.kind, sent.sequence)).collect();
        assert_eq!(
            sent,
            [(A, Kind::Data, 0), (B, Kind::Data, 0), (A, Kind::Data, 1), (B, Kind::Data, 1)]
        );
        assert_eq!(world.count(A, EventKind::ImplicitAcknowledgment), 2);
        // D is the destination: it acknowledges explicitly (3.2).
        assert_eq!(world.count(C, EventKind::ExplicitAcknowledgment), 2);
        assert!(world.sent().iter().all(|sent| sent.from == 3 || sent.kind == Kind::Data));
    }
}

#[test]
fn figure_2b_lost_data_is_repeated_after_the_timeout() {
    let world = finish(chain(&basic(), loses_first(A, B)), 2);
    assert_eq!(first_packet(&world), [(A, Kind::Data), (A, Kind::Data), (B, Kind::Data)]);
    assert_eq!(world.count(A, EventKind::Timeout), 1);
    assert_eq!(world.count(A, EventKind::Retransmission), 1);
    assert!(pause_of_a(&world, 0) >= packet_time().scaled(2.9));
    assert!(pause_of_a(&world, 0) <= packet_time().scaled(3.1) + Duration::from_millis(1));
}

#[test]
fn figure_2c_a_lost_implicit_acknowledgment_is_made_up_for_by_an_ack() {
    let world = finish(chain(&basic(), loses_first(B, A)), 2);
    let expected = [(A, Kind::Data), (B, Kind::Data), (A, Kind::Data), (B, Kind::Ack)];
    assert_eq!(first_packet(&world), expected);
    assert_eq!(world.count(A, EventKind::ExplicitAcknowledgment), 1);
}

#[test]
fn figure_2d_after_an_early_timeout_the_duplicate_is_ignored() {
    let mut world = chain(&basic(), |_, _| false);
    world.net.hold(B, Time::ZERO + packet_time() * 6);
    let world = finish(world, 2);
    assert_eq!(first_packet(&world), [(A, Kind::Data), (A, Kind::Data), (B, Kind::Data)]);
    assert_eq!(world.count(B, EventKind::DuplicateIgnored), 1);
    assert_eq!(world.count(A, EventKind::ImplicitAcknowledgment), 2);
}

#[test]
fn figure_5b_lost_data_is_repeated_after_rfa_and_nack() {
    let world = finish(chain(&params(&[]), loses_first(A, B)), 2);
    let expected =
        [(A, Kind::Data), (A, Kind::Rfa), (B, Kind::Nack), (A, Kind::Data), (B, Kind::Data)];
    assert_eq!(first_packet(&world), expected);
    assert!(pause_of_a(&world, 0) >= packet_time().scaled(2.9));
    assert!(pause_of_a(&world, 1) < packet_time(), "after a NACK at once");
    assert_eq!(world.count(A, EventKind::NegativeAcknowledgment), 1);
    assert_eq!(world.count(A, EventKind::Retransmission), 2);
}

#[test]
fn figure_5c_a_lost_implicit_acknowledgment_is_made_up_for_after_an_rfa() {
    let world = finish(chain(&params(&[]), loses_first(B, A)), 2);
    let expected = [(A, Kind::Data), (B, Kind::Data), (A, Kind::Rfa), (B, Kind::Ack)];
    assert_eq!(first_packet(&world), expected);
    assert_eq!(world.count(A, EventKind::ExplicitAcknowledgment), 1);
}

#[test]
fn figure_5d_after_an_early_timeout_the_rfa_is_ignored() {
    let mut world = chain(&params(&[]), |_, _| false);
    world.net.hold(B, Time::ZERO + packet_time() * 6);
    let world = finish(world, 2);
    assert_eq!(first_packet(&world), [(A, Kind::Data), (A, Kind::Rfa), (B, Kind::Data)]);
    assert_eq!(world.count(B, EventKind::DuplicateIgnored), 1);
}

/// 5.2: "for an upstream node an overheard RFA packet can serve as an implicit acknowledgment".
#[test]
fn an_overheard_rfa_acknowledges() {
    let mut world = chain(&params(&[]), loses_first(B, A));
    // C cannot forward, so B asks C before A has been answered.
    world.net.hold(C, Time::ZERO + packet_time() * 12);
    world.net.hold(A, Time::ZERO + packet_time());
    world.net.offer(flow(), 1);
    while !world.sent().iter().any(|sent| sent.from == B && sent.kind == Kind::Rfa) {
        assert!(world.step(second()));
    }
    assert_eq!(world.count(A, EventKind::ImplicitAcknowledgment), 0);
    while world.count(A, EventKind::ImplicitAcknowledgment) == 0 {
        assert!(world.step(Time::ZERO + packet_time() * 12), "the RFA did not acknowledge");
    }
    world.run(second());
    assert_eq!(world.net.remaining(), 0);
}

/// 3.2: "By delaying this acknowledgment if the packet cannot be immediately passed up the
/// protocol stack, an integration with flow control is possible".
#[test]
fn a_slow_application_holds_the_source_back() {
    for params in [basic(), params(&[])] {
        let mut world = World::line(4, &params, 3);
        world.net.sink(flow(), false);
        world.net.offer(flow(), 50);
        world.run(second());
        assert!(world.net.log.delivered(flow()).is_empty());
        // C still has packet 0 outstanding, B therefore packet 1, and A packet 2.
        let highest = world.sent().iter().map(|sent| sent.sequence).max();
        assert_eq!(highest, Some(2), "the back-pressure has to reach the source");
        assert!(world.sent().iter().all(|sent| sent.kind != Kind::Ack));
        world.net.sink(flow(), true);
        world.run(second() + Duration::from_millis(10_000));
        assert_eq!(world.net.log.delivered(flow()), (0..50).collect::<Vec<_>>());
        assert_eq!(world.net.remaining(), 0);
    }
}
