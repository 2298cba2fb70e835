//! RFC 5681, 4.2; LECN 2: the receiver's half that acknowledges by a [`Policy`].

use multihop_core::Time;

use super::control::{Answer, Arrival, ReceiverControl};
use super::policy::{DELAY, Policy, SenderWindow};

impl ReceiverControl for Policy {
    fn on_segment(&mut self, _now: Time, arrival: &Arrival) -> Answer {
        let quota = match self {
            Policy::Every => 1,
            Policy::Delayed => 2,
            Policy::Thinned => {
                let told = arrival.header.options.get();
                let SenderWindow(window) = told.unwrap_or_default();
                u32::from(window).div_ceil(2)
            }
        };
        if arrival.unacknowledged >= quota { Answer::Now } else { Answer::Within(DELAY) }
    }
}
