//! The medium of a scenario, as its nodes use it from outside: the same channel, radios and MAC as in the
//! simulator. No socket and no clock: who calls says what time it is.
//!
//! Frames are bytes that nobody here looks into. The MAC is told their length, and a tag under
//! which the bytes are found again where the frame is heard.

use std::sync::Arc;

use multihop_core::{
    Below, Duration, FlowId, FrameId, HandOver, Medium, NETWORK_HEADER_LEN, NodeId, Packet,
    Payload, Power, Report, Rx, Schedule, Tag, Time, Told, Transmission, TxRequest, Wakes,
};
use multihop_medium::medium;
use multihop_pcap::{Capture, Link};
use multihop_setup::Setup;
use multihop_trace::{Observation, Observer};

use super::lag::Lag;
use super::message::{Done, FromEther, Hello, LONGEST_FRAME, Offer, Reception, ToEther};

/// A frame of a node, in one of two places that are used in turn: as long as the MAC keeps its packet.
type Bytes = Option<Arc<[u8]>>;

/// What a node wants of its radio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Wants {
    /// Frames that are addressed to others.
    others: bool,
    /// To know how its radio spends its time.
    air: bool,
}

/// What was counted of one radio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames that it put on the air, those of the MAC included.
    pub transmitted: u64,
    /// Frames that it has handed to its node.
    pub heard: u64,
    /// Messages of its node that made no sense: a frame too short or too long, or before the last was
    /// done with.
    pub refused: u64,
}

/// Why there is no radio for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRadio {
    /// The scenario has no such node.
    Unknown,
    /// Another process is that node.
    Taken,
}

impl std::fmt::Display for NoRadio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoRadio::Unknown => "the scenario has no node with this address",
            NoRadio::Taken => "another process is the node with this address",
        })
    }
}

/// The medium of a scenario.
pub struct Air {
    setup: Setup,
    medium: Box<dyn Medium>,
    wakes: Wakes,
    now: Time,
    frames: Vec<[Bytes; 2]>,
    /// How many frames each node has handed over.
    offers: Vec<u32>,
    on: Vec<Option<Wants>>,
    /// Whose radio counts its time: once it does, it goes on.
    metered: Vec<bool>,
    /// Whether radios say what becomes of every frame: once they do, they go on.
    watched: bool,
    counts: Vec<Counts>,
    messages: Vec<(NodeId, FromEther)>,
    /// How late things happen, and how late is still in time.
    lag: Lag,
    allowed_lag: Duration,
    /// What is on the air, if somebody wants to know.
    capture: Option<Capture<Vec<u8>>>,
}

macro_rules! below {
    ($air:ident) => {
        Below { now: $air.now, lag: Duration::ZERO, wakes: &mut $air.wakes }
    };
}

impl Air {
    /// The medium of `setup`, where no radio is on; `None` if it has wires.
    pub fn new(setup: Setup) -> Option<Self> {
        let medium = medium(&setup);
        if !medium.shares_air() {
            return None;
        }
        let count = setup.nodes.len();
        let mut air = Air {
            setup,
            medium,
            wakes: Wakes::new(count),
            now: Time::ZERO,
            frames: vec![[None, None]; count],
            offers: vec![0; count],
            on: vec![None; count],
            metered: vec![false; count],
            watched: false,
            counts: vec![Counts::default(); count],
            messages: Vec::new(),
            lag: Lag::default(),
            allowed_lag: Duration::ZERO,
            capture: None,
        };
        for node in (0..count as u32).map(NodeId) {
            air.medium.switch(node, Power::Off, &mut below!(air));
        }
        Some(air)
    }

    /// The scenario.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Whether the radio of node number `node` is on.
    pub fn is_on(&self, node: NodeId) -> bool {
        self.on[node.index()].is_some()
    }

    /// What was counted of its radio.
    pub fn counts(&self, node: NodeId) -> Counts {
        self.counts[node.index()]
    }

    /// What happens later than this is counted as late from now on.
    pub const fn allow_lag(&mut self, allowed: Duration) {
        self.allowed_lag = allowed;
    }

    /// How late things have happened: every event of the medium, whatever let it happen, and what
    /// [`Air::count_lag`] was told.
    pub const fn lag(&mut self) -> &mut Lag {
        &mut self.lag
    }

