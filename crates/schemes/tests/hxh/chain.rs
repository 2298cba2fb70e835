//! A chain of five nodes in virtual time: one transmission at a time, a millisecond each, by
//! whoever of those that want is drawn. Its third node has a double beside it.

use std::collections::VecDeque;

use multihop_core::{
    Cx, Duration, Effect, End, Event, EventKind, Failed, FlowId, Heard, Hop, HopStep, Message,
    NodeId, Outcome, Packet, Params, Payload, Purpose, Rate, Receiver, Rng, RouteNews, Rx, Tag,
    Time, Transport, TxRequest, Verdict,
};
use multihop_schemes::hxh::{Header, Kind, SCHEME};

/// The chain, and the double.
const NODES: usize = 6;
const RELAY: usize = 2;
const DOUBLE: usize = 5;

/// How long routing searches.
const SEARCH: Duration = Duration::from_millis(40);

/// How often routing takes a link whose MAC gave up for broken, if it is not.
const BREAKS: f64 = 0.1;

/// What goes wrong, each with its probability.
#[derive(Clone, Copy, Debug)]
pub struct Odds {
    /// The MAC gives up, and the receiver has nothing.
    pub fails: f64,
    /// The node upstream overhears a transmission.
    pub overhears: f64,
    /// The MAC gives up although the receiver has the packet.
    pub doubts: f64,
    /// A route error reaches the source.
    pub errors_arrive: f64,
}

impl Odds {
    pub const GOOD: Odds = Odds { fails: 0.0, overhears: 0.9, doubts: 0.0, errors_arrive: 1.0 };
}

/// What happens once.
#[derive(Clone, Copy, Debug)]
pub enum Mishap {
    /// The relay in the middle and its double trade places, with what they have.
    Swap,
    /// A relay forgets everything.
    Restart(usize),
    /// The destination's transport begins another life.
    RestartDestination,
    /// Routing at this place of the chain loses the way to the destination.
    BreakRoute(usize),
    /// For so many milliseconds the relays lose every NACK.
    LoseNacks(u64),
    /// For so many milliseconds nobody hears the relay in the middle.
    Silence(u64),
}

struct Node {
    hop: Box<dyn Hop>,
    has_route: bool,
    below: Option<TxRequest>,
}

pub struct Chain {
    nodes: Vec<Node>,
    /// The nodes in their places.
    path: [usize; 5],
    source: Box<dyn Transport>,
    destination: Box<dyn Transport>,
    /// What routing at the source holds, and until when.
    held: VecDeque<Packet>,
    found_at: Time,
    pub now: Time,
    cx: Cx,
    rng: Rng,
    odds: Odds,
    nacks_lost_until: Time,
    silent_until: Time,
    /// Which life of the destination it is, and what comes next to it.
    life: u16,
    delivered: u32,
    transmitted: Vec<(Kind, usize)>,
    events: Vec<Event>,
    pub nacks_made: usize,
    pub nacks_lost: usize,
    /// Packets that were with a relay when it left.
    pub lost: usize,
    /// Data that a scheduler has given up.
    pub dropped: usize,
}

fn flow() -> FlowId {
    FlowId::between(NodeId(0), NodeId(4))
}

fn params() -> Params {
    Params::new(&SCHEME, &[], Rate(54_000_000)).expect("the defaults are valid")
}

impl Chain {
    pub fn new(seed: u64, odds: Odds) -> Self {
        let node = |_| Node { hop: (SCHEME.hop)(&params()), has_route: true, below: None };
        Chain {
            nodes: (0..NODES).map(node).collect(),
            path: [0, 1, RELAY, 3, 4],
            source: (SCHEME.transport)(&params(), flow(), End::Source),
            destination: (SCHEME.transport)(&params(), flow(), End::Destination),
            held: VecDeque::new(),
            found_at: Time::NEVER,
            now: Time::ZERO,
            cx: Cx::new(NodeId(0), Rng::stream(seed, NodeId(0), Purpose::Protocol)),
            rng: Rng::stream(seed, NodeId(0), Purpose::Other),
            odds,
            nacks_lost_until: Time::ZERO,
            silent_until: Time::ZERO,
            life: 0,
            delivered: 0,
            transmitted: Vec::new(),
            events: Vec::new(),
            nacks_made: 0,
            nacks_lost: 0,
            lost: 0,
            dropped: 0,
        }
    }

