//! Slotted ALOHA, as an example of a MAC: a node with a frame sends it in the next slot with a fixed probability.
//! There is no carrier sense, and nobody answers. A frame is decoded where nothing else arrives meanwhile, and where
//! the radio does not send itself.

use std::collections::VecDeque;
use std::rc::Rc;

use multihop_core::{
    AddressTable, Below, BitRate, Bytes, Capability, Duration, FrameClass, FrameId, Heard,
    LinkTiming, Medium, NodeId, Number, Outcome, Packet, Purpose, Rate, Receiver, Report, Rng, Rx,
    Span, Time, Told, Transmission, TxDone, TxRequest, Woken,
};
use multihop_medium::{Channel, OnAir};
use multihop_setup::{Hearing, Mac, Setup};

const RATE: BitRate = BitRate {
    name: "rate",
    about: "Rate of all frames",
    default: Rate(1_000_000),
    min: Rate(1_000),
    max: Rate(1_000_000_000),
};

const SLOT: Span = Span {
    name: "slot",
    about: "Length of a slot, at whose begin frames begin",
    bare_unit: "",
    default: Duration::from_millis(10),
    min: Duration::from_micros(1),
    max: Duration::from_millis(10_000),
};

const PERSISTENCE: Number = Number {
    name: "persistence",
    about: "Probability that a waiting frame is sent in a slot",
    unit: "",
    default: 0.25,
    min: 0.001,
    max: 1.0,
};

/// Slotted ALOHA.
pub static MAC: Mac = Mac {
    name: "aloha",
    title: "slotted ALOHA",
    source: "Roberts: ALOHA packet system with and without slots and capture, 1975",
    about: "Frames begin with a slot, whoever else sends; nobody answers",
    offers: &[Capability::Unicast, Capability::Withdrawal, Capability::Overhearing],
    words: &[],
    longest_packet: |_| Bytes(2_304),
    params: &[RATE.param(), SLOT.param(), PERSISTENCE.param()],
    otherwise: |_| Vec::new(),
    check: |_, _| Ok(()),
    floors: None,
    // nobody waits for others, and nothing is decoded where two frames meet
    hearing: Some(|_, _| Hearing {
        defers_from: f64::INFINITY,
        over_later: f64::INFINITY,
        over_earlier: f64::INFINITY,
        adds_up: false,
        noise: 0.0,
    }),
    hop: |values| {
        let overhead = values.get(SLOT).scaled(1.0 / values.get(PERSISTENCE) - 0.5);
        LinkTiming { overhead, ..LinkTiming::of_rate(values.get(RATE)) }
    },
    make: |setup| Box::new(Aloha::new(setup)),
};

/// A frame on the air.
struct Frame {
    from: NodeId,
    to: Receiver,
    class: FrameClass,
    packet: Packet,
    air_time: Duration,
}

impl OnAir for Frame {
    fn from(&self) -> NodeId {
        self.from
    }

    fn bytes(&self) -> Bytes {
        self.packet.len()
    }
}

/// A frame that arrives at a radio.
struct Incoming {
    frame: Rc<Frame>,
    end: Time,
    lost: bool,
}

/// The MAC of one node.
#[derive(Default)]
struct Station {
    waiting: Option<(TxRequest, FrameClass, Time)>,
    /// The slot in which it may be sent next.
    slot: Time,
    /// Until when its frame is on the air.
    sends_until: Option<Time>,
    incoming: Vec<Incoming>,
    promiscuous: bool,
}

/// All nodes on one channel.
struct Aloha {
    addresses: AddressTable,
    channel: Channel,
    rate: Rate,
    slot: Duration,
    persistence: f64,
    rng: Rng,
    stations: Vec<Station>,
    sent: Option<Rc<Frame>>,
    number: u32,
    reports: VecDeque<(NodeId, Event)>,
}

enum Event {
    Hears(Rx),
    Done(TxDone),
}

impl Aloha {
    fn new(setup: &Setup) -> Self {
        let radio = setup.medium.radio().expect("it goes over the radio");
        let values = &setup.medium.values;
        Aloha {
            addresses: setup.addresses.clone(),
            channel: Channel::new(&setup.nodes, radio.clone(), setup.seed),
            rate: values.get(RATE),
            slot: values.get(SLOT),
            persistence: values.get(PERSISTENCE),
            rng: Rng::stream(setup.seed, NodeId(0), Purpose::Mac),
            stations: setup.nodes.iter().map(|_| Station::default()).collect(),
            sent: None,
            number: 0,
            reports: VecDeque::new(),
        }
    }

    /// The next slot after `now`.
    fn next_slot(&self, now: Time) -> Time {
        Time::ZERO + self.slot * (now.since(Time::ZERO) / self.slot + 1)
    }

    fn reschedule(&self, node: NodeId, below: &mut Below) {
        let station = &self.stations[node.index()];
        let ends = station.incoming.iter().map(|incoming| incoming.end);
        let sends = match (station.sends_until, &station.waiting) {
            (Some(until), _) => until,
            (None, Some(_)) => station.slot,
            (None, None) => Time::NEVER,
        };
        below.wakes.set_below(node, ends.min().unwrap_or(Time::NEVER).min(sends));
    }

