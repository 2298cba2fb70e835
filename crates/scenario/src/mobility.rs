//! How the nodes move: [mobility], [[move]], and movement files.

mod file;
mod ns2;
mod random_waypoint;
mod walk;
mod write;

use multihop_core::Time;

pub(crate) use file::fill;
pub(crate) use ns2::Movements;
pub(crate) use walk::{Order, Walk};
pub use write::movement_file;

use crate::bounds::seed;
use crate::error::Fault;
use crate::form::{MobilityKind, MobilitySection, Scenario, SimulatorKind};
use crate::names::Names;
use multihop_setup::Node;
use multihop_setup::Track;
use ns2::Said;
use random_waypoint::RandomWaypoint;

/// More ways than any paper's network makes, and few enough that a mistyped pause does not fill
/// the memory.
pub(crate) const MOST_LEGS: usize = 1_000_000;

/// The name of a key of [mobility].
fn key(name: &str) -> String {
    format!("mobility.{name}")
}

impl MobilityKind {
    /// Its name in scenario files.
    fn name(self) -> &'static str {
        match self {
            MobilityKind::RandomWaypoint => "random-waypoint",
            MobilityKind::Ns2 => "ns2",
        }
    }

    /// The keys of [mobility] that apply to it.
    fn keys(self) -> &'static [&'static str] {
        match self {
            MobilityKind::RandomWaypoint => {
                &["min_speed", "max_speed", "min_pause", "max_pause", "mobility_seed"]
            }
            MobilityKind::Ns2 => &["file", "movements"],
        }
    }
}

impl MobilitySection {
    /// Refuses keys that do not apply to the kind.
    fn check_keys(&self) -> Result<(), Fault> {
        let given = [
            ("min_speed", self.min_speed.is_some()),
            ("max_speed", self.max_speed.is_some()),
            ("min_pause", self.min_pause.is_some()),
            ("max_pause", self.max_pause.is_some()),
            ("mobility_seed", self.mobility_seed.is_some()),
            ("file", self.file.is_some()),
            ("movements", self.movements.is_some()),
        ];
        seed(self.mobility_seed.unwrap_or_default())
            .map_err(|message| Fault::new(key("mobility_seed"), message))?;
        let keys = self.kind.keys();
        match given.into_iter().find(|(name, given)| *given && !keys.contains(name)) {
            None => Ok(()),
            Some((name, _)) => {
                Err(Fault::inapplicable(key(name), self.kind.name(), &keys.join(", ")))
            }
        }
    }
}

/// What the movement file of `scenario` says, if it has one.
pub(crate) fn movements(scenario: &Scenario) -> Result<Option<Movements>, Fault> {
    let Some(section) = &scenario.mobility else { return Ok(None) };
    section.check_keys()?;
    if section.kind == MobilityKind::Ns2 { ns2::movements(section).map(Some) } else { Ok(None) }
}

/// Gives every node its track until `end`: that of its [[move]] tables, else the one that it has
/// from the topology, else that of [mobility].
pub(crate) fn set_out(
    scenario: &Scenario,
    movements: Option<Movements>,
    nodes: &mut [Node],
    area: Option<(f64, f64)>,
    end: Time,
) -> Result<(), Fault> {
    let mut scripts = scripts(scenario, nodes)?;
    let mut said = movements.map(Movements::into_said).unwrap_or_default();
    let mut random = match &scenario.mobility {
        Some(section) if section.kind == MobilityKind::RandomWaypoint => Some(RandomWaypoint::new(
            section,
            random_waypoint::area(area, nodes)?,
            scenario.seed(),
            end,
        )?),
        _ => None,
    };
    for (index, node) in nodes.iter_mut().enumerate() {
        let place = (node.x, node.y);
        let script = scripts.get_mut(index).map(core::mem::take).unwrap_or_default();
        let Said { orders, present, .. } =
            said.get_mut(index).map(core::mem::take).unwrap_or_default();
        if !script.is_empty() {
            node.track = walk::obeying(place, script);
        } else if !node.track.legs.is_empty() {
            // the topology moves it
        } else if let Some(random) = &mut random {
            node.track = random.track(index, node)?;
        } else {
            node.track = Track { present, ..walk::obeying(place, orders) };
        }
    }
    refuse_ns3(scenario, nodes)?;
    refuse_wired(scenario, nodes)
}

/// Why ns-3 does not run a scenario whose radios are off at times.
pub const ALWAYS_ON: &str = "ns-3's radios are on all the time, and a node of the movement file \
                             enters or leaves; use simulator \"multihop\"";

fn refuse_ns3(scenario: &Scenario, nodes: &[Node]) -> Result<(), Fault> {
    let is_ns3 = scenario.simulator == Some(SimulatorKind::Ns3);
    if is_ns3 && nodes.iter().any(|node| !node.track.present.is_empty()) {
        return Err(Fault::new("simulator", ALWAYS_ON));
    }
    Ok(())
}

/// The orders of [[move]] for each node; nothing at all if there are none.
fn scripts(scenario: &Scenario, nodes: &[Node]) -> Result<Vec<Vec<Order>>, Fault> {
    if scenario.moves.is_empty() {
        return Ok(Vec::new());
    }
    let names = Names::new(scenario, nodes);
    let mut scripts = vec![Vec::new(); nodes.len()];
    for (index, step) in scenario.moves.iter().enumerate() {
        let node = names.find(&format!("move[{index}].node"), &step.node)?;
        scripts[node].push(Order {
            at: Time::ZERO + step.at.duration(),
            to: (step.x.value(), step.y.value()),
            speed: step.speed.value(),
        });
    }
    Ok(scripts)
}

/// A cable has no length that could change.
fn refuse_wired(scenario: &Scenario, nodes: &[Node]) -> Result<(), Fault> {
    if scenario.wired.is_none() || nodes.iter().all(|node| node.track.is_still()) {
        return Ok(());
    }
    let key = match (&scenario.mobility, scenario.moves.is_empty()) {
        (_, false) => "move",
        (Some(_), true) => "mobility",
        (None, true) => "topology.kind",
    };
    let message = "moves nodes, which [wired] links do not follow; use [radio] and [mac] instead \
                   of [wired], or leave the nodes where they are";
    Err(Fault::new(key, message))
}
