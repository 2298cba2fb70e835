//! The radio and MAC of one node.

use std::collections::VecDeque;
use std::rc::Rc;

use multihop_core::{
    AirTime, Decoded, Duration, Fate, FrameClass, Heard, LossCause, Losses, NodeId, Outcome,
    Purpose, Reception, Rng, Rx, SignalStrength, Time, TxDone, TxRequest,
};

use super::access::Next;
use super::budget::{Budget, Leave};
use super::event::Event;
use super::frame::Frame;
use super::meter::Meter;
use super::receiver::{Beginning, Incoming};
use super::settings::Settings;

/// What a call to a station gets.
pub struct Ports<'a> {
    /// Now.
    pub now: Time,
    /// What all stations have in common.
    pub settings: &'a Settings,
    /// Where reports go, each with the number of its node.
    pub events: &'a mut VecDeque<(NodeId, Event)>,
    /// Who watches what becomes of frames.
    pub watch: Watch,
}

/// Whether it is reported what becomes of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// It is not.
    Off,
    /// Of those that could have been decoded, or are for the node.
    Decodable,
    /// Of all.
    Sensed,
}

/// What a station does about its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// It has none.
    Idle,
    /// It looks at the medium at this time.
    Look(Time),
    /// Its channel activity detection ends at this time.
    Detect(Time),
    /// It transmits until this time.
    Transmit(Time),
}

/// The frame that a node has handed over.
struct Waiting {
    request: TxRequest,
    class: FrameClass,
    since: Time,
    air_time: Duration,
    taken_back: bool,
}

/// The radio and MAC of one node.
pub struct Station {
    number: NodeId,
    address: NodeId,
    incoming: Vec<Incoming>,
    waiting: Option<Waiting>,
    turn: Turn,
    /// When it found the medium busy first, since it sent.
    busy_since: Option<Time>,
    /// Before this time it tries no other frame, as it has found the medium busy.
    retry_at: Time,
    /// From when to when its last transmission was on the air.
    sends: (Time, Time),
    meter: Meter,
    losses: Losses,
    budget: Option<Budget>,
    rng: Rng,
    /// Whether the node wants frames for others.
    pub promiscuous: bool,
    /// Whether its radio is off.
    pub is_off: bool,
}

impl Station {
    /// The station of node `number`, which has this address, in the run with `seed`.
    pub fn new(number: NodeId, address: NodeId, seed: u64, settings: &Settings) -> Self {
        Station {
            number,
            address,
            incoming: Vec::new(),
            waiting: None,
            turn: Turn::Idle,
            busy_since: None,
            retry_at: Time::ZERO,
            sends: (Time::ZERO, Time::ZERO),
            meter: Meter::default(),
            losses: Losses::default(),
            budget: settings.budget(),
            rng: Rng::stream(seed, number, Purpose::Mac),
            promiscuous: false,
            is_off: false,
        }
    }

    /// Whether it has room for a frame.
    pub const fn is_free(&self) -> bool {
        self.waiting.is_none()
    }

    /// When it has to be woken.
    pub fn deadline(&self) -> Time {
        let turn = match self.turn {
            Turn::Idle => Time::NEVER,
            Turn::Look(at) | Turn::Detect(at) | Turn::Transmit(at) => at,
        };
        let followed = self.incoming.iter().filter(|frame| frame.beginning == Beginning::Received);
        followed.map(|frame| frame.end).fold(turn, Time::min)
    }

    /// Whether its duty cycle lets it take another frame now.
    pub fn may_send(&mut self, now: Time) -> bool {
        self.budget.as_mut().is_none_or(|budget| budget.leave(now) != Leave::Refused)
    }

    /// It is handed a frame at `since`, which reaches it at `start`.
    pub fn offer(
        &mut self,
        request: &TxRequest,
        class: FrameClass,
        (since, start): (Time, Time),
        settings: &Settings,
    ) {
        let air_time = settings.modulation.air_time(settings.frame(request.packet.len()));
        let start = start.max(self.retry_at);
        let look = settings.access.first_look(start, request.contention, &mut self.rng);
        let request = request.clone();
        self.waiting = Some(Waiting { request, class, since, air_time, taken_back: false });
        self.turn = Turn::Look(look);
    }

    /// Its frame is to say that there is congestion.
    pub fn mark(&mut self) {
        if let Some(waiting) = &mut self.waiting {
            waiting.request.packet.congestion_experienced = true;
        }
    }

    /// Its frame is taken back, unless it is on the air.
    pub fn withdraw(&mut self, now: Time, settings: &Settings) -> Option<TxDone> {
        if matches!(self.turn, Turn::Transmit(_)) {
            return None;
        }
        if !settings.withdraws_at_once
            && let Some(waiting) = &mut self.waiting
        {
            waiting.taken_back = true;
            return None;
        }
        self.give_back(now, settings)
    }

