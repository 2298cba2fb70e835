//! One station: what it knows of the medium, and its backoff (IEEE 802.11, 9.2.4, 9.2.5), as
//! ns-2 models them.
//!
//! Sans I/O like the protocols above it: frames that arrive, a deadline, and actions that the
//! host carries out. Where ns-2 departs from the standard, the comment says so.

use multihop_core::{Duration, LossCause, Losses, NodeId, Purpose, Rng, Time};

use super::fates::{Entry, Newcomer};
use super::frame::{Frame, FrameKind, Profile};
use super::meter::Meter;
use super::pending::Exchange;
use super::ports::{Deadline, Job, Ports};
use super::receiver::{Arrival, Decoded, Effect, Lock, Place};

/// What the station itself is doing with the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Idle,
    /// An RTS is sent; a CTS must come.
    AwaitsCts,
    /// A CTS is sent; data must come.
    AwaitsData,
    /// Data is sent; a link acknowledgment must come.
    AwaitsAck,
    /// Data is sent; the link acknowledgments of two receivers must come.
    AwaitsAcks,
    /// A frame that nobody answers is on the air.
    Sends,
}

/// The backoff counter. It runs while the medium has been idle for DIFS, and keeps its slots
/// while the medium is busy.
#[derive(Clone, Copy, Debug)]
struct Backoff {
    slots: u32,
    started: Time,
    /// It runs out at this time, although a frame that is under way arrives later: the station
    /// cannot know of it yet.
    committed: Option<Time>,
}

/// A station.
pub struct Station {
    pub(super) me: u32,
    rng: Rng,
    pub(super) promiscuous: bool,
    /// Whether packets for others, and what the radio does with its time, matter now.
    pub(super) listening: bool,
    pub(super) lock: Option<Lock>,
    /// Frames that somebody awaits, by their [`Place`].
    pub(super) awaited: [Frame; 2],
    /// The network allocation vector: the medium is reserved until then.
    pub(super) reserved_until: Time,
    /// The medium was busy, with a reception or an exchange of this station, until then.
    busy_until: Time,
    /// Begin and end of this radio's last transmission.
    pub(super) transmitting: (Time, Time),
    pub(super) state: State,
    /// When `state` has lasted too long.
    pub(super) timer: Time,
    backoff: Option<Backoff>,
    contention_window: u32,
    /// What `contention_window` is for a new frame.
    cw_min: u32,
    pub(super) exchange: Exchange,
    losses: Losses,
    receive_time: Duration,
    transmit_time: Duration,
    /// What the radio does with its time, if somebody asks, and listens.
    pub(super) meter: Option<Box<Meter>>,
    /// The same while nobody listens.
    pub(super) resting: Option<Box<Meter>>,
}

impl Station {
    /// The station of `node` in the run with `seed`.
    pub fn new(node: NodeId, seed: u64, profile: &Profile) -> Self {
        Station {
            me: node.0,
            rng: Rng::stream(seed, node, Purpose::Mac),
            promiscuous: false,
            listening: true,
            lock: None,
            awaited: [Frame::BLANK; 2],
            reserved_until: Time::ZERO,
            busy_until: Time::ZERO,
            transmitting: (Time::ZERO, Time::ZERO),
            state: State::Idle,
            timer: Time::NEVER,
            backoff: None,
            contention_window: profile.settings().cw_min,
            cw_min: profile.settings().cw_min,
            exchange: Exchange::default(),
            losses: Losses::default(),
            receive_time: Duration::ZERO,
            transmit_time: Duration::ZERO,
            meter: None,
            resting: None,
        }
    }

    /// Hand packets for other stations to the node as well.
    pub fn set_promiscuous(&mut self, on: bool) {
        self.promiscuous = on;
    }

    /// Frames addressed to this node that its radio lost.
    pub const fn losses(&self) -> Losses {
        self.losses
    }

    /// Air time up to `now`: transmitting, and receiving or sensing.
    pub fn air_times(&self, now: Time) -> (Duration, Duration) {
        let transmitted = self.transmit_time.saturating_sub(self.transmitting.1.since(now));
        let under_way = self
            .lock
            .as_ref()
            .map_or(Duration::ZERO, |lock| self.received_in(lock.busy_from, lock.end.min(now)));
        (transmitted, self.receive_time + under_way)
    }

    /// How long this radio received or sensed in a busy period: while it did not transmit.
    fn received_in(&self, from: Time, until: Time) -> Duration {
        let (begin, end) = self.transmitting;
        if end <= from {
            return until.since(from);
        }
        let overlap = end.min(until).since(begin.max(from));
        until.since(from).saturating_sub(overlap)
    }

