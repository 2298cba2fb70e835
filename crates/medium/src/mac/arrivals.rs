//! How frames reach a station: most of all that a simulation does, nearly always at stations that have
//! nothing to do with them. Those are dealt with first, and touch nothing of the station's
//! [`Own`](super::station::Own) (ADR 0066).

use multihop_core::{Duration, LossCause, Time};

use super::fates::{Entry, Newcomer};
use super::frame::Frame;
use super::ports::{Deadline, Ports};
use super::receiver::{Arrival, Effect, Lock, Place};
use super::station::Station;

impl Station {
    /// A frame begins to arrive, now or within one propagation delay.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub fn on_arrival(&mut self, arrival: &Arrival, ports: &mut Ports) -> Deadline {
        self.arrive::<false, false>(arrival, ports)
    }

    /// [`Station::on_arrival`] where somebody wants to know what the radio does with its time and, with `CARE`,
    /// what becomes of the frame.
    #[expect(clippy::inline_always, reason = "one loop over many stations")]
    #[inline(always)]
    pub fn on_watched_arrival<const CARE: bool>(
        &mut self,
        arrival: &Arrival,
        ports: &mut Ports,
    ) -> Deadline {
        self.arrive::<true, CARE>(arrival, ports)
    }

    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    fn arrive<const COUNTED: bool, const CARE: bool>(
        &mut self,
        arrival: &Arrival,
        ports: &mut Ports,
    ) -> Deadline {
        if self.lock.end > arrival.start {
            // Each by itself, not as an `Arrival`, which would be written to memory for every frame.
            let Arrival { frame, power, start, spoiled } = *arrival;
            return match spoiled {
                Some(cause) if self.lock.spoiled && self.lock.start <= start => {
                    self.on_noise::<CARE>(frame, (start, power), cause, ports)
                }
                _ => self.on_overlap::<COUNTED, CARE>(frame, (start, power), spoiled, ports),
            };
        }
        if COUNTED && self.counts && self.lock.is_held() {
            // What ended before it is about to be forgotten.
            self.meter_lock();
        }
        if arrival.spoiled.is_some() && !self.contends && self.lock.awaited.is_none() {
            // A bystander beyond the range of reception: four of five stations within ns-2's 550 m.
            self.settle_lock();
            self.lock = self.perceive::<CARE>(arrival, ports);
            return Deadline::Stands;
        }
        let mut deadline = Deadline::Stands;
        if self.lock.awaited.is_some() {
            deadline = self.on_unnoticed_end(arrival.start, ports);
        } else if self.contends {
            self.settle_contended_lock();
        } else {
            self.settle_lock();
        }
        if self.contends {
            self.pause_backoff(arrival.start, ports.profile);
            deadline = deadline.or(self.medium_matters());
        }
        self.lock = self.perceive::<CARE>(arrival, ports);
        if !self.lock.spoiled && self.wants(arrival.frame) {
            self.lock.awaited = Some(self.keep(arrival.frame, None));
            if self.heeds(arrival.frame) {
                deadline = Deadline::Moves;
            }
        }
        deadline
    }

    /// The medium becomes busy at `at`, and a frame that somebody awaited has ended before.
    #[inline(never)]
    fn on_unnoticed_end(&mut self, at: Time, ports: &mut Ports) -> Deadline {
        let Some(last) = self.settle(at) else { return Deadline::Stands };
        self.on_end(&last, ports);
        Deadline::Moves
    }

    /// [`Station::on_overlap`] of two frames that cannot be decoded, anyway: the most frequent case by far
    /// where many stations sense each other. A meter counts on: when they began does not change.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    fn on_noise<const CARE: bool>(
        &mut self,
        frame: &Frame,
        (start, power): (Time, f64),
        cause: LossCause,
        ports: &mut Ports,
    ) -> Deadline {
        let end = start + frame.air_time;
        if frame.is_for(self.me) {
            self.own.losses.count_one(cause);
        }
        let entry = self.enter::<CARE>(frame, end, Some(cause), ports);
        match self.lock.drown((start, end), (power, entry), ports.profile) {
            Effect::Captured { until } => self.ignore(until, ports),
            Effect::Collided => {}
        }
        self.medium_matters()
    }

    /// The radio ignores a frame that ends at `until`.
    fn ignore(&mut self, until: Time, ports: &mut Ports) {
        if self.counts_air() {
            self.meter_until(ports.now);
        }
        // ns-2: the frame that is ignored reserves the medium up to its end, and EIFS.
        self.occupy(until + ports.profile.eifs);
    }

    /// A frame begins to arrive while the radio is locked on to another.
    #[inline(never)]
    fn on_overlap<const COUNTED: bool, const CARE: bool>(
        &mut self,
        frame: &Frame,
        (start, power): (Time, f64),
        spoiled: Option<LossCause>,
        ports: &mut Ports,
    ) -> Deadline {
        if COUNTED && self.counts {
            self.meter_until(ports.now);
        }
        let mut late = self.perceive::<CARE>(&Arrival { frame, power, start, spoiled }, ports);
        if !late.spoiled && self.wants(frame) {
            late.awaited = Some(self.keep(frame, self.lock.awaited));
        }
        let lock = &mut self.lock;
        let awaited = lock.awaited.is_some() || late.awaited.is_some();
        let (now, before, newcomer) = (ports.now, lock.entry.frame, late.entry.frame);
        let frames = &self.own.awaited;
        let effect = lock.interfere(late, ports.profile, |lost, cause| {
            if lost.awaited.is_some_and(|place| frames[place as usize].is_for(self.me)) {
                self.own.losses.count_one(cause);
            }
            if CARE && let Some(fates) = &mut ports.fates {
                let by = if lost.entry.frame == newcomer { before } else { newcomer };
                fates.lose(now, lost.entry, cause, Some(by));
            }
        });
        if let Effect::Captured { until } = effect {
            self.ignore(until, ports);
        }
        if awaited { Deadline::Moves } else { self.medium_matters() }
    }

    /// Keep a frame that somebody awaits until its end, beside the one that is there.
    fn keep(&mut self, frame: &Frame, taken: Option<Place>) -> Place {
        let place = Place::beside(taken);
        self.own.awaited[place as usize] = *frame;
        place
    }

    /// A station that has nothing to send does not care how long the medium is busy.
    fn medium_matters(&self) -> Deadline {
        if self.contends && !self.is_free() { Deadline::Moves } else { Deadline::Stands }
    }

    /// What a frame that arrives is to this radio, as if nobody awaited it. One that it cannot
    /// decode is lost at once.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    fn perceive<const CARE: bool>(&mut self, arrival: &Arrival, ports: &mut Ports) -> Lock {
        let Arrival { frame, power, start, .. } = *arrival;
        let (end, busy_from) = (start + frame.air_time, start);
        let spoiled = arrival.spoiled.is_some() || self.transmits_until > start;
        let reserved = if spoiled {
            if frame.is_for(self.me) {
                self.own.losses.count_one(arrival.spoiled.unwrap_or(LossCause::Transmitting));
            }
            ports.profile.eifs
        } else if frame.to == self.me {
            Duration::ZERO
        } else {
            frame.reserved
        };
        let cause = spoiled.then(|| arrival.spoiled.unwrap_or(LossCause::Transmitting));
        let entry = self.enter::<CARE>(frame, end, cause, ports);
        Lock { start, end, busy_from, reserved, power, spoiled, awaited: None, entry }
    }

    /// Note that a frame arrives which ends at `end`, and why it cannot be decoded, for those who watch.
    #[expect(clippy::inline_always, reason = "nothing, where nobody watches")]
    #[inline(always)]
    fn enter<const CARE: bool>(
        &self,
        frame: &Frame,
        end: Time,
        spoiled: Option<LossCause>,
        ports: &mut Ports,
    ) -> Entry {
        match &mut ports.fates {
            Some(fates) if CARE => {
                fates.enter(ports.now, &Newcomer { frame, node: self.me, end, spoiled })
            }
            _ => self.lock.entry,
        }
    }
}
