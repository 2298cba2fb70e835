//! One station per node on one shared channel.

use core::marker::PhantomData;

use multihop_core::{
    AddressTable, AirTime, BatchRoom, Below, Duration, FlowId, FrameClass, FrameId, HandOver,
    Heard, Medium, NodeId, Outcome, Packet, Payload, Power, RadioTotals, Rate, Receiver, Reception,
    Report, Rx, Tag, Time, Told, Transmission, TxDone, TxRequest, Woken,
};
use multihop_setup::{self as setup, Setup};

use super::batches::{Batches, aggregates, batches, per_station};
use super::choosing;
use super::fates::Fates;
use super::frame::{
    BROADCAST, Frame, NO_PACKET, NO_PAIR, OWN_LIMIT, OWN_RATE, OWN_WINDOW, PAIR, Profile,
};
use super::ns2::Ns2;
use super::ns3::Ns3;
use super::oracle::Oracle;
use super::parameters::RuleSet;
use super::ports::{Action, Deadline, Ended, Job, Ports, Waiting};
use super::settings::Settings;
use super::standard::Standard;
use super::station::{Rules, Station};
use crate::channel::Channel;

/// One station per node on one shared channel, by the rules `R`.
pub struct Stations<R> {
    addresses: AddressTable,
    channel: Channel,
    /// The MAC's constants.
    profile: Profile,
    /// One per node.
    all: Vec<Station>,
    /// Two places per node, used in turn, or more of those that send batches: a frame's packet stays readable until the frame
    /// after the next, and so for everybody who is still receiving it.
    packets: Vec<InService>,
    /// The place that each node uses now.
    live: Vec<u32>,
    /// What stations that send batches need.
    batches: Option<Box<Batches>>,
    /// Which radios are off; empty until one is switched.
    off: Vec<bool>,
    /// Whether anybody asks how radios spend their time, or what becomes of frames, or a radio has been off.
    watched: bool,
    /// Whether every arrival is looked at: what becomes of it, and whether the radio is on.
    careful: bool,
    /// What stations have done, and how much of that was reported.
    actions: Vec<(NodeId, Action)>,
    reported: usize,
    /// Whose frame was put on the air last.
    sender: NodeId,
    /// How many frames were put on the air.
    transmitted: u32,
    /// What becomes of them, if somebody watches.
    fates: Option<Box<Fates>>,
    /// Tells stations which frames would be lost, where there is one.
    oracle: Option<Oracle>,
    rules: PhantomData<R>,
}

/// The stations of a run over the radio, by the rules that it names.
///
/// # Panics
/// If the set-up has another MAC.
pub fn stations(setup: &Setup) -> Box<dyn Medium> {
    let settings = Settings::of(&setup.medium).expect("the MAC is one of 802.11's kind");
    match settings.rules {
        RuleSet::Ns2 => Box::new(Stations::<Ns2>::new(setup, settings)),
        RuleSet::Standard => Box::new(Stations::<Standard>::new(setup, settings)),
        RuleSet::Ns3 => Box::new(Stations::<Ns3>::new(setup, settings)),
    }
}

/// What a node has handed over.
#[derive(Clone)]
struct InService {
    packet: Packet,
    since: Time,
    rate: Rate,
}

impl<R: Rules> Stations<R> {
    fn new(setup: &Setup, settings: Settings) -> Self {
        let setup::Channel::Radio(radio) = &setup.medium.channel else {
            unreachable!("such a MAC goes over the radio")
        };
        let channel = Channel::new(&setup.nodes, radio.clone(), setup.seed);
        let oracle = settings.is_collision_free.then(|| Oracle::new(&settings, radio));
        let rates = choosing::rates(&settings, &setup.medium.values, radio);
        let profile = Profile::new(settings, radio, channel.longest_delay());
        let mut stations: Vec<Station> = (0..setup.nodes.len() as u32)
            .map(|node| Station::new(NodeId(node), setup.seed, &profile))
            .collect();
        for station in &mut stations {
            station.choose_rates(rates.as_ref());
        }
        let nobody = FlowId::between(NodeId(0), NodeId(0));
        let blank = InService {
            packet: Packet::new(nobody, Payload::Virtual(0), Tag::default()),
            since: Time::ZERO,
            rate: OWN_RATE,
        };
        Stations {
            addresses: setup.addresses.clone(),
            batches: profile.aggregation().map(|_| Box::new(Batches::new(stations.len()))),
            packets: vec![blank; per_station(&profile) * stations.len()],
            live: (0..stations.len() as u32).map(|node| 2 * node).collect(),
            off: Vec::new(),
            channel,
            profile,
            all: stations,
            watched: false,
            careful: false,
            actions: Vec::new(),
            reported: 0,
            sender: NodeId(0),
            transmitted: 0,
            fates: None,
            oracle,
            rules: PhantomData,
        }
    }

