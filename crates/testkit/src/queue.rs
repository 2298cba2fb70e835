//! The plainest hop protocol: for tests of what is above and below it.

use std::collections::VecDeque;

use multihop_core::{
    Cx, Failed, FlowId, Heard, Hop, NodeId, Outcome, Packet, Receiver, Rx, TxDone, TxRequest,
    Verdict,
};

/// How many packets it admits.
const LIMIT: usize = 20;

/// Packets in the order in which they came, each tried once.
pub struct Queue {
    waiting: VecDeque<(Packet, NodeId)>,
    sending: usize,
    header_len: usize,
}

impl Queue {
    /// A queue that adds nothing to its packets.
    pub const fn new() -> Self {
        Queue::in_place_of(0)
    }

    /// A queue in place of a hop protocol whose header has so many bytes.
    pub const fn in_place_of(header_len: usize) -> Self {
        Queue { waiting: VecDeque::new(), sending: 0, header_len }
    }
}

impl Default for Queue {
    fn default() -> Self {
        Queue::new()
    }
}

impl Hop for Queue {
    fn admits(&self, _flow: FlowId) -> bool {
        self.waiting.len() < LIMIT
    }

    fn on_enqueue(&mut self, _cx: &mut Cx, packet: Packet, next: NodeId) {
        self.waiting.push_back((packet, next));
    }

    fn on_heard(&mut self, _cx: &mut Cx, rx: &Rx) -> Verdict {
        if rx.heard == Heard::ForMe { Verdict::Accept } else { Verdict::Done }
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        self.sending = 0;
        if done.outcome == Outcome::Failed {
            return Some(Failed::GivenUp(done.packet.clone()));
        }
        cx.release(&done.packet);
        None
    }

    fn poll_transmit(&mut self, _cx: &mut Cx) -> Option<TxRequest> {
        let (packet, next) = self.waiting.pop_front()?;
        self.sending = 1;
        Some(TxRequest::new(Receiver::Node(next), packet))
    }

    fn backlog(&self) -> usize {
        self.waiting.len() + self.sending
    }

    fn header_len(&self) -> usize {
        self.header_len
    }
}
