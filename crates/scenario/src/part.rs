//! From the section of a part to the part and the values of its parameters.

use std::collections::BTreeMap;
use std::sync::Arc;

use multihop_core::{
    Content, Defaults, Given, Otherwise, Param, ParamError, ParamKind, Value, Values,
};

use crate::bounds::seed;
use crate::error::{Fault, alternatives, unknown};
use crate::form::{ParamValue, Part, Section};
use crate::quantity::{BitRate, Length, Number, Size, Span, measure, measure_without_unit};
use crate::rates;
use crate::schema::written;

/// So many keys may stand in a message.
const FEW: usize = 8;

/// What there is to choose from, as its name and its parameters.
pub(crate) type Entry<'a> = (&'a str, &'a [Param]);

/// Where the keys of a part stand, for messages.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'a> {
    /// The table, as `mac` or `flow[2]`.
    pub(crate) table: &'a str,
    /// What is chosen there, as `mac`.
    pub(crate) noun: &'a str,
    /// The key that chooses it.
    pub(crate) by: &'a str,
}

impl<S: Section> Part<S> {
    const KEYS: Keys<'static> = Keys { table: S::NAME, noun: S::NAME, by: S::KEY };

    /// The one of `all` that is chosen; the first where none is.
    pub(crate) fn find<T: Copy>(
        &self,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, Fault> {
        Self::KEYS.find(self.name.as_deref(), all, name)
    }

    /// The values of the parameters of `chosen`; `all` are the others.
    pub(crate) fn values(
        &self,
        chosen: Entry<'_>,
        all: &[Entry<'_>],
        defaults: Defaults,
    ) -> Result<Values, Fault> {
        let given = Self::KEYS.given(&self.params, chosen, all)?;
        let values = Values::with(defaults, chosen.1, &given);
        values.map_err(|error| Self::KEYS.refused(chosen.0, &error))
    }
}

impl Keys<'_> {
    /// A key of the table.
    pub(crate) fn key(self, name: &str) -> String {
        format!("{}.{name}", self.table)
    }

    /// The one of `all` that `wanted` names; the first where nothing does.
    pub(crate) fn find<T: Copy>(
        self,
        wanted: Option<&str>,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, Fault> {
        let fits = |entry: &T| wanted.is_none_or(|wanted| name(*entry) == wanted);
        all.iter().copied().find(fits).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|entry| name(*entry)).collect();
            let given = wanted.unwrap_or_default();
            Fault::new(self.key(self.by), unknown(self.noun, given, &names))
        })
    }

    /// What the table gives of the parameters of the part that is chosen; `all` are the others.
    pub(crate) fn given(
        self,
        table: &BTreeMap<String, ParamValue>,
        (name, params): Entry<'_>,
        all: &[Entry<'_>],
    ) -> Result<Vec<Given>, Fault> {
        let mut given = Vec::new();
        for (key, value) in table {
            let Some(param) = params.iter().find(|param| param.name == key) else {
                return Err(self.inapplicable(key, (name, params), all));
            };
            let value = value.of(param).map_err(|message| Fault::new(self.key(key), message))?;
            given.push((key.clone(), value));
        }
        Ok(given)
    }

    /// A key that the chosen part does not have, and perhaps others do.
    fn inapplicable(self, key: &str, (name, params): Entry<'_>, all: &[Entry<'_>]) -> Fault {
        let by = self.by;
        let known: Vec<&str> = params.iter().map(|param| param.name).collect();
        let has = |(_, params): &&Entry<'_>| params.iter().any(|param| param.name == key);
        let others: Vec<&str> = all.iter().filter(has).map(|(name, _)| *name).collect();
        let message = match (others.as_slice(), known.as_slice()) {
            ([], []) => format!("unknown key '{key}': {by} \"{name}\" has none"),
            ([], known) => unknown("key", key, &[&[by], known].concat()),
            (others, known) if known.is_empty() || known.len() > FEW => {
                let others = alternatives(others);
                format!("does not apply to {by} \"{name}\"; it belongs to {others}")
            }
            (others, known) => format!(
                "does not apply to {by} \"{name}\", which takes {}; it belongs to {}",
                known.join(", "),
                alternatives(others)
            ),
        };
        Fault::new(self.key(key), message)
    }

    /// Why the part `chosen` does not have a value.
    pub(crate) fn refused(self, chosen: &str, error: &ParamError) -> Fault {
        let key = self.key(error.key());
        match error {
            ParamError::Missing { param } => {
                let example = written(param, param.default());
                let (by, name) = (self.by, param.name);
                let remedy = format!("{by} \"{chosen}\" needs it, as in {name} = {example}");
                Fault::missing(key, &remedy)
            }
            ParamError::OutOfRange { param, .. } => match param.otherwise {
                Otherwise::Means(means) => {
                    Fault::new(key, format!("{}; without the key, {means}", error.message()))
                }
                _ => Fault::new(key, error.message()),
            },
            _ => Fault::new(key, error.message()),
        }
    }
}

