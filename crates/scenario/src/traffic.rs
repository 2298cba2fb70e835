//! What the flows carry.

use std::borrow::Cow;
use std::collections::BTreeMap;

use multihop_core::{Bytes, Duration, FlowId, NodeId, Params, Purpose, Rng, Scheme, Time};

use crate::bounds::within;
use crate::error::Fault;
use crate::form::{FlowSection, Scenario, TrafficKind, TrafficSection, TransportKind};
use crate::quantity::Size;
use crate::topology::Plan;
use multihop_setup::{Carried, CarriedBy, LEAD, Source, Traffic, headers};

/// What every source of a run has in common.
pub(crate) struct Offer<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) plan: &'a Plan,
    pub(crate) medium: &'a Carried,
    pub(crate) scheme: &'static Scheme,
    pub(crate) params: &'a Params,
    pub(crate) end: Time,
}

/// What one flow carries, field by field, each with its key: the flow's own, or that of [traffic].
struct Terms<'a> {
    own: TrafficSection,
    /// The flow's table in the file, unless the topology makes the flow.
    own_key: Option<String>,
    common: Cow<'a, TrafficSection>,
}

/// Where a value stands. It is written out for faults only: a run may have thousands of flows.
struct Key<'a> {
    table: &'a str,
    name: &'static str,
}

impl Key<'static> {
    /// In the table of all flows.
    const fn common(name: &'static str) -> Self {
        Key { table: "traffic", name }
    }
}

impl From<Key<'_>> for String {
    fn from(Key { table, name }: Key) -> String {
        format!("{table}.{name}")
    }
}

impl<'a> Terms<'a> {
    fn new(scenario: &'a Scenario, listed: Option<usize>) -> Self {
        let own = listed.and_then(|index| scenario.flow.get(index));
        Terms {
            own: own.map(FlowSection::terms).unwrap_or_default(),
            own_key: listed.map(|index| format!("flow[{index}]")),
            common: scenario.traffic.as_ref().map_or_else(Cow::default, Cow::Borrowed),
        }
    }

    /// The key of a field that is missing: where the flow itself would say it.
    fn key(&self, name: &'static str) -> Key<'_> {
        Key { table: self.own_key.as_deref().unwrap_or("traffic"), name }
    }

    fn pick<T>(
        &self,
        name: &'static str,
        field: impl Fn(&TrafficSection) -> Option<&T>,
    ) -> Option<(&T, Key<'_>)> {
        let own = field(&self.own).map(|value| (value, self.key(name)));
        own.or_else(|| field(&self.common).map(|value| (value, Key::common(name))))
    }

    fn kind(&self) -> TrafficKind {
        self.own.kind.unwrap_or_else(|| self.common.kind())
    }

    /// The upper end of the sizes. A flow that gives its own size, and no more, has that.
    fn largest_size(&self) -> Option<(&Size, Key<'_>)> {
        let fixed = self.own.size.is_some() && self.own.largest_size.is_none();
        self.pick("largest_size", |terms| terms.largest_size.as_ref().filter(|_| !fixed))
    }

    /// When a flow that starts at `start` stops: what it says itself, in either way, goes before
    /// what [traffic] says.
    fn stop(&self, start: Time, end: Time) -> Result<Time, Fault> {
        let own = self.own_key.as_deref().map(|key| (&self.own, key));
        for (terms, table) in own.into_iter().chain([(&*self.common, "traffic")]) {
            let stop = match (&terms.stop, &terms.lifetime) {
                (Some(_), Some(_)) => {
                    let message = "takes the place of stop; remove one of the two";
                    return Err(Fault::new(format!("{table}.lifetime"), message));
                }
                (None, None) => continue,
                (Some(stop), None) => Time::ZERO + stop.duration(),
                (None, Some(lifetime)) => start + lifetime.duration(),
            };
            if stop > start {
                return Ok(stop.min(end));
            }
            let (name, message) = match &terms.stop {
                Some(stop) => {
                    let start = in_seconds(start);
                    ("stop", format!("must be later than the start at {start} s (got {stop})"))
                }
                None => ("lifetime", "must be longer than zero".to_owned()),
            };
            return Err(Fault::new(format!("{table}.{name}"), message));
        }
        Ok(end)
    }
}

impl TrafficKind {
    /// Its name in scenario files.
    fn name(self) -> &'static str {
        match self {
            TrafficKind::Cbr => "cbr",
            TrafficKind::Ftp => "ftp",
            TrafficKind::File => "file",
        }
    }
}

