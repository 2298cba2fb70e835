//! A medium that another program has: another simulator's MAC and channel. What nodes hand over waits here
//! until that program says what has become of it.
//!
//! ```text
//! node --offer, withdraw--> Outer --Order--> the other simulator
//!                                        <--began, heard, ended--
//! ```
//!
//! Where nodes are, and with that who may be a neighbour, is the scenario's.

mod air;

use std::collections::VecDeque;

use multihop_core::{
    AddressTable, AirTime, Below, Bytes, Capability, Duration, FrameClass, FrameId, Heard, Medium,
    NodeId, Outcome, Packet, Rate, Receiver, Report, Rx, SignalStrength, Time, Told, Transmission,
    TxDone, TxRequest, Woken,
};
use multihop_setup::Setup;

use crate::channel::Channel;
use crate::dcf::{FrameKind, Settings};
use air::Air;
pub use air::Sensed;

/// What the other program is to do, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// A node hands over a frame; none of its frames is under way.
    Transmit {
        /// Whose frame it is.
        node: NodeId,
        /// The frame's number, which whoever hears it has to name.
        number: u32,
        /// Whom it is for; `None` for everyone.
        to: Option<NodeId>,
        /// Whether the receiver is to acknowledge it.
        acknowledged: bool,
        /// The smallest contention window, if it is to have one of its own.
        cw_min: Option<u32>,
        /// The packet.
        bytes: Vec<u8>,
    },
    /// A node takes its frame back, which has not been on the air.
    Withdraw {
        /// Whose frame it is.
        node: NodeId,
        /// The frame's number.
        number: u32,
    },
}

/// A frame that the other program puts on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OuterFrame {
    /// Who transmits.
    pub from: NodeId,
    /// Whom it is for; `None` for everyone.
    pub to: Option<NodeId>,
    /// Its kind.
    pub kind: FrameKind,
    /// Its length, without the preamble.
    pub bytes: Bytes,
    /// How long it is on the air, preamble included.
    pub air_time: Duration,
    /// How long it reserves the medium after its end.
    pub reserved: Duration,
    /// The MAC's sequence number.
    pub sequence: u32,
}

/// What a node has handed over, and how far it has got.
struct InService {
    number: u32,
    to: Option<NodeId>,
    request: TxRequest,
    class: FrameClass,
    since: Time,
    /// The rate of its data.
    rate: Rate,
    /// How many frames were put on the air for it, and how often that was the beginning of an exchange.
    attempts: u32,
    exchanges: u32,
    /// Whether the last of them was an RTS, whose exchange its data goes on with.
    announced: bool,
    air_time: Duration,
    /// How long its last data frame is on the air.
    data_time: Duration,
    /// Whether its node has marked it, and had before the last data frame began.
    marked: bool,
    marked_on_air: bool,
}

/// The MAC of one node, as far as it is known here.
#[derive(Default)]
struct Station {
    /// The frame below the node.
    current: Option<InService>,
    /// The one before, which may still arrive somewhere.
    last: Option<InService>,
    air: Air,
}

/// A frame as a radio has decoded it.
#[derive(Clone, Copy, Debug)]
pub struct OuterReception<'a> {
    /// Whose frame it is.
    pub from: NodeId,
    /// Its number.
    pub number: u32,
    /// How strong it was, where that is known.
    pub signal: Option<SignalStrength>,
    /// Its packet.
    pub bytes: &'a [u8],
}

/// A medium that another program has.
pub struct Outer {
    addresses: AddressTable,
    /// The scenario's geometry.
    channel: Channel,
    settings: Settings,
    stations: Vec<Station>,
    orders: VecDeque<Order>,
    /// How many frames nodes have handed over.
    offered: u32,
    /// How many frames were put on the air.
    transmitted: u32,
}

impl Outer {
    /// The medium of `setup`, whose radio and MAC are for the other program to heed; `None` if its nodes have wires.
    pub fn new(setup: &Setup) -> Option<Self> {
        let (radio, settings) = (setup.medium.radio()?, Settings::of(&setup.medium)?);
        Some(Outer {
            addresses: setup.addresses.clone(),
            channel: Channel::new(&setup.nodes, radio.clone(), setup.seed),
            settings,
            stations: setup.nodes.iter().map(|_| Station::default()).collect(),
            orders: VecDeque::new(),
            offered: 0,
            transmitted: 0,
        })
    }

