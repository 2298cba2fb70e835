//! Explicit link failure notification: standing by while the route is broken.

mod pipe;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use multihop_core::{
    Duration, End, EventKind, NodeId, Packet, Payload, RouteNews, Tag, Time, Value,
};
use multihop_schemes::find;
use multihop_schemes::parts::tcp::header::{Header, Kind};
use pipe::{Fate, Pipe, flow};

const TCPS: [&str; 9] =
    ["tahoe", "reno", "newreno", "sack", "vegas", "tcp-ap", "adtcp", "lecn", "link-red"];
const ON: (&str, Value) = ("elfn", Value::Switch(true));
const LOST: RouteNews = RouteNews::Lost(NodeId(1));

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// A connection over a route that can be cut, and the segments that the sender has put on its way.
struct Broken {
    pipe: Pipe,
    cut: Rc<Cell<bool>>,
    sent: Rc<RefCell<Vec<u32>>>,
}

impl Broken {
    fn new(name: &str, given: &[(&str, Value)]) -> Self {
        let scheme = find(name).expect("a TCP");
        let mut pipe = Pipe::new(scheme, given, Duration::from_millis(50));
        let (cut, sent) = (Rc::new(Cell::new(false)), Rc::new(RefCell::new(Vec::new())));
        let (is_cut, log) = (cut.clone(), sent.clone());
        pipe.data_path = Box::new(move |_, packet| {
            let header = Header::of(packet).expect("a segment");
            log.borrow_mut().push(header.sequence);
            if is_cut.get() { Fate::IsLost } else { Fate::Arrives }
        });
        let is_cut = cut.clone();
        pipe.ack_path =
            Box::new(move |_, _| if is_cut.get() { Fate::IsLost } else { Fate::Arrives });
        Broken { pipe, cut, sent }
    }

    /// Run to `ms`, and forget what was sent before.
    fn run(&mut self, ms: u64) -> Vec<u32> {
        self.pipe.run(at(ms));
        self.sent.take()
    }

    /// From 1.02 s on nothing gets through, and after a round trip nothing is on its way any more.
    fn cut(&mut self) {
        self.run(1_020);
        self.cut.set(true);
        self.run(1_130);
    }

    /// The window as it was last, in thousandths.
    fn window(&self) -> u32 {
        self.pipe.windows.last().expect("the window is shown").1
    }
}

#[test]
fn a_sender_on_standby_does_nothing_but_probe_every_2_seconds() {
    for name in TCPS {
        let mut broken = Broken::new(name, &[ON]);
        broken.cut();
        broken.pipe.tell(LOST);
        let window = broken.window();
        assert_eq!(broken.run(3_129), [], "{name}: before the first probe");
        let first = broken.run(3_131);
        assert_eq!(first.len(), 1, "{name}: the first probe after 2 s");
        assert_eq!(broken.run(5_129), [], "{name}");
        assert_eq!(broken.run(31_131), first.repeat(14), "{name}: and then every 2 s");
        assert_eq!(broken.window(), window, "{name}: the window is frozen");
        assert_eq!(broken.pipe.count(EventKind::RetransmissionTimeout), 0, "{name}");
        assert_eq!(broken.pipe.sender.deadline(), at(33_130), "{name}");
    }
}

#[test]
fn the_interval_is_a_parameter() {
    let mut broken = Broken::new("newreno", &[ON, ("elfn_probe", Value::Number(0.5))]);
    broken.cut();
    broken.pipe.tell(LOST);
    assert_eq!(broken.run(4_131).len(), 6);
}

#[test]
fn more_news_of_the_same_break_changes_nothing() {
    let mut broken = Broken::new("newreno", &[ON]);
    broken.cut();
    broken.pipe.tell(LOST);
    broken.run(2_000);
    broken.pipe.tell(LOST);
    broken.pipe.tell(RouteNews::Found { destination: NodeId(1), hops: 1 });
    assert_eq!(broken.pipe.sender.deadline(), at(3_130));
}

