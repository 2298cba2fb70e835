//! HxH 3.4: the transports at both ends of a flow.

use std::ops::{Deref, DerefMut};

use multihop_core::{
    DropCause, EventKind, Message, NodeId, Packet, Payload, RouteNews, Tag, Time, Transport, Value,
};
use multihop_testkit::{EndDesk, message};

use super::bench::{A, D, data, millis, packet, range, through};
use super::params;
use crate::hxh::destination::Destination;
use crate::hxh::source::Source;
use crate::hxh::{Header, Kind, Range, Settings};

/// One end on the desk.
pub struct EndBench<T>(EndDesk<T>);

impl<T> Deref for EndBench<T> {
    type Target = EndDesk<T>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T> DerefMut for EndBench<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<T: Transport> EndBench<T> {
    pub fn new(end: T, me: NodeId) -> Self {
        EndBench(EndDesk::new(me, Box::new(end)))
    }

    pub fn write(&mut self, messages: std::ops::Range<u32>) {
        for number in messages {
            let message = Message { payload: Payload::Virtual(1_024), ..message(0, number) };
            self.call(|end, cx| end.on_message(cx, message));
        }
    }

    pub fn packet(&mut self, packet: Packet) {
        self.call(|end, cx| end.on_packet(cx, packet));
    }

    /// What goes upstream, as it reaches the source.
    pub fn upstream(&mut self, kind: Kind, ack: u32, range: Option<Range>) {
        let header = Header { ack, range, ..Header::new(kind, 0) };
        self.packet(packet(through().reverse(), header));
    }

    pub fn data(&mut self, header: Header) {
        self.packet(packet(through(), header));
    }

    pub fn sent(&mut self) -> Vec<Header> {
        let header = |packet: &Packet| {
            assert_eq!(packet.headers.len(), 40);
            Header::of(packet).expect("an HxH packet")
        };
        self.0.sent().iter().map(header).collect()
    }

    pub fn numbers(&mut self) -> Vec<u32> {
        self.sent().iter().map(|header| header.sequence).collect()
    }
}

pub fn source(given: &[(&str, Value)]) -> EndBench<Source> {
    EndBench::new(Source::new(Settings::new(&params(given)), through()), A)
}

/// A source whose first packet has been acknowledged after 20 ms, with twelve further messages.
fn started() -> EndBench<Source> {
    let mut bench = source(&[]);
    bench.write(0..13);
    assert_eq!(bench.numbers(), [0], "one packet finds the way");
    bench.wait(millis(20));
    bench.upstream(Kind::Ack, 1, None);
    bench
}

pub fn destination(given: &[(&str, Value)]) -> EndBench<Destination> {
    EndBench::new(Destination::new(Settings::new(&params(given)), through()), D)
}

#[test]
fn the_source_asks_for_an_acknowledgment_when_its_buffer_is_empty() {
    let mut bench = source(&[]);
    bench.write(0..3);
    assert!(bench.sent()[0].asks, "one packet alone");
    bench.upstream(Kind::Ack, 1, None);
    let asks: Vec<_> = bench.sent().iter().map(|header| header.asks).collect();
    assert_eq!(asks, [false, true]);
}

#[test]
fn a_source_with_endless_data_has_never_an_empty_buffer() {
    let mut bench = started();
    for _ in 0..10 {
        let mut next = 13;
        while bench.end.wants_message(true) {
            bench.write(next..next + 1);
            next += 1;
        }
        // The node below takes half a queue at most.
        for _ in 0..10 {
            let packet = bench.call(Transport::poll_send).expect("data");
            let header = Header::of(&packet).expect("an HxH packet");
            assert!(!header.asks);
        }
    }
}

#[test]
fn a_nack_is_answered_once_per_round_trip() {
    let mut bench = started();
    assert_eq!(bench.numbers(), (1..13).collect::<Vec<_>>());
    bench.wait(millis(10));
    bench.upstream(Kind::Nack, 1, range(4, 2));
    assert_eq!(bench.numbers(), [0u32; 0], "they are still on their way");
    bench.wait(millis(10));
    bench.upstream(Kind::Nack, 1, range(4, 2));
    assert_eq!(bench.numbers(), [4, 5]);
    assert_eq!(bench.count(EventKind::SegmentRetransmission), 2);
    bench.wait(millis(10));
    bench.upstream(Kind::Nack, 1, range(4, 3));
    assert_eq!(bench.numbers(), [6]);
    bench.wait(millis(20));
    bench.upstream(Kind::Nack, 5, range(4, 2));
    assert_eq!(bench.numbers(), [5], "packet 4 has arrived meanwhile");
}

#[test]
fn nobody_makes_the_source_send_what_it_never_had() {
    let mut bench = started();
    bench.numbers();
    bench.wait(millis(50));
    bench.upstream(Kind::Nack, 1, range(10, 60_000));
    assert_eq!(bench.numbers(), [10, 11, 12]);
    bench.upstream(Kind::Ack, 14, None);
    bench.data(data(3));
    bench.packet(Packet::new(through().reverse(), Payload::Virtual(0), Tag::NONE));
    assert_eq!(bench.dropped(), [DropCause::Malformed; 3]);
    assert_eq!(bench.end.backlog(), 12);
}

#[test]
fn the_timer_sends_the_first_missing_packet_again_and_asks() {
    let mut bench = started();
    bench.numbers();
    assert_eq!(bench.end.deadline(), bench.now + millis(200));
    bench.wait(millis(200));
    let sent = bench.sent();
    assert_eq!((sent[0].sequence, sent[0].asks, sent.len()), (1, true, 1));
    assert_eq!(bench.count(EventKind::RetransmissionTimeout), 1);
    assert_eq!(bench.end.deadline(), bench.now + millis(400), "RFC 6298, 5.5");
    bench.upstream(Kind::Ack, 13, None);
    assert_eq!((bench.end.deadline(), bench.end.backlog()), (Time::NEVER, 0));
}

#[test]
fn when_the_way_is_open_again_what_was_sent_before_counts_as_lost() {
    let mut bench = started();
    assert_eq!(bench.numbers().len(), 12);
    bench.wait(millis(200));
    assert_eq!(bench.numbers(), [1]);
    bench.write(13..14);
    assert_eq!(bench.numbers(), [13]);
    bench.wait(millis(20));
    bench.upstream(Kind::Ack, 2, None);
    assert_eq!(bench.numbers(), (2..13).collect::<Vec<_>>(), "13 was sent after the timeout");
    assert_eq!(bench.end.deadline(), bench.now + millis(200), "the backoff is over");
    bench.upstream(Kind::Ack, 5, None);
    assert_eq!(bench.numbers(), [0u32; 0], "once");
}

#[test]
fn while_there_is_data_to_show_the_gaps_only_the_first_packet_is_sent_again() {
    let mut bench = started();
    bench.numbers();
    bench.wait(millis(200));
    assert_eq!(bench.numbers(), [1]);
    bench.write(13..15);
    bench.upstream(Kind::Ack, 2, None);
    assert_eq!(bench.numbers(), [13, 14]);
}

#[test]
fn the_window_bounds_what_is_not_acknowledged() {
    let mut bench = source(&[("window_limit", Value::Number(4.0))]);
    bench.write(0..20);
    assert_eq!(bench.numbers(), [0]);
    bench.upstream(Kind::Ack, 1, None);
    assert_eq!(bench.numbers(), [1, 2, 3, 4]);
    bench.upstream(Kind::Ack, 3, None);
    assert_eq!(bench.numbers(), [5, 6]);
}

#[test]
fn after_a_lost_route_one_packet_finds_the_new_one() {
    let mut bench = started();
    bench.numbers();
    bench.call(|end, cx| end.on_route(cx, RouteNews::Lost(D)));
    bench.write(13..16);
    assert_eq!(bench.numbers(), [0u32; 0]);
    bench.upstream(Kind::Ack, 13, None);
    assert_eq!(bench.numbers(), [13, 14, 15]);
}

#[test]
fn the_destination_delivers_in_order_and_once() {
    let mut bench = destination(&[]);
    for sequence in [0, 2, 3, 2, 1, 0, 4] {
        bench.data(data(sequence));
    }
    assert_eq!(bench.delivered(), [0, 1, 2, 3, 4]);
    assert_eq!(bench.dropped(), [DropCause::Duplicate; 2]);
    assert_eq!(bench.end.backlog(), 0);
}

#[test]
fn the_destination_nacks_what_nobody_has_nacked_and_repeats_all() {
    let mut bench = destination(&[]);
    bench.data(data(2));
    let sent = bench.sent();
    assert_eq!(sent.len(), 1);
    assert_eq!((sent[0].kind, sent[0].range), (Kind::Nack, range(0, 2)), "its history begins at 0");
    bench.data(Header { range: range(3, 2), ..data(5) });
    assert_eq!(bench.sent(), []);
    // Both NACKs are lost.
    bench.wait(millis(200));
    let repeated: Vec<_> = bench.sent().iter().map(|header| header.range).collect();
    assert_eq!(repeated, [range(0, 2), range(3, 2)]);
    for sequence in [0, 1, 3, 4] {
        bench.data(data(sequence));
    }
    assert_eq!((bench.end.deadline(), bench.delivered().len()), (Time::NEVER, 6));
}

#[test]
fn a_request_is_answered_with_what_has_arrived() {
    let mut bench = destination(&[]);
    bench.data(data(0));
    assert_eq!(bench.sent(), []);
    bench.data(Header { asks: true, ..data(1) });
    let ack = Header { ack: 2, ..Header::new(Kind::Ack, 0) };
    assert_eq!(bench.sent(), [ack]);
    bench.data(Header { asks: true, ..data(2) });
    bench.data(data(3));
    assert_eq!(bench.sent(), [], "at most every 100 ms");
    bench.wait(millis(100));
    assert_eq!(bench.sent(), [Header { ack: 4, ..ack }]);
}

#[test]
fn without_passive_acknowledgments_every_packet_is_acknowledged() {
    let mut bench = destination(&[("passive_acks", Value::Switch(false))]);
    for sequence in 0..5 {
        bench.data(data(sequence));
    }
    let acks: Vec<_> = bench.sent().iter().map(|header| header.ack).collect();
    assert_eq!(acks, [1, 2, 3, 4, 5]);
}

#[test]
fn what_lies_beyond_the_window_is_refused_and_nothing_within_it() {
    let mut bench = destination(&[("window_limit", Value::Number(50.0))]);
    for sequence in 1..50 {
        bench.data(data(sequence));
    }
    assert_eq!((bench.dropped().len(), bench.end.backlog()), (0, 49));
    bench.data(data(50));
    assert_eq!(bench.dropped(), [DropCause::Malformed]);
    bench.data(data(0));
    assert_eq!(bench.delivered().len(), 50);
}
