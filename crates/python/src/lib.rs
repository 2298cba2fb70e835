//! The Python face: one specification in, columns out, with the interpreter lock released.
//!
//! What every function does for its callers is documented in `python/multihop/_multihop.pyi`.

mod extension;
mod gym;
mod prototype;
mod reading;
mod runs;
mod trace;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use extension::Extension;
use multihop_compose::fixed_routes;
use multihop_core::{
    Capability, Counter, Duration, Forwarding, NodeId, Otherwise, Param, ParamKind, Scheme, Time,
    Value,
};
use multihop_medium::dcf::{RATE_CONTROLS, RateControl};
use multihop_medium::propagation::PROPAGATIONS;
use multihop_medium::{WIRED, medium};
use multihop_routing::Life;
use multihop_routing::RoutingProtocol;
use multihop_scenario::{MobilityModel, RADIO, ScenarioError as Refused, TRAFFIC, Topology};
use multihop_schemes::wxcp::state::{TRANSITIONS, Transition};
use multihop_setup::{Mac, PropagationModel, Setup, Simulator, TrafficKind};
use multihop_sim::{Options, Simulation, Tables};
use multihop_trace::{Column, Table};
use numpy::IntoPyArray;
use prototype::{beside, caught, registry};
use pyo3::IntoPyObjectExt;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

create_exception!(multihop, ScenarioError, PyValueError, "A scenario that cannot be run.");
create_exception!(multihop, ReplayError, PyValueError, "A recording does not fit.");
create_exception!(multihop, Interrupted, PyException, "A run was stopped by its `Cancel`.");

/// Stops every run that was given it.
#[pyclass(frozen)]
struct Cancel(Arc<AtomicBool>);

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Self {
        Cancel(Arc::new(AtomicBool::new(false)))
    }

    fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[getter]
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a scenario cannot be run; the exception's `key` is the one that is wrong, if one is.
fn refused(py: Python<'_>, error: &Refused, message: String) -> PyErr {
    let exception = ScenarioError::new_err(message);
    exception
        .value(py)
        .setattr("key", error.key.as_deref())
        .map_or_else(|failure| failure, |()| exception)
}

fn setup(py: Python<'_>, scenario_json: &str) -> PyResult<Setup> {
    // Parts are made to know how long their headers are.
    py.detach(|| caught(|| multihop_scenario::from_json(scenario_json)?.setup_with(&registry())))?
        .map_err(|error| refused(py, &error, error.to_string()))
}

/// [`setup`], for this engine to run.
fn setup_to_run(py: Python<'_>, scenario_json: &str) -> PyResult<Setup> {
    let setup = setup(py, scenario_json)?;
    match setup.simulator {
        Simulator::Multihop => Ok(setup),
        Simulator::Ns3 => {
            let message = "only runs without a trace are done in ns-3; leave the trace, the capture or the \
                           recording out, or the simulator";
            let refusal =
                Refused { message: message.into(), line: None, key: Some("simulator".into()) };
            Err(refused(py, &refusal, refusal.to_string()))
        }
    }
}

fn node_id(setup: &Setup, node: &str) -> PyResult<NodeId> {
    let at = setup.nodes.iter().position(|known| known.name == node);
    at.map(|at| NodeId(at as u32)).ok_or_else(|| {
        let (first, last) = (setup.nodes.first(), setup.nodes.last());
        let name = |node: Option<&multihop_setup::Node>| {
            node.map_or("", |node| node.name.as_str()).to_owned()
        };
        ScenarioError::new_err(format!(
            "there is no node '{node}'; the nodes are {} to {}",
            name(first),
            name(last)
        ))
    })
}

#[pyfunction]
fn movement(py: Python<'_>, scenario_json: &str) -> PyResult<String> {
    Ok(multihop_scenario::movement_file(&setup(py, scenario_json)?))
}

/// The longest time, in s, for which positions can be asked.
const LATEST_S: f64 = 1e9;