    /// Something of a node has reached the medium so much later than the node has sent it.
    pub fn count_lag(&mut self, lag: Duration) {
        self.lag.count(lag, self.allowed_lag);
    }

    /// When something happens on the medium next.
    pub fn next(&self) -> Time {
        let (at, _) = self.wakes.next();
        if at < Schedule::HORIZON { at } else { Time::NEVER }
    }

    /// Let one thing happen that is due by `now`. Returns when it was due; `None` if nothing is.
    pub fn step(&mut self, now: Time) -> Option<Time> {
        let (at, node) = self.wakes.next();
        if at > now || at >= Schedule::HORIZON {
            return None;
        }
        self.count_lag(now.since(at));
        self.now = self.now.max(at);
        let mut woken = self.medium.on_deadline(node, &mut below!(self));
        if woken.wins {
            // Nodes hand over one frame at a time.
            woken = self.medium.depart(node, &mut below!(self));
        }
        self.report(woken.reports);
        if woken.on_air {
            self.counts[node.index()].transmitted += 1;
            let reports = self.medium.transmit(node, &mut below!(self));
            if let Some(capture) = &mut self.capture {
                show(capture, self.now, self.medium.transmission(), &self.frames);
            }
            self.report(reports);
            self.show_receptions(at, HandOver::IfMany);
        }
        Some(at)
    }

    /// Capture what is on the air from now on. Returns the bytes that a capture begins with.
    pub fn begin_capture(&mut self) -> Vec<u8> {
        let addresses = self.setup.addresses.clone();
        // memory takes everything
        let Ok(mut capture) = Capture::new(Vec::new(), Link::Air, addresses) else {
            return Vec::new();
        };
        let head = std::mem::take(capture.out());
        if !std::mem::replace(&mut self.watched, true) {
            self.medium.watch_receptions(false);
        }
        self.capture.get_or_insert(capture);
        head
    }

    /// Nobody wants to know any more.
    pub fn end_capture(&mut self) {
        self.capture = None;
    }

    /// When there is more of a capture to be taken, if nothing happens until then.
    pub fn capture_deadline(&self) -> Time {
        self.capture.as_ref().map_or(Time::NEVER, Capture::deadline)
    }

    /// The next bytes of the capture: the frames of which everything is known `now`.
    pub fn take_captured(&mut self, now: Time) -> Vec<u8> {
        self.show_receptions(now, HandOver::All);
        self.capture.as_mut().map_or(Vec::new(), |capture| std::mem::take(capture.out()))
    }

    /// What nodes are to be told, in this order.
    pub fn take_messages(&mut self) -> Vec<(NodeId, FromEther)> {
        std::mem::take(&mut self.messages)
    }

    /// The number of the node that says `hello`, whose radio is on from `now` on.
    ///
    /// # Errors
    /// If there is no radio for it.
    pub fn switch_on(&mut self, now: Time, hello: Hello) -> Result<NodeId, NoRadio> {
        self.advance(now);
        let node = self.setup.addresses.number(hello.address);
        let Some(on) = self.on.get_mut(node.index()) else { return Err(NoRadio::Unknown) };
        if on.is_some() {
            return Err(NoRadio::Taken);
        }
        *on = Some(Wants { others: hello.promiscuous, air: hello.watches_air });
        self.medium.switch(node, Power::On, &mut below!(self));
        self.medium.set_promiscuous(node, hello.promiscuous);
        if hello.watches_air && !std::mem::replace(&mut self.metered[node.index()], true) {
            self.medium.watch_air(node);
        }
        Ok(node)
    }

    /// Node number `node` is gone: what its radio has is lost.
    pub fn switch_off(&mut self, now: Time, node: NodeId) {
        self.advance(now);
        self.on[node.index()] = None;
        self.medium.switch(node, Power::Off, &mut below!(self));
    }

