//! A queue for each flow, served at the flow's interval.

use multihop_core::{
    Bytes, Claim, Cx, DropCause, Failed, FlowId, Heard, Hop, NodeId, Outcome, Packet, Params,
    Receiver, Room, Rx, Time, TxDone, TxRequest, Verdict, room,
};

use super::flow::Flow;
use super::header::{HEADER_LEN, Header};
use super::parameters::Settings;
use crate::parts::batch;

/// How many flows a node knows.
const MOST_FLOWS: usize = 1_024;

/// What the MAC has: one packet, or a batch of one flow, which is one exchange.
#[derive(Clone, Copy, Debug)]
struct Below {
    flow: FlowId,
    next: NodeId,
    packets: usize,
    /// When the exchange began: the first packet was handed over, or the last exchange of a batch has ended, of which some is
    /// repeated.
    since: Time,
    /// When one of the packets was delivered last.
    delivered: Option<Time>,
}

/// Flush at one node.
pub(super) struct Flush {
    settings: Settings,
    /// In the order of their names.
    flows: Vec<Flow>,
    below: Option<Below>,
    /// When the host was here last.
    now: Time,
}

impl Flush {
    pub(super) fn new(params: &Params) -> Self {
        let settings = Settings::new(params);
        Flush { settings, flows: Vec::new(), below: None, now: Time::ZERO }
    }

    fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.flows.binary_search_by_key(&flow, |known| known.id)
    }

    fn has_below(&self, flow: FlowId) -> bool {
        self.below.is_some_and(|below| below.flow == flow)
    }

    /// How many packets the MAC has.
    fn count_below(&self) -> usize {
        self.below.map_or(0, |below| below.packets)
    }

    /// The flow, which is known from now on; `None` if there is no room.
    fn flow(&mut self, id: FlowId) -> Option<&mut Flow> {
        if self.position(id).is_err() {
            let claims = self.flows.iter().map(|flow| Claim {
                source: flow.id.beginner(),
                used: flow.seen,
                owes: !flow.packets.is_empty() || self.has_below(flow.id),
            });
            match room(MOST_FLOWS, self.flows.len(), id.beginner(), claims) {
                Room::Free => {}
                Room::InPlaceOf(at) => {
                    self.flows.remove(at);
                }
                Room::Refused => return None,
            }
        }
        let at = self.position(id).unwrap_or_else(|at| {
            self.flows.insert(at, Flow::new(id));
            at
        });
        let flow = &mut self.flows[at];
        flow.seen = self.now;
        Some(flow)
    }

    /// A packet that is to go on from here.
    fn on_data(&mut self, rx: &Rx) -> Verdict {
        if self.backlog() >= self.settings.queue_limit {
            return Verdict::Refuse(DropCause::QueueFull);
        }
        let Some(flow) = self.flow(rx.packet.flow) else {
            return Verdict::Refuse(DropCause::TooManyFlows);
        };
        flow.on_predecessor(rx);
        Verdict::Accept
    }

    /// Another node sends a packet, perhaps one that this node has sent before.
    fn on_overheard(&mut self, now: Time, rx: &Rx) {
        let (Ok(at), Ok(says)) = (self.position(rx.packet.flow), Header::of(&rx.packet)) else {
            return;
        };
        self.flows[at].on_overheard(now, rx, says, self.settings.memory);
    }
}