#[pyfunction]
#[pyo3(signature = (scenario_json, at_s = 0.0))]
fn survey<'py>(py: Python<'py>, scenario_json: &str, at_s: f64) -> PyResult<Bound<'py, PyDict>> {
    let at = moment(at_s)?;
    let setup = setup(py, scenario_json)?;
    let found = py.detach(|| multihop_sim::survey(&setup, at)).map_err(ScenarioError::new_err)?;
    let dict = PyDict::new(py);
    let all = [
        ("nodes", found.nodes),
        ("signals", found.signals),
        ("flows", found.flows),
        ("hops", found.hops),
        ("mac", found.mac),
    ];
    for (name, table) in all {
        dict.set_item(name, columns(py, table)?)?;
    }
    Ok(dict)
}

/// Who hears whom at each of these times, in s after the start.
#[pyfunction]
fn hearers<'py>(
    py: Python<'py>,
    scenario_json: &str,
    times_s: Vec<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let moments: PyResult<Vec<Time>> = times_s.into_iter().map(moment).collect();
    let (setup, moments) = (setup(py, scenario_json)?, moments?);
    let found =
        py.detach(|| multihop_sim::hearers(&setup, &moments)).map_err(ScenarioError::new_err)?;
    let dict = PyDict::new(py);
    let all = [("nodes", found.nodes), ("signals", found.signals), ("rules", found.rules)];
    for (name, table) in all {
        dict.set_item(name, columns(py, table)?)?;
    }
    Ok(dict)
}

/// The time so many seconds after the start.
fn moment(at_s: f64) -> PyResult<Time> {
    if !(0.0..=LATEST_S).contains(&at_s) {
        let message = format!("a time is 0 s to {LATEST_S} s after the start, not {at_s} s");
        return Err(ScenarioError::new_err(message));
    }
    Ok(Time::ZERO + Duration::from_seconds(at_s))
}

#[pyfunction]
fn schema() -> String {
    multihop_scenario::json_schema_with(&registry())
}

#[pyfunction]
fn schemes(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |scheme: &&'static Scheme| {
        let mac = multihop_scenario::preferred_mac(&[scheme], &registry()).name;
        let entry = part(py, scheme.name, scheme.params)?;
        entry.set_item("title", scheme.title)?;
        entry.set_item("paper", scheme.paper)?;
        entry.set_item("color", scheme.plot.color)?;
        entry.set_item("marker", scheme.plot.marker)?;
        entry.set_item("mac", mac)?;
        entry.set_item("floods", scheme.forwarding == Forwarding::Flood)?;
        let counters: PyResult<Vec<_>> =
            scheme.counters.iter().map(|counter| counted(py, counter)).collect();
        entry.set_item("counters", counters?)?;
        Ok(entry)
    };
    registry().schemes.iter().map(describe).collect()
}

/// WXCP's figure 1: from which state what leads where, and what the paper says of it.
#[pyfunction]
fn wxcp_transitions() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    let arrow =
        |arrow: &Transition| (arrow.from.name(), arrow.on.name(), arrow.to.name(), arrow.paper);
    TRANSITIONS.iter().map(arrow).collect()
}

#[pyfunction]
fn routings(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |protocol: &&'static RoutingProtocol| {
        let entry = part(py, protocol.name, protocol.params)?;
        entry.set_item("title", protocol.title)?;
        entry.set_item("about", protocol.about)?;
        entry.set_item("source", protocol.source)?;
        Ok(entry)
    };
    registry().routings.iter().map(describe).collect()
}

#[pyfunction]
fn macs(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |mac: &&'static Mac| {
        let entry = part(py, mac.name, mac.params)?;
        entry.set_item("title", mac.title)?;
        entry.set_item("about", mac.about)?;
        entry.set_item("source", mac.source)?;
        let offers: Vec<String> = mac.offers.iter().map(ToString::to_string).collect();
        entry.set_item("offers", offers)?;
        Ok(entry)
    };
    registry().macs.iter().map(describe).collect()
}

#[pyfunction]
fn rates(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |control: &RateControl| {
        let entry = part(py, control.name, control.params)?;
        entry.set_item("about", control.about)?;
        entry.set_item("source", control.source)?;
        Ok(entry)
    };
    RATE_CONTROLS.iter().map(describe).collect()
}

