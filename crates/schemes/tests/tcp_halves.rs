//! A congestion control with a half at either end, options of its own and a pace beside its window:
//! `NewReno` that spreads its window over the round trip, which the receiver echoes. It shows the seam,
//! and is no variant of a paper.

mod pipe;

use std::cell::RefCell;
use std::rc::Rc;

use multihop_core::{Capability, Cx, Duration, Forwarding, Plot, Scheme, Time, Value};
use multihop_schemes::parts::fifo::Fifo;
use multihop_schemes::parts::pacer::Allowance;
use multihop_schemes::parts::tcp::connection::Connection;
use multihop_schemes::parts::tcp::control::{Answer, Arrival};
use multihop_schemes::parts::tcp::header::{Ack, Header};
use multihop_schemes::parts::tcp::newreno::NewReno;
use multihop_schemes::parts::tcp::options::{HeaderOption, LONGEST, Options};
use multihop_schemes::parts::tcp::policy::Policy;
use multihop_schemes::parts::tcp::received::Received;
use multihop_schemes::parts::tcp::{self, CongestionControl, ReceiverControl};

use pipe::{Fate, Pipe};

static SCHEME: Scheme = Scheme {
    name: "spread",
    title: "NewReno with a pace",
    paper: "None; an example",
    plot: Plot { color: "#123456", marker: "8" },
    counters: &[],
    words: &[],
    headers: &[&tcp::header::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &tcp::PARAMS,
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &|params, flow, end| {
        let receiver = Echo { policy: Policy::new(params), last: None };
        tcp::halves(params, flow, end, Spread::default(), receiver)
    },
    carries: tcp::carries,
};

/// When a segment was sent, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sent(u32);

impl HeaderOption for Sent {
    const KIND: u8 = 8;

    fn emit(&self, body: &mut [u8; LONGEST]) -> usize {
        body[..4].copy_from_slice(&self.0.to_be_bytes());
        4
    }

    fn parse(body: &[u8]) -> Option<Self> {
        body.try_into().ok().map(|bytes| Sent(u32::from_be_bytes(bytes)))
    }
}

/// The same of the last segment that has arrived, and how often it was forwarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Echoed(Sent, u8);

impl HeaderOption for Echoed {
    const KIND: u8 = 9;

    fn emit(&self, body: &mut [u8; LONGEST]) -> usize {
        let len = self.0.emit(body);
        body[len] = self.1;
        len + 1
    }

    fn parse(body: &[u8]) -> Option<Self> {
        let (hops, sent) = body.split_last()?;
        Sent::parse(sent).map(|sent| Echoed(sent, *hops))
    }
}

#[derive(Clone, Default)]
struct Spread {
    newreno: NewReno,
    round_trip: Duration,
}

fn micros(now: Time) -> u32 {
    (now.nanos() / 1_000) as u32
}

impl Spread {
    fn learn(&mut self, now: Time, ack: &Ack) {
        if let Some(Echoed(Sent(sent), _)) = ack.options.get() {
            self.round_trip = Duration::from_micros(u64::from(micros(now).saturating_sub(sent)));
        }
    }
}

impl CongestionControl for Spread {
    const OPTIONS: usize = 5;

    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.learn(cx.now, ack);
        self.newreno.on_ack(tcp, cx, ack);
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.learn(cx.now, ack);
        self.newreno.on_duplicate_ack(tcp, cx, ack);
    }

    fn on_transmit(&mut self, now: Time, _sequence: u64, options: &mut Options) {
        options.put(&Sent(micros(now)));
    }

    fn allowance(&self, tcp: &Connection) -> Allowance {
        let window = tcp.window.segments();
        Allowance { window, pace: self.round_trip.scaled(1.0 / f64::from(window)) }
    }
}

#[derive(Clone)]
struct Echo {
    policy: Policy,
    last: Option<Echoed>,
}

impl ReceiverControl for Echo {
    const OPTIONS: usize = 6;

    fn on_segment(&mut self, now: Time, arrival: &Arrival) -> Answer {
        self.last = arrival.header.options.get().map(|sent| Echoed(sent, arrival.hops));
        self.policy.on_segment(now, arrival)
    }

    fn on_acknowledge(&mut self, _now: Time, _received: &Received, options: &mut Options) {
        if let Some(echoed) = &self.last {
            options.put(echoed);
        }
    }
}

/// When the segments of a run were sent, without and with a pace.
fn times(scheme: &'static Scheme) -> Vec<u32> {
    let mut pipe = Pipe::new(scheme, &[("window_limit", Value::Number(10.0))], DELAY);
    let sent = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&sent);
    pipe.data_path = Box::new(move |_, packet| {
        let Sent(at) = Header::of(packet).expect("a segment").options.get().expect("its time");
        log.borrow_mut().push(at);
        Fate::Arrives
    });
    pipe.run(Time::ZERO + Duration::from_millis(5_000));
    sent.take()
}

const DELAY: Duration = Duration::from_millis(50);

#[test]
fn the_halves_talk_in_options_for_which_headers_are_longer() {
    let mut pipe = Pipe::new(&SCHEME, &[], DELAY);
    pipe.data_path = Box::new(|_, packet| {
        assert_eq!(packet.headers.len(), 20 + Spread::OPTIONS);
        packet.ttl -= 3;
        Fate::Arrives
    });
    let echoes = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&echoes);
    pipe.ack_path = Box::new(move |_, packet| {
        assert_eq!(packet.headers.len(), 20 + Echo::OPTIONS);
        let Echoed(Sent(at), hops) =
            Header::of(packet).expect("a segment").options.get().expect("an echo");
        log.borrow_mut().push((at, hops));
        Fate::Arrives
    });
    pipe.messages = 3;
    pipe.run(Time::ZERO + Duration::from_millis(1_000));
    assert_eq!((pipe.sender.header_len(), pipe.sink.header_len()), (25, 26));
    let sent = [0, 100_000, 150_000, 200_000];
    assert_eq!(echoes.take(), sent.map(|at| (at, 3)), "two per round trip after the SYN");
}

#[test]
fn a_pace_keeps_the_segments_of_a_window_apart() {
    let times = times(&SCHEME);
    let gaps: Vec<u32> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (first, later) = gaps.split_at(gaps.len() / 2);
    assert!(gaps.len() > 300, "the window is used: {}", gaps.len());
    assert!(later.iter().all(|gap| (9_000..11_000).contains(gap)), "ten per round trip: {later:?}");
    assert!(first.iter().skip(1).all(|gap| *gap > 8_000), "no bursts: {first:?}");
}
