//! The sending end: it numbers what it sends, and counts what is acknowledged.

use std::collections::VecDeque;

use multihop_core::{Cx, DropCause, EventKind, FlowId, Gauge, Message, Packet, Time, Transport};

use super::header::{self, HEADER_LEN};
use crate::parts::datagram::Datagram;

/// For so many packets an acknowledgment is awaited; an older one comes too late. Half of what the
/// numbers tell apart, and minutes even at rates that fill every queue.
const MOST_AWAITED: usize = 1 << 15;

/// The sending end of one flow.
pub struct Asking {
    flow: FlowId,
    datagram: Datagram,
    /// The number of the next packet; `None` until the first one goes.
    next: Option<u16>,
    /// When the last packets were sent, in their order; `None` if one is acknowledged.
    awaited: VecDeque<Option<Time>>,
}

impl Asking {
    /// The sending end of `flow`.
    pub fn new(flow: FlowId) -> Self {
        Asking { flow, datagram: Datagram::new(flow), next: None, awaited: VecDeque::new() }
    }

    /// The packet with `number` has gone now.
    fn await_acknowledgment(&mut self, number: u16, now: Time) {
        self.next = Some(number.wrapping_add(1));
        if self.awaited.len() == MOST_AWAITED {
            self.awaited.pop_front();
        }
        self.awaited.push_back(Some(now));
    }

    /// When the packet with `number` was sent, unless it is acknowledged. It is now.
    fn take(&mut self, number: u16) -> Option<Time> {
        let back = usize::from(self.next?.wrapping_sub(number));
        let at = self.awaited.len().checked_sub(back).filter(|_| back > 0)?;
        let sent = self.awaited.get_mut(at)?.take();
        while self.awaited.front() == Some(&None) {
            self.awaited.pop_front();
        }
        sent
    }
}

impl Transport for Asking {
    fn wants_message(&self, room: bool) -> bool {
        self.datagram.wants_message(room)
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        self.datagram.on_message(cx, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let Ok(number) = header::read(&packet) else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            return cx.drop(packet, DropCause::Malformed);
        };
        match self.take(number) {
            Some(sent) => {
                cx.gauge(self.flow, Gauge::RoundTrip(cx.now.since(sent)));
                cx.gauge(self.flow, Gauge::Acknowledged(1));
            }
            None => cx.drop(packet, DropCause::Duplicate),
        }
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        let mut packet = self.datagram.poll_send(cx)?;
        // another first number in every life of the node
        let number = self.next.unwrap_or_else(|| cx.incarnation.wrapping_mul(0x6A09));
        header::write(&mut packet, number);
        self.await_acknowledgment(number, cx.now);
        Some(packet)
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.datagram.give_up()
    }

    fn backlog(&self) -> usize {
        self.datagram.backlog()
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
