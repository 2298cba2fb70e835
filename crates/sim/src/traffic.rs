//! Traffic sources.

use multihop_core::{Bytes, FlowId, Message, NodeId, Payload, Purpose, Rng, Schedule, Tag, Time};
use multihop_setup::{self as setup, LEAD, Messages};

/// A source and when it sends next.
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

enum Kind {
    /// It sends by itself: the length of the message that is due, and those that follow.
    Timed(Bytes, Messages),
    /// It sends whenever the transport wants data: so many packets more, once it has started.
    Bulk { left: u32, started: bool },
}

impl Source {
    /// Source number `index` of the run with `seed`.
    pub fn new(index: u32, source: &setup::Source, seed: u64) -> Self {
        let stream = |purpose| Rng::stream(seed, NodeId(index), purpose);
        let begins = source.start + source.start_jitter.scaled(stream(Purpose::Traffic).unit());
        let traffic = &source.traffic;
        let messages = traffic.pattern.messages(begins, stream(Purpose::Jitter));
        let (load, kind) = if let Some(mut messages) = messages {
            let (first, length) = messages.next().unwrap_or((Time::NEVER, traffic.payload));
            (first, Kind::Timed(length, messages))
        } else {
            let left = traffic.pattern.packets().unwrap_or(u32::MAX);
            (begins, Kind::Bulk { left, started: false })
        };
        let load = if load < source.stop { load } else { Time::NEVER };
        let sends = begins < source.stop;
        let ahead = source.lead.filter(|_| sends).map(|lead| {
            // the lead is at most the start
            (Time::ZERO + begins.since(Time::ZERO + lead), Ahead { left: LEAD.0, load })
        });
        Source {
            flow: source.flow,
            next: ahead.as_ref().map_or(load, |(first, _)| *first),
            payload: traffic.payload,
            stop: source.stop,
            ahead: ahead.map(|(_, ahead)| ahead),
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
            return Some(self.message(self.payload));
        }
        match &mut self.kind {
            Kind::Timed(length, messages) => {
                let due = *length;
                let following = messages.next().filter(|(at, _)| *at < self.stop);
                (self.next, *length) = following.unwrap_or((Time::NEVER, due));
                Some(self.message(due))
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
                Some(self.message(self.payload))
            }
            _ => None,
        }
    }

    /// Whether it sends when the transport wants data.
    pub fn is_bulk(&self) -> bool {
        matches!(self.kind, Kind::Bulk { .. })
    }

    fn message(&mut self, length: Bytes) -> Message {
        let message = Message { payload: Payload::Virtual(length.0), tag: self.tag };
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
