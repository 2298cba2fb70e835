//! What comes next.
//!
//! Every entry has one time. A time that has moved leaves nothing behind.

use crate::Time;

/// The low bits of a [`Key`] that hold the entry's number.
const NUMBER_BITS: u32 = 4;

/// So few entries are looked through one by one: quicker than a tree.
const FEW: usize = 1 << NUMBER_BITS;

/// A time before [`Schedule::HORIZON`], and in its low bits whose it is.
type Key = u64;

/// The times of numbered entries: nodes, ends of flows, sources.
#[derive(Clone, Debug)]
pub enum Schedule {
    /// Of few entries.
    List(List),
    /// Of many.
    Tree(Tree),
}

/// Few times, looked through four at a time: the last four is filled up with keys that never come.
#[derive(Clone, Debug)]
pub struct List {
    keys: Vec<Key>,
    entries: usize,
}

/// A tournament tree gives the earliest time at once, and moves one in log2(entries) steps.
#[derive(Clone, Debug)]
pub struct Tree {
    /// `times[1]` is the earliest time of all; `times[leaves + n]` is that of entry n, and every
    /// inner place holds the earlier of the two below it.
    times: Vec<Time>,
    leaves: usize,
    entries: usize,
}

const fn key(entry: usize, at: Time) -> Key {
    let horizon = Schedule::HORIZON.nanos();
    let time = if at.nanos() < horizon { at.nanos() } else { horizon };
    time << NUMBER_BITS | entry as u64
}

const fn time(key: Key) -> Time {
    Time::from_nanos(key >> NUMBER_BITS)
}

impl Schedule {
    /// A time from here on is as good as never: 36 years after the start. Runs end earlier,
    /// because no scenario is longer (`multihop-scenario` refuses it).
    pub const HORIZON: Time = Time::from_nanos(u64::MAX >> NUMBER_BITS);

    /// A schedule of so many entries, whose time never comes.
    pub fn new(entries: usize) -> Self {
        if entries <= FEW {
            let keys = vec![Key::MAX; entries.next_multiple_of(4)];
            let mut few = List { keys, entries };
            (0..entries).for_each(|entry| few.set(entry, Time::NEVER));
            return Schedule::List(few);
        }
        let leaves = entries.next_power_of_two();
        Schedule::Tree(Tree { times: vec![Time::NEVER; 2 * leaves], leaves, entries })
    }

    fn len(&self) -> usize {
        match self {
            Schedule::List(few) => few.entries,
            Schedule::Tree(tree) => tree.entries,
        }
    }

    fn get(&self, entry: usize) -> Time {
        match self {
            Schedule::List(few) => time(few.keys[entry]),
            Schedule::Tree(tree) => tree.times[tree.leaves + entry],
        }
    }

    /// One entry more, behind the others, whose time never comes.
    pub fn push(&mut self) {
        let len = self.len();
        match self {
            Schedule::List(few) if len < few.keys.len() => {
                few.entries += 1;
                few.set(len, Time::NEVER);
            }
            Schedule::Tree(tree) if len < tree.leaves => tree.entries += 1,
            Schedule::List(_) | Schedule::Tree(_) => {
                let mut more = Schedule::new(len + 1);
                (0..len).for_each(|entry| more.set(entry, self.get(entry)));
                *self = more;
            }
        }
    }

    /// This entry is no more: the number of each behind it is one lower from now on.
    pub fn remove(&mut self, entry: usize) {
        let last = self.len() - 1;
        for entry in entry..last {
            self.set(entry, self.get(entry + 1));
        }
        match self {
            Schedule::List(few) => {
                few.keys[last] = Key::MAX;
                few.entries = last;
            }
            Schedule::Tree(tree) => {
                tree.set(last, Time::NEVER);
                tree.entries = last;
            }
        }
    }

    /// The time of `entry` is `at`, and not what was set before.
    #[inline]
    pub fn set(&mut self, entry: usize, at: Time) {
        match self {
            Schedule::List(few) => few.set(entry, at),
            Schedule::Tree(tree) => tree.set(entry, at),
        }
    }

    /// The earliest time, and whose it is. Among equal times the lowest number comes first. If
    /// there is none, the time is [`Schedule::HORIZON`] or later.
    #[inline]
    pub fn next(&self) -> (Time, usize) {
        match self {
            Schedule::List(few) => few.next(),
            Schedule::Tree(tree) => tree.next(),
        }
    }

    /// The earliest time alone.
    #[inline]
    pub fn earliest(&self) -> Time {
        match self {
            Schedule::List(few) => few.next().0,
            Schedule::Tree(tree) => tree.times[1],
        }
    }

    /// The first entry from number `from` on whose time has come by `now`.
    #[expect(clippy::inline_always, reason = "`make count`: twice for every input of a node")]
    #[inline(always)]
    pub fn due(&self, from: usize, now: Time) -> Option<usize> {
        match self {
            Schedule::List(few) => few.due(from, now),
            Schedule::Tree(tree) => tree.due(from, now),
        }
    }
}

impl List {
    #[inline]
    fn set(&mut self, entry: usize, at: Time) {
        self.keys[entry] = key(entry, at);
    }

    #[inline]
    fn next(&self) -> (Time, usize) {
        let mut first = Key::MAX;
        for [a, b, c, d] in self.keys.as_chunks::<4>().0 {
            first = first.min(*a.min(b).min(c.min(d)));
        }
        (time(first), first as usize % FEW)
    }