    /// What the owner of a frame that will not be sent gets back `now`.
    fn given_back(&self, job: Job, now: Time) -> TxDone {
        let (outcome, attempts, retries) = (Outcome::Withdrawn, 0, 0);
        let (air_time, batch) = (Duration::ZERO, 1);
        let mut told = Told::default();
        self.end(&Ended { outcome, attempts, retries, air_time, batch, job }, now, &mut told.done);
        told.done
    }

    /// `node` hands over a packet `now`, which gets the place that it uses now.
    #[inline]
    fn job(&mut self, node: NodeId, request: &TxRequest, class: FrameClass, now: Time) -> Job {
        let (to, pair) = match request.to {
            Receiver::Node(to) => (self.addresses.number(to).0, NO_PAIR),
            Receiver::Pair(pair) => (PAIR, pair.map(|to| self.addresses.number(to).0)),
            Receiver::Broadcast => (BROADCAST, NO_PAIR),
        };
        let rate = request.rate.unwrap_or(OWN_RATE);
        let attempts = request.contention.and_then(|class| class.attempts);
        let job = Job {
            to,
            pair,
            class,
            packet: self.live[node.index()],
            bytes: request.packet.len(),
            preamble: self.profile.extra_preamble(class),
            rate,
            cw_min: request.contention.map_or(OWN_WINDOW, |class| class.cw_min),
            first: request.contention.map_or(0, |class| class.first),
            attempts: attempts.unwrap_or(OWN_LIMIT),
            acknowledged: self.profile.acknowledges(to),
            marked: false,
        };
        let held = &mut self.packets[job.packet as usize];
        held.packet.clone_from(&request.packet);
        (held.since, held.rate) = (now, self.profile.rate(to, rate));
        job
    }

    #[inline]
    fn reschedule(&self, node: NodeId, below: &mut Below) {
        below.wakes.set_below(node, self.all[node.index()].deadline::<R>(&self.profile));
    }

    /// Whether the oracle keeps `node` from what it is about to begin; then it contends anew.
    #[cold]
    #[inline(never)]
    fn is_held_back(&mut self, node: NodeId, below: &mut Below) -> bool {
        let Some(oracle) = &self.oracle else { return false };
        let ports = &mut Ports::<R>::new(below.now, &self.profile, &mut self.actions)
            .watched_by(self.fates.as_deref_mut())
            .carrying(aggregates::<R>(&mut self.batches));
        let Some(begins) = self.all[node.index()].begins(ports) else { return false };
        let around = oracle.around(&self.all, &self.channel, &self.profile, below.now);
        let Some(until) = around.harm_until(begins) else { return false };
        self.all[node.index()].contend_from::<R>(until.max(below.now + self.profile.slot));
        self.reschedule(node, below);
        true
    }

    /// A packet of `from` that waits for others at `node`.
    fn held(&self, node: NodeId, from: u32, number: u32) -> &Rx {
        let held =
            self.batches.as_ref().and_then(|batches| batches.held.get(&(node.0, from, number)));
        held.expect("it was kept when it came")
    }

    /// The MAC of `node` has no more to do with the packet in this place.
    fn leave(&mut self, node: NodeId, place: u32) {
        if let Some(batches) = batches::<R>(&mut self.batches) {
            batches.leave(node.index(), place);
        }
    }

