//! A queue for each flow, served at the flow's interval.

use multihop_core::{
    Claim, Cx, DropCause, Failed, FlowId, Heard, Hop, NodeId, Outcome, Packet, Params, Receiver,
    Room, Rx, Time, TxDone, TxRequest, Verdict, room,
};

use super::flow::Flow;
use super::header::{HEADER_LEN, Header};
use super::parameters::Settings;

/// How many flows a node knows.
const MOST_FLOWS: usize = 1_024;

/// Flush at one node.
pub(super) struct Flush {
    settings: Settings,
    /// In the order of their names.
    flows: Vec<Flow>,
    /// Whose packet the MAC has, and its next hop.
    below: Option<(FlowId, NodeId)>,
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
        self.below.is_some_and(|(below, _)| below == flow)
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
    /// The source hands down a packet when its queue of the flow is empty.
    fn admits(&self, flow: FlowId) -> bool {
        let Ok(at) = self.position(flow) else { return true };
        self.flows[at].packets.is_empty() && !self.has_below(flow)
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
        let (id, next) = self.below.take()?;
        let at = self.position(id).expect("a flow stays while the MAC has a packet of it");
        let flow = &mut self.flows[at];
        match done.outcome {
            Outcome::Acknowledged | Outcome::Sent => {
                cx.release(&done.packet);
                flow.on_delivered(done.service, &self.settings);
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

    fn on_timeout(&mut self, cx: &mut Cx) {
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
        let (mut packet, next) = flow.packets.pop_front()?;
        flow.says(settings).write(&mut packet);
        (flow.sent, flow.seen) = (Some(cx.now), cx.now);
        self.below = Some((flow.id, next));
        Some(TxRequest::new(Receiver::Node(next), packet))
    }

    fn backlog(&self) -> usize {
        let waiting: usize = self.flows.iter().map(|flow| flow.packets.len()).sum();
        waiting + usize::from(self.below.is_some())
    }

    fn footprint(&self) -> usize {
        let flows: usize = self.flows.iter().map(Flow::footprint).sum();
        flows + self.flows.len() + usize::from(self.below.is_some())
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
