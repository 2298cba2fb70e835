//! XCP 3.5; WXCP 3.2, 3.3: stations, by hand.

use multihop_core::{
    Duration, EventKind, FlowId, Heard, Hop, NodeId, Outcome, Packet, Params, Payload, Rate,
    RouteNews, Scheme, Tag, Time, Value,
};
use multihop_schemes::parts::explicit::header::{FlowState, PathHeader, XCP_PATH};
use multihop_schemes::{wxcp, xcp};
use multihop_testkit::{HopDesk, heard};
use proptest::prelude::*;

const NEXT: NodeId = NodeId(1);
const OTHER: NodeId = NodeId(2);

/// 1,000 bytes: with headers of 20 bytes each for the network and the path.
const PAYLOAD: u32 = 960;

struct Bench(HopDesk<dyn Hop>);

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A packet of a flow with a window of two packets and this round trip; whatever is wished.
fn packet(round_trip_ms: u32) -> Packet {
    let flow = FlowId::between(NodeId(0), NodeId(9));
    let mut packet = Packet::new(flow, Payload::Virtual(PAYLOAD), Tag::default());
    let flow = FlowState { round_trip_us: round_trip_ms * 1_000, window: 2_000 };
    PathHeader { flow: Some(flow), feedback: 2_000_000_000, reverse: 0 }.write(&mut packet);
    packet
}

fn feedback(packet: &Packet) -> i32 {
    PathHeader::of(packet).expect("it can be read").expect("there is one").feedback
}

impl Bench {
    fn new(scheme: &'static Scheme, given: &[(&str, Value)]) -> Self {
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        // 250,000 bytes per second
        let params = Params::new(scheme, &given, Rate(2_000_000)).expect("valid");
        Bench(HopDesk::new(NodeId(0), (scheme.hop)(&params)))
    }

    /// `packet` comes and goes to `next` within 10 ms, after so many retries. It as it was sent.
    fn pass(&mut self, packet: Packet, next: NodeId, retries: u32) -> Packet {
        self.0.enqueue(packet, next);
        let request = self.0.poll().expect("a packet waits");
        let sent = request.packet.clone();
        self.0.now += ms(10);
        let mut done = self.0.report(request, Outcome::Acknowledged);
        done.retries = retries;
        assert!(self.0.call(|hop, cx| hop.on_tx_done(cx, &done)).is_none());
        sent
    }

    /// The medium is busy for so long, and the control interval ends.
    fn end_interval(&mut self, busy_ms: u64) {
        self.0.air.sensed += ms(busy_ms);
        self.0.time_out();
    }

    fn hear(&mut self, from: NodeId) {
        self.0.hear(&heard(from, Heard::Overheard, packet(100)));
    }
}

/// Two stations: the first would give more than the second has.
#[test]
fn two_stations_by_hand() {
    let (mut first, mut second) = (Bench::new(&wxcp::SCHEME, &[]), Bench::new(&wxcp::SCHEME, &[]));
    for (bench, heard, busy_ms) in [(&mut first, 1, 20), (&mut second, 3, 30)] {
        assert_eq!(feedback(&bench.pass(packet(100), NEXT, 0)), 0, "nothing is known yet");
        (0..heard).for_each(|node| bench.hear(NodeId(node)));
        assert_eq!(bench.0.hop.deadline(), Time::ZERO + ms(50), "the first interval");
        bench.end_interval(busy_ms);
        assert_eq!(bench.0.hop.deadline(), Time::ZERO + ms(150), "the flow's round trip");
    }
    // bw = 1,000 B / 10 ms. First: of 50 ms the medium is busy for 20, and the MAC has a packet for 10:
    // 20 ms are free, n = 1: Φ = 0.20 · 20 ms · 100 kB/s / 2 = 200 B, for which one packet came. A window
    // has 100/50 times that.
    let sent = first.pass(packet(100), NEXT, 0);
    assert_eq!(feedback(&sent), 400_000);
    // Second: 10 ms free, n = 3: Φ = 50 B.
    let sent = second.pass(sent, NEXT, 0);
    assert_eq!(feedback(&sent), 100_000);
    // The first has nothing left, and neither has the second.
    assert_eq!(feedback(&first.pass(packet(100), NEXT, 0)), 0);
}

