//! The path cache, in two parts (RFC 4728, 4.1; ns-2: `MobiCache`): the primary part holds the paths that
//! this node uses or has asked for, the secondary those that it has overheard.

use multihop_core::{Duration, NodeId, Time};

use super::path::Path;

/// One part of the cache.
#[derive(Clone, Debug)]
struct Part {
    /// A path that begins here, and when it was learnt or used last; a place may be empty.
    slots: Vec<(Path, Time)>,
    size: usize,
    /// Which one gives way next.
    victim: usize,
}

impl Part {
    const fn new(size: usize) -> Self {
        Part { slots: Vec::new(), size, victim: 0 }
    }

    /// Take `path`: it extends the first that it begins with, be that empty, unless one before
    /// contains it. ns-2's rule.
    fn add(&mut self, path: Path, now: Time) {
        for (slot, used) in &mut self.slots {
            let common = path.common(slot);
            if common == slot.len() {
                (*slot, *used) = (path, now);
                return;
            }
            if common == path.len() {
                *used = now;
                return;
            }
        }
        if self.slots.len() < self.size {
            self.slots.push((path, now));
        } else if let Some(slot) = self.slots.get_mut(self.victim) {
            *slot = (path, now);
            self.victim = (self.victim + 1) % self.size;
        }
    }

    /// The shortest way to `destination` that has fewer hops than `below`: its place and its hops. Of
    /// equals the first.
    fn shortest(&self, destination: NodeId, below: usize) -> Option<(usize, usize)> {
        let mut found = None;
        let mut best = below;
        for (at, (path, _)) in self.slots.iter().enumerate() {
            if let Some(hops) = path.iter().take(best).position(|node| *node == destination) {
                (best, found) = (hops, Some((at, hops)));
            }
        }
        found
    }

    fn cut(&mut self, from: NodeId, to: NodeId) {
        for (path, _) in &mut self.slots {
            if let Some(at) = path.link(from, to) {
                *path = if at == 0 { Path::EMPTY } else { path.up_to(at + 1) };
            }
        }
    }

    fn expire(&mut self, before: Time) {
        for (path, used) in &mut self.slots {
            if *used < before {
                *path = Path::EMPTY;
            }
        }
    }

    fn len(&self) -> usize {
        self.slots.iter().filter(|(path, _)| !path.is_empty()).count()
    }
}

/// The cache of one node.
#[derive(Clone, Debug)]
pub struct Cache {
    primary: Part,
    secondary: Part,
    timeout: Option<Duration>,
    /// How often it has taken a path.
    additions: u64,
}

impl Cache {
    /// Room for so many paths in its two parts, each for as long as `timeout` after its last use.
    pub fn new(primary: usize, secondary: usize, timeout: Option<Duration>) -> Self {
        let (primary, secondary) = (Part::new(primary), Part::new(secondary));
        Cache { primary, secondary, timeout, additions: 0 }
    }

    /// This node has asked for `path`, or has been told of it.
    pub fn add(&mut self, path: Path, now: Time) {
        self.primary.add(path, now);
        self.additions += 1;
    }

    /// This node has seen that somebody uses `path`.
    pub fn notice(&mut self, path: Path, now: Time) {
        self.secondary.add(path, now);
        self.additions += 1;
    }

    /// How often it has taken a path: what was not there cannot be there before this changes.
    pub const fn additions(&self) -> u64 {
        self.additions
    }

    /// The shortest path to `destination`.
    pub fn find(&mut self, destination: NodeId, now: Time) -> Option<Path> {
        self.look(destination, now).map(|(path, _)| path)
    }

    /// The same for a packet that starts here: a path of the secondary part moves to the primary one,
    /// whole.
    pub fn take(&mut self, destination: NodeId, now: Time) -> Option<Path> {
        let (path, place) = self.look(destination, now)?;
        match place {
            FoundIn::Primary(at) => self.primary.slots[at].1 = now,
            FoundIn::Secondary(at) => {
                let whole = std::mem::replace(&mut self.secondary.slots[at].0, Path::EMPTY);
                self.primary.add(whole, now);
            }
        }
        Some(path)
    }

    fn look(&mut self, destination: NodeId, now: Time) -> Option<(Path, FoundIn)> {
        if let Some(timeout) = self.timeout {
            let before = Time::from_nanos(now.nanos().saturating_sub(timeout.nanos()));
            self.primary.expire(before);
            self.secondary.expire(before);
        }
        let primary = self.primary.shortest(destination, usize::MAX);
        let below = primary.map_or(usize::MAX, |(_, hops)| hops);
        if let Some((at, hops)) = self.secondary.shortest(destination, below) {
            return Some((self.secondary.slots[at].0.up_to(hops + 1), FoundIn::Secondary(at)));
        }
        let (at, hops) = primary?;
        Some((self.primary.slots[at].0.up_to(hops + 1), FoundIn::Primary(at)))
    }

    /// The link between these two is broken: what lies behind it on a path is unknown.
    pub fn cut(&mut self, from: NodeId, to: NodeId) {
        self.primary.cut(from, to);
        self.secondary.cut(from, to);
    }

    /// How many paths it holds.
    pub fn len(&self) -> usize {
        self.primary.len() + self.secondary.len()
    }
}

/// Where a path was found.
enum FoundIn {
    Primary(usize),
    Secondary(usize),
}

#[cfg(test)]
mod tests;
