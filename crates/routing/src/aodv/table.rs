//! The route table and its precursor lists (RFC 3561, sections 2 and 6.2).

use multihop_core::{Duration, NodeId, Time};

use super::message::Sequence;
use super::parameters::{
    LATENCIES, LONGEST_WAIT, MOST_KNOWN, MOST_PRECURSORS, NET_DIAMETER, NODE_TRAVERSAL_TIME,
    REQUEST_RETRIES, TICK, TTL_INCREMENT, TTL_START, TTL_THRESHOLD, tick_after,
};
use super::settings::Settings;

/// The hop count of a route that is not there.
pub const FAR: u8 = u8::MAX;

/// Whether a route can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It can.
    Up,
    /// This node repairs it (RFC 3561, 6.12): packets are held.
    InRepair,
    /// It cannot.
    Down,
}

/// What is known about one destination.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where the route leads.
    pub destination: NodeId,
    /// The destination's sequence number, if one is known.
    pub sequence: Option<Sequence>,
    /// Hops to the destination; [`FAR`] while the route is down.
    pub hops: u8,
    /// The neighbour to which packets go.
    pub next: NodeId,
    /// Whether the route can be used.
    pub state: State,
    /// Until when, if nobody uses it.
    pub expires: Time,
    /// When it went down last.
    pub down_from: Time,
    /// Until when this node tries to repair it, if that is limited.
    pub repaired_until: Option<Time>,
    /// The neighbours that are known to use this route.
    pub precursors: Vec<NodeId>,
    /// The search for a route.
    pub search: Search,
}

impl Entry {
    fn unknown(destination: NodeId) -> Self {
        Entry {
            destination,
            sequence: None,
            hops: FAR,
            next: destination,
            state: State::Down,
            expires: Time::ZERO,
            down_from: Time::ZERO,
            repaired_until: None,
            precursors: Vec::new(),
            search: Search::default(),
        }
    }

    /// Whether the route can be used now. ns-2's route cache timer takes routes down that have
    /// expired, so that a route lives on until it runs out the next time.
    pub fn is_up(&self, now: Time) -> bool {
        self.state == State::Up && now < tick_after(self.expires, TICK)
    }

    /// The next hop and the number of hops, if the route can be used now.
    pub fn way(&self, now: Time) -> Option<(NodeId, u8)> {
        self.is_up(now).then_some((self.next, self.hops))
    }

    /// RFC 3561, 6.2: a route is replaced by one with a newer sequence number, or by a shorter
    /// one with the same.
    pub fn is_worse_than(&self, sequence: Sequence, hops: u8) -> bool {
        self.sequence.is_none_or(|known| {
            sequence.is_newer_than(known) || (sequence == known && hops < self.hops)
        })
    }

    /// Take a route that was announced.
    pub fn update(&mut self, sequence: Sequence, hops: u8, next: NodeId) {
        self.sequence = Some(sequence);
        self.hops = hops;
        self.next = next;
        self.state = State::Up;
    }

    /// RFC 3561, 6.11: the route is invalidated at `now`. As in ns-2 it keeps nothing of its life, to which a
    /// request that comes later would add (6.5).
    pub fn take_down(&mut self, now: Time) {
        if self.state != State::Down {
            self.down_from = now;
            self.search.last_hops = self.hops;
            self.hops = FAR;
            self.expires = Time::ZERO;
            self.state = State::Down;
        }
    }

    /// The route broke here at `now`, or expired then: whoever is asked for it must know of a newer one.
    pub fn lose(&mut self, now: Time) {
        self.sequence = self.sequence.map(|sequence| sequence.plus(1));
        self.take_down(now);
    }

    /// Remember that packets come from `neighbour`.
    pub fn add_precursor(&mut self, neighbour: NodeId) {
        if self.precursors.len() < MOST_PRECURSORS && !self.precursors.contains(&neighbour) {
            self.precursors.push(neighbour);
        }
    }
}

/// What an answer to [`Search::next`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// It is too early.
    Wait,
    /// All retries are spent: there is a pause now.
    GiveUp,
    /// Send a request with this time to live.
    Ask(u8),
}

/// The state of the search for one destination (RFC 3561, 6.3 and 6.4).
#[derive(Clone, Debug)]
pub struct Search {
    /// No request before this time.
    pub timeout: Time,
    /// How many requests have gone through the whole network since the last route.
    pub floods: u32,
    /// The time to live of the last request, or the hops of the last route.
    pub last_ttl: u8,
    /// The hops of the route that went down last; [`FAR`] if none has.
    pub last_hops: u8,
    /// The last discovery latencies per hop; zero where there was none.
    latencies: [Duration; LATENCIES],
    oldest: usize,
}

impl Default for Search {
    fn default() -> Self {
        Search {
            timeout: Time::ZERO,
            floods: 0,
            last_ttl: 0,
            last_hops: FAR,
            latencies: [Duration::ZERO; LATENCIES],
            oldest: 0,
        }
    }
}

