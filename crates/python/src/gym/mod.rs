//! Environments for reinforcement learning: runs that go on by control steps, many at a time, on threads of their own.
//!
//! ```text
//! Environments (Python) --Order--> workers --> episode --controls--> seats <--> hop, window   (parts of nodes)
//!                       <--features------------------ meter <-- observations
//! ```
//!
//! A controlled node has the parts of its scheme, in the hands of [`hop::SteeredHop`]. It looks at its seat at the ends
//! of control steps, by a time of its own, as any protocol does; nothing in the engine knows of it, and runs without
//! agents cost nothing more.

mod episode;
mod features;
mod hop;
mod meter;
mod seats;
mod steering;
mod window;
mod workers;

use multihop_core::{Duration, NodeId};
use multihop_setup::Setup;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use features::FEATURES;
use seats::{Controls, Terms};
use workers::{Done, Order, Workers};

use crate::{dictionary, setup_to_run};

/// Controls of an agent: pace, hold, window, contention.
const CONTROLS: usize = 4;

/// What agents do and see, which episodes of one environment share.
#[derive(Clone, Copy)]
struct Wanted {
    step: Duration,
    windows: bool,
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
    fn new(threads: usize, step_ns: u64, windows: bool, air: bool, overhears: bool) -> Self {
        let step = Duration::from_nanos(step_ns.max(1));
        let wanted = Wanted { step, windows, watches_air: air, overhears };
        Environments { workers: Workers::new(threads.max(1)), wanted }
    }

    /// Begin episodes: of each environment its number, its scenario and its agents.
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists are copied into it")]
    fn begin<'py>(
        &mut self,
        py: Python<'py>,
        episodes: Vec<(usize, String, Vec<String>)>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut orders = Vec::with_capacity(episodes.len());
        for (at, scenario, agents) in &episodes {
            let setup = setup_to_run(py, scenario)?;
            let nodes = agents.iter().map(|name| crate::node_id(&setup, name));
            let nodes: Vec<NodeId> = nodes.collect::<PyResult<_>>()?;
            let terms = self.wanted.terms(&setup);
            orders.push((*at, Order::Begin(Box::new(setup), nodes, terms)));
        }
        self.known(py, orders)
    }

    /// Go on by one step: the numbers of environments, and for each agent of each the controls; NaN is the scheme's own
    /// way.
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists are copied into it")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        environments: Vec<usize>,
        controls: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rows = controls.as_slice()?.chunks_exact(CONTROLS);
        let agents = rows.len() / environments.len().max(1);
        let mut read = rows.map(controls_of);
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
    fn known<'py>(
        &mut self,
        py: Python<'py>,
        orders: Vec<(usize, Order)>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut known = Vec::new();
        for (_, done) in self.workers.ask(py, orders)? {
            if let Done::Known(part) = done {
                known.extend(part);
            }
        }
        Ok(known.into_pyarray(py))
    }
}

impl Wanted {
    /// The terms of an episode of `setup`.
    const fn terms(self, setup: &Setup) -> Terms {
        let Wanted { step, windows, watches_air, overhears } = self;
        Terms { origin: setup.warmup, step, watches_air, overhears, windows }
    }
}

/// The controls of one agent: seconds, seconds, segments, slots.
fn controls_of(row: &[f64]) -> Controls {
    let given = |at: usize| Some(row[at]).filter(|value| value.is_finite());
    let whole = |value: f64| value.round().max(1.0) as u32;
    Controls {
        pace: given(0).map(Duration::from_seconds),
        hold: given(1).map(Duration::from_seconds),
        window: given(2).map(whole),
        contention: given(3).map(whole),
    }
}

/// What there is to know of a control step: name, unit, who knows it, what it is, and the largest value.
#[pyfunction]
fn gym_features() -> Vec<(&'static str, &'static str, &'static str, &'static str, f64)> {
    let told =
        |one: &features::Feature| (one.name, one.unit, one.known.name(), one.about, one.most);
    FEATURES.iter().map(told).collect()
}

/// Add all of it.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Environments>()?;
    module.add_function(wrap_pyfunction!(gym_features, module)?)
}
