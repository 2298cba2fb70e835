//! What a node does about rosters: it takes the parts of the newest, passes them on, and changes the network's key with it.
//! No file, no socket and no clock.
//!
//! A node has the keys of several rosters at most, and opens frames of all of them. It seals with the newest for which one of these holds:
//!
//! - The roster has been complete here for `grace`. Neighbours are as far, or a hop behind.
//! - A frame of that key was opened, and none of an older one within `grace`: nobody here seals with the older one any more. So a
//!   node that comes back is heard at once.
//!
//! It opens frames of older keys until a roster has been complete for twice `grace`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use multihop_core::{Duration, NodeId, Purpose, Rng, Time};

use crate::bucket::Bucket;
use crate::roster::{Authority, Clear, Edition, Identity, MOST_PARTS, Part, Summary};
use crate::seal::NetworkKey;

use super::trickle::Trickle;

/// A node says what it has this often after a change, and then ever more rarely.
const SHORTEST: Duration = Duration::from_millis(1_000);
/// The longest interval: in each of them a node says once what it has, so 0.8 % of a frame in a second.
const LONGEST: Duration = Duration::from_millis(128_000);
/// The longest while parts are lacking, or the keys change, here or perhaps at a neighbour.
const CHANGING: Duration = Duration::from_millis(2_000);
/// Frames about rosters take one of so many parts of the time.
const SHARE: u64 = 100;
/// The least time between two of them.
const GAP: Duration = Duration::from_millis(100);
/// A part that somebody lacks is sent after up to so long, unless another node has sent it by then.
const SPREAD: Duration = Duration::from_millis(500);
/// Signatures that are checked at once, and in a second after that.
const CHECKS: u32 = 32;
const CHECKS_A_SECOND: u64 = 10;
/// So many keys at most: two changes at a time leave nobody out.
const MOST_KEYS: usize = 3;

/// Why a frame about rosters was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It has another form.
    Malformed,
    /// The authority has not signed it.
    NotSigned,
    /// It is of an older roster than the one that is known.
    Old,
    /// There were too many signatures to check.
    Unchecked,
}

impl Refused {
    /// Why, for the operator who has brought it.
    pub const fn words(self) -> &'static str {
        match self {
            Refused::Malformed => "it is no part of a roster",
            Refused::NotSigned => "this network's authority has not signed it",
            Refused::Old => "the node has a newer roster",
            Refused::Unchecked => "there are too many at a time",
        }
    }
}

/// Whether a roster has an entry for this node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// It may stand in a part that is lacking.
    #[default]
    Unknown,
    /// It has, and the key was read.
    Member,
    /// It has one for another identity.
    OtherIdentity,
    /// It has none.
    Absent,
}

/// The newest roster that is known, as far as it has come.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Which it is; number 0 if there is none.
    pub edition: Edition,
    /// How many parts it has.
    pub count: u8,
    /// For how long the key of before seals after it is complete.
    pub grace: Duration,
    /// Since when all parts are here.
    pub since: Option<Time>,
    /// Whether this node is a member.
    pub place: Place,
    parts: BTreeMap<u8, Vec<u8>>,
}

impl Known {
    /// Its parts that are here, by their index.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.parts.values().map(Vec::as_slice)
    }

    /// How many members stand in the parts that are here.
    pub fn members(&self) -> usize {
        self.parts()
            .filter_map(|part| Part::parse(part).ok())
            .map(|part| part.members().count())
            .sum()
    }

    fn held(&self) -> u128 {
        self.parts.keys().fold(0, |held, index| held | 1 << index)
    }
}

/// The key of a roster.
struct Held {
    edition: Edition,
    key: NetworkKey,
    grace: Duration,
    /// From then on it seals: the roster has been complete for long enough.
    seals_at: Time,
    /// When a frame of it was opened the last time.
    opened: Option<Time>,
}

