//! The packets that wait for routes (RFC 3561, 6.3; RFC 4728, 4.2).

use std::collections::VecDeque;

use multihop_core::{Cx, DropCause, Duration, FlowId, NodeId, Packet, Time};

/// The packets that wait for routes, the oldest first.
#[derive(Clone, Debug)]
pub struct SendBuffer {
    waiting: VecDeque<(Packet, Time)>,
    limit: usize,
    timeout: Duration,
}

impl SendBuffer {
    /// Room for `limit` packets, each for as long as `timeout`.
    pub const fn new(limit: usize, timeout: Duration) -> Self {
        SendBuffer { waiting: VecDeque::new(), limit, timeout }
    }

    /// Keep `packet`. If the buffer is full, the oldest packet is dropped, as in ns-2.
    pub fn push(&mut self, cx: &mut Cx, packet: Packet) {
        self.drop_old(cx);
        if self.waiting.len() == self.limit
            && let Some((oldest, _)) = self.waiting.pop_front()
        {
            cx.drop(oldest, DropCause::RouteBufferFull);
        }
        self.waiting.push_back((packet, cx.now + self.timeout));
    }

    /// Take the oldest packet for `destination`.
    pub fn pop(&mut self, cx: &mut Cx, destination: NodeId) -> Option<Packet> {
        self.drop_old(cx);
        let for_it = |packet: &Packet| packet.flow.destination == destination;
        let at = self.packets().position(for_it)?;
        self.take(at)
    }

    /// As in ns-2, what has waited too long goes when somebody looks into the buffer.
    pub fn drop_old(&mut self, cx: &mut Cx) {
        while let Some((_, until)) = self.waiting.front()
            && *until < cx.now
            && let Some((packet, _)) = self.waiting.pop_front()
        {
            cx.drop(packet, DropCause::NoRoute);
        }
    }

    /// The flow of the packet at this place.
    pub fn flow(&self, at: usize) -> Option<FlowId> {
        self.waiting.get(at).map(|(packet, _)| packet.flow)
    }

    /// Take the packet at this place.
    pub fn take(&mut self, at: usize) -> Option<Packet> {
        self.waiting.remove(at).map(|(packet, _)| packet)
    }

    /// The packets, the oldest first.
    pub fn packets(&self) -> impl Iterator<Item = &Packet> {
        self.waiting.iter().map(|(packet, _)| packet)
    }

    /// How many packets wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }
}
