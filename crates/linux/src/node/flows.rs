//! Which flow an IP packet belongs to. Flows begin with their first packet and end when they are idle;
//! there is a bound on how many there are, and on what waits in each. One that still has to deliver something is
//! given time, but not for ever.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use multihop_core::{Claim, Duration, FlowId, NodeId, Room, Time, room};
use serde::{Deserialize, Serialize};

use crate::bucket::Bucket;
use crate::ip::IpPacket;

/// What makes a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keying {
    /// Protocol, addresses and ports: every connection is a flow.
    #[default]
    FiveTuple,
    /// All that goes to one node is one flow.
    Destination,
}

/// Bounds of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many there are.
    pub flows: usize,
    /// How many packets wait in each for the scheme to take them.
    pub queue: usize,
    /// A flow that has sent nothing for so long ends, unless something of it has to be delivered: then after
    /// [`PATIENCE`] times as long.
    pub idle: Duration,
    /// How many packets to groups are carried in a second, each as one for every other node.
    pub groups: u32,
    /// Whether packets whose DSCP asks for it make expedited flows.
    pub expedite: bool,
}

impl Limits {
    /// The packets to groups that may be carried.
    pub const fn bucket(self) -> Bucket {
        let a_second = Duration::from_millis(1_000).nanos();
        let most = if self.groups == 0 { 1 } else { self.groups };
        Bucket::new(self.groups, Duration::from_nanos(a_second / most as u64))
    }
}

/// So many labels tell flows of one class between two nodes apart.
const LABELS: u16 = FlowId::MOST_PER_PAIR as u16;

/// The most flows that may start at a node: fewer than labels.
pub const MOST_FLOWS: usize = LABELS as usize - 1;

/// How many times longer a flow is given that has something to deliver.
pub const PATIENCE: u64 = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    destination: NodeId,
    /// Protocol and ports.
    connection: (u8, u16, u16),
    /// Whether its packets go ahead of others.
    expedited: bool,
}

/// A flow that starts here.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Its name on the air.
    pub flow: FlowId,
    /// Packets that wait.
    pub queue: VecDeque<Arc<[u8]>>,
    /// How many packets have come.
    pub packets: u64,
    /// When the last packet came, and when the scheme took one last.
    used: Time,
    moved: Time,
    /// When it may be over.
    due: Time,
}

/// A flow that is over, and how many packets still waited in it.
pub type Ended = (FlowId, usize);

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It waits in a flow that is open.
    Queued,
    /// It waits in a flow that begins with it, for which another may have had to end.
    Begins(FlowId, Option<Ended>),
    /// There is no room for it in its flow.
    QueueFull,
    /// There are too many flows of which something has to be delivered.
    TooMany,
}

/// A packet of an application.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// The node that it is for.
    pub destination: NodeId,
    /// Its headers.
    pub packet: &'a IpPacket,
    /// All of it.
    pub bytes: &'a [u8],
}

/// The flows that start at a node.
#[derive(Clone, Debug)]
pub struct Flows {
    me: NodeId,
    keying: Keying,
    limits: Limits,
    all: BTreeMap<Key, Outgoing>,
    next_label: u16,
}

impl Flows {
    /// None yet. Labels begin at one that depends on the `life` of the node, so that nobody takes its flows
    /// for those that it had before.
    pub fn new(me: NodeId, keying: Keying, limits: Limits, life: u16) -> Self {
        let next_label = match keying {
            Keying::FiveTuple => life.wrapping_mul(0x6A09) % LABELS,
            Keying::Destination => 0,
        };
        Flows { me, keying, limits, all: BTreeMap::new(), next_label }
    }

    /// The bounds that hold.
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Other bounds hold from now on, for what comes.
    pub const fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    const fn key(&self, destination: NodeId, connection: (u8, u16, u16), expedited: bool) -> Key {
        match self.keying {
            Keying::FiveTuple => Key { destination, connection, expedited },
            Keying::Destination => Key { destination, connection: (0, 0, 0), expedited },
        }
    }

    /// How many packets wait in the flow of this connection, protocol and both ports, that is not expedited.
    pub fn waiting_in(&self, destination: NodeId, connection: (u8, u16, u16)) -> usize {
        self.all.get(&self.key(destination, connection, false)).map_or(0, |flow| flow.queue.len())
    }

