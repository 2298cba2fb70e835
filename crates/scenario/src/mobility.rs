//! How the nodes move: [mobility], [[move]], and movement files.

mod ns2;
mod random_waypoint;
mod walk;
mod write;

use multihop_core::{Defaults, Param, Time, Values};

pub(crate) use ns2::Movements;
pub(crate) use walk::{Walk, Waypoint};
pub use write::movement_file;

use crate::error::Fault;
use crate::form::{Scenario, SimulatorKind};
use crate::names::Names;
use multihop_setup::{NamedFile, Node, Refusal, Track};

/// Every model of movement. A new one is a file, a `mod` line, and a line here.
pub static MOBILITIES: &[&MobilityModel] = &[&random_waypoint::MODEL, &ns2::MODEL];

/// More ways than any paper's network makes, and few enough that a mistyped pause does not fill
/// the memory.
pub(crate) const MOST_LEGS: usize = 1_000_000;

/// A model of movement, with everything that tools need to know of it.
pub struct MobilityModel {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Its name in tables and messages.
    pub title: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How the nodes move.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The files that its parameters name.
    pub files: &'static [&'static NamedFile],
    /// Makes the movement of a run.
    pub(crate) make: fn(&Values) -> Result<Box<dyn Movement>, Refusal>,
}

/// How the nodes of one run move.
pub(crate) trait Movement {
    /// What it says of where the nodes are at the start, and how many there are.
    fn places(&self) -> Option<&Movements> {
        None
    }

    /// The track of every node.
    fn tracks(self: Box<Self>, course: &Course) -> Result<Vec<Track>, Refusal>;
}

/// The nodes that are to move, and until when.
pub(crate) struct Course<'a> {
    pub(crate) nodes: &'a [Node],
    /// Width and height in m of the area of the topology, if it has one.
    pub(crate) area: Option<(f64, f64)>,
    /// The scenario's seed.
    pub(crate) seed: u64,
    /// The end of the run.
    pub(crate) end: Time,
}

/// What the model refuses.
fn refused(refusal: Refusal) -> Fault {
    Fault::new(format!("mobility.{}", refusal.key), refusal.message)
}

/// How the nodes of `scenario` move by [mobility], if it has one.
pub(crate) fn movement(scenario: &Scenario) -> Result<Option<Box<dyn Movement>>, Fault> {
    let Some(section) = &scenario.mobility else { return Ok(None) };
    let model = section.find(MOBILITIES, |model| model.name)?;
    let all: Vec<_> = MOBILITIES.iter().map(|one| (one.name, one.params)).collect();
    let values = section.values((model.name, model.params), &all, Defaults::Paper)?;
    (model.make)(&values).map(Some).map_err(refused)
}

/// Gives every node its track until the end: that of its [[move]] tables, else the one that it has
/// from the topology, else that of [mobility].
pub(crate) fn set_out(
    scenario: &Scenario,
    movement: Option<Box<dyn Movement>>,
    nodes: &mut [Node],
    (area, end): (Option<(f64, f64)>, Time),
) -> Result<(), Fault> {
    let mut scripts = scripts(scenario, nodes)?;
    let course = Course { nodes, area, seed: scenario.seed(), end };
    let tracks = movement.map(|movement| movement.tracks(&course)).transpose().map_err(refused)?;
    let mut tracks = tracks.unwrap_or_default();
    for (index, node) in nodes.iter_mut().enumerate() {
        let script = scripts.get_mut(index).map(core::mem::take).unwrap_or_default();
        if !script.is_empty() {
            node.track = walk::obeying((node.x, node.y), script);
        } else if node.track.legs.is_empty() {
            // the topology does not move it
            node.track = tracks.get_mut(index).map(core::mem::take).unwrap_or_default();
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
fn scripts(scenario: &Scenario, nodes: &[Node]) -> Result<Vec<Vec<Waypoint>>, Fault> {
    if scenario.moves.is_empty() {
        return Ok(Vec::new());
    }
    let names = Names::new(scenario, nodes);
    let mut scripts = vec![Vec::new(); nodes.len()];
    for (index, step) in scenario.moves.iter().enumerate() {
        let node = names.find(&format!("move[{index}].node"), &step.node)?;
        scripts[node].push(Waypoint {
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
