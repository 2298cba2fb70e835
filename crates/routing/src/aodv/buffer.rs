//! What waits: packets for routes (RFC 3561, 6.3: "buffered"), steps for their time, and the
//! memory of requests (6.5).

use std::collections::VecDeque;

use multihop_core::{Cx, DropCause, Duration, NodeId, Packet, RoutingStep, Time};

use super::parameters::{HELD_LIMIT, HELD_TIMEOUT, MOST_JOBS, MOST_KNOWN, REQUEST_MEMORY, tick_at};

/// The packets that wait for routes, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct SendBuffer {
    waiting: VecDeque<(Packet, Time)>,
}

impl SendBuffer {
    /// Keep `packet`. If the buffer is full, the oldest packet is dropped, as in ns-2.
    pub fn push(&mut self, cx: &mut Cx, packet: Packet) {
        self.drop_old(cx);
        if self.waiting.len() == HELD_LIMIT
            && let Some((oldest, _)) = self.waiting.pop_front()
        {
            cx.drop(oldest, DropCause::RouteBufferFull);
        }
        self.waiting.push_back((packet, cx.now + HELD_TIMEOUT));
    }

    /// Take the oldest packet for `destination`.
    pub fn pop(&mut self, cx: &mut Cx, destination: NodeId) -> Option<Packet> {
        self.drop_old(cx);
        let for_it = |(packet, _): &(Packet, Time)| packet.flow.destination == destination;
        let at = self.waiting.iter().position(for_it)?;
        self.waiting.remove(at).map(|(packet, _)| packet)
    }

    /// As in ns-2, what has waited too long goes when somebody looks into the buffer.
    fn drop_old(&mut self, cx: &mut Cx) {
        while let Some((_, until)) = self.waiting.front()
            && *until < cx.now
            && let Some((packet, _)) = self.waiting.pop_front()
        {
            cx.drop(packet, DropCause::NoRoute);
        }
    }

    /// The destinations for which packets wait, in the order of the packets.
    pub fn destinations(&self) -> impl Iterator<Item = NodeId> {
        self.waiting.iter().map(|(packet, _)| packet.flow.destination)
    }

    /// How many packets wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }
}

/// Something for later.
#[derive(Clone, Debug)]
pub enum Job {
    /// A step for the node.
    Step(RoutingStep),
    /// The end of the repair of the route to this destination.
    EndRepair(NodeId),
}

/// What is to be done later, in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Agenda {
    jobs: VecDeque<(Time, Job)>,
}

impl Agenda {
    /// As [`Agenda::add`], unless there is too much to do already; whether there is room.
    pub fn offer(&mut self, time: Time, job: Job) -> bool {
        let room = self.jobs.len() < MOST_JOBS;
        if room {
            self.add(time, job);
        }
        room
    }

    /// Do `job` at `time`, after what is to be done then already.
    pub fn add(&mut self, time: Time, job: Job) {
        let at = self.jobs.partition_point(|(then, _)| *then <= time);
        self.jobs.insert(at, (time, job));
    }

    /// Take the first job if its time has come.
    pub fn pop(&mut self, now: Time) -> Option<Job> {
        if self.first() > now {
            return None;
        }
        self.jobs.pop_front().map(|(_, job)| job)
    }

    /// When the first job is due.
    pub fn first(&self) -> Time {
        self.jobs.front().map_or(Time::NEVER, |(time, _)| *time)
    }

    /// How much is to be done.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// How many packets wait for being forwarded.
    pub fn packets(&self) -> usize {
        let forward = |(_, job): &&(Time, Job)| matches!(job, Job::Step(RoutingStep::Forward(..)));
        self.jobs.iter().filter(forward).count()
    }
}

/// The requests that were heard lately (RFC 3561, 6.5).
#[derive(Clone, Debug, Default)]
pub struct Memory {
    requests: VecDeque<(NodeId, u32, Time)>,
}

impl Memory {
    /// How many they are.
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether this request is new. From now on it is not.
    pub fn is_new(&mut self, originator: NodeId, id: u32, now: Time) -> bool {
        while self.requests.front().is_some_and(|(_, _, until)| *until <= now) {
            self.requests.pop_front();
        }
        if self.requests.iter().any(|(o, i, _)| *o == originator && *i == id) {
            return false;
        }
        if self.requests.len() == MOST_KNOWN {
            self.requests.pop_front();
        }
        // A request is forgotten when ns-2's timer, which starts at time zero, finds it old.
        let until = tick_at(now + REQUEST_MEMORY, REQUEST_MEMORY);
        self.requests.push_back((originator, id, until));
        true
    }
}

/// A part of `span`, uniformly distributed.
pub fn part_of(span: Duration, cx: &mut Cx) -> Duration {
    span.scaled(cx.rng.unit())
}
