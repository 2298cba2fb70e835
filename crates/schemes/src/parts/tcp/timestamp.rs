//! RFC 7323, 3: when a segment was sent, for variants that measure more than one round trip per round
//! trip. Deviation: in microseconds, and without an echo of its own: what goes back is the variant's
//! affair. As in ns-2, whose header has the field in any case, a packet is no longer for it.

use multihop_core::{Duration, Time};

use super::options::{HeaderOption, LONGEST};

/// Length of a time stamp in bytes.
const LEN: usize = 4;

/// When a segment was sent, in microseconds of its sender's clock; wraps around after 71 minutes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentAt(pub u32);

impl SentAt {
    /// Now.
    pub const fn now(now: Time) -> Self {
        SentAt((now.nanos() / 1_000) as u32)
    }

    /// How long before `later` that was, for times less than half a circle apart. Negative if it was
    /// after it. In microseconds.
    pub const fn until(self, later: SentAt) -> i32 {
        later.0.wrapping_sub(self.0).cast_signed()
    }

    /// How long ago that was; zero for a time to come.
    pub fn age(self, now: Time) -> Duration {
        let micros = self.until(SentAt::now(now));
        Duration::from_micros(u64::from(micros.max(0).cast_unsigned()))
    }
}

impl HeaderOption for SentAt {
    const KIND: u8 = 3;

    fn emit(&self, body: &mut [u8; LONGEST]) -> usize {
        body[..LEN].copy_from_slice(&self.0.to_be_bytes());
        LEN
    }

    fn parse(body: &[u8]) -> Option<Self> {
        body.try_into().ok().map(|bytes| SentAt(u32::from_be_bytes(bytes)))
    }
}
