//! The mechanisms of TCP, each over a link that does what it is told. Whether windows are those
//! of ns-2 is in `tcp_window.rs`.

mod pipe;

use std::cell::RefCell;
use std::rc::Rc;

use multihop_core::{
    DropCause, Duration, End, EventKind, NodeId, Packet, Payload, Purpose, Rng, Scheme, Tag, Time,
    Value,
};
use multihop_schemes::find;
use multihop_schemes::parts::tcp::header::{Header, Kind};
use multihop_schemes::parts::tcp::policy::SenderWindow;
use multihop_schemes::parts::timer::Timer;
use pipe::{Fate, Pipe, flow};

const TCPS: [&str; 9] =
    ["tahoe", "reno", "newreno", "sack", "vegas", "tcp-ap", "adtcp", "lecn", "link-red"];
const DELAY: Duration = Duration::from_millis(50);

fn scheme(name: &str) -> &'static Scheme {
    find(name).expect("a TCP")
}

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn header(packet: &Packet) -> Header {
    Header::of(packet).expect("a segment")
}

fn lossy(name: &str, given: &[(&str, Value)], lost: &'static [usize]) -> Pipe {
    let mut pipe = Pipe::new(scheme(name), given, DELAY);
    pipe.data_path = Box::new(|n, _| if lost.contains(&n) { Fate::IsLost } else { Fate::Arrives });
    pipe
}

#[test]
fn every_message_arrives_once_and_in_order_whatever_is_lost() {
    let policies = [
        vec![],
        vec![("delayed_ack", Value::Switch(true))],
        vec![("ack_thinning", Value::Switch(true)), ("header", Value::Number(40.0))],
    ];
    for name in TCPS {
        for (seed, given) in policies.iter().enumerate() {
            let mut pipe = Pipe::new(scheme(name), given, DELAY);
            pipe.messages = 300;
            let path = |purpose| {
                let mut rng = Rng::stream(seed as u64, NodeId(7), purpose);
                move |_, packet: &mut Packet| {
                    packet.congestion_experienced = rng.chance(0.1);
                    if rng.chance(0.3) {
                        Fate::IsLost
                    } else if rng.chance(0.05) {
                        Fate::IsDoubled
                    } else {
                        Fate::Arrives
                    }
                }
            };
            pipe.data_path = Box::new(path(Purpose::Protocol));
            pipe.ack_path = Box::new(path(Purpose::Traffic));
            pipe.run(at(40_000_000));
            assert!(pipe.delivered.iter().copied().eq(0..300), "{name}: {:?}", pipe.delivered);
            assert_eq!((pipe.made, pipe.sender.backlog()), (pipe.gone, 0), "{name}");
        }
    }
}

#[test]
fn nothing_is_sent_beyond_the_receivers_window() {
    for name in TCPS {
        let mut pipe = lossy(name, &[("window_limit", Value::Number(7.0))], &[]);
        let acknowledged = Rc::new(RefCell::new(0));
        let seen = acknowledged.clone();
        let mut rng = Rng::stream(3, NodeId(7), Purpose::Protocol);
        pipe.data_path = Box::new(move |_, packet| {
            let sequence = header(packet).sequence;
            // What the receiver has said so far bounds what the sender knows.
            assert!(sequence < *seen.borrow() + 7, "{name} sends {sequence}");
            if rng.chance(0.05) { Fate::IsLost } else { Fate::Arrives }
        });
        pipe.ack_path = Box::new(move |_, packet| {
            *acknowledged.borrow_mut() = header(packet).sequence;
            Fate::Arrives
        });
        pipe.run(at(30_000));
        assert!(pipe.delivered.len() > 200, "{name}");
    }
}