impl TrafficSection {
    fn kind(&self) -> TrafficKind {
        self.kind.unwrap_or(TrafficKind::Cbr)
    }

    /// Refuses keys that flows of `kind` do not have. `table` is where they stand.
    fn check_keys(&self, kind: TrafficKind, table: &str) -> Result<(), Fault> {
        let keys = [
            ("load", self.load.is_some(), TrafficKind::Cbr),
            ("interval_jitter", self.interval_jitter.is_some(), TrafficKind::Cbr),
            ("size", self.size.is_some(), TrafficKind::File),
            ("largest_size", self.largest_size.is_some(), TrafficKind::File),
        ];
        let Some((key, _, of)) = keys.into_iter().find(|(_, given, of)| *given && *of != kind)
        else {
            return Ok(());
        };
        let (kind, of) = (kind.name(), of.name());
        let message =
            format!("does not apply to kind \"{kind}\"; remove it or set kind = \"{of}\"");
        Err(Fault::new(format!("{table}.{key}"), message))
    }
}

/// Seconds for messages; dividing keeps 120 s from becoming 120.00000000000001 s.
fn in_seconds(time: Time) -> f64 {
    time.nanos() as f64 / 1e9
}

impl FlowSection {
    fn terms(&self) -> TrafficSection {
        TrafficSection {
            kind: self.kind,
            transport: self.transport,
            load: self.load.clone(),
            interval_jitter: self.interval_jitter,
            size: self.size.clone(),
            largest_size: self.largest_size.clone(),
            payload: self.payload.clone(),
            start: self.start.clone(),
            start_jitter: self.start_jitter.clone(),
            route_lead: None,
            stagger: None,
            stop: self.stop.clone(),
            lifetime: self.lifetime.clone(),
        }
    }
}

