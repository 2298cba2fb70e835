//! Environments for reinforcement learning: runs that go on by control steps, many at a time, on threads of their own.
//!
//! ```text
//! Environments (Python) --Order--> workers --> episode --controls--> seat <--> a controlled node (multihop-policy)
//!                       <--features------------------ meter <-- observations
//! ```
//!
//! A controlled node looks at its seat at the ends of control steps. Runs without agents cost nothing more.

mod episode;
mod features;
mod meter;
mod policy;
mod seat;
mod workers;

use multihop_core::{Duration, NodeId};
use multihop_policy::{Agents, CONTROLS, Control, Controls, EVENTS, Event, EventKind, Terms};
use multihop_routing::Weights;
use multihop_setup::Setup;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use workers::{Done, Order, Workers};

use crate::{dictionary, setup_to_run};

/// What agents do and see, which episodes of one environment share.
struct Wanted {
    step: Duration,
    event: Option<Event>,
    controls: Vec<Control>,
    watches_air: bool,
    overhears: bool,
}

/// Some environments.
#[pyclass]
pub struct Environments {
    workers: Workers,
    wanted: Wanted,
}

#[pymethods]
impl Environments {
    #[new]
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists are copied into it")]
    fn new(
        threads: usize,
        step: (u64, Option<String>),
        controls: Vec<(String, f64, f64)>,
        air: bool,
        overhears: bool,
    ) -> PyResult<Self> {
        let (length, event) = step;
        let step = Duration::from_nanos(length.max(1));
        let controls = controls.iter().map(|(name, low, high)| control(name, *low, *high));
        let controls = controls.collect::<PyResult<_>>()?;
        let event = event.as_deref().map(EventKind::named).transpose();
        let event = event.map_err(PyValueError::new_err)?.map(EventKind::event);
        let wanted = Wanted { step, event, controls, watches_air: air, overhears };
        Ok(Environments { workers: Workers::new(threads.max(1)), wanted })
    }

    /// Begin episodes: of each environment its number, its scenario and its agents.
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists are copied into it")]
    fn begin<'py>(
        &mut self,
        py: Python<'py>,
        episodes: Vec<(usize, String, Vec<String>)>,
    ) -> PyResult<All<'py>> {
        let mut orders = Vec::with_capacity(episodes.len());
        for (at, scenario, agents) in &episodes {
            let mut setup = setup_to_run(py, scenario)?;
            if self.wanted.controls.iter().any(|control| control.kind.shared) {
                setup.routing.weights = Some(weights(&setup)?);
            }
            let nodes = agents.iter().map(|name| crate::node_id(&setup, name));
            let nodes: Vec<NodeId> = nodes.collect::<PyResult<_>>()?;
            let terms = self.wanted.terms(&setup);
            orders.push((*at, Order::Begin(Box::new(setup), nodes, terms)));
        }
        self.known(py, orders)
    }

    /// Go on by one step: the numbers of environments, and for each agent of each an action of every control.
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists are copied into it")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        environments: Vec<usize>,
        actions: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<All<'py>> {
        let controls = &self.wanted.controls;
        let rows = actions.as_slice()?.chunks_exact(controls.len().max(1));
        let agents = rows.len() / environments.len().max(1);
        let mut read = rows.map(|row| Controls::of(controls, row));
        let orders =
            environments.iter().map(|at| (*at, Order::Step(read.by_ref().take(agents).collect())));
        let orders = orders.collect();
        self.known(py, orders)
    }

    /// Go on to the end of an episode's run, and return its tables.
    fn finish<'py>(&mut self, py: Python<'py>, environment: usize) -> PyResult<Bound<'py, PyDict>> {
        let done = self.workers.ask(py, vec![(environment, Order::Finish)])?;
        match done.into_iter().next() {
            Some((_, Done::Tables(tables))) => dictionary(py, *tables),
            _ => Err(PyValueError::new_err("there is no such environment")),
        }
    }
}

