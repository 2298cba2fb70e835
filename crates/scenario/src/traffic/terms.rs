//! What one table of flows carries: its own keys, and those of [traffic].

use std::cell::OnceCell;
use std::collections::BTreeMap;

use multihop_core::{
    Bytes, Defaults, Duration, Otherwise, Param, ParamError, Time, TrafficClass, Values,
};
use multihop_setup::{LEAD, Stock, TRAFFICS, TrafficKind};

use super::in_seconds;
use super::keys::{
    CLASS, LIFETIME, OF_ALL, PAYLOAD, ROUTE_LEAD, STAGGER, START, START_JITTER, STOP,
    STOP_BEFORE_END, STOPS, TRAFFIC,
};
use crate::error::{Fault, unknown};
use crate::form::{FlowSection, ParamValue, Scenario};
use crate::part::Keys;
use crate::registry::Registry;

/// The table of all flows.
const COMMON: &str = "traffic";

/// The parameters of flows of this kind: in [traffic], or in [[flow]].
pub(crate) fn params(kind: &TrafficKind, of_all: bool) -> Vec<Param> {
    let has = |param: &Param| has(kind, param.name) && (of_all || !OF_ALL.contains(&param.name));
    TRAFFIC.into_iter().filter(has).chain(kind.params.iter().copied()).collect()
}

/// Whether flows of this kind have this parameter of every flow.
fn has(kind: &TrafficKind, name: &str) -> bool {
    !kind.lacks.contains(&name)
}

/// Whether flows of this kind have a parameter of this name.
fn knows(kind: &TrafficKind, name: &str) -> bool {
    let is_it = |param: &Param| param.name == name;
    kind.params.iter().any(is_it) || has(kind, name) && TRAFFIC.iter().any(is_it)
}

/// What the scenario says of its flows.
pub(super) struct Given<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) registry: &'a Registry,
    /// The values of flows of which no table says more than [traffic], once they have been read.
    pub(super) plain: OnceCell<Values>,
}

/// What the flows of one table carry.
pub(super) struct Terms<'a> {
    pub(super) kind: &'static TrafficKind,
    pub(super) values: Values,
    /// Which of the messages of its kind it sends, if the kind has any.
    pub(super) stock: Option<Stock>,
    /// The [[flow]], and its name in the file; `None` for the flows that the topology makes.
    own: Option<(&'a FlowSection, String)>,
    /// The keys of [traffic] that hold for it.
    taken: Vec<&'a str>,
}

