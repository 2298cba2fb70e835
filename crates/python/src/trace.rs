//! Runs whose traces go to Python while they last: a call for every batch, for which alone the
//! interpreter lock is taken.

use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use multihop_core::{Decoded, EventKind, Field, HeaderFormat, Holds, HostEvent, LossCause, Time};
use multihop_medium::Channel;
use multihop_pcap::{Capture, Link};
use multihop_scenario::setup::{Medium, Source};
use multihop_sim::{Options, Simulation};
use multihop_trace::{BATCH, Column, Costly, Observation, Observer, Sink, TABLES, Table};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::{Cancel, Interrupted, cells, dictionary, setup};

/// Calls a function with every batch. One that raises stops the run.
struct Writer {
    write: Py<PyAny>,
    stop: Arc<AtomicBool>,
    error: Option<PyErr>,
}

impl Sink for Writer {
    fn write(&mut self, table: &'static str, rows: Table) -> ControlFlow<()> {
        let written = Python::attach(|py| {
            let rows = batch(py, rows)?;
            self.write.call1(py, (table, rows)).map(drop)
        });
        let Err(error) = written else { return ControlFlow::Continue(()) };
        self.error = Some(error);
        self.stop.store(true, Ordering::Relaxed);
        ControlFlow::Break(())
    }
}

/// A batch for Python: names as their places in a list of those that occur, which costs no string
/// for each row.
fn batch(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, column) in table {
        if let Column::Label(rows) = column {
            let (codes, words) = coded(&rows);
            dict.set_item(name, (codes.into_pyarray(py), words))?;
        } else {
            dict.set_item(name, cells(py, column)?)?;
        }
    }
    Ok(dict)
}

fn coded(rows: &[&'static str]) -> (Vec<u8>, Vec<&'static str>) {
    let mut words: Vec<&'static str> = Vec::new();
    let code = |word: &&'static str| {
        let known = words.iter().position(|known| known == word);
        known.unwrap_or_else(|| {
            words.push(word);
            words.len() - 1
        }) as u8
    };
    (rows.iter().map(code).collect(), words)
}

#[pyfunction]
#[pyo3(signature = (scenario_json, write, batch = BATCH, cancel = None))]
pub fn run_traced<'py>(
    py: Python<'py>,
    scenario_json: &str,
    write: Py<PyAny>,
    batch: usize,
    cancel: Option<&Cancel>,
) -> PyResult<Bound<'py, PyDict>> {
    let setup = setup(py, scenario_json)?;
    let stop = cancel.map_or_else(Arc::default, |cancel| Arc::clone(&cancel.0));
    let (tables, error) = py.detach(|| {
        let writer = Writer { write, stop: Arc::clone(&stop), error: None };
        let mut stream = multihop_sim::stream(&setup, writer, batch);
        let simulation = Simulation::new(setup, Options::default()).watched_by(&mut stream);
        let tables = simulation.run(&stop);
        (tables, stream.finish().error)
    });
    if let Some(error) = error {
        return Err(error);
    }
    dictionary(py, tables.map_err(|stopped| Interrupted::new_err(stopped.to_string()))?)
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
    let setup = setup(py, scenario_json)?;
    let stop = cancel.map_or_else(Arc::default, |cancel| Arc::clone(&cancel.0));
    let link = match setup.medium {
        Medium::Radio(..) => Link::Air,
        Medium::Wired(_) => Link::Wires,
    };
    let (run, written) = py.detach(|| -> std::io::Result<_> {
        let file = BufWriter::new(File::create(path)?);
        let capture = Capture::new(file, link, setup.addresses.clone())?;
        let mut capture = Stopping { capture, stop: &stop };
        let simulation = Simulation::new(setup, Options::default()).watched_by(&mut capture);
        let run = simulation.run(&stop);
        Ok((run, capture.capture.finish()))
    })?;
    written?;
    run.map(drop).map_err(|stopped| Interrupted::new_err(stopped.to_string()))
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
    let known = multihop_schemes::HEADERS.iter().chain(multihop_routing::HEADERS).chain(&own);
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
    let setup = setup(py, scenario_json)?;
    let nodes: Vec<_> = setup.nodes.iter().map(|node| (&node.name, node.x, node.y)).collect();
    let ends = |source: &Source| (source.flow.source.0, source.flow.destination.0);
    let flows: Vec<_> = setup.sources.iter().map(|source| (&source.name, ends(source))).collect();
    let (ranges, rate) = match &setup.medium {
        Medium::Radio(radio, mac) => {
            let channel = Channel::new(&setup.nodes, radio.clone(), setup.seed);
            (channel.ranges(), mac.data_rate)
        }
        Medium::Wired(wired) => (None, wired.rate),
    };
    let dict = PyDict::new(py);
    dict.set_item("seed", setup.seed)?;
    dict.set_item("scheme", setup.scheme.name)?;
    dict.set_item("routing", setup.routing.protocol.name)?;
    dict.set_item("warmup_ns", setup.warmup.nanos())?;
    dict.set_item("duration_ns", setup.end.nanos())?;
    dict.set_item("nodes", nodes)?;
    dict.set_item("flows", flows)?;
    dict.set_item("ranges_m", ranges)?;
    dict.set_item("rate_bit_s", rate.0)?;
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
    for kind in EventKind::ALL {
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
    Ok(dict)
}
