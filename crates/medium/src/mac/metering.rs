//! When a station listens, and when it brings its meter up to date: before anything changes that it
//! depends on, so before a reception is forgotten or spoiled, and before the consequences of one that has
//! ended, and what else happens then.

use multihop_core::{AirTime, Time};

use super::meter::{NEVER, View};
use super::ports::Ports;
use super::receiver::{Arrival, Place};
use super::station::{State, Station};

impl Station {
    /// Count from now on, the start of the run.
    pub fn watch_air(&mut self) {
        self.meter = self.listening.then(Box::default);
        self.resting = (!self.listening).then(Box::default);
    }

    /// Whether it counts now.
    #[inline]
    pub fn counts_air(&self) -> bool {
        self.meter.is_some()
    }

    /// Whether what it overhears, and what the radio does with its time, matters now.
    pub const fn is_listening(&self) -> bool {
        self.listening
    }

    /// Whether it hands packets for others to its node now.
    pub(super) fn overhears(&self) -> bool {
        self.promiscuous && self.listening
    }

    /// Packets for others that end after `now`, and what the radio does with its time from then on,
    /// matter or do not. Its deadline may move.
    pub fn set_listening(&mut self, on: bool, now: Time) {
        if on {
            if let Some(mut meter) = self.resting.take() {
                meter.until = now;
                self.meter = Some(meter);
            }
        } else {
            let air = self.air(now);
            if let Some(mut meter) = self.meter.take() {
                meter.air = air;
                self.resting = Some(meter);
            }
        }
        self.listening = on;
        if let Some(lock) = self.lock.as_mut().filter(|lock| lock.end <= now) {
            // That it has ended is not known yet, and nobody listened.
            let for_me = |place: &Place| self.awaited[*place as usize].is_for(self.me);
            lock.awaited.take_if(|place| on && !for_me(place));
        }
    }

    /// What this radio has done with its time up to `now`, as long as it listened; nothing if nobody
    /// asked for it.
    pub fn air(&mut self, now: Time) -> AirTime {
        if self.lock.as_ref().is_none_or(|lock| lock.end > now) {
            self.meter_until(now);
        } else if let Some(air) = self.air_after_lock(now) {
            return air;
        }
        self.meter
            .as_ref()
            .or(self.resting.as_ref())
            .map_or_else(AirTime::default, |meter| meter.air)
    }

    /// The same, where the reception has ended and its consequences are still to be drawn.
    fn air_after_lock(&self, now: Time) -> Option<AirTime> {
        let (meter, lock) = (self.meter.as_deref()?, self.lock.as_ref()?);
        let (mut meter, mut view) = (meter.clone(), self.view());
        meter.count(lock.end, &view);
        view.receiving = NEVER;
        if self.transmitting.1 <= lock.end {
            view.reserved_until = view.reserved_until.max(lock.end + lock.reserved);
        }
        meter.count(now, &view);
        Some(meter.air)
    }

    /// `arrival` is about to arrive, which the station learns `now`.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
    #[inline(always)]
    pub fn meter_arrival(&mut self, now: Time, arrival: &Arrival) {
        match &self.lock {
            // What ended before it is about to be forgotten.
            Some(lock) if lock.end <= arrival.start => self.meter_lock(),
            // Neither can be decoded, and what comes later does not change when it began.
            Some(lock)
                if lock.spoiled.is_some()
                    && arrival.spoiled.is_some()
                    && lock.start <= arrival.start => {}
            Some(_) => self.meter_until(now),
            None => {}
        }
    }

    /// [`Station::catch_up`] of a station with a meter.
    #[inline(never)]
    pub(super) fn catch_up_metered(&mut self, ports: &mut Ports) {
        if self.lock.as_ref().is_some_and(|lock| lock.end <= ports.now) {
            self.meter_lock();
            if let Some(last) = self.settle(ports.now) {
                self.on_end(&last, ports);
            }
        }
        self.meter_until(ports.now);
    }

    /// Count up to the end of the reception.
    #[inline]
    fn meter_lock(&mut self) {
        let nothing_own = self.has_nothing_own();
        let (Some(meter), Some(lock)) = (&mut self.meter, &self.lock) else { return };
        if nothing_own && self.transmitting.1 <= meter.until {
            let (receiving, decodable) = ((lock.busy_from, lock.end), lock.spoiled.is_none());
            meter.count_reception(receiving, decodable, self.reserved_until);
        } else {
            let end = lock.end;
            self.meter_until(end);
        }
    }

    /// Count up to `until`, before anything changes.
    pub(super) fn meter_until(&mut self, until: Time) {
        if self.meter.as_ref().is_some_and(|meter| meter.until < until) {
            let view = self.view();
            if let Some(meter) = &mut self.meter {
                meter.count(until, &view);
            }
        }
    }

    /// Whether no exchange of its own is under way.
    fn has_nothing_own(&self) -> bool {
        self.state == State::Idle && self.exchange.respond_at == Time::NEVER
    }

    #[inline]
    fn view(&self) -> View {
        let lock = self.lock.as_ref();
        View {
            transmitting: self.transmitting,
            receiving: lock.map_or(NEVER, |lock| (lock.busy_from, lock.end)),
            decodable: lock.is_some_and(|lock| lock.spoiled.is_none()),
            exchanging: !self.has_nothing_own(),
            reserved_until: self.reserved_until,
        }
    }
}
