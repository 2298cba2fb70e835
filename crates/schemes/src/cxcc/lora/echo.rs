//! What a node does with echoes: those that it hears, and those that it has sent.

use multihop_core::{Cx, EventKind, NodeId, Packet, Rx};

use crate::cxcc::below::Below;
use crate::cxcc::echoes::{Echo, hash};
use crate::cxcc::header::{Header, Kind};
use crate::cxcc::state::{Answer, Cxcc, Forwarded, ForwardedState, Timer};
use crate::cxcc::words::{ECHO_HELD, ECHOED};

impl Cxcc {
    /// Name in `packet`, a frame with this header, what this node has received.
    pub(in crate::cxcc) fn name_received(&self, packet: &mut Packet, header: Header) {
        let is_due = |flow, sequence| {
            let is_it = |answer: &Answer| {
                answer.flow == flow
                    && answer.header.sequence == sequence
                    && answer.header.kind == Kind::Ack
            };
            self.answers.iter().any(is_it)
        };
        let echoes = self.echoes.to_name(packet.flow, header.sequence, is_due);
        header.write_with(&echoes, packet);
    }

    /// Whether an echo in another frame says what this answer does.
    pub(in crate::cxcc) fn can_ride(&self, answer: &Answer) -> bool {
        let (flow, sequence) = (answer.flow, answer.header.sequence);
        answer.header.kind == Kind::Ack && self.echoes.will_say(flow, sequence)
    }

    /// A frame was on the air: what it has named need be named less often, and answered no more. If it was the packet, or an
    /// RFA for it, the packet has been passed on.
    pub(in crate::cxcc) fn sent_echoes(&mut self, below: &Below, packet: &Packet) {
        let named = Header::echoes_of(packet).unwrap_or_default();
        self.echoes.sent(&named);
        let said = |answer: &Answer| {
            let hash = hash(answer.flow.source, answer.header.sequence);
            answer.header.kind == Kind::Ack && named.contains(&Echo { hash, passed_on: true })
        };
        self.answers.retain(|answer| !said(answer));
        if !below.is_answer() {
            self.echoes.pass_on(below.flow, below.header.sequence);
        }
    }

    /// A frame of a neighbour names packets that it has received.
    pub(in crate::cxcc) fn hear_echoes(&mut self, cx: &mut Cx, rx: &Rx) {
        for echo in Header::echoes_of(&rx.packet).unwrap_or_default() {
            if let Some(at) = self.is_named(rx.from, echo) {
                if echo.passed_on {
                    self.acknowledge(cx, at, EventKind::Declared(&ECHOED));
                } else {
                    self.wait_longer(cx, at);
                }
            }
        }
    }

    /// The queue whose forwarded packet went to the neighbour `from`, and is the one that it names.
    fn is_named(&self, from: NodeId, echo: Echo) -> Option<usize> {
        self.queues.iter().position(|queue| {
            queue.forwarded.as_ref().is_some_and(|Forwarded { queued, .. }| {
                queued.next == from && hash(queue.flow.source, queued.header.sequence) == echo.hash
            })
        })
    }

    /// The next hop has the forwarded packet of the queue at `at`, and cannot pass it on yet: there is nothing to repeat, and
    /// nothing to ask.
    fn wait_longer(&mut self, cx: &mut Cx, at: usize) {
        let queue = &mut self.queues[at];
        let Some(Forwarded { queued, standing, repetitions, since }) = &mut queue.forwarded else {
            return;
        };
        // what waits there for long is old all the same, and is repeated ever more rarely in the field
        *repetitions = 0;
        let at_least = self.probing.pause(cx.now.since(*since));
        let timer = Timer::start(cx, &self.settings, (&queued.packet, 0), at_least);
        *standing = ForwardedState::Blocked(timer);
        let (flow, sequence) = (queue.flow, queued.header.sequence);
        cx.trace(&ECHO_HELD, flow, sequence, queued.packet.tag);
        match &mut self.below {
            Some(below) if below.is_packet(flow, sequence) => below.make_needless(cx),
            _ => {}
        }
    }
}
