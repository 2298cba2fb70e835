//! One station: what it knows of the medium, and its backoff (IEEE 802.11, 9.2.4, 9.2.5), as
//! ns-2 models them.
//!
//! Sans I/O like the protocols above it: frames that arrive, a deadline, and actions that the
//! host carries out. Where ns-2 departs from the standard, the comment says so.

use multihop_core::{Duration, LossCause, Losses, NodeId, Purpose, Rng, Time};

use super::backoff::Backoff;
use super::fates::Entry;
use super::frame::{Frame, FrameKind, Profile};
use super::in_hand::Batch;
use super::meter::Meter;
use super::pending::Exchange;
use super::ports::{Job, Ports};
use super::rates::Rates;
use super::receiver::{Announced, Claim, Decoded, FrameSlot, Lock, Prospect};
use super::signals::Signals;

/// What the station itself is doing with the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Idle,
    /// An RTS is sent; a CTS must come.
    AwaitsCts,
    /// A CTS is sent; data must come, where stations wait for it.
    AwaitsData,
    /// Data is sent; a link acknowledgment must come.
    AwaitsAck,
    /// Several packets are sent, or the question for them; a block acknowledgment must come.
    AwaitsBlockAck,
    /// Data is sent; the link acknowledgments of two receivers must come.
    AwaitsAcks,
    /// A frame that nobody answers is on the air.
    Sends,
}

/// What a station hears besides what is for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attention {
    /// Neither packets for others nor what the radio does with its time matter now.
    Rests,
    /// Packets for others matter, to a station that hands them over.
    Listens,
    /// So does what the radio does with its time: it is counted.
    Counts,
}

/// A station. What is here is all that a frame touches at a station that it does not concern, so
/// that of many stations little is read: one line of the processor's cache. The rest is its `Own`, which is
/// read where it is `engaged`.
#[repr(align(64))]
pub struct Station {
    pub(super) lock: Lock,
    /// From when on the medium is idle, as far as is known: neither busy, with a reception that has ended or
    /// an exchange of this station, nor reserved (the network allocation vector).
    pub(super) idle_from: Time,
    pub(super) own: Box<Own>,
    /// How long it has received or sensed, in ns, besides what stands in its [`Own`], to which it goes before
    /// it becomes too long for this.
    received: u32,
    pub(super) prospect: Prospect,
    pub(super) attention: Attention,
    /// Whether packets for other stations go to the node as well.
    pub(super) promiscuous: bool,
    /// Whether what arrives concerns its [`Own`]: it may have a frame or a backoff, or have transmitted since the
    /// medium became busy. If not, it has no such thing and has not.
    pub(super) engaged: bool,
}

/// More would be a second line for each frame at each bystander (ADR 0072).
const _: () = assert!(size_of::<Station>() == 64);

/// What a station wants of the medium, and what it awaits and has counted.
/// What a frame reads where the station is engaged stands first, on few lines of the cache, and what is rare last.
#[repr(C)]
pub(super) struct Own {
    pub(super) backoff: Option<Backoff>,
    /// Begin and end of this radio's last transmission.
    pub(super) transmits_from: Time,
    pub(super) transmits_until: Time,
    /// When `state` has lasted too long.
    pub(super) timer: Time,
    receive_time: Duration,
    pub(super) exchange: Exchange,
    pub(super) state: State,
    pub(super) me: u32,
    pub(super) contention_window: u32,
    /// What `contention_window` is for a new frame.
    cw_min: u32,
    /// Likewise, how many slots go before those that are drawn.
    first: u32,
    pub(super) rng: Rng,
    /// Frames that somebody awaits, by their [`FrameSlot`].
    pub(super) awaited: [Frame; 2],
    /// What this radio transmitted last.
    sent: Frame,
    transmit_time: Duration,
    pub(super) losses: Losses,
    /// Where it stands what becomes of the frame that the radio is locked on to, if somebody watches.
    pub(super) entry: Entry,
    /// By the standard's rules, until when frames that the radio has ignored are on the air. ns-2 counts them as
    /// reservations.
    pub(super) ignored_until: Time,
    /// Likewise, what the last RTS for another station has announced.
    pub(super) announced: Option<Announced>,
    /// What is on the air, where interference adds up.
    pub(super) signals: Signals,
    /// Which packets of the frame that the radio is locked on to can be decoded, if it carries several.
    pub(super) survivors: u64,
    /// What it sends in batches, and has of others' batches, where stations do.
    pub(super) batch: Option<Box<Batch>>,
    /// What chooses the rates of frames, if not all have one.
    pub(super) rates: Option<Box<Rates>>,
    /// What the radio does with its time, if somebody asks.
    pub(super) meter: Option<Meter>,
}

