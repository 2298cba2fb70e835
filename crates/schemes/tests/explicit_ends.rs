//! XCP 3.3, 3.4; WXCP 3.4, 3.5: the ends, over a link whose stations are the test's.

mod pipe;

use std::cell::RefCell;
use std::rc::Rc;

use multihop_core::{Duration, EventKind, Packet, Scheme, Time, Value};
use multihop_schemes::parts::explicit::header::{FlowState, PathHeader, XCP_PATH};
use multihop_schemes::{wxcp, xcp};

use pipe::{Fate, Pipe};

/// The round trip is twice that.
const DELAY: Duration = Duration::from_millis(50);

/// A packet with data: 1,000 bytes, and 20 each for the headers of network, path and transport.
const LENGTH: u32 = 1_060;

const BOTH: [&Scheme; 2] = [&xcp::SCHEME, &wxcp::SCHEME];

fn ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn header(packet: &Packet) -> PathHeader {
    PathHeader::of(packet).expect("it can be read").expect("there is one")
}

/// Stations write so many thousandths of a byte into a packet that says its flow's state.
fn feed(packet: &mut Packet, feedback: i32) {
    let read = header(packet);
    if read.flow.is_some() {
        PathHeader { feedback: read.feedback.min(feedback), ..read }.write(packet);
    }
}

/// A link whose stations write so much into every packet. What left, and when, in milliseconds.
fn pipe(
    scheme: &'static Scheme,
    given: &[(&str, Value)],
    feedback: i32,
) -> (Pipe, Rc<RefCell<Vec<PathHeader>>>) {
    let mut pipe = Pipe::new(scheme, given, DELAY);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&seen);
    pipe.data_path = Box::new(move |_, packet| {
        log.borrow_mut().push(header(packet));
        feed(packet, feedback);
        Fate::Arrives
    });
    (pipe, seen)
}

#[test]
fn a_sender_tells_its_round_trip_and_window_once_it_knows_them() {
    for scheme in BOTH {
        let (mut pipe, seen) = pipe(scheme, &[], 0);
        pipe.run(ms(260));
        let seen = seen.take();
        assert_eq!((seen[0].flow, seen[0].feedback), (None, 0), "the SYN has no round trip yet");
        let FlowState { round_trip_us, window } = seen[1].flow.expect("the SYN's");
        assert!((100_000..100_010).contains(&round_trip_us), "{round_trip_us}");
        assert_eq!(window, 2 * LENGTH, "the initial window");
        // 18 more within one round trip, by two packets
        assert_eq!(seen[1].feedback, 9_000 * LENGTH.cast_signed(), "{}", scheme.name);
    }
}

/// WXCP equation 8: cwnd = max(cwnd + feedback, s).
#[test]
fn the_window_follows_the_feedback_and_holds_at_least_a_packet() {
    for scheme in BOTH {
        let (mut more, _) = pipe(scheme, &[], 106_000);
        more.run(ms(1_000));
        let tenths: Vec<u32> = more.windows.iter().map(|(_, window)| *window).take(5).collect();
        assert_eq!(tenths, [1_000, 2_000, 2_100, 2_200, 2_300], "a tenth of a packet each");
        let (mut less, _) = pipe(scheme, &[], -2_000_000_000);
        less.run(ms(1_000));
        assert_eq!(less.windows.last().expect("windows").1, 1_000, "{}", scheme.name);
        assert!(less.delivered.len() > 5, "one packet per round trip goes on");
        let (mut most, _) = pipe(scheme, &[], i32::MAX);
        most.run(ms(3_000));
        assert_eq!(most.windows.last().expect("windows").1, 20_000, "the receiver's window");
    }
}

