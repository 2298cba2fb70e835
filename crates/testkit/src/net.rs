//! The network: nodes, what is between them, and the clock.

use multihop_core::{
    Bytes, Duration, FlowId, Heard, Hop, NodeId, Outcome, Purpose, Receiver, Rng, Routing, Rx,
    Time, TxDone, TxRequest,
};
use multihop_node::{Input, Node, Output, Wish};

use crate::sources::Sources;
use crate::station::{Below, Ends, Station};
use crate::{Air, Entry, Fate, Frame, Links, Log, Watch, done, heard, message};

/// How many of the last outputs a test that fails prints.
const LAST_WORDS: usize = 12;

/// A network in virtual time. A test drives it by hand ([`Net::tell`], [`Net::poll`], [`Net::start`],
/// [`Net::finish`], [`Net::wait`]), or lets it run ([`Net::run`]), or both.
pub struct Net {
    /// Now.
    pub now: Time,
    /// What has happened.
    pub log: Log,
    /// What is between the nodes.
    pub air: Air,
    seed: u64,
    stations: Vec<Station>,
    sources: Sources,
    /// Nodes that were told something since their MACs were last served.
    told: Vec<usize>,
    /// Nodes that have declined the frame that they heard last.
    declined: Vec<usize>,
    rng: Rng,
}

impl Net {
    /// A network without nodes; `links` say who will hear whom.
    pub fn new(links: Links, seed: u64) -> Self {
        Net {
            now: Time::ZERO,
            log: Log::default(),
            air: Air::new(links),
            seed,
            stations: Vec::new(),
            sources: Sources::default(),
            told: Vec::new(),
            declined: Vec::new(),
            rng: Rng::stream(seed, NodeId(u32::MAX), Purpose::Medium),
        }
    }

    /// The next node.
    pub fn add<H, R>(&mut self, hop: Watch<H>, routing: Watch<R>, ends: Ends)
    where
        H: Hop + ?Sized + 'static,
        R: Routing + ?Sized + 'static,
    {
        let me = NodeId(self.stations.len() as u32);
        self.stations.push(Station::new(self.seed, me, (hop, routing), ends));
    }

    /// Node `at` goes down with all that it has, and comes up as another.
    pub fn replace<H, R>(&mut self, at: usize, hop: Watch<H>, routing: Watch<R>, ends: Ends)
    where
        H: Hop + ?Sized + 'static,
        R: Routing + ?Sized + 'static,
    {
        self.stations[at] = Station::new(self.seed, NodeId(at as u32), (hop, routing), ends);
        self.told.push(at);
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.stations.len()
    }

    /// Node `at`.
    pub fn node(&self, at: usize) -> &Node {
        &self.stations[at].node
    }

    /// Some frames that the test gives to nodes are forged: what was no data may read as data.
    pub fn expect_forgeries(&mut self) {
        self.stations.iter().for_each(Station::expect_forgeries);
    }

    /// How many packets and messages are anywhere in the network or in front of it.
    pub fn remaining(&self) -> usize {
        let inside = self.stations.iter().map(|station| station.node.backlog());
        inside.sum::<usize>() + self.sources.left()
    }

    /// Whether node `at` has a frame below it.
    pub fn has_frame(&self, at: usize) -> bool {
        self.stations[at].below.is_some()
    }

    /// What becomes of frames; without it, all who are near hear all.
    pub fn decide(&mut self, fate: impl FnMut(&Frame, usize, &mut Rng) -> Fate + Send + 'static) {
        self.air.fate = Box::new(fate);
    }

    /// Which frames are not decoded.
    pub fn lose(&mut self, mut loss: impl FnMut(&Frame, usize, &mut Rng) -> bool + Send + 'static) {
        self.decide(
            move |frame, at, rng| {
                if loss(frame, at, rng) { Fate::Lost } else { Fate::Heard }
            },
        );
    }

    /// Tell a node something, and do what it answers.
    ///
    /// # Panics
    /// If its books do not balance then, or its deadline is in the past.
    pub fn tell(&mut self, at: usize, input: Input) {
        let served = matches!(input, Input::Deadline);
        let station = &mut self.stations[at];
        if matches!(input, Input::Message { .. }) {
            station.count_message();
        }
        if station.node.watches_air() {
            station.node.handle(self.now, Input::Air(station.air));
        }
        station.node.handle(self.now, input);
        self.drain(at);
        let station = &self.stations[at];
        station.balance();
        let deadline = station.node.deadline();
        assert!(deadline > self.now || !served, "n{at} does not serve its deadline {deadline:?}");
        self.told.push(at);
    }

