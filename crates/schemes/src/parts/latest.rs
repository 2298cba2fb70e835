//! A source queue of one message, the newest, before any transport: for messages whose age matters.
//!
//! A state that the next report replaces is of no use to anybody once that one is there. Where one message may wait, what
//! arrives is younger if the newest takes the place of that message than if it is rejected (Costa, Codreanu, Ephremides: On
//! the Age of Information in Status Update Systems With Packet Management. IEEE Transactions on Information Theory 62(4), 2016).

use multihop_core::{Cx, FlowId, Message, Packet, RouteNews, Time, Transport};

/// The source's end of a flow: the newest message waits until the transport takes one.
pub struct Latest {
    flow: FlowId,
    waiting: Option<Message>,
    transport: Box<dyn Transport>,
}

impl Latest {
    /// `transport` at the source of `flow`, with such a queue before it.
    pub fn new(flow: FlowId, transport: Box<dyn Transport>) -> Self {
        Latest { flow, waiting: None, transport }
    }
}

impl Transport for Latest {
    fn wants_message(&self, room: bool) -> bool {
        self.waiting.is_none() && self.transport.wants_message(room)
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        if let Some(older) = self.waiting.replace(message) {
            cx.refuse(self.flow, older);
        }
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        self.transport.on_packet(cx, packet);
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.transport.on_route(cx, news);
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.transport.on_deadline(cx);
    }

    fn deadline(&self) -> Time {
        self.transport.deadline()
    }

    /// What the transport has to send; if that is nothing, it takes the message that waits.
    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        if let Some(packet) = self.transport.poll_send(cx) {
            return Some(packet);
        }
        if !self.transport.wants_message(true) {
            return None;
        }
        let message = self.waiting.take()?;
        self.transport.on_message(cx, message);
        self.transport.poll_send(cx)
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.transport.give_up().or_else(|| {
            let Message { payload, tag } = self.waiting.take()?;
            Some(Packet::new(self.flow, payload, tag))
        })
    }

    fn backlog(&self) -> usize {
        self.transport.backlog() + usize::from(self.waiting.is_some())
    }

    fn header_len(&self) -> usize {
        self.transport.header_len()
    }
}