    /// Deal with a packet that waits at `node` for others of its sender.
    #[cold]
    #[inline(never)]
    fn on_waiting(&mut self, node: NodeId, waiting: Waiting, told: &mut Told) -> Report {
        match waiting {
            Waiting::Hold { frame, power } => {
                let mut rx = Told::default().heard;
                self.hear(node, &frame, power, &mut rx);
                let (tag, name) = (rx.packet.tag, (node.0, frame.from, frame.sequence));
                self.batches.as_mut().and_then(|batches| batches.held.insert(name, rx));
                Report::Keeps(tag)
            }
            Waiting::Release { from, number } => {
                told.heard.clone_from(self.held(node, from, number));
                Report::Hears
            }
            Waiting::Forget { from, number } => {
                let tag = self.held(node, from, number).packet.tag;
                self.batches
                    .as_mut()
                    .and_then(|batches| batches.held.remove(&(node.0, from, number)));
                Report::Leaves(tag)
            }
        }
    }

    /// Write down what `node` hears with `frame`, which arrived with `power`.
    fn hear(&self, node: NodeId, frame: &Frame, power: f64, rx: &mut Rx) {
        let InService { packet, rate, .. } = &self.packets[frame.packet as usize];
        rx.from = self.addresses.address(NodeId(frame.from));
        rx.heard = match frame.to {
            BROADCAST => Heard::Broadcast,
            to if to == node.0 => Heard::ForMe,
            PAIR if frame.is_for(node.0) => Heard::ForMe,
            _ => Heard::Overheard,
        };
        rx.rate = self.profile.settings().format.rate(frame.mode).unwrap_or(*rate);
        rx.signal = Some(self.profile.capture.signal(power));
        rx.air_time = frame.air_time;
        rx.packet.clone_from(packet);
        rx.packet.congestion_experienced |= frame.marked;
    }

    /// Write down what the owner of a frame gets back `now`.
    fn end(&self, ended: &Ended, now: Time, done: &mut TxDone) {
        let Ended { outcome, attempts, retries, air_time, batch, job } = *ended;
        let InService { packet, since, .. } = &self.packets[job.packet as usize];
        let rate = self.profile.rate(job.to, job.rate);
        let address = |number| self.addresses.address(NodeId(number));
        done.to = match job.to {
            BROADCAST => Receiver::Broadcast,
            PAIR => Receiver::Pair(job.pair.map(address)),
            to => Receiver::Node(address(to)),
        };
        (done.outcome, done.attempts, done.retries) = (outcome, attempts, retries);
        (done.service, done.rate, done.air_time) = (now.since(*since), rate, air_time);
        done.batch = batch;
        done.packet.clone_from(packet);
        done.packet.congestion_experienced |= job.marked;
    }

    /// Every node that senses the frame of `from` learns of it now, with the time at which it arrives there.
    fn carry(&mut self, from: NodeId, below: &mut Below) {
        let frame = *self.all[from.index()].sent();
        if R::HEEDS_ANNOUNCEMENTS || self.profile.departs {
            return self.carry_watched::<true, true>(&frame, below);
        } else if self.careful {
            return self.carry_watched::<true, false>(&frame, below);
        } else if self.watched {
            return self.carry_watched::<false, false>(&frame, below);
        }
        let (stations, profile) = (&mut self.all[..], &self.profile);
        let (now, wakes) = (below.now, &mut *below.wakes);
        let ports = &mut Ports::<R>::new(now, profile, &mut self.actions);
        self.channel.arrivals(
            &frame,
            now,
            #[inline(always)]
            |arrival| {
                let node = arrival.to;
                let station = &mut stations[node.index()];
                if station.on_arrival(arrival, ports) == Deadline::Moves {
                    wakes.set_below(node, station.deadline::<R>(profile));
                }
            },
        );
    }

    /// [`Stations::carry`] where somebody watches how radios spend their time or, with care, what becomes of
    /// every frame, and whether the radio is on. `DEPARTS`: MAC or receiver keep other rules than ns-2's.
    #[inline(never)]
    fn carry_watched<const CARE: bool, const DEPARTS: bool>(
        &mut self,
        frame: &Frame,
        below: &mut Below,
    ) {
        let (now, profile) = (below.now, &self.profile);
        if let Some(fates) = &mut self.fates {
            fates.on_transmission(frame.from);
        }
        let ports = &mut Ports::<R>::new(now, profile, &mut self.actions)
            .watched_by(self.fates.as_deref_mut())
            .carrying(aggregates::<R>(&mut self.batches));
        let (stations, off) = (&mut self.all[..], &self.off[..]);
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
                if station.on_watched_arrival::<R, CARE, DEPARTS>(arrival, ports) == Deadline::Moves
                {
                    below.wakes.set_below(node, station.deadline::<R>(profile));
                }
            },
        );
    }
}

