//! What a routing protocol does later.

use std::collections::VecDeque;

use multihop_core::{Cx, Duration, Time};

/// How much may wait for its time, besides this node's own packets: more than a jitter or a repair leaves.
const MOST_JOBS: usize = 1_024;

/// What is to be done later, in the order of time.
#[derive(Clone, Debug)]
pub struct Agenda<J> {
    jobs: VecDeque<(Time, J)>,
}

impl<J> Default for Agenda<J> {
    fn default() -> Self {
        Agenda { jobs: VecDeque::new() }
    }
}

impl<J> Agenda<J> {
    /// As [`Agenda::add`], unless there is too much to do already: returns `job` then.
    pub fn offer(&mut self, time: Time, job: J) -> Option<J> {
        if self.jobs.len() >= MOST_JOBS {
            return Some(job);
        }
        self.add(time, job);
        None
    }

    /// Do `job` at `time`, after what is to be done then already.
    pub fn add(&mut self, time: Time, job: J) {
        let at = self.jobs.partition_point(|(then, _)| *then <= time);
        self.jobs.insert(at, (time, job));
    }

    /// Take the first job if its time has come.
    pub fn pop(&mut self, now: Time) -> Option<J> {
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

    /// What is to be done.
    pub fn jobs(&self) -> impl Iterator<Item = &J> {
        self.jobs.iter().map(|(_, job)| job)
    }
}

/// A part of `span`, uniformly distributed.
pub fn part_of(span: Duration, cx: &mut Cx) -> Duration {
    span.scaled(cx.rng.unit())
}
