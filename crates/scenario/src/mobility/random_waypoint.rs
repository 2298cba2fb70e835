//! The random way-point model.

use multihop_core::{Dimension, Duration, Measure, NodeId, Purpose, Rng, Seed, Span, Time, Values};

use super::walk::{Walk, Waypoint};
use super::{Course, MOST_LEGS, MobilityModel, Movement};
use multihop_setup::{Node, Refusal, Track};

/// The random way-point model.
pub(super) static MODEL: MobilityModel = MobilityModel {
    name: "random-waypoint",
    title: "random way-point",
    source: "Johnson and Maltz 1996",
    about: "Every node pauses, goes to a random place at a random speed, pauses, and so on; each is drawn uniformly",
    params: &[
        MIN_SPEED.param().required(),
        MAX_SPEED.param().required(),
        MIN_PAUSE.param(),
        MAX_PAUSE.param().or("that of min_pause"),
        MOBILITY_SEED.param().or("the scenario's seed"),
    ],
    files: &[],
    make,
};

const fn speed(name: &'static str, about: &'static str, example: f64) -> Measure {
    let dimension = Dimension::Speed;
    Measure { name, about, dimension, default: example, min: 0.0, max: 3e8 }
}

const MIN_SPEED: Measure = speed("min_speed", "Least speed on a way; above zero", 1.0);

const MAX_SPEED: Measure = speed("max_speed", "Greatest speed on a way", 20.0);

const fn pause(name: &'static str, about: &'static str) -> Span {
    let (default, max) = (Duration::ZERO, Duration::from_millis(500_000_000_000));
    Span { name, about, bare_unit: "", default, min: Duration::ZERO, max }
}

const MIN_PAUSE: Span = pause("min_pause", "Shortest pause between two ways");

const MAX_PAUSE: Span = pause("max_pause", "Longest pause between two ways");

const MOBILITY_SEED: Seed =
    Seed { name: "mobility_seed", about: "Fixes the random ways", default: 1 };

/// How the nodes move.
struct RandomWaypoint {
    /// In m/s.
    speed: (f64, f64),
    /// In s.
    pause: (f64, f64),
    seed: Option<u64>,
}

fn make(values: &Values) -> Result<Box<dyn Movement>, Refusal> {
    let seed = values.given(MOBILITY_SEED);
    Ok(Box::new(RandomWaypoint { speed: speeds(values)?, pause: pauses(values)?, seed }))
}

impl Movement for RandomWaypoint {
    fn tracks(self: Box<Self>, course: &Course) -> Result<Vec<Track>, Refusal> {
        let area = area(course.area, course.nodes)?;
        let seed = self.seed.unwrap_or(course.seed);
        let mut left = MOST_LEGS;
        let nodes = course.nodes.iter().enumerate();
        let track = |(index, node)| {
            let rng = Rng::stream(seed, NodeId(index as u32), Purpose::Mobility);
            self.track(node, (area, course.end), rng, &mut left)
        };
        nodes.map(track).collect()
    }
}

impl RandomWaypoint {
    /// The movement of a node to the end of the run; `left` is how many legs are left before the network has too
    /// many.
    fn track(
        &self,
        node: &Node,
        ([low, high], end): ([(f64, f64); 2], Time),
        mut rng: Rng,
        left: &mut usize,
    ) -> Result<Track, Refusal> {
        let between = |rng: &mut Rng, (low, high): (f64, f64)| rng.between(low, high);
        let mut walk = Walk::from((node.x, node.y));
        let mut at = Time::ZERO;
        loop {
            at += Duration::from_seconds(between(&mut rng, self.pause));
            if at >= end {
                return Ok(walk.track());
            }
            let x = between(&mut rng, (low.0, high.0));
            let to = (x, between(&mut rng, (low.1, high.1)));
            let speed = between(&mut rng, self.speed);
            at = walk.go(Waypoint { at, to, speed });
            *left = left.checked_sub(1).ok_or_else(|| {
                let message = format!(
                    "makes more than {MOST_LEGS} ways until the end of the run; pause longer, go \
                     slower, or shorten the run"
                );
                Refusal::new(MAX_SPEED.name, message)
            })?;
        }
    }
}

fn speeds(values: &Values) -> Result<(f64, f64), Refusal> {
    let (min, max) = (values.get(MIN_SPEED), values.get(MAX_SPEED));
    if min <= 0.0 {
        let message = "must be above zero, as in min_speed = \"1 m/s\": with speeds down to zero, \
                       ever more nodes are on a way that never ends, and the network slows down \
                       for as long as it is watched";
        return Err(Refusal::new(MIN_SPEED.name, message));
    }
    if max < min {
        return Err(Refusal::new(MAX_SPEED.name, "must not be less than min_speed"));
    }
    Ok((min, max))
}

fn pauses(values: &Values) -> Result<(f64, f64), Refusal> {
    let min = values.get(MIN_PAUSE);
    let max = values.given(MAX_PAUSE).unwrap_or(min);
    if max < min {
        return Err(Refusal::new(MAX_PAUSE.name, "must not be shorter than min_pause"));
    }
    Ok((min.seconds(), max.seconds()))
}

/// The area of the topology, with a corner at the origin, if it has one, or that which the nodes take up at the start.
fn area(topology: Option<(f64, f64)>, nodes: &[Node]) -> Result<[(f64, f64); 2], Refusal> {
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
    Err(Refusal::new("kind", message))
}