impl<'a> Given<'a> {
    fn keys(table: &str) -> Keys<'_> {
        Keys { table, noun: COMMON, by: "kind" }
    }

    fn kind(&self, table: &str, name: Option<&str>) -> Result<&'static TrafficKind, Fault> {
        Self::keys(table).find(name, &self.registry.traffics, |kind| kind.name)
    }

    fn common(&self) -> Option<&'a BTreeMap<String, ParamValue>> {
        self.scenario.traffic.as_ref().map(|traffic| &traffic.params)
    }

    fn common_kind(&self) -> Result<&'static TrafficKind, Fault> {
        let traffic = self.scenario.traffic.as_ref();
        self.kind(COMMON, traffic.and_then(|traffic| traffic.name.as_deref()))
    }

    /// Refuses keys of [traffic] that its kind does not have, and values out of bounds.
    pub(super) fn check_common(&self) -> Result<(), Fault> {
        let kind = self.common_kind()?;
        self.common().map_or(Ok(()), |given| self.check(COMMON, kind, given))
    }

    /// Refuses keys of a table that flows of its kind do not have, and values out of bounds.
    fn check(
        &self,
        table: &str,
        kind: &TrafficKind,
        given: &BTreeMap<String, ParamValue>,
    ) -> Result<(), Fault> {
        if given.is_empty() {
            return Ok(());
        }
        let of_all = table == COMMON;
        let all: Vec<_> =
            self.registry.traffics.iter().map(|one| (one.name, params(one, of_all))).collect();
        let all: Vec<_> = all.iter().map(|(name, params)| (*name, params.as_slice())).collect();
        let keys = Self::keys(table);
        let optional = params(kind, of_all).into_iter().map(|param| match param.otherwise {
            // another table may give it
            Otherwise::Required => param.or("none"),
            _ => param,
        });
        let optional: Vec<Param> = optional.collect();
        let values = keys.given(given, (kind.name, &optional), &all)?;
        Values::with(Defaults::Paper, &optional, &values)
            .map_err(|error| Fault::new(keys.key(error.key()), error.message()))?;
        let mut stops = STOPS.into_iter().filter(|name| given.contains_key(*name));
        if let (Some(first), Some(second)) = (stops.next(), stops.next()) {
            let message = format!("takes the place of {first}; remove one of the two");
            return Err(Fault::new(keys.key(second), message));
        }
        Ok(())
    }

    /// What the flows of the [[flow]] number `listed` carry, or those that the topology makes.
    pub(super) fn terms(&self, listed: Option<usize>) -> Result<Terms<'a>, Fault> {
        let own = listed.and_then(|index| self.scenario.flow.get(index));
        let own = own.map(|own| (own, format!("flow[{}]", listed.unwrap_or_default())));
        let kind = match &own {
            Some((FlowSection { kind: Some(name), .. }, table)) => self.kind(table, Some(name))?,
            _ => self.common_kind()?,
        };
        if let Some((own, table)) = &own {
            self.check(table, kind, &own.params)?;
        }
        let own_params = own.as_ref().map(|(own, _)| &own.params);
        let holds = |name: &&String| {
            own_params.is_none_or(|own| !says(own, kind, name)) && knows(kind, name)
        };
        let common = self.common().into_iter().flatten();
        let common: Vec<_> = common.filter(|(name, _)| holds(name)).collect();
        let taken = common.iter().map(|(name, _)| name.as_str()).collect();
        let is_plain =
            own.as_ref().is_none_or(|(own, _)| own.kind.is_none() && own.params.is_empty());
        let mut terms = Terms { kind, values: Values::default(), stock: None, own, taken };
        if let Some(values) = self.plain.get().filter(|_| is_plain) {
            terms.values = values.clone();
            return Ok(terms.sending_the_last());
        }
        let all = common.into_iter().chain(own_params.into_iter().flatten());
        terms.values = terms.read(all.map(|(name, value)| (name.as_str(), value)))?;
        if is_plain {
            self.plain.get_or_init(|| terms.values.clone());
        }
        Ok(terms.sending_the_last())
    }

    /// What the kind of [traffic] lets every node send.
    pub(super) fn stock(&self) -> Result<Vec<Stock>, Fault> {
        let kind = self.common_kind()?;
        let none = (kind.stock)(&Values::default()).is_empty();
        if none || self.scenario.traffic.is_none() {
            return Ok(Vec::new());
        }
        self.check_common()?;
        Ok((kind.stock)(&self.terms(None)?.values))
    }
}

/// Whether a flow that gives `own` says itself what `name` would: that, or what takes its place.
fn says(own: &BTreeMap<String, ParamValue>, kind: &TrafficKind, name: &str) -> bool {
    let given = |one: &str| own.contains_key(one);
    let hidden = kind.hides.iter().any(|(one, other)| *other == name && given(one));
    given(name) || hidden || STOPS.contains(&name) && STOPS.into_iter().any(given)
}

