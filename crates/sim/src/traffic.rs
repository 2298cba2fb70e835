//! Traffic sources.

use multihop_core::{
    Bytes, Duration, FlowId, Message, NodeId, Payload, Purpose, Rng, Schedule, Tag, Time,
};
use multihop_setup::{self as setup, LEAD, Traffic};

/// A source and when it sends next.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its flow on the air.
    pub flow: FlowId,
    /// When it sends by itself; for a bulk source, when it starts.
    pub next: Time,
    payload: Bytes,
    stop: Time,
    /// The single packets that are still to go ahead of the load.
    ahead: Option<Ahead>,
    kind: Kind,
    tag: Tag,
}

/// Single packets that make the route known before the load begins.
#[derive(Clone, Debug)]
struct Ahead {
    left: u32,
    /// When the load begins.
    load: Time,
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
        let begins = source.start + source.start_jitter.scaled(rng.unit());
        // The lead is at most the start.
        let ahead = source.lead.unwrap_or_default();
        let first = Time::ZERO + begins.since(Time::ZERO + ahead);
        Source {
            flow: source.flow,
            next: if begins < source.stop { first } else { Time::NEVER },
            payload,
            stop: source.stop,
            ahead: source.lead.map(|_| Ahead { left: LEAD.0, load: begins }),
            kind,
            tag: Tag { source: index, number: 0 },
        }
    }

    /// The time `next` has come: the message that is due, one of those ahead of the load first. A bulk
    /// source has started, and its
    /// messages follow when the transport wants them.
    pub fn on_time(&mut self) -> Option<Message> {
        if let Some(ahead) = &mut self.ahead {
            ahead.left -= 1;
            if ahead.left > 0 {
                self.next += LEAD.1;
            } else {
                self.next = ahead.load;
                self.ahead = None;
            }
            return Some(self.message());
        }
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

    /// Whether it sends when the transport wants data.
    pub fn is_bulk(&self) -> bool {
        matches!(self.kind, Kind::Bulk { .. })
    }

    fn message(&mut self) -> Message {
        let message = Message { payload: Payload::Virtual(self.payload.0), tag: self.tag };
        self.tag.number += 1;
        message
    }
}

/// The sources at one node, and which of them have something to do: nobody looks at the others.
#[derive(Clone, Debug)]
pub struct SourcesAt {
    /// Their numbers, in ascending order.
    indices: Vec<usize>,
    /// When each sends by itself.
    next: Schedule,
    /// When the first of them does.
    first: Time,
    /// Which bulk sources may be wanted: at once, or never. `None` if no source is a bulk one.
    wanted: Option<Schedule>,
}

impl SourcesAt {
    /// The sources of `all` with these numbers.
    pub fn new(indices: Vec<usize>, all: &[Source]) -> Self {
        let mut next = Schedule::new(indices.len());
        for (at, index) in indices.iter().enumerate() {
            next.set(at, all[*index].next);
        }
        let bulk = indices.iter().any(|index| all[*index].is_bulk());
        let wanted = bulk.then(|| Schedule::new(indices.len()));
        SourcesAt { wanted, first: next.earliest(), next, indices }
    }

    /// Their numbers, in ascending order.
    pub fn indices(&self) -> &[usize] {
        &self.indices
    }

    /// The number of the source in place `at`.
    pub fn index(&self, at: usize) -> usize {
        self.indices[at]
    }

    /// When the first of them sends by itself.
    pub fn next(&self) -> Time {
        self.first
    }

    /// The place of the first source from `from` on that is due by `now`.
    pub fn due(&self, from: usize, now: Time) -> Option<usize> {
        self.next.due(from, now)
    }

    /// The source in place `at` sends next at `next`.
    pub fn reschedule(&mut self, at: usize, next: Time) {
        self.next.set(at, next);
        self.first = self.next.earliest();
    }

    /// Whether any is a bulk source.
    pub fn any_bulk(&self) -> bool {
        self.wanted.is_some()
    }

    /// The transport of source number `index`, a bulk source, may want data.
    pub fn may_be_wanted(&mut self, index: usize) {
        if let (Some(wanted), Ok(at)) = (&mut self.wanted, self.indices.binary_search(&index)) {
            wanted.set(at, Time::ZERO);
        }
    }

    /// The place of the first bulk source from `from` on that may be wanted; it is not any more.
    pub fn take_wanted(&mut self, from: usize) -> Option<usize> {
        let wanted = self.wanted.as_mut()?;
        let at = wanted.due(from, Time::ZERO)?;
        wanted.set(at, Time::NEVER);
        Some(at)
    }
}
