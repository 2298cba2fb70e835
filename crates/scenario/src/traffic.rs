//! What the flows carry.

use std::collections::BTreeMap;

use multihop_core::{Bytes, Duration, FlowId, NETWORK_HEADER_LEN, NodeId, Params, Scheme, Time};

use crate::error::Fault;
use crate::form::{FlowSection, Scenario, TopologyKind, TrafficKind, TrafficSection};
use crate::quantity::Span;
use crate::setup::{Medium, Source, Traffic};
use crate::topology::Plan;

/// The largest MSDU of 802.11 (802.11-2007, 7.1.2), all headers above the MAC included.
const LARGEST_MSDU: u32 = 2304;

/// The largest packet whose length the network header can say.
const LARGEST_PACKET: u32 = 65_535;

/// What every source of a run has in common.
pub(crate) struct Offer<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) plan: &'a Plan,
    pub(crate) medium: &'a Medium,
    pub(crate) scheme: &'static Scheme,
    pub(crate) params: &'a Params,
    pub(crate) end: Time,
}

/// What one flow carries, field by field, each with its key: the flow's own, or that of [traffic].
struct Terms {
    own: TrafficSection,
    own_key: String,
    common: TrafficSection,
}

impl Terms {
    fn new(scenario: &Scenario, index: usize) -> Self {
        Terms {
            own: scenario.flow.get(index).map(FlowSection::terms).unwrap_or_default(),
            own_key: format!("flow[{index}]"),
            common: scenario.traffic.clone().unwrap_or_default(),
        }
    }

    fn pick<T>(
        &self,
        name: &str,
        field: impl Fn(&TrafficSection) -> Option<&T>,
    ) -> Option<(&T, String)> {
        let own = field(&self.own).map(|value| (value, format!("{}.{name}", self.own_key)));
        own.or_else(|| field(&self.common).map(|value| (value, format!("traffic.{name}"))))
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
            load: self.load.clone(),
            payload: self.payload.clone(),
            start: self.start.clone(),
            start_jitter: self.start_jitter.clone(),
            stop: self.stop.clone(),
        }
    }
}

impl Offer<'_> {
    /// The sources of all flows.
    pub(crate) fn sources(&self) -> Result<Vec<Source>, Fault> {
        let explicit = self.scenario.topology.kind == TopologyKind::Explicit;
        if !explicit && self.scenario.traffic.is_none() {
            let remedy =
                "the flows need [traffic] with at least a load, as in load = \"100 kbit/s\"";
            return Err(Fault::missing("traffic", remedy));
        }
        let mut sources = Vec::new();
        let mut labels = BTreeMap::new();
        let mut names = BTreeMap::new();
        for (index, &(from, to)) in self.plan.flows.iter().enumerate() {
            let label = labels.entry((from, to)).or_insert(0u32);
            let mut flow = FlowId::between(NodeId(from as u32), NodeId(to as u32));
            flow.label = u16::try_from(*label).map_err(|_| {
                Fault::new(format!("flow[{index}]"), "one pair can have at most 65536 flows")
            })?;
            *label += 1;
            let name = self.name(index, flow);
            if let Some(first) = names.insert(name.clone(), index) {
                let message =
                    format!("there are two flows '{name}': flow[{first}] and flow[{index}]");
                let own = self.scenario.flow.get(index).is_some_and(|flow| flow.name.is_some());
                let key = if own { ".name" } else { "" };
                return Err(Fault::new(format!("flow[{index}]{key}"), message));
            }
            sources.push(self.source(index, flow, name)?);
        }
        Ok(sources)
    }

    fn name(&self, index: usize, flow: FlowId) -> String {
        let given = self.scenario.flow.get(index).and_then(|flow| flow.name.clone());
        given.unwrap_or_else(|| {
            let name = |node: NodeId| &self.plan.nodes[node.index()].name;
            let pair = format!("{}->{}", name(flow.source), name(flow.destination));
            if flow.label == 0 { pair } else { format!("{pair}#{}", flow.label) }
        })
    }

    fn source(&self, index: usize, flow: FlowId, name: String) -> Result<Source, Fault> {
        let terms = Terms::new(self.scenario, index);
        let TrafficKind::Cbr = terms
            .pick("kind", |terms| terms.kind.as_ref())
            .map_or(TrafficKind::Cbr, |(kind, _)| *kind);
        let traffic = self.cbr(&terms, flow)?;
        let time = |span: &Span| Time::ZERO + span.duration();
        let start = terms.pick("start", |terms| terms.start.as_ref());
        let (start, start_key) = start.map_or(
            (Time::ZERO + Duration::from_millis(1000), "traffic.start".to_owned()),
            |(span, key)| (time(span), key),
        );
        if start >= self.end {
            let message = format!(
                "the flow '{name}' starts at {} s, but the run ends at {} s; start it earlier or \
                 raise duration",
                in_seconds(start),
                in_seconds(self.end)
            );
            return Err(Fault::new(start_key, message));
        }
        let stop = match terms.pick("stop", |terms| terms.stop.as_ref()) {
            None => self.end,
            Some((span, _)) if time(span) > start => time(span).min(self.end),
            Some((span, key)) => {
                let message =
                    format!("must be later than the start at {} s (got {span})", in_seconds(start));
                return Err(Fault::new(key, message));
            }
        };
        let jitter = terms.pick("start_jitter", |terms| terms.start_jitter.as_ref());
        let start_jitter = jitter.map_or(Duration::from_millis(500), |(span, _)| span.duration());
        Ok(Source { name, flow, traffic, start, start_jitter, stop })
    }

    fn cbr(&self, terms: &Terms, flow: FlowId) -> Result<Traffic, Fault> {
        let payload = terms.pick("payload", |terms| terms.payload.as_ref());
        let (payload, payload_key) = payload
            .map_or((Bytes(512), "traffic.payload".to_owned()), |(size, key)| (size.bytes(), key));
        if payload.0 == 0 {
            return Err(Fault::new(payload_key, "must be at least 1 B (got 0 B)"));
        }
        let hop = (self.scheme.hop)(self.params).header_len();
        let transport = (self.scheme.transport)(self.params, flow).header_len();
        let headers = (NETWORK_HEADER_LEN + hop + transport) as u32;
        let (largest, of) = match self.medium {
            Medium::Radio(..) => (LARGEST_MSDU, "an 802.11 frame"),
            Medium::Wired(_) => (LARGEST_PACKET, "a packet"),
        };
        if payload.0 > largest.saturating_sub(headers) {
            let message = format!(
                "{payload} and {headers} B of headers make {} B, but {of} carries at most \
                 {largest} B; the payload may be up to {} B",
                u64::from(payload.0) + u64::from(headers),
                largest.saturating_sub(headers)
            );
            return Err(Fault::new(payload_key, message));
        }
        let Some((load, load_key)) = terms.pick("load", |terms| terms.load.as_ref()) else {
            let explicit = self.scenario.topology.kind == TopologyKind::Explicit;
            let key = if explicit {
                format!("{}.load", terms.own_key)
            } else {
                "traffic.load".to_owned()
            };
            return Err(Fault::missing(key, "write for example load = \"100 kbit/s\""));
        };
        if load.rate().0 == 0 {
            let message = format!("must be greater than zero (got {load})");
            return Err(Fault::new(load_key, message));
        }
        let interval = load.rate().air_time(payload);
        if interval == Duration::ZERO {
            let message = format!("{load} sends a packet more often than once per nanosecond");
            return Err(Fault::new(load_key, message));
        }
        Ok(Traffic::Cbr { payload, interval })
    }
}