impl Offer<'_> {
    /// The sources of all flows.
    pub(crate) fn sources(&self) -> Result<Vec<Source>, Fault> {
        match &self.scenario.traffic {
            Some(traffic) => traffic.check_keys(traffic.kind(), "traffic")?,
            None if self.plan.makes_flows() => {
                let remedy = "the flows need [traffic] with load = \"100 kbit/s\", for example, \
                              or kind = \"ftp\"";
                return Err(Fault::missing("traffic", remedy));
            }
            None => {}
        }
        let mut sources = Vec::new();
        let mut labels = BTreeMap::new();
        let mut names = BTreeMap::new();
        for (index, &(from, to)) in self.plan.flows.iter().enumerate() {
            let listed = self.plan.listed(index);
            let key =
                || listed.map_or_else(|| "topology".to_owned(), |index| format!("flow[{index}]"));
            let label = labels.entry((from, to)).or_insert(0u32);
            if *label >= FlowId::MOST_PER_PAIR {
                let message = format!("one pair can have at most {} flows", FlowId::MOST_PER_PAIR);
                return Err(Fault::new(key(), message));
            }
            let mut flow = FlowId::between(NodeId(from as u32), NodeId(to as u32));
            flow.label = *label as u16;
            *label += 1;
            let given = listed.and_then(|index| self.scenario.flow[index].name.as_deref());
            let name = given.map_or_else(|| self.name(flow), str::to_owned);
            if let Some(first) = names.insert(name.clone(), index) {
                let first = self.plan.listed(first).map_or_else(
                    || "one of the topology's".to_owned(),
                    |first| format!("flow[{first}]"),
                );
                let key = key();
                let message = format!("there are two flows '{name}': {first} and {key}");
                let name = if given.is_some() { ".name" } else { "" };
                return Err(Fault::new(format!("{key}{name}"), message));
            }
            sources.push(self.source(index, flow, name)?);
        }
        Ok(sources)
    }

    /// The name of a flow that is given none.
    fn name(&self, flow: FlowId) -> String {
        let name = |node: NodeId| self.plan.called(node);
        let pair = format!("{}->{}", name(flow.source), name(flow.destination));
        if flow.label == 0 { pair } else { format!("{pair}#{}", flow.label) }
    }

    /// The source of the flow that is number `position` of all.
    fn source(&self, position: usize, flow: FlowId, name: String) -> Result<Source, Fault> {
        let terms = Terms::new(self.scenario, self.plan.listed(position));
        let transport = terms.pick("transport", |terms| terms.transport.as_ref());
        let carried_by = match transport {
            None | Some((TransportKind::Scheme, _)) => CarriedBy::Scheme,
            Some((TransportKind::Datagram, _)) => CarriedBy::Datagram,
        };
        let traffic = self.traffic(&terms, position, flow, carried_by)?;
        let start = self.start(&terms, position, &name)?;
        let stop = terms.stop(start, self.end)?;
        let jitter = terms.pick("start_jitter", |terms| terms.start_jitter.as_ref());
        let start_jitter = jitter.map_or(Duration::from_millis(500), |(span, _)| span.duration());
        let way = self.plan.ways.get(&position).map_or(&[][..], Vec::as_slice);
        let way = way.iter().map(|node| NodeId(*node as u32)).collect();
        let lead = lead(&terms, start)?;
        Ok(Source { name, flow, way, traffic, carried_by, start, start_jitter, lead, stop })
    }

    /// When a flow starts at the earliest.
    fn start(&self, terms: &Terms, position: usize, name: &str) -> Result<Time, Fault> {
        let given = terms.pick("start", |terms| terms.start.as_ref());
        let (start, key) = given
            .map_or((Duration::from_millis(1000), Key::common("start")), |(span, key)| {
                (span.duration(), key)
            });
        let stagger = terms.common.stagger.as_ref().filter(|_| terms.own.start.is_none());
        // beyond the end of the run, sums could overflow
        let most = self.end.since(Time::ZERO).nanos();
        let later = stagger.map_or(0, |stagger| stagger.duration().nanos());
        let later = later.saturating_mul(position as u64).min(most);
        let key = if later > 0 { Key::common("stagger") } else { key };
        let start = Time::ZERO + start + Duration::from_nanos(later);
        if start < self.end {
            return Ok(start);
        }
        let message = format!(
            "the flow '{name}' starts at {} s, but the run ends at {} s; start it earlier or raise \
             duration",
            in_seconds(start),
            in_seconds(self.end)
        );
        Err(Fault::new(key, message))
    }

    fn traffic(
        &self,
        terms: &Terms,
        position: usize,
        flow: FlowId,
        carried_by: CarriedBy,
    ) -> Result<Traffic, Fault> {
        let kind = terms.kind();
        if let Some(table) = &terms.own_key {
            terms.own.check_keys(kind, table)?;
        }
        let payload = self.payload(terms, flow, carried_by)?;
        match kind {
            TrafficKind::Cbr => {
                let (interval, jitter) = (interval(terms, payload)?, interval_jitter(terms)?);
                Ok(Traffic::Cbr { payload, interval, jitter })
            }
            TrafficKind::Ftp => Ok(Traffic::Bulk { payload, packets: None }),
            TrafficKind::File => {
                let seed = self.scenario.seed();
                let rng = Rng::stream(seed, NodeId(position as u32), Purpose::Size);
                let size = size(terms, rng)?;
                Ok(Traffic::Bulk { payload, packets: Some(size.0.div_ceil(payload.0)) })
            }
        }
    }

    /// The payload of a packet, if it fits into one beside the headers.
    fn payload(&self, terms: &Terms, flow: FlowId, carried_by: CarriedBy) -> Result<Bytes, Fault> {
        let payload = terms.pick("payload", |terms| terms.payload.as_ref());
        let (payload, key) =
            payload.map_or((Bytes(512), Key::common("payload")), |(size, key)| (size.bytes(), key));
        if payload.0 == 0 {
            return Err(Fault::new(key, "must be at least 1 B (got 0 B)"));
        }
        let (below, transport) = headers(self.scheme, self.params, flow, carried_by);
        let headers = below + transport;
        let largest = self.medium.mac.longest_packet.0;
        if payload.0 > largest.saturating_sub(headers) {
            // a transport with a header is one of the TCP family
            let noun = if transport > 0 { "segment" } else { "payload" };
            let message = format!(
                "a {noun} of {payload} and {headers} B of headers make {} B, but a frame of the {} MAC \
                 carries at most {largest} B; the {noun} may be up to {} B",
                u64::from(payload.0) + u64::from(headers),
                self.medium.mac.title,
                largest.saturating_sub(headers)
            );
            return Err(Fault::new(key, message));
        }
        Ok(payload)
    }
}