#[test]
fn the_syn_comes_first_and_carries_nothing() {
    let mut pipe = lossy("newreno", &[], &[]);
    pipe.data_path = Box::new(|n, packet| {
        let header = header(packet);
        assert_eq!(header.kind == Kind::Syn, n == 0);
        assert_eq!(packet.payload.is_empty(), n == 0);
        assert_eq!(packet.tag.is_data(), n > 0);
        assert_eq!(header.sequence as usize, n);
        Fate::Arrives
    });
    pipe.run(at(150));
    assert_eq!(pipe.data_sent, 3, "the initial window is two segments");
}

#[test]
fn an_unanswered_syn_goes_out_again_after_3_and_6_and_12_seconds() {
    // Vegas has a window of two after a timeout, and sends data before the SYN is answered, as in
    // ns-2.
    for name in TCPS.into_iter().filter(|name| *name != "vegas") {
        let mut pipe = lossy(name, &[], &[0, 1, 2, 3]);
        pipe.run(at(100_000));
        let again = pipe.events.iter().filter(|(_, kind, sequence)| {
            *kind == EventKind::SegmentRetransmission && *sequence == 0
        });
        let again: Vec<u64> = again.map(|(at, ..)| at.nanos() / 1_000_000).collect();
        assert_eq!(again, [3_000, 9_000, 21_000, 45_000], "{name}");
    }
}

#[test]
fn rto_is_that_of_ns_2() {
    let ms = Duration::from_millis;
    let mut timer = Timer::new(ms(10), ms(200));
    assert_eq!(timer.timeout(), ms(3_000), "RFC 6298, 2.1");
    timer.sample(at(1_000), ms(100));
    assert_eq!(timer.timeout(), ms(300), "2.2: 10 ticks, and 4 times half of them");
    // SRTT 10 + 10/8 ticks, RTTVAR 5 + (10 - 5)/4 ticks, the sum rounded down.
    timer.sample(at(2_000), ms(200));
    assert_eq!(timer.timeout(), ms(360), "2.3");
    timer.back_off();
    timer.back_off();
    assert_eq!(timer.timeout(), ms(4 * 360), "5.5");
    timer.end_backoff();
    assert_eq!(timer.timeout(), ms(360));
    let mut quick = Timer::new(ms(10), ms(200));
    quick.sample(at(1_000), ms(3));
    assert_eq!(quick.timeout(), ms(200), "2.4");
    (0..20).for_each(|_| quick.back_off());
    assert_eq!(quick.timeout(), ms(60_000), "2.5");
}

#[test]
fn a_segment_that_was_sent_twice_is_not_timed() {
    // Karn's algorithm, RFC 6298, 3.
    for name in TCPS {
        let mut pipe = lossy(name, &[], &[0, 9, 10, 11, 30]);
        pipe.run(at(20_000));
        let longest = pipe.round_trips.iter().max().expect("samples");
        // Two round trips, and what the air takes: one segment waits for another that is repeated.
        assert!(*longest < DELAY * 5, "{name}: {longest}");
    }
}

#[test]
fn one_loss_is_repaired_without_a_timeout() {
    // TCP-AP's pace over one hop leaves no three segments behind the lost one.
    for name in TCPS.into_iter().filter(|name| *name != "tcp-ap") {
        let mut pipe = lossy(name, &[], &[30]);
        pipe.run(at(3_000));
        assert_eq!(pipe.count(EventKind::RetransmissionTimeout), 0, "{name}");
        assert!(pipe.count(EventKind::SegmentRetransmission) >= 1, "{name}");
        let cuts = usize::from(name != "vegas");
        assert_eq!(pipe.count(EventKind::WindowReduction), cuts, "{name}");
    }
}

