//! Messages at the times of a table.

use std::collections::BTreeSet;
use std::sync::Arc;

use multihop_core::{Bytes, Duration, Rng, Text, Time, Values};

use super::{Ends, Messages, Pattern, Terms, TrafficKind, no_stock};
use crate::{Found, NamedFile, Refusal};

/// Messages at the times of a table.
pub static KIND: TrafficKind = TrafficKind {
    name: "replay",
    title: "times of a table",
    source: "none",
    about: "Packets at the times of a table in CSV, with the columns time_s (from the start of the run) and, if wished, \
            payload_bytes, from and to",
    params: &[
        FILE.file.param().or("the table is given as times"),
        FILE.text.param().or("the table of file"),
    ],
    lacks: &["start", "start_jitter", "route_lead", "stagger", "lifetime"],
    hides: &[("file", "times"), ("times", "file")],
    files: &[&FILE],
    stock: no_stock,
    make,
    check,
};

static FILE: NamedFile = NamedFile {
    file: Text {
        name: "file",
        about: "The table, relative to the scenario file. Its text is then kept in times, so that the scenario says \
                everything itself",
        default: "messages.csv",
    },
    text: Text {
        name: "times",
        about: "The text of a table, instead of file",
        default: "time_s,payload_bytes\n1.5,40\n",
    },
    longest: 64_000_000,
    keep: |text, _| Ok(text.to_owned()),
};

/// More rows than any trace of messages that a run is compared with.
const MOST_ROWS: usize = 1_000_000;

/// In s, as the longest time that a scenario can name.
const LATEST: f64 = 5e8;

/// The columns that a table may have.
const COLUMNS: [&str; 4] = ["time_s", "payload_bytes", "from", "to"];

/// A row of the table.
#[derive(Clone, Copy, Debug)]
struct Row<'a> {
    line: usize,
    at: Time,
    /// The payload, unless it is that of the flow.
    payload: Option<Bytes>,
    /// The names of the nodes from which and to which it goes, where the table says so.
    ends: [Option<&'a str>; 2],
}

impl Row<'_> {
    /// Whether a flow with these ends sends it.
    fn is_of(&self, ends: Ends) -> bool {
        let [from, to] = self.ends;
        from.is_none_or(|from| from == ends.0) && to.is_none_or(|to| to == ends.1)
    }
}

/// The rows of a table that is found, in its order.
struct Table<'a> {
    found: &'a Found,
    /// Where each of [`COLUMNS`] stands.
    columns: [Option<usize>; 4],
}