    /// Its frame goes back to its owner.
    fn give_back(&mut self, now: Time, settings: &Settings) -> Option<TxDone> {
        let waiting = self.waiting.take()?;
        self.turn = Turn::Idle;
        let done = waiting.request.done(Outcome::Withdrawn, settings.rate());
        Some(TxDone { service: now.since(waiting.since), attempts: 0, ..done })
    }

    /// Its node restarts. Returns the frame that it had.
    pub fn restart(&mut self, now: Time, settings: &Settings) -> Option<TxDone> {
        self.count(now);
        self.incoming.clear();
        self.sends.1 = self.sends.1.min(now);
        self.budget = self.budget.take().map(|budget| budget.restarted(now));
        (self.busy_since, self.retry_at) = (None, now);
        self.give_back(now, settings)
    }

    /// What node `other` transmits is cut off.
    pub fn on_cut_off(&mut self, other: NodeId, now: Time) {
        self.count(now);
        self.incoming.retain(|frame| frame.frame.from != other || frame.end <= now);
    }

    /// Its time has come. Returns whether it puts its frame on the air.
    pub fn on_deadline(&mut self, ports: &mut Ports) -> bool {
        if self.end_receptions(ports)
            && let (Some(waiting), Turn::Look(_) | Turn::Detect(_)) = (&self.waiting, self.turn)
        {
            let asked = waiting.request.contention;
            let again = ports.settings.access.on_reception(ports.now, asked, &mut self.rng);
            self.turn = again.map_or(self.turn, Turn::Look);
        }
        match self.turn {
            Turn::Transmit(until) if until <= ports.now => {
                self.end_transmission(ports);
                false
            }
            Turn::Look(at) if at <= ports.now => self.look(ports),
            Turn::Detect(at) if at <= ports.now => self.detect(ports),
            _ => false,
        }
    }

    /// Hands up what has ended. Returns whether the radio has followed a frame to its end.
    fn end_receptions(&mut self, ports: &mut Ports) -> bool {
        let now = ports.now;
        self.count(now);
        let mut any = false;
        let mut incoming = std::mem::take(&mut self.incoming);
        for frame in incoming.extract_if(.., |frame| frame.end <= now) {
            if frame.beginning == Beginning::Received {
                any = true;
                self.receive(&frame, ports);
            }
        }
        self.incoming = incoming;
        any
    }

    /// A frame has ended that the radio has followed.
    fn receive(&mut self, incoming: &Incoming, ports: &mut Ports) {
        if incoming.lost.is_some() {
            return;
        }
        let frame = &incoming.frame;
        let heard = frame.heard(self.address);
        if ports.watch != Watch::Off {
            let decoded =
                if heard == Heard::Overheard { Decoded::Overheard } else { Decoded::Addressed };
            self.tell(incoming, Fate::Decoded(decoded), ports);
        }
        if heard == Heard::Overheard && !self.promiscuous {
            return;
        }
        let rx = Rx {
            from: frame.sender,
            heard,
            rate: ports.settings.rate(),
            signal: Some(SignalStrength::from_dbw(incoming.power - 30.0)),
            air_time: frame.air_time,
            packet: frame.packet.clone(),
        };
        ports.events.push_back((self.number, Event::Hears(rx)));
    }

    /// Its turn has come: it sends if it may and the medium is idle.
    fn look(&mut self, ports: &mut Ports) -> bool {
        let now = ports.now;
        if let Some(Leave::From(at)) = self.budget.as_mut().map(|budget| budget.leave(now)) {
            self.turn = Turn::Look(at);
            return false;
        }
        let sensing = &ports.settings.sensing;
        if sensing.is_busy(&self.incoming, now) {
            return self.on_busy(ports);
        }
        match sensing.activity {
            Some(activity) if activity.time > Duration::ZERO => {
                self.turn = Turn::Detect(now + activity.time);
                false
            }
            Some(_) => self.detect(ports),
            None => self.send(ports),
        }
    }

    /// Channel activity detection has ended.
    fn detect(&mut self, ports: &mut Ports) -> bool {
        let (now, sensing) = (ports.now, &ports.settings.sensing);
        let finds = sensing.activity.is_some_and(|activity| {
            activity.is_there(&self.incoming, now)
                && !(activity.miss > 0.0 && self.rng.chance(activity.miss))
        });
        if finds || sensing.is_busy(&self.incoming, now) {
            self.on_busy(ports)
        } else {
            self.send(ports)
        }
    }

    /// The medium is busy.
    fn on_busy(&mut self, ports: &mut Ports) -> bool {
        let Some(waiting) = &self.waiting else { return false };
        let since = *self.busy_since.get_or_insert(ports.now);
        let (asked, access) = (waiting.request.contention, &ports.settings.access);
        match access.on_busy((ports.now, since), asked, &mut self.rng) {
            Next::Look(at) => {
                self.turn = Turn::Look(at);
                if access.retries() {
                    self.retry_at = at;
                }
                false
            }
            Next::Send => self.send(ports),
        }
    }

