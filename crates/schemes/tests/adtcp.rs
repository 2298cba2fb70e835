//! ADTCP: what its receiver tells apart, and how its sender reacts.

mod pipe;

use std::cell::RefCell;
use std::rc::Rc;

use multihop_core::{Duration, End, EventKind, Packet, Payload, Tag, Time, Value};
use multihop_schemes::find;
use multihop_schemes::parts::tcp::header::{Header, Kind};
use multihop_schemes::parts::tcp::options::{HeaderOption, LONGEST, Options};
use multihop_schemes::parts::tcp::timestamp::SentAt;
use multihop_schemes::tcp::adtcp::report::{Report, State};
use pipe::{Fate, Pipe, flow};

const DELAY: Duration = Duration::from_millis(50);

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn pipe() -> Pipe {
    with(&[])
}

fn with(given: &[(&str, Value)]) -> Pipe {
    Pipe::new(find("adtcp").expect("a TCP"), given, DELAY)
}

/// The acknowledgments from `from` on say this.
fn say(pipe: &mut Pipe, from: usize, report: Report) {
    pipe.ack_path = Box::new(move |n, packet| {
        let mut header = Header::of(packet).expect("a segment");
        if n >= from {
            header.options = Options::default();
            header.options.put(&report);
            header.write(packet, 20);
        }
        Fate::Arrives
    });
}

fn lose(pipe: &mut Pipe, lost: &'static [usize]) {
    pipe.data_path = Box::new(|n, _| if lost.contains(&n) { Fate::IsLost } else { Fate::Arrives });
}

/// The window in thousandths.
fn window(pipe: &Pipe) -> u32 {
    pipe.windows.last().expect("the window is shown").1
}

#[test]
fn congestion_halves_the_window_once_per_window_of_data_without_a_loss() {
    let mut pipe = pipe();
    say(&mut pipe, 30, Report::new(State::Congestion, 100.0));
    pipe.run(at(3_000));
    let cuts: Vec<Time> =
        pipe.windows.windows(2).filter(|w| w[1].1 < w[0].1).map(|w| w[1].0).collect();
    assert!(cuts.len() > 2 && pipe.count(EventKind::SegmentRetransmission) == 0, "{cuts:?}");
    let apart = cuts.windows(2).all(|pair| pair[1].since(pair[0]) >= DELAY * 2);
    assert!(apart, "a round trip apart: {cuts:?}");
    assert!(window(&pipe) <= 2_000, "it does not open meanwhile: {}", window(&pipe));
}

#[test]
fn a_channel_error_is_repaired_without_a_cut() {
    for (state, cuts) in [(State::Normal, 1), (State::ChannelError, 0)] {
        let mut pipe = pipe();
        say(&mut pipe, 0, Report::new(state, 100.0));
        lose(&mut pipe, &[30]);
        pipe.run(at(3_000));
        assert_eq!(pipe.count(EventKind::WindowReduction), cuts, "{state:?}");
        assert_eq!(pipe.count(EventKind::SegmentRetransmission), 1, "{state:?}");
        assert_eq!(pipe.count(EventKind::RetransmissionTimeout), 0, "{state:?}");
    }
}

#[test]
fn a_new_route_sets_the_window_to_what_arrives_in_a_round_trip() {
    let mut pipe = pipe();
    say(&mut pipe, 60, Report::new(State::RouteChange, 50.0));
    lose(&mut pipe, &[90]);
    pipe.run(at(6_000));
    // 50 segments a second in 100 ms, and a tick of the clock's rounding.
    assert!((5_000..=5_600).contains(&window(&pipe)), "{}", window(&pipe));
    assert_eq!(pipe.count(EventKind::WindowReduction), 0, "a loss is no reason to cut");
    assert_eq!(pipe.count(EventKind::RetransmissionTimeout), 0);
}

/// The times of segments that are sent while nothing gets through, in ms, and the window then.
fn cut_off(state: State, given: &[(&str, Value)]) -> (Vec<u64>, u32, Pipe) {
    let mut pipe = with(given);
    say(&mut pipe, 0, Report::new(state, 100.0));
    pipe.run(at(1_020));
    let before = window(&pipe);
    let sent = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&sent);
    pipe.data_path = Box::new(move |_, packet| {
        let SentAt(micros) = Header::of(packet).expect("a segment").options.get().expect("a time");
        log.borrow_mut().push(u64::from(micros) / 1_000);
        Fate::IsLost
    });
    pipe.run(at(20_000));
    let sent = sent.take().into_iter().filter(|time| *time > 1_130).collect();
    (sent, before, pipe)
}