impl<R: Rules> Medium for Stations<R> {
    fn begin(&mut self) {
        self.channel.go_around();
    }

    fn neighbours(&self) -> Vec<Vec<NodeId>> {
        self.channel.neighbours()
    }

    fn air_time_metric(&self, from: NodeId, to: NodeId) -> Option<Duration> {
        let (power, share) = self.channel.strength(from, to)?;
        self.profile.air_time_metric(power, share)
    }

    fn link_layer_delay(&self) -> Duration {
        self.profile.settings().link_layer_delay
    }

    fn is_free(&self, node: NodeId) -> bool {
        self.all[node.index()].is_free()
    }

    fn offer(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below,
    ) -> usize {
        let start = below.now + below.lag;
        let at = node.index();
        self.live[at] = match batches::<R>(&mut self.batches) {
            None => self.live[at] ^ 1,
            Some(batches) => batches.take(at),
        };
        let job = self.job(node, request, class, below.now);
        let ports = &mut Ports::<R>::new(below.now, &self.profile, &mut self.actions)
            .carrying(aggregates::<R>(&mut self.batches));
        self.all[at].offer(job, start, ports);
        self.reschedule(node, below);
        // A station does not act on an offer.
        0
    }

    fn room(&self, node: NodeId) -> Option<BatchRoom> {
        let BatchRoom { to, bytes } = self.all[node.index()].room(&self.profile)?;
        Some(BatchRoom { to: self.addresses.address(to), bytes })
    }

    fn join(&mut self, node: NodeId, request: &TxRequest, class: FrameClass, below: &mut Below) {
        let at = node.index();
        if let Some(batches) = batches::<R>(&mut self.batches) {
            self.live[at] = batches.take(at);
            let job = self.job(node, request, class, below.now);
            self.all[at].join(job, &self.profile, below.now);
        }
    }

    fn depart(&mut self, node: NodeId, below: &mut Below) -> Woken {
        let ports = &mut Ports::<R>::new(below.now, &self.profile, &mut self.actions)
            .watched_by(self.fates.as_deref_mut())
            .carrying(aggregates::<R>(&mut self.batches));
        let station = &mut self.all[node.index()];
        station.depart(ports);
        let on_air = ports.on_air;
        below.wakes.set_below(node, station.deadline::<R>(&self.profile));
        Woken { on_air, wins: false, reports: self.actions.len() }
    }

    fn withdraw(&mut self, node: NodeId, _: FrameId, below: &mut Below) -> Option<TxDone> {
        let job = self.all[node.index()].withdraw()?;
        self.reschedule(node, below);
        self.leave(node, job.packet);
        Some(self.given_back(job, below.now))
    }

    fn mark(&mut self, node: NodeId, _: FrameId) {
        self.all[node.index()].mark();
    }

    fn decline(&mut self, node: NodeId, below: &mut Below) {
        let ports = &mut Ports::<R>::new(below.now, &self.profile, &mut self.actions);
        self.all[node.index()].decline(ports);
        self.reschedule(node, below);
    }

    fn on_deadline(&mut self, node: NodeId, below: &mut Below) -> Woken {
        if self.oracle.is_some() && self.is_held_back(node, below) {
            return Woken { on_air: false, wins: false, reports: self.actions.len() };
        }
        let station = &mut self.all[node.index()];
        let ports = &mut Ports::<R>::new(below.now, &self.profile, &mut self.actions)
            .watched_by(self.fates.as_deref_mut())
            .carrying(aggregates::<R>(&mut self.batches));
        station.on_deadline(ports);
        below.wakes.set_below(node, station.deadline::<R>(&self.profile));
        let (on_air, wins) = (ports.on_air, R::BATCHES && ports.wins);
        Woken { on_air, wins, reports: self.actions.len() }
    }

    fn transmit(&mut self, node: NodeId, below: &mut Below) -> usize {
        self.transmitted = self.transmitted.wrapping_add(1);
        self.sender = node;
        if let Some(batches) = batches::<R>(&mut self.batches) {
            let held = |place: u32| &self.packets[place as usize].packet;
            batches.put_on_air(self.all[node.index()].sent(), held);
        }
        self.carry(node, below);
        // What stations tell is dealt with in the order of their numbers.
        self.actions.sort_by_key(|(node, _)| *node);
        self.actions.len()
    }

