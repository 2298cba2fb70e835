//! Traffic sources.

use multihop_core::{Bytes, Duration, FlowId, Message, NodeId, Payload, Purpose, Rng, Tag, Time};
use multihop_scenario::setup::{self, Traffic};

/// A source and when it sends next.
#[derive(Clone, Debug)]
pub struct Source {
    pub flow: FlowId,
    pub next: Time,
    payload: Bytes,
    interval: Duration,
    stop: Time,
    tag: Tag,
}

impl Source {
    /// Source number `index` of the run with `seed`.
    pub fn new(index: u32, source: &setup::Source, seed: u64) -> Self {
        let mut rng = Rng::stream(seed, NodeId(index), Purpose::Traffic);
        let Traffic::Cbr { payload, interval } = source.traffic;
        let first = source.start + source.start_jitter.scaled(rng.unit());
        Source {
            flow: source.flow,
            next: if first < source.stop { first } else { Time::NEVER },
            payload,
            interval,
            stop: source.stop,
            tag: Tag { source: index, number: 0 },
        }
    }

    /// The message that is due, and the time of the one after it.
    pub fn send(&mut self) -> Message {
        let message = Message { payload: Payload::Virtual(self.payload.0), tag: self.tag };
        self.tag.number += 1;
        self.next += self.interval;
        if self.next >= self.stop {
            self.next = Time::NEVER;
        }
        message
    }
}
