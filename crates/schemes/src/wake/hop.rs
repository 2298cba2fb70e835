//! Custody, and upstream first (rules 1, 2 and 4).

use multihop_core::{
    Bytes, Cx, DropCause, Duration, EventKind, Failed, FlowId, Heard, Hop, HopStep, NodeId,
    Outcome, Packet, RouteNews, Rx, Time, TxDone, TxRequest, Verdict,
};

use super::coded::WAKE_CODED;
use super::flow::{Below, Flow, InCustody};
use super::header::{HEADER_LEN, Header};
use super::source::Path;
use super::state::{LONGEST_SEARCH, Wake};
use crate::parts::probing::Probe;

impl Wake {
    /// A packet for this node, or through it.
    fn on_data(&mut self, cx: &mut Cx, rx: &Rx, header: &Header) -> Verdict {
        let Packet { flow: id, tag, .. } = rx.packet;
        if !self.make_room(id) {
            return Verdict::Refuse(DropCause::TooManyFlows);
        }
        let settings = self.settings;
        let limit = settings.queue_limit;
        let flow = self.flow(id);
        flow.seen = cx.now;
        if !flow.takes(header.sequence, &settings) {
            cx.trace(EventKind::DuplicateIgnored, id, header.sequence.into(), tag);
            return Verdict::Done;
        }
        if id.destination != cx.me && flow.packets.len() >= limit {
            return Verdict::Refuse(DropCause::QueueFull);
        }
        if self.settings.coding && id.destination != cx.me {
            self.coding.on_came(cx.now, rx, header);
        }
        Verdict::Accept
    }

    /// What the hop took for the frame that `done` is about, without contention, with so many link
    /// acknowledgments: `T`. Of a batch, each packet has an equal share of the air.
    pub(super) fn hop_time(&self, done: &TxDone, acknowledgments: u64) -> Duration {
        let frames = u64::from(done.attempts.max(1));
        let air_time = Duration::from_nanos(done.air_time.nanos() / frames);
        let whole = air_time * u64::from(done.batch.max(1));
        whole + self.settings.link_acknowledgment * acknowledgments
    }

    /// The next hop has the packet, for which a hop took `hop`.
    pub(super) fn passed_on(&mut self, cx: &mut Cx, packet: &Packet, hop: Duration, below: Below) {
        cx.release(packet);
        let period = self.period(cx.now, below.flow);
        if below.goes_first {
            self.keep_clear_of(cx.now, below.flow, hop);
        }
        let Some(since) = self.exchange.passed_on(cx.now, &below) else { return };
        let Wake { settings, flows, .. } = self;
        let Some(flow) = flows.iter_mut().find(|flow| flow.id == below.flow) else { return };
        flow.passed_on(cx.now, since, hop, settings);
        if below.flow.source == cx.me {
            let path = Path {
                period,
                natural: flow.natural(hop, settings),
                hop: hop + settings.hold,
                is_long: flow.is_long(),
                is_single: flow.to_go == Some(1),
                clearance: flow.clearance(hop, settings),
            };
            let until = flow.source.on_passed(cx.now, path, settings);
            flow.clear_until = flow.clear_until.max(until);
        }
    }

    /// The MAC has given the packet up, which stays (rules 1 and 4).
    pub(super) fn given_up(&mut self, cx: &mut Cx, packet: Packet, below: Below) -> Option<Failed> {
        if let Some(ready) = self.exchange.gave_up(cx.now, &below) {
            self.put_back(Below { failures: below.failures + 1, ..below }, packet, ready);
            return None;
        }
        let settings = &self.settings;
        let growth =
            (0..below.failures.min(4)).fold(1.0, |product, _| product * settings.pause_growth);
        let pause = settings.pause.scaled(growth * (1.0 + cx.rng.unit()));
        let pause = pause.max(self.probing.pause(cx.now.since(below.since)));
        let destination = packet.flow.destination;
        let failures = below.failures + 1;
        let is_alarming = failures.is_multiple_of(settings.alarm);
        self.exchange.pauses(cx.now, &below, cx.now + pause);
        self.put_back(Below { failures, ..below }, packet, cx.now + pause);
        is_alarming.then_some(Failed::Kept(destination))
    }