impl<'a> Table<'a> {
    fn read(found: &'a Found) -> Result<Vec<Row<'a>>, Refusal> {
        let text = found.content.text.trim_start_matches('\u{feff}');
        let lines = text.lines().zip(1..);
        let mut lines = lines.filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
        let Some((header, number)) = lines.next() else {
            return Err(found.refusal(
                "is empty; its first line names the columns, as in time_s,payload_bytes",
            ));
        };
        let table =
            Table { found, columns: columns(header).map_err(|why| found.line(number, &why))? };
        let mut rows = Vec::new();
        for (line, number) in lines {
            let row = table.row(line, number).map_err(|why| table.found.line(number, &why))?;
            rows.push(row);
            if rows.len() > MOST_ROWS {
                return Err(found.refusal(&format!("has more than {MOST_ROWS} rows")));
            }
        }
        if rows.is_empty() {
            return Err(found.refusal("has no row below its header"));
        }
        Ok(rows)
    }

    fn row(&self, line: &'a str, number: usize) -> Result<Row<'a>, String> {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let cell = |column: Option<usize>| match column {
            Some(at) => cells.get(at).copied().ok_or_else(|| {
                format!("has {} cells, and column {} is missing", cells.len(), at + 1)
            }),
            None => Ok(""),
        };
        let [time, payload, from, to] = self.columns;
        let name = |cell: &'a str| (!cell.is_empty()).then_some(cell);
        Ok(Row {
            line: number,
            at: Time::ZERO + Duration::from_seconds(seconds(cell(time)?)?),
            payload: bytes(cell(payload)?)?,
            ends: [name(cell(from)?), name(cell(to)?)],
        })
    }
}

/// Where each of [`COLUMNS`] stands in a header.
fn columns(header: &str) -> Result<[Option<usize>; 4], String> {
    let names: Vec<&str> = header.split(',').map(str::trim).collect();
    if let Some(unknown) = names.iter().find(|name| !COLUMNS.contains(name)) {
        let known = COLUMNS.join(", ");
        return Err(format!("there is no column '{unknown}'; a table has some of {known}"));
    }
    if let Some(twice) =
        COLUMNS.iter().find(|name| names.iter().filter(|one| one == name).count() > 1)
    {
        return Err(format!("column '{twice}' stands there twice; remove one of the two"));
    }
    let found = COLUMNS.map(|name| names.iter().position(|one| *one == name));
    if found[0].is_none() {
        return Err("column time_s is missing: in s from the start of the run".to_owned());
    }
    Ok(found)
}

fn seconds(cell: &str) -> Result<f64, String> {
    let number = cell.parse::<f64>().ok().filter(|number| (0.0..=LATEST).contains(number));
    number.ok_or_else(|| format!("'{cell}' is not a time in s between 0 and {LATEST:e}"))
}

fn bytes(cell: &str) -> Result<Option<Bytes>, String> {
    if cell.is_empty() {
        return Ok(None);
    }
    let number = cell.parse::<u32>().ok().filter(|number| *number > 0);
    let wrong = || format!("'{cell}' is not a payload in bytes, a whole number from 1 on");
    number.map(|number| Some(Bytes(number))).ok_or_else(wrong)
}

fn make(terms: &Terms) -> Result<Arc<dyn Pattern>, Refusal> {
    let found = FILE.found(terms.values, KIND.name)?;
    let mut messages = Vec::new();
    for row in Table::read(&found)?.iter().filter(|row| row.is_of(terms.ends)) {
        let payload = row.payload.unwrap_or(terms.payload);
        if payload > terms.largest_payload {
            let most = terms.largest_payload;
            let message =
                format!("a payload of {payload} does not fit into a frame; it may be up to {most}");
            return Err(found.line(row.line, &message));
        }
        messages.push((row.at, payload));
    }
    messages.sort_by_key(|(at, _)| *at);
    Ok(Arc::new(Replay { messages: messages.into() }))
}

/// Every row belongs to one of the flows.
fn check(values: &Values, flows: &[Ends]) -> Result<(), Refusal> {
    let found = FILE.found(values, KIND.name)?;
    let rows = Table::read(&found)?;
    let pairs: BTreeSet<_> = flows.iter().copied().collect();
    let [froms, tos]: [BTreeSet<_>; 2] =
        [flows.iter().map(|ends| ends.0).collect(), flows.iter().map(|ends| ends.1).collect()];
    let is_sent = |row: &&Row| match row.ends {
        [Some(from), Some(to)] => pairs.contains(&(from, to)),
        [Some(from), None] => froms.contains(from),
        [None, Some(to)] => tos.contains(to),
        [None, None] => !pairs.is_empty(),
    };
    let stray = rows.iter().find(|row| !is_sent(row));
    stray.map_or(Ok(()), |row| {
        let [from, to] = row.ends.map(|end| end.unwrap_or("any node"));
        let message =
            format!("no flow of the table's goes from '{from}' to '{to}'; name both in from and to of the flow");
        Err(found.line(row.line, &message))
    })
}

/// Messages at given times.
#[derive(Clone, Debug)]
struct Replay {
    /// When each is due, and how long it is, in the order of time.
    messages: Arc<[(Time, Bytes)]>,
}

impl Pattern for Replay {
    fn messages(&self, begins: Time, _rng: Rng) -> Option<Messages> {
        let messages = Arc::clone(&self.messages);
        let mut next = messages.partition_point(|(at, _)| *at < begins);
        Some(Box::new(core::iter::from_fn(move || {
            let message = messages.get(next).copied();
            next += 1;
            message
        })))
    }

    fn load(&self) -> f64 {
        let bits: u64 = self.messages.iter().map(|(_, payload)| payload.bits()).sum();
        let span =
            |(first, last): (&(Time, Bytes), &(Time, Bytes))| last.0.since(first.0).seconds();
        let lasts = self.messages.first().zip(self.messages.last()).map_or(0.0, span);
        if lasts > 0.0 { bits as f64 / lasts } else { 0.0 }
    }
}
