//! One station: what it knows of the medium, and its backoff (IEEE 802.11, 9.2.4, 9.2.5), as
//! ns-2 models them.
//!
//! Sans I/O like the protocols above it: frames that arrive, a deadline, and actions that the
//! host carries out. Where ns-2 departs from the standard, the comment says so.

use multihop_core::{Duration, LossCause, Losses, NodeId, Purpose, Rng, Time};

use super::frame::{Frame, FrameKind, Profile};
use super::meter::Meter;
use super::pending::Exchange;
use super::ports::{Job, Ports};
use super::receiver::{Decoded, Lock, Place};

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

impl Backoff {
    /// Since when the counter runs, if nothing more arrives: DIFS after the medium was last
    /// busy or reserved, or after the counter was drawn.
    fn runs_from(&self, idle_from: Time, profile: &Profile) -> Time {
        idle_from.max(self.started) + profile.difs
    }
}

/// A station. What is here is all that a frame touches at a station that it does not concern, so
/// that of many stations little is read; the rest is its [`Own`].
#[expect(clippy::struct_excessive_bools, reason = "four questions, of which no two go together")]
pub struct Station {
    pub(super) me: u32,
    pub(super) promiscuous: bool,
    /// Whether packets for others, and what the radio does with its time, matter now.
    pub(super) listening: bool,
    /// Whether it counts what the radio does with its time: somebody asks, and it listens.
    pub(super) counts: bool,
    /// Whether it may have a frame or a backoff; if not, it has neither.
    pub(super) contends: bool,
    pub(super) lock: Lock,
    /// From when on the medium is idle, as far as is known: neither busy, with a reception that has ended or
    /// an exchange of this station, nor reserved (the network allocation vector).
    pub(super) idle_from: Time,
    /// The end of this radio's last transmission.
    pub(super) transmits_until: Time,
    receive_time: Duration,
    pub(super) own: Box<Own>,
}

/// What a station wants of the medium, and what it awaits and has counted.
pub(super) struct Own {
    rng: Rng,
    /// Frames that somebody awaits, by their [`Place`].
    pub(super) awaited: [Frame; 2],
    /// What this radio transmitted last.
    sent: Frame,
    /// The begin of this radio's last transmission.
    pub(super) transmits_from: Time,
    pub(super) state: State,
    /// When `state` has lasted too long.
    pub(super) timer: Time,
    backoff: Option<Backoff>,
    contention_window: u32,
    /// What `contention_window` is for a new frame.
    cw_min: u32,
    pub(super) exchange: Exchange,
    pub(super) losses: Losses,
    transmit_time: Duration,
    /// What the radio does with its time, if somebody asks.
    pub(super) meter: Option<Meter>,
}

impl Station {
    /// The station of `node` in the run with `seed`.
    pub fn new(node: NodeId, seed: u64, profile: &Profile) -> Self {
        let own = Own {
            rng: Rng::stream(seed, node, Purpose::Mac),
            awaited: [Frame::BLANK; 2],
            sent: Frame::BLANK,
            transmits_from: Time::ZERO,
            state: State::Idle,
            timer: Time::NEVER,
            backoff: None,
            contention_window: profile.settings().cw_min,
            cw_min: profile.settings().cw_min,
            exchange: Exchange::default(),
            losses: Losses::default(),
            transmit_time: Duration::ZERO,
            meter: None,
        };
        Station {
            me: node.0,
            promiscuous: false,
            listening: true,
            counts: false,
            contends: false,
            lock: Lock::NONE,
            idle_from: Time::ZERO,
            transmits_until: Time::ZERO,
            receive_time: Duration::ZERO,
            own: Box::new(own),
        }
    }

    /// Hand packets for other stations to the node as well.
    pub fn set_promiscuous(&mut self, on: bool) {
        self.promiscuous = on;
    }

    /// The frame that this radio transmitted last.
    pub const fn sent(&self) -> &Frame {
        &self.own.sent
    }

    /// Frames addressed to this node that its radio lost.
    pub const fn losses(&self) -> Losses {
        self.own.losses
    }

    /// Air time up to `now`: transmitting, and receiving or sensing.
    pub fn air_times(&self, now: Time) -> (Duration, Duration) {
        let transmitted = self.own.transmit_time.saturating_sub(self.transmits_until.since(now));
        let under_way = self.received_in(self.lock.busy_from, self.lock.end.min(now));
        (transmitted, self.receive_time + under_way)
    }

    /// How long this radio received or sensed in a busy period: while it did not transmit.
    fn received_in(&self, from: Time, until: Time) -> Duration {
        let sent = self.transmits_until.min(until).since(self.own.transmits_from.max(from));
        until.since(from).saturating_sub(sent)
    }