#[pyfunction]
fn propagations(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |model: &&'static PropagationModel| {
        let entry = part(py, model.name, model.params)?;
        entry.set_item("about", model.about)?;
        entry.set_item("source", model.source)?;
        Ok(entry)
    };
    PROPAGATIONS.iter().map(describe).collect()
}

#[pyfunction]
fn mobilities(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |model: &&'static MobilityModel| {
        let entry = part(py, model.name, model.params)?;
        entry.set_item("title", model.title)?;
        entry.set_item("about", model.about)?;
        entry.set_item("source", model.source)?;
        Ok(entry)
    };
    multihop_scenario::MOBILITIES.iter().map(describe).collect()
}

#[pyfunction]
fn traffics(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |kind: &&'static TrafficKind| {
        let entry = part(py, kind.name, kind.params)?;
        entry.set_item("title", kind.title)?;
        entry.set_item("about", kind.about)?;
        entry.set_item("source", kind.source)?;
        entry.set_item("lacks", kind.lacks)?;
        Ok(entry)
    };
    registry().traffics.iter().map(describe).collect()
}

#[pyfunction]
fn traffic(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    part(py, "traffic", &TRAFFIC)
}

#[pyfunction]
fn radio(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    part(py, "radio", &RADIO)
}

#[pyfunction]
fn wired(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    part(py, "wired", WIRED.params)
}

#[pyfunction]
fn topologies(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let describe = |topology: &&'static Topology| {
        let entry = part(py, topology.name, topology.params)?;
        entry.set_item("about", topology.about)?;
        Ok(entry)
    };
    multihop_scenario::TOPOLOGIES.iter().map(describe).collect()
}

fn counted<'py>(py: Python<'py>, counter: &Counter) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", counter.name)?;
    entry.set_item("unit", counter.unit)?;
    entry.set_item("about", counter.about)?;
    Ok(entry)
}

/// What every part of a scenario has: a name and parameters.
fn part<'py>(py: Python<'py>, name: &str, params: &[Param]) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", name)?;
    let params: PyResult<Vec<_>> = params.iter().map(|param| parameter(py, param)).collect();
    entry.set_item("params", params?)?;
    Ok(entry)
}

fn parameter<'py>(py: Python<'py>, param: &Param) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", param.name)?;
    entry.set_item("kind", param.kind.name())?;
    entry.set_item("unit", param.unit)?;
    entry.set_item("about", param.about)?;
    let default = if param.otherwise == Otherwise::Default { "default" } else { "example" };
    entry.set_item(default, value(py, param, param.default())?)?;
    if let Otherwise::Means(means) = param.otherwise {
        entry.set_item("otherwise", means)?;
    }
    if let Some(preset) = param.field {
        entry.set_item("field", value(py, param, preset.into())?)?;
    }
    if let Some((min, max)) = param.bounds() {
        entry.set_item("min", value(py, param, min)?)?;
        if !max.is_unbounded() {
            entry.set_item("max", value(py, param, max)?)?;
        }
    }
    if let Some(other) = param.at_most {
        entry.set_item("at_most", other)?;
    }
    if let ParamKind::Choice(among) = param.kind {
        let names: Vec<&str> = among.iter().map(|one| one.name).collect();
        entry.set_item("among", names)?;
    }
    Ok(entry)
}

/// A value as a scenario has it.
fn value<'py>(py: Python<'py>, param: &Param, value: Value) -> PyResult<Bound<'py, PyAny>> {
    match (value, param.kind) {
        (Value::Switch(on), _) => on.into_bound_py_any(py),
        (Value::Count(count), _) => count.into_bound_py_any(py),
        (Value::Number(number), _) => number.into_bound_py_any(py),
        (Value::Seed(seed), _) => seed.into_bound_py_any(py),
        (Value::Choice(at), ParamKind::Choice(among)) => {
            among.get(at).map(|one| one.name).into_bound_py_any(py)
        }
        (Value::Numbers(numbers), _) => numbers.to_vec().into_bound_py_any(py),
        (Value::Table(None), ParamKind::Table(table)) => table.computed.into_bound_py_any(py),
        (value, _) => value.to_string().into_bound_py_any(py),
    }
}

