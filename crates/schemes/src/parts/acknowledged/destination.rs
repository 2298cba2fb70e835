//! The receiving end: it delivers every packet, and answers it.

use std::collections::VecDeque;

use multihop_core::{Bytes, Cx, DropCause, EventKind, FlowId, Message, Packet, Payload, Transport};

use super::header::{self, HEADER_LEN};
use crate::parts::datagram::SOURCE_BUFFER;

/// The receiving end of one flow.
pub struct Answering {
    flow: FlowId,
    /// What an acknowledgment carries behind its header.
    payload: Payload,
    /// Those that the node has not taken yet.
    answers: VecDeque<Packet>,
}

impl Answering {
    /// The receiving end of `flow`, whose acknowledgments are so long.
    pub fn new(flow: FlowId, acknowledgment: Bytes) -> Self {
        let payload = Payload::Virtual(acknowledgment.0.saturating_sub(HEADER_LEN as u32));
        Answering { flow, payload, answers: VecDeque::new() }
    }
}

impl Transport for Answering {
    fn wants_message(&self, _room: bool) -> bool {
        false
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        cx.refuse(self.flow, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let Ok(number) = header::read(&packet) else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            return cx.drop(packet, DropCause::Malformed);
        };
        let tag = packet.tag.control();
        let mut answer = Packet::new(self.flow.reverse(), self.payload.clone(), tag);
        header::write(&mut answer, number);
        if self.answers.len() < SOURCE_BUFFER {
            self.answers.push_back(answer);
        } else {
            cx.drop(answer, DropCause::SourceBufferFull);
        }
        cx.deliver(packet);
    }

    fn poll_send(&mut self, _cx: &mut Cx) -> Option<Packet> {
        self.answers.pop_front()
    }

    /// Acknowledgments are no data.
    fn give_up(&mut self) -> Option<Packet> {
        None
    }

    fn backlog(&self) -> usize {
        0
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