/// A set of rules: where those part that the 802.11 MACs of the field keep. It is a type without values, and a run's stations
/// are compiled for theirs, so that no frame asks whose rules hold (ADR 0106).
pub trait Rules: 'static {
    /// From how many numbers beyond the contention window a backoff is drawn, from 0 on.
    const BEYOND_WINDOW: u32;

    /// Whether a frame that comes nearer during a backoff may take a slot from it (ADR 0084).
    const NOTICES_APPROACH: bool;

    /// Whether a station that owes an answer draws a backoff for a frame that comes meanwhile.
    const CONTENDS_OWING: bool;

    /// Whether a station that has sent a CTS waits for the data, and does nothing else meanwhile: then it takes data that an
    /// RTS has to announce only there, and answers no other RTS. Else the CTS binds it to nothing: an RTS whose CTS was
    /// lost is answered again.
    const AWAITS_DATA: bool;

    /// Whether a frame that has a life has a limit of RTS without an answer, too. Where its owner has given it one, it has.
    const LIMITS_RTS: bool;

    /// Whether a station that has to acknowledge a frame gives up the answer that it awaits.
    const ACKNOWLEDGING_ENDS_ATTEMPT: bool;

    /// Whether frames that a radio locks on to are looked at for what the standard derives from them.
    const HEEDS_ANNOUNCEMENTS: bool;

    /// Whether stations may send several packets in one frame. Where they may not, nobody asks.
    const BATCHES: bool;

    /// A frame has come that wants the medium from `now` on.
    fn want_medium(station: &mut Station, now: Time, profile: &Profile);

    /// When `backoff` of an idle station, which runs or waits, is over as far as can be foreseen.
    fn backoff_ends(station: &Station, backoff: &Backoff, profile: &Profile) -> Time;

    /// The idle medium becomes busy at `at` for the backoff of an idle station: count the slots that have passed.
    fn pause_backoff(station: &mut Station, at: Time, profile: &Profile);

    /// The backoff is over, and the medium is busy.
    fn find_busy(station: &mut Station, profile: &Profile);

    /// Whether a station whose medium is not idle may send its CTS, or the data behind one.
    fn may_respond(station: &Station, now: Time, profile: &Profile) -> bool;

    /// The last attempt for a frame has failed.
    fn give_up(station: &mut Station, now: Time);

    /// The radio ignores a frame that ends at `until`.
    fn ignore(station: &mut Station, until: Time, profile: &Profile);

    /// The radio is locked on to `frame`, which begins to arrive.
    fn hear_announced(_station: &mut Station, _frame: &Frame, _profile: &Profile) {}

    /// The frame that began to arrive at `rts` is lost, or the radio has turned to another one.
    fn forget_announced(_station: &mut Station, _rts: Time) {}
}

impl Own {
    /// Draw the slots of a backoff.
    pub(super) fn draw<R: Rules>(&mut self) -> u32 {
        self.first + self.rng.below(self.contention_window + R::BEYOND_WINDOW)
    }
}

impl Station {
    /// The station of `node` in the run with `seed`.
    pub fn new(node: NodeId, seed: u64, profile: &Profile) -> Self {
        let own = Own {
            me: node.0,
            rng: Rng::stream(seed, node, Purpose::Mac),
            awaited: [Frame::BLANK; 2],
            entry: Entry::NONE,
            sent: Frame::BLANK,
            transmits_from: Time::ZERO,
            transmits_until: Time::ZERO,
            ignored_until: Time::ZERO,
            announced: None,
            signals: Signals::default(),
            state: State::Idle,
            timer: Time::NEVER,
            backoff: None,
            contention_window: profile.settings().cw_min,
            cw_min: profile.settings().cw_min,
            first: 0,
            exchange: Exchange::default(),
            losses: Losses::default(),
            transmit_time: Duration::ZERO,
            receive_time: Duration::ZERO,
            survivors: 0,
            batch: None,
            rates: None,
            meter: None,
        };
        let mut station = Station {
            lock: Lock::NONE,
            idle_from: Time::ZERO,
            own: Box::new(own),
            received: 0,
            prospect: Prospect::Unwanted,
            attention: Attention::Listens,
            promiscuous: false,
            engaged: false,
        };
        station.aggregate(profile);
        station
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
        let transmitted =
            self.own.transmit_time.saturating_sub(self.own.transmits_until.since(now));
        let under_way = self.received_in(self.lock.busy_from, self.lock.end.min(now));
        let ended = self.own.receive_time + Duration::from_nanos(u64::from(self.received));
        (transmitted, ended + under_way)
    }

