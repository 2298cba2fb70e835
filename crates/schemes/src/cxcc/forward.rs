//! CXCC 3.2, 4.2: queues, the choice among them, the implicit acknowledgment, back-pressure.

use multihop_core::{
    Claim, Cx, DropCause, EventKind, FlowId, Layer, NodeId, Numbering, Packet, Receiver, Room, Rx,
    Tag, Time, TxRequest, Verdict, room,
};

use super::below::{Attempt, Below};
use super::header::{Header, Kind};
use super::memory::Whereabouts;
use super::state::{Cxcc, Forwarded, ForwardedState, Queue, Queued, Timer};

/// How many flows have packets at one node. Of further ones, and of those beyond their source's share, none is taken, as
/// if their queues were full.
pub(super) const MOST_QUEUES: usize = 1_024;

impl Cxcc {
    pub(super) fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.queues.binary_search_by_key(&flow, |queue| queue.flow)
    }

    /// Whether the flow's queue has space for a packet that must not be forwarded yet (3.2:
    /// "prevents the transfer of a second packet to a node until this node has forwarded the
    /// previous one").
    pub(super) fn has_space(&self, flow: FlowId) -> bool {
        match self.position(flow) {
            Ok(at) => self.queues[at].waiting.is_none(),
            Err(_) => self.has_place(flow),
        }
    }

    /// Whether there is a place for the queue of another flow. Each has a packet to deliver, so that none makes room.
    fn has_place(&self, flow: FlowId) -> bool {
        let claims = self.queues.iter().map(|queue| Claim {
            source: queue.flow.beginner(),
            used: Time::ZERO,
            owes: true,
        });
        room(MOST_QUEUES, self.queues.len(), flow.beginner(), claims) == Room::Free
    }

    /// 4.2: queues are "created on-demand when the first packet of a stream arrives".
    pub(super) fn enqueue(&mut self, cx: &mut Cx, mut packet: Packet, next: NodeId) {
        let flow = packet.flow;
        if !self.has_space(flow) {
            return cx.drop(packet, DropCause::QueueFull);
        }
        if flow.source == cx.me {
            let payload_len = payload_len(&packet);
            let sequence = self.next_sequence(cx);
            Header { kind: Kind::Data, payload_len, sequence }.write(&mut packet);
        }
        let Ok(header @ Header { kind: Kind::Data, .. }) = Header::of(&packet) else {
            return cx.drop(packet, DropCause::Malformed);
        };
        if self.echoes.are_on() {
            // those of the neighbour that it came from
            header.write(&mut packet);
        }
        let forget_at = cx.now + self.settings.duplicate_memory;
        self.memory.moved(flow, header.sequence, Whereabouts::Held, forget_at);
        let at = self.position(flow).unwrap_or_else(|at| {
            self.queues.insert(at, Queue { flow, forwarded: None, waiting: None });
            at
        });
        if flow.source != cx.me && flow.destination != next {
            self.spacing.received(cx.now, flow, self.settings.hop_time(&packet));
        }
        self.queues[at].waiting = Some(Queued { packet, header, next });
    }

    /// The source numbers its packets: those of all its flows one after the other, so that there is
    /// nothing to remember of a flow, and no number comes back while a neighbour remembers it. Each of its
    /// lives begins with another number, because a neighbour may remember the last one of the life before.
    fn next_sequence(&mut self, cx: &Cx) -> u32 {
        let sequence = self.next_sequence;
        self.next_sequence = sequence + 1;
        Numbering::of_life(cx.incarnation).write(sequence).0
    }

    /// The next frame: an answer if one waits (4.2: "it is given priority over data packets"),
    /// else from one of the queues.
    pub(super) fn next_frame(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        if self.below.is_some() {
            return None;
        }
        let answers_ride = self.answers.front().is_some_and(|answer| self.can_ride(answer));
        let riding = if answers_ride { self.choose(cx) } else { None };
        let chosen = match riding {
            Some(chosen) => Some(chosen),
            None => self.answers.pop_front().map(|answer| {
                let below = Below::new(answer.flow, answer.header, answer.to, Attempt::First);
                (below, control(answer.flow, answer.header, answer.tag))
            }),
        };
        let (below, mut packet) = match chosen {
            Some(chosen) => chosen,
            None => self.choose(cx)?,
        };
        if self.echoes.are_on() {
            self.name_received(&mut packet, below.header);
        }
        let to = Receiver::Node(below.to);
        self.below = Some(below);
        // Deviation: it may wait below for its air time; see `below.rs`.
        Some(TxRequest::new(to, packet))
    }

    /// 4.2: "one of the queues that are not empty and not blocked is chosen randomly.
    /// Retransmissions after a timeout are handled like the first transmission".
    fn choose(&mut self, cx: &mut Cx) -> Option<(Below, Packet)> {
        let now = cx.now;
        self.opens = self.next_opening(now);
        let asked = self.asked();
        let is_open = |queue: &&Queue| self.opens_at(now, queue, &asked) <= now;
        let offers = || self.queues.iter().filter(is_open).filter_map(Queue::offer);
        let choice = match offers().count() {
            0 => return None,
            1 => 0,
            many => cx.rng.below(many as u32) as usize,
        };
        let (queued, kind, attempt) = offers().nth(choice)?;
        let flow = queued.packet.flow;
        let header = Header { kind, ..queued.header };
        let packet = match kind {
            Kind::Data => queued.packet.clone(),
            _ => control(flow, header, queued.packet.tag),
        };
        Some((Below::new(flow, header, queued.next, attempt), packet))
    }

    /// From when on a queue may transmit, as far as its neighbour and the packet before it are concerned.
    fn opens_at(&self, now: Time, queue: &Queue, asked: &[NodeId]) -> Time {
        let is_new = queue.forwarded.is_none();
        let clear = if is_new { self.spacing.opens(queue.flow) } else { Time::ZERO };
        if self.probing.is_empty() {
            return clear;
        }
        let Some(probe) = queue.probe() else { return clear };
        let begins = probe.since.is_none() && asked.contains(&probe.to);
        if begins { Time::NEVER } else { self.probing.opens(now, probe).max(clear) }
    }

    /// The silent neighbours that can be asked about a packet. Nothing new is sent to them: that would be an implicit
    /// acknowledgment upstream, where the next packet would be repeated in vain.
    fn asked(&self) -> Vec<NodeId> {
        if !self.probing.any_silent() {
            return Vec::new();
        }
        let forwarded = self.queues.iter().filter_map(|queue| queue.forwarded.as_ref());
        let mut asked: Vec<NodeId> = forwarded.map(|forwarded| forwarded.queued.next).collect();
        asked.retain(|next| self.probing.is_silent(*next));
        asked.sort_unstable();
        asked.dedup();
        asked
    }

    /// When the next queue may transmit that may not now, because its neighbour is silent, or its flow keeps clear.
    fn next_opening(&self, now: Time) -> Time {
        if self.probing.is_empty() && self.spacing.is_empty() {
            return Time::NEVER;
        }
        let asked = self.asked();
        let offering = self.queues.iter().filter(|queue| queue.offer().is_some());
        let opens = offering.map(|queue| self.opens_at(now, queue, &asked));
        opens.filter(|opens| now < *opens).min().unwrap_or(Time::NEVER)
    }

    /// A packet, or an RFA for it, has been on the air: the queue is blocked (3.2).
    pub(super) fn block(&mut self, cx: &mut Cx, below: &Below) {
        let Ok(at) = self.position(below.flow) else { return };
        let queue = &mut self.queues[at];
        if let Some(probe) = queue.probe() {
            self.probing.on_sent(cx.now, probe);
        }
        let sequence = below.header.sequence;
        let taken = match &queue.forwarded {
            // Without a match, the packet was acknowledged in the meantime.
            None => {
                let queued = queue.waiting.take_if(|queued| queued.header.sequence == sequence);
                queued.map(|queued| (queued, 0, cx.now))
            }
            // A NACK came when the RFA could not be withdrawn any more: the packet is still
            // wanted at once.
            Some(Forwarded { standing: ForwardedState::Repeat(Kind::Data), .. })
                if below.header.kind == Kind::Rfa =>
            {
                None
            }
            Some(_) => {
                let forwarded = queue.forwarded.take();
                let again = |forwarded: Forwarded| {
                    (forwarded.queued, forwarded.repetitions + 1, forwarded.since)
                };
                forwarded.map(again)
            }
        };
        let Some((queued, repetitions, since)) = taken else { return };
        let at_least = self.probing.pause(cx.now.since(since));
        let timer = Timer::start(cx, &self.settings, (&queued.packet, repetitions), at_least);
        let standing = ForwardedState::Blocked(timer);
        queue.forwarded = Some(Forwarded { queued, standing, repetitions, since });
    }

    /// A packet for this node.
    pub(super) fn on_data(&mut self, cx: &mut Cx, rx: &Rx, header: Header) -> Verdict {
        let flow = rx.packet.flow;
        let forget_at = cx.now + self.settings.duplicate_memory;
        if let Some(whereabouts) = self.memory.recall(flow, header.sequence, forget_at) {
            self.on_duplicate(cx, rx, header, whereabouts);
            return Verdict::Done;
        }
        if !self.can_take(cx.me, flow) {
            self.refused += 1;
            return Verdict::Done;
        }
        // The neighbour sends the next packet: it knows what it was to be told of the last one.
        self.cancel_answer(cx, flow, rx.from);
        let whereabouts =
            if flow.destination == cx.me { Whereabouts::Held } else { Whereabouts::Accepted };
        self.memory.remember(flow, header.sequence, whereabouts, forget_at);
        self.echoes.note(flow, header.sequence, false);
        Verdict::Accept
    }

    /// Whether a new packet of `flow` from a neighbour has a place at this node. While all
    /// neighbours keep the rules, it always has.
    pub(super) fn can_take(&self, me: NodeId, flow: FlowId) -> bool {
        match self.memory.last(flow) {
            _ if flow.source == me => false,
            Some(Whereabouts::Accepted) => false,
            // 3.2: the application takes one packet after the other.
            Some(Whereabouts::Held) if flow.destination == me => false,
            _ => self.has_space(flow),
        }
    }

    /// 3.2: "if the forwarding of the previously sent packet is overheard, this indicates that
    /// the next one may be transmitted". 5.2: "an overheard RFA packet can serve as an implicit
    /// acknowledgment for the packet it refers to".
    pub(super) fn on_overheard(&mut self, cx: &mut Cx, rx: &Rx, header: Header) {
        let Ok(at) = self.position(rx.packet.flow) else { return };
        let Some(forwarded) = &self.queues[at].forwarded else { return };
        let Queued { next, header: ours, .. } = &forwarded.queued;
        if *next == rx.from && ours.sequence == header.sequence {
            self.acknowledge(cx, at, EventKind::ImplicitAcknowledgment);
        }
    }

    /// The next hop has the forwarded packet of the queue at `at`. "When no more packets of a
    /// stream are queued in a node, the corresponding queue can be removed immediately" (4.2).
    pub(super) fn acknowledge(&mut self, cx: &mut Cx, at: usize, how: EventKind) {
        let queue = &mut self.queues[at];
        let Some(Forwarded { queued, .. }) = queue.forwarded.take() else { return };
        let flow = queue.flow;
        if queue.waiting.is_none() {
            self.queues.remove(at);
        }
        if how == EventKind::ImplicitAcknowledgment && queued.next != flow.destination {
            self.spacing.passed_on(cx.now, flow, self.settings.hop_time(&queued.packet));
        }
        cx.trace(how, flow, queued.header.sequence, queued.packet.tag);
        cx.release(&queued.packet);
        let forget_at = cx.now + self.settings.duplicate_memory;
        self.memory.moved(flow, queued.header.sequence, Whereabouts::PassedOn, forget_at);
        match &mut self.below {
            Some(below) if below.is_packet(flow, queued.header.sequence) => below.make_needless(cx),
            _ => {}
        }
    }
}

/// A frame without payload. It keeps the flow's source and destination, so that the neighbour
/// knows the flow, and travels one hop.
pub(super) fn control(flow: FlowId, header: Header, tag: Tag) -> Packet {
    let mut packet = Packet::new(flow, multihop_core::Payload::Virtual(0), tag);
    packet.ttl = 1;
    header.write(&mut packet);
    packet
}

/// The bytes behind the CXCC header.
pub(super) fn payload_len(packet: &Packet) -> u16 {
    let len = packet.payload.len().0.saturating_add(packet.headers.len_behind(Layer::Hop) as u32);
    u16::try_from(len).unwrap_or(u16::MAX)
}
