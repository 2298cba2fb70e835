//! The radio carrier: one station per node on one shared channel.

use multihop_core::{
    AddressTable, Duration, FlowId, FrameClass, Heard, NodeId, Outcome, Packet, Payload, Receiver,
    Rx, Tag, Transmission, TxDone, TxRequest,
};

use multihop_scenario::setup::{Mac, Node, Radio};

use crate::below::{Alarm, Below};
use crate::channel::Channel;
use crate::mac::{BROADCAST, Deadline, Frame, FrameKind, Job, NO_PACKET, Ports, Profile, Station};

/// One station per node on one shared channel.
pub struct RadioCarrier {
    addresses: AddressTable,
    /// The channel.
    pub channel: Channel,
    /// The MAC's constants.
    pub profile: Profile,
    /// One per node.
    pub stations: Vec<Station>,
    /// Two places per node, used in turn: a frame's packet stays readable until the frame
    /// after the next, and so for everybody who is still receiving it.
    packets: Vec<(Packet, FrameClass)>,
    /// The place that each node uses now.
    live: Vec<u32>,
}

impl RadioCarrier {
    /// The stations of `nodes`, with these `addresses`, in the run with `seed`.
    pub fn new(
        nodes: &[Node],
        addresses: AddressTable,
        (radio, mac): (&Radio, &Mac),
        seed: u64,
    ) -> Self {
        let channel = Channel::new(nodes, radio.clone(), seed);
        let profile = Profile::new(mac.clone(), radio, channel.longest_delay());
        let stations: Vec<Station> = (0..nodes.len() as u32)
            .map(|node| Station::new(NodeId(node), seed, &profile))
            .collect();
        let nobody = FlowId::between(NodeId(0), NodeId(0));
        let blank = (Packet::new(nobody, Payload::Virtual(0), Tag::default()), FrameClass::Data);
        RadioCarrier {
            addresses,
            packets: vec![blank; 2 * stations.len()],
            live: (0..stations.len() as u32).map(|node| 2 * node).collect(),
            channel,
            profile,
            stations,
        }
    }

    /// Whether `node` may hand over a frame.
    pub fn is_free(&self, node: NodeId) -> bool {
        self.stations[node.index()].is_free()
    }

    /// `node` hands over a frame, which its protocol calls `label`.
    pub fn offer<A: Alarm>(
        &mut self,
        node: NodeId,
        request: TxRequest,
        class: FrameClass,
        below: &mut Below<A>,
    ) {
        let start = below.now + below.lag;
        let at = node.index();
        self.live[at] ^= 1;
        let job = Job {
            to: match request.to {
                Receiver::Node(to) => self.addresses.number(to).0,
                Receiver::Broadcast => BROADCAST,
            },
            packet: self.live[at],
            bytes: request.packet.len(),
            acknowledged: request.acknowledged,
            marked: false,
        };
        self.packets[job.packet as usize] = (request.packet, class);
        let ports = &mut Ports::new(below.now, &self.profile, below.actions);
        self.stations[at].offer(job, start, ports);
        self.reschedule(node, below);
    }

    /// Mark the frame that waits at `node`.
    pub fn mark(&mut self, node: NodeId) {
        self.stations[node.index()].mark();
    }

    /// `node` takes its frame back, unless it has been on the air.
    pub fn withdraw<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> Option<TxDone> {
        let job = self.stations[node.index()].withdraw()?;
        self.reschedule(node, below);
        Some(self.done(job, Outcome::Withdrawn, 0, Duration::ZERO))
    }

    /// The time set for `node` has come. Returns the frame that its station puts on the air;
    /// [`RadioCarrier::transmit`] takes it to the others.
    pub fn on_deadline<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> Option<Frame> {
        let station = &mut self.stations[node.index()];
        let ports = &mut Ports::new(below.now, &self.profile, below.actions);
        station.on_deadline(ports);
        below.alarm.set(node, station.deadline(&self.profile));
        ports.on_air
    }

    #[inline]
    fn reschedule<A: Alarm>(&self, node: NodeId, below: &mut Below<A>) {
        below.alarm.set(node, self.stations[node.index()].deadline(&self.profile));
    }

    /// What `node` hears with `frame`.
    pub fn rx(&self, node: NodeId, frame: &Frame) -> Rx {
        let heard = match frame.to {
            BROADCAST => Heard::Broadcast,
            to if to == node.0 => Heard::ForMe,
            _ => Heard::Overheard,
        };
        let mut packet = self.packets[frame.packet as usize].0.clone();
        packet.congestion_experienced |= frame.marked;
        let from = self.addresses.address(NodeId(frame.from));
        Rx { from, heard, air_time: frame.air_time, packet }
    }

    /// What the owner of `job` gets back.
    pub fn done(&self, job: Job, outcome: Outcome, retries: u32, air_time: Duration) -> TxDone {
        let to = match job.to {
            BROADCAST => Receiver::Broadcast,
            to => Receiver::Node(self.addresses.address(NodeId(to))),
        };
        let mut packet = self.packets[job.packet as usize].0.clone();
        packet.congestion_experienced |= job.marked;
        TxDone { to, outcome, retries, air_time, packet }
    }

    /// Put `frame` on the air: every node that senses it learns of it now, with the time at
    /// which it arrives there.
    #[inline(never)]
    pub fn transmit<A: Alarm>(&mut self, frame: &Frame, below: &mut Below<A>) {
        let (stations, profile) = (&mut self.stations[..], &self.profile);
        let (now, alarm) = (below.now, &mut *below.alarm);
        let ports = &mut Ports::new(now, profile, below.actions);
        self.channel.arrivals(
            frame,
            now,
            #[inline(always)]
            |node, arrival| {
                let station = &mut stations[node.index()];
                if station.on_arrival(arrival, ports) == Deadline::Moves {
                    alarm.set(node, station.deadline(profile));
                }
            },
        );
    }

    /// `frame`, as observers see it.
    pub fn transmission(&self, frame: &Frame) -> Transmission<'_> {
        let slot = match frame.kind {
            FrameKind::Rts => self.live[frame.from as usize],
            _ => frame.packet,
        };
        let packet = (slot != NO_PACKET).then(|| &self.packets[slot as usize]);
        Transmission {
            from: NodeId(frame.from),
            to: (frame.to != BROADCAST).then_some(NodeId(frame.to)),
            class: match frame.kind {
                FrameKind::Rts => FrameClass::RequestToSend,
                FrameKind::Cts => FrameClass::ClearToSend,
                FrameKind::Ack => FrameClass::LinkAcknowledgment,
                FrameKind::Data | FrameKind::UnacknowledgedData => {
                    packet.map_or(FrameClass::Control, |(_, class)| *class)
                }
            },
            packet: packet.map(|(packet, _)| packet),
            bytes: frame.bytes,
            air_time: frame.air_time,
        }
    }
}
