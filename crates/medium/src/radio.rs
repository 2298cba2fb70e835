//! The radio carrier: one station per node on one shared channel.

use std::hint::black_box;

use multihop_core::{
    AddressTable, Duration, FlowId, FrameClass, Heard, NodeId, Outcome, Packet, Payload, Rate,
    Receiver, Rx, Tag, Time, Transmission, TxDone, TxRequest,
};

use multihop_pages::HugePages;
use multihop_setup::{Mac, Node, Radio};

use crate::MANY;
use crate::below::{Alarm, Below};
use crate::channel::Channel;
use crate::mac::{
    BROADCAST, Deadline, Ended, Fates, Frame, Job, NO_PACKET, NO_PAIR, OWN_LIMIT, OWN_RATE,
    OWN_WINDOW, PAIR, Ports, Profile, Station,
};

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
    packets: Vec<Held>,
    /// The place that each node uses now.
    live: Vec<u32>,
    /// Which radios are off; empty until one is switched.
    off: Vec<bool>,
    /// Whether anybody asks how radios spend their time, or what becomes of frames, or a radio has been off.
    watched: bool,
    /// Whether every arrival is looked at: what becomes of it, and whether the radio is on.
    careful: bool,
    /// How many frames were put on the air.
    transmitted: u32,
    /// What becomes of them, if somebody watches.
    fates: Option<Box<Fates>>,
}

/// Whether a radio is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// It is.
    On,
    /// It is not: its node is not there.
    Off,
}

