//! What carries frames between nodes, as every host sees it: a MAC at every node, and a channel or wires
//! between them.
//!
//! A medium keeps no clock and no schedule: the host says what time it is, wakes it when it has asked for
//! that ([`Wakes::set_below`]), and then takes its reports.
//!
//! ```text
//! host --offer, withdraw, mark, decline--> Medium --set_below--> Wakes
//!      --on_deadline, transmit----------->
//!      --room, join, depart-------------->   (a MAC that sends batches)
//!      <--poll_report---------------------
//! ```

use crate::{
    AirTime, Bytes, DropCause, Duration, FlowId, FrameClass, FrameId, Heard, Losses, NodeId,
    Outcome, Packet, Payload, Rate, Receiver, Reception, Rx, Tag, Time, Transmission, TxDone,
    TxRequest, Wakes,
};

/// What a call to a medium gets.
pub struct Below<'a> {
    /// Now.
    pub now: Time,
    /// How much later than now a frame that is offered reaches the MAC.
    pub lag: Duration,
    /// Where deadlines go.
    pub wakes: &'a mut Wakes,
}

/// What a deadline has brought about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Woken {
    /// The node's radio puts a frame on the air: [`Medium::transmit`] is due, after the reports.
    pub on_air: bool,
    /// The node has won the medium, and more of its packets may go with the one that its MAC has. The host joins what
    /// [`Medium::room`] has room for, and then calls [`Medium::depart`], whose answer takes the place of this one.
    pub wins: bool,
    /// How many reports there are.
    pub reports: usize,
}

/// What may still join the packets that are about to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchRoom {
    /// The neighbour to which they go.
    pub to: NodeId,
    /// The longest packet that has room.
    pub bytes: Bytes,
}

/// Whether a radio is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// It is.
    On,
    /// It is not: its node is not there.
    Off,
}

/// What a medium tells of a node. What is large stands in [`Told`], so that it is written once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// A frame of the node begins to be on the medium: [`Medium::transmission`].
    Transmits,
    /// The medium keeps a copy of a packet of its own, apart from the one that its node has: on a wire, or where it waits at
    /// its receiver for others that come before it.
    Keeps(Tag),
    /// What became of a frame at the node.
    Received(Reception),
    /// The node hears [`Told::heard`].
    Hears,
    /// The copy that the medium has kept is handed over.
    Leaves(Tag),
    /// The medium drops the copy that it keeps, of the packet in [`Told::done`].
    Drops(DropCause),
    /// The MAC has finished with a frame of the node, and has room for another one: [`Told::done`].
    Done,
}

/// The large part of a report.
#[derive(Clone, Debug)]
pub struct Told {
    /// What a node hears.
    pub heard: Rx,
    /// How a frame has ended.
    pub done: TxDone,
}

impl Default for Told {
    fn default() -> Self {
        let nobody = FlowId::between(NodeId(0), NodeId(0));
        let packet = Packet::new(nobody, Payload::Virtual(0), Tag::default());
        let (from, heard, rate, air_time) = (NodeId(0), Heard::Overheard, Rate(0), Duration::ZERO);
        let done = TxRequest::new(Receiver::Broadcast, packet.clone()).done(Outcome::Sent, rate);
        Told { heard: Rx { from, heard, rate, signal: None, air_time, packet }, done }
    }
}

/// What a radio has counted since the start of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RadioTotals {
    /// Air time spent transmitting.
    pub transmitting: Duration,
    /// Air time spent receiving or sensing.
    pub receiving: Duration,
    /// Frames addressed to this node that were lost.
    pub losses: Losses,
}

impl RadioTotals {
    /// Those of another radio of the same node added.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        RadioTotals {
            transmitting: self.transmitting + other.transmitting,
            receiving: self.receiving + other.receiving,
            losses: self.losses.with(other.losses),
        }
    }
}

/// Which receptions to hand over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandOver {
    /// Those that are certain, if it is worth it by now.
    IfMany,
    /// All that are certain.
    All,
}

/// What carries frames between nodes. Nodes are named by their numbers, from 0 on.
pub trait Medium: core::any::Any {
    /// The first of the run's events is about to happen.
    fn begin(&mut self) {}

    /// For every node, the nodes that routing may use as next hops when the run starts, in ascending order.
    fn neighbours(&self) -> Vec<Vec<NodeId>>;

    /// How long a test frame takes from a node to a neighbour, repetitions included (IEEE 802.11-2020, 14.9), when the run
    /// starts; `None` where a medium does not know.
    fn air_time_metric(&self, _from: NodeId, _to: NodeId) -> Option<Duration> {
        None
    }

