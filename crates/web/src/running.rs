//! A run and its trace.

use std::cell::RefCell;
use std::rc::Rc;

use multihop_setup::Setup;
use multihop_sim::{Options, Progress, Run, Simulation, Tables, about_columns};
use multihop_trace::{BATCH, Column, InMemory, Stream, Table};
use serde_json::{Map, Value, json};

type Traced = Rc<RefCell<Stream<InMemory>>>;

/// A run that a page has begun.
pub enum Running {
    /// It goes on.
    Going { run: Box<Run<'static>>, trace: Option<Traced> },
    /// It is over: its trace, as far as it was not taken yet.
    Over(Option<InMemory>),
}

impl Running {
    /// A run of `setup`, with a trace of about `most_bytes` at most if there is to be one.
    pub fn begin(setup: Setup, most_bytes: Option<usize>) -> Self {
        let trace = most_bytes.map(|most| {
            let memory = InMemory::new(about_columns(), most);
            Rc::new(RefCell::new(multihop_sim::stream(&setup, memory, BATCH)))
        });
        let mut simulation = Simulation::new(setup, Options::default());
        if let Some(trace) = &trace {
            simulation = simulation.watched_by(Rc::clone(trace));
        }
        Running::Going { run: Box::new(simulation.into_run()), trace }
    }

    /// Go on by so many events.
    pub fn step(&mut self, events: u64) -> Value {
        match self {
            Running::Going { run, .. } => progress(run.advance(events)),
            Running::Over(_) => json!({ "over": true }),
        }
    }

    /// Go on to the end: the tables, how many rows each table of the trace has, and whether it was cut.
    pub fn finish(&mut self) -> Value {
        let Running::Going { run, trace } = std::mem::replace(self, Running::Over(None)) else {
            return Value::Null;
        };
        let tables = tables(run.finish());
        let trace = trace.and_then(Rc::into_inner).map(|trace| trace.into_inner().finish());
        let rows = trace.as_ref().map(InMemory::rows);
        let cut = trace.as_ref().is_some_and(InMemory::is_cut);
        *self = Running::Over(trace);
        json!({ "tables": tables, "rows": rows, "cut": cut })
    }

    /// The rows of a table of the trace since the last time, as a Parquet file; nothing if it has no such table.
    pub fn take(&mut self, table: &str) -> Vec<u8> {
        let part = match self {
            Running::Going { trace: Some(trace), .. } => {
                let mut trace = trace.borrow_mut();
                trace.flush();
                trace.sink().take(table)
            }
            Running::Over(Some(trace)) => trace.take(table),
            Running::Going { trace: None, .. } | Running::Over(None) => None,
        };
        part.unwrap_or_default()
    }
}

fn progress(progress: Progress) -> Value {
    json!({
        "now_s": progress.now.seconds(),
        "end_s": progress.end.seconds(),
        "events": progress.events,
        "over": progress.is_over(),
    })
}

/// `{"runs": {"column": [...]}, ...}`; what is no number is `null`.
fn tables(tables: Tables) -> Value {
    let Tables { runs, flows, nodes, series, congestion, .. } = tables;
    let all = [
        ("runs", Some(runs)),
        ("flows", Some(flows)),
        ("nodes", Some(nodes)),
        ("series", Some(series)),
        ("congestion", congestion),
    ];
    let named = all.into_iter().filter_map(|(name, table)| Some((name.into(), columns(table?))));
    Value::Object(named.collect())
}

fn columns(table: Table) -> Value {
    let rows = |column| match column {
        Column::Integer(rows) => Value::from(rows),
        Column::Short(rows) => Value::from(rows),
        Column::Float(rows) => Value::from(rows),
        Column::Text(rows) => Value::from(rows),
        Column::Label(rows) => Value::from(rows),
    };
    let named = table.into_iter().map(|(name, column)| (name.to_owned(), rows(column)));
    Value::Object(named.collect::<Map<_, _>>())
}