    /// The packet is the head of its flow again, and may contend from `ready` on.
    pub(super) fn put_back(&mut self, below: Below, packet: Packet, ready: Time) {
        let first = self.exchange.first;
        self.flow(below.flow).put_back(below.back(packet, ready), first);
    }

    /// The head of the flow `id`, with its header, as it goes to the MAC.
    pub(super) fn take_head(&mut self, now: Time, id: FlowId) -> Option<(Packet, Below)> {
        let period = self.period(now, id);
        let turn = self.exchange.take();
        // The second head of a frame of two is of another flow, and of no batch.
        let begins = self.below.is_empty();
        let joins = self.below.iter().any(|below| below.flow == id);
        if begins {
            self.exchange.in_wave = None;
        }
        let Wake { settings, flows, probing, exchange, .. } = self;
        let flow = flows.iter_mut().find(|flow| flow.id == id)?;
        let need = flow.need(now, settings, probing);
        let since = flow.could_go().unwrap_or(now);
        let mut held = flow.packets.pop_front()?;
        if held.since.is_none() && held.packet.hops() == 0 {
            let waited = held.ready < flow.clear_until;
            held.in_wave = exchange.in_wave.filter(|_| joins).unwrap_or_else(|| {
                let follows = flow.source.on_offer(now, waited, held.goes_first, settings);
                follows && flow.is_long()
            });
            if begins || joins {
                exchange.in_wave = Some(held.in_wave);
            }
        }
        let InCustody { next, sequence, in_wave, left, goes_first, failures, .. } = held;
        flow.in_mac_since.get_or_insert(since);
        let header =
            Header { to_go: flow.to_go, in_wave, left, goes_first, sequence, need, period };
        header.write(&mut held.packet);
        let flow = id;
        let below =
            Below { turn, flow, next, sequence, in_wave, left, goes_first, since, failures };
        Some((held.packet, below))
    }
}

impl Hop for Wake {
    /// The source hands down a packet when its queue of the flow is empty, or holds less than a batch.
    fn admits(&self, flow: FlowId) -> bool {
        let Ok(at) = self.position(flow) else { return true };
        let known = &self.flows[at];
        let here = known.packets.len() + self.count_below(flow);
        here < self.settings.batch && known.searching.is_none()
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.now = cx.now;
        self.enqueue(cx, packet, next);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        self.now = cx.now;
        self.probing.on_heard(rx.from);
        self.on_signal(cx.now, rx);
        if rx.packet.headers.first() == WAKE_CODED {
            self.on_coded(cx, rx);
            return Verdict::Done;
        }
        let Ok(header) = Header::of(&rx.packet) else {
            cx.trace(EventKind::Malformed, rx.packet.flow, 0, rx.packet.tag);
            return Verdict::Done;
        };
        self.learn(cx, rx, &header);
        match rx.heard {
            Heard::ForMe => self.on_data(cx, rx, &header),
            Heard::Overheard | Heard::Broadcast => Verdict::Done,
        }
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        self.now = cx.now;
        let below = self.take_below(&done.packet)?;
        let stays = self.has_below(below.flow);
        let passed = matches!(done.outcome, Outcome::Acknowledged | Outcome::Sent);
        let flow = self.flow(below.flow);
        if !stays {
            flow.in_mac_since = None;
        } else if passed {
            // What is repeated of a batch waits for an exchange of its own.
            flow.in_mac_since = Some(cx.now);
        }
        if let Some(pair) = self.coding.below.take() {
            self.on_pair_done(cx, done, below, pair);
            return None;
        }
        match done.outcome {
            Outcome::Acknowledged | Outcome::Sent => {
                self.probing.on_heard(below.next);
                let hop = self.hop_time(done, 1);
                self.passed_on(cx, &done.packet, hop, below);
                None
            }
            Outcome::Failed | Outcome::FirstAcknowledged | Outcome::SecondAcknowledged => {
                if self.exchange.gave_up(cx.now, &below).is_none() {
                    let probe = Probe { to: below.next, since: None };
                    self.probing.on_sent(cx.now, probe);
                }
                self.given_up(cx, done.packet.clone(), below)
            }
            Outcome::Withdrawn => {
                self.put_back(below, done.packet.clone(), cx.now);
                None
            }
        }
    }

