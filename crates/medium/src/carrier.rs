//! What carries frames between nodes.

use multihop_core::{AirTime, FrameClass, NodeId, Time, TxDone, TxRequest};
use multihop_pages::HugePages;
use multihop_setup::Medium;
use multihop_setup::Setup;

use crate::below::{Alarm, Below};
use crate::outer::OuterCarrier;
use crate::radio::RadioCarrier;
use crate::wired::WiredCarrier;

/// The radio channel or the wires.
pub enum Carrier {
    /// A station per node on one shared channel.
    Radio(Box<RadioCarrier>),
    /// A duplex link between any two neighbours.
    Wired(WiredCarrier),
    /// Another program's medium.
    Outer(Box<OuterCarrier>),
}

impl Carrier {
    /// What carries the frames between the nodes of `setup`.
    pub fn new(setup: &Setup) -> Self {
        match &setup.medium {
            Medium::Radio(radio, mac) => {
                let addresses = setup.addresses.clone();
                let radio = RadioCarrier::new(&setup.nodes, addresses, (radio, mac), setup.seed);
                Carrier::Radio(Box::new(radio))
            }
            Medium::Wired(wired) => {
                let addresses = setup.addresses.clone();
                Carrier::Wired(WiredCarrier::new(&setup.nodes, addresses, wired.clone()))
            }
        }
    }

    /// Another program carries the frames between the nodes of `setup`; `None` if they have wires.
    pub fn outer(setup: &Setup) -> Option<Self> {
        let Medium::Radio(radio, mac) = &setup.medium else { return None };
        let addresses = setup.addresses.clone();
        let outer = OuterCarrier::new(&setup.nodes, addresses, (radio, mac), setup.seed);
        Some(Carrier::Outer(Box::new(outer)))
    }

    /// For every node, those that routing may use as next hops when the run starts, in ascending
    /// order.
    pub fn neighbours(&self) -> Vec<Vec<NodeId>> {
        match self {
            Carrier::Radio(radio) => radio.channel.neighbours(),
            Carrier::Wired(wired) => wired.neighbours(),
            Carrier::Outer(outer) => outer.channel.neighbours(),
        }
    }

    /// What it keeps of its nodes is to lie on huge pages.
    pub fn add_to(&self, pages: &mut HugePages) {
        if let Carrier::Radio(radio) = self {
            radio.add_to(pages);
        }
    }

    /// The time of `node` has come: read from memory, all at once, what it may need, before one waits for the other.
    pub fn read_ahead(&self, node: NodeId) {
        if let Carrier::Radio(radio) = self {
            radio.read_ahead(node);
        }
    }

    /// The time set for `node` has come. Returns whether its radio puts a frame on the air.
    pub fn on_deadline<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> bool {
        match self {
            Carrier::Radio(radio) => radio.on_deadline(node, below),
            Carrier::Wired(wired) => {
                wired.on_deadline(node, below);
                false
            }
            Carrier::Outer(_) => false,
        }
    }

    /// Whether `node` may hand over a frame.
    pub fn is_free(&self, node: NodeId) -> bool {
        match self {
            Carrier::Radio(radio) => radio.is_free(node),
            Carrier::Wired(_) => true,
            Carrier::Outer(outer) => outer.is_free(node),
        }
    }

    /// Count what the radio of `node` does with its time.
    pub fn watch_air(&mut self, node: NodeId) {
        match self {
            Carrier::Radio(radio) => radio.watch_air(node),
            Carrier::Wired(_) => {}
            Carrier::Outer(outer) => outer.watch_air(node),
        }
    }

    /// What `node` overhears, and what its radio does with its time, matters from now on, or does not.
    #[inline]
    pub fn set_listening<A: Alarm>(&mut self, node: NodeId, on: bool, below: &mut Below<A>) {
        if let Carrier::Radio(radio) = self {
            radio.set_listening(node, on, below);
        }
    }

    /// What the radio of `node` has done with its time up to `now`, if that is counted.
    pub fn air(&mut self, node: NodeId, now: Time) -> AirTime {
        match self {
            Carrier::Radio(radio) => radio.stations[node.index()].air(now),
            Carrier::Wired(_) => AirTime::default(),
            Carrier::Outer(outer) => outer.air(node, now),
        }
    }

    /// Whether nodes ever move.
    pub fn is_moving(&self) -> bool {
        match self {
            Carrier::Radio(radio) => radio.channel.is_moving(),
            Carrier::Wired(_) => false,
            Carrier::Outer(outer) => outer.channel.is_moving(),
        }
    }

    /// For every node, those that sense what it transmits at `now`.
    pub fn sensing(&mut self, now: Time) -> Vec<Vec<NodeId>> {
        match self {
            Carrier::Radio(radio) => radio.channel.sensing(now),
            Carrier::Wired(_) => Vec::new(),
            Carrier::Outer(outer) => outer.channel.sensing(now),
        }
    }

    /// Whether `node` can reach `other` at `now` with a frame that nothing disturbs.
    pub fn in_range(&self, node: NodeId, other: NodeId, now: Time) -> bool {
        match self {
            Carrier::Radio(radio) => radio.channel.in_range(node, other, now),
            Carrier::Wired(_) => true,
            Carrier::Outer(outer) => outer.channel.in_range(node, other, now),
        }
    }

    /// `node` hands over a frame of this class.
    pub fn offer<A: Alarm>(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below<A>,
    ) {
        match self {
            Carrier::Radio(radio) => radio.offer(node, request, class, below),
            Carrier::Wired(wired) => wired.offer(node, request, class, below),
            Carrier::Outer(outer) => outer.offer(node, request, class, below.now),
        }
    }

    /// `node` marks its frame: congestion experienced.
    pub fn mark(&mut self, node: NodeId) {
        match self {
            Carrier::Radio(radio) => radio.mark(node),
            Carrier::Wired(_) => {}
            Carrier::Outer(outer) => outer.mark(node),
        }
    }

    /// What `node` has just heard is not to be acknowledged. Wires have acknowledged it already, and no other program
    /// [offers](OuterCarrier::offers) that.
    pub fn decline<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) {
        if let Carrier::Radio(radio) = self {
            radio.decline(node, below);
        }
    }

    /// `node` restarts. Returns the frame that it had. What it transmits is cut off; what is on a
    /// wire, or in a wire's queue, goes on.
    pub fn restart<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> Option<TxDone> {
        match self {
            Carrier::Radio(radio) => radio.restart(node, below),
            Carrier::Wired(_) => None,
            Carrier::Outer(outer) => outer.restart(node, below.now),
        }
    }

    /// `node` takes its frame back, unless it has been on the air.
    pub fn withdraw<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> Option<TxDone> {
        match self {
            Carrier::Radio(radio) => radio.withdraw(node, below),
            Carrier::Wired(_) => None,
            Carrier::Outer(outer) => outer.withdraw(node, below.now),
        }
    }
}