    /// How long this radio received or sensed in a busy period: while it did not transmit.
    fn received_in(&self, from: Time, until: Time) -> Duration {
        let sent = self.own.transmits_until.min(until).since(self.own.transmits_from.max(from));
        until.since(from).saturating_sub(sent)
    }

    /// When to call [`Station::on_deadline`].
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub fn deadline<R: Rules>(&self, profile: &Profile) -> Time {
        let may_send_at = self.may_send_at::<R>(profile);
        let at = self.own.timer.min(self.own.exchange.respond_at).min(may_send_at);
        let Prospect::Awaited(place) = self.prospect else { return at };
        let end = self.lock.end;
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
    pub(super) fn on_end<R: Rules>(&mut self, decoded: &Decoded, ports: &mut Ports<R>) {
        let (profile, actions) = (ports.profile, &mut *ports.actions);
        let then = &mut Ports::<R>::new(decoded.end, profile, actions);
        if R::BATCHES {
            then.aggregates = ports.aggregates.as_deref_mut();
        }
        self.on_decoded(decoded, then);
    }

    /// Whatever has ended by now is known.
    pub(crate) fn catch_up<R: Rules>(&mut self, ports: &mut Ports<R>) {
        if self.counts_air() {
            return self.catch_up_metered(ports);
        }
        if let Some(last) = self.settle(ports.now) {
            self.on_end(&last, ports);
        }
    }

    /// The time given by [`Station::deadline`] has come.
    pub fn on_deadline<R: Rules>(&mut self, ports: &mut Ports<R>) {
        self.catch_up(ports);
        if self.own.timer <= ports.now {
            self.on_timer(ports);
        }
        if self.own.exchange.respond_at <= ports.now {
            self.on_respond(ports);
        }
        if self.may_send_at::<R>(ports.profile) <= ports.now {
            self.on_backoff_end(ports);
        }
    }

    /// The node restarts. Its frame, its exchange, its backoff and what it knew of reservations are
    /// gone; of a frame that arrives it has missed the beginning. Returns the frame that it had.
    pub fn restart(&mut self, now: Time) -> Option<Job> {
        self.meter_until(now);
        self.prospect.forget();
        self.lock.reserved = Duration::ZERO;
        self.idle_from = self.own.transmits_until;
        (self.own.state, self.own.timer, self.own.backoff) = (State::Idle, Time::NEVER, None);
        self.own.announced = None;
        if let Some(rates) = &mut self.own.rates {
            **rates = rates.anew();
        }
        self.reset_window();
        self.own.exchange.restart().map(|current| current.job)
    }

    /// The frame that `from` transmits is cut off: nobody can decode it. The medium is taken to be busy
    /// for as long as it would have lasted, and reserved as if a bystander had heard it.
    pub fn on_cut_off(&mut self, from: NodeId, now: Time) {
        let is_cut_off = |place: FrameSlot| self.own.awaited[place as usize].from == from.0;
        if self.lock.end > now && self.prospect.place().is_some_and(is_cut_off) {
            self.prospect.forget();
        }
    }

    // ---- the medium ---------------------------------------------------------------------

    /// Physical and virtual carrier sense at `now`.
    pub(super) fn is_idle(&self, now: Time) -> bool {
        !(self.lock.start < now && now < self.lock.end)
            && self.own.state == State::Idle
            && self.idle_from.max(self.own.ignored_until) <= now
    }

    /// Whether all that makes the medium busy or reserved when the backoff has run out is still under way to the station.
    /// Several frames may be, and one of them be ignored.
    #[cold]
    pub(super) fn cannot_know(&self) -> bool {
        self.own.backoff.is_some_and(|backoff| backoff.committed.is_some())
            && self.own.state == State::Idle
    }

    /// This radio begins to transmit `frame`; `state` lasts at most `timeout`, or, if it is
    /// idle, begins after it.
    pub(super) fn transmit<R: Rules>(
        &mut self,
        state: State,
        timeout: Duration,
        frame: Frame,
        ports: &mut Ports<R>,
    ) {
        let now = ports.now;
        if self.lock.is_held() {
            let mut claim = self.claim::<true>();
            claim.spoil(ports.profile, |lost| {
                let is_mine =
                    |place: FrameSlot| self.own.awaited[place as usize].is_for(self.own.me);
                if lost.prospect.place().is_some_and(is_mine) {
                    self.own.losses.count_one(LossCause::Transmitting);
                }
                if let Some(fates) = &mut ports.fates {
                    fates.lose(now, lost.entry, LossCause::Transmitting, None);
                }
            });
            if ports.profile.adds_up() {
                claim.lock.become_noise(ports.profile);
                if ports.profile.is_ofdm() {
                    self.stop_receiving::<R>(&mut claim, now, ports.profile);
                }
            }
            self.hold::<true>(claim);
            let locked = self.lock.start;
            R::forget_announced(self, locked);
        } else {
            self.pause_backoff(now, ports);
        }
        self.engaged = true;
        (self.own.transmits_from, self.own.transmits_until) = (now, now + frame.air_time);
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

    /// Whether somebody at this station, `me`, waits for the end of this frame, or might begin to until then.
    pub(super) fn wants(&self, me: u32, frame: &Frame) -> bool {
        frame.is_for(me) || self.promiscuous && frame.kind.is_data()
    }

    /// Whether somebody waits for the end of this frame now, of those that it wants.
    pub(super) fn heeds(&self, frame: &Frame) -> bool {
        self.attention != Attention::Rests || frame.is_for(self.own.me)
    }

    /// If the frame that the radio is locked on to has ended by `now`, draw the consequences
    /// for the medium. Returns the frame if it was decoded and somebody waits for it.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub(super) fn settle(&mut self, now: Time) -> Option<Decoded> {
        let Lock { end, power, .. } = self.lock;
        if end > now || !self.lock.is_held() {
            return None;
        }
        let seen = self.settle_engaged_lock();
        self.lock.release();
        let place = self.prospect.forget().filter(|_| seen)?;
        Some(Decoded { frame: self.own.awaited[place as usize], end, power })
    }

    /// The frame that the radio is locked on to has ended: what follows for the medium, for a station that has not
    /// transmitted since it locked on.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub(super) fn settle_lock(&mut self) {
        let Lock { end, busy_from, reserved, .. } = self.lock;
        debug_assert!(self.own.transmits_until <= busy_from, "it would be engaged");
        // What is busy begins before it ends: a difference, which cannot be negative.
        self.count_received(Duration::from_nanos(end.nanos() - busy_from.nanos()));
        self.occupy(end + reserved);
    }