/// What a node has handed over.
#[derive(Clone)]
struct Held {
    packet: Packet,
    since: Time,
    rate: Rate,
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
        let blank = Held {
            packet: Packet::new(nobody, Payload::Virtual(0), Tag::default()),
            since: Time::ZERO,
            rate: OWN_RATE,
        };
        RadioCarrier {
            addresses,
            packets: vec![blank; 2 * stations.len()],
            live: (0..stations.len() as u32).map(|node| 2 * node).collect(),
            off: Vec::new(),
            channel,
            profile,
            stations,
            watched: false,
            careful: false,
            transmitted: 0,
            fates: None,
        }
    }

    /// What it keeps of its nodes is to lie on huge pages.
    pub fn add_to(&self, pages: &mut HugePages) {
        pages.add(&self.stations);
        pages.add(&self.packets);
        self.stations.iter().for_each(|station| station.add_to(pages));
        self.channel.add_to(pages);
    }

    /// Read from memory, all at once, what `node` may need now, before one waits for the other.
    pub fn read_ahead(&self, node: NodeId) {
        let held = &self.packets[self.live[node.index()] as usize];
        let station = self.stations[node.index()].read_ahead();
        black_box((station, held.since, self.channel.near(node).next()));
    }

    /// Likewise the stations that sense what `from` transmits.
    #[inline(never)]
    fn read_around(&self, from: NodeId) {
        let stations = self.channel.near(from).map(|to| self.stations[to.index()].read_ahead());
        black_box(stations.fold(0, |read, next| read ^ next));
    }

    /// Count what the radio of `node` does with its time.
    pub fn watch_air(&mut self, node: NodeId) {
        self.watched = true;
        self.stations[node.index()].watch_air();
    }

    /// Write down what becomes of every frame at every radio. `sensed`: where it is too weak to be decoded, too.
    pub fn watch_frames(&mut self, sensed: bool) {
        (self.watched, self.careful) = (true, true);
        self.fates = Some(Box::new(Fates::new(self.stations.len(), self.transmitted, sensed)));
    }

    /// What has become of frames, if somebody watches and it is worth handing over.
    pub fn due_fates(&mut self) -> Option<&mut Fates> {
        self.fates.as_deref_mut().filter(|fates| fates.are_due())
    }

    /// What has become of frames, if somebody watches.
    pub fn fates(&mut self) -> Option<&mut Fates> {
        self.fates.as_deref_mut()
    }

    /// The radio of `node` is on or off from now on: while it is off, it hears and answers nothing. What it
    /// has is lost when it is switched off, and is returned ([`RadioCarrier::restart`]).
    pub fn switch<A: Alarm>(
        &mut self,
        node: NodeId,
        power: Power,
        below: &mut Below<A>,
    ) -> Option<TxDone> {
        (self.watched, self.careful) = (true, true);
        self.off.resize(self.stations.len(), false);
        self.off[node.index()] = power == Power::Off;
        self.restart(node, below)
    }

    /// What `node` overhears, and what its radio does with its time, matters from now on, or does not.
    #[inline]
    pub fn set_listening<A: Alarm>(&mut self, node: NodeId, on: bool, below: &mut Below<A>) {
        let station = &mut self.stations[node.index()];
        if station.is_listening() != on {
            station.set_listening(on, below.now);
            self.reschedule(node, below);
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
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below<A>,
    ) {
        let start = below.now + below.lag;
        let at = node.index();
        self.live[at] ^= 1;
        let (to, pair) = match request.to {
            Receiver::Node(to) => (self.addresses.number(to).0, NO_PAIR),
            Receiver::Pair(pair) => (PAIR, pair.map(|to| self.addresses.number(to).0)),
            Receiver::Broadcast => (BROADCAST, NO_PAIR),
        };
        let rate = self.profile.rate(to, request.rate.unwrap_or(OWN_RATE));
        let attempts = request.contention.and_then(|class| class.attempts);
        let job = Job {
            to,
            pair,
            class,
            packet: self.live[at],
            bytes: request.packet.len(),
            preamble: self.profile.extra_preamble(class),
            rate,
            cw_min: request.contention.map_or(OWN_WINDOW, |class| class.cw_min),
            attempts: attempts.unwrap_or(OWN_LIMIT),
            acknowledged: self.profile.acknowledges(to),
            marked: false,
        };
        let held = &mut self.packets[job.packet as usize];
        held.packet.clone_from(&request.packet);
        (held.since, held.rate) = (below.now, rate);
        let ports = &mut Ports::new(below.now, &self.profile, below.actions);
        self.stations[at].offer(job, start, ports);
        self.reschedule(node, below);
    }

    /// Mark the frame that waits at `node`.
    pub fn mark(&mut self, node: NodeId) {
        self.stations[node.index()].mark();
    }

    /// What `node` has just heard is not to be acknowledged.
    pub fn decline<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) {
        let ports = &mut Ports::new(below.now, &self.profile, below.actions);
        self.stations[node.index()].decline(ports);
        self.reschedule(node, below);
    }

    /// `node` takes its frame back, unless it has been on the air.
    pub fn withdraw<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> Option<TxDone> {
        let job = self.stations[node.index()].withdraw()?;
        self.reschedule(node, below);
        Some(self.given_back(job, below.now))
    }

    /// What the owner of a frame that will not be sent gets back `now`.
    fn given_back(&self, job: Job, now: Time) -> TxDone {
        let (outcome, attempts, retries) = (Outcome::Withdrawn, 0, 0);
        let air_time = Duration::ZERO;
        self.done(&Ended { outcome, attempts, retries, air_time, job }, now)
    }

    /// `node` restarts: what it transmits is cut off. Returns the frame that it had.
    pub fn restart<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> Option<TxDone> {
        if let Some(fates) = &mut self.fates {
            fates.on_restart(below.now, node);
        }
        let job = self.stations[node.index()].restart(below.now);
        self.stations.iter_mut().for_each(|station| station.on_cut_off(node, below.now));
        self.reschedule(node, below);
        job.map(|job| self.given_back(job, below.now))
    }

    /// The time set for `node` has come. Returns whether its station puts a frame on the air;
    /// [`RadioCarrier::transmit`] takes it to the others.
    pub fn on_deadline<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) -> bool {
        let station = &mut self.stations[node.index()];
        let ports = &mut Ports::new(below.now, &self.profile, below.actions)
            .watched_by(self.fates.as_deref_mut());
        station.on_deadline(ports);
        below.alarm.set(node, station.deadline(&self.profile));
        ports.on_air
    }

    #[inline]
    fn reschedule<A: Alarm>(&self, node: NodeId, below: &mut Below<A>) {
        below.alarm.set(node, self.stations[node.index()].deadline(&self.profile));
    }

    /// What `node` hears with `frame`, which arrived with `power`.
    pub fn rx(&self, node: NodeId, frame: &Frame, power: f64) -> Rx {
        let heard = match frame.to {
            BROADCAST => Heard::Broadcast,
            to if to == node.0 => Heard::ForMe,
            PAIR if frame.is_for(node.0) => Heard::ForMe,
            _ => Heard::Overheard,
        };
        let Held { packet, rate, .. } = &self.packets[frame.packet as usize];
        let mut packet = packet.clone();
        packet.congestion_experienced |= frame.marked;
        let signal = Some(self.profile.capture.signal(power));
        let (from, air_time) = (self.addresses.address(NodeId(frame.from)), frame.air_time);
        Rx { from, heard, rate: *rate, signal, air_time, packet }
    }

    /// What the owner of a frame gets back `now`.
    pub fn done(&self, ended: &Ended, now: Time) -> TxDone {
        let Ended { outcome, attempts, retries, air_time, job } = *ended;
        let address = |number| self.addresses.address(NodeId(number));
        let to = match job.to {
            BROADCAST => Receiver::Broadcast,
            PAIR => Receiver::Pair(job.pair.map(address)),
            to => Receiver::Node(address(to)),
        };
        let Held { packet, since, rate, .. } = &self.packets[job.packet as usize];
        let mut packet = packet.clone();
        packet.congestion_experienced |= job.marked;
        let service = now.since(*since);
        TxDone { to, outcome, service, attempts, retries, rate: *rate, air_time, packet }
    }

    /// The frame of `from` is on the air: every node that senses it learns of it now, with the time at
    /// which it arrives there.
    #[inline(never)]
    pub fn transmit<A: Alarm>(&mut self, from: NodeId, below: &mut Below<A>) {
        let frame = *self.stations[from.index()].sent();
        self.transmitted = self.transmitted.wrapping_add(1);
        if self.stations.len() >= MANY {
            self.read_around(from);
        }
        if self.profile.departs {
            return self.transmit_watched::<A, true, true>(&frame, below);
        } else if self.careful {
            return self.transmit_watched::<A, true, false>(&frame, below);
        } else if self.watched {
            return self.transmit_watched::<A, false, false>(&frame, below);
        }
        let (stations, profile) = (&mut self.stations[..], &self.profile);
        let (now, alarm) = (below.now, &mut *below.alarm);
        let ports = &mut Ports::new(now, profile, below.actions);
        self.channel.arrivals(
            &frame,
            now,
            #[inline(always)]
            |arrival| {
                let node = arrival.to;
                let station = &mut stations[node.index()];
                if station.on_arrival(arrival, ports) == Deadline::Moves {
                    alarm.set(node, station.deadline_by::<false>(profile));
                }
            },
        );
    }

    /// [`RadioCarrier::transmit`] where somebody watches how radios spend their time or, with care, what becomes of
    /// every frame, and whether the radio is on, by ns-2's rules or, where it departs from them, by others.
    #[inline(never)]
    fn transmit_watched<A: Alarm, const CARE: bool, const DEPARTS: bool>(
        &mut self,
        frame: &Frame,
        below: &mut Below<A>,
    ) {
        let (now, profile) = (below.now, &self.profile);
        if let Some(fates) = &mut self.fates {
            fates.on_transmission(frame.from);
        }
        let ports =
            &mut Ports::new(now, profile, below.actions).watched_by(self.fates.as_deref_mut());
        let (stations, off) = (&mut self.stations[..], &self.off[..]);
        self.channel.arrivals(
            frame,
            now,
            #[inline(always)]
            |arrival| {
                let node = arrival.to;
                if CARE && off.get(node.index()) == Some(&true) {
                    return;
                }
                let station = &mut stations[node.index()];
                if station.on_watched_arrival::<CARE, DEPARTS>(arrival, ports) == Deadline::Moves {
                    below.alarm.set(node, station.deadline(profile));
                }
            },
        );
    }

    /// The number of the frame that was put on the air last; they count from 0.
    pub fn number(&self) -> u32 {
        self.transmitted.wrapping_sub(1)
    }

    /// What `node` transmitted last, as observers see it.
    pub fn transmission(&self, node: NodeId, number: u32) -> Transmission<'_> {
        let frame = self.stations[node.index()].sent();
        let held = (frame.packet != NO_PACKET).then(|| &self.packets[frame.packet as usize]);
        Transmission {
            number,
            from: NodeId(frame.from),
            to: match frame.to {
                BROADCAST => None,
                PAIR => Some(NodeId(frame.pair[0])),
                to => Some(NodeId(to)),
            },
            class: frame.class,
            packet: held.map(|held| &held.packet),
            bytes: frame.bytes,
            air_time: frame.air_time,
            wait: Duration::ZERO,
            reserved: frame.reserved,
            sequence: frame.sequence,
        }
    }
}