    fn transmission(&self) -> Transmission<'_> {
        let frame = self.all[self.sender.index()].sent();
        let held = (frame.packet != NO_PACKET).then(|| &self.packets[frame.packet as usize]);
        Transmission {
            number: self.transmitted.wrapping_sub(1),
            from: NodeId(frame.from),
            to: match frame.to {
                BROADCAST => None,
                PAIR => Some(NodeId(frame.pair[0])),
                to => Some(NodeId(to)),
            },
            class: frame.class,
            packet: held.map(|held| &held.packet),
            bytes: frame.bytes,
            rate: self.profile.rate_of(frame, held.map(|held| held.rate)),
            air_time: frame.air_time,
            wait: Duration::ZERO,
            reserved: frame.reserved,
            sequence: frame.sequence,
            aggregate: match &self.batches {
                Some(batches) if R::BATCHES => batches.of(frame),
                _ => None,
            },
        }
    }

    fn poll_report(&mut self, now: Time, told: &mut Told) -> (NodeId, Report) {
        let (node, action) = &self.actions[self.reported];
        let told = match action {
            Action::Receive { frame, power } => {
                self.hear(*node, frame, *power, &mut told.heard);
                (*node, Report::Hears)
            }
            Action::Done(ended) => {
                self.end(ended, now, &mut told.done);
                let (node, place) = (*node, ended.job.packet);
                self.leave(node, place);
                (node, Report::Done)
            }
            Action::Waiting(_) if !R::BATCHES => unreachable!("nothing waits under these rules"),
            Action::Waiting(waiting) => (*node, self.on_waiting(*node, *waiting, told)),
        };
        self.reported += 1;
        if self.reported == self.actions.len() {
            self.actions.clear();
            self.reported = 0;
        }
        told
    }

    fn restart(&mut self, node: NodeId, below: &mut Below) -> Vec<TxDone> {
        if let Some(fates) = &mut self.fates {
            fates.on_restart(below.now, node);
        }
        let behind = self.all[node.index()].abandon_batch();
        if let Some(batches) = batches::<R>(&mut self.batches) {
            batches.held.retain(|(at, ..), _| *at != node.0);
        }
        let job = self.all[node.index()].restart(below.now);
        self.all.iter_mut().for_each(|station| station.on_cut_off(node, below.now));
        self.reschedule(node, below);
        let jobs: Vec<Job> = job.into_iter().chain(behind).collect();
        for job in &jobs {
            self.leave(node, job.packet);
        }
        jobs.into_iter().map(|job| self.given_back(job, below.now)).collect()
    }

    fn switch(&mut self, node: NodeId, power: Power, below: &mut Below) -> Vec<TxDone> {
        (self.watched, self.careful) = (true, true);
        self.off.resize(self.all.len(), false);
        self.off[node.index()] = power == Power::Off;
        self.restart(node, below)
    }

    fn set_promiscuous(&mut self, node: NodeId, on: bool) {
        self.all[node.index()].set_promiscuous(on);
    }

    fn set_listening(&mut self, node: NodeId, on: bool, below: &mut Below) {
        let station = &mut self.all[node.index()];
        if station.is_listening() != on {
            station.set_listening(on, below.now);
            self.reschedule(node, below);
        }
    }

    fn watch_air(&mut self, node: NodeId) {
        self.watched = true;
        self.all[node.index()].watch_air();
    }

    fn air(&mut self, node: NodeId, now: Time) -> AirTime {
        self.all[node.index()].air(now)
    }

    fn totals(&self, node: NodeId, now: Time) -> RadioTotals {
        let station = &self.all[node.index()];
        let (transmitting, receiving) = station.air_times(now);
        RadioTotals { transmitting, receiving, losses: station.losses() }
    }

    fn watch_receptions(&mut self, sensed: bool) {
        (self.watched, self.careful) = (true, true);
        self.fates = Some(Box::new(Fates::new(self.all.len(), self.transmitted, sensed)));
    }

    fn receptions(&mut self, now: Time, which: HandOver, tell: &mut dyn FnMut(&[Reception])) {
        if let Some(fates) = &mut self.fates
            && (which == HandOver::All || fates.are_due())
        {
            fates.hand_over(now, tell);
        }
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
