//! When a station brings its meter up to date: before anything changes that it depends on, so before
//! a frame arrives, and before and after the consequences of one that has ended.

use multihop_core::{AirTime, Time};

use super::meter::{NEVER, View};
use super::ports::Ports;
use super::station::{State, Station};

impl Station {
    /// Count from now on, the start of the run.
    pub fn watch_air(&mut self) {
        self.meter = Some(Box::default());
    }

    /// What this radio has done with its time up to `now`; nothing if nobody asked for it.
    pub fn air(&self, now: Time) -> AirTime {
        let Some(mut meter) = self.meter.as_deref().cloned() else { return AirTime::default() };
        let mut view = self.view();
        if let Some(lock) = self.lock.as_ref().filter(|lock| lock.end <= now) {
            meter.count(lock.end, &view);
            view.receiving = NEVER;
            if self.transmitting.1 <= lock.end {
                view.reserved_until = view.reserved_until.max(lock.end + lock.reserved);
            }
        }
        meter.count(now, &view);
        meter.air
    }

    /// A frame is about to arrive at `start`, which the station learns `now`.
    pub fn meter_arrival(&mut self, now: Time, start: Time) {
        // What ended before it is about to be forgotten.
        let ended = self.lock.as_ref().map(|lock| lock.end).filter(|end| *end <= start);
        self.meter_until(ended.unwrap_or(now));
    }

    /// [`Station::catch_up`] of a station with a meter.
    #[inline(never)]
    pub(super) fn catch_up_metered(&mut self, ports: &mut Ports) {
        self.meter_arrival(ports.now, ports.now);
        if let Some(last) = self.settle(ports.now) {
            self.on_end(&last, ports);
        }
        self.meter_until(ports.now);
    }

    fn meter_until(&mut self, until: Time) {
        let view = self.view();
        if let Some(meter) = &mut self.meter {
            meter.count(until, &view);
        }
    }

    fn view(&self) -> View {
        let lock = self.lock.as_ref();
        View {
            transmitting: self.transmitting,
            receiving: lock.map_or(NEVER, |lock| (lock.busy_from, lock.end)),
            decodable: lock.is_some_and(|lock| lock.spoiled.is_none()),
            exchanging: self.state != State::Idle || self.exchange.respond_at != Time::NEVER,
            reserved_until: self.reserved_until,
        }
    }
}
