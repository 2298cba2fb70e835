//! How frames reach a station: most of all that a simulation does, nearly always at stations that have
//! nothing to do with them. Those are dealt with first, and touch nothing of the station's
//! [`Own`](super::station::Own) (ADR 0066 and 0072).

use multihop_core::{Duration, LossCause, NodeId, Time};

use super::fates::{Entry, Newcomer};
use super::frame::Frame;
use super::ofdm::Judge;
use super::ports::{Deadline, Ports};
use super::receiver::{Arrival, Claim, Effect, FrameSlot, Lock, Prospect};
use super::station::{Own, Rules, Station};

impl Station {
    /// A frame begins to arrive, now or within one propagation delay.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub fn on_arrival<R: Rules>(&mut self, arrival: &Arrival, ports: &mut Ports<R>) -> Deadline {
        self.arrive::<R, false, false, false>(arrival, ports)
    }

    /// [`Station::on_arrival`] where somebody wants to know what the radio does with its time and, with `CARE`,
    /// what becomes of the frame. `DEPARTS`, with `CARE` only: MAC or receiver keep other rules than ns-2's.
    #[expect(clippy::inline_always, reason = "one loop over many stations")]
    #[inline(always)]
    pub fn on_watched_arrival<R: Rules, const CARE: bool, const DEPARTS: bool>(
        &mut self,
        arrival: &Arrival,
        ports: &mut Ports<R>,
    ) -> Deadline {
        self.arrive::<R, true, CARE, DEPARTS>(arrival, ports)
    }

    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    fn arrive<R: Rules, const COUNTED: bool, const CARE: bool, const DEPARTS: bool>(
        &mut self,
        arrival: &Arrival,
        ports: &mut Ports<R>,
    ) -> Deadline {
        if DEPARTS && ports.profile.is_ofdm() && self.lock.end <= arrival.start {
            return self.on_ofdm_arrival(arrival, ports);
        }
        if self.lock.end > arrival.start {
            // Each by itself, not as an `Arrival`, which would be written to memory for every frame.
            let Arrival { to, frame, power, start, spoiled, closing } = *arrival;
            let is_lost = self.prospect == Prospect::Lost && !DEPARTS;
            return match spoiled {
                Some(cause) if is_lost && self.lock.start <= start => {
                    self.on_noise::<R, CARE>(frame, (to, start, power), cause, ports)
                }
                _ => self.on_overlap::<R, COUNTED, CARE, DEPARTS>(
                    frame,
                    (to, start, power),
                    (spoiled, closing),
                    ports,
                ),
            };
        }
        if COUNTED && self.counts_air() && self.lock.is_held() {
            // What ended before it is about to be forgotten.
            self.meter_lock();
        }
        if arrival.spoiled.is_some() && !self.engaged && !self.prospect.is_awaited() {
            // A bystander beyond the range of reception: four of five stations within ns-2's 550 m.
            self.settle_lock();
            let claim = self.perceive::<R, CARE>(arrival, ports);
            if DEPARTS {
                let _ = self.lock_on(claim, arrival.frame, ports);
            } else {
                self.hold::<CARE>(claim);
            }
            return Deadline::Stands;
        }
        let mut deadline = Deadline::Stands;
        if self.prospect.is_awaited() {
            deadline = self.on_unnoticed_end(arrival.start, ports);
        } else if self.engaged {
            self.settle_engaged_lock();
        } else {
            self.settle_lock();
        }
        if self.engaged {
            self.pause_backoff(noticed::<R>(arrival), ports);
            deadline = deadline.or(self.medium_matters());
        }
        let claim = self.perceive::<R, CARE>(arrival, ports);
        let prospect = if DEPARTS {
            self.lock_on(claim, arrival.frame, ports)
        } else {
            self.hold::<CARE>(claim);
            claim.prospect
        };
        if prospect != Prospect::Lost && self.wants(arrival.to.0, arrival.frame) {
            self.prospect = self.keep(arrival.frame, None);
            if self.heeds(arrival.frame) {
                deadline = Deadline::Moves;
            }
        }
        deadline
    }

    /// The medium becomes busy at `at`, and a frame that somebody awaited has ended before.
    #[inline(never)]
    pub(super) fn on_unnoticed_end<R: Rules>(
        &mut self,
        at: Time,
        ports: &mut Ports<R>,
    ) -> Deadline {
        let Some(last) = self.settle(at) else { return Deadline::Stands };
        self.on_end(&last, ports);
        Deadline::Moves
    }

    /// [`Station::on_overlap`] of two frames that cannot be decoded, anyway: the most frequent case by far
    /// where many stations sense each other. A meter counts on: when they began does not change.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    fn on_noise<R: Rules, const CARE: bool>(
        &mut self,
        frame: &Frame,
        (to, start, power): (NodeId, Time, f64),
        cause: LossCause,
        ports: &mut Ports<R>,
    ) -> Deadline {
        let end = start + frame.air_time;
        if frame.is_for(to.0) {
            self.own.losses.count_one(cause);
        }
        let newcomer = Newcomer { frame, node: to.0, end, spoiled: Some(cause) };
        let entry = enter::<R, CARE>(&newcomer, ports);
        let replaced = || {
            if CARE {
                self.own.entry = entry;
            }
        };
        match self.lock.drown((start, end), power, ports.profile, replaced) {
            Effect::Captured { until } => self.ignore(until, ports),
            Effect::Collided => {}
        }
        self.medium_matters()
    }

    /// The radio ignores a frame that ends at `until`.
    pub(super) fn ignore<R: Rules>(&mut self, until: Time, ports: &mut Ports<R>) {
        if self.counts_air() {
            self.meter_until(ports.now);
        }
        R::ignore(self, until, ports.profile);
    }

    /// A frame begins to arrive while the radio is locked on to another.
    #[inline(never)]
    fn on_overlap<R: Rules, const COUNTED: bool, const CARE: bool, const DEPARTS: bool>(
        &mut self,
        frame: &Frame,
        (to, start, power): (NodeId, Time, f64),
        (spoiled, closing): (Option<LossCause>, bool),
        ports: &mut Ports<R>,
    ) -> Deadline {
        if COUNTED && self.counts_air() {
            self.meter_until(ports.now);
        }
        let arrival = Arrival { to, frame, power, start, spoiled, closing };
        if start < self.lock.start {
            self.pause_committed_backoff::<R>(noticed::<R>(&arrival), ports.profile);
        }
        let mut late = self.perceive::<R, CARE>(&arrival, ports);
        let adds_up = DEPARTS && ports.profile.adds_up();
        if adds_up {
            late = self.add_signal(late, frame, ports);
        }
        let mut held = self.claim::<CARE>();
        if late.prospect != Prospect::Lost && self.wants(to.0, frame) {
            late.prospect = self.keep(frame, held.prospect.place());
        }
        let locked = held.lock.start;
        let awaited = held.prospect.is_awaited() || late.prospect.is_awaited();
        let (now, before, newcomer) = (ports.now, held.entry.frame, late.entry.frame);
        let Own { awaited: frames, rng, signals, losses, survivors, .. } = &mut *self.own;
        let lose = |lost: &Claim, cause| {
            if lost.prospect.place().is_some_and(|place| frames[place as usize].is_for(to.0)) {
                losses.count_one(cause);
            }
            if CARE && let Some(fates) = &mut ports.fates {
                let by = if lost.entry.frame == newcomer { before } else { newcomer };
                fates.lose(now, lost.entry, cause, Some(by));
            }
        };
        let effect = if adds_up && ports.profile.is_ofdm() {
            let aggregates = ports.aggregates.as_deref();
            let judge = &mut Judge { profile: ports.profile, aggregates, rng, survivors };
            signals.interfere_ofdm(&mut held, late, judge, lose)
        } else if adds_up {
            signals.interfere(&mut held, late, (ports.profile, rng), lose)
        } else {
            held.interfere(late, ports.profile, lose)
        };
        self.hold::<CARE>(held);
        if R::HEEDS_ANNOUNCEMENTS {
            if self.lock.start != locked || self.prospect == Prospect::Lost {
                R::forget_announced(self, locked);
            }
            if (self.lock.start, self.lock.power) == (start, power) {
                R::hear_announced(self, frame, ports.profile);
            }
        }
        if let Effect::Captured { until } = effect {
            self.ignore(until, ports);
        }
        if awaited { Deadline::Moves } else { self.medium_matters() }
    }

    /// The radio, which is free, locks on to `frame` by other rules than ns-2's. Returns what is to become of it.
    #[cold]
    fn lock_on<R: Rules>(
        &mut self,
        mut claim: Claim,
        frame: &Frame,
        ports: &mut Ports<R>,
    ) -> Prospect {
        if ports.profile.adds_up() {
            claim = self.add_signal(claim, frame, ports);
            self.meet_ignored(&mut claim, frame, ports);
        }
        self.hold::<true>(claim);
        R::hear_announced(self, frame, ports.profile);
        claim.prospect
    }

    /// What the radio has ignored may still be on the air with `frame`.
    fn meet_ignored<R: Rules>(&mut self, claim: &mut Claim, frame: &Frame, ports: &mut Ports<R>) {
        if claim.prospect == Prospect::Lost {
            return;
        }
        let Own { signals, rng, losses, me, .. } = &mut *self.own;
        signals.meet(claim, ports.profile, rng, |lost, cause| {
            if frame.is_for(*me) {
                losses.count_one(cause);
            }
            if let Some(fates) = &mut ports.fates {
                fates.lose(ports.now, lost.entry, cause, None);
            }
        });
    }

    /// Keep a frame that somebody awaits until its end, beside the one that is there.
    pub(super) fn keep(&mut self, frame: &Frame, taken: Option<FrameSlot>) -> Prospect {
        let place = FrameSlot::beside(taken);
        self.own.awaited[place as usize] = *frame;
        Prospect::Awaited(place)
    }

    /// A station that has nothing to send does not care how long the medium is busy.
    pub(super) fn medium_matters(&self) -> Deadline {
        if self.engaged && !self.is_free() { Deadline::Moves } else { Deadline::Stands }
    }

    /// What a frame that arrives is to this radio, as if nobody awaited it. One that it cannot
    /// decode is lost at once.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub(super) fn perceive<R: Rules, const CARE: bool>(
        &mut self,
        arrival: &Arrival,
        ports: &mut Ports<R>,
    ) -> Claim {
        let Arrival { to, frame, power, start, spoiled, .. } = *arrival;
        let (end, busy_from) = (start + frame.air_time, start);
        let transmits = self.engaged && self.own.transmits_until > start;
        let spoiled = spoiled.or(transmits.then_some(LossCause::Transmitting));
        let (prospect, reserved) = if let Some(cause) = spoiled {
            if frame.is_for(to.0) {
                self.own.losses.count_one(cause);
            }
            let is_noise = CARE && power < ports.profile.eifs_threshold;
            (Prospect::Lost, if is_noise { Duration::ZERO } else { ports.profile.eifs })
        } else if frame.to == to.0 {
            (Prospect::Unwanted, Duration::ZERO)
        } else {
            (Prospect::Unwanted, frame.reserved)
        };
        let entry = enter::<R, CARE>(&Newcomer { frame, node: to.0, end, spoiled }, ports);
        Claim { lock: Lock { start, end, busy_from, reserved, power }, prospect, entry }
    }

    /// `claim` is on `frame`, and all that is on the air counts.
    #[cold]
    pub(super) fn add_signal<R: Rules>(
        &mut self,
        mut claim: Claim,
        frame: &Frame,
        ports: &Ports<R>,
    ) -> Claim {
        let arrives = (claim.lock.start, claim.lock.power);
        self.own.signals.add(frame, arrives, ports.now, ports.profile);
        if self.own.transmits_until > claim.lock.start {
            claim.lock.become_noise(ports.profile);
        }
        claim
    }
}

/// Note that a frame arrives, for those who watch.
#[expect(clippy::inline_always, reason = "nothing, where nobody watches")]
#[inline(always)]
fn enter<R: Rules, const CARE: bool>(newcomer: &Newcomer, ports: &mut Ports<R>) -> Entry {
    match &mut ports.fates {
        Some(fates) if CARE => fates.enter(ports.now, newcomer),
        _ => Entry::NONE,
    }
}

/// When a backoff notices a frame. A backoff that runs since an earlier frame of the same transmitter has whole slots behind
/// it when the next one comes, if they keep their distance; if they come closer, one of them is not quite over, by less than
/// the nanosecond in which times are counted. By some rules nobody notices a frame so soon (ADR 0084).
#[inline]
fn noticed<R: Rules>(arrival: &Arrival) -> Time {
    let before = arrival.closing && R::NOTICES_APPROACH;
    arrival.start - Duration::from_nanos(u64::from(before))
}
