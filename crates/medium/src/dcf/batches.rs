//! What stations that send batches need beside those that do not: places for many packets each, and packets that wait at
//! their receiver for others.

use std::collections::{BTreeMap, VecDeque};

use multihop_core::{Mpdu, Packet, Rx};

use super::aggregates::Aggregates;
use super::frame::{Frame, FrameKind, Profile};
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
    /// The packets behind the first of the A-MPDU that was put on the air last.
    pub on_air: Vec<Mpdu>,
}

/// How many packets a station has places for.
pub(super) fn per_station(profile: &Profile) -> usize {
    if profile.aggregation().is_some() { PLACES as usize } else { 2 }
}

/// What A-MPDUs carry, where stations send some.
#[inline]
pub(super) fn aggregates(batches: &mut Option<Box<Batches>>) -> Option<&mut Aggregates> {
    batches.as_mut().map(|batches| &mut batches.aggregates)
}

impl Batches {
    /// Of so many stations.
    pub fn new(stations: usize) -> Self {
        let places = |station: u32| (station * PLACES..(station + 1) * PLACES).collect();
        Batches {
            aggregates: Aggregates::new(stations),
            free: (0..stations as u32).map(places).collect(),
            held: BTreeMap::new(),
            on_air: Vec::new(),
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

    /// What the last frame of a station says of packets that have come, if it is a block acknowledgment.
    pub fn came(&self, frame: &Frame) -> u64 {
        match frame.kind {
            FrameKind::BlockAck => self.aggregates.of(frame.from).received,
            _ => 0,
        }
    }

    /// The A-MPDU of this station is on the air; `packet` is what stands in a place.
    pub fn put_on_air<'a>(&mut self, station: u32, packet: impl Fn(u32) -> &'a Packet) {
        let parts = self.aggregates.of(station).parts.iter().skip(1);
        self.on_air.clear();
        self.on_air.extend(parts.map(|part| Mpdu {
            packet: packet(part.packet).clone(),
            class: part.class,
            bytes: part.bytes,
            sequence: part.number,
        }));
    }
}
