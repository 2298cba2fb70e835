//! Tables of rates: numbers without a gap, for the link and the packets of the scenario.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use multihop_core::{Scheme, Values};

use crate::error::Fault;
use crate::files;
use crate::form::{MacPart, MadeFor, ParamValue, RadioPart, RateTable, Scenario, SchemePart};
use crate::medium::by_radio;
use crate::read::misfit;
use crate::registry::Registry;
use multihop_setup::{Carried, CarriedBy, Radio, Source};

/// In bytes. A file is read whole; a longer one is not a table of rates.
const LONGEST_TABLE: u64 = 1_000_000;

/// How a table's file is told from other words.
const ENDING: &str = ".toml";

/// Packets live for fewer hops than this.
const MOST_HOPS: usize = 255;

const REMEDY: &str = "measure one: multihop optimum SCENARIO --rates 1-12 --out rates.toml";

/// What is wrong with a text that is neither the word for computed rates nor a file that was read.
pub(crate) fn unread(text: &str, computed: &str) -> String {
    if text.ends_with(ENDING) {
        return format!("'{text}' was not read: only a scenario file can name other files");
    }
    format!(
        "wants \"{computed}\", numbers in brackets, or a file whose name ends in {ENDING} (got \"{text}\")"
    )
}

/// Puts tables in the place of the names of their files.
pub(crate) fn fill(scheme: &mut SchemePart, folder: &Path) -> Result<(), Fault> {
    for (key, value) in &mut scheme.params {
        if let ParamValue::Text(name) = value
            && name.ends_with(ENDING)
        {
            let table = read(&folder.join(&*name), name);
            let table = table.map_err(|message| Fault::new(format!("scheme.{key}"), message))?;
            *value = ParamValue::Rates(Box::new(table));
        }
    }
    Ok(())
}

fn read(path: &Path, name: &str) -> Result<RateTable, String> {
    let text = files::read(path, LONGEST_TABLE)?;
    let no_table = |place: String, message: &str| {
        format!("'{name}' is no table of rates: {place}{message}; {REMEDY}")
    };
    let document = toml::de::DeTable::parse(&text).map_err(|error| {
        let before = error.span().map_or("", |span| &text[..span.start]);
        no_table(format!("line {}: ", 1 + before.matches('\n').count()), error.message())
    })?;
    let read = serde_path_to_error::deserialize(toml::Deserializer::from(document));
    let table: RateTable = read.map_err(|error| {
        let fault = misfit(&error.path().to_string(), error.inner().message());
        let error = fault.placed(Some(&text));
        let line = error.line.map_or(String::new(), |line| format!("line {line}: "));
        let key = error.key.map_or(String::new(), |key| format!("{key}: "));
        no_table(line + &key, &error.message)
    })?;
    let table = RateTable { read_from: Some(name.to_owned()), ..table };
    table.numbers().map(|_| table)
}

impl RateTable {
    /// The rates from one hop on.
    pub(crate) fn numbers(&self) -> Result<Arc<[f64]>, String> {
        if self.rate.is_empty() || self.rate.len() > MOST_HOPS {
            let rows = self.rate.len();
            return Err(format!(
                "{}has {rows} rates; it needs 1 to {MOST_HOPS}: {REMEDY}",
                self.name()
            ));
        }
        for (at, row) in self.rate.iter().enumerate() {
            if row.hops as usize != at + 1 {
                return Err(format!(
                    "{}has a gap: rate[{at}] should be that of {} hops, and is that of {}; give every \
                     length from 1 hop on, in order, or {REMEDY}",
                    self.name(),
                    at + 1,
                    row.hops
                ));
            }
        }
        Ok(self.rate.iter().map(|row| row.rate.0).collect())
    }

    fn name(&self) -> String {
        self.read_from.as_ref().map_or(String::new(), |file| format!("'{file}' "))
    }
}