    #[inline]
    fn due(&self, from: usize, now: Time) -> Option<usize> {
        let last = key(FEW - 1, now);
        let found = self.keys.get(from..self.entries)?.iter().position(|key| *key <= last)?;
        Some(from + found)
    }
}

impl Tree {
    /// Up to the top, also where nothing changes any more: where that is, nobody can foresee, and a jump that was
    /// not foreseen takes longer than the rest of the way.
    #[inline]
    fn set(&mut self, entry: usize, at: Time) {
        let (mut place, mut earliest) = (self.leaves + entry, at);
        self.times[place] = earliest;
        while place > 1 {
            earliest = earliest.min(self.times[place ^ 1]);
            place /= 2;
            self.times[place] = earliest;
        }
    }

    fn next(&self) -> (Time, usize) {
        let earliest = self.times[1];
        let mut place = 1;
        while place < self.leaves {
            place *= 2;
            if self.times[place] != earliest {
                place += 1;
            }
        }
        (earliest, place - self.leaves)
    }

    fn due(&self, from: usize, now: Time) -> Option<usize> {
        if self.times[1] > now || from >= self.leaves {
            return None;
        }
        let mut place = self.leaves + from;
        while self.times[place] > now {
            // To the right, above what has been looked through.
            while place % 2 == 1 {
                place /= 2;
            }
            if place == 0 {
                return None;
            }
            place += 1;
        }
        while place < self.leaves {
            place *= 2;
            if self.times[place] > now {
                place += 1;
            }
        }
        Some(place - self.leaves)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lists, trees, and where one becomes the other.
    fn sizes() -> impl Strategy<Value = usize> {
        prop::sample::select(vec![1, 2, FEW - 1, FEW, FEW + 1, 33, 1000])
    }

    proptest! {
        #[test]
        fn the_next_is_always_the_earliest(
            entries in sizes(),
            moves in prop::collection::vec((any::<usize>(), 0u64..50), 1..300),
        ) {
            let mut schedule = Schedule::new(entries);
            prop_assert!(schedule.next().0 >= Schedule::HORIZON);
            let mut times = vec![Time::NEVER; entries];
            for (entry, at) in moves {
                // Few entries of many, so that they are moved again; and some are cancelled.
                let entry = entry % entries.min(40);
                let at = if at == 0 { Time::NEVER } else { Time::from_nanos(at) };
                times[entry] = at;
                schedule.set(entry, at);
                prop_assert_eq!(schedule.earliest(), schedule.next().0);
                let earliest = (0..entries).min_by_key(|&n| (times[n], n)).expect("some entries");
                if times[earliest] == Time::NEVER {
                    prop_assert!(schedule.next().0 >= Schedule::HORIZON);
                } else {
                    prop_assert_eq!(schedule.next(), (times[earliest], earliest));
                }
            }
        }

        #[test]
        fn what_is_due_is_found_from_any_number_on(
            entries in sizes(),
            moves in prop::collection::vec((any::<usize>(), 0u64..50), 0..40),
            from in 0usize..40,
            now in 0u64..50,
        ) {
            let mut schedule = Schedule::new(entries);
            let mut times = vec![Time::NEVER; entries];
            for (entry, at) in moves {
                times[entry % entries] = Time::from_nanos(at);
                schedule.set(entry % entries, Time::from_nanos(at));
            }
            let (from, now) = (from * entries / 32, Time::from_nanos(now));
            let first = (from..entries).find(|&entry| times[entry] <= now);
            prop_assert_eq!(schedule.due(from, now), first);
        }
    }

    proptest! {
        #[test]
        fn entries_come_and_go(
            entries in sizes(),
            changes in prop::collection::vec((any::<usize>(), any::<bool>(), 0u64..50), 1..100),
        ) {
            let mut schedule = Schedule::new(entries);
            let mut times = vec![Time::NEVER; entries];
            for (entry, comes, at) in changes {
                if comes || times.is_empty() {
                    schedule.push();
                    schedule.set(times.len(), Time::from_nanos(at));
                    times.push(Time::from_nanos(at));
                } else {
                    let entry = entry % times.len();
                    schedule.remove(entry);
                    times.remove(entry);
                }
                let now = Time::from_nanos(49);
                for from in [0, entry % (times.len() + 1)] {
                    let first = (from..times.len()).find(|&entry| times[entry] <= now);
                    prop_assert_eq!(schedule.due(from, now), first);
                }
                match (0..times.len()).min_by_key(|&n| (times[n], n)) {
                    Some(first) if times[first] < Time::NEVER => {
                        prop_assert_eq!(schedule.next(), (times[first], first));
                    }
                    _ => prop_assert!(schedule.next().0 >= Schedule::HORIZON),
                }
            }
        }
    }

    #[test]
    fn a_time_beyond_the_horizon_never_comes_before_one_within() {
        let last = Time::from_nanos(Schedule::HORIZON.nanos() - 1);
        for entries in [2, FEW + 1] {
            for late in [Schedule::HORIZON, Time::from_nanos(u64::MAX - 1), Time::NEVER] {
                let mut schedule = Schedule::new(entries);
                schedule.set(0, late);
                schedule.set(1, last);
                assert_eq!(schedule.next(), (last, 1));
            }
        }
    }
}
