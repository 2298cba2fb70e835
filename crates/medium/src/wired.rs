//! Duplex links between neighbours, for comparison with the shared medium (CXCC figure 1b).
//!
//! Each direction of a link has its own drop-tail queue, so two opposite streams never meet.

use std::collections::VecDeque;

use multihop_core::{
    AddressTable, Below, BitRate, Bytes, Capability, Count, Decoded, DropCause, Duration, Fate,
    FrameClass, Heard, Length, LinkTiming, Medium, NodeId, Outcome, Packet, Rate, Receiver,
    Reception, Report, Rx, Span, Tag, Time, Told, Transmission, TxDone, TxRequest, Woken,
};
use multihop_setup::{Cells, LEAST_DISTANCE, Mac, Node, Setup};

const RATE: BitRate = BitRate {
    name: "rate",
    about: "Rate of each direction",
    default: Rate(1_000_000),
    min: Rate(1),
    max: Rate(u64::MAX),
};

const DELAY: Span = Span {
    name: "delay",
    about: "Propagation delay",
    bare_unit: "",
    default: Duration::from_millis(1),
    min: Duration::ZERO,
    max: Duration::from_nanos(u64::MAX),
};

const QUEUE: Count = Count {
    name: "queue",
    about: "Packets that a link's queue holds, the one being sent included",
    unit: "packets",
    default: 50,
    min: 1,
    max: u32::MAX,
};

/// Nodes at most this far apart are linked.
pub const NEIGHBOUR_RANGE: Length = Length {
    name: "neighbour_range",
    about: "Nodes at most this far apart are linked",
    default: 250.0,
    min: LEAST_DISTANCE,
    max: 1e9,
};

/// Duplex links between neighbours, with a drop-tail queue at each end.
pub static MAC: Mac = Mac {
    name: "wired",
    title: "wired",
    source: "CXCC 2.1, figure 1b",
    about: "A duplex link between any two neighbours, with a queue for each direction",
    // They accept every frame at once: none waits that could be withdrawn, and none fails. Nobody but its receiver
    // gets it.
    offers: &[Capability::Unicast, Capability::LinkAcknowledgment, Capability::Withdrawal],
    words: &[],
    longest_packet: |_| Bytes(65_535),
    params: &[RATE.param(), DELAY.param(), QUEUE.param(), NEIGHBOUR_RANGE.param()],
    otherwise: |_| Vec::new(),
    check: |_, _| Ok(()),
    floors: None,
    hearing: None,
    hop: |values| LinkTiming::of_rate(values.get(RATE)),
    make: |setup| Box::new(Wires::of(setup)),
};

/// What the values mean.
struct Settings {
    rate: Rate,
    delay: Duration,
    queue: usize,
}

/// One direction of a link.
struct Link {
    from: NodeId,
    /// When its transmitter is free.
    free_at: Time,
    /// What was accepted and has not arrived, in order.
    under_way: VecDeque<UnderWay>,
}

struct UnderWay {
    departs: Time,
    arrives: Time,
    packet: Packet,
    number: u32,
}

/// A frame that goes into a link.
struct Frame {
    number: u32,
    from: NodeId,
    to: NodeId,
    class: FrameClass,
    packet: Packet,
    bytes: Bytes,
    air_time: Duration,
    /// How long it waits in the link's queue before.
    wait: Duration,
}

/// What has happened and was not reported yet.
enum Event {
    Transmits(Frame),
    Keeps(Tag),
    Received(Reception),
    Hears(Rx),
    Leaves(Tag),
    Drops(Packet),
    Done(TxDone),
}

/// The links of a network.
pub struct Wires {
    settings: Settings,
    addresses: AddressTable,
    /// The links into each node.
    into: Vec<Vec<Link>>,
    /// How many frames went into links, or would have.
    transmitted: u32,
    events: VecDeque<(NodeId, Event)>,
    /// The frame that went into a link last.
    sent: Option<Frame>,
    /// Whether it is reported what becomes of frames.
    watched: bool,
}

impl Wires {
    /// The links of a run: one in each direction between any two nodes within range.
    pub fn of(setup: &Setup) -> Self {
        let values = &setup.medium.values;
        let settings = Settings {
            rate: values.get(RATE),
            delay: values.get(DELAY),
            queue: values.get(QUEUE) as usize,
        };
        let link = |from: NodeId| Link { from, free_at: Time::ZERO, under_way: VecDeque::new() };
        let into = |from: Vec<NodeId>| from.into_iter().map(link).collect();
        let neighbours = within_range(&setup.nodes, setup.medium.neighbour_range());
        let into = neighbours.into_iter().map(into).collect();
        Wires {
            settings,
            addresses: setup.addresses.clone(),
            into,
            transmitted: 0,
            events: VecDeque::new(),
            sent: None,
            watched: false,
        }
    }

    /// How long the frame waits in the link's queue; `None` if that is full.
    fn send(&mut self, frame: &Frame, below: &mut Below) -> Option<Duration> {
        let now = below.now;
        let into = self.into.get_mut(frame.to.index()).into_iter().flatten();
        let link = into.into_iter().find(|link| link.from == frame.from)?;
        let queued = link.under_way.iter().filter(|packet| packet.departs > now).count();
        if queued >= self.settings.queue {
            return None;
        }
        let begins = link.free_at.max(now);
        let departs = begins + frame.air_time;
        let arrives = departs + self.settings.delay;
        link.free_at = departs;
        let (packet, number) = (frame.packet.clone(), frame.number);
        link.under_way.push_back(UnderWay { departs, arrives, packet, number });
        self.reschedule(frame.to, below);
        Some(begins.since(now))
    }

