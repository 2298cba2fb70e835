//! HxH 3.3, 3.4.1, 3.4.3: what a node learns of its flows from its neighbours' packets, and whom it
//! tells.

use multihop_core::{Cx, FlowId, HopStep, NodeId, Packet, Payload, Serial, Time};

use super::Feedback;
use super::credit::{Patience, Sharing};
use super::flow::Flow;
use super::header::{Header, Kind};
use super::state::Hxh;

/// How many NACKs of one flow wait at a node that makes them.
const MOST_WAITING: usize = 16;

impl Hxh {
    // ---- 3.3: credits ---------------------------------------------------------------------

    /// "Each time a packet is sent downstream, the upstream node determines which flow the packet
    /// belonged to": the neighbour `from` has said how much space it has for `flow`.
    pub(super) fn hear_buffer(&mut self, now: Time, flow: FlowId, from: NodeId, header: &Header) {
        let Ok(at) = self.position(flow) else { return };
        let sharing = if self.settings.batch > 1 { Sharing::Batches } else { Sharing::None };
        let flow = &mut self.flows[at];
        if flow.next == Some(from) && !flow.is_last_hop() {
            match header.kind {
                Kind::Data | Kind::Datagram => {
                    flow.credit.on_downstream(now, header.buffer, sharing);
                }
                Kind::Ack | Kind::Nack => flow.credit.on_upstream(header.buffer),
            }
        }
    }

    fn patience(&self) -> Patience {
        Patience { delays: self.settings.stopped_factor, most: self.settings.idle_timeout }
    }

    /// Stopped flows that have waited for long enough may send one packet.
    pub(super) fn permit_stopped(&mut self, now: Time) {
        let patience = self.patience();
        for flow in self.flows.iter_mut().filter(|flow| flow.is_stopped()) {
            flow.credit.on_deadline(now, patience);
        }
    }

    /// When `flow` may send without a credit.
    pub(super) fn stopped_deadline(&self, flow: &Flow) -> Time {
        if flow.is_stopped() { flow.credit.deadline(self.patience()) } else { Time::NEVER }
    }

    // ---- 3.4.1: passive acknowledgments ---------------------------------------------------

    /// "The upstream node listens promiscuously as the packet is sent downstream and updates its
    /// own ACK values." Whether that was news.
    pub(super) fn learn(&mut self, flow: FlowId, header: &Header) -> bool {
        let Ok(at) = self.position(flow) else { return false };
        let flow = &mut self.flows[at];
        self.settings.feedback == Feedback::Passive
            && flow.is_of(header)
            && flow.passive.learn(header.ack)
    }

    /// "Eventually, the values reach the flow's source and the protocol responds just as if an
    /// explicit acknowledgment packet were received."
    pub(super) fn hand_up(&mut self, cx: &mut Cx) -> Option<HopStep> {
        if self.settings.feedback == Feedback::Explicit {
            return None;
        }
        let ours = self.flows.iter_mut().filter(|flow| flow.id.source == cx.me);
        for flow in ours {
            let Some(ack) = flow.passive.news().filter(|_| flow.is_acknowledged()) else {
                continue;
            };
            flow.passive.on_handed_up(ack);
            let mut packet = Packet::new(flow.id.reverse(), Payload::Virtual(0), flow.tag);
            let incarnation = flow.life.unwrap_or(cx.incarnation);
            let header = Header { ack, incarnation, ..Header::new(Kind::Ack, 0) };
            header.write(&mut packet, self.settings.header);
            return Some(HopStep::HandUp(packet));
        }
        None
    }

    // ---- 3.4.3: negative acknowledgments --------------------------------------------------

    /// "As a node receives packets, it checks the sequence number against those that it has
    /// already received. If it detects a gap, the node generates a NACK packet that it sends
    /// upstream."
    pub(super) fn detect_gap(&mut self, cx: &mut Cx, at: usize, header: &Header) {
        let flow = &mut self.flows[at];
        let known = flow.passive.ack().unwrap_or(header.ack);
        let ack = Serial(known).latest(Serial(header.ack)).0;
        let incarnation = header.incarnation;
        let Some((_, fresh)) = flow.gaps.on_data(header, ack) else { return };
        let (id, tag, Some(upstream)) = (flow.id.reverse(), flow.tag, flow.upstream) else {
            return;
        };
        for range in fresh {
            let mut packet = Packet::new(id, Payload::Virtual(0), tag);
            let range = Some(range);
            let header = Header { ack, range, incarnation, ..Header::new(Kind::Nack, 0) };
            header.write(&mut packet, self.settings.header);
            if self.waiting(id) < MOST_WAITING {
                cx.copy(tag);
                self.enqueue(cx, packet, upstream);
            }
        }
    }
}
