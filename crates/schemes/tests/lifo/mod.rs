//! LIFO over 802.11: the newest packet goes first. An example; no paper.

use multihop_core::{
    Capability, Cx, DropCause, Failed, Forwarding, Heard, Hop, NodeId, Outcome, Packet, Plot,
    Receiver, Rx, Scheme, TxDone, TxRequest, Verdict,
};
use multihop_schemes::parts::datagram::{self, Datagram};
use multihop_schemes::parts::fifo::QUEUE_LIMIT;

/// LIFO over 802.11.
pub static SCHEME: Scheme = Scheme {
    name: "lifo",
    title: "LIFO over 802.11",
    paper: "None; the example of CONTRIBUTING.md",
    plot: Plot { color: "#2ca02c", marker: "<" },
    counters: &[],
    words: &[],
    headers: &[],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &[QUEUE_LIMIT.param()],
    hop: &|params| {
        let limit = params.get(QUEUE_LIMIT) as usize;
        Box::new(Lifo { stack: Vec::new(), limit, sending: 0 })
    },
    transport: &|_, flow, _| Box::new(Datagram::new(flow)),
    carries: datagram::carries,
};

struct Lifo {
    stack: Vec<(Packet, NodeId)>,
    limit: usize,
    /// Packets that the MAC has: none or one.
    sending: usize,
}

impl Hop for Lifo {
    fn promiscuous(&self) -> bool {
        false
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        if self.stack.len() < self.limit {
            self.stack.push((packet, next));
        } else {
            cx.drop(packet, DropCause::QueueFull);
        }
    }

    fn on_heard(&mut self, _cx: &mut Cx, rx: &Rx) -> Verdict {
        if rx.heard == Heard::ForMe { Verdict::Accept } else { Verdict::Done }
    }

    fn poll_transmit(&mut self, _cx: &mut Cx) -> Option<TxRequest> {
        let (packet, next) = self.stack.pop()?;
        self.sending = 1;
        Some(TxRequest::new(Receiver::Node(next), packet))
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        self.sending = 0;
        if done.outcome == Outcome::Failed {
            return Some(Failed::GivenUp(done.packet.clone()));
        }
        cx.release(&done.packet);
        None
    }

    fn backlog(&self) -> usize {
        self.stack.len() + self.sending
    }
}