impl Terms<'_> {
    /// The same for flows that send this.
    pub(super) fn sending(self, stock: Stock) -> Self {
        Terms { stock: Some(stock), ..self }
    }

    /// Those of flows that say no more than their kind.
    fn sending_the_last(self) -> Self {
        let stock = (self.kind.stock)(&self.values).last().copied();
        Terms { stock, ..self }
    }

    fn read<'v>(
        &self,
        given: impl Iterator<Item = (&'v str, &'v ParamValue)>,
    ) -> Result<Values, Fault> {
        let params = params(self.kind, true);
        let mut values = Vec::new();
        for (name, value) in given {
            let Some(param) = params.iter().find(|param| param.name == name) else { continue };
            let value = value.of(param).map_err(|message| Fault::new(self.key(name), message))?;
            values.push((name.to_owned(), value));
        }
        Values::with(Defaults::Paper, &params, &values).map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &ParamError) -> Fault {
        let key = self.key(error.key());
        let table = key.split_once('.').map_or(COMMON, |(table, _)| table);
        Given::keys(table).refused(self.kind.name, error)
    }

    /// Where `name` stands, or would: in the flow's own table, unless [traffic] gives it.
    pub(super) fn key(&self, name: &str) -> String {
        let table = match &self.own {
            Some((_, table)) if !self.taken.contains(&name) => table,
            _ => COMMON,
        };
        format!("{table}.{name}")
    }

    pub(super) fn payload(&self) -> Bytes {
        self.stock.map_or_else(|| self.values.get(PAYLOAD), |stock| stock.payload)
    }

    pub(super) fn class(&self) -> TrafficClass {
        self.stock.map_or_else(|| self.values.get(CLASS), |stock| stock.class)
    }

    /// Whether flows of this kind have this parameter.
    fn has(&self, name: &str) -> bool {
        has(self.kind, name)
    }

    pub(super) fn start_jitter(&self) -> Duration {
        if self.has(START_JITTER.name) { self.values.get(START_JITTER) } else { Duration::ZERO }
    }

    /// When the flow that is number `position` of all starts at the earliest.
    pub(super) fn start(&self, position: usize, name: &str, end: Time) -> Result<Time, Fault> {
        if !self.has(START.name) {
            return Ok(Time::ZERO);
        }
        let own = self.own.as_ref().is_some_and(|(own, _)| own.params.contains_key(START.name));
        let stagger = self.values.given(STAGGER).filter(|_| !own).unwrap_or_default();
        // beyond the end of the run, sums could overflow
        let most = end.since(Time::ZERO).nanos();
        let later = stagger.nanos().saturating_mul(position as u64).min(most);
        let start = Time::ZERO + self.values.get(START) + Duration::from_nanos(later);
        if start < end {
            return Ok(start);
        }
        let given = self.taken.contains(&START.name) || own;
        let key = match (later > 0, given) {
            (true, _) => self.key(STAGGER.name),
            (false, true) => self.key(START.name),
            (false, false) => format!("{COMMON}.{}", START.name),
        };
        let message = format!(
            "the flow '{name}' starts at {} s, but the run ends at {} s; start it earlier or raise \
             duration",
            in_seconds(start),
            in_seconds(end)
        );
        Err(Fault::new(key, message))
    }

    /// When a flow that starts at `start` stops.
    pub(super) fn stop(&self, start: Time, end: Time) -> Result<Time, Fault> {
        let stop = match (self.values.given(STOP), self.values.given(LIFETIME)) {
            (Some(stop), _) => Time::ZERO + stop,
            (None, Some(lifetime)) => start + lifetime,
            (None, None) => return self.stop_before(start, end),
        };
        if stop > start {
            return Ok(stop.min(end));
        }
        let (name, message) = match self.values.given(STOP) {
            Some(_) => {
                let (start, stop) = (in_seconds(start), in_seconds(stop));
                let message = format!("must be later than the start at {start} s (got {stop} s)");
                (STOP.name, message)
            }
            None => (LIFETIME.name, "must be longer than zero".to_owned()),
        };
        Err(Fault::new(self.key(name), message))
    }

    fn stop_before(&self, start: Time, end: Time) -> Result<Time, Fault> {
        let Some(before) = self.values.given(STOP_BEFORE_END) else { return Ok(end) };
        let longest = end.since(start);
        if before < longest {
            return Ok(start + longest.saturating_sub(before));
        }
        let message = format!(
            "must be shorter than the {} s between the start of the flow and the end of the run (got {} s)",
            in_seconds(Time::ZERO + longest),
            in_seconds(Time::ZERO + before)
        );
        Err(Fault::new(self.key(STOP_BEFORE_END.name), message))
    }

    /// How long before `start` the single packets of a flow begin that make its route known.
    pub(super) fn lead(&self, start: Time) -> Result<Option<Duration>, Fault> {
        let Some(lead) = self.values.given(ROUTE_LEAD) else { return Ok(None) };
        let (packets, gap) = LEAD;
        let (least, most) = (gap * u64::from(packets), start.since(Time::ZERO));
        if (least..=most).contains(&lead) {
            return Ok(Some(lead));
        }
        let message = format!(
            "must be from {} s, which its {packets} packets take, to the start of the flow at {} s (got {} s); start \
             the flow later or shorten it",
            in_seconds(Time::ZERO + least),
            in_seconds(start),
            in_seconds(Time::ZERO + lead)
        );
        Err(Fault::new(self.key(ROUTE_LEAD.name), message))
    }
}

/// A [[flow]] without one of its ends: the key that is missing, or the one that resembles it.
pub(crate) fn lacks_end((index, flow): (usize, &FlowSection), end: &str) -> Fault {
    let of_kinds = TRAFFICS.iter().flat_map(|kind| params(kind, false)).map(|param| param.name);
    let own = FlowSection::KEYS.map(|(name, _)| name).into_iter().chain(["kind"]);
    let mut known: Vec<&str> = Vec::new();
    for name in own.chain(of_kinds) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    match flow.params.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Fault::new(format!("flow[{index}].{key}"), unknown("key", key, &known)),
        None => Fault::new(format!("flow[{index}].{end}"), "is missing"),
    }
}
