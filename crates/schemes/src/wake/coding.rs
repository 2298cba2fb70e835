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

use multihop_core::{Duration, FlowId, NodeId, Packet, Rx, Time};

use super::coded::{self, Part, Parts};
use super::flow::Below;
use super::header::Header;
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
    /// Whether the last one belongs to a train, which keeps its pace, or goes first.
    goes_alone: bool,
}

/// Two packets that the MAC has in one frame.
#[derive(Debug)]
pub(super) struct Pair {
    pub packets: [Packet; 2],
    /// The second one's particulars; those of the first are [`Wake::below`](super::state::Wake::below).
    pub second: Below,
}

/// What coding needs at one node.
#[derive(Debug, Default)]
pub(super) struct Coding {
    sent: Store,
    came: Store,
    comes: Vec<Comes>,
    /// What the MAC has, if it has two packets.
    pub below: Option<Pair>,
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
    pub fn on_sent(&mut self, now: Time, below: &Below, packet: &Packet) {
        let Below { flow, sequence, next: neighbour, .. } = *below;
        self.sent.keep(Kept { flow, sequence, neighbour, at: now, packet: packet.clone() });
        self.came.remove(flow, sequence);
    }

    /// A packet has come that goes on from here.
    pub fn on_came(&mut self, now: Time, rx: &Rx, header: &Header) {
        let (flow, neighbour) = (rx.packet.flow, rx.from);
        let Header { sequence, left, goes_first, .. } = *header;
        self.came.keep(Kept { flow, sequence, neighbour, at: now, packet: rx.packet.clone() });
        if let Some(comes) = self.comes.iter_mut().find(|comes| comes.flow == flow) {
            let gap = now.since(comes.at).min(LONGEST_GAP);
            comes.gap = comes.gap.scaled(0.9) + gap.scaled(0.1);
            (comes.from, comes.at) = (neighbour, now);
            comes.goes_alone = left > 0 || comes.is_train || goes_first;
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
    pub fn origin(&self, now: Time, packet: &Packet) -> Option<NodeId> {
        let sequence = Header::of(packet).ok()?.sequence;
        let came = self.came.find(packet.flow, sequence)?;
        let is_known = now < came.at + FRESH && coded::tail(&came.packet)? == coded::tail(packet)?;
        is_known.then_some(came.neighbour)
    }

    /// Whom the last packet of `flow` came from, if it may wait for a partner.
    pub fn may_wait(&self, flow: FlowId) -> Option<NodeId> {
        let comes = self.comes.iter().find(|comes| comes.flow == flow && !comes.goes_alone)?;
        Some(comes.from)
    }

    /// Whether the next packet of `flow` is due from the neighbour `from` within `wait`.
    pub fn is_due(&self, now: Time, flow: FlowId, from: NodeId, wait: Duration) -> bool {
        let comes = self.comes.iter().find(|comes| comes.flow == flow && comes.from == from);
        comes.is_some_and(|comes| now < comes.at + LONGEST_GAP && comes.at + comes.gap < now + wait)
    }

    /// The packet of the two that this node has not sent itself, if it has sent the other one.
    pub fn read(&self, both: &Packet, parts: &Parts) -> Option<Packet> {
        let known = |part: &Part| {
            let kept = self.sent.find(part.flow, part.header.sequence)?;
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
