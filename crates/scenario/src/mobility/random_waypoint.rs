//! The random way-point model.

use multihop_core::{Duration, NodeId, Purpose, Rng, Time};

use super::walk::{Order, Walk};
use super::{MOST_LEGS, key};
use crate::error::Fault;
use crate::form::MobilitySection;
use crate::quantity::{Span, Speed};
use multihop_setup::Node;
use multihop_setup::Track;

/// How and where the nodes move.
pub(super) struct RandomWaypoint {
    /// Corners in m.
    area: [(f64, f64); 2],
    /// In m/s.
    speed: (f64, f64),
    /// In s.
    pause: (f64, f64),
    seed: u64,
    end: Time,
    /// How many legs are left before the network has too many.
    left: usize,
}

impl RandomWaypoint {
    pub(super) fn new(
        section: &MobilitySection,
        area: [(f64, f64); 2],
        seed: u64,
        end: Time,
    ) -> Result<Self, Fault> {
        Ok(RandomWaypoint {
            speed: speeds(section)?,
            pause: pauses(section)?,
            area,
            seed: section.mobility_seed.unwrap_or(seed),
            end,
            left: MOST_LEGS,
        })
    }

    /// The movement of node number `index` to the end of the run.
    pub(super) fn track(&mut self, index: usize, node: &Node) -> Result<Track, Fault> {
        let mut rng = Rng::stream(self.seed, NodeId(index as u32), Purpose::Mobility);
        let between = |rng: &mut Rng, (low, high): (f64, f64)| rng.between(low, high);
        let [low, high] = self.area;
        let mut walk = Walk::from((node.x, node.y));
        let mut at = Time::ZERO;
        loop {
            at += Duration::from_seconds(between(&mut rng, self.pause));
            if at >= self.end {
                return Ok(walk.track());
            }
            let x = between(&mut rng, (low.0, high.0));
            let to = (x, between(&mut rng, (low.1, high.1)));
            let speed = between(&mut rng, self.speed);
            at = walk.go(Order { at, to, speed });
            self.left = self.left.checked_sub(1).ok_or_else(|| {
                let message = format!(
                    "makes more than {MOST_LEGS} ways until the end of the run; pause longer, go \
                     slower, or shorten the run"
                );
                Fault::new(key("max_speed"), message)
            })?;
        }
    }
}

fn speeds(section: &MobilitySection) -> Result<(f64, f64), Fault> {
    let needed = |name: &str, given: Option<&Speed>| {
        let needs = format!("kind \"random-waypoint\" needs it, as in {name} = \"5 m/s\"");
        given.map(Speed::value).ok_or_else(|| Fault::missing(key(name), &needs))
    };
    let min = needed("min_speed", section.min_speed.as_ref())?;
    let max = needed("max_speed", section.max_speed.as_ref())?;
    if min <= 0.0 {
        let message = "must be above zero, as in min_speed = \"1 m/s\": with speeds down to zero, \
                       ever more nodes are on a way that never ends, and the network slows down \
                       for as long as it is watched";
        return Err(Fault::new(key("min_speed"), message));
    }
    if max < min {
        return Err(Fault::new(key("max_speed"), "must not be less than min_speed"));
    }
    Ok((min, max))
}

fn pauses(section: &MobilitySection) -> Result<(f64, f64), Fault> {
    let seconds = |given: &Span| given.duration().seconds();
    let min = section.min_pause.as_ref().map_or(0.0, seconds);
    let max = section.max_pause.as_ref().map_or(min, seconds);
    if max < min {
        return Err(Fault::new(key("max_pause"), "must not be shorter than min_pause"));
    }
    Ok((min, max))
}

/// The area of the topology, with a corner at the origin, if it has one, or that which the nodes take up at the start.
pub(super) fn area(topology: Option<(f64, f64)>, nodes: &[Node]) -> Result<[(f64, f64); 2], Fault> {
    if let Some(size) = topology {
        return Ok([(0.0, 0.0), size]);
    }
    let infinite = f64::INFINITY;
    let start = [(infinite, infinite), (-infinite, -infinite)];
    let [low, high] = nodes.iter().fold(start, |[low, high], node| {
        [(low.0.min(node.x), low.1.min(node.y)), (high.0.max(node.x), high.1.max(node.y))]
    });
    if low.0 < high.0 && low.1 < high.1 {
        return Ok([low, high]);
    }
    let message = "\"random-waypoint\" needs an area: the nodes move in the rectangle that they \
                   take up at the start, and these stand in a line; use a topology with width and \
                   height, or [[move]] tables";
    Err(Fault::new(key("kind"), message))
}
