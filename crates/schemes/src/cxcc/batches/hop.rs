//! The hop protocol of one node.

use std::collections::VecDeque;

use multihop_core::{
    Bytes, Claim, Cx, DropCause, EventKind, Failed, FlowId, FrameClass, FrameId, Heard, Hop,
    NodeId, Numbering, Outcome, Packet, Params, Receiver, Room, Rx, Time, TxDone, TxRequest,
    Verdict, room,
};

use super::Settings;
use super::queue::{Queue, Standing};
use super::taken::Taken;
use crate::cxcc::forward::{MOST_QUEUES, control, payload_len};
use crate::cxcc::header::{HEADER_LEN, Header, Kind};
use crate::cxcc::memory::{Memory, Whereabouts};
use crate::cxcc::recover::{MOST_ANSWERS, answer_to};
use crate::cxcc::state::{Answer, Queued};
use crate::cxcc::words;
use crate::parts::batch;
use crate::parts::probing::{Probe, Probing};

/// What the MAC has: some of a batch, or one frame without payload.
#[derive(Clone, Copy, Debug)]
struct Exchange {
    flow: FlowId,
    kind: Kind,
    /// Whether it was on the air before, or asks for what was.
    is_repeated: bool,
    /// On how many packets the MAC is still to report.
    left: usize,
    /// Whether it has reported on one, so that they were on the air, or was asked for the frame: there is nothing to take back.
    is_gone: bool,
    /// Whether it has given one up.
    has_failed: bool,
}

impl Exchange {
    /// The MAC gets a packet, or a frame without payload.
    const fn new(flow: FlowId, kind: Kind, is_repeated: bool) -> Self {
        Exchange { flow, kind, is_repeated, left: 1, is_gone: false, has_failed: false }
    }
}

/// CXCC in batches at one node.
pub(super) struct Batches {
    settings: Settings,
    /// The flows' queues, by flow (4.2).
    queues: Vec<Queue>,
    taken: Memory<Taken>,
    probing: Probing,
    /// When a queue may transmit that may not yet.
    opens: Time,
    /// ACKs and NACKs that wait to be sent.
    answers: VecDeque<Answer>,
    exchange: Option<Exchange>,
    /// The next sequence number of what starts here.
    next_sequence: u64,
}

impl Batches {
    pub(super) fn new(params: &Params) -> Self {
        Batches {
            settings: Settings::new(params),
            queues: Vec::new(),
            taken: Memory::new(),
            probing: Probing::new(params),
            opens: Time::NEVER,
            answers: VecDeque::new(),
            exchange: None,
            next_sequence: 0,
        }
    }

    fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.queues.binary_search_by_key(&flow, |queue| queue.flow)
    }

    /// Whether fewer packets of the flow wait than `most`, and there is a place for its queue. Each queue has a packet to
    /// deliver, so that none makes room.
    fn has_space(&self, flow: FlowId, most: usize) -> bool {
        match self.position(flow) {
            Ok(at) => self.queues[at].waiting.len() < most,
            Err(_) if most == 0 => false,
            Err(_) => {
                let claims = self.queues.iter().map(|queue| Claim {
                    source: queue.flow.beginner(),
                    used: Time::ZERO,
                    owes: true,
                });
                room(MOST_QUEUES, self.queues.len(), flow.beginner(), claims) == Room::Free
            }
        }
    }

    /// Whether a new packet of `flow` from a neighbour has a place here. While all neighbours keep the rules, it always has.
    fn can_take(&self, me: NodeId, flow: FlowId) -> bool {
        let most =
            self.settings.batch.saturating_sub(self.taken.packets(flow).map_or(0, Taken::accepted));
        flow.source != me && (flow.destination == me || self.has_space(flow, most))
    }

    fn forget_at(&self, cx: &Cx) -> Time {
        cx.now + self.settings.duplicate_memory
    }

    /// A packet for this node.
    fn on_data(&mut self, cx: &mut Cx, rx: &Rx, header: Header) -> Verdict {
        let (flow, forget_at) = (rx.packet.flow, self.forget_at(cx));
        if let Some(whereabouts) = self.taken.recall(flow, header.sequence, forget_at) {
            self.on_duplicate(cx, rx, header, whereabouts);
            return Verdict::Done;
        }
        if !self.can_take(cx.me, flow) {
            return Verdict::Done;
        }
        // The neighbour sends the next packet: it knows what it was to be told of the last one.
        self.answers.retain(|answer| answer.flow != flow || answer.to != rx.from);
        let arrives = flow.destination == cx.me;
        let whereabouts = if arrives { Whereabouts::PassedOn } else { Whereabouts::Accepted };
        self.taken.remember(flow, header.sequence, whereabouts, forget_at);
        Verdict::Accept
    }

    /// A packet that is known, or an RFA for it: an ACK if it has left the queue, nothing while it waits there (4.1, 5.2).
    fn on_duplicate(&mut self, cx: &mut Cx, rx: &Rx, header: Header, whereabouts: Whereabouts) {
        if whereabouts == Whereabouts::PassedOn {
            return self.answer(answer_to(rx, Kind::Ack, header.sequence));
        }
        let Packet { flow, tag, .. } = rx.packet;
        cx.trace(EventKind::DuplicateIgnored, flow, header.sequence, tag);
    }

    /// 5.2: the reactions to an RFA.
    fn on_rfa(&mut self, cx: &mut Cx, rx: &Rx, header: Header) {
        let (flow, forget_at) = (rx.packet.flow, self.forget_at(cx));
        match self.taken.recall(flow, header.sequence, forget_at) {
            Some(whereabouts) => self.on_duplicate(cx, rx, header, whereabouts),
            None if self.can_take(cx.me, flow) => {
                self.answer(answer_to(rx, Kind::Nack, header.sequence));
            }
            None => {}
        }
    }

    /// Let `answer` wait for its turn. It replaces an older one to the same neighbour about the same flow: it says more.
    fn answer(&mut self, answer: Answer) {
        let has_room = self.answers.len() < MOST_ANSWERS;
        let is_older = |older: &&mut Answer| (older.flow, older.to) == (answer.flow, answer.to);
        match self.answers.iter_mut().find(is_older) {
            Some(older) => *older = answer,
            None if has_room => self.answers.push_back(answer),
            // The neighbour will ask again.
            None => {}
        }
    }

    /// 5.2: the next hop does not know the packet that it was asked about.
    fn on_nack(&mut self, cx: &mut Cx, rx: &Rx, header: Header) {
        let Ok(at) = self.position(rx.packet.flow) else { return };
        let queue = &mut self.queues[at];
        let is_it =
            |queued: &Queued| queued.next == rx.from && queued.header.sequence == header.sequence;
        let Some(queued) = queue.received.iter().find(|queued| is_it(queued)) else { return };
        cx.trace(EventKind::NegativeAcknowledgment, queue.flow, header.sequence, queued.packet.tag);
        queue.lost();
        self.take_back(cx, rx.packet.flow, Kind::Rfa);
    }

    /// 3.2, 5.2: the neighbour that a frame is from has passed this packet on, or asks whether the one after it has.
    fn passed_on(&mut self, cx: &mut Cx, rx: &Rx, header: Header, how: EventKind) {
        let (flow, forget_at) = (rx.packet.flow, self.forget_at(cx));
        let Ok(at) = self.position(flow) else { return };
        let queue = &mut self.queues[at];
        let mut batch = queue.received.iter().chain(&queue.missing).chain(&queue.below);
        if !batch.any(|queued| queued.next == rx.from) {
            return;
        }
        let taken = &mut self.taken;
        let is_ours = queue.passed_on(header.sequence, |queued| {
            cx.trace(how, flow, queued.header.sequence, queued.packet.tag);
            taken.moved(flow, queued.header.sequence, Whereabouts::PassedOn, forget_at);
            cx.release(&queued.packet);
        });
        if is_ours {
            self.take_back(cx, flow, Kind::Rfa);
            self.queues.retain(|queue| queue.flow != flow || queue.len() > 0);
        }
    }

    /// What the MAC has of the flow, of this kind, is needless.
    fn take_back(&mut self, cx: &mut Cx, flow: FlowId, kind: Kind) {
        let Some(exchange) = &mut self.exchange else { return };
        if (exchange.flow, exchange.kind) == (flow, kind) && !exchange.is_gone {
            // Once is enough, and the MAC says what has become of it.
            exchange.is_gone = true;
            cx.withdraw(FrameId::ONLY);
        }
    }

    /// The next packet of the flow at `at` goes to the MAC.
    fn take(&mut self, at: usize) -> Option<TxRequest> {
        let queued = self.queues[at].take()?;
        Some(TxRequest::new(Receiver::Node(queued.next), queued.packet.clone()))
    }

    /// 4.2: "one of the queues that are not empty and not blocked is chosen randomly".
    fn choose(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        let now = cx.now;
        self.opens = self.next_opening(now);
        let open = |queue: &Queue| self.opens(now, queue).is_some_and(|opens| opens <= now);
        let offers = || self.queues.iter().enumerate().filter(|(_, queue)| open(queue));
        let choice = match offers().count() {
            0 => return None,
            1 => 0,
            many => cx.rng.below(many as u32) as usize,
        };
        let (at, queue) = offers().nth(choice)?;
        let (queued, kind) = queue.offer()?;
        let (flow, is_repeated) = (queue.flow, queue.standing == Standing::Repeat);
        self.exchange = Some(Exchange::new(flow, kind, is_repeated));
        if kind == Kind::Data {
            self.queues[at].is_closed = false;
            return self.take(at);
        }
        let asks = Header { kind, ..queued.header };
        Some(TxRequest::new(Receiver::Node(queued.next), control(flow, asks, queued.packet.tag)))
    }

    /// From when on a queue may transmit what it offers, as far as its neighbour is concerned. Nothing new goes to a silent
    /// one that can be asked about a batch.
    fn opens(&self, now: Time, queue: &Queue) -> Option<Time> {
        let (queued, _) = queue.offer()?;
        let (to, since) = (queued.next, queue.since);
        let begins = queue.standing == Standing::Open && self.probing.is_silent(to);
        if begins && self.queues.iter().any(|other| other.in_batch_with() == Some(to)) {
            return Some(Time::NEVER);
        }
        Some(self.probing.opens(now, Probe { to, since }))
    }

    /// When the next queue may transmit that may not now.
    fn next_opening(&self, now: Time) -> Time {
        if self.probing.is_empty() {
            return Time::NEVER;
        }
        let opens = self.queues.iter().filter_map(|queue| self.opens(now, queue));
        opens.filter(|opens| now < *opens).min().unwrap_or(Time::NEVER)
    }

    /// A packet, or an RFA, was on the air. A link acknowledgment says that the neighbour is there, not that it gets on.
    fn note(&mut self, now: Time, done: &TxDone) {
        let Receiver::Node(to) = done.to else { return };
        if done.outcome == Outcome::Withdrawn {
            return;
        }
        let since = self.position(done.packet.flow).ok().and_then(|at| self.queues[at].since);
        self.probing.on_sent(now, Probe { to, since });
        if done.outcome == Outcome::Acknowledged {
            self.probing.on_heard(to);
        }
    }

    /// The MAC has finished with a packet of a batch.
    fn data_done(&mut self, cx: &mut Cx, done: &TxDone, exchange: &Exchange) {
        let (flow, forget_at) = (done.packet.flow, self.forget_at(cx));
        let (Ok(header), Ok(at)) = (Header::of(&done.packet), self.position(flow)) else { return };
        let queue = &mut self.queues[at];
        if exchange.is_repeated && done.outcome != Outcome::Withdrawn {
            cx.trace(EventKind::Retransmission, flow, header.sequence, done.packet.tag);
        }
        queue.is_closed = true;
        // Without a match it was passed on, or given back, meanwhile.
        let Some(queued) = queue.finish(header.sequence) else { return };
        match done.outcome {
            Outcome::Acknowledged | Outcome::Sent => {
                queue.moved();
                self.taken.moved(flow, header.sequence, Whereabouts::PassedOn, forget_at);
                if queued.next == flow.destination {
                    cx.trace(
                        EventKind::ExplicitAcknowledgment,
                        flow,
                        header.sequence,
                        queued.packet.tag,
                    );
                    cx.release(&queued.packet);
                } else {
                    queue.received.push_back(queued);
                }
            }
            Outcome::Withdrawn => queue.missing.push_front(queued),
            // It sends nothing to two.
            Outcome::Failed | Outcome::FirstAcknowledged | Outcome::SecondAcknowledged => {
                queue.missing.push_back(queued);
            }
        }
    }

    /// The MAC has finished with all that it had of a flow: its queue is blocked (3.2) until the next hop was overheard.
    fn block(&mut self, cx: &mut Cx, exchange: &Exchange) {
        let Ok(at) = self.position(exchange.flow) else { return };
        let queue = &mut self.queues[at];
        queue.settle();
        // A NACK came when the RFA could not be withdrawn any more: what is missing is still wanted at once.
        let is_wanted = exchange.kind == Kind::Rfa && !queue.missing.is_empty();
        if queue.in_batch() > 0 && !is_wanted {
            let bytes = queue.batch_bytes();
            let timeout = self.settings.timeout(&mut cx.rng, bytes, queue.repetitions);
            let since = *queue.since.get_or_insert(cx.now);
            let timeout = timeout.max(self.probing.pause(cx.now.since(since)));
            queue.repetitions += 1;
            queue.standing = Standing::Blocked(cx.now + timeout);
        }
        if queue.len() == 0 {
            self.queues.remove(at);
        }
    }
}