#[test]
fn the_acknowledgment_of_a_probe_ends_standby_with_window_and_timer_as_they_were() {
    for name in TCPS {
        let mut broken = Broken::new(name, &[ON]);
        broken.cut();
        let timeout = {
            // The same without the news: the timer's span is what it was armed with.
            let mut other = Broken::new(name, &[]);
            other.run(1_020);
            other.cut.set(true);
            other.run(1_130);
            let last_acknowledgment = at(1_020);
            other.pipe.sender.deadline().since(last_acknowledgment)
        };
        broken.pipe.tell(LOST);
        broken.run(6_000);
        let (window, round_trips) = (broken.window(), broken.pipe.round_trips.len());
        broken.cut.set(false);
        // The probe of 7.13 s is acknowledged at 7.23 s.
        broken.run(7_231);
        assert!(broken.window() >= window, "{name}: {} {window}", broken.window());
        assert_eq!(broken.pipe.round_trips.len(), round_trips, "{name}: a probe is no sample");
        let armed = broken.pipe.sender.deadline().since(at(7_230));
        // The acknowledgment before the break came up to 100 ms before 1.02 s.
        let difference = timeout.nanos().abs_diff(armed.nanos());
        assert!(difference <= 120_000_000, "{name}: {timeout} {armed}");
        broken.pipe.messages = broken.pipe.handed_over;
        broken.run(400_000);
        assert!(broken.pipe.delivered.iter().copied().eq(0..broken.pipe.handed_over), "{name}");
        let longest = broken.pipe.round_trips.iter().max().expect("samples");
        assert!(*longest < Duration::from_millis(1_000), "{name}: {longest}");
    }
}

#[test]
fn a_duplicate_acknowledgment_ends_it_too() {
    let mut broken = Broken::new("newreno", &[ON]);
    broken.cut();
    broken.pipe.tell(LOST);
    let first = broken.run(20_000)[0];
    let mut ack = Packet::new(flow().reverse(), Payload::Virtual(0), Tag::NONE);
    Header { kind: Kind::Ack, sequence: first, ..Header::default() }.write(&mut ack, 20);
    broken.pipe.hand(End::Source, ack);
    let timeout = broken.pipe.sender.deadline().since(at(20_000));
    assert!(timeout >= Duration::from_millis(200) && timeout < Duration::from_millis(500));
    assert_eq!(broken.pipe.count(EventKind::RetransmissionTimeout), 0);
    broken.run(20_001 + timeout.nanos() / 1_000_000);
    assert_eq!(broken.pipe.count(EventKind::RetransmissionTimeout), 1);
}

#[test]
fn the_time_on_standby_is_in_no_round_trip() {
    // Data arrives, but for 6 s no acknowledgment comes back: that of the probe covers segments
    // that were sent once, long ago.
    for name in TCPS {
        let mut broken = Broken::new(name, &[ON]);
        broken.pipe.data_path = Box::new(|_, _| Fate::Arrives);
        broken.cut();
        broken.pipe.tell(LOST);
        broken.run(6_000);
        let window = broken.window();
        broken.cut.set(false);
        broken.run(9_000);
        let after = broken.pipe.windows.iter().filter(|(time, _)| *time > at(6_000));
        let least = after.map(|(_, window)| *window).min();
        assert!(least.is_none_or(|least| least >= window), "{name}: {least:?} {window}");
        let longest = broken.pipe.round_trips.iter().max().expect("samples");
        assert!(*longest < Duration::from_millis(110), "{name}: {longest}");
        assert_eq!(broken.pipe.count(EventKind::WindowReduction), 0, "{name}");
    }
}

#[test]
fn a_broken_route_costs_less_with_it() {
    let resumed = |given: &[(&str, Value)]| {
        let mut broken = Broken::new("newreno", given);
        broken.cut();
        broken.pipe.tell(LOST);
        broken.run(20_000);
        broken.cut.set(false);
        let before = broken.pipe.delivered.len();
        broken.run(30_000);
        broken.pipe.delivered.len() - before
    };
    let (without, with) = (resumed(&[]), resumed(&[ON]));
    assert!(with > without + 500, "{with} {without}");
}

#[test]
fn nothing_happens_without_outstanding_data_or_for_found_routes_or_when_off() {
    // A route that is found.
    let mut broken = Broken::new("newreno", &[ON]);
    broken.cut();
    let deadline = broken.pipe.sender.deadline();
    broken.pipe.tell(RouteNews::Found { destination: NodeId(1), hops: 1 });
    assert_eq!(broken.pipe.sender.deadline(), deadline);
    broken.run(20_000);
    assert!(broken.pipe.count(EventKind::RetransmissionTimeout) > 1);
    // Off.
    let run = |news: bool| {
        let mut broken = Broken::new("newreno", &[]);
        broken.cut();
        if news {
            broken.pipe.tell(LOST);
        }
        (broken.run(20_000), broken.pipe.windows)
    };
    assert_eq!(run(true), run(false));
    // Nothing outstanding.
    let mut idle = Broken::new("newreno", &[ON]);
    idle.pipe.messages = 20;
    idle.run(2_000);
    idle.pipe.tell(LOST);
    idle.pipe.messages = 40;
    idle.run(3_000);
    assert_eq!(idle.pipe.delivered.len(), 40);
}