    /// Node number `node`, whose radio is on, says something. Greetings and questions about the ether
    /// are not for the medium.
    pub fn tell(&mut self, now: Time, node: NodeId, message: ToEther) {
        self.advance(now);
        match message {
            ToEther::Offer(offer) => self.offer(node, &offer),
            ToEther::Withdraw => {
                if let Some(done) = self.medium.withdraw(node, FrameId::ONLY, &mut below!(self)) {
                    self.send(node, FromEther::Done(Done::of(&done)));
                }
            }
            ToEther::Mark => self.medium.mark(node, FrameId::ONLY),
            ToEther::AskAir => self.say_air(node),
            ToEther::Hello(_) | ToEther::AskStatus | ToEther::Capture => {}
        }
    }

    /// Time never goes back, and nothing comes from outside before what is due has happened.
    fn advance(&mut self, now: Time) {
        while self.step(now).is_some() {}
        self.now = self.now.max(now);
    }

    fn offer(&mut self, node: NodeId, offer: &Offer) {
        let at = node.index();
        let fits = (NETWORK_HEADER_LEN..=LONGEST_FRAME).contains(&offer.frame.len());
        let free = self.medium.is_free(node);
        if !fits || !free {
            self.counts[at].refused += 1;
            if free {
                self.send(node, FromEther::Done(Done::failed()));
            }
            return;
        }
        let number = self.offers[at];
        self.offers[at] = number.wrapping_add(1) & (u32::MAX >> 1);
        self.frames[at][number as usize % 2] = Some(offer.frame.as_slice().into());
        let behind = (offer.frame.len() - NETWORK_HEADER_LEN) as u32;
        let tag = Tag { source: node.0, number };
        let stand_in = Packet::new(FlowId::between(node, node), Payload::Virtual(behind), tag);
        let request = TxRequest {
            rate: offer.rate,
            contention: offer.contention,
            ..TxRequest::new(offer.to, stand_in)
        };
        self.medium.offer(node, &request, offer.class, &mut below!(self));
    }

    fn report(&mut self, reports: usize) {
        let mut told = Told::default();
        for _ in 0..reports {
            let (node, report) = self.medium.poll_report(self.now, &mut told);
            match report {
                Report::Hears => self.receive(node, &told.heard),
                Report::Done => self.send(node, FromEther::Done(Done::of(&told.done))),
                // of wires, which it has not
                _ => {}
            }
        }
    }

    fn receive(&mut self, node: NodeId, rx: &Rx) {
        let Tag { source, number } = rx.packet.tag;
        let Some(bytes) = &self.frames[source as usize][number as usize % 2] else { return };
        let heard = Reception {
            from: rx.from,
            heard: rx.heard,
            rate: rx.rate,
            signal: rx.signal,
            air_time: rx.air_time,
            marked: rx.packet.congestion_experienced,
            frame: bytes.to_vec(),
        };
        self.counts[node.index()].heard += 1;
        self.send(node, FromEther::Heard(heard));
    }

    /// Tell a node something, and before it how its radio has spent its time if it wants to know.
    fn send(&mut self, node: NodeId, message: FromEther) {
        let Some(wants) = self.on[node.index()] else { return };
        if wants.air {
            self.say_air(node);
        }
        self.messages.push((node, message));
    }

    fn say_air(&mut self, node: NodeId) {
        let air = self.medium.air(node, self.now);
        self.messages.push((node, FromEther::Air(air)));
    }

    /// What has become of frames by `now` is told to a capture, if there is one.
    fn show_receptions(&mut self, now: Time, which: HandOver) {
        let Air { medium, capture, .. } = self;
        medium.receptions(now, which, &mut |known| {
            if let Some(capture) = capture {
                capture.observe(now, &Observation::Receptions(known));
            }
        });
    }
}

/// A frame goes on the air `now`. Its bytes, which are among `frames`, are a packet, unless its sender has sealed it.
fn show(capture: &mut Capture<Vec<u8>>, now: Time, frame: Transmission<'_>, frames: &[[Bytes; 2]]) {
    let bytes = frame
        .tag()
        .and_then(|Tag { source, number }| frames[source as usize][number as usize % 2].as_deref());
    let packet = bytes.map(Packet::parse);
    let sealed = bytes.filter(|_| matches!(packet, Some(Err(_))));
    // what the MAC has is a stand-in
    let packet = packet.and_then(Result::ok).map(|packet| Packet { tag: Tag::NONE, ..packet });
    let frame = Transmission { packet: packet.as_ref(), ..frame };
    capture.transmitted(now, &frame, sealed);
}
