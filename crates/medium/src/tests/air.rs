//! Stations on a channel without nodes above them, so that every frame can be looked at to the
//! nanosecond.

use multihop_core::{Bytes, Duration, FrameClass, LossCause, NodeId, Time};
use multihop_setup::{Node, Radio, Setup};

use crate::channel::Channel;
use crate::dcf::{
    Action, Aggregates, Arrival, BROADCAST, Deadline, Ended, Fates, Frame, FrameKind, Job, Mode,
    NO_PAIR, Ns2, Ns3, OWN_LIMIT, OWN_RATE, OWN_WINDOW, Ports, Profile, RuleSet, Rules, Settings,
    Standard, Station, Waiting,
};

/// A packet of 512 bytes of payload.
pub const PACKET: Bytes = Bytes(532);

/// Far above the receive threshold, in W.
pub const STRONG: f64 = 1e-6;

pub const fn micros(us: u64) -> Duration {
    Duration::from_micros(us)
}

/// The time `us` microseconds after the start.
pub fn at(us: u64) -> Time {
    Time::ZERO + micros(us)
}

/// Radio and MAC with the defaults of the scenario format, and `keys` on top in [mac].
pub fn medium(keys: &str) -> (Radio, Settings) {
    let text = format!(
        "[topology]\nkind = \"chain\"\nhops = 1\n[mac]\n{keys}\n[scheme]\nname = \"udp\"\n\
         [traffic]\nload = \"1 kbit/s\"\n"
    );
    let setup = multihop_scenario::from_toml(&text).and_then(|scenario| scenario.setup());
    radio_and_mac(&setup.unwrap_or_else(|error| panic!("{error}")))
}

/// The radio of a set-up, and what its 802.11 MAC is like.
pub fn radio_and_mac(setup: &Setup) -> (Radio, Settings) {
    let settings = Settings::of(&setup.medium).expect("it is 802.11");
    (setup.medium.radio().expect("there are no wires").clone(), settings)
}

/// What one station did.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub at: Time,
    pub node: u32,
    pub action: Action,
}

/// What a station is told.
pub enum Call<'a> {
    /// Its time has come.
    Deadline,
    /// A frame to send, which reaches it then.
    Offer(Job, Time),
    /// Its frame is to say that there is congestion.
    Mark,
    /// What it has just heard is not to be acknowledged.
    Decline,
    /// Somebody asks what it knows.
    CatchUp,
    /// A frame begins to arrive.
    Hear(Arrival<'a>),
}

impl Call<'_> {
    fn make<R: Rules>(&self, station: &mut Station, ports: &mut Ports<R>) {
        match self {
            Call::Deadline => station.on_deadline(ports),
            Call::Offer(job, start) => station.offer(*job, *start, ports),
            Call::Mark => station.mark(),
            Call::Decline => station.decline(ports),
            Call::CatchUp => station.catch_up(ports),
            Call::Hear(arrival) => {
                if let Some(fates) = &mut ports.fates {
                    fates.on_transmission(arrival.frame.from);
                }
                hear(station, arrival, ports);
            }
        }
    }
}

/// Stations on one channel, and everything that they did.
pub struct Air {
    pub channel: Channel,
    pub profile: Profile,
    pub stations: Vec<Station>,
    pub now: Time,
    pub log: Vec<Entry>,
    /// What was put on the air, and when.
    pub transmitted: Vec<(Time, Frame)>,
    /// What a station sends again and again.
    pub saturated: Vec<Option<Job>>,
    /// What becomes of frames, if a test watches.
    pub fates: Option<Fates>,
    /// What A-MPDUs carry, where stations send some.
    aggregates: Aggregates,
}

impl Air {
    /// Stations at these places (in m) with `keys` in [mac].
    pub fn new(places: &[(f64, f64)], keys: &str, seed: u64) -> Self {
        let still = |&(x, y): &(f64, f64)| Node::at("", (x, y));
        Air::moving(&places.iter().map(still).collect::<Vec<_>>(), keys, seed)
    }

    /// Stations that move with `nodes`.
    pub fn moving(nodes: &[Node], keys: &str, seed: u64) -> Self {
        Air::with(nodes, medium(keys), seed)
    }

    /// Stations with this radio and MAC.
    pub fn with(nodes: &[Node], (radio, mac): (Radio, Settings), seed: u64) -> Self {
        let channel = Channel::new(nodes, radio.clone(), seed);
        let profile = Profile::new(mac, &radio, channel.longest_delay());
        let station = |node| Station::new(NodeId(node), seed, &profile);
        Air {
            stations: (0..nodes.len() as u32).map(station).collect(),
            channel,
            profile,
            now: Time::ZERO,
            log: Vec::new(),
            transmitted: Vec::new(),
            saturated: vec![None; nodes.len()],
            fates: None,
            aggregates: Aggregates::new(nodes.len()),
        }
    }