    /// The same for any station. Whether the radio saw the end: while it transmits, it sees nothing of a frame.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub(super) fn settle_engaged_lock(&mut self) -> bool {
        let Lock { end, busy_from, reserved, .. } = self.lock;
        self.own.receive_time += self.received_in(busy_from, end);
        let seen = self.own.transmits_until <= end;
        self.occupy(end + if seen { reserved } else { Duration::ZERO });
        seen
    }

    /// The radio has received or sensed for so long.
    #[expect(clippy::inline_always, reason = "for every frame at every station")]
    #[inline(always)]
    fn count_received(&mut self, busy: Duration) {
        let received = u64::from(self.received) + busy.nanos();
        self.received = u32::try_from(received).unwrap_or_else(|_| {
            self.own.receive_time += Duration::from_nanos(received);
            0
        });
    }

    /// The frame that the radio is locked on to, with all that is known of it. `CARE`: somebody watches what becomes
    /// of it.
    pub(super) fn claim<const CARE: bool>(&self) -> Claim {
        let entry = if CARE { self.own.entry } else { Entry::NONE };
        Claim { lock: self.lock, prospect: self.prospect, entry }
    }

    /// The radio is locked on to that from now on.
    #[expect(clippy::inline_always, reason = "for every frame at every station")]
    #[inline(always)]
    pub(super) fn hold<const CARE: bool>(&mut self, claim: Claim) {
        (self.lock, self.prospect) = (claim.lock, claim.prospect);
        if CARE {
            self.own.entry = claim.entry;
        }
    }

    // ---- backoff ------------------------------------------------------------------------

    pub(super) fn is_backing_off(&self) -> bool {
        self.own.backoff.is_some()
    }

    /// Draw a new backoff, unless one is under way.
    pub(super) fn back_off<R: Rules>(&mut self, now: Time) {
        if self.own.backoff.is_none() {
            let slots = self.own.draw::<R>();
            self.engaged = true;
            let backoff = Backoff { slots, started: now, drawn: true, committed: None };
            self.own.backoff = Some(backoff);
        }
    }

    /// The frame that wanted the medium does not any more: a backoff that is not drawn yet is none.
    pub(super) fn forget_undrawn_backoff(&mut self) {
        self.own.backoff.take_if(|backoff| !backoff.drawn);
    }

    pub(super) fn widen_window(&mut self, profile: &Profile) {
        self.own.contention_window =
            (self.own.contention_window * 2 + 1).min(profile.settings().cw_max);
    }

    pub(super) fn reset_window(&mut self) {
        self.own.contention_window = self.own.cw_min;
    }

    /// The next frame's first slot and smallest window. A backoff that is under way stays what it is.
    pub(super) fn contend_as(&mut self, cw_min: u32, first: u32) {
        self.own.first = first;
        if self.own.cw_min != cw_min {
            self.own.cw_min = cw_min;
            self.reset_window();
        }
    }

    /// When the station may send its frame, as far as can be foreseen. The end of a backoff
    /// behind which no frame waits concerns nobody.
    pub(super) fn may_send_at<R: Rules>(&self, profile: &Profile) -> Time {
        if self.is_free() { Time::NEVER } else { self.backoff_ends::<R>(profile) }
    }

    /// A frame comes to a station whose last backoff may have run out meanwhile.
    pub(super) fn forget_ended_backoff<R: Rules>(&mut self, now: Time, profile: &Profile) {
        if self.backoff_ends::<R>(profile) <= now {
            self.own.backoff = None;
        }
    }

    /// When the backoff runs out, as far as can be foreseen.
    fn backoff_ends<R: Rules>(&self, profile: &Profile) -> Time {
        let Some(backoff) = &self.own.backoff else { return Time::NEVER };
        if let Some(at) = backoff.committed {
            return at;
        }
        if self.own.state != State::Idle {
            return Time::NEVER;
        }
        R::backoff_ends(self, backoff, profile)
    }

    /// The idle medium becomes busy at `at`: count the slots that have passed.
    pub(super) fn pause_backoff<R: Rules>(&mut self, at: Time, ports: &Ports<R>) {
        let Some(backoff) = &self.own.backoff else {
            // What arrives from now on begins now or later, whatever `at` is.
            self.engaged = !self.is_free() || self.own.transmits_until > ports.now;
            return;
        };
        if backoff.committed.is_none() && self.own.state == State::Idle {
            R::pause_backoff(self, at, ports.profile);
        }
    }

    /// A frame begins to arrive at `at` that has begun later than one that is under way, but is nearer: it may be heard
    /// before the backoff runs out, which is then paused.
    #[cold]
    pub(super) fn pause_committed_backoff<R: Rules>(&mut self, at: Time, profile: &Profile) {
        let own = &mut *self.own;
        let Some(backoff) = &mut own.backoff else { return };
        let Some(ends) = backoff.committed.filter(|ends| at < *ends) else { return };
        backoff.committed = None;
        if backoff.drawn {
            let left = ends.since(at).nanos().div_ceil(profile.slot.nanos());
            backoff.slots = backoff.slots.min(left as u32);
        } else {
            let slots = own.draw::<R>();
            own.backoff = Some(Backoff { slots, started: at, drawn: true, committed: None });
        }
    }

    fn on_backoff_end<R: Rules>(&mut self, ports: &mut Ports<R>) {
        let may_send = self.is_idle(ports.now) || self.cannot_know();
        self.own.backoff = None;
        if may_send {
            self.send_current(ports);
        } else {
            R::find_busy(self, ports.profile);
            self.back_off::<R>(ports.now);
        }
    }
}
