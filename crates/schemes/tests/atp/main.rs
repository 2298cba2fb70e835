//! ATP: its wire, its routers, its ends, and a connection as a whole.

#[path = "../pipe/mod.rs"]
mod pipe;

mod delivery;
mod ends;
mod header;
mod path;
mod rate;
mod router;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use multihop_core::{Duration, Packet, Time, Value};
use multihop_schemes::atp::SCHEME;
use multihop_schemes::parts::reliable::{Header, Kind, PathHeader, PathKind};
use pipe::{Fate, Pipe};

/// One way.
const DELAY: Duration = Duration::from_millis(50);

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn header(packet: &Packet) -> Header {
    Header::of(packet).expect("a packet of ATP").0
}

/// A connection over a path whose routers stamp what they are told, and the log of what the ends
/// have put on their way.
struct Path {
    pipe: Pipe,
    /// D in microseconds; zero: nobody stamps.
    delay_us: Rc<Cell<u32>>,
    /// Whether nothing of the sender gets through.
    cut: Rc<Cell<bool>>,
    sent: Rc<RefCell<Vec<Header>>>,
    reports: Rc<RefCell<Vec<Header>>>,
}

impl Path {
    fn new(delay_us: u32, given: &[(&str, Value)]) -> Self {
        let mut pipe = Pipe::new(&SCHEME, given, DELAY);
        let (delay_us, cut) = (Rc::new(Cell::new(delay_us)), Rc::new(Cell::new(false)));
        let (sent, reports) = (Rc::default(), Rc::default());
        let mut path = stamping(&delay_us);
        let is_cut = cut.clone();
        let log: Rc<RefCell<Vec<Header>>> = Rc::clone(&sent);
        pipe.data_path = Box::new(move |_, packet| {
            path(packet);
            log.borrow_mut().push(header(packet));
            if is_cut.get() { Fate::IsLost } else { Fate::Arrives }
        });
        let log: Rc<RefCell<Vec<Header>>> = Rc::clone(&reports);
        pipe.ack_path = Box::new(move |_, packet| {
            log.borrow_mut().push(header(packet));
            Fate::Arrives
        });
        Path { pipe, delay_us, cut, sent, reports }
    }

    /// Run to `ms`; what the sender has sent since the last time.
    fn run(&mut self, ms: u64) -> Vec<Header> {
        self.pipe.run(at(ms));
        self.sent.take()
    }

    /// The same, as kinds and sequence numbers.
    fn kinds(&mut self, ms: u64) -> Vec<(Kind, u32)> {
        self.run(ms).iter().map(|header| (header.kind, header.sequence)).collect()
    }
}

/// Routers that stamp `delay_us`.
fn stamping(delay_us: &Rc<Cell<u32>>) -> impl FnMut(&mut Packet) + use<> {
    let delay_us = delay_us.clone();
    move |packet| {
        let mut path = PathHeader::of(packet).expect("the sender writes one");
        let probe = header(packet).kind == Kind::Probe;
        assert_eq!(path.kind == PathKind::Probe, probe);
        assert_eq!(packet.payload.is_empty(), probe);
        assert_eq!(packet.tag.is_data(), !probe);
        path.delay_us = path.delay_us.max(delay_us.get());
        path.write(packet);
    }
}