    /// When to call [`Station::on_deadline`].
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub fn deadline(&self, profile: &Profile) -> Time {
        let at = self.own.timer.min(self.own.exchange.respond_at).min(self.may_send_at(profile));
        let Lock { end, awaited: Some(place), .. } = self.lock else { return at };
        let frame = &self.own.awaited[place as usize];
        if !self.heeds(frame) {
            return at;
        }
        match frame.kind {
            // All that follows is the data: the CTS stops the timer, which would run out before that.
            FrameKind::Cts if self.own.state == State::AwaitsCts && end <= self.own.timer => {
                debug_assert_eq!(at, self.own.timer, "nothing else is due meanwhile");
                end + profile.sifs
            }
            // All that follows is the answer.
            FrameKind::Rts | FrameKind::Cts => at.min(end + profile.sifs),
            _ => at.min(end),
        }
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
        if self.own.timer <= ports.now {
            self.on_timer(ports);
        }
        if self.own.exchange.respond_at <= ports.now {
            self.on_respond(ports);
        }
        if self.may_send_at(ports.profile) <= ports.now {
            self.on_backoff_end(ports);
        }
    }

    /// The node restarts. Its frame, its exchange, its backoff and what it knew of reservations are
    /// gone; of a frame that arrives it has missed the beginning. Returns the frame that it had.
    pub fn restart(&mut self) -> Option<Job> {
        self.lock.awaited = None;
        self.idle_from = self.transmits_until;
        (self.own.state, self.own.timer, self.own.backoff) = (State::Idle, Time::NEVER, None);
        self.reset_window();
        self.own.exchange.restart().map(|current| current.job)
    }

    /// The frame that `from` transmits is cut off: nobody can decode it. The medium is taken to be busy
    /// for as long as it would have lasted.
    pub fn on_cut_off(&mut self, from: NodeId) {
        self.lock.awaited.take_if(|place| self.own.awaited[*place as usize].from == from.0);
    }

    // ---- the medium ---------------------------------------------------------------------

    /// Physical and virtual carrier sense at `now`.
    pub(super) fn is_idle(&self, now: Time) -> bool {
        !(self.lock.start < now && now < self.lock.end)
            && self.own.state == State::Idle
            && self.idle_from <= now
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
        if self.lock.is_held() {
            self.lock.spoil(ports.profile, |lost| {
                let is_mine = |place: Place| self.own.awaited[place as usize].is_for(self.me);
                if lost.awaited.is_some_and(is_mine) {
                    self.own.losses.count_one(LossCause::Transmitting);
                }
                if let Some(fates) = &mut ports.fates {
                    fates.lose(now, lost.entry, LossCause::Transmitting, None);
                }
            });
        } else {
            self.pause_backoff(now, ports.profile);
        }
        (self.own.transmits_from, self.transmits_until) = (now, now + frame.air_time);
        self.own.state = state;
        if state == State::Idle {
            self.occupy(now + timeout);
        } else {
            self.own.timer = now + timeout;
        }
        self.own.transmit_time += frame.air_time;
        debug_assert!(!ports.on_air, "a station sends one frame at a time");
        (self.own.sent, ports.on_air) = (frame, true);
    }

    /// The station's own exchange is over, or goes on after a gap.
    pub(super) fn release_medium(&mut self, now: Time) {
        if self.own.state != State::Idle {
            self.own.state = State::Idle;
            self.occupy(now);
        }
    }

    /// The medium is busy or reserved until then, at least.
    pub(super) fn occupy(&mut self, until: Time) {
        self.idle_from = self.idle_from.max(until);
    }

    /// Whether somebody waits for the end of this frame, or might begin to until then.
    pub(super) fn wants(&self, frame: &Frame) -> bool {
        frame.is_for(self.me) || self.promiscuous && frame.kind.is_data()
    }

    /// Whether somebody waits for the end of this frame now, of those that it wants.
    pub(super) fn heeds(&self, frame: &Frame) -> bool {
        self.listening || frame.is_for(self.me)
    }