    /// The application writes message `number` to `flow`, wanted or not.
    pub fn write(&mut self, flow: FlowId, number: u32) {
        let message = message(0, number);
        self.tell(flow.source.index(), Input::Message { flow, message });
    }

    /// The application has `count` more messages for `flow`, and hands them over as its transport wants
    /// them.
    pub fn offer(&mut self, flow: FlowId, count: u32) {
        self.sources.offer(flow, count);
        self.told.push(flow.source.index());
    }

    /// The application at the destination of `flow` takes packets from now on, or does not.
    pub fn sink(&mut self, flow: FlowId, ready: bool) {
        self.tell(flow.destination.index(), Input::Sink { flow, ready });
    }

    /// The MAC of node `at` gets no chance to begin until `until`.
    pub fn hold(&mut self, at: usize, until: Time) {
        self.stations[at].silent_until = until;
    }

    /// The MAC of node `at` is free, unless it has a frame.
    pub fn poll(&mut self, at: usize) {
        let station = &mut self.stations[at];
        if station.below.is_some() {
            return;
        }
        let request = station.node.poll_transmit(self.now);
        self.drain(at);
        if let Some(request) = request {
            let starts = self.now.max(self.stations[at].silent_until) + self.backoff();
            self.stations[at].below = Some(Below::new(request, self.now, starts));
        }
    }

    /// The frame of node `at`, if it has one, goes on the air: it cannot be withdrawn any more.
    pub fn start(&mut self, at: usize) {
        if self.stations[at].below.as_ref().is_none_or(|below| below.on_air.is_some()) {
            return;
        }
        self.gather(at);
        let Some(below) = &mut self.stations[at].below else { return };
        let mut until = self.now;
        for request in std::iter::once(&below.request).chain(&below.more) {
            let TxRequest { to, packet, .. } = request.clone();
            until += (self.air.air_time)(&packet);
            self.log.sent.push(Frame { at: self.now, from: at, to, packet });
        }
        below.on_air = Some((self.now, until));
    }

    /// The node may let more packets go with the one that its MAC has for a neighbour.
    fn gather(&mut self, at: usize) {
        while let Some(below) = &self.stations[at].below
            && let Receiver::Node(to) = below.request.to
            && self.air.acknowledges
            && 1 + below.more.len() < self.air.batch
        {
            let more = self.stations[at].node.poll_more(self.now, to, Bytes(u32::MAX));
            self.drain(at);
            let Some(more) = more else { break };
            assert_eq!(more.to, Receiver::Node(to), "what joins a batch goes where it goes");
            if let Some(below) = &mut self.stations[at].below {
                below.more.push(more);
            }
        }
    }

    /// The frame of node `at`, if it has one, has been on the air; `fate` says who near decodes it.
    pub fn finish(&mut self, at: usize, mut fate: impl FnMut(usize) -> Fate) {
        self.start(at);
        if self.stations[at].below.as_ref().is_some_and(Below::is_batch) {
            return self.finish_batch(at, fate);
        }
        let Some(Below { request, handed_over, on_air, .. }) = self.stations[at].below.take()
        else {
            return;
        };
        let air_time = on_air.map_or(Duration::ZERO, |(since, _)| self.now.since(since));
        let near = (0..self.nodes()).filter(|&other| self.air.links.are_near(at, other));
        let fates: Vec<_> = near.map(|node| (node, fate(node))).collect();
        let is_acknowledged = request.to != Receiver::Broadcast && self.air.acknowledges;
        let service = self.now.since(handed_over);
        self.stations[at].air.sending += air_time;
        for (node, _) in &fates {
            self.stations[*node].air.receiving += air_time;
        }
        // An acknowledgment comes behind its frame.
        if !is_acknowledged {
            let done = done(request.clone(), Outcome::Sent);
            self.tell(at, Input::TxDone(TxDone { service, air_time, ..done }));
        }
        self.declined.clear();
        for (node, _) in fates.iter().filter(|(_, fate)| *fate != Fate::Lost) {
            self.hear(*node, NodeId(at as u32), (&request, air_time));
        }
        if is_acknowledged {
            let outcome = self.outcome(&request, &fates);
            self.tell(at, Input::TxDone(TxDone { service, air_time, ..done(request, outcome) }));
        }
    }

