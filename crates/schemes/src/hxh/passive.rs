//! HxH 3.4.1: passive acknowledgments.

use multihop_core::{Cx, FlowId, HopStep, Packet, Payload};

use super::Feedback;
use super::header::{Header, Kind};
use super::hop::Hxh;

/// How many separate ranges behind a gap are remembered. What does not fit is forgotten, which
/// only delays the acknowledgment.
const MOST_RANGES: usize = 32;

/// "A current acknowledgment value for each of the flows passing through."
#[derive(Clone, Debug, Default)]
pub(super) struct Passive {
    /// The destination has every packet before this one. It may have more.
    ack: u32,
    /// What else has been delivered to the destination from here: from, and up to but without.
    /// In order, and separate.
    beyond: Vec<(u32, u32)>,
    /// What the transport at the source has been told.
    handed_up: u32,
}

impl Passive {
    /// The ACK value.
    pub(super) fn ack(&self) -> u32 {
        self.ack
    }

    /// Whether the destination has packets of which it is not known what lies before them.
    pub(super) fn has_gap(&self) -> bool {
        !self.beyond.is_empty()
    }

    /// Somebody has said that the destination has every packet before `ack`. Whether that is new.
    pub(super) fn learn(&mut self, ack: u32) -> bool {
        let before = self.ack;
        self.ack = self.ack.max(ack);
        self.close_gaps();
        self.ack > before
    }

    /// "For the last hop, this value is updated each time a packet is successfully transmitted to
    /// the destination node." It counts on only over what the destination is known to have.
    pub(super) fn on_delivered(&mut self, sequence: u32) {
        if sequence < self.ack {
            return;
        }
        let at = self.beyond.partition_point(|(_, end)| *end < sequence);
        match self.beyond.get_mut(at) {
            Some((first, end)) if *first <= sequence && sequence < *end => return,
            Some((_, end)) if *end == sequence => *end = sequence + 1,
            Some((first, _)) if *first == sequence + 1 => *first = sequence,
            _ => self.beyond.insert(at, (sequence, sequence + 1)),
        }
        if let Some(&(next, end)) = self.beyond.get(at + 1)
            && self.beyond[at].1 == next
        {
            self.beyond[at].1 = end;
            self.beyond.remove(at + 1);
        }
        self.close_gaps();
        self.beyond.truncate(MOST_RANGES);
    }

    fn close_gaps(&mut self) {
        while let Some(&(first, end)) = self.beyond.first()
            && first <= self.ack
        {
            self.ack = self.ack.max(end);
            self.beyond.remove(0);
        }
    }

    /// The transport knows this much.
    pub(super) fn on_handed_up(&mut self, ack: u32) {
        self.handed_up = self.handed_up.max(ack);
    }

    /// What the transport at the source does not know yet.
    pub(super) fn news(&self) -> Option<u32> {
        (self.ack > self.handed_up).then_some(self.ack)
    }
}

impl Hxh {
    /// "The upstream node listens promiscuously as the packet is sent downstream and updates its
    /// own ACK values." Whether that was news.
    pub(super) fn learn(&mut self, flow: FlowId, ack: u32) -> bool {
        match self.position(flow) {
            Ok(at) if self.settings.feedback == Feedback::Passive => {
                self.flows[at].passive.learn(ack)
            }
            _ => false,
        }
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
            let header = Header { ack, ..Header::new(Kind::Ack, 0) };
            header.write(&mut packet, self.settings.header);
            return Some(HopStep::HandUp(packet));
        }
        None
    }
}