impl Hop for Flush {
    /// The source hands down a packet when its queue of the flow is empty, or holds less than a batch.
    fn admits(&self, flow: FlowId) -> bool {
        let Ok(at) = self.position(flow) else { return true };
        let below = if self.has_below(flow) { self.count_below() } else { 0 };
        self.flows[at].packets.len() + below < self.settings.batch
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.now = cx.now;
        // Routing gives back at once all that has waited for a route.
        if self.backlog() >= self.settings.queue_limit && !self.admits(packet.flow) {
            return cx.drop(packet, DropCause::QueueFull);
        }
        match self.flow(packet.flow) {
            Some(flow) => flow.push(packet, next),
            None => cx.drop(packet, DropCause::TooManyFlows),
        }
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        self.now = cx.now;
        match rx.heard {
            Heard::ForMe if rx.packet.flow.destination == cx.me => Verdict::Accept,
            Heard::ForMe => self.on_data(rx),
            Heard::Overheard => {
                self.on_overheard(cx.now, rx);
                Verdict::Done
            }
            Heard::Broadcast => Verdict::Done,
        }
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        self.now = cx.now;
        let mut below = self.below.take()?;
        let next = below.next;
        let at = self.position(below.flow).expect("a flow stays while the MAC has a packet of it");
        let flow = &mut self.flows[at];
        below.packets -= 1;
        self.below = Some(below).filter(|below| below.packets > 0);
        match done.outcome {
            Outcome::Acknowledged | Outcome::Sent => {
                cx.release(&done.packet);
                if self.settings.batch == 1 {
                    flow.on_delivered(done.service, &self.settings);
                } else if below.delivered != Some(cx.now) {
                    flow.on_delivered(cx.now.since(below.since), &self.settings);
                    (below.since, below.delivered) = (cx.now, Some(cx.now));
                    self.below = self.below.map(|_| below);
                }
                None
            }
            // It sends nothing to two.
            Outcome::Failed | Outcome::FirstAcknowledged | Outcome::SecondAcknowledged => {
                Some(Failed::GivenUp(done.packet.clone()))
            }
            Outcome::Withdrawn => {
                flow.packets.push_front((done.packet.clone(), next));
                None
            }
        }
    }

    fn on_neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        self.now = cx.now;
        let mut lost = Vec::new();
        for flow in &mut self.flows {
            let (away, kept): (Vec<_>, Vec<_>) =
                flow.packets.drain(..).partition(|(_, to)| *to == next);
            flow.packets = kept.into();
            lost.extend(away.into_iter().map(|(packet, _)| packet));
        }
        lost
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.now = cx.now;
    }

    fn deadline(&self) -> Time {
        if self.below.is_some() {
            return Time::NEVER;
        }
        // What could go already waits for the MAC, not for the time.
        let times = self.flows.iter().map(Flow::eligible).filter(|at| self.now < *at);
        times.min().unwrap_or(Time::NEVER)
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        self.now = cx.now;
        if self.below.is_some() {
            return None;
        }
        let Flush { settings, flows, .. } = self;
        let may_go = |flow: &&mut Flow| flow.eligible() <= cx.now;
        let flow = flows.iter_mut().filter(may_go).min_by_key(|flow| flow.sent)?;
        let (packet, next) = flow.take(settings)?;
        (flow.sent, flow.seen) = (Some(cx.now), cx.now);
        self.below =
            Some(Below { flow: flow.id, next, packets: 1, since: cx.now, delivered: None });
        Some(TxRequest::new(Receiver::Node(next), packet))
    }

    fn poll_more(&mut self, cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        self.now = cx.now;
        let below = self.below.filter(|below| below.packets < self.settings.batch)?;
        let at = self.position(below.flow).ok()?;
        // What is repeated takes no more before the interval is over, nor once another flow may go.
        let is_repeated = below.delivered.is_some();
        let may_go = |flow: &Flow| flow.eligible() <= cx.now;
        let others = || self.flows.iter().any(|flow| flow.id != below.flow && may_go(flow));
        if is_repeated && (!may_go(&self.flows[at]) || others()) {
            return None;
        }
        let flow = &mut self.flows[at];
        let (head, next) = flow.packets.front()?;
        if *next != to || !batch::fits(head, Header::of(head).is_ok(), HEADER_LEN, room) {
            return None;
        }
        let (packet, next) = flow.take(&self.settings)?;
        let mut below = Below { packets: below.packets + 1, ..below };
        if is_repeated {
            (flow.sent, below.delivered) = (Some(cx.now), None);
        }
        self.below = Some(below);
        Some(TxRequest::new(Receiver::Node(next), packet))
    }

    fn backlog(&self) -> usize {
        let waiting: usize = self.flows.iter().map(|flow| flow.packets.len()).sum();
        waiting + self.count_below()
    }

    fn footprint(&self) -> usize {
        let flows: usize = self.flows.iter().map(Flow::footprint).sum();
        flows + self.flows.len() + self.count_below()
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