    /// Relays give back what waits for it; a source keeps its packets, and asks for another way.
    fn on_neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        self.now = cx.now;
        let mut lost = Vec::new();
        for flow in &mut self.flows {
            let (away, kept): (Vec<_>, Vec<_>) =
                flow.packets.drain(..).partition(|held| held.next == next);
            flow.packets = kept.into();
            if flow.id.source == cx.me {
                flow.is_lost |= !away.is_empty();
                flow.packets.extend(away);
            } else {
                lost.extend(away.into_iter().map(|held| held.packet));
            }
        }
        lost
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.now = cx.now;
        let destination = news.destination();
        for flow in self.flows.iter_mut().filter(|flow| flow.id.destination == destination) {
            match news {
                RouteNews::Found { hops, .. } | RouteNews::Changed { hops, .. } => {
                    flow.to_go = u8::try_from(hops).ok();
                    flow.searching = None;
                }
                RouteNews::Lost(_) => flow.is_lost |= flow.id.source == cx.me,
            }
        }
    }

    fn poll(&mut self, cx: &mut Cx) -> Option<HopStep> {
        if let Some(rx) = self.coding.decoded.take() {
            return Some(HopStep::Hear(rx));
        }
        let lost = |flow: &&mut Flow| flow.is_lost && !flow.packets.is_empty();
        let flow = self.flows.iter_mut().find(lost)?;
        let held = flow.packets.pop_front()?;
        let more = self.settings.batch > 1 && !flow.packets.is_empty();
        (flow.is_lost, flow.searching) = (more, Some(cx.now));
        Some(HopStep::Reroute(held.packet))
    }

    fn on_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        if let Some(flow) = self.find(packet.flow) {
            (flow.searching, flow.seen) = (None, cx.now);
        }
        cx.drop(packet, DropCause::NoRoute);
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.now = cx.now;
        for flow in &mut self.flows {
            flow.searching = flow.searching.filter(|since| cx.now < *since + LONGEST_SEARCH);
        }
    }

    fn deadline(&self) -> Time {
        // What could go already waits for the MAC, not for the time.
        let is_free = self.below.is_empty();
        let may_go = |flow: &Flow| is_free.then(|| self.eligible(flow)).filter(|at| self.now < *at);
        let searched = |flow: &Flow| flow.searching.map(|since| since + LONGEST_SEARCH);
        let times = self.flows.iter().flat_map(|flow| [may_go(flow), searched(flow)]);
        times.flatten().min().unwrap_or(Time::NEVER)
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        self.now = cx.now;
        if !self.below.is_empty() {
            return None;
        }
        let may_go = |flow: &&Flow| self.eligible(flow) <= cx.now;
        let id = self.flows.iter().filter(may_go).min_by_key(|flow| flow.served)?.id;
        let partner = self.partner(cx.now, id);
        let (packet, below) = self.take_head(cx.now, id)?;
        self.exchange.begin(&below);
        self.below.push(below);
        let contention = Some(self.settings.contention);
        Some(TxRequest { contention, ..self.request(cx, packet, below, partner) })
    }

    fn poll_more(&mut self, cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        self.now = cx.now;
        let id = self.joining(cx.now, to, room)?;
        let (packet, below) = self.take_head(cx.now, id)?;
        self.below.push(below);
        let contention = Some(self.settings.contention);
        let request = self.request(cx, packet, below, None);
        Some(TxRequest { contention, ..request })
    }

    fn backlog(&self) -> usize {
        let waiting: usize = self.flows.iter().map(|flow| flow.packets.len()).sum();
        waiting + self.below.len() + self.coding.backlog()
    }

    fn footprint(&self) -> usize {
        let heard = self.surroundings.len() + self.fading.len();
        let heard = heard + self.probing.len();
        self.backlog() + self.flows.len() + heard + self.coding.footprint()
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