    /// Whether another simulator's 802.11 can do that: it sends no frame to two, and draws every backoff from slot 0. Its nodes
    /// share nothing.
    pub const fn offers(capability: Capability) -> bool {
        let lacks = matches!(
            capability,
            Capability::TwoReceivers | Capability::FirstSlot | Capability::CommonList
        );
        !lacks
    }

    /// What the radio of `node` senses is something else from `now` on.
    pub fn senses(&mut self, node: NodeId, sensed: Sensed, now: Time) {
        if let Some(station) = self.stations.get_mut(node.index()) {
            station.air.senses(now, sensed);
        }
    }

    /// What the other program is to do next, if anything.
    pub fn poll_order(&mut self) -> Option<Order> {
        self.orders.pop_front()
    }

    /// The other program puts `frame` on the air `now`; as observers see it. `number` is the number of what it carries
    /// or announces.
    pub fn began(
        &mut self,
        frame: &OuterFrame,
        number: Option<u32>,
        now: Time,
    ) -> Transmission<'_> {
        let of_frame = self.transmitted;
        self.transmitted = of_frame.wrapping_add(1);
        let OuterFrame { from, kind, air_time, .. } = *frame;
        let mut held = None;
        if let Some(Station { current, air, .. }) = self.stations.get_mut(from.index()) {
            air.sends(now, now + air_time, matches!(kind, FrameKind::Rts | FrameKind::Data));
            let current = current.as_mut().filter(|held| Some(held.number) == number);
            held = current.map(|held| {
                held.begin(kind, air_time);
                &*held
            });
        }
        Transmission {
            number: of_frame,
            from,
            to: held.map_or(frame.to, |held| held.to),
            class: kind.class(held.map_or(FrameClass::Data, |held| held.class)),
            packet: held.map(|held| &held.request.packet),
            bytes: frame.bytes,
            rate: Rate(0),
            air_time,
            wait: Duration::ZERO,
            reserved: frame.reserved,
            sequence: frame.sequence,
            aggregate: None,
        }
    }

    /// What `node` hears with `reception`; nothing if there is no such frame, or if the bytes are not those of its packet.
    pub fn heard(&self, node: NodeId, reception: &OuterReception) -> Option<Rx> {
        let OuterReception { from, number, signal, bytes } = *reception;
        let Station { current, last, .. } = self.stations.get(from.index())?;
        let held = [current, last].into_iter().flatten().find(|held| held.number == number)?;
        let mut packet = Packet::parse(bytes).ok()?.named_as(&held.request.packet);
        packet.congestion_experienced |= held.marked_on_air;
        let heard = match held.to {
            None => Heard::Broadcast,
            Some(to) if to == node => Heard::ForMe,
            Some(_) => Heard::Overheard,
        };
        let (from, rate, air_time) = (self.addresses.address(from), held.rate, held.data_time);
        Some(Rx { from, heard, rate, signal, air_time, packet })
    }

    /// Frame `number` of `node` has ended so; nothing if that is not its frame (any more).
    pub fn ended(
        &mut self,
        node: NodeId,
        number: u32,
        outcome: Outcome,
        now: Time,
    ) -> Option<TxDone> {
        let station = self.stations.get_mut(node.index())?;
        let held = station.current.take_if(|held| held.number == number)?;
        station.air.exchange_ends(now);
        let done = held.done(outcome, now);
        station.last = Some(held);
        Some(done)
    }
}

impl Medium for Outer {
    fn neighbours(&self) -> Vec<Vec<NodeId>> {
        self.channel.neighbours()
    }

    fn link_layer_delay(&self) -> Duration {
        self.settings.link_layer_delay
    }

    fn watch_air(&mut self, node: NodeId) {
        self.stations[node.index()].air.watch();
    }