/// How long before `start` the single packets of a flow begin that make its route known.
fn lead(terms: &Terms, start: Time) -> Result<Option<Duration>, Fault> {
    let Some(lead) = &terms.common.route_lead else { return Ok(None) };
    let fault = |message| Err(Fault::new("traffic.route_lead", message));
    if terms.kind() == TrafficKind::File {
        let message = "does not apply to kind \"file\", whose packets are all of its file; remove it or \
                       set kind = \"cbr\" or \"ftp\"";
        return fault(message.to_owned());
    }
    let (packets, gap) = LEAD;
    let (least, most) = ((gap * u64::from(packets)).seconds(), in_seconds(start));
    let given = lead.duration();
    if given.seconds() < least || Time::ZERO + given > start {
        return fault(format!(
            "must be from {least} s, which its {packets} packets take, to the start of the flow at {most} s \
             (got {lead}); start the flow later or shorten it"
        ));
    }
    Ok(Some(given))
}

/// The time between two packets of a constant bit rate.
fn interval(terms: &Terms, payload: Bytes) -> Result<Duration, Fault> {
    let Some((load, key)) = terms.pick("load", |terms| terms.load.as_ref()) else {
        let remedy = "kind \"cbr\" needs it, as in load = \"100 kbit/s\"";
        return Err(Fault::missing(terms.key("load"), remedy));
    };
    if load.rate().0 == 0 {
        return Err(Fault::new(key, format!("must be greater than zero (got {load})")));
    }
    let interval = load.rate().air_time(payload);
    if interval == Duration::ZERO {
        let message = format!("{load} sends a packet more often than once per nanosecond");
        return Err(Fault::new(key, message));
    }
    Ok(interval)
}

/// In what share of itself an interval varies either way.
fn interval_jitter(terms: &Terms) -> Result<f64, Fault> {
    let jitter = terms.pick("interval_jitter", |terms| terms.interval_jitter.as_ref());
    let Some((&jitter, key)) = jitter else { return Ok(0.0) };
    within(&String::from(key), jitter, |share| (0.0..=1.0).contains(&share), "must be from 0 to 1")
}

/// The size of a flow's file: as given, or drawn from a range.
fn size(terms: &Terms, mut rng: Rng) -> Result<Bytes, Fault> {
    let Some((size, key)) = terms.pick("size", |terms| terms.size.as_ref()) else {
        let remedy = "kind \"file\" needs it, as in size = \"50 kB\"";
        return Err(Fault::missing(terms.key("size"), remedy));
    };
    let least = size.bytes();
    if least.0 == 0 {
        return Err(Fault::new(key, format!("must be at least 1 B (got {size})")));
    }
    let Some((largest, key)) = terms.largest_size() else { return Ok(least) };
    let most = largest.bytes();
    if most < least {
        let message = format!("must not be smaller than size ({largest} against {size})");
        return Err(Fault::new(key, message));
    }
    Ok(least + Bytes(rng.below((most.0 - least.0).saturating_add(1))))
}
