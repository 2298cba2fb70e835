//! From the section of a part to the part and the values of its parameters.

use multihop_core::{Defaults, Given, Otherwise, Param, ParamError, ParamKind, Value, Values};

use crate::bounds::seed;
use crate::error::{Fault, alternatives, unknown};
use crate::form::{ParamValue, Part, Section};
use crate::quantity::{BitRate, Length, Size, Span, measure, measure_without_unit};
use crate::rates;

/// So many keys may stand in a message.
const FEW: usize = 8;

/// What there is to choose from, as its name and its parameters.
pub(crate) type Entry<'a> = (&'a str, &'a [Param]);

impl<S: Section> Part<S> {
    /// A key of the section.
    fn key(name: &str) -> String {
        format!("{}.{name}", S::NAME)
    }

    /// The one of `all` that is chosen; the first where none is.
    pub(crate) fn find<T: Copy>(
        &self,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, Fault> {
        let wanted = |entry: &T| self.name.as_deref().is_none_or(|wanted| name(*entry) == wanted);
        all.iter().copied().find(wanted).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|entry| name(*entry)).collect();
            let given = self.name.as_deref().unwrap_or_default();
            Fault::new(Self::key(S::KEY), unknown(S::NAME, given, &names))
        })
    }

    /// The values of the parameters of `chosen`; `all` are the others.
    pub(crate) fn values(
        &self,
        chosen: Entry<'_>,
        all: &[Entry<'_>],
        defaults: Defaults,
    ) -> Result<Values, Fault> {
        let given = self.given(chosen, all)?;
        Values::with(defaults, chosen.1, &given).map_err(|error| Self::refused(chosen.0, &error))
    }

    /// What is given of the parameters of `chosen`.
    fn given(&self, (name, params): Entry<'_>, all: &[Entry<'_>]) -> Result<Vec<Given>, Fault> {
        let mut given = Vec::new();
        for (key, value) in &self.params {
            let Some(param) = params.iter().find(|param| param.name == key) else {
                return Err(Self::inapplicable(key, (name, params), all));
            };
            let value = value.of(param).map_err(|message| Fault::new(Self::key(key), message))?;
            given.push((key.clone(), value));
        }
        Ok(given)
    }

    /// A key that the chosen part does not have, and perhaps others do.
    fn inapplicable(key: &str, (name, params): Entry<'_>, all: &[Entry<'_>]) -> Fault {
        let known: Vec<&str> = params.iter().map(|param| param.name).collect();
        let has = |(_, params): &&Entry<'_>| params.iter().any(|param| param.name == key);
        let others: Vec<&str> = all.iter().filter(has).map(|(name, _)| *name).collect();
        let message = match (others.as_slice(), known.as_slice()) {
            ([], []) => format!("unknown key '{key}': {} \"{name}\" has none", S::KEY),
            ([], known) => unknown("key", key, &[&[S::KEY], known].concat()),
            (others, known) if known.is_empty() || known.len() > FEW => format!(
                "does not apply to {} \"{name}\"; it belongs to {}",
                S::KEY,
                alternatives(others)
            ),
            (others, known) => format!(
                "does not apply to {} \"{name}\", which takes {}; it belongs to {}",
                S::KEY,
                known.join(", "),
                alternatives(others)
            ),
        };
        Fault::new(Self::key(key), message)
    }

    fn refused(chosen: &str, error: &ParamError) -> Fault {
        let key = Self::key(error.key());
        match error {
            ParamError::Missing { .. } => {
                Fault::missing(key, &format!("{} \"{chosen}\" needs it", S::KEY))
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
            (ParamKind::Table(_), ParamValue::Rates(table)) => {
                table.numbers().map(|numbers| Value::Table(Some(numbers)))
            }
            (_, ParamValue::List(_) | ParamValue::Rates(_)) => Err(wrong()),
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