    /// It puts its frame on the air, and hears nothing meanwhile.
    fn send(&mut self, ports: &mut Ports) -> bool {
        let Some(waiting) = &self.waiting else { return false };
        let now = ports.now;
        if waiting.taken_back {
            self.busy_since = None;
            if let Some(done) = self.give_back(now, ports.settings) {
                ports.events.push_back((self.number, Event::Done(done)));
            }
            return false;
        }
        let until = now + waiting.air_time;
        self.turn = Turn::Transmit(until);
        self.sends = (now, until);
        self.busy_since = None;
        for frame in &mut self.incoming {
            frame.lose(LossCause::Transmitting, now, None);
        }
        self.tell_losses(ports);
        true
    }

    /// The frame that it puts on the air as number `number` of the run.
    ///
    /// # Panics
    /// If it has none.
    pub fn frame(&self, number: u32, settings: &Settings) -> Frame {
        let waiting = self.waiting.as_ref().expect("it transmits a frame");
        let request = &waiting.request;
        Frame {
            number,
            from: self.number,
            sender: self.address,
            to: request.to,
            class: waiting.class,
            packet: request.packet.clone(),
            bytes: settings.frame(request.packet.len()),
            air_time: waiting.air_time,
        }
    }

    fn end_transmission(&mut self, ports: &mut Ports) {
        self.turn = Turn::Idle;
        let Some(waiting) = self.waiting.take() else { return };
        if let Some(budget) = &mut self.budget {
            budget.spend(ports.now, waiting.air_time);
        }
        let done = waiting.request.done(Outcome::Sent, ports.settings.rate());
        let (service, air_time) = (ports.now.since(waiting.since), waiting.air_time);
        ports.events.push_back((self.number, Event::Done(TxDone { service, air_time, ..done })));
    }

    /// A frame begins to arrive.
    pub fn arrive(&mut self, mut newcomer: Incoming, ports: &mut Ports) {
        self.count(ports.now);
        self.incoming
            .retain(|frame| frame.end > ports.now || frame.beginning == Beginning::Received);
        if self.sends.1 > newcomer.start {
            newcomer.lose(LossCause::Transmitting, newcomer.start, None);
            newcomer.beginning = Beginning::Unnoticed;
        }
        ports.settings.overlap.arrive(&mut newcomer, &mut self.incoming);
        self.incoming.push(newcomer);
        self.tell_losses(ports);
    }

    /// Counts what was lost, and tells it to those who watch.
    fn tell_losses(&mut self, ports: &mut Ports) {
        for at in 0..self.incoming.len() {
            let frame = &mut self.incoming[at];
            let Some(lost) = frame.lost.filter(|_| !frame.told) else { continue };
            frame.told = true;
            let heard = frame.frame.heard(self.address);
            if heard != Heard::Overheard {
                self.losses.count_one(lost.cause);
            }
            let is_sensed = lost.cause == LossCause::TooWeak && heard != Heard::ForMe;
            let is_wanted = match ports.watch {
                Watch::Off => false,
                Watch::Decodable => !is_sensed,
                Watch::Sensed => true,
            };
            if is_wanted {
                let fate = if is_sensed { Fate::Sensed } else { Fate::Lost(lost.cause) };
                let frame = &self.incoming[at];
                self.tell(frame, fate, ports);
            }
        }
    }

    fn tell(&self, incoming: &Incoming, fate: Fate, ports: &mut Ports) {
        let known = Reception {
            frame: incoming.frame.number,
            node: self.number,
            end: incoming.end,
            certain: ports.now,
            fate,
            by: incoming.lost.and_then(|lost| lost.by),
        };
        ports.events.push_back((self.number, Event::Received(known)));
    }

    fn count(&mut self, now: Time) {
        self.meter.count(now, self.sends, &self.incoming);
    }

    /// What its radio has done with its time up to `now`.
    pub fn air(&self, now: Time) -> AirTime {
        self.meter.read(now, self.sends, &self.incoming)
    }

    /// How many frames for it were lost.
    pub const fn losses(&self) -> Losses {
        self.losses
    }

    /// A frame arrives: how it begins here.
    pub fn incoming(
        frame: &Rc<Frame>,
        power: f64,
        start: Time,
        spoiled: Option<LossCause>,
    ) -> Incoming {
        let end = start + frame.air_time;
        let beginning = match spoiled {
            Some(LossCause::TooWeak) => Beginning::Unnoticed,
            _ => Beginning::Received,
        };
        let frame = Rc::clone(frame);
        let mut incoming =
            Incoming { frame, power, start, end, beginning, lost: None, told: false };
        if let Some(cause) = spoiled {
            incoming.lose(cause, start, None);
        }
        incoming
    }
}
