//! When a station listens, and when it brings its meter up to date: before anything changes that it
//! depends on, so before a reception is forgotten or spoiled, and before the consequences of one that has
//! ended, and what else happens then.

use multihop_core::{AirTime, Time};

use super::meter::{Meter, NEVER, View};
use super::ports::Ports;
use super::receiver::{FrameSlot, Prospect};
use super::station::{Attention, Rules, State, Station};

impl Station {
    /// Count from now on, the start of the run.
    pub fn watch_air(&mut self) {
        self.own.meter = Some(Meter::default());
        self.attend(self.is_listening());
    }

    /// Whether it counts now.
    #[inline]
    pub const fn counts_air(&self) -> bool {
        matches!(self.attention, Attention::Counts)
    }

    /// Whether what it overhears, and what the radio does with its time, matters now.
    pub const fn is_listening(&self) -> bool {
        !matches!(self.attention, Attention::Rests)
    }

    /// Whether it hands packets for others to its node now.
    pub(super) fn overhears(&self) -> bool {
        self.promiscuous && self.is_listening()
    }

    /// Packets for others that end after `now`, and what the radio does with its time from then on,
    /// matter or do not. Its deadline may move.
    pub fn set_listening(&mut self, on: bool, now: Time) {
        let (air, counts) = (self.air(now), self.counts_air());
        if let Some(meter) = self.own.meter.as_mut().filter(|_| on != counts) {
            *meter = Meter { air, until: now };
        }
        self.attend(on);
        if on && self.lock.end <= now {
            // That it has ended is not known yet, and nobody listened.
            let is_mine = |place: FrameSlot| self.own.awaited[place as usize].is_for(self.own.me);
            if !self.prospect.place().is_some_and(is_mine) {
                self.prospect.forget();
            }
        }
    }

    /// Listen or not, and count meanwhile if somebody asks.
    fn attend(&mut self, listens: bool) {
        self.attention = match &self.own.meter {
            _ if !listens => Attention::Rests,
            Some(_) => Attention::Counts,
            None => Attention::Listens,
        };
    }

    /// What this radio has done with its time up to `now`, as long as it listened; nothing if nobody
    /// asked for it.
    pub fn air(&mut self, now: Time) -> AirTime {
        if !self.lock.is_held() || self.lock.end > now {
            self.meter_until(now);
        } else if let Some(air) = self.air_after_lock(now) {
            return air;
        }
        self.own.meter.as_ref().map_or_else(AirTime::default, |meter| meter.air)
    }

    /// The same, where the reception has ended and its consequences are still to be drawn.
    fn air_after_lock(&self, now: Time) -> Option<AirTime> {
        let meter = self.own.meter.as_ref().filter(|_| self.counts_air());
        let (mut meter, mut view) = (meter?.clone(), self.view());
        let lock = &self.lock;
        meter.count(lock.end, &view);
        view.receiving = NEVER;
        if self.own.transmits_until <= lock.end {
            view.idle_from = view.idle_from.max(lock.end + lock.reserved);
        }
        meter.count(now, &view);
        Some(meter.air)
    }

    /// [`Station::catch_up`] of a station with a meter.
    #[inline(never)]
    pub(super) fn catch_up_metered<R: Rules>(&mut self, ports: &mut Ports<R>) {
        if self.lock.is_held() && self.lock.end <= ports.now {
            self.meter_lock();
            if let Some(last) = self.settle(ports.now) {
                self.on_end(&last, ports);
            }
        }
        self.meter_until(ports.now);
    }

    /// Count up to the end of the reception.
    #[inline]
    pub(super) fn meter_lock(&mut self) {
        let silent_from = self.own.transmits_until;
        let nothing_own = self.has_nothing_own();
        let reserved_until = self.reserved_until();
        let (Some(meter), lock) = (&mut self.own.meter, &self.lock) else { return };
        if nothing_own && silent_from <= meter.until {
            let (receiving, decodable) =
                ((lock.busy_from, lock.end), self.prospect != Prospect::Lost);
            meter.count_reception(receiving, decodable, reserved_until);
        } else {
            let end = lock.end;
            self.meter_until(end);
        }
    }

    /// Count up to `until`, before anything changes.
    pub(super) fn meter_until(&mut self, until: Time) {
        if self.counts_air() && self.own.meter.as_ref().is_some_and(|meter| meter.until < until) {
            let view = self.view();
            if let Some(meter) = &mut self.own.meter {
                meter.count(until, &view);
            }
        }
    }

    /// Until when the medium is reserved or, with a frame that the radio ignores, busy, as far as is known.
    fn reserved_until(&self) -> Time {
        self.idle_from.max(self.own.ignored_until)
    }

    /// Whether no exchange of its own is under way.
    fn has_nothing_own(&self) -> bool {
        self.own.state == State::Idle && self.own.exchange.respond_at == Time::NEVER
    }

    #[inline]
    fn view(&self) -> View {
        let lock = &self.lock;
        View {
            transmitting: (self.own.transmits_from, self.own.transmits_until),
            receiving: (lock.busy_from, lock.end),
            decodable: self.prospect != Prospect::Lost,
            exchanging: !self.has_nothing_own(),
            idle_from: self.reserved_until(),
        }
    }
}