#[test]
fn what_tells_the_variants_apart_is_several_losses_in_one_window() {
    let lost: &[usize] = &[40, 42, 44, 46];
    let repeats = |name| {
        // NewReno's timer is "impatient": four round trips must fit into it.
        let given = [("window_limit", Value::Number(32.0)), ("min_rto", Value::Number(1_000.0))];
        let mut pipe = lossy(name, &given, lost);
        pipe.run(at(5_000));
        let repeated =
            pipe.events.iter().filter(|(_, k, _)| *k == EventKind::SegmentRetransmission);
        let repeated: Vec<u32> = repeated.map(|(.., sequence)| *sequence).collect();
        (pipe.count(EventKind::RetransmissionTimeout), repeated)
    };
    assert_eq!(repeats("sack"), (0, vec![40, 42, 44, 46]), "exactly the holes");
    assert_eq!(repeats("newreno"), (0, vec![40, 42, 44, 46]), "one hole per round trip");
    assert_eq!(repeats("reno").0, 1, "Reno waits for its timer");
    let (timeouts, repeated) = repeats("tahoe");
    assert!(timeouts == 0 && repeated.len() > 4, "Tahoe sends again what has arrived");
}

#[test]
fn acknowledgments_are_delayed_or_thinned() {
    let acks = |given: &[(&str, Value)]| {
        let mut pipe = Pipe::new(scheme("newreno"), given, DELAY);
        pipe.run(at(20_000));
        let (acks, data) = (pipe.acks_sent as f64, pipe.delivered.len() as f64);
        assert!(data > 2_000.0);
        data / acks
    };
    assert!((acks(&[]) - 1.0).abs() < 0.01);
    assert!((acks(&[("delayed_ack", Value::Switch(true))]) - 2.0).abs() < 0.1);
    let thinned = ("ack_thinning", Value::Switch(true));
    assert!((acks(std::slice::from_ref(&thinned)) - 10.0).abs() < 0.5, "two per window of 20");
    let both = [thinned, ("delayed_ack", Value::Switch(true))];
    assert!((acks(&both) - 10.0).abs() < 0.5, "thinning takes precedence");
}

/// What a segment of this kind carries.
const fn data(kind: Kind) -> Payload {
    Payload::Virtual(if matches!(kind, Kind::Data) { 100 } else { 0 })
}

/// LECN 2: "the receiver generates two ACKs for a window worth of packets"; of an odd window the
/// first is for the larger half, so that there are never three.
#[test]
fn thinning_halves_the_window_upwards() {
    for (window, each) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (7, 4), (12, 6)] {
        let mut pipe =
            Pipe::new(scheme("newreno"), &[("ack_thinning", Value::Switch(true))], DELAY);
        let mut acks = Vec::new();
        for sequence in 0..=3 * each {
            let kind = if sequence == 0 { Kind::Syn } else { Kind::Data };
            let tag = Tag { source: 0, number: sequence };
            let tag = if kind == Kind::Syn { tag.control() } else { tag };
            let mut packet = Packet::new(flow(), data(kind), tag);
            let mut header = Header { kind, sequence, ..Header::default() };
            header.options.put(&SenderWindow(window));
            header.write(&mut packet, 20);
            pipe.made += usize::from(kind == Kind::Data);
            pipe.messages = 0;
            let before = pipe.acks_sent;
            pipe.hand(End::Destination, packet);
            if pipe.acks_sent > before {
                acks.push(sequence);
            }
        }
        assert_eq!(acks, [0, each, 2 * each, 3 * each], "a window of {window}");
    }
}

#[test]
fn a_delayed_acknowledgment_waits_100_ms_and_not_for_a_gap() {
    let mut pipe = Pipe::new(scheme("newreno"), &[("delayed_ack", Value::Switch(true))], DELAY);
    let segment = |pipe: &mut Pipe, sequence, kind| {
        let tag = Tag { source: 0, number: sequence };
        let tag = if kind == Kind::Syn { tag.control() } else { tag };
        let mut packet = Packet::new(flow(), data(kind), tag);
        Header { kind, sequence, ..Header::default() }.write(&mut packet, 20);
        pipe.made += usize::from(kind == Kind::Data);
        pipe.messages = 0;
        pipe.hand(End::Destination, packet);
        pipe.acks_sent
    };
    assert_eq!(segment(&mut pipe, 0, Kind::Syn), 1, "a SYN at once");
    assert_eq!(segment(&mut pipe, 1, Kind::Data), 1);
    assert_eq!(pipe.sink.deadline(), at(100));
    assert_eq!(segment(&mut pipe, 2, Kind::Data), 2);
    assert_eq!(segment(&mut pipe, 4, Kind::Data), 3, "out of order");
    assert_eq!(segment(&mut pipe, 3, Kind::Data), 4, "a gap is filled");
    assert_eq!(segment(&mut pipe, 3, Kind::Data), 5, "a duplicate");
    assert_eq!(pipe.drops, [DropCause::Duplicate]);
    assert_eq!(segment(&mut pipe, 5_000, Kind::Data), 5, "beyond every window");
    assert_eq!(pipe.drops, [DropCause::Duplicate, DropCause::Malformed]);
    assert_eq!(pipe.delivered, [1, 2, 3, 4]);
}