#[test]
fn a_timeout_without_congestion_before_it_freezes_the_window_and_probes() {
    for (resume, least) in [(0, 300), (1, 10)] {
        let given = [("resume", Value::Choice(resume))];
        let (probes, before, mut pipe) = cut_off(State::Normal, &given);
        assert!(probes.len() >= 9, "{probes:?}");
        assert!(probes.windows(2).all(|pair| pair[1] - pair[0] == 2_000), "every 2 s: {probes:?}");
        assert!(window(&pipe) >= before, "{} {before}", window(&pipe));
        let delivered = pipe.delivered.len();
        pipe.data_path = Box::new(|_, _| Fate::Arrives);
        pipe.run(at(26_000));
        let more = pipe.delivered.len() - delivered;
        assert!(more >= least, "{more}");
        assert_eq!(pipe.count(EventKind::WindowReduction), 0);
    }
}

#[test]
fn a_timeout_after_congestion_is_one() {
    let (again, _, pipe) = cut_off(State::Congestion, &[]);
    let gaps: Vec<u64> = again.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let doubled = gaps.windows(2).all(|pair| pair[1] == 2 * pair[0]);
    assert!(gaps.len() > 2 && doubled, "{gaps:?}");
    assert_eq!(window(&pipe), 1_000);
}

/// What a segment of this kind carries.
const fn data(kind: Kind) -> Payload {
    Payload::Virtual(if matches!(kind, Kind::Data) { 100 } else { 0 })
}

/// A receiver that is handed segments, and what it says at the end.
struct Receiver {
    pipe: Pipe,
    said: Rc<RefCell<Report>>,
}

impl Receiver {
    fn new() -> Self {
        let mut pipe = pipe();
        pipe.messages = 0;
        let said = Rc::new(RefCell::new(Report::default()));
        let log = Rc::clone(&said);
        pipe.ack_path = Box::new(move |_, packet| {
            let report = Header::of(packet).expect("a segment").options.get();
            *log.borrow_mut() = report.expect("what it sees");
            Fate::IsLost
        });
        let mut receiver = Receiver { pipe, said };
        receiver.hand(0, 0, 0);
        receiver
    }

    /// Segment `sequence`, sent and arriving at these times in ms.
    fn hand(&mut self, sequence: u32, sent: u64, arrives: u64) {
        let kind = if sequence == 0 { Kind::Syn } else { Kind::Data };
        let tag = Tag { source: 0, number: sequence };
        let tag = if kind == Kind::Syn { tag.control() } else { tag };
        let mut packet = Packet::new(flow(), data(kind), tag);
        let mut header = Header { kind, sequence, ..Header::default() };
        header.options.put(&SentAt::now(at(sent)));
        header.write(&mut packet, 20);
        self.pipe.made += usize::from(kind == Kind::Data);
        self.pipe.now = at(arrives);
        self.pipe.hand(End::Destination, packet);
    }

    /// A segment every 50 ms from `first` on for ten seconds, whose delays differ a little.
    fn calm(&mut self, first: u32) -> u32 {
        for n in first..first + 200 {
            let sent = u64::from(n) * 50;
            self.hand(n, sent, sent + 60 + u64::from(n % 7));
        }
        first + 200
    }

    fn state(&self) -> State {
        self.said.borrow().state
    }
}

#[test]
fn a_calm_stream_is_normal_and_its_throughput_is_told() {
    let mut receiver = Receiver::new();
    receiver.calm(1);
    assert_eq!(receiver.state(), State::Normal);
    let per_second = receiver.said.borrow().per_second();
    assert!((per_second - 20.0).abs() < 2.5, "{per_second}");
}

#[test]
fn growing_delays_and_fewer_arrivals_are_congestion() {
    let mut receiver = Receiver::new();
    let first = receiver.calm(1);
    for (late, n) in (first..first + 12).enumerate() {
        let sent = u64::from(n) * 50;
        receiver.hand(n, sent, sent + 60 + 50 * late as u64);
    }
    assert_eq!(receiver.state(), State::Congestion);
}

#[test]
fn holes_are_a_channel_error_and_overtaking_is_a_new_route() {
    let mut receiver = Receiver::new();
    let first = receiver.calm(1);
    for n in (first..first + 22).filter(|n| n % 5 > 0) {
        let sent = u64::from(n) * 50;
        receiver.hand(n, sent, sent + 63);
    }
    assert_eq!(receiver.state(), State::ChannelError);
    let mut receiver = Receiver::new();
    let first = receiver.calm(1);
    for n in (first..first + 22).step_by(2) {
        let sent = u64::from(n) * 50;
        receiver.hand(n + 1, sent + 50, sent + 113);
        receiver.hand(n, sent, sent + 114);
    }
    assert_eq!(receiver.state(), State::RouteChange);
}

#[test]
fn a_report_is_read_as_it_is_written_and_not_otherwise() {
    let mut bytes = [0; LONGEST];
    for state in [State::Normal, State::Congestion, State::ChannelError, State::RouteChange] {
        let report = Report::new(state, 123.4);
        let len = report.emit(&mut bytes);
        assert_eq!(Report::parse(&bytes[..len]), Some(report));
    }
    assert_eq!(Report::new(State::Normal, 1e9).throughput, u16::MAX);
    assert_eq!((Report::parse(&[9, 0, 0]), Report::parse(&[0, 0])), (None, None));
}
