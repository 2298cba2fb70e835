//! HxH 3.3: figure 3.3, and what happens when nothing is overheard.

use multihop_core::{Heard, Hop, Outcome, Value};

use super::bench::{A, Bench, C, D, data, millis, outward, through};
use crate::hxh::{Header, Kind};

#[test]
fn figure_3_3_sending_takes_a_credit_and_overhearing_gives_it_back() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..3);
    let pool = |bench: &Bench| bench.hop.flows[0].credit.pool();
    assert_eq!(pool(&bench), 10, "half a queue at the start");
    assert_eq!(bench.transmit_all(), [0, 1, 2]);
    assert_eq!(pool(&bench), 7);
    // C passes packet 0 on while it has three: if that fails, seven places are free.
    bench.overhear(0, 7, 0);
    assert_eq!(pool(&bench), 8, "and the one that it leaves");
    bench.overhear(1, 8, 0);
    assert_eq!(pool(&bench), 9);
    bench.overhear(2, 9, 0);
    assert_eq!(pool(&bench), 10, "all credits are back");
}

#[test]
fn one_packet_heard_makes_up_for_all_that_were_missed() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..10);
    assert_eq!(bench.transmit_all().len(), 10);
    bench.receive(data(10));
    assert_eq!(bench.poll(), None, "no credit is left");
    // Packets 0 to 7 were not overheard.
    bench.overhear(8, 8, 0);
    assert_eq!(bench.hop.flows[0].credit.pool(), 9);
    assert_eq!(bench.transmit_all(), [10]);
}

#[test]
fn the_smallest_queue_goes_on_with_every_packet_that_is_heard() {
    let mut bench = Bench::new(&[("queue_limit", Value::Number(2.0))]);
    bench.receive_all(0..1);
    assert_eq!(bench.transmit_all(), [0], "half of the queue is one packet");
    for sequence in 1..20 {
        bench.receive(data(sequence));
        assert_eq!(bench.poll(), None, "C has it, and has no room for another");
        // If this fails, C has no room: only the credit that is added lets the flow go on.
        bench.overhear(sequence - 1, 0, 0);
        assert_eq!(bench.transmit_all(), [sequence]);
    }
}

#[test]
fn a_packet_that_fails_downstream_costs_one_place_of_the_other_half() {
    let mut bench = Bench::new(&[("queue_limit", Value::Number(4.0))]);
    bench.receive_all(0..2);
    assert_eq!(bench.transmit_all(), [0, 1]);
    bench.receive(data(2));
    bench.overhear(0, 0, 0);
    assert_eq!(bench.transmit_all(), [2], "C has three now if it could not pass 0 on");
    bench.receive(data(3));
    // It tries again, and says that it has no room; the credit is not added to what there was.
    bench.overhear(0, 0, 0);
    assert_eq!(bench.hop.flows[0].credit.pool(), 1);
}

#[test]
fn only_the_next_hop_gives_credits() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    bench.transmit_all();
    bench.hear(through(), D, Heard::Overheard, Header { buffer: 3, ..data(0) });
    assert_eq!(bench.hop.flows[0].credit.pool(), 9);
    bench.hear(outward(), C, Heard::Overheard, Header { buffer: 3, ..data(0) });
    assert_eq!(bench.hop.flows[0].credit.pool(), 9, "another flow");
}

#[test]
fn acknowledgments_that_pass_carry_the_buffer_state() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    bench.transmit_all();
    bench.pass_upstream(Header { buffer: 4, ack: 1, ..Header::new(Kind::Ack, 0) });
    assert_eq!(bench.hop.flows[0].credit.pool(), 4);
    bench.receive_all(1..4);
    // It tells A what B has room for: ten less three.
    let (flow, to, header) = bench.transmit().expect("the acknowledgment waits");
    let (flow, to, header) = if header.kind == Kind::Ack {
        (flow, to, header)
    } else {
        std::iter::from_fn(|| bench.transmit()).find(|(.., h)| h.kind == Kind::Ack).expect("an ACK")
    };
    assert_eq!((flow, to), (through().reverse(), A));
    assert!((7..=10).contains(&header.buffer), "{header:?}");
}

