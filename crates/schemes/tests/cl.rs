//! CL and UDP with acknowledgments: the rate of the route's length, and an answer for every packet.

use multihop_core::{
    Bytes, DropCause, Duration, Effect, End, FlowId, Gauge, LinkTiming, Message, NodeId, Packet,
    Params, Payload, Rate, RouteNews, Scheme, Tag, Time, Transport, Value,
};
use multihop_schemes::cl::{self, Rates};
use multihop_schemes::parts::acknowledged;
use multihop_schemes::udp_ack;
use multihop_testkit::Desk;

const FLOW: FlowId = FlowId::between(NodeId(0), NodeId(7));
const PAYLOAD: Bytes = Bytes(1_000);

fn params(scheme: &'static Scheme, given: &[(&str, Value)]) -> Params {
    let given: Vec<_> =
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let params = Params::new(scheme, &given, Rate(1_000_000)).expect("valid parameters");
    // 802.11 at 1 Mbit/s with RTS/CTS, MAC header included
    let link = LinkTiming { overhead: Duration::from_micros(1_804), ..params.link };
    Params { link, ..params }
}

/// An end, called by hand.
struct Bench {
    desk: Desk,
    end: Box<dyn Transport>,
    written: u32,
}

impl Bench {
    fn new(scheme: &'static Scheme, end: End, given: &[(&str, Value)]) -> Self {
        let me = if end == End::Source { FLOW.source } else { FLOW.destination };
        let end = (scheme.transport)(&params(scheme, given), FLOW, end);
        Bench { desk: Desk::new(me), end, written: 0 }
    }

    fn cl(given: &[(&str, Value)]) -> Self {
        let table: [f64; 3] = [100.0, 50.0, 25.0];
        let rates = ("rates", Value::Table(Some(table.as_slice().into())));
        Bench::new(&cl::SCHEME, End::Source, &[&[rates], given].concat())
    }

    fn news(&mut self, news: RouteNews) {
        self.end.on_route(&mut self.desk.cx, news);
    }

    fn found(&mut self, hops: u32) {
        self.news(RouteNews::Found { destination: FLOW.destination, hops });
    }

    /// The application writes its next message.
    fn write(&mut self) {
        let tag = Tag { source: 0, number: self.written };
        let message = Message { payload: Payload::Virtual(PAYLOAD.0), tag };
        self.end.on_message(&mut self.desk.cx, message);
        self.written += 1;
    }

    /// An endless source writes, and the node takes what it gets.
    fn send(&mut self) -> Option<Packet> {
        while self.end.wants_message(true) {
            self.write();
        }
        self.end.poll_send(&mut self.desk.cx)
    }

    /// When packets go until `until`, in ms.
    fn times(&mut self, until: u64) -> Vec<u64> {
        let until = Time::ZERO + Duration::from_millis(until);
        let mut times = Vec::new();
        loop {
            while self.send().is_some() {
                times.push(self.desk.now.nanos() / 1_000_000);
            }
            let deadline = self.end.deadline();
            assert!(deadline > self.desk.now, "it waits for what was");
            if deadline > until {
                self.desk.now = until;
                return times;
            }
            self.desk.now = deadline;
            self.end.on_deadline(&mut self.desk.cx);
        }
    }
}

#[test]
fn packets_go_at_the_rate_of_the_route_s_length() {
    let mut bench = Bench::cl(&[]);
    bench.found(2);
    assert_eq!(bench.times(100), [0, 20, 40, 60, 80, 100]);
    bench.news(RouteNews::Changed { destination: FLOW.destination, hops: 1 });
    assert_eq!(bench.times(130), [110, 120, 130]);
}

#[test]
fn longer_routes_have_the_rate_of_the_longest_that_is_known() {
    let mut bench = Bench::cl(&[]);
    bench.found(12);
    assert_eq!(bench.times(80), [0, 40, 80]);
}

#[test]
fn a_route_that_changes_often_lets_no_packets_through_besides() {
    let mut bench = Bench::cl(&[]);
    bench.found(2);
    let mut times = Vec::new();
    for at in (0..200).step_by(5) {
        let hops = 2 + u32::from(at % 10 == 0);
        bench.news(RouteNews::Changed { destination: FLOW.destination, hops });
        times.extend(bench.times(at + 5));
    }
    assert!(times.len() <= 11, "at most one in 20 ms: {times:?}");
}

#[test]
fn without_a_route_it_probes() {
    let mut bench = Bench::cl(&[("probe_interval", Value::Span(Duration::from_millis(300)))]);
    assert_eq!(bench.times(700), [0, 300, 600]);
    bench.found(1);
    assert_eq!(bench.times(720), [700, 710, 720], "the last one went long ago");
    bench.news(RouteNews::Lost(FLOW.destination));
    assert_eq!(bench.times(1_400), [730, 1_030, 1_330], "the next one asks for a route");
}

#[test]
fn or_it_stops_after_the_packet_that_asks_for_the_first_route() {
    let mut bench = Bench::cl(&[("without_route", Value::Choice(1))]);
    assert_eq!(bench.times(5_000), [0]);
    bench.found(1);
    assert_eq!(bench.times(5_010), [5_000, 5_010], "the last one went long ago");
    bench.news(RouteNews::Lost(FLOW.destination));
    assert!(bench.times(60_000).is_empty());
    assert_eq!(bench.end.backlog(), 1, "one message waits");
}

#[test]
fn an_application_that_is_faster_than_the_route_finds_the_buffer_full() {
    let mut bench = Bench::cl(&[]);
    (0..60).for_each(|_| bench.write());
    assert_eq!(bench.desk.dropped(), [DropCause::SourceBufferFull; 10]);
    bench.found(1);
    assert_eq!(bench.times(1_000).len(), 101, "50, and what the source has then");
}