    /// The batch of node `at` has been on the air, and each of its packets is decoded or not. What was not acknowledged, and was
    /// on the air for the first time, stays.
    fn finish_batch(&mut self, at: usize, mut fate: impl FnMut(usize) -> Fate) {
        let Some(below) = self.stations[at].below.take() else { return };
        let Below { request, more, repeated, handed_over, on_air, .. } = below;
        let batch = 1 + more.len();
        let air_time = on_air.map_or(Duration::ZERO, |(since, _)| self.now.since(since));
        let near: Vec<_> =
            (0..self.nodes()).filter(|&other| self.air.links.are_near(at, other)).collect();
        self.stations[at].air.sending += air_time;
        for node in &near {
            self.stations[*node].air.receiving += air_time;
        }
        let (mut ended, mut stays) = (Vec::new(), Vec::new());
        for (place, request) in std::iter::once(request).chain(more).enumerate() {
            let fates: Vec<_> = near.iter().map(|node| (*node, fate(*node))).collect();
            for (node, _) in fates.iter().filter(|(_, fate)| *fate != Fate::Lost) {
                self.hear(*node, NodeId(at as u32), (&request, air_time));
            }
            let outcome = self.outcome(&request, &fates);
            if outcome == Outcome::Failed && place >= repeated {
                stays.push(request);
            } else {
                ended.push(done(request, outcome));
            }
        }
        let starts = self.now.max(self.stations[at].silent_until) + self.backoff();
        let repeated = stays.len();
        let mut stays = stays.into_iter();
        self.stations[at].below = stays.next().map(|request| Below {
            more: stays.collect(),
            repeated,
            ..Below::new(request, handed_over, starts)
        });
        let (service, shared) = (self.now.since(handed_over), batch as u64);
        let share = Duration::from_nanos(air_time.nanos() / shared);
        for done in ended {
            let done = TxDone { service, air_time: share, batch: batch as u32, ..done };
            self.tell(at, Input::TxDone(done));
        }
    }

    fn hear(&mut self, node: usize, from: NodeId, (request, air_time): (&TxRequest, Duration)) {
        let how = match request.to {
            Receiver::Broadcast => Heard::Broadcast,
            Receiver::Node(to) if to.index() == node => Heard::ForMe,
            Receiver::Pair(pair) if pair.contains(&NodeId(node as u32)) => Heard::ForMe,
            Receiver::Node(_) | Receiver::Pair(_) => Heard::Overheard,
        };
        if how != Heard::Overheard || self.node(node).promiscuous() {
            let rx = heard(from, how, request.packet.clone());
            self.tell(node, Input::Heard(Rx { air_time, ..rx }));
        }
    }

    /// Let time pass; deadlines that have come meanwhile are served, late as it may be.
    pub fn wait(&mut self, span: Duration) {
        self.now += span;
        for at in 0..self.nodes() {
            self.serve_deadline(at);
        }
    }

    /// A part of node `at` may want something: its deadline is looked at.
    pub fn serve_deadline(&mut self, at: usize) {
        if self.node(at).deadline() <= self.now {
            self.tell(at, Input::Deadline);
        }
    }

    /// The first deadline of all nodes.
    pub fn deadline(&self) -> Time {
        self.stations.iter().map(|station| station.node.deadline()).min().unwrap_or(Time::NEVER)
    }

    /// Go on to the next event, if it lies before `until`.
    pub fn step(&mut self, until: Time) -> bool {
        self.serve();
        let next = |station: &Station| {
            let mac = station.below.as_ref().map_or(Time::NEVER, Below::next);
            mac.min(station.node.deadline())
        };
        let times = self.stations.iter().map(next).enumerate();
        let Some((at, time)) = times.min_by_key(|(_, time)| *time) else { return false };
        if time >= until {
            return false;
        }
        self.now = self.now.max(time);
        match &self.stations[at].below {
            Some(below) if below.next() > self.now => self.serve_deadline(at),
            Some(Below { on_air: Some(_), .. }) => self.end(at),
            Some(_) => self.begin(at),
            None => self.serve_deadline(at),
        }
        self.serve();
        true
    }