#[test]
fn an_acknowledgment_for_two_packets_brings_the_feedback_of_both() {
    let delayed = [("delayed_ack", Value::Switch(true))];
    for (given, step) in [(&[][..], 106_000), (&delayed[..], 212_000)] {
        let (mut pipe, _) = pipe(&xcp::SCHEME, given, 106_000);
        let echoes = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&echoes);
        pipe.ack_path = Box::new(move |_, packet| {
            let header = header(packet);
            assert_eq!((header.flow, header.feedback), (None, 0), "an echo and nothing else");
            log.borrow_mut().push(header.reverse);
            Fate::Arrives
        });
        pipe.run(ms(1_000));
        let echoes = echoes.take();
        assert_eq!(echoes[0], 0, "the SYN's");
        assert!(echoes[1..].contains(&step), "{echoes:?}");
        assert!(echoes.iter().all(|echo| *echo <= step), "{echoes:?}");
    }
}

#[test]
fn stations_on_the_way_back_count_only_if_they_are_asked() {
    for (fed, last) in [(false, 20_000), (true, 1_000)] {
        let given = [("ack_feedback", Value::Switch(fed))];
        let (mut pipe, _) = pipe(&xcp::SCHEME, &given, i32::MAX);
        pipe.ack_path = Box::new(move |n, packet| {
            assert_eq!(header(packet).flow.is_some(), fed && n > 0);
            feed(packet, -1_000_000);
            Fate::Arrives
        });
        pipe.run(ms(3_000));
        assert_eq!(pipe.windows.last().expect("windows").1, last, "{fed}");
    }
}

/// What cannot be is counted, and as if it was not there.
#[test]
fn a_bad_header_is_counted_and_changes_nothing() {
    for scheme in BOTH {
        let (mut pipe, _) = pipe(scheme, &[], 106_000);
        let mut body = PathHeader { reverse: 500_000, ..PathHeader::default() }.emit();
        body[14] = 0x80;
        pipe.ack_path = Box::new(move |_, packet| {
            packet.headers.set(XCP_PATH, &body);
            Fate::Arrives
        });
        pipe.run(ms(1_000));
        assert_eq!(pipe.windows.last().expect("windows").1, 2_000, "the initial one");
        let counted = pipe.count(EventKind::Malformed);
        assert!((pipe.acks_sent - 2..=pipe.acks_sent).contains(&counted), "two are on their way");
        assert!(pipe.drops.is_empty(), "the acknowledgment itself counts");
    }
}

/// When the packets of a run left, in milliseconds; `lost` says which never arrive.
fn times(pipe: &mut Pipe, until: u64, lost: impl Fn(usize) -> bool + 'static) -> Vec<u64> {
    let left = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&left);
    pipe.data_path = Box::new(move |n, packet| {
        feed(packet, 0);
        log.borrow_mut().push(n);
        if lost(n) { Fate::IsLost } else { Fate::Arrives }
    });
    let mut times = Vec::new();
    pipe.run(Time::ZERO);
    loop {
        let now = pipe.now.nanos() / 1_000_000;
        times.extend(left.take().iter().map(|_| now));
        if !pipe.step(ms(until)) {
            return times;
        }
    }
}

/// WXCP 3.5: a window of `B_t` and more that opens at once is paced out, over a round trip.
#[test]
fn a_burst_is_paced_out() {
    let window = [("initial_window", Value::Count(4))];
    let mut paced = Pipe::new(&wxcp::SCHEME, &window, DELAY);
    // the SYN, four packets in one round trip, and then by the clock of their acknowledgments
    assert_eq!(times(&mut paced, 299, |_| false), [0, 100, 125, 150, 175, 200, 225, 250, 275]);
    let tolerant = [("initial_window", Value::Count(4)), ("tolerable_burst", Value::Count(5))];
    let mut burst = Pipe::new(&wxcp::SCHEME, &tolerant, DELAY);
    assert_eq!(times(&mut burst, 150, |_| false), [0, 100, 100, 100, 100]);
}

