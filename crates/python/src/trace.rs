//! Runs whose traces go to disk, captures, and what both say of themselves.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use multihop_core::{Decoded, Field, HeaderFormat, Holds, HostEvent, LossCause, Time, Timer};
use multihop_medium::dcf::Settings;
use multihop_parquet::Column;
use multihop_pcap::{Capture, Link};
use multihop_setup::Source;
use multihop_sim::{MacTimes, Options, Simulation, about_columns, on_air};
use multihop_trace::{BATCH, Costly, Files, Observation, Observer, Sink, TABLES};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::extension;
use crate::prototype::{self, beside};
use crate::words::EVENTS;
use crate::{Cancel, dictionary, finished, setup_to_run};

/// Tables of results, and how many rows every table of the trace has.
type Traced<'py> = (Bound<'py, PyDict>, BTreeMap<&'static str, u64>);

/// Run a scenario and write its trace into `folder`, which is there and empty. Errors are those of the system.
#[pyfunction]
#[pyo3(signature = (scenario_json, folder, batch = BATCH, cancel = None))]
pub fn run_traced<'py>(
    py: Python<'py>,
    scenario_json: &str,
    folder: PathBuf,
    batch: usize,
    cancel: Option<&Cancel>,
) -> PyResult<Traced<'py>> {
    let setup = setup_to_run(py, scenario_json)?;
    let stop = cancel.map_or_else(Arc::default, |cancel| Arc::clone(&cancel.0));
    let schemes = setup.schemes();
    let (run, rows) = beside(py, &schemes, || -> std::io::Result<_> {
        let files = Files::new(folder, about_columns(), Arc::clone(&stop));
        let mut stream = multihop_sim::stream(&setup, files, batch);
        let simulation = || Simulation::new(setup, Options::default()).watched_by(&mut stream);
        let run = finished(simulation, &stop);
        let files = stream.finish();
        let rows =
            if run.is_ok() { files.finish()? } else { files.leave().map(|()| BTreeMap::new())? };
        Ok((run, rows))
    })?;
    Ok((dictionary(py, run?)?, rows))
}

/// Run a scenario and make the rows of its trace, which nobody keeps: what that alone costs.
#[pyfunction]
pub fn run_observed(py: Python<'_>, scenario_json: &str) -> PyResult<()> {
    /// It keeps nothing.
    struct Nothing;

    impl Sink for Nothing {
        fn write(&mut self, _: &'static str, _: &[(&'static str, Column)]) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    let setup = setup_to_run(py, scenario_json)?;
    let schemes = setup.schemes();
    beside(py, &schemes, || {
        let mut stream = multihop_sim::stream(&setup, Nothing, BATCH);
        let simulation = || Simulation::new(setup, Options::default()).watched_by(&mut stream);
        finished(simulation, &AtomicBool::new(false)).map(drop)
    })
}

/// Run a scenario and write a capture of it. Errors are those of the system.
#[pyfunction]
#[pyo3(signature = (scenario_json, path, cancel = None))]
pub fn capture(
    py: Python<'_>,
    scenario_json: &str,
    path: &str,
    cancel: Option<&Cancel>,
) -> PyResult<()> {
    let setup = setup_to_run(py, scenario_json)?;
    let stop = cancel.map_or_else(Arc::default, |cancel| Arc::clone(&cancel.0));
    let link = if Settings::of(&setup.medium).is_some() { Link::Air } else { Link::Packets };
    let schemes = setup.schemes();
    let (run, written) = beside(py, &schemes, || -> std::io::Result<_> {
        let file = BufWriter::new(File::create(path)?);
        let capture = Capture::new(file, link, setup.addresses.clone())?;
        let mut capture = Stopping { capture, stop: &stop };
        let simulation = || Simulation::new(setup, Options::default()).watched_by(&mut capture);
        let run = finished(simulation, &stop);
        Ok((run, capture.capture.finish()))
    })?;
    written?;
    run.map(drop)
}

/// A capture that stops the run if it cannot write.
struct Stopping<'a> {
    capture: Capture<BufWriter<File>>,
    stop: &'a AtomicBool,
}