    /// How many packets of this kind were received by a next hop.
    pub fn sent(&self, kind: Kind) -> usize {
        self.transmitted.iter().filter(|(one, _)| *one == kind).count()
    }

    pub fn count(&self, kind: EventKind) -> usize {
        self.events.iter().filter(|event| event.kind == kind).count()
    }

    fn call<R>(&mut self, at: usize, handler: impl FnOnce(&mut dyn Hop, &mut Cx) -> R) -> R {
        (self.cx.now, self.cx.me) = (self.now, NodeId(at as u32));
        let result = handler(self.nodes[at].hop.as_mut(), &mut self.cx);
        for effect in std::mem::take(&mut self.cx.effects) {
            match effect {
                Effect::Accept(tag) => {
                    assert!(!tag.is_data());
                    self.nacks_made += 1;
                }
                Effect::Drop(packet, _) => self.dropped += usize::from(packet.tag.is_data()),
                Effect::Trace(event, _) => self.events.push(event),
                _ => {}
            }
        }
        result
    }

    fn end<R>(&mut self, end: End, handler: impl FnOnce(&mut dyn Transport, &mut Cx) -> R) -> R {
        let (transport, me, life) = match end {
            End::Source => (self.source.as_mut(), flow().source, 0),
            End::Destination => (self.destination.as_mut(), flow().destination, self.life),
        };
        (self.cx.now, self.cx.me, self.cx.incarnation) = (self.now, me, life);
        let result = handler(transport, &mut self.cx);
        self.cx.incarnation = 0;
        for effect in std::mem::take(&mut self.cx.effects) {
            match effect {
                Effect::Deliver(packet) => {
                    let number = packet.tag.number;
                    // A later life goes on somewhere, and the last hop may count over what the one before had.
                    let next = self.delivered;
                    let is_next = if self.life == 0 { number == next } else { number >= next };
                    assert!(is_next, "once and in order: {number} in place of {next}");
                    self.delivered = number + 1;
                }
                Effect::Trace(event, _) => self.events.push(event),
                _ => {}
            }
        }
        result
    }

    /// Send so many messages while `mishaps` happen, until the source knows that all have arrived.
    pub fn transfer(&mut self, messages: u32, mishaps: &[(Duration, Mishap)]) {
        let mut written = 0;
        let mut mishaps = mishaps.iter().peekable();
        let end = Time::ZERO + Duration::from_millis(3_600_000);
        while written < messages || self.source.backlog() > 0 {
            assert!(self.now < end, "{} of {messages} have arrived", self.delivered);
            while written < messages && self.source.wants_message(true) {
                let tag = Tag { source: 0, number: written };
                written += 1;
                let message = Message { payload: Payload::Virtual(1_024), tag };
                self.end(End::Source, |end, cx| end.on_message(cx, message));
            }
            while let Some((_, mishap)) =
                mishaps.next_if(|(after, _)| Time::ZERO + *after <= self.now)
            {
                self.suffer(*mishap);
            }
            self.settle();
            self.transmit_one();
            self.now += Duration::from_millis(1);
            self.run_timers();
        }
        assert!(self.life > 0 || self.delivered == messages);
    }

    fn place(&self, node: usize) -> Option<usize> {
        self.path.iter().position(|known| *known == node)
    }

