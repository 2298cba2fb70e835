//! Rule 9: first packets first.

use multihop_core::{Duration, FlowId, Heard, HopStep, NodeId, Outcome, Time, Value};
use multihop_schemes::wake::Header;
use multihop_testkit::packet;

use crate::bench::*;

/// Which of the packets that the source hands down say that they go first, each as soon as the last one is gone.
fn firsts(bench: &mut Bench, numbers: std::ops::Range<u32>) -> Vec<bool> {
    let mut goes_first = |number| {
        bench.give(own(), number);
        let waits = bench.0.hop.deadline();
        bench.0.now = if waits == Time::NEVER { bench.0.now } else { bench.0.now.max(waits) };
        Header::of(&bench.send()).expect("readable").goes_first
    };
    numbers.map(&mut goes_first).collect()
}

#[test]
fn the_first_three_packets_after_a_silence_of_500_ms_go_first() {
    let mut bench = Bench::with(&[]);
    assert_eq!(firsts(&mut bench, 0..5), [true, true, true, false, false], "of the flow");
    bench.0.wait(Duration::from_millis(499));
    assert_eq!(firsts(&mut bench, 5..6), [false]);
    bench.0.wait(Duration::from_millis(500));
    assert_eq!(firsts(&mut bench, 6..10), [true, true, true, false]);
    let mut bench = Bench::with(&[("first_packets", Value::Count(1))]);
    assert_eq!(firsts(&mut bench, 0..2), [true, false]);
    assert_eq!(firsts(&mut Bench::new(&[]), 0..1), [false], "without the rule");
}

#[test]
fn the_very_first_packet_is_not_held_on_its_way() {
    for (mut bench, held) in [(Bench::with(&[]), false), (Bench::new(&[]), true)] {
        bench.give(own(), 0);
        assert_eq!(Header::of(&bench.send()).expect("readable").in_wave, held);
    }
}

#[test]
fn a_source_that_was_held_back_was_not_silent() {
    let mut bench = Bench::with(&[]);
    assert_eq!(firsts(&mut bench, 0..4), [true, true, true, false]);
    bench.learn(own(), 7, Duration::from_millis(700));
    assert_eq!(firsts(&mut bench, 4..7), [false; 3], "by its period");
    let sent = bench.0.now;
    bench.give(own(), 7);
    bench.0.wait(Duration::from_millis(700));
    let request = bench.0.poll().expect("it may go");
    bench.end(request, Outcome::Failed);
    bench.0.wait(Duration::from_millis(700));
    let tried = bench.0.poll().expect("it is tried on");
    assert!(!Header::of(&tried.packet).expect("readable").goes_first, "by a failure");
    bench.end(tried, Outcome::Acknowledged);
    assert!(bench.0.now.since(sent) > Duration::from_millis(1_000));
    assert_eq!(firsts(&mut bench, 8..9), [false]);
    // Its packet comes back from a search for another route.
    bench.give(own(), 9);
    bench.0.call(|hop, cx| hop.on_neighbour_lost(cx, NEXT));
    let Some(HopStep::Reroute(searched)) = bench.step() else { panic!("it is searched for") };
    bench.0.wait(Duration::from_millis(600));
    bench.0.enqueue(searched, NEXT);
    bench.0.wait(Duration::from_millis(700));
    assert!(!Header::of(&bench.send()).expect("readable").goes_first, "by a search");
}

#[test]
fn other_flows_keep_clear_of_a_packet_that_goes_first() {
    let clear = (HOP + HOLD) * 4;
    let first = FlowId::between(FIRST, NodeId(9));
    for (given, flow, waits) in [
        (vec![], through(), clear),
        (vec![], first, HOLD),
        (vec![("first_clearance", Value::Number(7.0))], through(), (HOP + HOLD) * 7),
    ] {
        let mut bench = Bench::with(&given);
        bench.give(flow, 1);
        let says = Header { goes_first: true, ..header(1) };
        bench.0.hear(&frame(BEFORE, Heard::Overheard, first, says));
        assert_eq!(bench.waits(), waits, "{flow}");
    }
    // It is passed on, too, and says so on its way.
    let mut bench = Bench::with(&[]);
    let mut packet = packet(first, 1);
    packet.ttl -= 1;
    Header { goes_first: true, ..header(1) }.write(&mut packet);
    bench.0.enqueue(packet, NEXT);
    bench.0.wait(HOLD);
    let request = bench.0.poll().expect("it may go");
    assert!(Header::of(&request.packet).expect("readable").goes_first);
    bench.give(through(), 2);
    bench.0.now += HOP;
    bench.end(request, Outcome::Acknowledged);
    assert_eq!(bench.waits(), clear);
}
