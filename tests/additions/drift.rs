//! All nodes drift eastwards, as an example of a model of movement.

use multihop_core::{Dimension, Measure, Time};

use super::walk::{self, Waypoint};
use super::{Course, MobilityModel, Movement};
use multihop_setup::{Refusal, Track};

/// A drift.
pub(super) static MODEL: MobilityModel = MobilityModel {
    name: "drift",
    title: "drift",
    source: "none; the example of CONTRIBUTING.md",
    about: "All nodes go eastwards at one speed",
    params: &[SPEED.param()],
    files: &[],
    make: |values| Ok(Box::new(Drift(values.get(SPEED)))),
};

const SPEED: Measure = Measure {
    name: "drift_speed",
    about: "How fast they go",
    dimension: Dimension::Speed,
    default: 1.0,
    min: 0.0,
    max: 1e3,
};

struct Drift(f64);

impl Movement for Drift {
    fn tracks(self: Box<Self>, course: &Course) -> Result<Vec<Track>, Refusal> {
        let order = |x: f64, y: f64| Waypoint { at: Time::ZERO, to: (x + 1e6, y), speed: self.0 };
        let nodes = course.nodes.iter();
        Ok(nodes.map(|node| walk::obeying((node.x, node.y), vec![order(node.x, node.y)])).collect())
    }
}
