//! A transport without header, reliability and congestion control, shared by all schemes whose
//! control lies in the hop protocol or nowhere.

use std::collections::VecDeque;

use multihop_core::{Cx, DropCause, EventKind, FlowId, Layer, Message, Packet, Transport};

/// How many messages wait at the source while the hop protocol admits none. The application's
/// next one is lost: a constant-rate source above the network's capacity has to lose somewhere.
pub const SOURCE_BUFFER: usize = 50;

/// Whether a datagram has sent `packet`: no transport has written a header.
pub fn carries(packet: &Packet) -> bool {
    !packet.headers.has(Layer::Transport)
}

/// One end of one flow: a send buffer, and delivery as it comes.
pub struct Datagram {
    flow: FlowId,
    buffer: VecDeque<Message>,
}

impl Datagram {
    /// The transport of one end of `flow`.
    pub fn new(flow: FlowId) -> Self {
        Datagram { flow, buffer: VecDeque::with_capacity(SOURCE_BUFFER) }
    }
}

impl Transport for Datagram {
    fn wants_message(&self, room: bool) -> bool {
        room && self.buffer.is_empty()
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        if self.buffer.len() < SOURCE_BUFFER {
            self.buffer.push_back(message);
        } else {
            cx.refuse(self.flow, message);
        }
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        if carries(&packet) && packet.expect_data(true).is_ok() {
            cx.deliver(packet);
        } else {
            cx.trace(EventKind::Malformed, packet.flow, 0, packet.tag);
            cx.drop(packet, DropCause::Malformed);
        }
    }

    fn poll_send(&mut self, _cx: &mut Cx) -> Option<Packet> {
        self.give_up()
    }

    fn give_up(&mut self) -> Option<Packet> {
        let Message { payload, tag } = self.buffer.pop_front()?;
        Some(Packet::new(self.flow, payload, tag))
    }

    fn backlog(&self) -> usize {
        self.buffer.len()
    }
}
