//! From orders to legs, with the meaning of ns-2's `setdest`.

use multihop_core::{Duration, Time};

use multihop_setup::{Leg, Track};

/// In s. A leg is no longer: who goes very slowly gets as far as it does in this time.
const LONGEST_LEG: f64 = 1e9;

/// Where a node is to go, from when on, and how fast.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waypoint {
    pub(crate) at: Time,
    /// In m.
    pub(crate) to: (f64, f64),
    /// In m/s; at zero it stops where it is.
    pub(crate) speed: f64,
}

/// A node on its way.
pub(crate) struct Walk {
    /// Where the last leg ends, or the node begins.
    place: (f64, f64),
    legs: Vec<Leg>,
}

impl Walk {
    pub(crate) fn from(place: (f64, f64)) -> Self {
        Walk { place, legs: Vec::new() }
    }

    /// Obeys an order, which is not earlier than the one before. Returns when the node arrives.
    pub(crate) fn go(&mut self, order: Waypoint) -> Time {
        self.stop(order.at);
        let (from, to) = (self.place, order.to);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let distance = libm::sqrt(dx * dx + dy * dy);
        if distance <= 0.0 || order.speed <= 0.0 {
            return order.at;
        }
        let seconds = distance / order.speed;
        let share = (LONGEST_LEG / seconds).min(1.0);
        self.place = if share < 1.0 { (from.0 + dx * share, from.1 + dy * share) } else { to };
        // a leg ends later than it starts
        let taken = Duration::from_seconds(seconds * share).max(Duration::from_nanos(1));
        let end = order.at + taken;
        self.legs.push(Leg { start: order.at, end, from, to: self.place });
        end
    }

    /// Ends the leg that is under way at `time`.
    fn stop(&mut self, time: Time) {
        let Some(leg) = self.legs.last_mut().filter(|leg| time < leg.end) else { return };
        self.place = leg.position(time);
        if time > leg.start {
            leg.end = time;
            leg.to = self.place;
        } else {
            self.legs.pop();
        }
    }

    pub(crate) fn track(self) -> Track {
        Track { legs: self.legs, present: Vec::new() }
    }
}

/// The track of a node that begins at `place` and obeys `orders`, given in any order; of two at
/// the same time the later in the list counts.
pub(crate) fn obeying(place: (f64, f64), mut orders: Vec<Waypoint>) -> Track {
    orders.sort_by_key(|order| order.at);
    let mut walk = Walk::from(place);
    for order in orders {
        walk.go(order);
    }
    walk.track()
}
