//! HxH 3.4.2: explicit acknowledgments.

use multihop_core::{Cx, Duration, EventKind, Rx, Tag, Time};

use super::header::{Header, Kind};
use super::state::Hxh;

/// The destination's rate limit: "whenever the source requests an explicit ACK, the destination
/// will send one upstream, subject to a rate limit".
#[derive(Clone, Debug)]
pub(super) struct RateLimit {
    interval: Duration,
    /// Before then, no further acknowledgment is sent.
    not_before: Time,
    /// A request waits to be answered. The last one always is.
    owed: Option<Tag>,
}

impl RateLimit {
    pub(super) fn new(interval: Duration) -> Self {
        RateLimit { interval, not_before: Time::ZERO, owed: None }
    }

    /// An acknowledgment was asked for, by the packet with this tag.
    pub(super) fn ask(&mut self, tag: Tag) {
        self.owed = Some(tag);
    }

    /// The tag for the acknowledgment that is to be sent now.
    pub(super) fn answer(&mut self, now: Time) -> Option<Tag> {
        if self.not_before > now {
            return None;
        }
        let tag = self.owed.take()?;
        self.not_before = now + self.interval;
        Some(tag)
    }

    /// When to answer what waits.
    pub(super) fn deadline(&self) -> Time {
        if self.owed.is_some() { self.not_before } else { Time::NEVER }
    }
}

impl Hxh {
    /// An ACK or a NACK passes. "When forwarding explicit acknowledgments, intermediate nodes
    /// update their ACK state in the same way they would for a passive ACK." 3.4.3: NACKs too
    /// "carry with them current ACK values and buffer states".
    pub(super) fn on_passing(&mut self, cx: &mut Cx, rx: &Rx, header: &Header) {
        let flow = rx.packet.flow.reverse();
        self.hear_buffer(cx.now, flow, rx.from, header);
        self.learn(flow, header);
        let Ok(at) = self.position(flow) else { return };
        let flow = &mut self.flows[at];
        flow.seen = cx.now;
        if flow.id.source == cx.me && flow.is_of(header) {
            // The packet itself goes on to the transport.
            flow.passive.on_handed_up(header.ack);
            let kind = match header.kind {
                Kind::Nack => EventKind::NegativeAcknowledgment,
                Kind::Ack | Kind::Data | Kind::Datagram => EventKind::ExplicitAcknowledgment,
            };
            let sequence = header.range.map_or(header.ack, |range| range.first);
            cx.trace(kind, flow.id, sequence, rx.packet.tag);
        }
    }
}
