//! Where every node is at any time, and which nodes may be near each other.
//!
//! Positions are exact. To find out whom a transmission reaches without asking all nodes, every
//! node has an anchor, which is never more than half a margin away from it: the middle of the
//! section of its track that it is on. Nodes whose anchors are at most the reach and the margin
//! apart are candidates of each other (a Verlet list). Only a node that comes to the next
//! section changes its candidates, and only with itself.

use multihop_core::{Duration, NodeId, Schedule, Time};
use multihop_setup::Node;
use multihop_setup::{Leg, Track};

use crate::grid::Grid;

/// The margin is this share of the reach. More makes longer lists, less makes more changes.
const MARGIN: f64 = 1.0 / 16.0;

/// In m: it bounds the work where nobody senses anything.
const LEAST_MARGIN: f64 = 1.0;

/// Candidates may be that much farther apart, in m, for the rounding of positions.
const ROUNDING: f64 = 1e-3;

/// A place that moves evenly, until further notice.
#[derive(Clone, Copy, Debug)]
struct MovingPoint {
    since: Time,
    /// In m, at that time.
    x: f64,
    y: f64,
    /// In m/ns.
    speed: (f64, f64),
}

impl MovingPoint {
    fn still((x, y): (f64, f64)) -> Self {
        MovingPoint { since: Time::ZERO, x, y, speed: (0.0, 0.0) }
    }

    fn along(leg: &Leg) -> Self {
        let duration = leg.end.since(leg.start).nanos() as f64;
        let ((x, y), to) = (leg.from, leg.to);
        MovingPoint {
            since: leg.start,
            x,
            y,
            speed: ((to.0 - x) / duration, (to.1 - y) / duration),
        }
    }

    fn at(&self, now: Time) -> (f64, f64) {
        let passed = now.since(self.since).nanos().cast_signed() as f64;
        (self.x + self.speed.0 * passed, self.y + self.speed.1 * passed)
    }
}

/// The movement of all nodes.
pub struct Movement {
    tracks: Vec<Track>,
    /// Whether no node ever enters or leaves.
    always: bool,
    /// For every node, the number of the first leg that it has not finished.
    legs: Vec<usize>,
    places: Vec<MovingPoint>,
    /// When what is known of a node must be looked at again.
    changes: Schedule,
    anchors: Vec<(f64, f64)>,
    /// The anchors by where they are; without any if nobody moves.
    grid: Grid,
    /// For every node, its candidates in ascending order.
    near: Vec<Vec<u32>>,
    /// Nobody senses a transmission from farther away, in m.
    reach: f64,
    /// In m.
    margin: f64,
    /// The node's new candidates while they are compared with the old ones.
    scratch: Vec<u32>,
}

impl Movement {
    /// The movement of `nodes`, whose transmissions nobody senses beyond `reach` m.
    pub fn new(nodes: &[Node], reach: f64) -> Self {
        let count = nodes.len();
        let places: Vec<(f64, f64)> = nodes.iter().map(|node| (node.x, node.y)).collect();
        let margin = (reach * MARGIN).max(LEAST_MARGIN);
        let mut movement = Movement {
            tracks: nodes.iter().map(|node| node.track.clone()).collect(),
            always: nodes.iter().all(|node| node.track.present.is_empty()),
            legs: vec![0; count],
            places: places.iter().copied().map(MovingPoint::still).collect(),
            changes: Schedule::new(count),
            grid: Grid::new(area(nodes), within(reach, margin), count),
            anchors: places,
            near: vec![Vec::new(); count],
            reach,
            margin,
            scratch: Vec::new(),
        };
        if movement.any() {
            for node in 0..count {
                movement.look(node, Time::ZERO);
                movement.grid.add(node as u32, movement.anchors[node]);
            }
            for node in 0..count {
                movement.find_candidates(node);
            }
        }
        movement
    }

    /// Whether any node ever moves, enters or leaves.
    pub fn any(&self) -> bool {
        self.tracks.iter().any(|track| !track.is_still())
    }

    /// Whether the radio of `node` is on at `now`.
    pub fn is_present(&self, node: u32, now: Time) -> bool {
        self.always || self.tracks[node as usize].is_present(now)
    }

    /// The position of `node` in m at `now`, which must not be before the last
    /// [`Movement::advance`].
    pub fn position(&self, node: NodeId, now: Time) -> (f64, f64) {
        let node = node.index();
        let legs = &self.tracks[node].legs;
        let begun = legs.partition_point(|leg| leg.start <= now);
        match begun.checked_sub(1).map(|last| &legs[last]) {
            Some(leg) if leg.end <= now => leg.to,
            Some(leg) => MovingPoint::along(leg).at(now),
            None => self.places[node].at(now),
        }
    }

    /// It is `now`, and never earlier again.
    pub fn advance(&mut self, now: Time) {
        loop {
            let (at, node) = self.changes.next();
            if at > now {
                break;
            }
            let anchor = self.anchors[node];
            self.look(node, now);
            if self.anchors[node] != anchor {
                self.grid.remove(node as u32, anchor);
                self.grid.add(node as u32, self.anchors[node]);
                self.find_candidates(node);
            }
        }
    }

