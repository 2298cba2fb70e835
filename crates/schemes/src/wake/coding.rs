//! Coding: heads of opposite flows share a frame.
//!
//! At a relay, the head of one flow goes to where the head of another one came from, and the other way round: each of the
//! two neighbours has sent what the other one is to get. Their exclusive or serves both. Nothing of that is taken
//! for granted:
//!
//! - A node keeps what it sends, for as long and as much as is said here; a relay codes what it has from the neighbour
//!   itself, not long ago, and as it came. Routing headers change from hop to hop, so what has one goes alone.
//! - Who cannot read its packet declines it: then it gets no link acknowledgment, and the relay sends the packet alone.
//! - Every packet is coded once at most: what was not acknowledged then goes alone, and what is wrong with a link is
//!   judged by such frames.

use multihop_core::{
    Cx, Duration, EventKind, Failed, FlowId, Heard, NodeId, Outcome, Packet, Receiver, Rx, Time,
    TxDone, TxRequest,
};

use super::coded::{self, Part, Parts};
use super::flow::Flow;
use super::header::Header;
use super::state::{Below, Wake};
use super::store::{Kept, Store};

/// For how long after it came a packet may be coded: its last sender then still has it.
const FRESH: Duration = Duration::from_millis(1_000);

/// A gap between two packets of a flow counts for so much at most.
const LONGEST_GAP: Duration = Duration::from_millis(500);

/// Of how many flows a node remembers how they come.
const MOST_FLOWS: usize = 64;

/// How the packets of a flow come.
#[derive(Debug)]
struct Comes {
    flow: FlowId,
    from: NodeId,
    at: Time,
    /// The mean time between two of them.
    gap: Duration,
    /// Whether more of its train were to follow the last one.
    is_train: bool,
    /// Whether the last one belongs to a train, which keeps its pace.
    goes_alone: bool,
}

/// What the MAC has beside [`Wake::below`].
#[derive(Debug)]
struct Pair {
    packets: [Packet; 2],
    second: Below,
}

/// What coding needs at one node.
#[derive(Debug, Default)]
pub(super) struct Coding {
    sent: Store,
    came: Store,
    comes: Vec<Comes>,
    below: Option<Pair>,
    /// What has come out of a frame with two packets, and is to be heard.
    pub decoded: Option<Rx>,
}

impl Coding {
    /// How many packets the MAC has of those that it shares a frame with.
    pub fn backlog(&self) -> usize {
        usize::from(self.below.is_some())
    }

    pub fn footprint(&self) -> usize {
        self.sent.len() + self.came.len() + self.comes.len()
    }

    /// Whether the MAC has a packet of `flow` as the second one of a frame.
    pub fn has_below(&self, flow: FlowId) -> bool {
        self.below.as_ref().is_some_and(|pair| pair.second.flow == flow)
    }

    /// `packet` goes to the MAC, alone or with another one.
    fn on_sent(&mut self, now: Time, below: &Below, packet: &Packet) {
        let Below { flow, sequence, next: neighbour, .. } = *below;
        self.sent.keep(Kept { flow, sequence, neighbour, at: now, packet: packet.clone() });
        self.came.remove(flow, sequence);
    }

    /// A packet has come that goes on from here.
    pub fn on_came(&mut self, now: Time, rx: &Rx, header: &Header) {
        let (flow, neighbour) = (rx.packet.flow, rx.from);
        let Header { sequence, left, .. } = *header;
        self.came.keep(Kept { flow, sequence, neighbour, at: now, packet: rx.packet.clone() });
        if let Some(comes) = self.comes.iter_mut().find(|comes| comes.flow == flow) {
            let gap = now.since(comes.at).min(LONGEST_GAP);
            comes.gap = comes.gap.scaled(0.9) + gap.scaled(0.1);
            (comes.from, comes.at) = (neighbour, now);
            comes.goes_alone = left > 0 || comes.is_train;
            comes.is_train = left > 0;
            return;
        }
        if self.comes.len() == MOST_FLOWS {
            self.comes.remove(0);
        }
        let (from, at, gap, is_train) = (neighbour, now, LONGEST_GAP, left > 0);
        self.comes.push(Comes { flow, from, at, gap, is_train, goes_alone: true });
    }

    /// Whom `packet` came from, if that neighbour must still have it as it would go on.
    fn origin(&self, now: Time, packet: &Packet) -> Option<NodeId> {
        let sequence = Header::of(packet).ok()?.sequence;
        let came = self.came.find(packet.flow, sequence)?;
        let is_known = now < came.at + FRESH && coded::tail(&came.packet)? == coded::tail(packet)?;
        is_known.then_some(came.neighbour)
    }
}

