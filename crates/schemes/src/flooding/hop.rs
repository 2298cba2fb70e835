//! What a node does: sections 3.1 and 3.2.

use multihop_core::{
    Cx, DropCause, Duration, EventKind, Failed, FlowId, FrameId, Heard, Hop, NodeId, Outcome,
    Packet, Params, Receiver, Rx, Time, TxDone, TxRequest, Verdict,
};

use super::header::{self, HEADER_LEN, Name};
use super::history::History;
use super::relay::{Relay, Relays};
use super::words::SUPPRESSED;
use super::{COPIES, DELAY, PROBABILITY};
use crate::parts::fifo::QUEUE_LIMIT;

/// The hop protocol of one node.
pub(super) struct Flooding {
    probability: f64,
    /// So many copies keep the node silent; zero if none do.
    enough: u32,
    delay: Duration,
    limit: usize,
    heard: History,
    waiting: Relays,
    /// The packet that the MAC has.
    below: Option<Below>,
    /// How many packets of its own the node has numbered since it started.
    numbered: u16,
}

/// A packet that the MAC has.
struct Below {
    name: Name,
    /// How many copies of it this node has heard.
    copies: u32,
}

impl Flooding {
    /// The hop protocol with these parameters.
    pub(super) fn new(params: &Params) -> Self {
        Flooding {
            probability: params.get(PROBABILITY),
            enough: params.get(COPIES),
            delay: params.get(DELAY),
            limit: params.get(QUEUE_LIMIT) as usize,
            heard: History::default(),
            waiting: Relays::default(),
            below: None,
            numbered: 0,
        }
    }

    /// Number a packet that begins here. Numbers of one incarnation of the node do not come again in the next.
    fn number(&mut self, cx: &Cx, packet: &mut Packet) {
        let number = u32::from(cx.incarnation) << 16 | u32::from(self.numbered);
        self.numbered = self.numbered.wrapping_add(1);
        header::write(packet, number);
    }

    /// Another copy of a known packet was heard: S2 to S4 of 3.2.
    fn on_copy(&mut self, cx: &mut Cx, name: Name, packet: &Packet) {
        cx.trace(EventKind::DuplicateIgnored, packet.flow, name.1, packet.tag);
        if let Some(relay) = self.waiting.heard(name) {
            relay.copies += 1;
            if relay.copies == self.enough {
                self.give_up(cx, name);
            }
        } else if let Some(below) = self.below.as_mut().filter(|below| below.name == name) {
            below.copies += 1;
            if below.copies == self.enough {
                cx.withdraw(FrameId::ONLY);
            }
        }
    }

    fn give_up(&mut self, cx: &mut Cx, name: Name) {
        if let Some(relay) = self.waiting.remove(name) {
            suppress(cx, relay.packet, name);
        }
    }
}

/// The node gives up its copy of a packet, because others pass it on.
fn suppress(cx: &mut Cx, packet: Packet, (_, number): Name) {
    cx.trace(&SUPPRESSED, packet.flow, number, packet.tag);
    cx.drop(packet, &SUPPRESSED);
}

impl Hop for Flooding {
    fn has_room(&self, _flow: FlowId) -> bool {
        self.waiting.len() < self.limit
    }

    fn promiscuous(&self) -> bool {
        false
    }

    fn on_enqueue(&mut self, cx: &mut Cx, mut packet: Packet, _next: NodeId) {
        let own = packet.hops() == 0;
        if own {
            self.number(cx, &mut packet);
        }
        let Ok(name) = header::name(&packet) else {
            return cx.drop(packet, DropCause::Malformed);
        };
        if self.waiting.len() >= self.limit {
            return cx.drop(packet, DropCause::QueueFull);
        }
        let (copies, wait) = if own {
            self.heard.add(name);
            (0, Duration::ZERO)
        } else {
            (1, self.delay.scaled(cx.rng.unit()))
        };
        self.waiting.push(Relay { name, packet, copies, due: cx.now + wait }, cx.now);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        let packet = &rx.packet;
        let Ok(name) = header::name(packet) else {
            cx.trace(EventKind::Malformed, packet.flow, 0, packet.tag);
            return Verdict::Done;
        };
        if rx.heard == Heard::Overheard {
            return Verdict::Done;
        }
        if packet.flow.source == cx.me || !self.heard.add(name) {
            self.on_copy(cx, name, packet);
            return Verdict::Done;
        }
        let here = packet.flow.destination == cx.me;
        if here || cx.rng.chance(self.probability) && self.enough != 1 {
            return Verdict::Accept;
        }
        cx.trace(&SUPPRESSED, packet.flow, name.1, packet.tag);
        Verdict::Deliver
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        let Below { name, copies } = self.below.take()?;
        match done.outcome {
            Outcome::Sent | Outcome::Acknowledged => cx.release(&done.packet),
            Outcome::Withdrawn if self.enough > 0 && copies >= self.enough => {
                suppress(cx, done.packet.clone(), name);
            }
            Outcome::Withdrawn => {
                let (packet, due) = (done.packet.clone(), cx.now);
                self.waiting.push_front(Relay { name, packet, copies, due });
            }
            // Nobody acknowledges what is for everyone.
            Outcome::Failed | Outcome::FirstAcknowledged | Outcome::SecondAcknowledged => {
                cx.drop(done.packet.clone(), DropCause::RetriesSpent);
            }
        }
        None
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.waiting.get_ready(cx.now);
    }

    fn deadline(&self) -> Time {
        self.waiting.due()
    }

    fn poll_transmit(&mut self, _cx: &mut Cx) -> Option<TxRequest> {
        if self.below.is_some() {
            return None;
        }
        let Relay { name, packet, copies, .. } = self.waiting.take()?;
        self.below = Some(Below { name, copies });
        Some(TxRequest::new(Receiver::Broadcast, packet))
    }

    fn backlog(&self) -> usize {
        self.waiting.len() + usize::from(self.below.is_some())
    }

    fn footprint(&self) -> usize {
        self.backlog() + self.heard.len()
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