    fn suffer(&mut self, mishap: Mishap) {
        match mishap {
            Mishap::Swap => {
                let leaves = self.path[RELAY];
                self.lost += self.nodes[leaves].hop.backlog();
                self.path[RELAY] = if leaves == RELAY { DOUBLE } else { RELAY };
            }
            Mishap::Restart(place) => {
                let node = &mut self.nodes[self.path[place]];
                node.hop = (SCHEME.hop)(&params());
                node.below = None;
            }
            Mishap::RestartDestination => {
                self.destination = (SCHEME.transport)(&params(), flow(), End::Destination);
                (self.life, self.delivered) = (self.life + 1, 0);
            }
            Mishap::BreakRoute(place) => self.lose_route(place),
            Mishap::LoseNacks(ms) => {
                self.nacks_lost_until = self.now + Duration::from_millis(ms);
            }
            Mishap::Silence(ms) => self.silent_until = self.now + Duration::from_millis(ms),
        }
    }

    /// Routing at a place has lost the way. It tells its own node, and with luck the source.
    fn lose_route(&mut self, place: usize) {
        let node = self.path[place];
        if std::mem::replace(&mut self.nodes[node].has_route, false) {
            self.call(node, |hop, cx| hop.on_route(cx, RouteNews::Lost(flow().destination)));
        }
        self.report(place);
    }

    fn report(&mut self, place: usize) {
        if place == 0 || self.rng.chance(self.odds.errors_arrive) {
            let lost = RouteNews::Lost(flow().destination);
            if std::mem::replace(&mut self.nodes[0].has_route, false) && place > 0 {
                self.call(0, |hop, cx| hop.on_route(cx, lost));
            }
            self.end(End::Source, |end, cx| end.on_route(cx, lost));
        }
    }

    /// Routing at the source has found a way, and gives back what it has held.
    fn find_route(&mut self) {
        self.found_at = Time::NEVER;
        for node in &mut self.nodes {
            node.has_route = true;
        }
        self.call(0, |hop, cx| {
            hop.on_route(cx, RouteNews::Found { destination: flow().destination, hops: 1 });
        });
        let next = NodeId(self.path[1] as u32);
        while let Some(packet) = self.held.pop_front() {
            self.call(0, |hop, cx| hop.on_enqueue(cx, packet, next));
        }
    }

    fn enqueue(&mut self, at: usize, packet: Packet) {
        let place = self.place(at).expect("in the chain");
        if let Some(next) = self.nodes[at].hop.way(&packet) {
            return self.call(at, |hop, cx| hop.on_enqueue(cx, packet, next));
        }
        if packet.flow.is_reverse() {
            let next = NodeId(self.path[place - 1] as u32);
            self.call(at, |hop, cx| hop.on_enqueue(cx, packet, next));
        } else if self.nodes[at].has_route {
            let next = NodeId(self.path[place + 1] as u32);
            self.call(at, |hop, cx| hop.on_enqueue(cx, packet, next));
        } else if place == 0 {
            self.held.push_back(packet);
            self.found_at = self.found_at.min(self.now + SEARCH);
        } else {
            // 3.2.3: the error is announced again.
            self.call(at, |hop, cx| hop.on_unroutable(cx, packet));
            self.report(place);
        }
    }

    /// What the schedulers and the transports want.
    fn settle(&mut self) {
        for place in 0..self.path.len() {
            let at = self.path[place];
            while let Some(step) = self.call(at, |hop, cx| hop.poll(cx)) {
                match step {
                    HopStep::Reroute(packet) => self.enqueue(at, packet),
                    HopStep::HandUp(packet) => {
                        self.end(End::Source, |end, cx| end.on_packet(cx, packet));
                    }
                    HopStep::Hear(_) | HopStep::Arrive(..) => {
                        unreachable!("HxH codes and spreads nothing")
                    }
                }
            }
        }
        let ends = [(End::Source, 0, flow()), (End::Destination, 4, flow().reverse())];
        for (end, at, outgoing) in ends {
            while self.nodes[at].hop.admits(outgoing)
                && let Some(packet) = self.end(end, |transport, cx| transport.poll_send(cx))
            {
                self.nacks_made += usize::from(kind(&packet) == Kind::Nack);
                self.enqueue(at, packet);
            }
        }
    }

