//! Lives of the source and the destination, and numbers that wrap around.

use multihop_core::{DropCause, Heard, Numbering, Outcome, Serial, Transport, Verdict};

use super::bench::{A, Bench, C, data, millis, range, through};
use super::ends::{destination, source};
use crate::hxh::{Header, Kind};

/// Packet `sequence` of a flow whose source is in its second life, when all before `ack` is known to
/// have arrived.
fn second_life(sequence: u32, ack: u32) -> Header {
    Header { ack, incarnation: 1, ..data(sequence) }
}

#[test]
fn a_relay_forgets_what_the_life_before_has_sent() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..3);
    let new = second_life(0, 0);
    assert_eq!(bench.hear(through(), A, Heard::ForMe, new), Verdict::Accept);
    assert_eq!(bench.dropped(), [DropCause::Restarted; 3]);
    bench.enqueue(through(), new, C);
    // What is still under way of the old life counts for nothing.
    assert_eq!(bench.hear(through(), A, Heard::ForMe, data(3)), Verdict::Done);
    let sent: Vec<_> = std::iter::from_fn(|| bench.transmit()).collect();
    assert_eq!(sent.len(), 1);
    assert_eq!((sent[0].2.sequence, sent[0].2.incarnation), (0, 1));
}

#[test]
fn an_old_packet_that_the_mac_could_not_send_is_given_up() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    let old = bench.poll().expect("there is a packet");
    bench.receive(second_life(0, 0));
    assert_eq!(bench.done(old, Outcome::Failed, 7), None);
    assert_eq!(bench.dropped(), [DropCause::Restarted]);
}

#[test]
fn a_destination_begins_anew_with_another_life_of_the_source() {
    let mut bench = destination(&[]);
    for sequence in [0, 1, 3] {
        bench.data(data(sequence));
    }
    bench.data(second_life(0, 0));
    assert_eq!(bench.delivered(), [0, 1, 0], "once for each life");
    assert_eq!(bench.dropped(), [DropCause::Restarted], "what waited behind the gap");
    bench.data(data(2));
    assert_eq!(bench.dropped(), [DropCause::Restarted; 2], "that life is over");
    bench.data(second_life(1, 0));
    assert_eq!(bench.delivered(), [0, 1, 0, 1]);
}

#[test]
fn a_source_does_not_believe_what_is_about_another_life() {
    let mut bench = source(&[]);
    bench.incarnation = 1;
    bench.write(0..2);
    assert_eq!(bench.sent()[0].incarnation, 1);
    bench.upstream(Kind::Ack, 1, None);
    assert_eq!((bench.numbers(), bench.dropped()), (vec![], vec![DropCause::Restarted]));
}

#[test]
fn a_destination_goes_on_where_its_life_before_was() {
    let mut bench = destination(&[]);
    bench.incarnation = 1;
    // The second packet shows that the life before had more than the first could say.
    bench.data(Header { ack: 7, ..data(9) });
    bench.data(Header { ack: 9, ..data(10) });
    assert_eq!(bench.delivered(), [9, 10]);
    let asked: Vec<_> = bench.sent().iter().filter_map(|header| header.range).collect();
    assert_eq!(asked, [range(7, 2).expect("two")], "as far as was known");
}

#[test]
fn a_destination_answers_what_its_life_before_has_acknowledged() {
    let mut bench = destination(&[]);
    bench.incarnation = 1;
    bench.data(Header { ack: 2, ..data(2) });
    // The source has not heard of it, and asks.
    bench.data(Header { ack: 0, asks: true, ..data(0) });
    assert_eq!((bench.delivered(), bench.dropped()), (vec![2], vec![DropCause::Duplicate]));
    let answer = bench.sent()[0];
    assert_eq!((answer.kind, answer.ack), (Kind::Ack, 3));
}

#[test]
fn what_a_destination_holds_is_delivered_although_it_counts_as_arrived() {
    let mut bench = destination(&[]);
    bench.incarnation = 1;
    // The life before has taken packets 0 and 1. The last hop counts on over 2, which has come here.
    bench.data(data(2));
    bench.data(Header { ack: 3, ..data(3) });
    assert_eq!((bench.delivered(), bench.dropped()), (vec![2, 3], vec![]));
}

#[test]
fn numbers_wrap_around_between_the_ends() {
    let first = u32::MAX - 2;
    let (mut sender, mut receiver) = (source(&[]), destination(&[]));
    sender.end.numbering = Numbering::from(Serial(first));
    sender.write(0..9);
    let mut lost = false;
    for _ in 0..12 {
        for header in sender.sent() {
            // The number before the end of the circle is lost once.
            if header.sequence == u32::MAX && !core::mem::replace(&mut lost, true) {
                continue;
            }
            receiver.data(header);
        }
        receiver.wait(millis(50));
        for header in receiver.sent() {
            sender.upstream(header.kind, header.ack, header.range);
        }
        sender.wait(millis(50));
    }
    let expected: Vec<u32> = (0..9).map(|n| first.wrapping_add(n)).collect();
    assert_eq!(receiver.delivered(), expected);
    assert_eq!(sender.end.backlog(), 0, "all is acknowledged");
}

#[test]
fn a_relay_sees_a_gap_across_the_end_of_the_circle() {
    let mut bench = Bench::new(&[]);
    let known = |sequence| Header { ack: u32::MAX - 1, ..data(sequence) };
    bench.receive(known(u32::MAX - 1));
    bench.receive(known(2));
    bench.receive(known(u32::MAX));
    let sent: Vec<_> = std::iter::from_fn(|| bench.transmit()).map(|(.., header)| header).collect();
    let nack = sent.iter().find(|header| header.kind == Kind::Nack).and_then(|nack| nack.range);
    assert_eq!(nack.map(|range| (range.first, range.len)), Some((u32::MAX, 3)));
    let data = sent.iter().filter(|header| header.kind == Kind::Data);
    let order: Vec<u32> = data.map(|header| header.sequence).collect();
    assert_eq!(order, [u32::MAX - 1, u32::MAX, 2]);
}
