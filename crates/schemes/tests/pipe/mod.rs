//! A connection over a link of 10 Gbit/s with a constant delay that loses what it is told to lose.

#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;

use multihop_core::{
    Bytes, Cx, DropCause, Duration, Effect, End, EventKind, FlowId, Gauge, Message, NodeId, Packet,
    Params, Payload, Purpose, Rate, Rng, RouteNews, Scheme, Tag, Time, Transport, Value,
};

/// What happens to the packet that a sender puts on its way as its n-th, from 0.
pub type Path = Box<dyn FnMut(usize, &mut Packet) -> Fate>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Arrives,
    IsLost,
    IsDoubled,
}

pub struct Pipe {
    scheme: &'static Scheme,
    params: Params,
    /// Which life the source and the destination are in.
    pub lives: [u16; 2],
    pub sender: Box<dyn Transport>,
    pub sink: Box<dyn Transport>,
    pub now: Time,
    delay: Duration,
    /// Until when each direction of the link is busy.
    busy: [Time; 2],
    cx: Cx,
    on_their_way: BTreeMap<(Time, u64), (End, Packet)>,
    serial: u64,
    pub data_path: Path,
    pub ack_path: Path,
    /// How many messages the application has; it hands them over as the sender wants them.
    pub messages: u32,
    pub handed_over: u32,
    pub data_sent: usize,
    pub acks_sent: usize,
    pub delivered: Vec<u32>,
    /// Copies of messages: made, and gone.
    pub made: usize,
    pub gone: usize,
    pub lost: usize,
    pub windows: Vec<(Time, u32)>,
    pub round_trips: Vec<Duration>,
    pub acknowledged: u32,
    pub events: Vec<(Time, EventKind, u32)>,
    pub drops: Vec<DropCause>,
}

pub fn flow() -> FlowId {
    FlowId::between(NodeId(0), NodeId(1))
}

pub fn params(scheme: &'static Scheme, given: &[(&str, Value)]) -> Params {
    let given: Vec<_> =
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Params::new(scheme, &given, Rate(2_000_000)).expect("valid parameters")
}

impl Pipe {
    pub fn new(scheme: &'static Scheme, given: &[(&str, Value)], delay: Duration) -> Self {
        let params = params(scheme, given);
        Pipe {
            sender: (scheme.transport)(&params, flow(), End::Source),
            sink: (scheme.transport)(&params, flow(), End::Destination),
            scheme,
            params,
            lives: [0; 2],
            now: Time::ZERO,
            delay,
            busy: [Time::ZERO; 2],
            cx: Cx::new(NodeId(0), Rng::stream(1, NodeId(0), Purpose::Protocol)),
            on_their_way: BTreeMap::new(),
            serial: 0,
            data_path: Box::new(|_, _| Fate::Arrives),
            ack_path: Box::new(|_, _| Fate::Arrives),
            messages: u32::MAX,
            handed_over: 0,
            data_sent: 0,
            acks_sent: 0,
            delivered: Vec::new(),
            made: 0,
            gone: 0,
            lost: 0,
            windows: Vec::new(),
            round_trips: Vec::new(),
            acknowledged: 0,
            events: Vec::new(),
            drops: Vec::new(),
        }
    }

    fn call<R>(&mut self, end: End, handler: impl FnOnce(&mut dyn Transport, &mut Cx) -> R) -> R {
        let place = usize::from(end == End::Destination);
        self.cx.now = self.now;
        (self.cx.me, self.cx.incarnation) = (NodeId(place as u32), self.lives[place]);
        let transport = match end {
            End::Source => self.sender.as_mut(),
            End::Destination => self.sink.as_mut(),
        };
        let result = handler(transport, &mut self.cx);
        for effect in std::mem::take(&mut self.cx.effects) {
            match effect {
                Effect::Deliver(packet) => {
                    self.delivered.push(packet.tag.number);
                    self.gone += 1;
                }
                Effect::Drop(packet, cause) => {
                    self.gone += usize::from(packet.tag.is_data());
                    self.drops.push(cause);
                }
                Effect::Release(tag) => self.gone += usize::from(tag.is_data()),
                Effect::Accept(tag) => self.made += usize::from(tag.is_data()),
                Effect::Gauge(of, gauge) => {
                    assert_eq!(of, flow());
                    match gauge {
                        Gauge::Window(window) => self.windows.push((self.now, window)),
                        Gauge::RoundTrip(time) => self.round_trips.push(time),
                        Gauge::Acknowledged(segments) => self.acknowledged += segments,
                    }
                }
                Effect::Trace(event, _) => {
                    assert_eq!(event.flow, flow());
                    self.events.push((self.now, event.kind, event.sequence));
                }
                other => panic!("{other:?} is not for a transport"),
            }
        }
        result
    }