    fn transmit_one(&mut self) {
        for place in 0..self.path.len() {
            let at = self.path[place];
            if self.nodes[at].below.is_none() {
                self.nodes[at].below = self.call(at, |hop, cx| hop.poll_transmit(cx));
            }
        }
        let ready: Vec<usize> =
            self.path.iter().copied().filter(|at| self.nodes[*at].below.is_some()).collect();
        if ready.is_empty() {
            return;
        }
        let at = ready[self.rng.below(ready.len() as u32) as usize];
        let request = self.nodes[at].below.take().expect("just seen");
        self.transmit(at, &request);
    }

    fn is_silent(&self, node: usize) -> bool {
        self.place(node).is_none_or(|place| place == RELAY && self.now < self.silent_until)
    }

    fn transmit(&mut self, at: usize, request: &TxRequest) {
        let Receiver::Node(to) = request.to else { panic!("no broadcast in this chain") };
        let to = to.index();
        let fails = self.is_silent(to) || self.is_silent(at) || self.rng.chance(self.odds.fails);
        let in_doubt = !fails && self.rng.chance(self.odds.doubts);
        let outcome = if fails || in_doubt { Outcome::Failed } else { Outcome::Acknowledged };
        let done = request.clone().done(outcome, Rate(1_000_000));
        let failed = self.call(at, |hop, cx| hop.on_tx_done(cx, &done));
        if let Some(Failed::Kept(destination)) = failed
            && destination == flow().destination
            && let Some(place) = self.place(at)
            && (self.is_silent(to) || self.rng.chance(BREAKS))
        {
            self.lose_route(place);
        }
        if fails {
            return;
        }
        let from = NodeId(at as u32);
        let place = self.place(at).expect("in the chain");
        if place > 0 && self.path[place - 1] != to && self.rng.chance(self.odds.overhears) {
            let upstream = self.path[place - 1];
            let rx = received(from, Heard::Overheard, &request.packet);
            let verdict = self.call(upstream, |hop, cx| hop.on_heard(cx, &rx));
            assert_eq!(verdict, Verdict::Done);
        }
        self.receive(to, &received(from, Heard::ForMe, &request.packet));
    }

    fn receive(&mut self, at: usize, rx: &Rx) {
        let kind = kind(&rx.packet);
        if kind == Kind::Nack && self.now < self.nacks_lost_until {
            self.nacks_lost += 1;
            return;
        }
        self.transmitted.push((kind, at));
        if self.call(at, |hop, cx| hop.on_heard(cx, rx)) == Verdict::Done {
            return;
        }
        let packet = rx.packet.clone();
        if at == packet.flow.destination.index() {
            self.call(at, |hop, cx| hop.on_consumed(cx, &packet, rx.from));
            let end = if at == 0 { End::Source } else { End::Destination };
            self.end(end, |transport, cx| transport.on_packet(cx, packet));
        } else {
            self.enqueue(at, packet);
        }
    }

    fn run_timers(&mut self) {
        for at in 0..NODES {
            if self.nodes[at].hop.deadline() <= self.now {
                self.call(at, |hop, cx| hop.on_deadline(cx));
                assert!(self.nodes[at].hop.deadline() > self.now, "a deadline in the past");
            }
        }
        for end in [End::Source, End::Destination] {
            let due = |transport: &dyn Transport, now| transport.deadline() <= now;
            let is_due = match end {
                End::Source => due(self.source.as_ref(), self.now),
                End::Destination => due(self.destination.as_ref(), self.now),
            };
            if is_due {
                self.end(end, |transport, cx| transport.on_deadline(cx));
            }
        }
        if self.found_at <= self.now {
            self.find_route();
        }
    }
}

fn kind(packet: &Packet) -> Kind {
    Header::of(packet).expect("an HxH packet").kind
}

fn received(from: NodeId, heard: Heard, packet: &Packet) -> Rx {
    Rx {
        rate: Rate(1_000_000),
        signal: None,
        from,
        heard,
        air_time: Duration::ZERO,
        packet: packet.clone(),
    }
}
