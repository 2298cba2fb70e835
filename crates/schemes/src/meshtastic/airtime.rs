//! How much the channel and the duty cycle are used: `airtime.cpp`.

use multihop_core::{AirTime, Duration, Time, TrafficClass};

use super::firmware::{
    DUTY_MINUTES, MAX_CHANNEL_UTILISATION, POLITE_CHANNEL_UTILISATION, POLITE_DUTY_CYCLE,
    UTILISATION_PERIOD, UTILISATION_PERIODS,
};
use super::parameters::Role;
use crate::parts::sliding::Sliding;

const MINUTE: Duration = Duration::from_millis(60_000);

/// What a node knows of the use of the channel.
#[derive(Debug)]
pub(super) struct Channel {
    booked: AirTime,
    used: Sliding<UTILISATION_PERIODS>,
    sent: Sliding<DUTY_MINUTES>,
    duty_cycle: f64,
}

impl Channel {
    /// Nothing is known; the node may send for a share `duty_cycle` of an hour.
    pub(super) fn new(duty_cycle: f64) -> Self {
        Channel {
            booked: AirTime::default(),
            used: Sliding::new(UTILISATION_PERIOD),
            sent: Sliding::new(MINUTE),
            duty_cycle,
        }
    }

    /// What the radio has done until now.
    pub(super) fn book(&mut self, now: Time, air: AirTime) {
        let new = air - self.booked;
        self.booked = air;
        self.used.add(now, new.sending + new.receiving + new.sensed);
        self.sent.add(now, new.sending);
    }

    /// The share of the last minute in which something was on the air here.
    pub(super) fn utilisation(&self) -> f64 {
        self.used.share()
    }

    /// The share of all time until now in which the node sent or received.
    pub(super) fn since_start(&self, now: Time) -> f64 {
        let passed = now.since(Time::ZERO).seconds();
        if passed > 0.0 { self.booked.deaf().seconds() / passed } else { 0.0 }
    }

    /// Whether the node may send at all (`Router.cpp`, `send`).
    pub(super) fn may_send(&self) -> bool {
        self.duty_cycle >= 1.0 || self.sent.share() < self.duty_cycle
    }

    /// Whether a node of this role may send a message of this class (`isTxAllowedChannelUtil`, `isTxAllowedAirUtil`).
    pub(super) fn allows(&self, class: TrafficClass, role: Role) -> bool {
        let most = match class {
            TrafficClass::Text => return true,
            TrafficClass::Report if !role.reports_positions() => POLITE_CHANNEL_UTILISATION,
            TrafficClass::Announcement | TrafficClass::Report => MAX_CHANNEL_UTILISATION,
        };
        let polite =
            self.duty_cycle >= 1.0 || self.sent.share() < self.duty_cycle * POLITE_DUTY_CYCLE;
        self.utilisation() < most && polite
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(s: u64) -> Time {
        Time::ZERO + Duration::from_millis(1_000 * s)
    }

    fn allows(channel: &Channel, class: TrafficClass) -> bool {
        channel.allows(class, Role::Client)
    }

    fn seconds(s: u64) -> Duration {
        Duration::from_millis(1_000 * s)
    }

    #[test]
    fn utilisation_is_that_of_six_periods_of_ten_seconds() {
        let mut channel = Channel::new(1.0);
        let mut air = AirTime { receiving: seconds(6), ..AirTime::default() };
        channel.book(at(9), air);
        assert!((channel.utilisation() - 0.1).abs() < 1e-9);
        air.sensed += seconds(9);
        channel.book(at(55), air);
        assert!((channel.utilisation() - 0.25).abs() < 1e-9);
        assert!(
            !allows(&channel, TrafficClass::Report) && allows(&channel, TrafficClass::Announcement)
        );
        assert!(channel.allows(TrafficClass::Report, Role::Tracker), "positions of a tracker");
        air.sending += seconds(10);
        channel.book(at(59), air);
        assert!(
            !allows(&channel, TrafficClass::Announcement) && allows(&channel, TrafficClass::Text)
        );
        channel.book(at(60), air);
        assert!((channel.utilisation() - 19.0 / 60.0).abs() < 1e-9, "the first six are gone");
        channel.book(at(3_000), air);
        assert!(channel.utilisation().abs() < 1e-9);
    }

    #[test]
    fn a_node_sends_no_more_than_its_duty_cycle_and_reports_up_to_half_of_it() {
        let mut channel = Channel::new(0.1);
        let mut air = AirTime::default();
        let mut book = |channel: &mut Channel, s, sent| {
            air.sending += seconds(sent);
            channel.book(at(s), air);
        };
        book(&mut channel, 100, 179);
        book(&mut channel, 1_000, 0);
        assert!(allows(&channel, TrafficClass::Report));
        book(&mut channel, 1_001, 1);
        book(&mut channel, 1_100, 0);
        assert!(!allows(&channel, TrafficClass::Report) && channel.may_send());
        book(&mut channel, 1_200, 180);
        assert!(!channel.may_send());
        book(&mut channel, 100 + 3_600, 0);
        assert!(channel.may_send(), "the first minutes are an hour ago");
    }
}
