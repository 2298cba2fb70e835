//! HxH 3.2.1, 3.2.2: a queue per flow, and which packet is sent next.

use multihop_core::{
    Bytes, Claim, Cx, DropCause, EventKind, FlowId, Layer, NodeId, Outcome, Packet, Receiver, Room,
    Serial, Time, TxDone, TxRequest, room,
};

use super::Feedback;
use super::flow::{Flow, Queued, Scheduling};
use super::header::{Header, Kind};
use super::state::{Below, Hxh};
use crate::parts::batch;
use crate::parts::probing::Probe;

/// How many flows a node keeps apart. What the air brings of further ones is refused.
const MOST_FLOWS: usize = 1_024;

impl Hxh {
    pub(super) fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.flows.binary_search_by_key(&flow, |known| known.id)
    }

    /// The state of `flow`; a new one "when a flow has not been seen before".
    pub(super) fn entry(&mut self, now: Time, flow: FlowId) -> usize {
        self.position(flow).unwrap_or_else(|at| {
            self.flows.insert(at, Flow::new(now, flow, self.settings.half()));
            at
        })
    }

    /// Whether there is room for `flow`: it is known, or may be, perhaps in place of another one that has nothing here.
    pub(super) fn make_room(&mut self, flow: FlowId) -> bool {
        if self.position(flow).is_ok() {
            return true;
        }
        let below = self.below.first().map(|below| below.flow);
        let claims = self.flows.iter().map(|known| Claim {
            source: known.id.beginner(),
            used: known.seen,
            owes: !known.queue.is_empty()
                || known.standing != Scheduling::Active
                || below == Some(known.id),
        });
        match room(MOST_FLOWS, self.flows.len(), flow.beginner(), claims) {
            Room::Free => true,
            Room::InPlaceOf(at) => {
                self.flows.remove(at);
                true
            }
            Room::Refused => false,
        }
    }

    /// How many packets of `flow` are here, those in the MAC included.
    pub(super) fn waiting(&self, flow: FlowId) -> usize {
        let queued = self.position(flow).map_or(0, |at| self.flows[at].queue.len());
        queued + self.count_below(flow)
    }

    /// How many packets of `flow` the MAC has.
    fn count_below(&self, flow: FlowId) -> usize {
        self.below.iter().filter(|below| below.flow == flow).count()
    }

    /// 3.3: what to tell the node upstream: the space up to the halfway point.
    pub(super) fn space(&self, flow: FlowId) -> u16 {
        let space = self.settings.half().saturating_sub(self.waiting(flow));
        u16::try_from(space).unwrap_or(u16::MAX)
    }

    /// A packet for `next`, from upstream or from this node.
    pub(super) fn enqueue(&mut self, cx: &mut Cx, mut packet: Packet, next: NodeId) {
        if !packet.headers.has(Layer::Hop) && packet.flow.source == cx.me {
            let incarnation = cx.incarnation;
            let header = Header { incarnation, ..Header::new(Kind::Datagram, 0) };
            header.write(&mut packet, self.settings.header);
        }
        let Ok(header) = Header::of(&packet) else {
            cx.trace(EventKind::Malformed, packet.flow, 0, packet.tag);
            return cx.drop(packet, DropCause::Malformed);
        };
        if header.kind.goes_upstream() != packet.flow.is_reverse() {
            cx.trace(EventKind::Malformed, packet.flow, header.sequence, packet.tag);
            return cx.drop(packet, DropCause::Malformed);
        }
        let at = self.entry(cx.now, packet.flow);
        let half = self.settings.half();
        if header.kind == Kind::Data && !self.flows[at].meet(cx, header.incarnation, half) {
            return cx.drop(packet, DropCause::Restarted);
        }
        self.thaw(cx.now, at, &header, next);
        if packet.flow.source == cx.me && header.kind == Kind::Data {
            let flow = &mut self.flows[at];
            flow.passive.learn(header.ack);
            flow.passive.on_handed_up(header.ack);
        }
        self.insert(cx, at, packet, header);
    }

    /// "Places them in the appropriate queue."
    pub(super) fn insert(&mut self, cx: &mut Cx, at: usize, packet: Packet, header: Header) {
        let id = packet.flow;
        let full = self.waiting(id) >= self.settings.queue_limit;
        let known = header.kind == Kind::Data && self.has(id, &header);
        let flow = &mut self.flows[at];
        flow.seen = cx.now;
        flow.tag = packet.tag.control();
        if !id.is_reverse() {
            flow.kind = header.kind;
        }
        if known {
            // The source's timer was too fast; what it wants to ask is asked.
            let same = |queued: &&mut Queued| queued.header.sequence == header.sequence;
            if let Some(queued) = flow.queue.iter_mut().find(same) {
                queued.header.asks |= header.asks;
            }
            cx.drop(packet, DropCause::Duplicate);
        } else if full {
            cx.drop(packet, DropCause::QueueFull);
        } else {
            flow.put(Queued { header, packet });
        }
    }

    /// Whether the packet of `flow` with this number waits here.
    pub(super) fn has(&self, flow: FlowId, wanted: &Header) -> bool {
        let name = |header: &Header| (header.incarnation, header.sequence);
        let is = |header: &Header| header.kind == Kind::Data && name(header) == name(wanted);
        let below = self.below.iter().any(|below| below.flow == flow && is(&below.header));
        let queued = |at: usize| self.flows[at].queue.iter().any(|queued| is(&queued.header));
        below || self.position(flow).is_ok_and(queued)
    }

    /// "The scheduler cycles through all flows in a byte based round robin fashion": deficit round
    /// robin. The flow whose turn it is goes on while it has bytes left.
    fn choose(&mut self, now: Time) -> Option<usize> {
        self.opens = self.next_opening(now);
        if !self.flows.iter().any(|flow| self.may_send(now, flow)) {
            return None;
        }
        let had_turn = std::mem::take(&mut self.has_had_turn);
        let mut at = match self.position(self.turn) {
            Ok(at) if had_turn => self.begin_turn(at + 1),
            Ok(at) => at,
            Err(at) => self.begin_turn(at),
        };
        loop {
            let may_send = self.may_send(now, &self.flows[at]);
            let flow = &mut self.flows[at];
            match flow.queue.front() {
                Some(first) if may_send => {
                    if first.packet.len().0 <= flow.deficit {
                        return Some(at);
                    }
                }
                _ => flow.deficit = 0,
            }
            at = self.begin_turn(at + 1);
        }
    }

    /// From when on `flow` may send, as far as its neighbour is concerned.
    fn opens_at(&self, now: Time, flow: &Flow) -> Time {
        let probe = flow.next.map(|to| Probe { to, since: None });
        probe.map_or(Time::ZERO, |probe| self.probing.opens(now, probe))
    }

    fn may_send(&self, now: Time, flow: &Flow) -> bool {
        flow.may_send() && self.opens_at(now, flow) <= now
    }

    /// When the next flow may send that may not now, because its neighbour is silent.
    fn next_opening(&self, now: Time) -> Time {
        if self.probing.is_empty() {
            return Time::NEVER;
        }
        let opens = self.flows.iter().filter(|flow| flow.may_send());
        let opens = opens.map(|flow| self.opens_at(now, flow)).filter(|opens| now < *opens);
        opens.min().unwrap_or(Time::NEVER)
    }

    /// It is the turn of the flow at `at`, or of the first one if there is none.
    fn begin_turn(&mut self, at: usize) -> usize {
        let at = if at < self.flows.len() { at } else { 0 };
        let flow = &mut self.flows[at];
        self.turn = flow.id;
        flow.deficit = self.settings.in_turn(flow.deficit);
        at
    }

    /// The packet for the MAC, which is free.
    pub(super) fn next_frame(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        if !self.below.is_empty() || !self.pacer.permits(cx.now) {
            return None;
        }
        self.permit_stopped(cx.now);
        let at = self.choose(cx.now)?;
        (self.sent, self.failed) = (None, None);
        self.has_had_turn = self.settings.batch > 1;
        self.pacer.on_sent(cx.now, self.rate.allowance().pace);
        self.take(at)
    }

    /// The next packet that goes with those of its flow that the MAC is about to send: each takes a credit of those that
    /// are left, and bytes of the flow's turn. What is repeated takes no more once another flow may send.
    pub(super) fn more(&mut self, cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        let below = self.below.first()?;
        if self.settings.batch <= self.below.len() {
            return None;
        }
        let at = self.position(below.flow).ok()?;
        let flow = &self.flows[at];
        let used = self.below.iter().fold(0, |sum: u32, below| sum.saturating_add(below.len));
        let first = flow.queue.front()?;
        let len = first.packet.len();
        let has_bytes = used.saturating_add(len.0) <= flow.deficit;
        let may_join = flow.next == Some(to) && flow.may_join(self.below.len());
        if !may_join || !has_bytes || !batch::fits(&first.packet, true, 0, room) {
            return None;
        }
        let waits = |other: &Flow| other.id != flow.id && self.may_send(cx.now, other);
        if self.sent.is_some() && self.flows.iter().any(waits) {
            return None;
        }
        self.take(at)
    }

    /// The first packet of the flow at `at` goes to the MAC.
    fn take(&mut self, at: usize) -> Option<TxRequest> {
        let flow = &mut self.flows[at];
        let Queued { header, mut packet } = flow.queue.pop_front()?;
        flow.returned = 0;
        let (flow, to) = (packet.flow, flow.next?);
        self.below.push(Below { flow, header, len: packet.len().0 });
        self.written(at, header).write(&mut packet, self.settings.header);
        Some(TxRequest::new(Receiver::Node(to), packet))
    }

    /// The header that goes on the air: what this node has to say about the flow.
    fn written(&self, at: usize, header: Header) -> Header {
        let flow = &self.flows[at];
        let data = if flow.goes_upstream() { flow.id.reverse() } else { flow.id };
        let buffer = self.space(data);
        let passive = self.settings.feedback == Feedback::Passive;
        let about = self.position(data).ok().map(|at| &self.flows[at]);
        let known = about.filter(|flow| passive && flow.is_of(&header));
        let ack = match known.and_then(|flow| flow.passive.ack()) {
            Some(known) => Serial(header.ack).latest(Serial(known)).0,
            None => header.ack,
        };
        match header.kind {
            Kind::Data => {
                let in_doubt = passive && flow.is_last_hop() && flow.passive.has_gap();
                let asks = header.asks || in_doubt;
                let range = flow.gaps.spared_before(header.sequence, ack);
                Header { asks, buffer, ack, range, ..header }
            }
            Kind::Ack | Kind::Nack => Header { buffer, ack, ..header },
            Kind::Datagram => Header { buffer, ..header },
        }
    }

    /// "The MAC layer uses a callback function to inform the scheduler of the result." The
    /// destination of a packet that was not sent: the link on the way to it has failed.
    pub(super) fn finish(&mut self, cx: &mut Cx, done: &TxDone) -> Option<NodeId> {
        let below = self.take_below(&done.packet)?;
        let Receiver::Node(to) = done.to else { return None };
        let is_first = self.sent.is_none() && self.failed.is_none();
        if is_first {
            // A batch is one transmission, and whoever ends first tells how it went.
            self.rate.on_done(done);
        }
        let at = self.entry(cx.now, below.flow);
        let flow = &mut self.flows[at];
        let sent = matches!(done.outcome, Outcome::Sent | Outcome::Acknowledged);
        if sent {
            self.sent = Some(cx.now);
            self.probing.on_heard(to);
            flow.seen = cx.now;
            flow.deficit = flow.deficit.saturating_sub(done.packet.len().0);
            if flow.next == Some(to) {
                flow.credit.spend(cx.now, done.service);
            }
            let data = below.header.kind == Kind::Data && flow.is_of(&below.header);
            if to == below.flow.destination && data {
                flow.passive.on_delivered(below.header.sequence);
            }
            cx.release(&done.packet);
            return None;
        }
        if below.header.kind == Kind::Data && !flow.is_of(&below.header) {
            cx.drop(done.packet.clone(), DropCause::Restarted);
            return None;
        }
        // "The scheduler places a copy of the packet back into the flow's queue." It "won't
        // repeatedly attempt to send packets from problematic flows without first giving other
        // flows a chance".
        flow.put_back(Queued { header: below.header, packet: done.packet.clone() });
        flow.deficit = 0;
        flow.credit.on_failure(cx.now);
        if done.outcome == Outcome::Withdrawn {
            return None;
        }
        if self.failed.replace(cx.now) == Some(cx.now) {
            // The rest of a batch says no more of the link.
            return None;
        }
        self.probing.on_sent(cx.now, Probe { to, since: None });
        if flow.goes_upstream() {
            flow.standing = Scheduling::Frozen;
            self.forget_upstream(below.flow.reverse(), to);
        }
        Some(below.flow.destination)
    }

    /// What is known of the packet, with which the MAC has finished.
    fn take_below(&mut self, packet: &Packet) -> Option<Below> {
        if self.below.len() <= 1 {
            return self.below.pop();
        }
        let header = Header::of(packet).ok()?;
        let at = self.below.iter().position(|below| below.is(&header))?;
        Some(self.below.remove(at))
    }

    /// The neighbour `lost` is no way upstream any more.
    fn forget_upstream(&mut self, flow: FlowId, lost: NodeId) {
        if let Ok(at) = self.position(flow) {
            self.flows[at].upstream.take_if(|upstream| *upstream == lost);
        }
    }

    /// 3.2.1: "state was released whenever flows were inactive for more than two seconds".
    pub(super) fn release_idle(&mut self, cx: &mut Cx) {
        let idle = self.settings.idle_timeout;
        let below = self.below.first().map(|below| below.flow);
        for flow in &mut self.flows {
            // Deviation: what starts here stays, and what the MAC has comes back.
            let stays = flow.id.source == cx.me && !flow.goes_upstream() && !flow.queue.is_empty();
            if flow.seen + idle <= cx.now && (stays || below == Some(flow.id)) {
                flow.seen = cx.now;
            }
        }
        let is_idle = |flow: &mut Flow| flow.seen + idle <= cx.now;
        let removed: Vec<Flow> = self.flows.extract_if(.., is_idle).collect();
        for Queued { packet, .. } in removed.into_iter().flat_map(|flow| flow.queue) {
            cx.drop(packet, DropCause::RouteBroken);
        }
    }
}