impl Environments {
    fn known<'py>(&mut self, py: Python<'py>, orders: Vec<(usize, Order)>) -> PyResult<All<'py>> {
        let (mut features, mut acts) = (Vec::new(), Vec::new());
        let (mut times, mut over) = (Vec::new(), Vec::new());
        for (_, done) in self.workers.ask(py, orders)? {
            if let Done::Known(known) = done {
                features.extend(known.features);
                acts.extend(known.acts);
                times.push(known.now.seconds());
                over.push(known.over);
            }
        }
        let (features, times) = (features.into_pyarray(py), times.into_pyarray(py));
        Ok((features, acts.into_pyarray(py), times, over.into_pyarray(py)))
    }
}

/// All that is known: the features of every agent of every environment, and whether its next action counts; of every
/// environment, when the step ended, and whether the episode did.
type All<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
);

/// The weights of the routes of `setup`.
fn weights(setup: &Setup) -> PyResult<Weights> {
    let medium = multihop_medium::medium(setup);
    let found = multihop_compose::weights(setup, medium.neighbours(), &*medium);
    found.map_err(PyValueError::new_err)
}

impl Wanted {
    /// The terms of an episode of `setup`.
    fn terms(&self, setup: &Setup) -> Terms {
        let &Wanted { step, event, watches_air, overhears, .. } = self;
        let windows = self.controls.iter().any(|control| control.kind.name == "window");
        let (origin, until) = (setup.warmup, setup.end);
        Terms { origin, until, step, event, watches_air, overhears, windows }
    }
}

fn control(name: &str, low: f64, high: f64) -> PyResult<Control> {
    Control::new(name, Some(low), Some(high)).map_err(PyValueError::new_err)
}

/// What there is to know of a control step: name, unit, who knows it, what it is, and the largest value.
#[pyfunction]
fn gym_features() -> Vec<(&'static str, &'static str, &'static str, &'static str, f64)> {
    features::about()
        .map(|one| (one.name, one.unit, one.known.name(), one.about, one.most))
        .collect()
}

/// The events at which steps can end: name, what happens, and whether it is of flows that begin at the node.
#[pyfunction]
fn gym_events() -> Vec<(&'static str, &'static str, bool)> {
    EVENTS.iter().map(|one| (one.name, one.about, one.of_flows)).collect()
}

/// Refuse a scenario whose routes do not follow weights.
#[pyfunction]
fn gym_weights(py: Python<'_>, scenario: &str) -> PyResult<()> {
    weights(&setup_to_run(py, scenario)?).map(drop)
}

/// What can be controlled: name, unit, the usual ends, and what it does.
#[pyfunction]
fn gym_controls() -> Vec<(&'static str, &'static str, f64, f64, &'static str)> {
    CONTROLS.iter().map(|one| (one.name, one.unit, one.low, one.high, one.about)).collect()
}

/// The names of the nodes that are meant: a word, or names.
#[pyfunction]
fn gym_agents(
    py: Python<'_>,
    scenario: &str,
    given: Vec<String>,
    is_word: bool,
) -> PyResult<Vec<String>> {
    let setup = setup_to_run(py, scenario)?;
    let names: Vec<&str> = setup.nodes.iter().map(|node| node.name.as_str()).collect();
    let begins: Vec<usize> = setup.sources.iter().map(|one| one.flow.source.index()).collect();
    let ends: Vec<usize> = setup.sources.iter().map(|one| one.flow.destination.index()).collect();
    let agents = match given.first() {
        Some(word) if is_word => Agents::One(word.clone()),
        _ => Agents::Named(given),
    };
    let chosen = agents.of(&names, &begins, &ends).map_err(PyValueError::new_err)?;
    Ok(chosen.into_iter().map(|at| names[at].to_owned()).collect())
}

/// Add all of it.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Environments>()?;
    module.add_class::<policy::PolicyData>()?;
    module.add_function(wrap_pyfunction!(gym_features, module)?)?;
    module.add_function(wrap_pyfunction!(gym_controls, module)?)?;
    module.add_function(wrap_pyfunction!(gym_events, module)?)?;
    module.add_function(wrap_pyfunction!(gym_weights, module)?)?;
    module.add_function(wrap_pyfunction!(gym_agents, module)?)
}