impl Observer for Stopping<'_> {
    fn wants(&self, costly: Costly) -> bool {
        self.capture.wants(costly)
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        self.capture.observe(at, what);
        if self.capture.has_failed() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// The layouts of all headers, and of the messages behind them.
#[pyfunction]
pub fn headers(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let own = [&multihop_node::ARP_FORMAT];
    let known = extension::headers().chain(own).chain(&prototype::FORMATS);
    known.map(|format| header(py, format)).collect()
}

fn header<'py>(py: Python<'py>, format: &HeaderFormat) -> PyResult<Bound<'py, PyDict>> {
    let field = |field: &Field| -> PyResult<_> {
        let dict = PyDict::new(py);
        dict.set_item("name", field.name)?;
        dict.set_item("bits", field.bits)?;
        dict.set_item("about", field.about)?;
        let (holds, words) = match field.holds {
            Holds::Number => ("number", &[][..]),
            Holds::Signed => ("signed", &[][..]),
            Holds::Address => ("address", &[][..]),
            Holds::Zero => ("zero", &[][..]),
            Holds::Word(words) => ("word", words),
        };
        dict.set_item("holds", holds)?;
        dict.set_item("words", words.to_vec())?;
        Ok(dict)
    };
    let fields: PyResult<Vec<_>> = format.fields.iter().map(field).collect();
    let dict = PyDict::new(py);
    dict.set_item("number", format.kind.0)?;
    dict.set_item("message", format.message)?;
    dict.set_item("name", format.name)?;
    dict.set_item("title", format.title)?;
    dict.set_item("fields", fields?)?;
    dict.set_item("rest", format.rest)?;
    Ok(dict)
}

/// The network of a scenario, for what shows a trace.
#[pyfunction]
pub fn network<'py>(py: Python<'py>, scenario_json: &str) -> PyResult<Bound<'py, PyDict>> {
    let setup = setup_to_run(py, scenario_json)?;
    let nodes: Vec<_> = setup.nodes.iter().map(|node| (&node.name, node.x, node.y)).collect();
    let own = setup.nodes.iter().map(|node| &node.own);
    let own: Vec<_> =
        own.map(|own| (own.role.as_deref(), own.scheme.map(|scheme| scheme.name))).collect();
    let ends = |source: &Source| (source.flow.source.0, source.flow.destination.0);
    let flows: Vec<_> = setup.sources.iter().map(|source| (&source.name, ends(source))).collect();
    let rate = setup.medium.hop().data_rate;
    let air = on_air(&setup);
    let ranges = air.as_ref().and_then(|air| air.ranges_m);
    let mac = air.and_then(|air| air.mac);
    let dict = PyDict::new(py);
    dict.set_item("seed", setup.seed)?;
    dict.set_item("scheme", setup.scheme.name)?;
    dict.set_item("routing", setup.routing.protocol.name)?;
    dict.set_item("warmup_ns", setup.warmup.nanos())?;
    dict.set_item("duration_ns", setup.end.nanos())?;
    dict.set_item("nodes", nodes)?;
    dict.set_item("own", own)?;
    dict.set_item("flows", flows)?;
    dict.set_item("ranges_m", ranges)?;
    dict.set_item("mac", mac.map(|mac| mac_constants(py, &mac)).transpose()?)?;
    dict.set_item("rate_bit_s", rate.0)?;
    Ok(dict)
}

fn mac_constants<'py>(py: Python<'py>, mac: &MacTimes) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("acknowledges", mac.acknowledges)?;
    dict.set_item("slot_ns", mac.slot_ns)?;
    dict.set_item("sifs_ns", mac.sifs_ns)?;
    dict.set_item("difs_ns", mac.difs_ns)?;
    dict.set_item("eifs_ns", mac.eifs_ns)?;
    dict.set_item("cts_wait_ns", mac.cts_wait_ns)?;
    dict.set_item("ack_wait_ns", mac.ack_wait_ns)?;
    dict.set_item("data_sooner_ns", mac.data_sooner_ns)?;
    Ok(dict)
}

/// The tables of traces: what a row is, and unit and meaning of every column.
#[pyfunction]
pub fn trace_tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for table in TABLES {
        let columns = PyDict::new(py);
        for column in table.columns {
            columns.set_item(column.name, (column.unit, column.about, column.kind))?;
        }
        dict.set_item(table.name, (table.about, columns))?;
    }
    Ok(dict)
}

/// The words of traces and what they mean, by the column that they stand in.
pub fn words(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let events = PyDict::new(py);
    for event in HostEvent::ALL {
        events.set_item(event.name(), event.about())?;
    }
    for kind in EVENTS.iter() {
        events.set_item(kind.name(), kind.about())?;
    }
    let outcomes = PyDict::new(py);
    for decoded in Decoded::ALL {
        outcomes.set_item(decoded.name(), decoded.about())?;
    }
    for cause in LossCause::ALL {
        outcomes.set_item(cause.name(), cause.about())?;
    }
    let dict = PyDict::new(py);
    dict.set_item("events", events)?;
    dict.set_item("outcomes", outcomes)?;
    let timers = PyDict::new(py);
    for timer in Timer::ALL {
        timers.set_item(timer.name(), timer.about())?;
    }
    dict.set_item("timers", timers)?;
    Ok(dict)
}