    /// Call `near` with everybody who may sense what `node` transmits at `now`, the time of the
    /// last [`Movement::advance`], with how far away he is, in m, and with whether the two come closer.
    pub fn each_near(&self, node: u32, now: Time, mut near: impl FnMut(u32, f64, bool)) {
        let here = self.places[node as usize].at(now);
        let limit = self.reach * self.reach;
        for &other in &self.near[node as usize] {
            let apart = difference(here, self.places[other as usize].at(now));
            let squares = product(apart, apart);
            if squares <= limit && self.is_present(other, now) {
                near(other, libm::sqrt(squares), self.closes(node, other, apart));
            }
        }
    }

    /// Whether two nodes come closer at `now`, the time of the last [`Movement::advance`].
    pub fn is_closing(&self, one: u32, other: u32, now: Time) -> bool {
        let place = |node: u32| self.places[node as usize].at(now);
        self.closes(one, other, difference(place(one), place(other)))
    }

    /// [`Movement::is_closing`] of two nodes that are so far apart, in m.
    fn closes(&self, one: u32, other: u32, apart: (f64, f64)) -> bool {
        let speed = |node: u32| self.places[node as usize].speed;
        product(apart, difference(speed(one), speed(other))) < 0.0
    }

    /// Where is `node` at `now`, where is its anchor, and until when?
    fn look(&mut self, node: usize, now: Time) {
        let legs = &self.tracks[node].legs;
        while let Some(leg) = legs.get(self.legs[node]).filter(|leg| leg.end <= now) {
            self.legs[node] += 1;
            self.places[node] = MovingPoint::still(leg.to);
        }
        let until = match legs.get(self.legs[node]) {
            Some(leg) if leg.start <= now => {
                let place = MovingPoint::along(leg);
                let (middle, end) = section(leg, self.margin, now);
                self.places[node] = place;
                self.anchors[node] = place.at(middle);
                end
            }
            next => {
                // The anchor of the last section may still be near enough.
                let (here, half) = (self.places[node].at(now), self.margin / 2.0);
                if square_of_distance(here, self.anchors[node]) > half * half {
                    self.anchors[node] = here;
                }
                next.map_or(Time::NEVER, |leg| leg.start)
            }
        };
        self.changes.set(node, until);
    }

    /// The anchor of `node` is a new one: find the candidates again.
    fn find_candidates(&mut self, node: usize) {
        let mut found = std::mem::take(&mut self.scratch);
        let here = self.anchors[node];
        let (me, limit) = (node as u32, within(self.reach, self.margin));
        let near = |other: &u32| {
            let there = self.anchors[*other as usize];
            *other != me && square_of_distance(here, there) <= limit * limit
        };
        found.clear();
        found.extend(self.grid.near(here).filter(near));
        found.sort_unstable();
        let before = std::mem::take(&mut self.near[node]);
        for lost in before.iter().filter(|other| found.binary_search(other).is_err()) {
            let near = &mut self.near[*lost as usize];
            if let Ok(at) = near.binary_search(&me) {
                near.remove(at);
            }
        }
        for new in found.iter().filter(|other| before.binary_search(other).is_err()) {
            let near = &mut self.near[*new as usize];
            if let Err(at) = near.binary_search(&me) {
                near.insert(at, me);
            }
        }
        self.near[node] = found;
        self.scratch = before;
    }
}

/// Anchors at most so far apart, in m, are those of candidates.
fn within(reach: f64, margin: f64) -> f64 {
    reach + margin + ROUNDING
}

/// The lowest and the highest corner of the area that the nodes are in at any time.
fn area<'a>(nodes: &'a [Node]) -> ((f64, f64), (f64, f64)) {
    let ends = |node: &'a Node| node.track.legs.iter().flat_map(|leg| [leg.from, leg.to]);
    let places = nodes.iter().flat_map(|node| ends(node).chain([(node.x, node.y)]));
    places.fold(((0.0, 0.0), (0.0, 0.0)), |(low, high): ((f64, f64), (f64, f64)), (x, y)| {
        ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)))
    })
}

fn difference(one: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    (one.0 - other.0, one.1 - other.1)
}

fn square_of_distance(here: (f64, f64), there: (f64, f64)) -> f64 {
    let apart = difference(here, there);
    product(apart, apart)
}

fn product(one: (f64, f64), other: (f64, f64)) -> f64 {
    one.0 * other.0 + one.1 * other.1
}

/// A leg is cut into sections of equal duration, none longer than `margin`: when is a node in the
/// middle of the one that it is on at `now`, and when at its end?
fn section(leg: &Leg, margin: f64, now: Time) -> (Time, Time) {
    let length = libm::sqrt(square_of_distance(leg.from, leg.to));
    let sections = libm::ceil(length / margin).max(1.0) as u64;
    let duration = (leg.end.since(leg.start).nanos() / sections).max(1);
    let begin =
        leg.start + Duration::from_nanos(duration) * (now.since(leg.start).nanos() / duration);
    let end = (begin + Duration::from_nanos(duration)).min(leg.end);
    (begin + Duration::from_nanos(duration / 2), end)
}