/// A packet was in the MAC for 10 of 50 ms, while the medium was free: Φ = 400 B without them, 500 B with.
#[test]
fn the_time_for_which_the_mac_has_a_packet_is_not_free_unless_it_is_asked() {
    for (which, given) in [(0, 800_000), (1, 1_000_000)] {
        let mut bench = Bench::new(&wxcp::SCHEME, &[("own_use", Value::Choice(which))]);
        bench.pass(packet(100), NEXT, 0);
        bench.hear(OTHER);
        bench.end_interval(0);
        assert_eq!(feedback(&bench.pass(packet(100), NEXT, 0)), given, "{which}");
    }
}

#[test]
fn retries_and_a_queue_that_stands_take_away() {
    let mut bench = Bench::new(&wxcp::SCHEME, &[]);
    // three wait, of which one leaves: two of 1,000 bytes stand
    (0..2).for_each(|_| bench.0.enqueue(packet(100), NEXT));
    bench.pass(packet(100), NEXT, 3);
    bench.end_interval(50);
    // the queue stood at nothing when the interval began
    let sent = bench.pass(packet(100), NEXT, 1);
    assert_eq!(feedback(&sent), -402_000, "ζ · 3 = 201 B, twice for the window");
    bench.end_interval(100);
    // two waited all the time: Φ = −0.11 · 2,000 − 67
    let sent = bench.pass(packet(100), NEXT, 0);
    assert_eq!(feedback(&sent), -287_000);
}

/// WXCP 3.3: "the average ALR from successfully transmitted packets ... during last control interval": a
/// packet with which the MAC is busy for longer than an interval is one of that in which it arrives.
#[test]
fn the_retries_of_a_packet_that_takes_the_mac_longer_than_an_interval_count() {
    let mut bench = Bench::new(&wxcp::SCHEME, &[]);
    bench.0.enqueue(packet(50), NEXT);
    let request = bench.0.poll().expect("a packet waits");
    // the interval in which it came, and one in which nothing comes or goes
    bench.end_interval(50);
    bench.end_interval(50);
    assert_ne!(bench.0.hop.deadline(), Time::NEVER, "the MAC has a packet");
    let mut done = bench.0.report(request, Outcome::Acknowledged);
    done.retries = 5;
    assert!(bench.0.call(|hop, cx| hop.on_tx_done(cx, &done)).is_none());
    let sent = bench.pass(packet(50), NEXT, 0);
    assert_eq!(feedback(&sent), 0, "none passed in the interval before");
    // one of two packets was tried again, five times
    bench.end_interval(50);
    assert_eq!(feedback(&bench.pass(packet(50), NEXT, 0)), -167_500, "ζ · 5 / 2");
}

#[test]
fn the_packet_in_the_mac_counts_only_if_it_is_asked() {
    for (which, taken) in [(0, 0), (1, -110_000)] {
        let mut bench = Bench::new(&wxcp::SCHEME, &[("queue", Value::Choice(which))]);
        bench.0.enqueue(packet(50), NEXT);
        let in_the_mac = bench.0.poll().expect("a packet");
        bench.end_interval(50);
        // all through this one a packet is there, and for a moment it does not wait
        bench.0.enqueue(packet(50), NEXT);
        bench.0.done(in_the_mac, Outcome::Acknowledged);
        let next = bench.0.poll().expect("a packet");
        bench.end_interval(50);
        bench.0.done(next, Outcome::Acknowledged);
        bench.0.enqueue(packet(50), NEXT);
        let fed = feedback(&bench.0.poll().expect("a packet").packet);
        assert_eq!(fed, taken, "{which}");
    }
}

