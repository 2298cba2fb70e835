//! 3.2, equation 2: the throughput of links, s over the time from the hand-over of a packet to the MAC
//! until its acknowledgment. In integers.

use multihop_core::{Bytes, Duration, NodeId, Params, Time};

use super::parameters::{BANDWIDTH_GAIN, BANDWIDTH_MEAN, BandwidthMean};
use crate::xcp::parameters::FORGET_AFTER;
use crate::xcp::share::{MILLION, millionths};

/// Thousandths of a byte per second in a byte per nanosecond.
const PER_NANOSECOND: u128 = 1_000_000_000_000;

/// A mean that forgets, over samples that are not negative.
#[derive(Clone, Copy, Debug, Default)]
struct Mean(Option<i64>);

impl Mean {
    fn add(&mut self, sample: u64, gain: i64) {
        let sample = i64::try_from(sample).unwrap_or(i64::MAX);
        let mean = self.0.unwrap_or(sample);
        let step = i128::from(sample - mean) * i128::from(gain) / i128::from(MILLION);
        self.0 = Some(mean + step as i64);
    }

    fn get(self) -> Option<u64> {
        self.0.map(i64::cast_unsigned)
    }
}

/// The link to one neighbour.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: NodeId,
    /// In thousandths of a byte per second.
    throughput: Mean,
    last: Time,
}

/// What a station knows of its links.
#[derive(Clone, Debug)]
pub struct LinkThroughput {
    /// In millionths.
    gain: i64,
    mean: BandwidthMean,
    forget_after: Duration,
    /// To those that have acknowledged something: in the order of their first.
    links: Vec<Link>,
    /// Over all links: thousandths of a byte per second, bytes, nanoseconds.
    packets: Mean,
    bytes: Mean,
    time: Mean,
}

/// Thousandths of a byte per second as whole bytes, at least one.
fn whole(thousandths: u64) -> u32 {
    u32::try_from(thousandths / 1_000).unwrap_or(u32::MAX).max(1)
}

impl LinkThroughput {
    /// Of a station without packets yet.
    pub fn new(params: &Params) -> Self {
        LinkThroughput {
            gain: millionths(params.get(BANDWIDTH_GAIN)),
            mean: params.get(BANDWIDTH_MEAN),
            forget_after: params.get(FORGET_AFTER),
            links: Vec::new(),
            packets: Mean::default(),
            bytes: Mean::default(),
            time: Mean::default(),
        }
    }

    /// `to` has acknowledged a packet of `length`, after `service` in the MAC.
    pub fn add(&mut self, now: Time, to: NodeId, length: Bytes, service: Duration) {
        let sample = u128::from(length.0) * PER_NANOSECOND;
        let Some(sample) = sample.checked_div(service.nanos().into()) else { return };
        let sample = u64::try_from(sample).unwrap_or(u64::MAX);
        self.packets.add(sample, self.gain);
        self.bytes.add(u64::from(length.0) * 1_000, self.gain);
        self.time.add(service.nanos(), self.gain);
        self.forget(now);
        let at = self.links.iter().position(|link| link.to == to).unwrap_or_else(|| {
            self.links.push(Link { to, throughput: Mean::default(), last: now });
            self.links.len() - 1
        });
        let link = &mut self.links[at];
        link.throughput.add(sample, self.gain);
        link.last = now;
    }

    /// Links that are not used any more do not count.
    fn forget(&mut self, now: Time) {
        self.links.retain(|link| now.since(link.last) <= self.forget_after);
    }

    /// The link to `to` is broken.
    pub fn on_lost(&mut self, to: NodeId) {
        self.links.retain(|link| link.to != to);
    }

    /// Nothing is known any more.
    pub fn clear(&mut self) {
        self.links.clear();
        (self.packets, self.bytes, self.time) = (Mean::default(), Mean::default(), Mean::default());
    }

    /// `bw_k` in bytes per second: the mean of the link to `to`.
    pub fn of(&self, to: NodeId) -> Option<u32> {
        let link = self.links.iter().find(|link| link.to == to)?;
        link.throughput.get().map(whole)
    }

    /// bw in bytes per second.
    pub fn mean(&mut self, now: Time) -> Option<u32> {
        self.forget(now);
        let thousandths = match self.mean {
            BandwidthMean::Neighbours => {
                let known = self.links.iter().filter_map(|link| link.throughput.get());
                let (sum, count) = known.fold((0u64, 0u64), |(sum, count), throughput| {
                    (sum.saturating_add(throughput), count + 1)
                });
                sum.checked_div(count)?
            }
            BandwidthMean::Packets => self.packets.get()?,
            BandwidthMean::Bytes => {
                let bytes = u128::from(self.bytes.get()?) * 1_000_000_000;
                let rate = bytes.checked_div(u128::from(self.time.get()?))?;
                u64::try_from(rate).unwrap_or(u64::MAX)
            }
        };
        Some(whole(thousandths))
    }
}

#[cfg(test)]
mod tests;
