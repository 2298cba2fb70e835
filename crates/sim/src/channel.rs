//! Who hears whom, how strongly, and how much later.

use multihop_core::{Duration, NodeId, Purpose, Rng, Time, inverse_normal, normal};
use multihop_routing::Neighbours;
use multihop_scenario::SPEED_OF_LIGHT;
use multihop_scenario::setup::{self, Propagation};

use crate::mac::{Arrival, Frame, LossCause};

/// Links on which fewer than one frame in this many is sensed are left out.
const NEGLIGIBLE: f64 = 1e-9;

/// One node's signal at another.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: u32,
    delay: Duration,
    /// Mean power in dBW.
    power: f64,
    /// Probability that a frame is sensed.
    sensed: f64,
}

/// The shared channel.
pub struct Channel {
    radio: setup::Radio,
    positions: Vec<(f64, f64)>,
    links: Vec<Vec<Link>>,
    /// In dBW.
    receive_threshold: f64,
    /// In dBW.
    sense_threshold: f64,
    /// Standard deviation of the shadowing in dB; zero without it.
    deviation: f64,
    /// Logarithm of the probability that a byte survives.
    byte_survival: f64,
    rng: Rng,
}

fn decibel(ratio: f64) -> f64 {
    10.0 * libm::log10(ratio)
}

impl Channel {
    /// The channel between `nodes` in the run with `seed`.
    pub fn new(nodes: &[setup::Node], radio: setup::Radio, seed: u64) -> Self {
        let deviation = match radio.propagation {
            Propagation::LogNormalShadowing { deviation, .. } => deviation,
            Propagation::FreeSpace | Propagation::TwoRayGround => 0.0,
        };
        let mut channel = Channel {
            receive_threshold: decibel(radio.receive_threshold),
            sense_threshold: decibel(radio.sense_threshold),
            deviation,
            byte_survival: 8.0 * libm::log1p(-radio.bit_error_rate),
            rng: Rng::stream(seed, NodeId(0), Purpose::Medium),
            positions: nodes.iter().map(|node| (node.x, node.y)).collect(),
            links: Vec::new(),
            radio,
        };
        let count = nodes.len() as u32;
        channel.links = (0..count)
            .map(|from| (0..count).filter_map(|to| channel.link(from, to)).collect())
            .collect();
        channel
    }

    /// Nodes that routing may use as next hops.
    pub fn neighbours(&self) -> Neighbours {
        let near = |(from, links): (usize, &Vec<Link>)| {
            let near = links.iter().map(|link| NodeId(link.to));
            near.filter(|to| self.in_range(NodeId(from as u32), *to)).collect()
        };
        self.links.iter().enumerate().map(near).collect()
    }

    /// Whether two nodes are neighbours.
    pub fn in_range(&self, from: NodeId, to: NodeId) -> bool {
        self.distance(from.0, to.0) <= self.radio.neighbour_range
    }

    /// For every node, those that sense what it transmits.
    pub fn sensing(&self) -> Vec<Vec<NodeId>> {
        let near = |links: &Vec<Link>| links.iter().map(|link| NodeId(link.to)).collect();
        self.links.iter().map(near).collect()
    }

    /// Mobility: `node` is now at (`x`, `y`), in m. Frames under way are not affected.
    pub fn move_node(&mut self, node: NodeId, x: f64, y: f64) {
        let moved = node.0;
        self.positions[node.index()] = (x, y);
        for other in (0..self.positions.len() as u32).filter(|other| *other != moved) {
            for (from, to) in [(moved, other), (other, moved)] {
                let link = self.link(from, to);
                let links = &mut self.links[from as usize];
                match (links.binary_search_by_key(&to, |link| link.to), link) {
                    (Ok(at), Some(link)) => links[at] = link,
                    (Ok(at), None) => _ = links.remove(at),
                    (Err(at), Some(link)) => links.insert(at, link),
                    (Err(_), None) => {}
                }
            }
        }
    }

    /// Call `arrive` with every node that senses `frame`, which starts at `now`.
    pub fn arrivals(&mut self, frame: &Frame, now: Time, mut arrive: impl FnMut(NodeId, Arrival)) {
        for link in &self.links[frame.from as usize] {
            let mut power = link.power;
            if self.deviation > 0.0 {
                // One draw for both questions: whether the frame is sensed at all, and how
                // strong it is if so.
                let rank = self.rng.unit();
                if rank >= link.sensed {
                    continue;
                }
                power -= self.deviation * inverse_normal(rank);
            }
            let spoiled = if power < self.receive_threshold {
                Some(LossCause::TooWeak)
            } else if self.byte_survival < 0.0
                && !self.rng.chance(libm::exp(self.byte_survival * f64::from(frame.bytes.0)))
            {
                Some(LossCause::BitError)
            } else {
                None
            };
            let start = now + link.delay;
            arrive(NodeId(link.to), Arrival { frame: *frame, power, start, spoiled });
        }
    }

    fn distance(&self, from: u32, to: u32) -> f64 {
        let (here, there) = (self.positions[from as usize], self.positions[to as usize]);
        libm::hypot(here.0 - there.0, here.1 - there.1)
    }

    fn link(&self, from: u32, to: u32) -> Option<Link> {
        let distance = self.distance(from, to);
        let power = decibel(self.radio.propagation.mean_power(&self.radio, distance));
        let margin = power - self.sense_threshold;
        let sensed = if self.deviation > 0.0 {
            normal(margin / self.deviation)
        } else {
            f64::from(u8::from(margin >= 0.0))
        };
        let delay = Duration::from_seconds(distance / SPEED_OF_LIGHT);
        (from != to && sensed > NEGLIGIBLE).then_some(Link { to, delay, power, sensed })
    }
}