    /// A packet is to wait for its turn. The node `holds` what was not delivered yet of some flows.
    pub fn push(&mut self, now: Time, sent: Sent, holds: impl Fn(FlowId) -> bool + Copy) -> Taken {
        let Sent { destination, packet, bytes } = sent;
        let expedited = self.limits.expedite && packet.is_expedited();
        let connection = (packet.protocol, packet.ports.0, packet.ports.1);
        let key = self.key(destination, connection, expedited);
        if let Some(flow) = self.all.get_mut(&key) {
            if flow.queue.len() >= self.limits.queue {
                return Taken::QueueFull;
            }
            (flow.used, flow.due) = (now, now + self.limits.idle);
            flow.packets += 1;
            flow.queue.push_back(bytes.into());
            return Taken::Queued;
        }
        let ended = match self.room(now, destination, holds) {
            Room::Free => None,
            Room::InPlaceOf(at) => self.end_nth(at),
            Room::Refused => return Taken::TooMany,
        };
        let flow = self.name(destination, expedited);
        let queue = VecDeque::from([bytes.into()]);
        let due = now + self.limits.idle;
        self.all.insert(key, Outgoing { flow, queue, packets: 1, used: now, moved: now, due });
        Taken::Begins(flow, ended)
    }

    /// The name of a flow to `destination` that no other one has.
    fn name(&mut self, destination: NodeId, expedited: bool) -> FlowId {
        let named = |label| {
            let flow = FlowId { label, ..FlowId::between(self.me, destination) };
            if expedited { flow.expedited() } else { flow }
        };
        if self.keying == Keying::Destination {
            return named(0);
        }
        loop {
            let flow = named(self.next_label);
            self.next_label = (self.next_label + 1) % LABELS;
            // there are fewer flows than labels
            if self.all.values().all(|other| other.flow != flow) {
                return flow;
            }
        }
    }

    /// Whether there is room for another flow to `destination`: each destination has a share, so that flows to a node that
    /// is gone leave room for others. One of which nothing has gone for long owes nothing any more.
    fn room(&self, now: Time, destination: NodeId, holds: impl Fn(FlowId) -> bool + Copy) -> Room {
        let claims = self.all.iter().map(|(key, flow)| {
            let waits = !flow.queue.is_empty() || holds(flow.flow);
            let stuck = now.since(flow.moved) >= self.limits.idle;
            let used = if flow.queue.is_empty() { flow.used } else { flow.moved };
            Claim { source: key.destination, used, owes: waits && !stuck }
        });
        room(self.limits.flows, self.all.len(), destination, claims)
    }

    fn end_nth(&mut self, at: usize) -> Option<Ended> {
        let key = *self.all.keys().nth(at)?;
        self.end(key)
    }

    fn end(&mut self, key: Key) -> Option<Ended> {
        self.all.remove(&key).map(|flow| (flow.flow, flow.queue.len()))
    }

    /// End one that is over `now`, if there is one. Those of which something is not delivered are those in which
    /// packets wait, and those of which the node `holds` some.
    pub fn end_idle(&mut self, now: Time, holds: impl Fn(FlowId) -> bool) -> Option<Ended> {
        let Limits { idle, .. } = self.limits;
        let mut over = None;
        for (key, flow) in self.all.iter_mut().filter(|(_, flow)| flow.due <= now) {
            let silent = now.since(flow.used.max(flow.moved));
            let waits = !flow.queue.is_empty() || holds(flow.flow);
            if !waits || silent >= idle * PATIENCE {
                over = Some(*key);
                break;
            }
            flow.due = now + idle;
        }
        self.end(over?)
    }

    /// When the next one may be over.
    pub fn deadline(&self) -> Time {
        self.all.values().map(|flow| flow.due).min().unwrap_or(Time::NEVER)
    }

    /// Those in which packets wait.
    pub fn waiting(&self) -> Vec<FlowId> {
        let waiting = self.all.values().filter(|flow| !flow.queue.is_empty());
        waiting.map(|flow| flow.flow).collect()
    }

    /// The next packet of `flow`.
    pub fn pop(&mut self, now: Time, flow: FlowId) -> Option<Arc<[u8]>> {
        let flow = self.all.values_mut().find(|other| other.flow == flow)?;
        let packet = flow.queue.pop_front()?;
        flow.moved = now;
        Some(packet)
    }

    /// All of them.
    pub fn all(&self) -> impl ExactSizeIterator<Item = &Outgoing> {
        self.all.values()
    }
}

#[cfg(test)]
mod tests;