/// A link's throughput is what its packets gain by; a link without one has the mean of the others.
#[test]
fn links_gain_by_their_throughput() {
    let mut bench = Bench::new(&wxcp::SCHEME, &[]);
    bench.pass(packet(100), NEXT, 0);
    bench.0.enqueue(packet(100), OTHER);
    let request = bench.0.poll().expect("a packet waits");
    bench.0.now += ms(30);
    bench.0.done(request, Outcome::Acknowledged);
    bench.end_interval(0);
    // both known now: 100 and 33.3 kB/s
    for to in [NEXT, OTHER] {
        bench.pass(packet(100), to, 0);
    }
    bench.end_interval(0);
    let (near, far) = (bench.pass(packet(100), NEXT, 0), bench.pass(packet(100), OTHER, 0));
    let ratio = f64::from(feedback(&near)) / f64::from(feedback(&far));
    assert!(feedback(&far) > 0 && (2.3..3.1).contains(&ratio), "{ratio}");
}

#[test]
fn a_silent_station_rests_and_then_starts_afresh() {
    let mut bench = Bench::new(&wxcp::SCHEME, &[]);
    bench.pass(packet(100), NEXT, 0);
    bench.end_interval(0);
    bench.end_interval(0);
    assert_eq!(bench.0.hop.deadline(), Time::NEVER, "an interval without a packet is the last");
    bench.0.now += ms(9_000);
    assert_eq!(feedback(&bench.pass(packet(200), NEXT, 0)), 0, "what was left is gone");
    let length = bench.0.hop.deadline().since(bench.0.now);
    assert_eq!(length, ms(90), "the round trip is remembered, less the 10 ms of the packet");
    bench.end_interval(0);
    bench.end_interval(0);
    bench.0.now += ms(10_001);
    bench.pass(packet(200), NEXT, 0);
    assert_eq!(
        bench.0.hop.deadline().since(bench.0.now),
        ms(40),
        "as a station that knows nothing"
    );
}

#[test]
fn a_lost_neighbour_leaves_no_average() {
    let mut bench = Bench::new(&wxcp::SCHEME, &[]);
    bench.pass(packet(100), NEXT, 0);
    assert!(bench.0.call(|hop, cx| hop.on_neighbour_lost(cx, NEXT)).is_empty());
    bench.end_interval(0);
    assert_eq!(feedback(&bench.pass(packet(100), OTHER, 0)), 0, "no throughput is known");
}

/// XCP 3.5, by hand: C = 250 kB/s, 50 ms, 1,000 bytes have come.
#[test]
fn a_router_gives_away_what_its_interface_could_carry() {
    let mut bench = Bench::new(&xcp::SCHEME, &[]);
    assert_eq!(feedback(&bench.pass(packet(100), NEXT, 0)), 0);
    bench.end_interval(50);
    // Φ = 0.4 · 11,500 B = 4,600 B; more than 0.1 · 1,000 B, so nothing is shuffled
    assert_eq!(feedback(&bench.pass(packet(100), NEXT, 0)), 9_200_000);
}

#[test]
fn what_is_no_header_or_cannot_be_is_left_as_it_is() {
    for scheme in [&wxcp::SCHEME, &xcp::SCHEME] {
        let mut bench = Bench::new(scheme, &[]);
        let flow = FlowId::between(NodeId(0), NodeId(9));
        let datagram = Packet::new(flow, Payload::Virtual(PAYLOAD), Tag::default());
        assert_eq!(bench.pass(datagram.clone(), NEXT, 0), datagram);
        let mut echo = datagram.clone();
        PathHeader { reverse: 7, ..PathHeader::default() }.write(&mut echo);
        assert_eq!(bench.pass(echo.clone(), NEXT, 0), echo);
        let mut bad = datagram;
        bad.headers.set(XCP_PATH, &[1; 18]);
        bench.0.enqueue(bad.clone(), NEXT);
        let request = bench.0.poll().expect("a packet waits");
        assert_eq!(bench.0.count(EventKind::Malformed), 1, "{}", scheme.name);
        assert_eq!(request.packet, bad, "somebody else may understand it");
    }
}

#[test]
fn only_a_station_that_measures_listens_and_watches_the_air() {
    let (station, router) = (Bench::new(&wxcp::SCHEME, &[]), Bench::new(&xcp::SCHEME, &[]));
    assert!(station.0.hop.promiscuous() && station.0.hop.watches_air());
    assert!(!router.0.hop.promiscuous() && !router.0.hop.watches_air());
}