impl Hop for Batches {
    fn admits(&self, flow: FlowId) -> bool {
        self.has_space(flow, self.settings.batch)
    }

    fn on_enqueue(&mut self, cx: &mut Cx, mut packet: Packet, next: NodeId) {
        let flow = packet.flow;
        // Routing gives back at once all that has waited for a route: what waited, and a batch.
        if !self.has_space(flow, 2 * self.settings.batch) {
            return cx.drop(packet, DropCause::QueueFull);
        }
        if flow.source == cx.me && Header::of(&packet).is_err() {
            // 3.2: the number of the packet among those of all its source's flows, from another one on in each life
            let sequence = Numbering::of_life(cx.incarnation).write(self.next_sequence).0;
            self.next_sequence += 1;
            let payload_len = payload_len(&packet);
            Header { kind: Kind::Data, payload_len, sequence }.write(&mut packet);
        }
        let Ok(header @ Header { kind: Kind::Data, .. }) = Header::of(&packet) else {
            return cx.drop(packet, DropCause::Malformed);
        };
        self.taken.moved(flow, header.sequence, Whereabouts::Held, self.forget_at(cx));
        let at = self.position(flow).unwrap_or_else(|at| {
            self.queues.insert(at, Queue::new(flow));
            at
        });
        self.queues[at].waiting.push_back(Queued { packet, header, next });
    }