/// What a node does about rosters.
pub struct Membership {
    me: NodeId,
    identity: Identity,
    authority: Authority,
    known: Known,
    /// Of older rosters and the newest, in their order.
    keys: Vec<Held>,
    /// Which of them seals.
    sealing: usize,
    rng: Rng,
    trickle: Trickle,
    /// Whether it is time to say what is here, and whether that was what was said last.
    is_due: bool,
    said_last: bool,
    /// The parts that others lack, from when on to send them, and whose turn it is.
    wanted: u128,
    wanted_at: Time,
    /// The parts that another node was heard to send since this one has: none is left to others twice.
    spared: u128,
    turn: u32,
    /// When the next frame may be sent.
    ready: Time,
    checks: Bucket,
    /// Whether other keys hold since somebody has asked, and whether a roster has become complete.
    news: [bool; 2],
}

impl Membership {
    /// The node `me` with its `identity`, which knows no roster yet. `seed` is for times at random.
    pub fn new(me: NodeId, identity: Identity, authority: Authority, seed: u64) -> Self {
        let mut rng = Rng::stream(seed, me, Purpose::Protocol);
        let trickle = Trickle::new(SHORTEST, LONGEST, Time::ZERO, &mut rng);
        Membership {
            me,
            identity,
            authority,
            known: Known::default(),
            keys: Vec::new(),
            sealing: 0,
            rng,
            trickle,
            is_due: false,
            said_last: false,
            wanted: 0,
            wanted_at: Time::ZERO,
            spared: 0,
            turn: 0,
            ready: Time::ZERO,
            checks: Bucket::new(CHECKS, Duration::from_millis(1_000 / CHECKS_A_SECOND)),
            news: [false; 2],
        }
    }

    /// The newest roster that is known.
    pub const fn known(&self) -> &Known {
        &self.known
    }

    /// The key that seals, and those whose frames are opened, too; nothing if this node is no member.
    pub fn keys(&self) -> Option<(&NetworkKey, Vec<&NetworkKey>)> {
        let key = &self.keys.get(self.sealing)?.key;
        let others = self.keys.iter().enumerate().filter(|(at, _)| *at != self.sealing);
        Some((key, others.map(|(_, held)| &held.key).collect()))
    }

