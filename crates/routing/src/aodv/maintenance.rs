//! Route maintenance (RFC 3561, 6.9, 6.11 and 6.12).

use multihop_core::{
    Cx, DropCause, EventKind, FlowId, FrameClass, NodeId, Packet, Payload, Protocol, Receiver,
    RouteNews, RoutingStep, Tag, Time,
};

use super::Aodv;
use super::message::{MOST_UNREACHABLE, Message, Sequence, Unreachable};
use super::parameters::JITTER;
use super::table::{FAR, State};
use crate::agenda::part_of;
use crate::words::LOCAL_REPAIR;

impl Aodv {
    /// 6.9 and 6.11: the MAC could not deliver `packet` to `next`.
    pub(super) fn link_failed(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        if let (Some(timeout), Payload::Real(bytes)) =
            (self.settings.blacklist_timeout, &packet.payload)
            && packet.protocol() == Protocol::Routing
            && Message::class(bytes) == FrameClass::RouteReply
        {
            self.blacklist.add(next, cx.now, timeout);
        }
        let entry = match packet.protocol() {
            Protocol::Scheme => self.table.get(packet.flow.destination),
            Protocol::Routing | Protocol::Arp => None,
        };
        let Some(entry) = entry else {
            cx.drop(packet, DropCause::RetriesSpent);
            return;
        };
        if self.settings.local_repair && packet.hops() > entry.hops {
            self.repair(cx, packet);
        } else {
            cx.drop(packet, DropCause::RetriesSpent);
            self.neighbour_lost(cx, next);
        }
    }

    /// 6.12, local repair: this node is nearer to the destination than to the source.
    ///
    /// Deviation: the RFC asks for a newer route than the one that broke. ns-2 does not, so
    /// that nodes upstream answer as well; their answers are longer and are ignored. As in ns-2, the
    /// request goes as far as any search, and a way that has become longer is not reported upstream.
    fn repair(&mut self, cx: &mut Cx, packet: Packet) {
        let destination = packet.flow.destination;
        self.held.push(cx, packet);
        let entry = self.table.entry(destination);
        let begins = entry.state != State::InRepair;
        if begins {
            let sequence = entry.sequence.unwrap_or_default();
            let flow = FlowId::between(self.me, destination);
            cx.trace(&LOCAL_REPAIR, flow, sequence.0, Tag::NONE);
            entry.state = State::InRepair;
            entry.repaired_until = self.settings.repair_timeout.map(|span| cx.now + span);
        }
        self.search(cx, destination);
        let entry = self.table.entry(destination);
        // Deviation: the RFC ends the repair at the timeout. ns-2 takes the time of the timeout
        // for a delay: a repair that begins at 20.0 s ends at 41.8 s, and until then packets are
        // held and searches repeated without a word to the source. (Seen in its traces.)
        let end = match entry.repaired_until {
            None => cx.now + entry.search.timeout.since(Time::ZERO),
            Some(until) if begins => until,
            Some(_) => return,
        };
        if self.repairs.offer(end, destination).is_some() {
            entry.repaired_until = entry.repaired_until.map(|_| cx.now);
            self.end_repair(cx, destination);
        }
    }

    /// 6.12: the repair has had its time.
    ///
    /// Deviation: in ns-2 the sequence number stays what it was, so that a node upstream may
    /// answer the next search with its route through this node: a loop. It says nothing, either: the
    /// next packet makes the error.
    pub(super) fn end_repair(&mut self, cx: &mut Cx, destination: NodeId) {
        let entry = self.table.entry(destination);
        let later = entry.repaired_until.is_some_and(|until| cx.now < until);
        if entry.state != State::InRepair || later {
            return;
        }
        entry.lose(cx.now);
        if entry.repaired_until.is_some() {
            self.steps.push_back(RoutingStep::Announce(RouteNews::Lost(destination)));
            self.cannot_forward(cx, destination);
        }
    }

    /// 6.11, case i: every route through `next` is broken.
    pub(super) fn neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) {
        self.steps.push_back(RoutingStep::LinkBroken(next));
        self.sequence = self.sequence.plus(2);
        let mut unreachable = Vec::new();
        for entry in self.table.iter_mut() {
            if entry.hops != FAR && entry.next == next {
                entry.lose(cx.now);
                self.steps.push_back(RoutingStep::Announce(RouteNews::Lost(entry.destination)));
                let sequence = entry.sequence.unwrap_or_default();
                unreachable.push(Unreachable(entry.destination, sequence));
            }
            entry.precursors.retain(|precursor| *precursor != next);
        }
        self.report(cx, &unreachable);
    }

    /// 6.11, case ii: a packet for `destination` is to be forwarded, and there is no route.
    pub(super) fn cannot_forward(&mut self, cx: &mut Cx, destination: NodeId) {
        let sequence = self.table.entry(destination).sequence.unwrap_or_default();
        self.report(cx, &[Unreachable(destination, sequence)]);
    }

    /// Tell the neighbours at once what has become unreachable here.
    ///
    /// Deviation: as in ns-2, without regard to precursors, and always by broadcast.
    fn report(&mut self, cx: &mut Cx, unreachable: &[Unreachable]) {
        for Unreachable(destination, sequence) in unreachable {
            let flow = FlowId::between(self.me, *destination);
            cx.trace(EventKind::RouteError, flow, sequence.0, Tag::NONE);
        }
        let errors = self.errors(cx.now, unreachable);
        self.steps.extend(errors);
    }

    /// 6.11, case iii: a neighbour reports what has become unreachable through it.
    ///
    /// Deviation: as in ns-2, everything that waits for that neighbour is given up, whatever its
    /// destination. ns-2 does not believe a report without a number, which is what a node says that has
    /// rebooted (6.13); the RFC has no such condition, and here it is believed.
    pub(super) fn on_error(&mut self, cx: &mut Cx, from: NodeId, unreachable: &[Unreachable]) {
        let mut further = Vec::new();
        let mut lost = false;
        for Unreachable(destination, sequence) in unreachable {
            let Some(entry) = self.table.get_mut(*destination) else { continue };
            let unknown = *sequence == Sequence::default();
            let newer = entry.sequence.is_some_and(|known| known.is_newer_than(*sequence));
            if entry.hops == FAR || entry.next != from || newer && !unknown {
                continue;
            }
            if unknown {
                entry.lose(cx.now);
            } else {
                entry.sequence = Some(*sequence);
                entry.take_down(cx.now);
            }
            self.steps.push_back(RoutingStep::Announce(RouteNews::Lost(*destination)));
            lost = true;
            if !entry.precursors.is_empty() {
                entry.precursors.clear();
                further.push(Unreachable(*destination, entry.sequence.unwrap_or_default()));
            }
        }
        if lost {
            self.steps.push_back(RoutingStep::GiveUp(from));
        }
        let time = cx.now + part_of(self.settings.scaled(JITTER), cx);
        if self.is_silent(cx.now) {
            return;
        }
        for step in self.errors(cx.now, &further) {
            self.agenda.offer(time, step);
        }
    }

    /// The route errors that list `unreachable`, as many as the limit allows now: who is not told now
    /// learns it with its next packet.
    fn errors(&mut self, now: Time, unreachable: &[Unreachable]) -> Vec<RoutingStep> {
        let mut messages = Vec::new();
        for listed in unreachable.chunks(MOST_UNREACHABLE) {
            if self.errors.open_from() > now {
                break;
            }
            self.errors.on_sent(now);
            let packet = self.broadcast(1, &Message::Error(listed.to_vec()));
            messages.push(RoutingStep::Transmit(packet, Receiver::Broadcast));
        }
        messages
    }
}
