//! How often something may be done: a burst at once, and one more after each interval.

use multihop_core::{Duration, Time};

/// What may still be done now.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    left: u32,
    most: u32,
    interval: Duration,
    since: Time,
}

impl Bucket {
    /// `most` at once, and one more after each `interval`.
    pub const fn new(most: u32, interval: Duration) -> Self {
        Bucket { left: most, most, interval, since: Time::ZERO }
    }

    /// Take one, if there is any.
    pub fn take(&mut self, now: Time) -> bool {
        let passed = now.since(self.since).nanos() / self.interval.nanos().max(1);
        if passed > 0 {
            let passed = u32::try_from(passed).unwrap_or(u32::MAX);
            self.left = self.left.saturating_add(passed).min(self.most);
            self.since = now;
        }
        let any = self.left > 0;
        self.left -= u32::from(any);
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_fills_with_time_up_to_its_brim() {
        let mut bucket = Bucket::new(20, Duration::from_millis(50));
        let taken = |bucket: &mut Bucket, now| (0..100).filter(|_| bucket.take(now)).count();
        assert_eq!(taken(&mut bucket, Time::ZERO), 20);
        assert_eq!(taken(&mut bucket, Time::ZERO + Duration::from_millis(120)), 2);
        assert_eq!(taken(&mut bucket, Time::ZERO + Duration::from_millis(86_400_000)), 20);
        assert_eq!(taken(&mut Bucket::new(0, Duration::from_millis(1)), Time::ZERO), 0);
    }
}