    /// Put down what has arrived at `node`.
    fn arrive(&mut self, node: NodeId, now: Time) {
        let (settings, addresses) = (&self.settings, &self.addresses);
        for link in &mut self.into[node.index()] {
            while link.under_way.front().is_some_and(|packet| packet.arrives <= now) {
                let Some(arrived) = link.under_way.pop_front() else { break };
                let UnderWay { packet, number, .. } = arrived;
                let (heard, rate) = (Heard::ForMe, settings.rate);
                let (from, air_time) = (addresses.address(link.from), rate.air_time(packet.len()));
                if self.watched {
                    let fate = Fate::Decoded(Decoded::Addressed);
                    let (frame, end, certain, by) = (number, now, now, None);
                    let known = Reception { frame, node, end, certain, fate, by };
                    self.events.push_back((node, Event::Received(known)));
                }
                let tag = packet.tag;
                let rx = Rx { from, heard, rate, signal: None, air_time, packet };
                self.events.push_back((node, Event::Hears(rx)));
                self.events.push_back((node, Event::Leaves(tag)));
            }
        }
    }

    fn reschedule(&self, node: NodeId, below: &mut Below) {
        let first = |link: &Link| link.under_way.front().map(|packet| packet.arrives);
        let earliest = self.into[node.index()].iter().filter_map(first).min();
        below.wakes.set_below(node, earliest.unwrap_or(Time::NEVER));
    }
}

impl Medium for Wires {
    fn neighbours(&self) -> Vec<Vec<NodeId>> {
        let from = |links: &Vec<Link>| links.iter().map(|link| link.from).collect();
        self.into.iter().map(from).collect()
    }

    fn shares_air(&self) -> bool {
        false
    }

    fn is_free(&self, _node: NodeId) -> bool {
        true
    }

    /// Accept a frame at once; it leaves when those before it have left.
    fn offer(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below,
    ) -> usize {
        let targets: Vec<NodeId> = match request.to {
            Receiver::Node(to) => vec![self.addresses.number(to)],
            Receiver::Pair(pair) => pair.map(|to| self.addresses.number(to)).to_vec(),
            Receiver::Broadcast => self.into[node.index()].iter().map(|link| link.from).collect(),
        };
        let bytes = request.packet.len();
        let air_time = self.settings.rate.air_time(bytes);
        for to in targets {
            let (number, packet) = (self.transmitted, request.packet.clone());
            let (from, wait, tag) = (node, Duration::ZERO, packet.tag);
            let mut frame = Frame { number, from, to, class, packet, bytes, air_time, wait };
            let Some(wait) = self.send(&frame, below) else {
                self.events.push_back((node, Event::Keeps(tag)));
                self.events.push_back((node, Event::Drops(frame.packet)));
                continue;
            };
            frame.wait = wait;
            self.transmitted = number.wrapping_add(1);
            self.events.push_back((node, Event::Transmits(frame)));
            self.events.push_back((node, Event::Keeps(tag)));
        }
        let outcome = match request.to {
            Receiver::Node(_) | Receiver::Pair(_) => Outcome::Acknowledged,
            Receiver::Broadcast => Outcome::Sent,
        };
        let done = request.clone().done(outcome, self.settings.rate);
        self.events.push_back((node, Event::Done(done)));
        self.events.len()
    }

    fn on_deadline(&mut self, node: NodeId, below: &mut Below) -> Woken {
        self.arrive(node, below.now);
        self.reschedule(node, below);
        Woken { on_air: false, wins: false, reports: self.events.len() }
    }

    fn transmission(&self) -> Transmission<'_> {
        self.sent.as_ref().expect("a frame has gone into a link").transmission()
    }

    fn poll_report(&mut self, _now: Time, told: &mut Told) -> (NodeId, Report) {
        let (node, event) = self.events.pop_front().expect("there is a report");
        let report = match event {
            Event::Transmits(frame) => {
                self.sent = Some(frame);
                Report::Transmits
            }
            Event::Keeps(tag) => Report::Keeps(tag),
            Event::Received(reception) => Report::Received(reception),
            Event::Hears(rx) => {
                told.heard = rx;
                Report::Hears
            }
            Event::Leaves(tag) => Report::Leaves(tag),
            // The copy for the wire; the sender's own goes when its MAC is done with the packet.
            Event::Drops(packet) => {
                told.done.packet = packet;
                Report::Drops(DropCause::QueueFull)
            }
            Event::Done(done) => {
                told.done = done;
                Report::Done
            }
        };
        (node, report)
    }

    fn watch_receptions(&mut self, _sensed: bool) {
        self.watched = true;
    }
}

impl Frame {
    fn transmission(&self) -> Transmission<'_> {
        Transmission {
            number: self.number,
            from: self.from,
            to: Some(self.to),
            class: self.class,
            packet: Some(&self.packet),
            bytes: self.bytes,
            rate: Rate(0),
            air_time: self.air_time,
            wait: self.wait,
            reserved: Duration::ZERO,
            sequence: 0,
            aggregate: None,
        }
    }
}

fn within_range(nodes: &[Node], range: f64) -> Vec<Vec<NodeId>> {
    let place = |node: &Node| (node.x, node.y);
    let cells = Cells::new(nodes.iter().map(place), range);
    let mut candidates = Vec::new();
    let near = |(at, here): (usize, &Node)| {
        cells.near(place(here), &mut candidates);
        let linked = |&other: &usize| {
            let there = &nodes[other];
            let distance = libm::hypot(here.x - there.x, here.y - there.y);
            (other != at && distance <= range).then_some(NodeId(other as u32))
        };
        candidates.iter().filter_map(linked).collect()
    };
    nodes.iter().enumerate().map(near).collect()
}