    /// Nobody upstream need wait for a packet that goes nowhere.
    fn on_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        if let Ok(Header { sequence, .. }) = Header::of(&packet) {
            let forget_at = self.forget_at(cx);
            self.taken.moved(packet.flow, sequence, Whereabouts::PassedOn, forget_at);
        }
        cx.drop(packet, DropCause::NoRoute);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        self.probing.on_heard(rx.from);
        let Ok(header) = Header::of(&rx.packet) else {
            cx.trace(EventKind::Malformed, rx.packet.flow, 0, rx.packet.tag);
            return Verdict::Done;
        };
        match (rx.heard, header.kind) {
            (Heard::ForMe, Kind::Data) => return self.on_data(cx, rx, header),
            (Heard::ForMe, Kind::Rfa) => self.on_rfa(cx, rx, header),
            (Heard::ForMe, Kind::Ack) => {
                self.passed_on(cx, rx, header, EventKind::ExplicitAcknowledgment);
            }
            (Heard::ForMe, Kind::Nack) => self.on_nack(cx, rx, header),
            (_, Kind::Data | Kind::Rfa) => {
                self.passed_on(cx, rx, header, EventKind::ImplicitAcknowledgment);
            }
            (_, Kind::Ack | Kind::Nack) => {}
        }
        Verdict::Done
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        let exchange = self.exchange.as_mut()?;
        exchange.left -= 1;
        exchange.is_gone = true;
        let is_first_failure = done.outcome == Outcome::Failed && !exchange.has_failed;
        exchange.has_failed |= is_first_failure;
        let exchange = *exchange;
        if exchange.left == 0 {
            self.exchange = None;
        }
        let Packet { flow, tag, .. } = done.packet;
        if matches!(exchange.kind, Kind::Data | Kind::Rfa) {
            self.note(cx.now, done);
        }
        match exchange.kind {
            Kind::Data => self.data_done(cx, done, &exchange),
            Kind::Rfa => {
                let sequence = Header::of(&done.packet).map_or(0, |header| header.sequence);
                let event = match done.outcome {
                    Outcome::Withdrawn => EventKind::Declared(&words::WITHDRAWN),
                    _ => EventKind::Retransmission,
                };
                cx.trace(event, flow, sequence, tag);
            }
            Kind::Ack | Kind::Nack => return None,
        }
        if exchange.left == 0 {
            self.block(cx, &exchange);
        }
        // The rest of a batch says no more of the link.
        is_first_failure.then_some(Failed::Kept(flow.destination))
    }

    fn on_neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        let (mut packets, mut flows) = (Vec::new(), Vec::new());
        let forget_at = self.forget_at(cx);
        for queue in &mut self.queues {
            // What the next hop has received it has, whether it passed it on or not.
            queue.received.retain(|queued| {
                if queued.next == next {
                    cx.release(&queued.packet);
                }
                queued.next != next
            });
            let before = packets.len();
            for list in [&mut queue.below, &mut queue.missing, &mut queue.waiting] {
                let all = std::mem::take(list);
                let (lost, kept): (Vec<_>, Vec<_>) =
                    all.into_iter().partition(|queued| queued.next == next);
                *list = kept.into();
                for Queued { packet, header, .. } in lost {
                    self.taken.moved(queue.flow, header.sequence, Whereabouts::PassedOn, forget_at);
                    packets.push(packet);
                }
            }
            queue.settle();
            if packets.len() > before {
                flows.push(queue.flow);
            }
        }
        for flow in flows {
            self.take_back(cx, flow, Kind::Data);
        }
        self.queues.retain(|queue| queue.len() > 0);
        packets
    }

    /// 4.3: "an elapsing packet retransmission timeout does not imply an immediate retransmission. It just *allows* the
    /// retransmission".
    fn on_deadline(&mut self, cx: &mut Cx) {
        for queue in &mut self.queues {
            if matches!(queue.standing, Standing::Blocked(until) if until <= cx.now) {
                queue.standing = Standing::Repeat;
                if let Some((queued, _)) = queue.offer() {
                    let (sequence, tag) = (queued.header.sequence, queued.packet.tag);
                    cx.trace(EventKind::Timeout, queue.flow, sequence, tag);
                }
            }
        }
        self.taken.forget(cx.now);
        if self.opens <= cx.now {
            self.opens = Time::NEVER;
        }
    }

    fn deadline(&self) -> Time {
        let blocked = self.queues.iter().filter_map(|queue| match queue.standing {
            Standing::Blocked(until) => Some(until),
            Standing::Open | Standing::Repeat => None,
        });
        blocked.min().unwrap_or(Time::NEVER).min(self.taken.deadline()).min(self.opens)
    }

    /// An answer if one waits (4.2: "it is given priority over data packets"), else a frame of one of the queues.
    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        if self.exchange.is_some() {
            return None;
        }
        let Some(Answer { flow, to, header, tag }) = self.answers.pop_front() else {
            return self.choose(cx);
        };
        self.exchange = Some(Exchange::new(flow, header.kind, false));
        Some(TxRequest::new(Receiver::Node(to), control(flow, header, tag)))
    }

    /// More of the batch of which the MAC is about to send the first packet.
    fn poll_more(&mut self, _cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        let exchange = self.exchange.filter(|exchange| exchange.kind == Kind::Data)?;
        let at = self.position(exchange.flow).ok()?;
        let queued = self.queues[at].joining(self.settings.batch)?;
        if queued.next != to || !batch::fits(&queued.packet, true, HEADER_LEN, room) {
            return None;
        }
        let left = exchange.left + 1;
        self.exchange = Some(Exchange { left, ..exchange });
        self.take(at)
    }

    fn backlog(&self) -> usize {
        self.queues.iter().map(Queue::len).sum()
    }

    fn footprint(&self) -> usize {
        let remembered = self.taken.len() + self.probing.len();
        self.backlog() + self.queues.len() + remembered + self.answers.len()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        Header::of(packet).map_or(FrameClass::Control, |header| header.kind.class())
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