    /// Whether nodes share the air: their radios count what they do with their time, and a frame may be lost.
    fn shares_air(&self) -> bool {
        true
    }

    /// How long a packet takes through the layers between an idle MAC and the routing above, up or down.
    fn link_layer_delay(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether `node` may hand over a frame: the MAC has room for one more.
    fn is_free(&self, node: NodeId) -> bool;

    /// `node` hands over a frame of this class. Returns how many reports there are.
    fn offer(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below,
    ) -> usize;

    /// What may join the packets of `node`, which has won the medium ([`Woken::wins`]); `None` if nothing.
    fn room(&self, _node: NodeId) -> Option<BatchRoom> {
        None
    }

    /// `node` hands over one more packet for that neighbour, which has room.
    fn join(
        &mut self,
        _node: NodeId,
        _request: &TxRequest,
        _class: FrameClass,
        _below: &mut Below,
    ) {
    }

    /// All that was to join the packets of `node` has: they go.
    fn depart(&mut self, _node: NodeId, _below: &mut Below) -> Woken {
        Woken::default()
    }

    /// `node` takes this frame back; nothing if the MAC has it not, or if it has been on the air.
    fn withdraw(&mut self, _node: NodeId, _frame: FrameId, _below: &mut Below) -> Option<TxDone> {
        None
    }

    /// `node` marks this frame: congestion experienced.
    fn mark(&mut self, _node: NodeId, _frame: FrameId) {}

    /// What `node` has just heard is not to be acknowledged, where the MAC would.
    fn decline(&mut self, _node: NodeId, _below: &mut Below) {}

    /// The time that was set for `node` has come.
    fn on_deadline(&mut self, node: NodeId, below: &mut Below) -> Woken;

    /// The frame of `node` is on the air, as [`Woken::on_air`] has said: the other nodes' radios learn of it. Returns
    /// how many reports there are, besides that of the frame itself.
    fn transmit(&mut self, _node: NodeId, _below: &mut Below) -> usize {
        0
    }

    /// The frame that began last to be on the medium.
    ///
    /// # Panics
    /// If there was none.
    fn transmission(&self) -> Transmission<'_>;

    /// The next of the reports, and the node that it is of.
    ///
    /// # Panics
    /// If there is none: whoever calls has been told how many there are.
    fn poll_report(&mut self, now: Time, told: &mut Told) -> (NodeId, Report);

    /// `node` restarts. Returns the frames that it had. What its radio transmits is cut off.
    fn restart(&mut self, _node: NodeId, _below: &mut Below) -> Vec<TxDone> {
        Vec::new()
    }

    /// The radio of `node` is on or off from now on: while it is off, it hears and answers nothing. Returns the frames
    /// that the node had, which are lost.
    fn switch(&mut self, _node: NodeId, _power: Power, _below: &mut Below) -> Vec<TxDone> {
        Vec::new()
    }

    /// `node` wants to hear frames for others as well.
    fn set_promiscuous(&mut self, _node: NodeId, _on: bool) {}

    /// What `node` overhears, and what its radio does with its time, matters from now on, or does not.
    fn set_listening(&mut self, _node: NodeId, _on: bool, _below: &mut Below) {}

    /// Count what the radio of `node` does with its time.
    fn watch_air(&mut self, _node: NodeId) {}

    /// What the radio of `node` has done with its time up to `now`, if that is counted.
    fn air(&mut self, _node: NodeId, _now: Time) -> AirTime {
        AirTime::default()
    }

    /// What the radio of `node` has counted up to `now`.
    fn totals(&self, _node: NodeId, _now: Time) -> RadioTotals {
        RadioTotals::default()
    }

    /// Write down what becomes of every frame at every node; with `sensed` also where it is too weak to be decoded.
    fn watch_receptions(&mut self, _sensed: bool) {}

    /// Hand over what has become of frames up to `now`, if that is written down.
    fn receptions(&mut self, _now: Time, _which: HandOver, _tell: &mut dyn FnMut(&[Reception])) {}

    /// Whether nodes ever move.
    fn is_moving(&self) -> bool {
        false
    }

    /// For every node, the nodes that sense what it transmits at `now`; nothing where there is no air.
    fn sensing(&mut self, _now: Time) -> Vec<Vec<NodeId>> {
        Vec::new()
    }

    /// Whether `node` can reach `other` at `now` with a frame that nothing disturbs.
    fn in_range(&self, _node: NodeId, _other: NodeId, _now: Time) -> bool {
        true
    }
}