#[pyfunction]
fn vocabulary(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let causes = PyDict::new(py);
    for cause in words::CAUSES.iter() {
        causes.set_item(cause.column(), cause.about())?;
    }
    let classes = PyDict::new(py);
    for class in words::CLASSES.iter() {
        classes.set_item(class.name(), class.about())?;
    }
    let dict = trace::words(py)?;
    dict.set_item("drop_causes", causes)?;
    dict.set_item("frame_classes", classes)?;
    Ok(dict)
}

#[pyfunction]
#[pyo3(signature = (scenario_json, events = false, cancel = None))]
fn run<'py>(
    py: Python<'py>,
    scenario_json: &str,
    events: bool,
    cancel: Option<&Cancel>,
) -> PyResult<Bound<'py, PyDict>> {
    let setup = setup_to_run(py, scenario_json)?;
    dictionary(py, simulate(py, setup, Options { trace: events, ..Options::default() }, cancel)?)
}

fn dictionary(py: Python<'_>, tables: Tables) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, table) in named(tables) {
        dict.set_item(name, columns(py, table)?)?;
    }
    Ok(dict)
}

/// The tables that there are.
fn named(tables: Tables) -> impl Iterator<Item = (&'static str, Table)> {
    let all = [
        ("runs", Some(tables.runs)),
        ("flows", Some(tables.flows)),
        ("nodes", Some(tables.nodes)),
        ("series", Some(tables.series)),
        ("congestion", tables.congestion),
        ("messages", tables.messages),
        ("positions", tables.positions),
        ("events", tables.events),
    ];
    all.into_iter().filter_map(|(name, table)| Some((name, table?)))
}

fn simulate(
    py: Python<'_>,
    setup: Setup,
    options: Options,
    cancel: Option<&Cancel>,
) -> PyResult<Tables> {
    let flag = cancel.map_or_else(Arc::default, |cancel| Arc::clone(&cancel.0));
    let schemes = setup.schemes();
    beside(py, &schemes, || finished(|| Simulation::new(setup, options), &flag))
}

/// Run a simulation to its end.
///
/// # Errors
/// If it was stopped, or with the exception of a scheme in Python.
fn finished<'o>(make: impl FnOnce() -> Simulation<'o>, stop: &AtomicBool) -> PyResult<Tables> {
    let run = caught(|| make().run(stop))?;
    run.map_err(|stopped| Interrupted::new_err(stopped.to_string()))
}

fn columns(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, column) in table {
        dict.set_item(name, cells(py, column)?)?;
    }
    Ok(dict)
}