    /// When to call [`Station::on_deadline`].
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub fn deadline(&self, profile: &Profile) -> Time {
        let at = self.timer.min(self.exchange.respond_at).min(self.may_send_at(profile));
        let Some(Lock { end, awaited: Some(place), .. }) = self.lock else { return at };
        let frame = &self.awaited[place as usize];
        if !self.heeds(frame) {
            return at;
        }
        at.min(match frame.kind {
            // All that follows is the answer, or the data after the CTS.
            FrameKind::Rts | FrameKind::Cts => end + profile.sifs,
            _ => end,
        })
    }

    /// A frame begins to arrive, now or within one propagation delay.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub fn on_arrival(&mut self, arrival: &Arrival, ports: &mut Ports) -> Deadline {
        self.arrive::<false>(arrival, ports)
    }

    /// [`Station::on_arrival`] where somebody wants to know what the radio does with its time, or what becomes
    /// of the frame.
    #[expect(clippy::inline_always, reason = "one loop over many stations")]
    #[inline(always)]
    pub fn on_watched_arrival(&mut self, arrival: &Arrival, ports: &mut Ports) -> Deadline {
        if self.counts_air() {
            self.meter_arrival(ports.now, arrival);
        }
        self.arrive::<true>(arrival, ports)
    }

    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    fn arrive<const WATCHED: bool>(&mut self, arrival: &Arrival, ports: &mut Ports) -> Deadline {
        if self.lock.as_ref().is_some_and(|lock| lock.end > arrival.start) {
            return self.on_overlap::<WATCHED>(arrival, ports);
        }
        let mut deadline = self.medium_matters();
        if let Some(last) = self.settle(arrival.start) {
            self.on_end(&last, ports);
            deadline = Deadline::Moves;
        }
        self.pause_backoff(arrival.start, ports.profile);
        let mut lock = self.perceive::<WATCHED>(arrival, ports);
        if lock.spoiled.is_none() && self.wants(arrival.frame) {
            lock.awaited = Some(self.keep(arrival.frame, None));
            if self.heeds(arrival.frame) {
                deadline = Deadline::Moves;
            }
        }
        self.lock = Some(lock);
        deadline
    }

    /// A frame begins to arrive while the radio is locked on to another. Few do: out of line.
    #[inline(never)]
    fn on_overlap<const WATCHED: bool>(
        &mut self,
        arrival: &Arrival,
        ports: &mut Ports,
    ) -> Deadline {
        let mut late = self.perceive::<WATCHED>(arrival, ports);
        if late.spoiled.is_none() && self.wants(arrival.frame) {
            let taken = self.lock.and_then(|lock| lock.awaited);
            late.awaited = Some(self.keep(arrival.frame, taken));
        }
        let Some(lock) = &mut self.lock else { return Deadline::Moves };
        let awaited = lock.awaited.is_some() || late.awaited.is_some();
        let (now, before, newcomer) = (ports.now, lock.entry.frame, late.entry.frame);
        let frames = &self.awaited;
        let effect = lock.interfere(late, ports.profile, |lost, cause| {
            if lost.awaited.is_some_and(|place| frames[place as usize].is_for(self.me)) {
                self.losses.count_one(cause);
            }
            if WATCHED && let Some(fates) = &mut ports.fates {
                let by = if lost.entry.frame == newcomer { before } else { newcomer };
                fates.lose(now, lost.entry, cause, Some(by));
            }
        });
        if let Effect::Captured { until } = effect {
            if self.counts_air() {
                self.meter_until(ports.now);
            }
            // ns-2: the frame that is ignored reserves the medium up to its end, and EIFS.
            self.reserve(until + ports.profile.eifs);
        }
        if awaited { Deadline::Moves } else { self.medium_matters() }
    }

    /// Keep a frame that somebody awaits until its end, beside the one that is there.
    fn keep(&mut self, frame: &Frame, taken: Option<Place>) -> Place {
        let place = Place::beside(taken);
        self.awaited[place as usize] = *frame;
        place
    }

    /// A station that has nothing to send does not care how long the medium is busy.
    fn medium_matters(&self) -> Deadline {
        if self.is_free() { Deadline::Stands } else { Deadline::Moves }
    }

    /// What a frame that arrives is to this radio, as if nobody awaited it. One that it cannot
    /// decode is lost at once.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    fn perceive<const WATCHED: bool>(&mut self, arrival: &Arrival, ports: &mut Ports) -> Lock {
        let Arrival { frame, power, start, .. } = *arrival;
        let spoiled = self.spoils(arrival);
        if let Some(cause) = spoiled.filter(|_| frame.is_for(self.me)) {
            self.losses.count_one(cause);
        }
        let reserved = match spoiled {
            Some(_) => ports.profile.eifs,
            None if frame.to == self.me => Duration::ZERO,
            None => frame.reserved,
        };
        let (end, busy_from) = (start + frame.air_time, start);
        let entry = match &mut ports.fates {
            Some(fates) if WATCHED => {
                fates.enter(ports.now, &Newcomer { frame, node: self.me, end, spoiled })
            }
            _ => Entry::NONE,
        };
        Lock { start, end, busy_from, reserved, power, spoiled, awaited: None, entry }
    }

    /// Why a frame that arrives cannot be decoded, whatever follows.
    #[inline]
    fn spoils(&self, arrival: &Arrival) -> Option<LossCause> {
        let transmits = self.transmitting.1 > arrival.start;
        arrival.spoiled.or(transmits.then_some(LossCause::Transmitting))
    }

    /// An awaited frame has ended, before or after now.
    pub(super) fn on_end(&mut self, decoded: &Decoded, ports: &mut Ports) {
        let (profile, actions) = (ports.profile, &mut *ports.actions);
        self.on_decoded(decoded, &mut Ports::new(decoded.end, profile, actions));
    }

    /// Whatever has ended by now is known.
    pub(super) fn catch_up(&mut self, ports: &mut Ports) {
        if self.counts_air() {
            return self.catch_up_metered(ports);
        }
        if let Some(last) = self.settle(ports.now) {
            self.on_end(&last, ports);
        }
    }

    /// The time given by [`Station::deadline`] has come.
    pub fn on_deadline(&mut self, ports: &mut Ports) {
        self.catch_up(ports);
        if self.timer <= ports.now {
            self.on_timer(ports);
        }
        if self.exchange.respond_at <= ports.now {
            self.on_respond(ports);
        }
        if self.may_send_at(ports.profile) <= ports.now {
            self.on_backoff_end(ports);
        }
    }

    /// The node restarts. Its frame, its exchange, its backoff and what it knew of reservations are
    /// gone; of a frame that arrives it has missed the beginning. Returns the frame that it had.
    pub fn restart(&mut self) -> Option<Job> {
        if let Some(lock) = &mut self.lock {
            lock.awaited = None;
        }
        self.busy_until = self.busy_until.max(self.transmitting.1);
        self.reserved_until = Time::ZERO;
        (self.state, self.timer, self.backoff) = (State::Idle, Time::NEVER, None);
        self.reset_window();
        self.exchange.restart().map(|current| current.job)
    }

    /// The frame that `from` transmits is cut off: nobody can decode it. The medium is taken to be busy
    /// for as long as it would have lasted.
    pub fn on_cut_off(&mut self, from: NodeId) {
        if let Some(lock) = &mut self.lock {
            lock.awaited.take_if(|place| self.awaited[*place as usize].from == from.0);
        }
    }

    // ---- the medium ---------------------------------------------------------------------

    /// Physical and virtual carrier sense at `now`.
    pub(super) fn is_idle(&self, now: Time) -> bool {
        let receiving = |lock: &Lock| lock.start < now && now < lock.end;
        !self.lock.as_ref().is_some_and(receiving)
            && self.state == State::Idle
            && self.busy_until <= now
            && self.reserved_until <= now
    }

    /// This radio begins to transmit `frame`; `state` lasts at most `timeout`, or, if it is
    /// idle, begins after it.
    pub(super) fn transmit(
        &mut self,
        state: State,
        timeout: Duration,
        frame: Frame,
        ports: &mut Ports,
    ) {
        let now = ports.now;
        match &mut self.lock {
            Some(lock) => {
                lock.spoil(LossCause::Transmitting, ports.profile, |lost| {
                    if lost
                        .awaited
                        .is_some_and(|place| self.awaited[place as usize].is_for(self.me))
                    {
                        self.losses.count_one(LossCause::Transmitting);
                    }
                    if let Some(fates) = &mut ports.fates {
                        fates.lose(now, lost.entry, LossCause::Transmitting, None);
                    }
                });
            }
            None => self.pause_backoff(now, ports.profile),
        }
        self.transmitting = (now, now + frame.air_time);
        self.state = state;
        if state == State::Idle {
            self.busy_until = self.busy_until.max(now + timeout);
        } else {
            self.timer = now + timeout;
        }
        self.transmit_time += frame.air_time;
        debug_assert!(ports.on_air.is_none(), "a station sends one frame at a time");
        ports.on_air = Some(frame);
    }

    /// The station's own exchange is over, or goes on after a gap.
    pub(super) fn release_medium(&mut self, now: Time) {
        if self.state != State::Idle {
            self.state = State::Idle;
            self.busy_until = self.busy_until.max(now);
        }
    }

    /// Set the network allocation vector; it is never shortened.
    fn reserve(&mut self, until: Time) {
        self.reserved_until = self.reserved_until.max(until);
    }

    /// Whether somebody waits for the end of this frame, or might begin to until then.
    fn wants(&self, frame: &Frame) -> bool {
        frame.is_for(self.me) || self.promiscuous && frame.kind.is_data()
    }

    /// Whether somebody waits for the end of this frame now, of those that it wants.
    fn heeds(&self, frame: &Frame) -> bool {
        self.listening || frame.is_for(self.me)
    }

    /// If the frame that the radio is locked on to has ended by `now`, draw the consequences
    /// for the medium. Returns the frame if it was decoded and somebody waits for it.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub(super) fn settle(&mut self, now: Time) -> Option<Decoded> {
        let lock = self.lock.as_ref().filter(|lock| lock.end <= now)?;
        let (end, busy_from, reserved) = (lock.end, lock.busy_from, lock.reserved);
        // While it transmits, a radio sees nothing of a frame, not even its end.
        let seen = self.transmitting.1 <= end;
        let decoded = lock.awaited.filter(|_| seen).map(|place| {
            let frame = self.awaited[place as usize];
            Decoded { frame, end, power: lock.power }
        });
        self.lock = None;
        self.busy_until = self.busy_until.max(end);
        self.receive_time += self.received_in(busy_from, end);
        if seen {
            self.reserve(end + reserved);
        }
        decoded
    }

    // ---- backoff ------------------------------------------------------------------------

    pub(super) fn is_backing_off(&self) -> bool {
        self.backoff.is_some()
    }

    /// Draw a new backoff, unless one is under way.
    pub(super) fn back_off(&mut self, now: Time) {
        if self.backoff.is_none() {
            // ns-2 draws from 0 to the window less one; the standard says from 0 to the window.
            let slots = self.rng.below(self.contention_window);
            self.backoff = Some(Backoff { slots, started: now, committed: None });
        }
    }

    pub(super) fn widen_window(&mut self, profile: &Profile) {
        self.contention_window = (self.contention_window * 2 + 1).min(profile.settings().cw_max);
    }

    pub(super) fn reset_window(&mut self) {
        self.contention_window = self.cw_min;
    }

    /// The next frame's smallest window. A backoff that is under way stays what it is.
    pub(super) fn contend_as(&mut self, cw_min: u32) {
        if self.cw_min != cw_min {
            self.cw_min = cw_min;
            self.reset_window();
        }
    }

    /// Since when the counter runs, if nothing more arrives: DIFS after the medium was last
    /// busy or reserved, or after the counter was drawn.
    fn counts_from(&self, backoff: &Backoff, profile: &Profile) -> Time {
        self.busy_until.max(self.reserved_until).max(backoff.started) + profile.difs
    }

    /// When the station may send its frame, as far as can be foreseen. The end of a backoff
    /// behind which no frame waits concerns nobody.
    fn may_send_at(&self, profile: &Profile) -> Time {
        if self.is_free() { Time::NEVER } else { self.backoff_ends(profile) }
    }

    /// A frame comes to a station whose last backoff may have run out meanwhile.
    pub(super) fn forget_ended_backoff(&mut self, now: Time, profile: &Profile) {
        if self.backoff_ends(profile) <= now {
            self.backoff = None;
        }
    }

    /// When the backoff runs out, as far as can be foreseen.
    fn backoff_ends(&self, profile: &Profile) -> Time {
        let Some(backoff) = &self.backoff else { return Time::NEVER };
        if let Some(at) = backoff.committed {
            return at;
        }
        if self.state != State::Idle {
            return Time::NEVER;
        }
        let mut from = self.counts_from(backoff, profile);
        if let Some(lock) = &self.lock {
            let idle = lock.end + lock.reserved;
            from = from.max(idle + profile.difs);
        }
        from + profile.slot * u64::from(backoff.slots)
    }

    /// The idle medium becomes busy at `at`: count the slots that have passed.
    fn pause_backoff(&mut self, at: Time, profile: &Profile) {
        let Some(mut backoff) = self.backoff else { return };
        if backoff.committed.is_some() || self.state != State::Idle {
            return;
        }
        let from = self.counts_from(&backoff, profile);
        if at < from {
            return;
        }
        let ends = from + profile.slot * u64::from(backoff.slots);
        if ends > at {
            backoff.slots -= (at.since(from) / profile.slot) as u32;
        } else if self.is_free() {
            self.backoff = None;
            return;
        } else {
            backoff.committed = Some(ends);
        }
        self.backoff = Some(backoff);
    }

    fn on_backoff_end(&mut self, ports: &mut Ports) {
        self.backoff = None;
        if self.is_idle(ports.now) {
            self.send_current(ports);
        } else {
            // ns-2: the window is widened although nothing collided.
            self.widen_window(ports.profile);
            self.back_off(ports.now);
        }
    }
}
