//! Freshest first: a queue over 802.11 that sends the newest packet, and drops what has waited for too long.
//!
//! An example of a crate that adds a scheme, a MAC, an event and a drop cause to multihop without a change there; no paper.

pub mod aloha;

use std::collections::VecDeque;

use multihop_core::{
    Capability, Count, Counter, Counts, Cx, DropCause, Duration, EventKind, Failed, Forwarding,
    Heard, Hop, NodeId, Outcome, Packet, Plot, Receiver, Rx, Scheme, Span, Time, TxDone, TxRequest,
    Verdict, Vocabulary, Word,
};
use multihop_schemes::parts::datagram::{self, Datagram};

/// The text of this crate, by which a store of runs tells its engine from others.
pub const SOURCES: &[&str] = &[include_str!("lib.rs"), include_str!("aloha.rs")];

/// Why a packet is dropped here that a common word does not say.
pub static TOO_OLD: Word =
    Word { name: "too_old", about: "it had waited at a node for longer than `patience`" };

/// What happens here that no common word says.
pub static OVERTAKEN: Word =
    Word { name: "overtaken", about: "a newer packet was sent before this one" };

/// How long a packet waits at a node.
const PATIENCE: Span = Span {
    name: "patience",
    about: "A packet that has waited at a node for longer is dropped",
    bare_unit: "s",
    default: Duration::from_millis(1_000),
    min: Duration::from_millis(1),
    max: Duration::from_millis(60_000),
};

const MOST: Count = Count {
    name: "queue_limit",
    about: "How many packets wait at a node",
    unit: "packets",
    default: 50,
    min: 1,
    max: 1_000,
};

const OVERTAKEN_PACKETS: Counter = Counter {
    name: "overtaken",
    unit: "packets",
    about: "packets before which a newer one was sent",
    counts: Counts::Events(EventKind::Declared(&OVERTAKEN)),
};

/// Freshest first.
pub static SCHEME: Scheme = Scheme {
    name: "freshest",
    title: "Freshest first over 802.11",
    paper: "None; an example of a crate outside multihop",
    plot: Plot { color: "#8a5a00", marker: "P" },
    counters: &[OVERTAKEN_PACKETS],
    words: &[Vocabulary::Event(&OVERTAKEN), Vocabulary::Cause(&TOO_OLD)],
    headers: &[],
    does_itself: &[],
    requires: &[Capability::Unicast, Capability::LinkAcknowledgment],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &[PATIENCE.param(), MOST.param()],
    hop: &|params| {
        let (patience, most) = (params.get(PATIENCE), params.get(MOST) as usize);
        Box::new(Freshest { waiting: VecDeque::new(), patience, most, sending: 0 })
    },
    transport: &|_, flow, _| Box::new(Datagram::new(flow)),
    carries: datagram::carries,
};

/// A packet that waits, and since when.
struct Waiting {
    packet: Packet,
    next: NodeId,
    since: Time,
}

struct Freshest {
    /// The oldest first.
    waiting: VecDeque<Waiting>,
    patience: Duration,
    most: usize,
    /// Packets that the MAC has: none or one.
    sending: usize,
}

impl Hop for Freshest {
    fn promiscuous(&self) -> bool {
        false
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        if self.waiting.len() == self.most {
            return cx.drop(packet, DropCause::QueueFull);
        }
        self.waiting.push_back(Waiting { packet, next, since: cx.now });
    }

    fn on_heard(&mut self, _cx: &mut Cx, rx: &Rx) -> Verdict {
        if rx.heard == Heard::ForMe { Verdict::Accept } else { Verdict::Done }
    }

    fn deadline(&self) -> Time {
        self.waiting.front().map_or(Time::NEVER, |oldest| oldest.since + self.patience)
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        while self.deadline() <= cx.now
            && let Some(oldest) = self.waiting.pop_front()
        {
            cx.drop(oldest.packet, &TOO_OLD);
        }
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        let Waiting { packet, next, .. } = self.waiting.pop_back()?;
        if let Some(older) = self.waiting.back() {
            cx.trace(&OVERTAKEN, older.packet.flow, 0, older.packet.tag);
        }
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
        self.waiting.len() + self.sending
    }
}