#[test]
fn half_of_the_queue_is_advertised_and_the_other_half_takes_what_timers_send() {
    let mut bench = Bench::new(&[("queue_limit", Value::Number(8.0))]);
    let buffer = |bench: &mut Bench| bench.transmit().expect("B has credits").2.buffer;
    bench.receive_all(0..3);
    // Four are free at first, and three are here, with the one that is being sent.
    assert_eq!(buffer(&mut bench), 1);
    assert_eq!(buffer(&mut bench), 2);
    bench.receive_all(3..10);
    assert_eq!(buffer(&mut bench), 0, "eight are here");
    bench.receive_all(10..11);
    assert!(bench.dropped().is_empty(), "the eighth");
    bench.receive_all(11..12);
    assert_eq!(bench.dropped().len(), 1, "the ninth");
    assert_eq!(bench.hop.backlog(), 8);
}

#[test]
fn the_last_hop_needs_no_credits() {
    let mut bench = Bench::new(&[]);
    for sequence in 0..40 {
        bench.hear(through(), A, Heard::ForMe, data(sequence));
        bench.enqueue(through(), data(sequence), D);
        assert_eq!(bench.transmit_all(), [sequence]);
    }
}

/// A flow at B that has spent its credits, after C was overheard every 10 ms.
fn stopped() -> Bench {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    bench.transmit_all();
    bench.overhear(0, 5, 0);
    bench.wait(millis(10));
    bench.receive(data(2));
    bench.overhear(1, 0, 0);
    let request = bench.poll().expect("the credit for packet 1");
    bench.done(request, Outcome::Acknowledged, 0);
    bench.receive_all(3..6);
    assert_eq!(bench.poll(), None);
    bench
}

#[test]
fn a_stopped_flow_sends_one_packet_after_five_average_delays() {
    let mut bench = stopped();
    let start = bench.now;
    assert_eq!(bench.hop.deadline(), start + millis(50));
    bench.wait(millis(49));
    assert_eq!(bench.poll(), None);
    bench.wait(millis(1));
    assert_eq!(bench.transmit_all(), [3], "one packet, and no more");
    let again = bench.now;
    assert_eq!(bench.hop.deadline(), again + millis(50), "the waiting starts again");
    bench.wait(millis(50));
    assert_eq!(bench.transmit_all(), [4]);
    // The delay of 101 ms counts for an eighth.
    bench.wait(millis(1));
    let delay = bench.now.since(start).nanos();
    bench.overhear(2, 0, 0);
    let request = bench.poll().expect("the credit for packet 2");
    bench.done(request, Outcome::Acknowledged, 0);
    bench.receive(data(6));
    let mean = millis(10).nanos() * 7 / 8 + delay / 8;
    assert_eq!(bench.hop.deadline().since(bench.now).nanos() / 10, mean * 5 / 10);
}

#[test]
fn a_stopped_flow_whose_packet_fails_waits_again() {
    let mut bench = stopped();
    bench.wait(millis(50));
    assert!(bench.fail().is_some());
    assert_eq!(bench.poll(), None);
    assert_eq!(bench.hop.deadline(), bench.now + millis(50));
}

#[test]
fn before_the_next_hop_was_heard_the_own_time_in_the_mac_counts() {
    let mut bench = Bench::new(&[("queue_limit", Value::Number(2.0))]);
    bench.receive_all(0..1);
    // One credit, and a millisecond in the MAC.
    assert_eq!(bench.transmit_all(), [0]);
    bench.receive_all(1..2);
    assert_eq!(bench.poll(), None);
    assert_eq!(bench.hop.deadline(), bench.now + millis(5));
}

#[test]
fn a_new_next_hop_starts_with_half_a_queue() {
    let mut bench = stopped();
    bench.receive_all(6..8);
    assert_eq!(bench.poll(), None);
    bench.hear(through(), A, Heard::ForMe, data(8));
    bench.enqueue(through(), data(8), multihop_core::NodeId(9));
    let request = bench.poll().expect("the new neighbour has room");
    assert_eq!(super::bench::describe(&request).2.sequence, 3);
    bench.done(request, Outcome::Acknowledged, 0);
}
