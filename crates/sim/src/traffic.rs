//! Traffic sources.

use multihop_core::{Bytes, Duration, FlowId, Message, NodeId, Payload, Purpose, Rng, Tag, Time};
use multihop_scenario::setup::{self, Traffic};

/// A source and when it sends next.
#[derive(Clone, Debug)]
pub struct Source {
    pub flow: FlowId,
    /// When it sends by itself; for a bulk source, when it starts.
    pub next: Time,
    payload: Bytes,
    stop: Time,
    kind: Kind,
    tag: Tag,
}

#[derive(Clone, Debug)]
enum Kind {
    /// It sends by itself, an interval after the last time.
    Periodic(Gap),
    /// It sends whenever the transport wants data: so many packets more, once it has started.
    Bulk { left: u32, started: bool },
}

/// The time between two packets: `mean`, and uniformly up to `jitter` of it less or more.
#[derive(Clone, Debug)]
struct Gap {
    mean: Duration,
    jitter: f64,
    rng: Rng,
}

impl Gap {
    fn draw(&mut self) -> Duration {
        if self.jitter > 0.0 {
            // ns-2: cbr_traffic.cc with random_, where the jitter is 0.5
            self.mean.scaled(self.rng.between(1.0 - self.jitter, 1.0 + self.jitter))
        } else {
            self.mean
        }
    }
}

impl Source {
    /// Source number `index` of the run with `seed`.
    pub fn new(index: u32, source: &setup::Source, seed: u64) -> Self {
        let mut rng = Rng::stream(seed, NodeId(index), Purpose::Traffic);
        let (payload, kind) = match source.traffic {
            Traffic::Cbr { payload, interval, jitter } => {
                let rng = Rng::stream(seed, NodeId(index), Purpose::Jitter);
                (payload, Kind::Periodic(Gap { mean: interval, jitter, rng }))
            }
            Traffic::Bulk { payload, packets } => {
                (payload, Kind::Bulk { left: packets.unwrap_or(u32::MAX), started: false })
            }
        };
        let first = source.start + source.start_jitter.scaled(rng.unit());
        Source {
            flow: source.flow,
            next: if first < source.stop { first } else { Time::NEVER },
            payload,
            stop: source.stop,
            kind,
            tag: Tag { source: index, number: 0 },
        }
    }

    /// The time `next` has come: the message that is due. A bulk source has started, and its
    /// messages follow when the transport wants them.
    pub fn on_time(&mut self) -> Option<Message> {
        match &mut self.kind {
            Kind::Periodic(gap) => {
                self.next += gap.draw();
                if self.next >= self.stop {
                    self.next = Time::NEVER;
                }
                Some(self.message())
            }
            Kind::Bulk { started, .. } => {
                *started = true;
                self.next = Time::NEVER;
                None
            }
        }
    }

    /// The transport wants data: what this source has for it at `now`.
    pub fn on_wanted(&mut self, now: Time) -> Option<Message> {
        match &mut self.kind {
            Kind::Bulk { left, started: true } if *left > 0 && now < self.stop => {
                *left -= 1;
                Some(self.message())
            }
            _ => None,
        }
    }

    /// Whether it waits for the transport to want data.
    pub fn is_bulk(&self) -> bool {
        matches!(self.kind, Kind::Bulk { started: true, left: 1.. })
    }

    fn message(&mut self) -> Message {
        let message = Message { payload: Payload::Virtual(self.payload.0), tag: self.tag };
        self.tag.number += 1;
        message
    }
}
