//! 3.2, equation 2: the throughput of links, s over the time from the hand-over of a packet to the MAC
//! until its acknowledgment. In integers.

use multihop_core::{Bytes, Duration, NodeId, Params, Time};

use super::parameters::{BANDWIDTH_MEAN, BANDWIDTH_MEMORY, BandwidthMean};
use crate::parts::explicit::parameters::FORGET_AFTER;
use crate::parts::explicit::share::{MILLION, millionths};

/// Thousandths of a byte per second in a byte per nanosecond.
const PER_NANOSECOND: u128 = 1_000_000_000_000;

/// More neighbours than this are not known at a time: who has acknowledged nothing for longest makes room.
const MOST_LINKS: usize = 256;

/// The mean of an interval's samples, which are not negative, and of earlier ones as far as they count.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: u128,
    count: u64,
    /// What it was after the last interval that had a sample.
    known: Option<u64>,
}

impl Mean {
    fn add(&mut self, sample: u64) {
        self.sum = self.sum.saturating_add(sample.into());
        self.count += 1;
    }

    /// The interval is over; `memory` is the weight of the mean before it, in millionths.
    fn close(&mut self, memory: i64) {
        let (sum, count) = (core::mem::take(&mut self.sum), core::mem::take(&mut self.count));
        let Some(now) = sum.checked_div(count.into()) else { return };
        let now = u64::try_from(now).unwrap_or(u64::MAX);
        self.known = Some(match self.known {
            Some(before) if memory > 0 => {
                let (now, before) = (i128::from(now), i128::from(before));
                let mean = now + (before - now) * i128::from(memory) / i128::from(MILLION);
                u64::try_from(mean).unwrap_or(u64::MAX)
            }
            _ => now,
        });
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
    memory: i64,
    average: BandwidthMean,
    forget_after: Duration,
    /// To those that have acknowledged something: in the order of their first.
    links: Vec<Link>,
    /// When a route was found or changed, and whether an interval has ended since.
    rerouted: Option<(Time, bool)>,
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
            memory: millionths(params.get(BANDWIDTH_MEMORY)),
            average: params.get(BANDWIDTH_MEAN),
            forget_after: params.get(FORGET_AFTER),
            links: Vec::new(),
            rerouted: None,
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
        self.packets.add(sample);
        self.bytes.add(u64::from(length.0) * 1_000);
        self.time.add(service.nanos());
        let at = self.links.iter().position(|link| link.to == to).unwrap_or_else(|| {
            if self.links.len() >= MOST_LINKS {
                self.forget_oldest();
            }
            self.links.push(Link { to, throughput: Mean::default(), last: now });
            self.links.len() - 1
        });
        let link = &mut self.links[at];
        link.throughput.add(sample);
        link.last = now;
    }

    fn forget_oldest(&mut self) {
        let oldest = self.links.iter().enumerate().min_by_key(|(_, link)| link.last);
        if let Some((at, _)) = oldest {
            self.links.remove(at);
        }
    }

    /// How many links it knows.
    pub fn count(&self) -> usize {
        self.links.len()
    }

    /// A control interval is over. Links that are not used any more do not count.
    pub fn close(&mut self, now: Time) {
        self.links.retain(|link| now.since(link.last) <= self.forget_after);
        match &mut self.rerouted {
            Some((since, true)) => {
                self.links.retain(|link| link.last >= *since);
                self.rerouted = None;
            }
            Some((_, ended)) => *ended = true,
            None => {}
        }
        let links = self.links.iter_mut().map(|link| &mut link.throughput);
        for mean in links.chain([&mut self.packets, &mut self.bytes, &mut self.time]) {
            mean.close(self.memory);
        }
    }

    /// A route is another one: links that are not used in the next whole interval do not count any more.
    pub fn on_route(&mut self, now: Time) {
        self.rerouted = Some((now, false));
    }

    /// The link to `to` is broken.
    pub fn on_lost(&mut self, to: NodeId) {
        self.links.retain(|link| link.to != to);
    }

    /// Nothing is known any more.
    pub fn clear(&mut self) {
        self.links.clear();
        self.rerouted = None;
        (self.packets, self.bytes, self.time) = (Mean::default(), Mean::default(), Mean::default());
    }

    /// `bw_k` in bytes per second: the mean of the link to `to`.
    pub fn of(&self, to: NodeId) -> Option<u32> {
        let link = self.links.iter().find(|link| link.to == to)?;
        link.throughput.known.map(whole)
    }

    /// bw in bytes per second.
    pub fn mean(&self) -> Option<u32> {
        let thousandths = match self.average {
            BandwidthMean::Neighbours => {
                let known = self.links.iter().filter_map(|link| link.throughput.known);
                let (sum, count) = known.fold((0u64, 0u64), |(sum, count), throughput| {
                    (sum.saturating_add(throughput), count + 1)
                });
                sum.checked_div(count)?
            }
            BandwidthMean::Packets => self.packets.known?,
            BandwidthMean::Bytes => {
                let bytes = u128::from(self.bytes.known?) * 1_000_000_000;
                let rate = bytes.checked_div(u128::from(self.time.known?))?;
                u64::try_from(rate).unwrap_or(u64::MAX)
            }
        };
        Some(whole(thousandths))
    }
}

#[cfg(test)]
mod tests;