/// Refuses tables of another link, of other packets, or of another setting of the scheme.
pub(crate) fn check(
    scenario: &Scenario,
    (medium, registry): (&Carried, &Registry),
    scheme: &Scheme,
    values: &Values,
    sources: &[Source],
) -> Result<(), Fault> {
    for (key, value) in &scenario.scheme.params {
        if let ParamValue::Rates(table) = value {
            let made_for = &table.made_for;
            let other = other_link(made_for, (medium, registry), scheme)?
                .or_else(|| other_payload(made_for, sources))
                .or(other_setting(made_for, scheme, values)?);
            if let Some(other) = other {
                let name = table.name();
                let message = format!(
                    "{name}was measured for {other}; name the table of this one, or {REMEDY}"
                );
                return Err(Fault::new(format!("scheme.{key}"), message));
            }
        }
    }
    Ok(())
}

/// What differs between what a table was made for and what a scenario has, in words.
type Difference = String;

fn differs(what: &str, made_for: &impl Debug, here: &impl Debug) -> Option<Difference> {
    let (made_for, here) = (format!("{made_for:?}"), format!("{here:?}"));
    (made_for != here).then(|| format!("{what} = {made_for}, which is {here} here"))
}

fn other_link(
    made_for: &MadeFor,
    (medium, registry): (&Carried, &Registry),
    scheme: &Scheme,
) -> Result<Option<Difference>, Fault> {
    let radio = made_for.radio.clone().map(RadioPart::from);
    let mac = made_for.mac.clone().map(MacPart::from);
    let known = by_radio((radio.as_ref(), mac.as_ref()), &[scheme], registry)?;
    if known == *medium {
        return Ok(None);
    }
    let (Some(radio), Some(here)) = (known.radio(), medium.radio()) else {
        return Ok(Some("[radio], and here is [wired]".to_owned()));
    };
    Ok(differing_mac(&known, medium).or_else(|| differing_radio(radio, here)))
}

fn another(section: &str) -> Difference {
    format!("another {section} than the one here")
}

/// The first parameter whose value differs.
fn differing_mac(made_for: &Carried, here: &Carried) -> Option<Difference> {
    if made_for.mac != here.mac {
        return differs("mac.kind", &made_for.mac.name, &here.mac.name);
    }
    let value = |medium: &Carried, name| match medium.values.named(name) {
        Some(value) => value.to_string(),
        None => "its default".to_owned(),
    };
    here.mac.params.iter().find_map(|param| {
        let of = |medium| value(medium, param.name);
        let (one, other) = (of(made_for), of(here));
        (one != other).then(|| format!("mac.{} = {one}, which is {other} here", param.name))
    })
}

fn differing_radio(made_for: &Radio, here: &Radio) -> Option<Difference> {
    let range = |radio: &Radio| libm::round(radio.neighbour_range);
    differs("radio.receive_range (m)", &range(made_for), &range(here))
        .or_else(|| (made_for != here).then(|| another("[radio]")))
}

fn other_payload(made_for: &MadeFor, sources: &[Source]) -> Option<Difference> {
    let payload = made_for.payload.bytes().0;
    let own = sources.iter().filter(|source| source.carried_by == CarriedBy::Scheme);
    let mut payloads = own.map(|source| source.traffic.payload.0);
    payloads.find_map(|here| differs("traffic.payload (B)", &payload, &here))
}

fn other_setting(
    made_for: &MadeFor,
    scheme: &Scheme,
    values: &Values,
) -> Result<Option<Difference>, Fault> {
    for (name, value) in &made_for.scheme {
        let key = format!("scheme.{name}");
        let Some(param) = scheme.params.iter().find(|param| param.name == name) else {
            let message = format!(
                "a table of rates was measured with it, and scheme '{}' has no such parameter",
                scheme.name
            );
            return Err(Fault::new(key, message));
        };
        let made_for = value.of(param).map_err(|message| Fault::new(key.as_str(), message))?;
        let made_for = Values::new(&[*param], &[(name.clone(), made_for)]);
        let made_for = made_for.map_err(|error| Fault::new(key.as_str(), error.message()))?;
        if let Some(found) = differs(&key, &made_for.named(name), &values.named(name)) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