impl Wake {
    /// How much longer a packet of `flow` that has just come, to go to `next`, is held for another one that is
    /// due and could share its frame.
    pub(super) fn waits_for_partner(&self, now: Time, flow: FlowId, next: NodeId) -> Duration {
        let wait = self.settings.coding_wait;
        if !self.settings.coding || wait == Duration::ZERO {
            return Duration::ZERO;
        }
        let comes = &self.coding.comes;
        let Some(own) = comes.iter().find(|comes| comes.flow == flow && !comes.goes_alone) else {
            return Duration::ZERO;
        };
        let is_partner = |other: &&Flow| {
            other.next == Some(own.from) && other.packets.is_empty() && !self.has_below(other.id)
        };
        let is_due = |other: &Flow| {
            let comes = comes.iter().find(|comes| comes.flow == other.id && comes.from == next);
            comes.is_some_and(|comes| {
                now < comes.at + LONGEST_GAP && comes.at + comes.gap < now + wait
            })
        };
        let waits = self.flows.iter().filter(is_partner).any(is_due);
        if waits { wait } else { Duration::ZERO }
    }

    /// A flow whose head can share a frame with the head of `flow`.
    pub(super) fn partner(&self, now: Time, flow: FlowId) -> Option<FlowId> {
        if !self.settings.coding {
            return None;
        }
        let head = |flow: &Flow| {
            let held = flow.packets.front().filter(|held| held.failures == 0)?;
            Some((held.next, self.coding.origin(now, &held.packet)?))
        };
        let (next, from) = head(&self.flows[self.position(flow).ok()?])?;
        let fits = |other: &&Flow| {
            let is_turned = other.packets.front().is_some_and(|held| held.next == from);
            is_turned && other.id != flow && head(other) == Some((from, next))
        };
        self.flows.iter().filter(fits).min_by_key(|other| other.served).map(|other| other.id)
    }

    /// What goes to the MAC: `packet`, which is [`Wake::below`], and with it the head of `partner`, if there is one.
    pub(super) fn request(
        &mut self,
        cx: &mut Cx,
        packet: Packet,
        below: Below,
        partner: Option<FlowId>,
    ) -> TxRequest {
        if !self.settings.coding {
            return TxRequest::new(Receiver::Node(below.next), packet);
        }
        self.coding.on_sent(cx.now, &below, &packet);
        let Some((second, also)) = partner.and_then(|partner| self.take_head(cx.now, partner))
        else {
            return TxRequest::new(Receiver::Node(below.next), packet);
        };
        let Some(both) = coded::encode([&packet, &second]) else {
            self.put_back(also, second, cx.now);
            return TxRequest::new(Receiver::Node(below.next), packet);
        };
        self.coding.on_sent(cx.now, &also, &second);
        for (one, below) in [(&packet, &below), (&second, &also)] {
            cx.trace(EventKind::Coded, one.flow, below.sequence.into(), one.tag);
        }
        self.coding.below = Some(Pair { packets: [packet, second], second: also });
        TxRequest::new(Receiver::Pair([below.next, also.next]), both)
    }

    /// The MAC has finished with a frame. If it had two packets, of which `first` is one, both are passed on or come
    /// back here; else there is still something to do.
    pub(super) fn on_pair_done(
        &mut self,
        cx: &mut Cx,
        done: TxDone,
        first: Below,
    ) -> Option<TxDone> {
        let Some(Pair { packets, second }) = self.coding.below.take() else { return Some(done) };
        self.flow(second.flow).in_mac_since = None;
        let passed_on = match done.outcome {
            Outcome::Acknowledged | Outcome::Sent => [true, true],
            Outcome::FirstAcknowledged => [true, false],
            Outcome::SecondAcknowledged => [false, true],
            Outcome::Failed | Outcome::Withdrawn => [false, false],
        };
        let hop = self.hop_time(&done, 2);
        for ((packet, below), passed_on) in packets.into_iter().zip([first, second]).zip(passed_on)
        {
            if passed_on {
                self.passed_on(cx, &packet, hop, below);
            } else if done.outcome == Outcome::Failed {
                // Alone, it will tell what is wrong with the link.
                let _: Option<Failed> = self.given_up(cx, packet, below);
            } else {
                self.put_back(below, packet, cx.now);
            }
        }
        None
    }

    /// A frame with two packets was decoded.
    pub(super) fn on_coded(&mut self, cx: &mut Cx, rx: &Rx) {
        let Rx { from, packet, .. } = rx;
        let Ok(parts) = Parts::of(packet) else {
            cx.trace(EventKind::Malformed, packet.flow, 0, packet.tag);
            if rx.heard == Heard::ForMe {
                cx.decline();
            }
            return;
        };
        for Part { flow, header, .. } in &parts.0 {
            self.overhear(cx.now, *from, *flow, header);
        }
        if rx.heard != Heard::ForMe {
            return;
        }
        if let Some(packet) = self.read(packet, &parts) {
            self.coding.decoded = Some(Rx { packet, ..rx.clone() });
            return;
        }
        let sequence = parts.0[0].header.sequence;
        cx.trace(EventKind::Undecodable, packet.flow, sequence.into(), packet.tag);
        cx.decline();
    }

    /// The packet of the two that this node has not sent itself, if it has sent the other one.
    fn read(&self, both: &Packet, parts: &Parts) -> Option<Packet> {
        let known = |part: &Part| {
            let kept = self.coding.sent.find(part.flow, part.header.sequence)?;
            coded::tail(&kept.packet)
        };
        let (wanted, known) = match parts.0.each_ref().map(known) {
            [None, Some(known)] => (0, known),
            [Some(known), None] => (1, known),
            _ => return None,
        };
        coded::decode(both, parts, wanted, &known).ok()
    }
}