    /// The frame of `node` is over, whatever became of it.
    fn end(&mut self, node: NodeId, now: Time) {
        let station = &mut self.stations[node.index()];
        station.sends_until = None;
        let Some((request, _, since)) = station.waiting.take() else { return };
        let air_time = self.rate.air_time(request.packet.len());
        let done = request.done(Outcome::Sent, self.rate);
        let done = TxDone { service: now.since(since), air_time, ..done };
        self.reports.push_back((node, Event::Done(done)));
    }

    fn hear(&mut self, node: NodeId, now: Time) {
        let me = self.addresses.address(node);
        let station = &mut self.stations[node.index()];
        let (ended, under_way) =
            station.incoming.drain(..).partition(|incoming: &Incoming| incoming.end <= now);
        station.incoming = under_way;
        for Incoming { frame, .. } in ended.into_iter().filter(|incoming| !incoming.lost) {
            let heard = match frame.to {
                Receiver::Broadcast => Heard::Broadcast,
                Receiver::Node(to) if to == me => Heard::ForMe,
                _ if station.promiscuous => Heard::Overheard,
                _ => continue,
            };
            let (from, packet) = (self.addresses.address(frame.from), frame.packet.clone());
            let (rate, air_time) = (self.rate, frame.air_time);
            let rx = Rx { from, heard, rate, signal: None, air_time, packet };
            self.reports.push_back((node, Event::Hears(rx)));
        }
    }
}

impl Medium for Aloha {
    fn neighbours(&self) -> Vec<Vec<NodeId>> {
        self.channel.neighbours()
    }

    fn is_free(&self, node: NodeId) -> bool {
        self.stations[node.index()].waiting.is_none()
    }

    fn offer(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below,
    ) -> usize {
        let slot = self.next_slot(below.now);
        let station = &mut self.stations[node.index()];
        (station.waiting, station.slot) = (Some((request.clone(), class, below.now)), slot);
        self.reschedule(node, below);
        0
    }

    fn withdraw(&mut self, node: NodeId, _: FrameId, below: &mut Below) -> Option<TxDone> {
        let station = &mut self.stations[node.index()];
        if station.sends_until.is_some() {
            return None;
        }
        let (request, ..) = station.waiting.take()?;
        self.reschedule(node, below);
        Some(TxDone { attempts: 0, ..request.done(Outcome::Withdrawn, self.rate) })
    }

    fn on_deadline(&mut self, node: NodeId, below: &mut Below) -> Woken {
        let now = below.now;
        self.hear(node, now);
        let next = self.next_slot(now);
        let station = &mut self.stations[node.index()];
        let mut on_air = false;
        match station.sends_until {
            Some(until) if until <= now => self.end(node, now),
            None if station.waiting.is_some() && station.slot <= now => {
                station.slot = next;
                on_air = self.rng.chance(self.persistence);
            }
            _ => {}
        }
        self.reschedule(node, below);
        Woken { on_air, wins: false, reports: self.reports.len() }
    }

    fn transmit(&mut self, node: NodeId, below: &mut Below) -> usize {
        let now = below.now;
        let station = &mut self.stations[node.index()];
        let Some((request, class, _)) = &station.waiting else { return 0 };
        let (packet, air_time) = (request.packet.clone(), self.rate.air_time(request.packet.len()));
        let frame = Rc::new(Frame { from: node, to: request.to, class: *class, packet, air_time });
        station.sends_until = Some(now + air_time);
        station.incoming.iter_mut().for_each(|incoming| incoming.lost = true);
        self.number = self.number.wrapping_add(1);
        self.sent = Some(Rc::clone(&frame));
        let mut reached = Vec::new();
        let stations = &mut self.stations;
        self.channel.arrivals(&*frame, now, |arrival| {
            let station = &mut stations[arrival.to.index()];
            let meets = station.sends_until.is_some() || !station.incoming.is_empty();
            station.incoming.iter_mut().for_each(|incoming| incoming.lost = true);
            let (lost, end) = (meets || arrival.spoiled.is_some(), arrival.start + air_time);
            station.incoming.push(Incoming { frame: Rc::clone(&frame), end, lost });
            reached.push(arrival.to);
        });
        reached.into_iter().chain([node]).for_each(|node| self.reschedule(node, below));
        0
    }

    fn transmission(&self) -> Transmission<'_> {
        let frame = self.sent.as_ref().expect("a frame was put on the air");
        Transmission {
            number: self.number.wrapping_sub(1),
            from: frame.from,
            to: match frame.to {
                Receiver::Node(to) => Some(self.addresses.number(to)),
                Receiver::Pair(_) | Receiver::Broadcast => None,
            },
            class: frame.class,
            packet: Some(&frame.packet),
            bytes: frame.packet.len(),
            rate: self.rate,
            air_time: frame.air_time,
            wait: Duration::ZERO,
            reserved: Duration::ZERO,
            sequence: 0,
            aggregate: None,
        }
    }

    fn poll_report(&mut self, _now: Time, told: &mut Told) -> (NodeId, Report) {
        let (node, event) = self.reports.pop_front().expect("there is a report");
        match event {
            Event::Hears(rx) => {
                told.heard = rx;
                (node, Report::Hears)
            }
            Event::Done(done) => {
                told.done = done;
                (node, Report::Done)
            }
        }
    }

    fn set_promiscuous(&mut self, node: NodeId, on: bool) {
        self.stations[node.index()].promiscuous = on;
    }

    fn in_range(&self, node: NodeId, other: NodeId, now: Time) -> bool {
        self.channel.in_range(node, other, now)
    }
}