    /// Whether it has a key.
    pub const fn has_key(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Why it has none, if it has none.
    pub fn lacks(&self) -> Option<String> {
        let Edition { number, .. } = self.known.edition;
        let why = match self.known.place {
            _ if self.has_key() => return None,
            _ if number == 0 => {
                "no roster has come yet: `multihop-node spread` brings one".to_owned()
            }
            Place::Unknown | Place::Member => format!("parts of roster {number} are lacking"),
            Place::OtherIdentity => format!(
                "roster {number} has another identity of this node: `multihop-node identity FILE` says what this one is"
            ),
            Place::Absent => format!("roster {number} has no entry for this node"),
        };
        Some(why)
    }

    /// Whether the keys have changed, and whether a roster has become complete, since this was asked the last time.
    pub fn take_news(&mut self) -> [bool; 2] {
        std::mem::take(&mut self.news)
    }

    /// A frame that is not sealed was heard; whether a part was taken from it.
    ///
    /// # Errors
    /// If it was refused.
    pub fn on_frame(&mut self, now: Time, frame: &[u8]) -> Result<bool, Refused> {
        match Clear::parse(frame).map_err(|_| Refused::Malformed)? {
            Clear::Summary(summary) => {
                self.on_summary(now, summary);
                Ok(false)
            }
            Clear::Part(part) => self.on_part(now, &part, false),
        }
    }

    /// The operator has brought a part: its signature is checked without a bound on how often. Whether it was not known.
    ///
    /// # Errors
    /// If it was refused.
    pub fn bring(&mut self, now: Time, part: &[u8]) -> Result<bool, Refused> {
        self.on_part(now, &Part::parse(part).map_err(|_| Refused::Malformed)?, true)
    }

    /// A neighbour, or a stranger, says what it has. A lie costs frames within their bounds, and nothing else.
    fn on_summary(&mut self, now: Time, theirs: Summary) {
        let held = self.known.held();
        if theirs == (Summary { edition: self.known.edition, held }) {
            return;
        }
        // what either of them says next tells the other to go on
        self.trickle.reset(now, &mut self.rng);
        match theirs.edition.cmp(&self.known.edition) {
            Ordering::Less => self.want(now, held),
            Ordering::Equal => self.want(now, held & !theirs.held),
            Ordering::Greater => {}
        }
    }

    /// Others lack these parts.
    fn want(&mut self, now: Time, parts: u128) {
        if self.wanted == 0 && parts != 0 {
            let wait = SPREAD.seconds() * self.rng.unit();
            self.wanted_at = now + Duration::from_seconds(wait);
            self.turn = self.rng.below(MOST_PARTS as u32);
        }
        self.wanted |= parts;
    }

    fn on_part(&mut self, now: Time, part: &Part, is_brought: bool) -> Result<bool, Refused> {
        if part.edition < self.known.edition {
            return Err(Refused::Old);
        }
        if part.edition == self.known.edition {
            let held = self.known.parts.get(&part.index);
            let is_other = held.is_some_and(|held| held != part.bytes);
            if is_other || part.count != self.known.count {
                return Err(Refused::NotSigned);
            }
            if held.is_some() {
                // another node has sent it, or a stranger so that only this one hears it: then it is wanted again
                let bit = 1 << part.index;
                self.wanted &= !(bit & !self.spared);
                self.spared |= bit;
                return Ok(false);
            }
        }
        if !is_brought && !self.checks.take(now) {
            return Err(Refused::Unchecked);
        }
        if !part.is_signed(&self.authority) {
            return Err(Refused::NotSigned);
        }
        self.take(now, part);
        Ok(true)
    }

    /// The authority has signed a part that is new here.
    fn take(&mut self, now: Time, part: &Part) {
        let edition = part.edition;
        if edition > self.known.edition {
            let grace = Duration::from_millis(u64::from(part.grace_s) * 1_000);
            self.known = Known { edition, count: part.count, grace, ..Known::default() };
            (self.wanted, self.spared) = (0, 0);
        }
        match part.key(self.me, &self.identity) {
            Some(Ok(key)) if self.known.place != Place::Member => self.hold(key),
            Some(Err(_)) => self.known.place = Place::OtherIdentity,
            _ => {}
        }
        self.known.parts.insert(part.index, part.bytes.to_vec());
        if self.known.parts.len() == usize::from(self.known.count) {
            self.complete(now);
        }
        self.trickle.reset(now, &mut self.rng);
        self.on_time(now);
    }

    /// The newest roster has this key.
    fn hold(&mut self, key: NetworkKey) {
        let Known { edition, grace, .. } = self.known;
        self.known.place = Place::Member;
        self.keys.push(Held { edition, key, grace, seals_at: Time::NEVER, opened: None });
        if self.keys.len() > MOST_KEYS {
            self.keys.remove(0);
            self.sealing = self.sealing.saturating_sub(1);
        }
        self.news[0] = true;
    }

    fn complete(&mut self, now: Time) {
        let Known { edition, grace, place, .. } = self.known;
        self.known.since = Some(now);
        if place == Place::Unknown {
            self.known.place = Place::Absent;
        }
        if let Some(newest) = self.keys.last_mut().filter(|held| held.edition == edition) {
            newest.seals_at = now + grace;
        }
        self.news[1] = true;
    }

    /// A frame was opened with the key at this place: 0 is the one that seals, then come the others in the order of
    /// [`Membership::keys`].
    pub fn on_opened(&mut self, now: Time, place: usize) {
        let at = match place {
            0 => self.sealing,
            place if place <= self.sealing => place - 1,
            place => place,
        };
        if let Some(held) = self.keys.get_mut(at) {
            held.opened = Some(now);
        }
        if place > 0 {
            self.on_time(now);
        }
    }

    /// From when on the key at this place seals, as far as is known now.
    fn seals_at(&self, at: usize) -> Time {
        let held = &self.keys[at];
        let last = self.keys[..at].iter().filter_map(|older| older.opened).max();
        let quiet = last.map_or(Time::ZERO, |last| last + held.grace);
        if held.opened.is_some() { held.seals_at.min(quiet) } else { held.seals_at }
    }

    /// When keys of older rosters are worth nothing any more.
    fn ends_at(&self) -> Time {
        let is_old = self.keys.first().is_some_and(|held| held.edition < self.known.edition);
        let since = self.known.since.filter(|_| is_old);
        since.map_or(Time::NEVER, |since| since + self.known.grace * 2)
    }

    /// When to call [`Membership::on_time`].
    pub fn deadline(&self) -> Time {
        let seals = (self.sealing + 1..self.keys.len()).map(|at| self.seals_at(at));
        seals.fold(self.ends_at(), Time::min)
    }

    /// Time has passed: another key may seal, and old ones end.
    pub fn on_time(&mut self, now: Time) {
        if self.ends_at() <= now {
            let (before, edition) = (self.keys.len(), self.known.edition);
            self.keys.retain(|held| held.edition >= edition);
            self.sealing = self.sealing.saturating_sub(before - self.keys.len());
            self.news[0] = true;
        }
        let next = (self.sealing + 1..self.keys.len()).rev().find(|at| self.seals_at(*at) <= now);
        if let Some(at) = next {
            self.sealing = at;
            self.news[0] = true;
        }
    }

    /// There is a radio again: others may know something else.
    pub fn on_radio(&mut self, now: Time) {
        self.trickle.reset(now, &mut self.rng);
    }

    /// When to call [`Membership::poll`], while the radio has nothing to send.
    pub fn says_at(&self) -> Time {
        let summary = if self.is_due { Time::ZERO } else { self.trickle.deadline() };
        let part = if self.wanted == 0 { Time::NEVER } else { self.wanted_at };
        summary.min(part).max(self.ready)
    }

    /// The frame that is to be broadcast now, if one is.
    pub fn poll(&mut self, now: Time) -> Option<Vec<u8>> {
        if self.says_at() > now {
            return None;
        }
        let is_over = |since: Time| since + self.known.grace * 2 <= now;
        let most = if self.known.since.is_some_and(is_over) { LONGEST } else { CHANGING };
        self.is_due |= self.trickle.poll(now, most, &mut self.rng);
        // in turns, since strangers can ask for both all the time
        let parts = self.wanted != 0 && self.wanted_at <= now;
        if parts && (self.said_last || !self.is_due) {
            self.said_last = false;
            return self.next_part();
        }
        if !self.is_due {
            return None;
        }
        (self.is_due, self.said_last) = (false, true);
        let Known { edition, .. } = self.known;
        Some(Clear::Summary(Summary { edition, held: self.known.held() }).emit())
    }

    fn next_part(&mut self) -> Option<Vec<u8>> {
        let ahead = self.wanted.rotate_right(self.turn).trailing_zeros();
        let index = (self.turn + ahead) % MOST_PARTS as u32;
        self.wanted &= !(1 << index);
        self.spared &= !(1 << index);
        self.turn = (index + 1) % MOST_PARTS as u32;
        let part = self.known.parts.get(&(index as u8))?;
        Part::parse(part).ok().map(|part| Clear::Part(part).emit())
    }

    /// A frame of [`Membership::poll`] was on the air for so long.
    pub fn on_sent(&mut self, now: Time, air_time: Duration) {
        let random = GAP.seconds() * self.rng.unit();
        self.ready = now + (air_time * (SHARE - 1)).max(GAP + Duration::from_seconds(random));
    }
}

#[cfg(test)]
mod tests;