impl Search {
    /// A packet wants the route that is not there: what to do about it. With [`Settings::expanding_ring`] the
    /// first search of all begins with [`TTL_START`].
    ///
    /// Deviation: ns-2 2.35 takes a route that never was for one of [`FAR`] hops, and so
    /// searches for it in the whole network at once.
    pub fn next(&mut self, now: Time, settings: &Settings) -> Probe {
        if self.timeout > now {
            return Probe::Wait;
        }
        if self.floods > REQUEST_RETRIES {
            self.floods = 0;
            self.timeout = now + settings.scaled(LONGEST_WAIT);
            return Probe::GiveUp;
        }
        let last_hops =
            if settings.expanding_ring && self.last_hops == FAR { 0 } else { self.last_hops };
        let ttl = match self.last_ttl.max(last_hops) {
            0 => TTL_START,
            last if last < TTL_THRESHOLD => last + TTL_INCREMENT,
            _ => {
                self.floods += 1;
                NET_DIAMETER
            }
        };
        self.last_ttl = ttl;
        let wait =
            self.hop_latency(settings) * (2 * u64::from(ttl) * u64::from(self.floods.max(1)));
        self.timeout = now + wait.min(settings.scaled(LONGEST_WAIT));
        Probe::Ask(ttl)
    }

    /// There is a route of `hops` hops.
    pub fn found(&mut self, hops: u8) {
        self.floods = 0;
        self.timeout = Time::ZERO;
        self.last_ttl = hops;
    }

    /// A search took `latency` per hop, there and back.
    pub fn measured(&mut self, latency: Duration) {
        self.latencies[self.oldest] = latency;
        self.oldest = (self.oldest + 1) % LATENCIES;
    }

    /// How long a hop takes, there and back.
    fn hop_latency(&self, settings: &Settings) -> Duration {
        let measured = self.latencies.iter().filter(|latency| **latency > Duration::ZERO);
        let (count, sum) =
            measured.fold((0, 0), |(count, sum), latency| (count + 1, sum + latency.nanos()));
        let assumed = settings.scaled(NODE_TRAVERSAL_TIME);
        sum.checked_div(count).map_or(assumed, Duration::from_nanos)
    }
}

/// The route table: the entries in the order of their destinations. None is deleted while there
/// is room, as in ns-2: its sequence number keeps old news away, until it is forgotten
/// ([`Table::expire`]).
#[derive(Clone, Debug, Default)]
pub struct Table {
    entries: Vec<Entry>,
    /// Nothing expires before: routes do so at ticks.
    next_expiry: Time,
}

impl Table {
    fn position(&self, destination: NodeId) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&destination, |entry| entry.destination)
    }

    /// What is known about `destination`, if anything.
    pub fn get(&self, destination: NodeId) -> Option<&Entry> {
        self.position(destination).ok().map(|at| &self.entries[at])
    }

    /// What is known about `destination`, if anything.
    pub fn get_mut(&mut self, destination: NodeId) -> Option<&mut Entry> {
        self.position(destination).ok().map(|at| &mut self.entries[at])
    }

    /// What is known about `destination`, be it nothing.
    pub fn entry(&mut self, destination: NodeId) -> &mut Entry {
        let at = self.position(destination).unwrap_or_else(|at| self.insert(at, destination));
        &mut self.entries[at]
    }

    /// A new entry before the one at `at`. If the table is full, the next one that is down makes room. Its
    /// place.
    fn insert(&mut self, at: usize, destination: NodeId) -> usize {
        let entry = Entry::unknown(destination);
        if self.entries.len() < MOST_KNOWN {
            self.entries.insert(at, entry);
            return at;
        }
        let is_down = |entry: &Entry| entry.state == State::Down;
        let (before, behind) = self.entries.split_at(at);
        let next = behind.iter().position(is_down).map(|next| at + next);
        let out = next.or_else(|| before.iter().rposition(is_down)).unwrap_or(0);
        if out < at {
            self.entries[out..at].rotate_left(1);
        } else {
            self.entries[at..=out].rotate_right(1);
        }
        let at = at - usize::from(out < at);
        self.entries[at] = entry;
        at
    }

    /// How many entries and precursors there are.
    pub fn footprint(&self) -> usize {
        self.entries.iter().map(|entry| 1 + entry.precursors.len()).sum()
    }

    /// All entries.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut()
    }

    /// Take down what has expired by `now` (6.1: its sequence number is incremented), and forget the
    /// sequence numbers of what has been down for `delete_period`, if there is one.
    pub fn expire(&mut self, now: Time, delete_period: Option<Duration>) {
        if now < self.next_expiry {
            return;
        }
        self.next_expiry = tick_after(now, TICK);
        for entry in &mut self.entries {
            if entry.state == State::Up && !entry.is_up(now) {
                entry.lose(entry.expires);
            }
            let is_over =
                |period| entry.state == State::Down && now.since(entry.down_from) >= period;
            if delete_period.is_some_and(is_over) {
                entry.sequence = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_destinations_do_not_fill_the_memory() {
        let mut table = Table::default();
        table.entry(NodeId(1_000_000)).update(Sequence(2), 3, NodeId(1));
        for number in 0..2 * MOST_KNOWN as u32 {
            let entry = table.entry(NodeId(number));
            assert_eq!(entry.destination, NodeId(number));
        }
        assert_eq!(table.iter_mut().count(), MOST_KNOWN);
        assert!(table.entries.is_sorted_by_key(|entry| entry.destination));
        assert_eq!(table.get(NodeId(1_000_000)).map(|entry| entry.hops), Some(3), "it is in use");
    }
}
