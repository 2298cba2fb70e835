//! Questions and answers.

use std::collections::BTreeMap;

use multihop_scenario::{Change, Registry, Scenario, ScenarioError};
use multihop_setup::{Setup, Simulator};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::about;
use crate::edit::{self, Edit};
use crate::refusal::Refusal;
use crate::running::Running;

/// A scenario as a page has it.
#[derive(Deserialize)]
struct Given {
    /// In TOML.
    text: String,
    /// Keys that are replaced, as in `{"seed": 7, "scheme.name": "udp"}`; `null` takes one away.
    #[serde(default)]
    changes: Map<String, Value>,
}

/// What a page asks.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "snake_case", rename_all_fields = "snake_case")]
enum Question {
    /// The JSON Schema of scenarios.
    Schema,
    /// The schemes, and the version of the engine.
    Parts,
    /// Whether a scenario can be run, and its network.
    Check(Given),
    /// The text with keys changed.
    Edit { text: String, edits: Vec<Edit> },
    /// The text with the nodes and flows of its topology one by one.
    Explicit(Given),
    /// Begin a run. Its trace has about `most_bytes` at most; there is none without it.
    Start {
        #[serde(flatten)]
        given: Given,
        #[serde(default)]
        most_bytes: Option<usize>,
    },
    /// Go on by so many events.
    Step { run: u32, events: u64 },
    /// Go on to the end: the tables. The trace can be taken then.
    Finish { run: u32 },
    /// The rows of a table of the trace since the last time, as a Parquet file.
    Take { run: u32, table: String },
    /// Forget a run, wherever it is.
    Cancel { run: u32 },
}

/// An answer: JSON, or bytes.
enum Answer {
    Json(Value),
    Bytes(Vec<u8>),
}

impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        Answer::Json(value)
    }
}

/// The engine, and the runs that have begun.
#[derive(Default)]
pub struct Engine {
    runs: BTreeMap<u32, Running>,
    last: u32,
}

impl Engine {
    /// Answer a question in JSON. `{"ok": ...}` has the answer, `{"error": ...}` says what is wrong.
    pub fn call(&mut self, question: &[u8]) -> Vec<u8> {
        let answer = serde_json::from_slice(question)
            .map_err(|error| Refusal::from(format!("no such question: {error}").as_str()))
            .and_then(|question| self.answer(question));
        match answer {
            Ok(Answer::Bytes(bytes)) => bytes,
            Ok(Answer::Json(value)) => json!({ "ok": value }).to_string().into_bytes(),
            Err(Refusal(error)) => json!({ "error": error }).to_string().into_bytes(),
        }
    }

    fn answer(&mut self, question: Question) -> Result<Answer, Refusal> {
        let value = match question {
            Question::Schema => schema()?,
            Question::Parts => about::parts(),
            Question::Check(given) => check(&given)?,
            Question::Edit { text, edits } => Value::from(edit::edited(&text, edits)?),
            Question::Explicit(given) => Value::from(explicit(given)?),
            Question::Start { given, most_bytes } => self.start(&given, most_bytes)?,
            Question::Step { run, events } => self.run(run)?.step(events),
            Question::Finish { run } => self.run(run)?.finish(),
            Question::Take { run, table } => {
                return Ok(Answer::Bytes(self.run(run)?.take(&table)));
            }
            Question::Cancel { run } => Value::from(self.runs.remove(&run).is_some()),
        };
        Ok(value.into())
    }

    fn start(&mut self, given: &Given, most_bytes: Option<usize>) -> Result<Value, Refusal> {
        let scenario = read(given)?;
        let setup = set_up(&scenario)?;
        let about = about::run(&setup, &scenario);
        self.last += 1;
        self.runs.insert(self.last, Running::begin(setup, most_bytes));
        Ok(json!({ "run": self.last, "about": about }))
    }

    fn run(&mut self, number: u32) -> Result<&mut Running, Refusal> {
        self.runs.get_mut(&number).ok_or_else(|| "there is no such run".into())
    }
}

fn schema() -> Result<Value, Refusal> {
    let text = multihop_scenario::json_schema_with(&Registry::default());
    serde_json::from_str(&text).map_err(|_| "the schema is no JSON".into())
}

fn read(given: &Given) -> Result<Scenario, Refusal> {
    let change = |(key, value): (&String, &Value)| Change {
        key: key.clone(),
        value: Some(value.clone()).filter(|value| !value.is_null()),
    };
    let changes: Vec<_> = given.changes.iter().map(change).collect();
    Ok(multihop_scenario::from_toml_with(&given.text, &changes)?)
}

fn set_up(scenario: &Scenario) -> Result<Setup, Refusal> {
    let setup = scenario.setup()?;
    match setup.simulator {
        Simulator::Multihop => Ok(setup),
        Simulator::Ns3 => {
            let message = "ns-3 cannot be run in a page; leave the key out".to_owned();
            Err(ScenarioError { message, line: None, key: Some("simulator".into()) }.into())
        }
    }
}

fn setup(given: &Given) -> Result<Setup, Refusal> {
    set_up(&read(given)?)
}

fn explicit(mut given: Given) -> Result<String, Refusal> {
    let setup_of_all = setup(&given)?;
    // Without flows of its own a topology may have none, and is then refused.
    given.changes.insert("flow".into(), Value::Null);
    let made = setup(&given).map_or_else(|_| Vec::new(), |setup| setup.sources);
    edit::explicit(&given.text, &setup_of_all.nodes, &made)
}

fn check(given: &Given) -> Result<Value, Refusal> {
    let scenario = read(given)?;
    let setup = set_up(&scenario)?;
    let notes = scenario.notes()?;
    let notes: Vec<_> = notes
        .iter()
        .map(|note| json!({ "key": note.key, "line": note.line, "said": note.to_string() }))
        .collect();
    Ok(json!({ "about": about::network(&setup, &scenario), "notes": notes }))
}
