//! What stations that send batches need beside those that do not: places for many packets each, and packets that wait at
//! their receiver for others.

use std::collections::{BTreeMap, VecDeque};

use multihop_core::{Aggregate, Mpdu, Packet, Rx};

use super::aggregates::{Aggregates, Sent};
use super::frame::{Frame, FrameKind, Profile};
use super::station::Rules;
use super::window::LONGEST;

/// Places of a station that sends batches: for one in hand, and for the two before, of which somebody may still be told.
const PLACES: u32 = 3 * LONGEST + 2;

/// See the module.
pub(super) struct Batches {
    aggregates: Aggregates,
    /// The places of each node that are free, the longest first.
    free: Vec<VecDeque<u32>>,
    /// Packets that wait for others: at which node, from which, and their numbers.
    pub held: BTreeMap<(u32, u32, u32), Rx>,
    /// Of the A-MPDU or block acknowledgment that was put on the air last.
    on_air: Aggregate,
}

/// How many packets a station has places for.
pub(super) fn per_station(profile: &Profile) -> usize {
    if profile.aggregation().is_some() { PLACES as usize } else { 2 }
}

/// What stations that send batches need, where the rules let them.
#[inline]
pub(super) fn batches<R: Rules>(all: &mut Option<Box<Batches>>) -> Option<&mut Batches> {
    if R::BATCHES { all.as_deref_mut() } else { None }
}

/// What A-MPDUs carry, where stations send some.
#[inline]
pub(super) fn aggregates<R: Rules>(all: &mut Option<Box<Batches>>) -> Option<&mut Aggregates> {
    batches::<R>(all).map(|batches| &mut batches.aggregates)
}

impl Batches {
    /// Of so many stations.
    pub fn new(stations: usize) -> Self {
        let places = |station: u32| (station * PLACES..(station + 1) * PLACES).collect();
        Batches {
            aggregates: Aggregates::new(stations),
            free: (0..stations as u32).map(places).collect(),
            held: BTreeMap::new(),
            on_air: Aggregate::default(),
        }
    }

    /// A place for a packet of this node.
    pub fn take(&mut self, node: usize) -> u32 {
        self.free[node].pop_front().expect("a station has one batch in hand")
    }

    /// The place of a packet of this node is free, after all others that are.
    pub fn leave(&mut self, node: usize, place: u32) {
        self.free[node].push_back(place);
    }

    /// What a frame has beyond others, if it is the one that was put on the air last.
    pub fn of(&self, frame: &Frame) -> Option<&Aggregate> {
        let is_one = matches!(frame.kind, FrameKind::Aggregate | FrameKind::BlockAck);
        is_one.then_some(&self.on_air)
    }

    /// This frame is on the air; `packet` is what stands in a place.
    pub fn put_on_air<'a>(&mut self, frame: &Frame, packet: impl Fn(u32) -> &'a Packet) {
        let Sent { parts, received } = self.aggregates.of(frame.from);
        let behind = match frame.kind {
            FrameKind::Aggregate => parts.get(1..).unwrap_or_default(),
            _ => &[],
        };
        self.on_air.came = *received;
        self.on_air.joined.clear();
        self.on_air.joined.extend(behind.iter().map(|part| Mpdu {
            packet: packet(part.packet).clone(),
            class: part.class,
            bytes: part.bytes,
            sequence: part.number,
        }));
    }
}