#[test]
fn an_acknowledgment_of_what_was_never_sent_is_refused() {
    for name in TCPS {
        let mut pipe = lossy(name, &[], &[]);
        pipe.run(at(400));
        let windows = pipe.windows.clone();
        for sequence in [5_000, u32::MAX] {
            let mut packet = Packet::new(flow().reverse(), Payload::Virtual(0), Tag::NONE);
            Header { kind: Kind::Ack, sequence, ..Header::default() }.write(&mut packet, 20);
            pipe.hand(End::Source, packet);
        }
        assert_eq!(pipe.windows, windows, "{name}");
        // The second number lies before the first of the connection.
        assert_eq!(pipe.drops, [DropCause::Malformed, DropCause::Restarted], "{name}");
    }
}

#[test]
fn a_mark_halves_the_window_once_per_window_of_data() {
    for (ecn, cuts) in [(true, 1), (false, 0)] {
        // TCP-AP's pace spreads these segments over several round trips.
        for name in TCPS.into_iter().filter(|name| *name != "tcp-ap") {
            let mut pipe = lossy(name, &[("ecn", Value::Switch(ecn))], &[]);
            // Segments of one round trip.
            pipe.data_path = Box::new(|n, packet| {
                packet.congestion_experienced = (8..11).contains(&n);
                Fate::Arrives
            });
            pipe.run(at(900));
            assert_eq!(pipe.count(EventKind::WindowReduction), cuts, "{name}");
            assert_eq!(pipe.count(EventKind::SegmentRetransmission), 0, "{name}");
        }
    }
}

#[test]
fn a_mark_on_an_acknowledgment_counts_if_it_shall() {
    for (heed, cuts) in [(true, 1), (false, 0)] {
        let mut pipe = lossy("newreno", &[("heed_ack_marks", Value::Switch(heed))], &[]);
        pipe.ack_path = Box::new(|n, packet| {
            packet.congestion_experienced = n == 8;
            Fate::Arrives
        });
        pipe.run(at(900));
        assert_eq!(pipe.count(EventKind::WindowReduction), cuts, "heed: {heed}");
    }
}

#[test]
fn the_window_grows_for_every_segment_if_it_shall() {
    let last = |count_segments| {
        let given = [
            ("delayed_ack", Value::Switch(true)),
            ("count_segments", Value::Switch(count_segments)),
        ];
        let mut pipe = Pipe::new(scheme("newreno"), &given, DELAY);
        pipe.run(at(550));
        pipe.windows.last().expect("the window is shown").1
    };
    assert!(last(true) > last(false) + 2_000, "{} {}", last(true), last(false));
}

#[test]
fn a_steady_source_fills_a_bounded_buffer() {
    let mut pipe = lossy("newreno", &[], &[]);
    pipe.messages = 0;
    (0..60).for_each(|_| pipe.write());
    assert_eq!(pipe.drops, vec![DropCause::SourceBufferFull; 10]);
    pipe.messages = pipe.handed_over;
    pipe.run(at(5_000));
    assert!(pipe.delivered.iter().copied().eq(0..50));
    assert_eq!(pipe.sender.deadline(), Time::NEVER, "an idle connection's timer stops");
}
