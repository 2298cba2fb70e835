//! What TCP-AP's receiver echoes: its half of the congestion control.

use multihop_core::Time;

use crate::parts::tcp::control::{Answer, Arrival, ReceiverControl};
use crate::parts::tcp::options::{HeaderOption, LONGEST, Options};
use crate::parts::tcp::policy::Policy;
use crate::parts::tcp::received::Received;
use crate::parts::tcp::timestamp::SentAt;

/// Of the last segment that has arrived: when it was sent, and how many hops it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Echo {
    /// When it was sent.
    pub sent: SentAt,
    /// Links from the source to the destination, at least one.
    pub hops: u8,
}

impl HeaderOption for Echo {
    const KIND: u8 = 4;

    fn emit(&self, body: &mut [u8; LONGEST]) -> usize {
        let len = self.sent.emit(body);
        body[len] = self.hops;
        len + 1
    }

    fn parse(body: &[u8]) -> Option<Self> {
        let (hops, sent) = body.split_last()?;
        let sent = SentAt::parse(sent)?;
        (*hops > 0).then_some(Echo { sent, hops: *hops })
    }
}

/// A receiver that echoes, as often as its policy acknowledges.
#[derive(Clone)]
pub struct Echoing {
    policy: Policy,
    last: Option<Echo>,
}

impl Echoing {
    /// With this policy.
    pub const fn new(policy: Policy) -> Self {
        Echoing { policy, last: None }
    }
}

impl ReceiverControl for Echoing {
    fn on_segment(&mut self, now: Time, arrival: &Arrival) -> Answer {
        let sent = arrival.header.options.get();
        self.last = sent.map(|sent| Echo { sent, hops: arrival.hops.saturating_add(1) });
        self.policy.on_segment(now, arrival)
    }

    fn on_acknowledge(&mut self, _now: Time, _received: &Received, options: &mut Options) {
        if let Some(echo) = &self.last {
            options.put(echo);
        }
    }
}