#[test]
fn a_station_measures_as_long_as_it_has_traffic() {
    let mut station = Bench::new(&wxcp::SCHEME, &[]);
    assert!(!station.0.hop.listens());
    station.0.enqueue(packet(100), NEXT);
    assert!(station.0.hop.listens(), "from its first packet on");
    station.end_interval(0);
    station.end_interval(0);
    assert!(!station.0.hop.listens(), "to the end of an interval without one");
    station.0.poll().expect("a packet waits");
    assert!(station.0.hop.listens(), "one that leaves is traffic, too");
}

/// What a body of 18 bytes may say: a header at its ends, or anything.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let ends = |most: u32| prop_oneof![Just(0), Just(1), 1..=most, Just(most), Just(u32::MAX)];
    let feedback = prop_oneof![Just(i32::MIN), any::<i32>(), -2_000_000_000..=2_000_000_000i32];
    let header = (ends(60_000_000), ends(65_535_000), feedback.clone(), feedback).prop_map(
        |(round_trip, window, feedback, reverse)| {
            let words = [round_trip.to_be_bytes(), window.to_be_bytes()];
            let signed = [feedback.to_be_bytes(), reverse.to_be_bytes()];
            [vec![1, 0], words.concat(), signed.concat()].concat()
        },
    );
    prop_oneof![4 => header, 1 => prop::collection::vec(any::<u8>(), 18)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Round trips and windows of zero, and huge ones: what cannot be is counted and left as it is, and nobody
    /// gets more than was asked.
    #[test]
    fn absurd_headers_do_no_harm(
        bodies in prop::collection::vec((body(), 0u64..200, 0u32..9), 1..40),
        which in 0usize..2,
    ) {
        let mut bench = Bench::new([&wxcp::SCHEME, &xcp::SCHEME][which], &[]);
        for (body, busy_ms, retries) in bodies {
            let flow = FlowId::between(NodeId(0), NodeId(9));
            let mut given = Packet::new(flow, Payload::Virtual(PAYLOAD), Tag::default());
            given.headers.set(XCP_PATH, &body);
            bench.0.enqueue(given.clone(), NEXT);
            let request = bench.0.poll().expect("a packet waits");
            let counted = bench.0.count(EventKind::Malformed);
            match PathHeader::of(&given) {
                Err(_) => prop_assert_eq!((counted, &request.packet), (1, &given)),
                Ok(asked) => {
                    let asked = asked.expect("there is one");
                    let now = PathHeader::of(&request.packet).expect("readable").expect("there");
                    prop_assert_eq!(counted, 0);
                    prop_assert!(now.feedback <= asked.feedback);
                    prop_assert_eq!(PathHeader { feedback: asked.feedback, ..now }, asked);
                }
            }
            bench.0.now += ms(1);
            let mut done = bench.0.report(request, Outcome::Acknowledged);
            done.retries = retries;
            prop_assert!(bench.0.call(|hop, cx| hop.on_tx_done(cx, &done)).is_none());
            if busy_ms > 100 && bench.0.hop.deadline() < Time::NEVER {
                bench.end_interval(busy_ms);
            }
        }
    }
}

/// Routing has found another way: the mean of the link that is not used any more does not count.
#[test]
fn a_route_that_changes_leaves_no_average() {
    let given = |changes: bool| {
        let mut bench = Bench::new(&wxcp::SCHEME, &[]);
        // The old link takes 40 ms for a packet, the new one 10.
        bench.0.enqueue(packet(100), OTHER);
        let request = bench.0.poll().expect("a packet waits");
        bench.0.now += ms(40);
        bench.0.done(request, Outcome::Acknowledged);
        bench.end_interval(0);
        if changes {
            let news = RouteNews::Changed { destination: NodeId(9), hops: 3 };
            bench.0.call(|hop, cx| hop.on_route(cx, news));
        }
        for _ in 0..2 {
            bench.pass(packet(100), NEXT, 0);
            bench.end_interval(0);
        }
        feedback(&bench.pass(packet(100), NEXT, 0))
    };
    // bw = 100 kB/s, and with the old link's 25 kB/s in the mean 62.5.
    let ratio = f64::from(given(true)) / f64::from(given(false));
    assert!((ratio - 1.6).abs() < 0.01, "{ratio}");
}
