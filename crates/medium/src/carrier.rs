//! What carries frames between nodes, and what it reports.

use multihop_core::{Bytes, Duration, NodeId, Packet, Rx, Tag, Time, TxDone, TxRequest};
use multihop_scenario::Setup;
use multihop_scenario::setup::Medium;

use crate::mac::{Action, Frame};
use crate::radio::RadioCarrier;
use crate::wired::WiredCarrier;

/// The radio channel or the wires.
pub enum Carrier {
    /// A station per node on one shared channel.
    Radio(Box<RadioCarrier>),
    /// A duplex link between any two neighbours.
    Wired(WiredCarrier),
}

/// What happened on the wires.
pub enum WireReport {
    /// A packet arrived at a node.
    Heard(NodeId, Rx),
    /// A node's frame was accepted.
    Done(NodeId, TxDone),
    /// A frame goes into a link.
    Transmits(Transmission),
    /// A link's queue was full.
    QueueFull(NodeId, Packet),
}

/// A frame on the medium, for statistics and traces.
#[derive(Clone, Copy, Debug)]
pub struct Transmission {
    /// The transmitter.
    pub from: NodeId,
    /// The addressee; `None` if it is for everyone.
    pub to: Option<NodeId>,
    /// The packet that it carries or, for an RTS, announces.
    pub tag: Option<Tag>,
    /// What its kind is called.
    pub label: &'static str,
    /// Its length, without the preamble.
    pub bytes: Bytes,
    /// How long it is on the medium, preamble included.
    pub air_time: Duration,
}

/// The host's schedule.
pub trait Alarm {
    /// [`Carrier::on_deadline`] is due for `node` at `at`, and not when was said before.
    fn set(&mut self, node: NodeId, at: Time);
}

/// What a call gets.
pub struct Below<'a, A> {
    /// Now.
    pub now: Time,
    /// How much later than now a frame that is offered reaches the MAC.
    pub lag: Duration,
    /// Where deadlines go.
    pub alarm: &'a mut A,
    /// What stations did.
    pub actions: &'a mut Vec<(NodeId, Action)>,
    /// What happened on the wires.
    pub wires: &'a mut Vec<WireReport>,
}

impl Carrier {
    /// What carries the frames between the nodes of `setup`.
    pub fn new(setup: &Setup) -> Self {
        match &setup.medium {
            Medium::Radio(radio, mac) => {
                let radio = RadioCarrier::new(&setup.nodes, radio, mac, setup.seed);
                Carrier::Radio(Box::new(radio))
            }
            Medium::Wired(wired) => Carrier::Wired(WiredCarrier::new(&setup.nodes, wired.clone())),
        }
    }

    /// For every node, those that routing may use as next hops when the run starts, in ascending
    /// order.
    pub fn neighbours(&self) -> Vec<Vec<NodeId>> {
        match self {
            Carrier::Radio(radio) => radio.channel.neighbours(),
            Carrier::Wired(wired) => wired.neighbours(),
        }
    }

    /// The time set for `node` has come. Returns the frame that it puts on the air.
    pub fn on_deadline<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> Option<Frame> {
        match self {
            Carrier::Radio(radio) => radio.on_deadline(node, below),
            Carrier::Wired(wired) => {
                wired.on_deadline(node, below);
                None
            }
        }
    }

    /// Whether `node` may hand over a frame.
    pub fn is_free(&self, node: NodeId) -> bool {
        match self {
            Carrier::Radio(radio) => radio.is_free(node),
            Carrier::Wired(_) => true,
        }
    }

    /// Whether nodes ever move.
    pub fn is_moving(&self) -> bool {
        match self {
            Carrier::Radio(radio) => radio.channel.is_moving(),
            Carrier::Wired(_) => false,
        }
    }

    /// For every node, those that sense what it transmits at `now`.
    pub fn sensing(&mut self, now: Time) -> Vec<Vec<NodeId>> {
        match self {
            Carrier::Radio(radio) => radio.channel.sensing(now),
            Carrier::Wired(_) => Vec::new(),
        }
    }

    /// Whether `node` can reach `other` at `now` with a frame that nothing disturbs.
    pub fn in_range(&self, node: NodeId, other: NodeId, now: Time) -> bool {
        match self {
            Carrier::Radio(radio) => radio.channel.in_range(node, other, now),
            Carrier::Wired(_) => true,
        }
    }

    /// `node` hands over a frame, which its protocol calls `label`.
    pub fn offer<A: Alarm>(
        &mut self,
        node: NodeId,
        request: TxRequest,
        label: &'static str,
        below: &mut Below<A>,
    ) {
        match self {
            Carrier::Radio(radio) => radio.offer(node, request, label, below),
            Carrier::Wired(wired) => wired.offer(node, request, label, below),
        }
    }

    /// `node` marks its frame: congestion experienced.
    pub fn mark(&mut self, node: NodeId) {
        if let Carrier::Radio(radio) = self {
            radio.mark(node);
        }
    }

    /// `node` takes its frame back, unless it has been on the air.
    pub fn withdraw<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> Option<TxDone> {
        match self {
            Carrier::Radio(radio) => radio.withdraw(node, below),
            Carrier::Wired(_) => None,
        }
    }
}
