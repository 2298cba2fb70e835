//! How a station tells its tracer of the frames that reach it.

use super::ports::{Deadline, Ports};
use super::receiver::Arrival;
use super::station::Station;
use super::tracer::Known;

impl Station {
    /// Tell of every frame that is decoded or lost.
    pub fn set_tracing(&mut self, on: bool) {
        self.tracer = on.then(Box::default);
    }

    /// [`Station::on_arrival`] of frame `number` at a station that somebody watches: its time, or what
    /// becomes of frames.
    pub fn on_watched_arrival(
        &mut self,
        number: u32,
        arrival: &Arrival,
        ports: &mut Ports,
    ) -> Deadline {
        let (start, end) = (arrival.start, arrival.start + arrival.frame.air_time);
        if self.counts_air() {
            self.meter_arrival(ports.now, arrival);
        }
        let newcomer = Known { number, from: arrival.frame.from, end };
        if let Some(tracer) = &mut self.tracer {
            tracer.newcomer = newcomer;
        }
        let deadline = self.on_arrival(arrival, ports);
        let is_newcomer =
            self.lock.as_ref().is_some_and(|lock| (lock.start, lock.end) == (start, end));
        if let Some(tracer) = self.tracer.as_mut().filter(|_| is_newcomer) {
            tracer.locked = newcomer;
        }
        deadline
    }
}