fn cells(py: Python<'_>, column: Column) -> PyResult<Bound<'_, PyAny>> {
    match column {
        Column::Integer(rows) => Ok(rows.into_pyarray(py).into_any()),
        Column::Short(rows) => Ok(rows.into_pyarray(py).into_any()),
        Column::Float(rows) => Ok(rows.into_pyarray(py).into_any()),
        Column::Text(rows) => rows.into_bound_py_any(py),
        Column::Label(rows) => rows.into_bound_py_any(py),
    }
}

#[pyfunction]
#[pyo3(signature = (scenario_json, node, cancel = None))]
fn record(
    py: Python<'_>,
    scenario_json: &str,
    node: &str,
    cancel: Option<&Cancel>,
) -> PyResult<String> {
    let setup = setup_to_run(py, scenario_json)?;
    let id = node_id(&setup, node)?;
    let scheme = setup.scheme_of(id);
    let alone = |capability| capability != Capability::CommonList;
    if let Some(lacking) = scheme.lacks(setup.params_of(id), alone) {
        return Err(ScenarioError::new_err(format!(
            "'{}' needs {lacking} here, and a recording is of one node; leave that parameter out",
            scheme.name
        )));
    }
    let options = Options { record: Some(id), ..Options::default() };
    let tables = simulate(py, setup, options, cancel)?;
    Ok(tables.recording.unwrap_or_default())
}

#[pyfunction]
fn replay(py: Python<'_>, scenario_json: &str, node: &str, recording: &str) -> PyResult<usize> {
    let setup = setup(py, scenario_json)?;
    let id = node_id(&setup, node)?;
    let replayed = || {
        let medium = medium(&setup);
        let mut routes = fixed_routes(&setup, &medium.neighbours(), &*medium);
        let routes = routes.swap_remove(id.index());
        let mut node = multihop_compose::node(&setup, id, routes, Life::default());
        multihop_compose::record::replay(recording.as_bytes(), &mut node)
    };
    beside(py, &setup.schemes(), || caught(replayed))?
        .map_err(|error| ReplayError::new_err(error.to_string()))
}

#[pymodule]
fn _multihop(module: &Bound<'_, PyModule>) -> PyResult<()> {
    engine(module, Extension::default())
}

/// Fill `module` with the engine and the parts of `extension`: for the wheel of another crate.
///
/// # Errors
/// Those of Python.
pub fn engine(module: &Bound<'_, PyModule>, extension: Extension) -> PyResult<()> {
    extension::extend(extension);
    let py = module.py();
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    module.add("sources", extension::sources())?;
    let scenario_error = py.get_type::<ScenarioError>();
    scenario_error.setattr("key", py.None())?;
    scenario_error.setattr("option", py.None())?;
    module.add("ScenarioError", scenario_error)?;
    module.add("ReplayError", py.get_type::<ReplayError>())?;
    module.add("Interrupted", py.get_type::<Interrupted>())?;
    module.add_class::<Cancel>()?;
    module.add_class::<runs::Runs>()?;
    prototype::add_to(module)?;
    gym::add_to(module)?;
    module.add_function(wrap_pyfunction!(reading::normalize, module)?)?;
    module.add_function(wrap_pyfunction!(reading::notes, module)?)?;
    module.add_function(wrap_pyfunction!(reading::identity, module)?)?;
    module.add_function(wrap_pyfunction!(reading::conditions, module)?)?;
    module.add_function(wrap_pyfunction!(reading::base_units, module)?)?;
    module.add_function(wrap_pyfunction!(movement, module)?)?;
    module.add_function(wrap_pyfunction!(survey, module)?)?;
    module.add_function(wrap_pyfunction!(hearers, module)?)?;
    module.add_function(wrap_pyfunction!(schema, module)?)?;
    module.add_function(wrap_pyfunction!(schemes, module)?)?;
    module.add_function(wrap_pyfunction!(wxcp_transitions, module)?)?;
    module.add_function(wrap_pyfunction!(vocabulary, module)?)?;
    module.add_function(wrap_pyfunction!(routings, module)?)?;
    module.add_function(wrap_pyfunction!(macs, module)?)?;
    module.add_function(wrap_pyfunction!(rates, module)?)?;
    module.add_function(wrap_pyfunction!(propagations, module)?)?;
    module.add_function(wrap_pyfunction!(mobilities, module)?)?;
    module.add_function(wrap_pyfunction!(traffics, module)?)?;
    module.add_function(wrap_pyfunction!(traffic, module)?)?;
    module.add_function(wrap_pyfunction!(radio, module)?)?;
    module.add_function(wrap_pyfunction!(wired, module)?)?;
    module.add_function(wrap_pyfunction!(topologies, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(trace::run_traced, module)?)?;
    module.add_function(wrap_pyfunction!(trace::run_observed, module)?)?;
    module.add_function(wrap_pyfunction!(trace::trace_tables, module)?)?;
    module.add_function(wrap_pyfunction!(trace::network, module)?)?;
    module.add_function(wrap_pyfunction!(trace::capture, module)?)?;
    module.add_function(wrap_pyfunction!(trace::headers, module)?)?;
    module.add_function(wrap_pyfunction!(record, module)?)?;
    module.add_function(wrap_pyfunction!(replay, module)?)
}