    fn air(&mut self, node: NodeId, now: Time) -> AirTime {
        self.stations[node.index()].air.until(now)
    }

    fn is_free(&self, node: NodeId) -> bool {
        self.stations[node.index()].current.is_none()
    }

    fn offer(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below,
    ) -> usize {
        let to = match request.to {
            Receiver::Node(to) => Some(self.addresses.number(to)),
            Receiver::Pair(_) | Receiver::Broadcast => None,
        };
        let number = self.offered;
        self.offered = number.wrapping_add(1);
        self.orders.push_back(Order::Transmit {
            node,
            number,
            to,
            acknowledged: to.is_some() && self.settings.acknowledges,
            cw_min: request.contention.map(|class| class.cw_min.min(self.settings.cw_max)),
            bytes: request.packet.emit(),
        });
        let held = InService {
            number,
            to,
            request: request.clone(),
            class,
            since: below.now,
            rate: if to.is_some() { self.settings.data_rate } else { self.settings.basic_rate },
            attempts: 0,
            exchanges: 0,
            announced: false,
            air_time: Duration::ZERO,
            data_time: Duration::ZERO,
            marked: false,
            marked_on_air: false,
        };
        let station = &mut self.stations[node.index()];
        debug_assert!(station.current.is_none(), "one frame at a time waits below a node");
        station.current = Some(held);
        0
    }

    fn mark(&mut self, node: NodeId, _: FrameId) {
        if let Some(held) = &mut self.stations[node.index()].current {
            held.marked = true;
        }
    }

    fn withdraw(&mut self, node: NodeId, _: FrameId, below: &mut Below) -> Option<TxDone> {
        let unsent = |held: &mut InService| held.attempts == 0;
        let held = self.stations[node.index()].current.take_if(unsent)?;
        self.orders.push_back(Order::Withdraw { node, number: held.number });
        Some(held.done(Outcome::Withdrawn, below.now))
    }

    /// One that has been on the air goes on there, and nobody is told how it ends.
    fn restart(&mut self, node: NodeId, below: &mut Below) -> Vec<TxDone> {
        let station = &mut self.stations[node.index()];
        if station.current.as_ref().is_some_and(|held| held.attempts > 0) {
            station.air.exchange_ends(below.now);
            station.last = station.current.take();
            let last = station.last.iter();
            return last.map(|held| held.done(Outcome::Withdrawn, below.now)).collect();
        }
        self.withdraw(node, FrameId::ONLY, below).into_iter().collect()
    }

    /// The other program wakes its stations itself.
    fn on_deadline(&mut self, _node: NodeId, _below: &mut Below) -> Woken {
        Woken::default()
    }

    fn transmission(&self) -> Transmission<'_> {
        unreachable!("the other program says what is on the air")
    }

    fn poll_report(&mut self, _now: Time, _told: &mut Told) -> (NodeId, Report) {
        unreachable!("the other program says what happens")
    }

    fn is_moving(&self) -> bool {
        self.channel.is_moving()
    }

    fn sensing(&mut self, now: Time) -> Vec<Vec<NodeId>> {
        self.channel.sensing(now)
    }

    fn in_range(&self, node: NodeId, other: NodeId, now: Time) -> bool {
        self.channel.in_range(node, other, now)
    }
}

impl InService {
    /// A frame of this kind is on the air for it.
    fn begin(&mut self, kind: FrameKind, air_time: Duration) {
        self.exchanges += u32::from(!(self.announced && kind.is_data()));
        self.announced = kind == FrameKind::Rts;
        self.attempts += 1;
        self.air_time += air_time;
        if kind.is_data() {
            self.data_time = air_time;
            self.marked_on_air = self.marked;
        }
    }

    fn done(&self, outcome: Outcome, now: Time) -> TxDone {
        let (service, retries) = (now.since(self.since), self.exchanges.saturating_sub(1));
        let InService { attempts, rate, air_time, .. } = *self;
        let mut done = self.request.clone().done(outcome, rate);
        done.packet.congestion_experienced |= self.marked;
        TxDone { service, attempts, retries, air_time, ..done }
    }
}