#[test]
fn the_analytic_rate_is_one_packet_within_the_reuse_distance() {
    let data = Bytes(20) + PAYLOAD;
    let hop = Duration::from_micros(1_804 + 8_160);
    let alone = Rates::analytic(&params(&cl::SCHEME, &[]), None);
    for (hops, times) in [(0, 1), (1, 1), (3, 3), (4, 4), (12, 4)] {
        assert_eq!(alone.interval(hops, data), hop * times, "{hops} hops");
    }
    let back = Duration::from_micros(1_804 + 8 * 120);
    let answered = Rates::analytic(&params(&cl::SCHEME, &[]), Some(100));
    assert_eq!(answered.interval(2, data), (hop + back) * 2);
    let two = Rates::analytic(&params(&cl::SCHEME, &[("reuse", Value::Count(2))]), None);
    assert_eq!(two.interval(5, data), hop * 2);
}

#[test]
fn without_a_table_the_analytic_rate_holds() {
    let mut bench = Bench::new(&cl::SCHEME, End::Source, &[]);
    bench.found(6);
    assert_eq!(bench.times(80), [0, 39, 79]);
}

// ---- acknowledgments ------------------------------------------------------------------------------

fn answered(sent: &Packet) -> Packet {
    let mut far = Bench::new(&udp_ack::SCHEME, End::Destination, &[]);
    far.end.on_packet(&mut far.desk.cx, sent.clone());
    assert_eq!(far.desk.delivered(), [sent.tag.number]);
    far.end.poll_send(&mut far.desk.cx).expect("an answer")
}

fn acknowledged(desk: &Desk) -> usize {
    let one = Effect::Gauge(FLOW, Gauge::Acknowledged(1));
    desk.effects.iter().filter(|effect| **effect == one).count()
}

#[test]
fn every_packet_is_answered_by_one_of_100_bytes() {
    for given in [&[][..], &[("acknowledgment", Value::Count(40))]] {
        let mut near = Bench::new(&udp_ack::SCHEME, End::Source, &[]);
        let sent = near.send().expect("a packet");
        assert_eq!(sent.len(), Bytes(20 + 4 + 1_000));
        let mut far = Bench::new(&udp_ack::SCHEME, End::Destination, given);
        far.end.on_packet(&mut far.desk.cx, sent);
        let answer = far.end.poll_send(&mut far.desk.cx).expect("an answer");
        assert_eq!(answer.len(), Bytes(20 + if given.is_empty() { 100 } else { 40 }));
        assert_eq!(answer.flow, FLOW.reverse());
        assert!(!answer.tag.is_data());
        assert_eq!(far.end.poll_send(&mut far.desk.cx), None);
    }
}

#[test]
fn a_packet_is_acknowledged_once_and_in_any_order() {
    let mut near = Bench::new(&udp_ack::SCHEME, End::Source, &[]);
    let sent: Vec<_> = (0..3).filter_map(|_| near.send()).collect();
    let answers: Vec<_> = sent.iter().map(answered).collect();
    near.desk.now = Time::ZERO + Duration::from_millis(30);
    for answer in [&answers[2], &answers[0], &answers[2], &answers[0]] {
        near.end.on_packet(&mut near.desk.cx, answer.clone());
    }
    assert_eq!(acknowledged(&near.desk), 2);
    assert_eq!(near.desk.dropped(), [DropCause::Duplicate; 2]);
    let round_trip = Gauge::RoundTrip(Duration::from_millis(30));
    assert!(near.desk.effects.contains(&Effect::Gauge(FLOW, round_trip)));
}

#[test]
fn numbers_wrap_around_and_what_is_from_nowhere_counts_for_nothing() {
    let mut near = Bench::new(&udp_ack::SCHEME, End::Source, &[]);
    let first = answered(&near.send().expect("a packet"));
    let mut last = None;
    for _ in 0..70_000 {
        last = near.send();
    }
    near.end.on_packet(&mut near.desk.cx, answered(&last.expect("a packet")));
    assert_eq!(acknowledged(&near.desk), 1);
    near.desk.effects.clear();
    // 4,464 numbers back in this round of numbers: another packet's, and sent long ago
    near.end.on_packet(&mut near.desk.cx, first.clone());
    assert_eq!(acknowledged(&near.desk), 1);
    let mut fresh = Bench::new(&udp_ack::SCHEME, End::Source, &[]);
    fresh.end.on_packet(&mut fresh.desk.cx, first);
    assert_eq!(fresh.desk.dropped(), [DropCause::Duplicate], "nothing was sent");
}

#[test]
fn a_packet_without_a_number_is_malformed() {
    for end in [End::Source, End::Destination] {
        let mut bench = Bench::new(&udp_ack::SCHEME, end, &[]);
        bench.end.on_packet(&mut bench.desk.cx, multihop_testkit::packet(FLOW, 3));
        let mut odd = multihop_testkit::packet(FLOW, 4);
        odd.headers.set(acknowledged::UDP_ACK, &[1, 2, 3]);
        bench.end.on_packet(&mut bench.desk.cx, odd);
        assert_eq!(bench.desk.dropped(), [DropCause::Malformed; 2]);
    }
}

#[test]
fn cl_ack_is_paced_and_answered() {
    let given = [("acknowledge", Value::Switch(true))];
    let mut near = Bench::cl(&given);
    near.found(1);
    let sent = near.send().expect("a packet");
    assert!(acknowledged::carries(&sent) && near.send().is_none());
    near.end.on_packet(&mut near.desk.cx, answered(&sent));
    assert_eq!(acknowledged(&near.desk), 1);
    let plain = Bench::cl(&[]).send().expect("a packet");
    assert!(!acknowledged::carries(&plain), "CL's packets are plain datagrams");
}