    /// Take from both ends what they want to send, and feed the application's data.
    fn settle(&mut self) {
        loop {
            while let Some(packet) = self.call(End::Source, |end, cx| end.poll_send(cx)) {
                assert_eq!(packet.flow, flow());
                self.data_sent += 1;
                let fate = |pipe: &mut Self, packet: &mut Packet| {
                    (pipe.data_path)(pipe.data_sent - 1, packet)
                };
                self.put(End::Destination, packet, fate);
            }
            while let Some(packet) = self.call(End::Destination, |end, cx| end.poll_send(cx)) {
                assert_eq!(packet.flow, flow().reverse());
                assert!(!packet.tag.is_data());
                self.acks_sent += 1;
                let fate = |pipe: &mut Self, packet: &mut Packet| {
                    (pipe.ack_path)(pipe.acks_sent - 1, packet)
                };
                self.put(End::Source, packet, fate);
            }
            if self.handed_over == self.messages || !self.sender.wants_message(true) {
                break;
            }
            self.write();
        }
    }

    /// The application sends one message.
    pub fn write(&mut self) {
        let tag = Tag { source: 0, number: self.handed_over };
        self.handed_over += 1;
        self.made += 1;
        let message = Message { payload: Payload::Virtual(1_000), tag };
        self.call(End::Source, |end, cx| end.on_message(cx, message));
    }

    fn put(
        &mut self,
        to: End,
        mut packet: Packet,
        fate: impl FnOnce(&mut Self, &mut Packet) -> Fate,
    ) {
        let data = usize::from(packet.tag.is_data());
        let fate = fate(self, &mut packet);
        let copies = match fate {
            Fate::Arrives => 1,
            Fate::IsDoubled => {
                self.made += data;
                2
            }
            Fate::IsLost => {
                self.gone += data;
                0
            }
        };
        for _ in 0..copies {
            let way = &mut self.busy[usize::from(to == End::Source)];
            // As in ns-2: 40 bytes of headers.
            let air_time = Rate(10_000_000_000).air_time(packet.payload.len() + Bytes(40));
            *way = (*way).max(self.now) + air_time;
            let arrival = *way + self.delay;
            self.serial += 1;
            self.on_their_way.insert((arrival, self.serial), (to, packet.clone()));
        }
    }

    /// The node of one end restarts, now.
    pub fn restart(&mut self, end: End) {
        let fresh = (self.scheme.transport)(&self.params, flow(), end);
        let (old, life) = match end {
            End::Source => (core::mem::replace(&mut self.sender, fresh), &mut self.lives[0]),
            End::Destination => (core::mem::replace(&mut self.sink, fresh), &mut self.lives[1]),
        };
        *life += 1;
        self.gone += old.backlog();
        self.settle();
    }

    /// Packets are neither lost without a cause nor made.
    fn check(&self) {
        let inside = self.sender.backlog() + self.sink.backlog();
        let outside = self.on_their_way.values().filter(|(_, packet)| packet.tag.is_data()).count();
        assert_eq!(self.made, self.gone + inside + outside, "books at {}", self.now);
        assert!(self.sender.deadline() > self.now && self.sink.deadline() > self.now);
    }

    /// Hand `packet` to one end, now.
    pub fn hand(&mut self, to: End, packet: Packet) {
        self.call(to, |end, cx| end.on_packet(cx, packet));
        self.settle();
        self.check();
    }

    /// Routing at the sender's node has news, now.
    pub fn tell(&mut self, news: RouteNews) {
        self.call(End::Source, |end, cx| end.on_route(cx, news));
        self.settle();
        self.check();
    }

    /// The next thing that happens, unless it is after `until`.
    pub fn step(&mut self, until: Time) -> bool {
        let arrival = self.on_their_way.keys().next().map_or(Time::NEVER, |(at, _)| *at);
        let next = arrival.min(self.sender.deadline()).min(self.sink.deadline());
        if next > until || next == Time::NEVER {
            return false;
        }
        self.now = next;
        if arrival == next {
            let (_, (to, packet)) = self.on_their_way.pop_first().expect("it has a key");
            self.call(to, |end, cx| end.on_packet(cx, packet));
            self.settle();
        }
        // A timer may run out at the nanosecond at which a packet arrives.
        if self.sender.deadline() <= next {
            self.call(End::Source, |end, cx| end.on_deadline(cx));
            self.settle();
        }
        if self.sink.deadline() <= next {
            self.call(End::Destination, |end, cx| end.on_deadline(cx));
            self.settle();
        }
        self.check();
        true
    }

    /// Everything up to and including `until`.
    pub fn run(&mut self, until: Time) {
        self.settle();
        self.check();
        while self.step(until) {}
        self.now = until;
    }

    pub fn count(&self, kind: EventKind) -> usize {
        self.events.iter().filter(|(_, one, _)| *one == kind).count()
    }
}
