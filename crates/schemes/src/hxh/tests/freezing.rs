//! HxH 3.2.3: flows without a route.

use multihop_core::{DropCause, Failed, Hop, HopStep, RouteNews};

use super::bench::{A, Bench, C, D, data, millis, outward, range, through};
use crate::hxh::{Header, Kind};

const LOST: RouteNews = RouteNews::Lost(D);
const FOUND: RouteNews = RouteNews::Found { destination: D, hops: 1 };

#[test]
fn a_relay_freezes_until_a_packet_comes_and_has_a_route() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    bench.news(LOST);
    assert_eq!(bench.poll(), None);
    assert_eq!(bench.step(), None, "a relay does not search");
    bench.news(FOUND);
    assert_eq!(bench.poll(), None, "a packet must come first");
    bench.receive(data(2));
    assert_eq!(bench.transmit_all(), [0, 1, 2]);
}

#[test]
fn a_packet_that_is_here_already_thaws_its_flow_too() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    bench.news(LOST);
    bench.receive(data(1));
    assert_eq!(bench.dropped(), [DropCause::Duplicate]);
    assert_eq!(bench.transmit_all(), [0, 1]);
}

#[test]
fn a_packet_that_comes_too_early_is_kept_while_there_is_room() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    bench.news(LOST);
    for sequence in 2..20 {
        bench.unroutable(through(), data(sequence));
        assert!(bench.dropped().is_empty(), "{sequence}");
    }
    bench.unroutable(through(), data(20));
    assert_eq!(bench.dropped(), [DropCause::QueueFull]);
    assert_eq!((bench.hop.backlog(), bench.poll()), (20, None));
}

#[test]
fn a_failed_packet_is_put_back_and_routing_told() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    assert_eq!(bench.fail(), Some(Failed::Kept(D)));
    bench.news(LOST);
    assert_eq!((bench.hop.backlog(), bench.poll()), (2, None));
    // With fixed routes nobody says that the route is lost, and the packet has its turn again.
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    assert_eq!(bench.fail(), Some(Failed::Kept(D)));
    assert_eq!(bench.transmit_all(), [0, 1]);
}

/// A source that has handed its first packet to routing.
fn searching() -> Bench {
    let mut bench = Bench::new(&[]);
    for sequence in 0..3 {
        bench.enqueue(outward(), data(sequence), C);
    }
    bench.news(LOST);
    let Some(HopStep::Reroute(packet)) = bench.step() else { panic!("a source searches") };
    assert_eq!(Header::of(&packet), Ok(data(0)));
    assert_eq!((bench.step(), bench.hop.backlog()), (None, 2));
    assert!(!bench.hop.admits(outward()));
    bench
}

#[test]
fn a_source_sends_nothing_before_the_packet_that_routing_has() {
    let mut bench = searching();
    bench.news(FOUND);
    assert!(bench.hop.admits(outward()), "the packet must be able to come back");
    bench.enqueue(outward(), data(3), C);
    assert_eq!(bench.poll(), None, "it would overtake packet 0");
    bench.enqueue(outward(), data(0), C);
    assert_eq!(bench.transmit_all(), [0, 1, 2, 3]);
}

#[test]
fn a_packet_that_routing_lost_is_replaced_by_the_next() {
    let mut bench = searching();
    bench.wait(millis(1_999));
    assert_eq!(bench.step(), None);
    bench.wait(millis(1));
    let Some(HopStep::Reroute(packet)) = bench.step() else { panic!("it asks again") };
    assert_eq!(Header::of(&packet), Ok(data(1)));
}

#[test]
fn routes_to_others_do_not_matter() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    bench.news(RouteNews::Lost(A));
    assert_eq!(bench.transmit_all(), [0]);
}

#[test]
fn what_fails_on_its_way_upstream_asks_for_another_way() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    bench.transmit_all();
    let nack = Header { range: range(3, 1), ..Header::new(Kind::Nack, 0) };
    bench.pass_upstream(nack);
    assert_eq!(bench.fail(), Some(Failed::Kept(A)));
    assert_eq!(bench.poll(), None);
    let Some(HopStep::Reroute(packet)) = bench.step() else { panic!("it wants a way") };
    assert_eq!(bench.hop.way(&packet), None, "routing decides");
    assert_eq!((bench.step(), bench.hop.backlog()), (None, 0));
    bench.unroutable(through().reverse(), nack);
    assert_eq!(bench.dropped(), [DropCause::NoRoute]);
}

/// Data in a flow of acknowledgments: nobody sends it, and it would be kept and asked for without end.
#[test]
fn what_goes_the_wrong_way_is_not_kept() {
    let mut bench = Bench::new(&[]);
    bench.unroutable(through().reverse(), data(0));
    assert_eq!(bench.dropped(), [DropCause::NoRoute]);
    assert_eq!((bench.step(), bench.hop.backlog()), (None, 0));
}