/// WXCP 3.4: a lost window of two would mean a timeout; loss discovery brings three duplicate
/// acknowledgments (exit 2).
#[test]
fn loss_discovery_spares_a_timeout() {
    for discovers in [true, false] {
        let given = [("loss_discovery", Value::Switch(discovers)), ("min_rto", ms_value(1_000))];
        let mut pipe = Pipe::new(&wxcp::SCHEME, &given, DELAY);
        times(&mut pipe, 5_000, |n| n == 9 || n == 10);
        assert_eq!(pipe.count(EventKind::Declared(&wxcp::words::LOSS_DISCOVERY)) > 0, discovers);
        assert_eq!(pipe.count(EventKind::RetransmissionTimeout), usize::from(!discovers));
        assert_eq!(pipe.count(EventKind::SegmentRetransmission), 2);
        let expected: Vec<u32> = (0..pipe.delivered.len() as u32).collect();
        assert_eq!(pipe.delivered, expected, "all of it arrives");
    }
}

fn ms_value(ms: u64) -> Value {
    Value::Span(Duration::from_millis(ms))
}

/// WXCP 3.4: "packets are paced out with a rate that is half to the current transmission rate ... The
/// sender keeps reducing the transmission rate to half when it paces out a CWND of packets", until `W_min`
/// packets are in the network (exit 1); then only the timer goes on.
#[test]
fn loss_discovery_slows_down_and_stops_with_enough_packets() {
    let given = [("min_rto", ms_value(3_000))];
    let mut pipe = Pipe::new(&wxcp::SCHEME, &given, DELAY);
    // SYN at 0; two packets at 100 and 150 are the last that arrive; two more at 200 and 250 do not
    let left = times(&mut pipe, 3_200, |n| n > 2);
    assert_eq!(left[..5], [0, 100, 150, 200, 250]);
    // the timer was set at 250, and is over a round trip and what is left of a tick later; the packet of
    // 250 is more than 2 RTT / 2 old, so that the first goes at once; two of each distance; seven in all
    assert_eq!(left[5..], [360, 460, 660, 860, 1_260]);
    assert_eq!(pipe.count(EventKind::Declared(&wxcp::words::LOSS_DISCOVERY)), 1);
    assert_eq!(pipe.count(EventKind::RetransmissionTimeout), 0);
    pipe.run(ms(3_400));
    assert_eq!(pipe.count(EventKind::RetransmissionTimeout), 1, "3 s after it was set");
}

/// WXCP 3.4, exit 3: no packet was lost, but an acknowledgment was.
#[test]
fn a_new_acknowledgment_ends_loss_discovery() {
    let mut pipe = Pipe::new(&wxcp::SCHEME, &[("min_rto", ms_value(1_000))], DELAY);
    pipe.ack_path = Box::new(|n, _| if (4..6).contains(&n) { Fate::IsLost } else { Fate::Arrives });
    times(&mut pipe, 5_000, |_| false);
    assert_eq!(pipe.count(EventKind::Declared(&wxcp::words::LOSS_DISCOVERY)), 1);
    let retransmissions = pipe.count(EventKind::SegmentRetransmission);
    assert_eq!((retransmissions, pipe.count(EventKind::RetransmissionTimeout)), (0, 0));
}

/// WXCP 3.4, exit 4: the timer may be faster than the packets.
#[test]
fn a_timeout_ends_loss_discovery() {
    let mut pipe = Pipe::new(&wxcp::SCHEME, &[], DELAY);
    times(&mut pipe, 3_000, |n| (3..9).contains(&n));
    assert!(pipe.count(EventKind::Declared(&wxcp::words::LOSS_DISCOVERY)) >= 1);
    assert!(pipe.count(EventKind::RetransmissionTimeout) >= 1);
    let last = pipe.delivered.len() as u32;
    assert!(last > 10, "{last}");
    assert_eq!(pipe.delivered, (0..last).collect::<Vec<u32>>());
}

#[test]
fn a_large_window_needs_no_loss_discovery() {
    let given = [("initial_window", Value::Count(8)), ("min_rto", ms_value(1_000))];
    let mut pipe = Pipe::new(&wxcp::SCHEME, &given, DELAY);
    times(&mut pipe, 4_000, |n| n > 30);
    assert_eq!(
        pipe.count(EventKind::Declared(&wxcp::words::LOSS_DISCOVERY)),
        0,
        "cwnd is larger than W_min"
    );
}
