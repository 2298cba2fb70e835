//! What a node does not say: more than the rate limits allow (RFC 3561, 6.3 and 6.11), and anything
//! but errors after a reboot (6.13).

use std::collections::VecDeque;

use multihop_core::{Duration, Time};

const SECOND: Duration = Duration::from_millis(1_000);

/// So many messages in any second.
#[derive(Clone, Debug)]
pub struct RateLimit {
    most: Option<u32>,
    /// When the messages of the last second were sent.
    sent: VecDeque<Time>,
}

impl RateLimit {
    /// `most` messages in a second, or as many as there are.
    pub fn new(most: Option<u32>) -> Self {
        RateLimit { most, sent: VecDeque::new() }
    }

    /// From when on another message may be sent.
    pub fn open_from(&self) -> Time {
        match self.most {
            Some(most) if self.sent.len() >= most as usize => self.sent[0] + SECOND,
            Some(_) | None => Time::ZERO,
        }
    }

    /// A message is sent.
    pub fn on_sent(&mut self, now: Time) {
        let Some(most) = self.most else { return };
        self.sent.push_back(now);
        while self.sent.len() > most as usize {
            self.sent.pop_front();
        }
    }
}