    /// If the frame that the radio is locked on to has ended by `now`, draw the consequences
    /// for the medium. Returns the frame if it was decoded and somebody waits for it.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub(super) fn settle(&mut self, now: Time) -> Option<Decoded> {
        let Lock { end, power, awaited, .. } = self.lock;
        if end > now || !self.lock.is_held() {
            return None;
        }
        let seen = self.settle_contended_lock();
        self.lock.release();
        let place = awaited.filter(|_| seen)?;
        Some(Decoded { frame: self.own.awaited[place as usize], end, power })
    }

    /// The frame that the radio is locked on to has ended: what follows for the medium. Whether the radio saw
    /// the end: while it transmits, it sees nothing of a frame.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub(super) fn settle_lock(&mut self) -> bool {
        let Lock { end, busy_from, reserved, .. } = self.lock;
        if self.transmits_until > busy_from {
            return self.settle_after_sending();
        }
        // What is busy begins before it ends: a difference, which cannot be negative.
        self.receive_time += Duration::from_nanos(end.nanos() - busy_from.nanos());
        self.occupy(end + reserved);
        true
    }

    /// The same, where it has transmitted since the medium became busy.
    #[inline(never)]
    fn settle_after_sending(&mut self) -> bool {
        self.settle_contended_lock()
    }

    /// The same for a station that contends: whether it has transmitted meanwhile is unforeseeable there, and
    /// therefore not asked.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub(super) fn settle_contended_lock(&mut self) -> bool {
        let Lock { end, busy_from, reserved, .. } = self.lock;
        self.receive_time += self.received_in(busy_from, end);
        let seen = self.transmits_until <= end;
        self.occupy(end + if seen { reserved } else { Duration::ZERO });
        seen
    }

    // ---- backoff ------------------------------------------------------------------------

    pub(super) fn is_backing_off(&self) -> bool {
        self.own.backoff.is_some()
    }

    /// Draw a new backoff, unless one is under way.
    pub(super) fn back_off(&mut self, now: Time) {
        if self.own.backoff.is_none() {
            // ns-2 draws from 0 to the window less one; the standard says from 0 to the window.
            let slots = self.own.rng.below(self.own.contention_window);
            self.contends = true;
            self.own.backoff = Some(Backoff { slots, started: now, committed: None });
        }
    }

    pub(super) fn widen_window(&mut self, profile: &Profile) {
        self.own.contention_window =
            (self.own.contention_window * 2 + 1).min(profile.settings().cw_max);
    }

    pub(super) fn reset_window(&mut self) {
        self.own.contention_window = self.own.cw_min;
    }

    /// The next frame's smallest window. A backoff that is under way stays what it is.
    pub(super) fn contend_as(&mut self, cw_min: u32) {
        if self.own.cw_min != cw_min {
            self.own.cw_min = cw_min;
            self.reset_window();
        }
    }

    /// When the station may send its frame, as far as can be foreseen. The end of a backoff
    /// behind which no frame waits concerns nobody.
    fn may_send_at(&self, profile: &Profile) -> Time {
        if self.is_free() { Time::NEVER } else { self.backoff_ends(profile) }
    }

    /// A frame comes to a station whose last backoff may have run out meanwhile.
    pub(super) fn forget_ended_backoff(&mut self, now: Time, profile: &Profile) {
        if self.backoff_ends(profile) <= now {
            self.own.backoff = None;
        }
    }

    /// When the backoff runs out, as far as can be foreseen.
    fn backoff_ends(&self, profile: &Profile) -> Time {
        let Some(backoff) = &self.own.backoff else { return Time::NEVER };
        if let Some(at) = backoff.committed {
            return at;
        }
        if self.own.state != State::Idle {
            return Time::NEVER;
        }
        let idle = self.lock.end + self.lock.reserved;
        let from = backoff.runs_from(self.idle_from, profile).max(idle + profile.difs);
        from + profile.slot * u64::from(backoff.slots)
    }

    /// The idle medium becomes busy at `at`: count the slots that have passed.
    pub(super) fn pause_backoff(&mut self, at: Time, profile: &Profile) {
        let is_free = self.is_free();
        let Some(backoff) = &mut self.own.backoff else {
            self.contends = !is_free;
            return;
        };
        if backoff.committed.is_some() || self.own.state != State::Idle {
            return;
        }
        // Nothing has passed if it does not run yet, which nobody can foresee: no question is asked.
        let from = backoff.runs_from(self.idle_from, profile);
        let ends = from + profile.slot * u64::from(backoff.slots);
        if ends > at {
            backoff.slots -= (at.since(from) / profile.slot) as u32;
        } else if is_free {
            self.own.backoff = None;
        } else {
            backoff.committed = Some(ends);
        }
    }

    fn on_backoff_end(&mut self, ports: &mut Ports) {
        self.own.backoff = None;
        if self.is_idle(ports.now) {
            self.send_current(ports);
        } else {
            // ns-2: the window is widened although nothing collided.
            self.widen_window(ports.profile);
            self.back_off(ports.now);
        }
    }
}