    /// Run until `until`, or until nothing is left to happen.
    pub fn run(&mut self, until: Time) {
        while self.step(until) {}
        self.now = self.now.max(until);
    }

    /// The frame of `at` goes on the air, unless someone whom it would disturb is transmitting.
    fn begin(&mut self, at: usize) {
        let others =
            (0..self.nodes()).filter(|&other| other != at && self.air.links.disturb(at, other));
        let ends = others.filter_map(|other| self.stations[other].below.as_ref()?.on_air);
        match ends.map(|(_, until)| until).max() {
            None => self.start(at),
            Some(free) => {
                let starts = free + self.backoff();
                if let Some(below) = &mut self.stations[at].below {
                    below.starts = starts;
                }
            }
        }
    }

    /// The frame of `at` is over.
    fn end(&mut self, at: usize) {
        let frame = self.log.sent.iter().rfind(|frame| frame.from == at).cloned();
        let frame = frame.expect("it was put on the air");
        let near: Vec<_> =
            (0..self.nodes()).filter(|&other| self.air.links.are_near(at, other)).collect();
        let fates: Vec<_> = near
            .into_iter()
            .map(|node| (node, (self.air.fate)(&frame, node, &mut self.rng)))
            .collect();
        self.finish(at, |node| {
            fates.iter().find(|(other, _)| *other == node).map_or(Fate::Lost, |(_, fate)| *fate)
        });
    }

    /// Applications and MACs of nodes that were told something.
    fn serve(&mut self) {
        while let Some(at) = self.told.pop() {
            for flow in self.sources.waiting_at(at) {
                while self.node(at).wish(flow) == Wish::Message
                    && let Some(message) = self.sources.next(flow)
                {
                    self.tell(at, Input::Message { flow, message });
                }
            }
            self.poll(at);
        }
    }

    fn backoff(&mut self) -> Duration {
        (self.air.access)(&mut self.rng)
    }

    fn drain(&mut self, at: usize) {
        while let Some(output) = self.stations[at].node.poll_output().cloned() {
            self.stations[at].count(&output);
            let withdraws = matches!(output, Output::Withdraw(_));
            if output == Output::Decline {
                self.declined.push(at);
            }
            self.log.said.push(Entry { at: self.now, node: at, output });
            if withdraws {
                self.withdraw(at);
            }
        }
    }

    /// How the transmission of `request` ends, which was to be acknowledged.
    fn outcome(&self, request: &TxRequest, fates: &[(usize, Fate)]) -> Outcome {
        let acknowledges = |to: NodeId| {
            fates.contains(&(to.index(), Fate::Heard)) && !self.declined.contains(&to.index())
        };
        let both = match request.to {
            Receiver::Node(to) => [acknowledges(to); 2],
            Receiver::Pair(pair) => pair.map(acknowledges),
            Receiver::Broadcast => return Outcome::Sent,
        };
        match both {
            [true, true] => Outcome::Acknowledged,
            [true, false] => Outcome::FirstAcknowledged,
            [false, true] => Outcome::SecondAcknowledged,
            [false, false] => Outcome::Failed,
        }
    }

    fn withdraw(&mut self, at: usize) {
        let below = self.stations[at].below.as_mut().expect("there is something to withdraw");
        assert!(!below.withdrawn, "one frame was withdrawn twice");
        below.withdrawn = true;
        if below.on_air.is_none()
            && below.repeated == 0
            && let Some(below) = self.stations[at].below.take()
        {
            self.tell(at, Input::TxDone(done(below.request, Outcome::Withdrawn)));
        }
    }
}

impl Drop for Net {
    /// Who fails says how to fail again.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let from = self.log.said.len().saturating_sub(LAST_WORDS);
            let words: Vec<String> =
                self.log.said[from..].iter().map(ToString::to_string).collect();
            let (seed, now) = (self.seed, self.now.nanos() / 1_000);
            eprintln!("a network of seed {seed} failed at {now} us, after\n{}", words.join("\n"));
        }
    }
}