    /// One station that nobody hears.
    pub fn alone(keys: &str, seed: u64) -> Self {
        Air::new(&[(0.0, 0.0)], keys, seed)
    }

    /// Stations in a line, 200 m apart.
    pub fn chain(stations: u32, keys: &str, seed: u64) -> Self {
        let places: Vec<_> = (0..stations).map(|n| (200.0 * f64::from(n), 0.0)).collect();
        Air::new(&places, keys, seed)
    }

    /// Let time pass up to and including `until`.
    pub fn run(&mut self, until: Time) {
        loop {
            self.offer_saturated();
            let deadline = |node: &usize| self.deadline(*node as u32);
            let Some(node) = (0..self.stations.len()).min_by_key(deadline) else { break };
            let next = deadline(&node);
            if next > until {
                break;
            }
            self.now = next.max(self.now);
            self.call(node as u32, &Call::Deadline);
        }
        self.now = until;
    }

    fn offer_saturated(&mut self) {
        for node in 0..self.stations.len() {
            if let Some(job) = self.saturated[node].filter(|_| self.stations[node].is_free()) {
                self.call(node as u32, &Call::Offer(job, self.now));
            }
        }
    }

    /// Count what a station's radio does with its time.
    pub fn watch_air(&mut self, node: u32) {
        self.stations[node as usize].watch_air();
    }

    /// A station always has an acknowledged frame to send.
    pub fn saturate(&mut self, node: u32, to: u32) {
        self.saturated[node as usize] = Some(Job { packet: 2 * node, ..job(to) });
    }

    /// Give a station an acknowledged frame to send.
    pub fn offer(&mut self, node: u32, to: u32) {
        self.give(node, Job { packet: 2 * node, ..job(to) });
    }

    /// Give a station a frame to send.
    pub fn give(&mut self, node: u32, job: Job) {
        self.call(node, &Call::Offer(job, self.now));
    }

    /// A frame from nowhere begins to arrive at a station at `start`.
    pub fn hear(&mut self, node: u32, frame: Frame, start: Time, spoiled: Option<LossCause>) {
        let to = NodeId(node);
        self.arrive(&Arrival { to, frame: &frame, power: STRONG, start, spoiled, closing: false });
    }

    /// A frame of this power begins to arrive at station 0, from a station that keeps its distance.
    pub fn hear_as(&mut self, frame: &Frame, power: f64, start: Time) {
        let (to, spoiled) = (NodeId(0), None);
        self.arrive(&Arrival { to, frame, power, start, spoiled, closing: false });
    }

    /// As [`Air::hear`], with all particulars.
    pub fn arrive(&mut self, arrival: &Arrival) {
        self.run(arrival.start);
        self.arrives(arrival);
    }

    /// A frame is under way to a station: it begins to arrive within a propagation delay.
    pub fn arrives(&mut self, arrival: &Arrival) {
        self.call(arrival.to.0, &Call::Hear(*arrival));
    }

    /// When a station wants to be woken.
    pub fn deadline(&self, node: u32) -> Time {
        let station = &self.stations[node as usize];
        match self.profile.settings().rules {
            RuleSet::Ns2 => station.deadline::<Ns2>(&self.profile),
            RuleSet::Standard => station.deadline::<Standard>(&self.profile),
            RuleSet::Ns3 => station.deadline::<Ns3>(&self.profile),
        }
    }

    /// Tell a station something, and put on the air what it answers, by the rules of its MAC.
    pub fn call(&mut self, node: u32, call: &Call) {
        match self.profile.settings().rules {
            RuleSet::Ns2 => self.call_by::<Ns2>(node, call),
            RuleSet::Standard => self.call_by::<Standard>(node, call),
            RuleSet::Ns3 => self.call_by::<Ns3>(node, call),
        }
    }

    fn call_by<R: Rules>(&mut self, node: u32, call: &Call) {
        let Air { stations, profile, channel, now, log, transmitted, fates, .. } = self;
        let (now, saturated) = (*now, self.saturated[node as usize]);
        let mut actions = Vec::new();
        let ports = &mut Ports::<R>::new(now, profile, &mut actions)
            .watched_by(fates.as_mut())
            .carrying(Some(&mut self.aggregates));
        let station = &mut stations[node as usize];
        call.make(station, ports);
        if ports.wins {
            while let (Some(job), Some(room)) = (saturated, station.room(profile)) {
                if job.bytes > room.bytes || NodeId(job.to) != room.to {
                    break;
                }
                station.join(job, profile, now);
            }
            station.depart(ports);
        }
        if ports.on_air {
            let frame = *stations[node as usize].sent();
            transmitted.push((now, frame));
            if let Some(fates) = &mut ports.fates {
                fates.on_transmission(frame.from);
            }
            channel.arrivals(&frame, now, |arrival| {
                hear(&mut stations[arrival.to.index()], arrival, ports);
            });
        }
        log.extend(actions.into_iter().map(|(node, action)| Entry {
            at: now,
            node: node.0,
            action,
        }));
    }

