//! What a station has in hand: its own frame, and the answer that it owes.

use multihop_core::{Bytes, Duration, Time};

use super::frame::{Frame, FrameKind, Profile};
use super::phy::Mode;
use super::ports::Job;
use super::rates::{Attempt, MOST_NEIGHBOURS, Rates};

/// The station's frame, and what the station owes to others.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    pub(super) current: Option<Current>,
    pub(super) response: Option<Response>,
    /// When to send the response, or the data after a CTS.
    pub(super) respond_at: Time,
    pub(super) short_retries: u32,
    pub(super) long_retries: u32,
    pub(super) sequence: u32,
    /// The last sequence number taken from each of so many neighbours; the first is forgotten for another one.
    taken: Vec<(u32, u32)>,
}

/// The station's frame and how far it has got.
#[derive(Clone, Copy, Debug)]
pub(super) struct Current {
    pub(super) job: Job,
    /// When it has come to the station: not yet, where a response is due first.
    pub(super) start: Time,
    pub(super) bytes: Bytes,
    pub(super) data_time: Duration,
    pub(super) mode: Mode,
    pub(super) uses_rts: bool,
    /// The RTS has been answered: data may follow.
    pub(super) cleared: bool,
    pub(super) attempts: u32,
    pub(super) retries: u32,
    pub(super) air_time: Duration,
    /// Whether the station chooses its mode, and how often data in a mode that was chosen was not acknowledged.
    pub(super) choice: ModeChoice,
    pub(super) failures: u32,
    /// Which of two receivers have acknowledged it.
    pub(super) acknowledged: [bool; 2],
}

/// Whether a station chooses the mode of its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModeChoice {
    /// It does not.
    None,
    /// With the attempt to come.
    Due,
    /// It has, and that stands until data was acknowledged or was not.
    Made,
}

impl Current {
    /// Data of it was acknowledged, or was not.
    #[cold]
    pub(super) fn learn(&self, rates: &mut Rates, acknowledged: bool, now: Time) {
        let attempt = Attempt { to: self.job.to, failures: self.failures, now };
        rates.learn_outcome(&attempt, self.mode, acknowledged);
    }

    /// Its data goes in this mode.
    #[cold]
    pub(super) fn take_mode(&mut self, mode: Mode, profile: &Profile) {
        let rate = profile.settings().format.rate(mode).expect("modes that are chosen have rates");
        (self.mode, self.job.rate) = (mode, rate);
        self.data_time = profile.data(self.job.preamble + self.bytes, rate);
    }
}

/// The CTS or link acknowledgment that the station owes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Response {
    pub(super) kind: FrameKind,
    pub(super) to: u32,
    pub(super) air_time: Duration,
    pub(super) mode: Mode,
    pub(super) reserved: Duration,
}

impl Response {
    /// The block acknowledgment of `frame`.
    pub(super) fn block_acknowledgment(profile: &Profile, frame: &Frame) -> Self {
        let (air_time, mode) = (profile.block_ack(frame.mode), profile.ack_mode(frame.mode));
        let (kind, reserved) = (FrameKind::BlockAck, Duration::ZERO);
        Response { kind, to: frame.from, air_time, mode, reserved }
    }

    /// The link acknowledgment of `data`, behind which the medium stays `reserved`.
    pub(super) fn acknowledgment(profile: &Profile, data: &Frame, reserved: Duration) -> Self {
        let (air_time, mode) = (profile.ack(data.mode), profile.ack_mode(data.mode));
        Response { kind: FrameKind::Ack, to: data.from, air_time, mode, reserved }
    }
}

impl Default for Exchange {
    fn default() -> Self {
        Exchange {
            current: None,
            response: None,
            respond_at: Time::NEVER,
            short_retries: 0,
            long_retries: 0,
            sequence: 0,
            taken: Vec::new(),
        }
    }
}

impl Exchange {
    pub(super) const fn is_free(&self) -> bool {
        self.current.is_none()
    }

    /// Forget everything but the number of the last frame, which neighbours may remember. Returns
    /// the frame that was in hand.
    pub(super) fn restart(&mut self) -> Option<Current> {
        let sequence = self.sequence;
        core::mem::replace(self, Exchange { sequence, ..Exchange::default() }).current
    }

    /// The last frame of the neighbour `from` was not taken after all.
    pub(super) fn untake(&mut self, from: u32) {
        self.taken.retain(|(node, _)| *node != from);
    }

    /// Whether this frame of the neighbour `from` is new; it is remembered.
    pub(super) fn take(&mut self, from: u32, sequence: u32) -> bool {
        match self.taken.iter_mut().find(|(node, _)| *node == from) {
            Some((_, last)) if *last == sequence => false,
            Some((_, last)) => {
                *last = sequence;
                true
            }
            None => {
                if self.taken.len() == MOST_NEIGHBOURS {
                    self.taken.remove(0);
                }
                self.taken.push((from, sequence));
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_neighbours_do_not_fill_the_memory() {
        let mut exchange = Exchange::default();
        for from in 0..3 * MOST_NEIGHBOURS as u32 {
            assert!(exchange.take(from, 7));
            assert!(!exchange.take(from, 7), "it is a duplicate");
        }
        assert_eq!(exchange.taken.len(), MOST_NEIGHBOURS);
        assert!(exchange.take(0, 7), "it was forgotten");
    }
}