impl ParamValue {
    /// The value that it is for `param`, or why it is none. Whether it lies within the bounds is
    /// for [`Values`] to say.
    pub(crate) fn of(&self, param: &Param) -> Result<Value, String> {
        let wrong = || ParamError::WrongType { param: Box::new(*param) }.message();
        let with_unit = param.bare_unit().is_none();
        match (param.kind, self) {
            (ParamKind::Span { .. }, ParamValue::Text(text)) => {
                Span::parse(text).map(|span| Value::Span(span.duration()))
            }
            (ParamKind::Length { .. }, ParamValue::Text(text)) => {
                Length::parse(text).map(|length| Value::Length(length.value()))
            }
            (ParamKind::BitRate { .. }, ParamValue::Text(text)) => {
                BitRate::parse(text).map(|rate| Value::BitRate(rate.rate()))
            }
            (ParamKind::Size { .. }, ParamValue::Text(text)) => {
                Size::parse(text).map(|size| Value::Size(size.bytes()))
            }
            (ParamKind::Measure { dimension, .. }, ParamValue::Text(text)) => {
                measure(dimension, text).map(|value| Value::Measure(value, dimension))
            }
            (ParamKind::Choice(among), ParamValue::Text(text)) => {
                let names: Vec<&str> = among.iter().map(|one| one.name).collect();
                let at = names.iter().position(|name| name == text);
                at.map(Value::Choice).ok_or_else(|| unknown("value", text, &names))
            }
            (ParamKind::Table(table), ParamValue::Text(text)) if text == table.computed => {
                Ok(Value::Table(None))
            }
            (ParamKind::Table(table), ParamValue::Text(text)) => {
                Err(rates::unread(text, table.computed))
            }
            (ParamKind::Table(_), ParamValue::List(numbers)) => {
                Ok(Value::Table(Some(numbers.iter().map(|number| number.0).collect())))
            }
            (ParamKind::Numbers(_), ParamValue::List(numbers)) => {
                let whole = |number: &Number| {
                    // a cast cuts off what is not whole, and what no u32 is
                    let whole = number.0 as u32;
                    let is_whole = f64::from(whole).total_cmp(&number.0).is_eq();
                    is_whole
                        .then_some(whole)
                        .ok_or_else(|| format!("{} (got {})", wrong(), number.0))
                };
                Ok(Value::Numbers(numbers.iter().map(whole).collect::<Result<_, _>>()?))
            }
            (ParamKind::Table(_), ParamValue::Rates(table)) => {
                table.numbers().map(|numbers| Value::Table(Some(numbers)))
            }
            (ParamKind::Text(_), ParamValue::Text(text)) => {
                Ok(Value::Text(Arc::new(Content::from(text.as_str()))))
            }
            (ParamKind::Text(_), ParamValue::Read(text)) => {
                Ok(Value::Text(Arc::new(text.content())))
            }
            (_, ParamValue::List(_) | ParamValue::Rates(_) | ParamValue::Read(_)) => Err(wrong()),
            (_, ParamValue::Text(text)) => Err(format!("{} (got \"{text}\")", wrong())),
            (ParamKind::Span { .. }, ParamValue::Whole(number)) if with_unit => {
                Err(Span::without_unit(number))
            }
            (ParamKind::Span { .. }, ParamValue::Number(number)) if with_unit => {
                Err(Span::without_unit(number.0))
            }
            (ParamKind::Length { .. }, ParamValue::Whole(number)) => {
                Err(Length::without_unit(number))
            }
            (ParamKind::Length { .. }, ParamValue::Number(number)) => {
                Err(Length::without_unit(number.0))
            }
            (ParamKind::BitRate { .. }, ParamValue::Whole(number)) => {
                Err(BitRate::without_unit(number))
            }
            (ParamKind::BitRate { .. }, ParamValue::Number(number)) => {
                Err(BitRate::without_unit(number.0))
            }
            (ParamKind::Size { .. }, ParamValue::Whole(number)) => Err(Size::without_unit(number)),
            (ParamKind::Size { .. }, ParamValue::Number(number)) => {
                Err(Size::without_unit(number.0))
            }
            (ParamKind::Measure { dimension, .. }, ParamValue::Whole(number)) => {
                Err(measure_without_unit(dimension, number))
            }
            (ParamKind::Measure { dimension, .. }, ParamValue::Number(number)) => {
                Err(measure_without_unit(dimension, number.0))
            }
            (ParamKind::Seed, ParamValue::Whole(number)) => seed(*number).map(Value::Seed),
            (
                ParamKind::Choice(among),
                ParamValue::Switch(_) | ParamValue::Whole(_) | ParamValue::Number(_),
            ) => {
                let names: Vec<&str> = among.iter().map(|one| one.name).collect();
                let given = serde_json::to_string(self).unwrap_or_default();
                Err(format!("wants {}, as text (got {given})", alternatives(&names)))
            }
            (_, ParamValue::Switch(on)) => Ok(Value::Switch(*on)),
            (_, ParamValue::Whole(number)) => {
                let count = u32::try_from(*number).map(Value::Count);
                Ok(count.unwrap_or(Value::Number(*number as f64)))
            }
            (_, ParamValue::Number(number)) => Ok(Value::Number(number.0)),
        }
    }
}