    /// The frames of one kind that a station has put on the air, and when.
    pub fn sent(&self, node: u32, kind: FrameKind) -> Vec<Time> {
        let mine = self.transmitted.iter().filter(|(_, f)| f.from == node && f.kind == kind);
        mine.map(|(at, _)| *at).collect()
    }

    /// Everything that a station has put on the air, and when.
    pub fn transmissions(&self, node: u32) -> Vec<(Time, Frame)> {
        self.transmitted.iter().filter(|(_, frame)| frame.from == node).copied().collect()
    }

    /// The frames that a station has handed up to its node.
    pub fn received(&self, node: u32) -> Vec<Frame> {
        self.heard(node).into_iter().map(|(_, frame)| frame).collect()
    }

    /// The same, and when.
    pub fn heard(&self, node: u32) -> Vec<(Time, Frame)> {
        let mine = self.log.iter().filter(|entry| entry.node == node);
        mine.filter_map(|entry| match entry.action {
            Action::Receive { frame, .. } => Some((entry.at, frame)),
            _ => None,
        })
        .collect()
    }

    /// How a station's frames ended: when, how, after how many attempts.
    pub fn done(&self, node: u32) -> Vec<(Time, multihop_core::Outcome, u32)> {
        let mine = self.log.iter().filter(|entry| entry.node == node);
        mine.filter_map(|entry| match entry.action {
            Action::Done(Ended { outcome, attempts, .. }) => Some((entry.at, outcome, attempts)),
            _ => None,
        })
        .collect()
    }

    /// The numbers of the packets that a station has handed up, in their order.
    pub fn handed_up(&self, node: u32) -> Vec<u32> {
        let mine = self.log.iter().filter(|entry| entry.node == node);
        mine.filter_map(|entry| match entry.action {
            Action::Receive { frame, .. } => Some(frame.sequence),
            Action::Waiting(Waiting::Release { number, .. }) => Some(number),
            Action::Waiting(_) | Action::Done(_) => None,
        })
        .collect()
    }
}

/// A frame with [`PACKET`] in the first place, which `to` is to acknowledge if it is one.
pub const fn job(to: u32) -> Job {
    Job {
        to,
        pair: NO_PAIR,
        class: FrameClass::Data,
        packet: 0,
        bytes: PACKET,
        preamble: Bytes(0),
        rate: OWN_RATE,
        cw_min: OWN_WINDOW,
        first: 0,
        attempts: OWN_LIMIT,
        acknowledged: to != BROADCAST,
        marked: false,
    }
}

/// A frame arrives; a deadline that is said to stand is what it was.
fn hear<R: Rules>(station: &mut Station, arrival: &Arrival, ports: &mut Ports<R>) {
    let before = station.deadline::<R>(ports.profile);
    let deadline = if R::HEEDS_ANNOUNCEMENTS || ports.profile.departs {
        station.on_watched_arrival::<R, true, true>(arrival, ports)
    } else if station.counts_air() || ports.fates.is_some() {
        station.on_watched_arrival::<R, true, false>(arrival, ports)
    } else {
        station.on_arrival(arrival, ports)
    };
    if deadline == Deadline::Stands {
        assert_eq!(station.deadline::<R>(ports.profile), before, "{arrival:?}");
    }
}

/// A frame between two stations, as it would be on the air; data is that of [`PACKET`].
pub fn frame(kind: FrameKind, from: u32, to: u32, reserved: Duration) -> Frame {
    let (bytes, air_time) = match kind {
        FrameKind::Rts => (20, micros(352)),
        FrameKind::Cts | FrameKind::Ack => (14, micros(304)),
        FrameKind::BlockAck => (32, micros(448)),
        FrameKind::BlockAckRequest => (24, micros(384)),
        FrameKind::Data | FrameKind::UnacknowledgedData | FrameKind::Aggregate => {
            (566, micros(4720))
        }
    };
    Frame {
        kind,
        class: kind.class(FrameClass::Data),
        from,
        to,
        pair: NO_PAIR,
        air_time,
        reserved,
        bytes: Bytes(bytes),
        mode: Mode::ONLY,
        packet: 0,
        sequence: 1,
        marked: false,
    }
}

/// How many whole slots `gap` is longer than `least`; panics if it is not a whole number.
pub fn slots(gap: Duration, least: Duration) -> u64 {
    assert!(gap >= least, "{gap} is shorter than {least}");
    let rest = gap - least;
    let count = rest / micros(20);
    assert_eq!(rest, micros(20) * count, "{rest} is not a whole number of slots");
    count
}
