//! What the flows carry: [traffic], and what each [[flow]] says otherwise.

pub(crate) mod keys;
mod terms;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use multihop_core::{Bytes, FlowId, NodeId, ParamKind, Params, Purpose, Rng, Scheme, Time, Value};

use crate::error::Fault;
use crate::form::Scenario;
use crate::registry::Registry;
use crate::topology::Plan;
use keys::{SOURCE_QUEUE, TRANSPORT};
use multihop_setup::{self as setup, Carried, CarriedBy, Sender, Source, Stock, Traffic, headers};
use terms::{Given, Terms};
pub(crate) use terms::{lacks_end, params};

/// What every source of a run has in common.
pub(crate) struct Offer<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) registry: &'a Registry,
    pub(crate) plan: &'a Plan,
    /// What the kind of traffic lets every node send.
    pub(crate) stock: &'a [Stock],
    pub(crate) medium: &'a Carried,
    pub(crate) scheme: &'static Scheme,
    pub(crate) params: &'a Params,
    pub(crate) end: Time,
}

/// The parameter of a scheme that says what a node does for others.
const ROLE: &str = "role";

/// What makes a flow: which [[flow]], and which of the messages that the kind of traffic lets every node send.
type Origin = (Option<usize>, Option<usize>);

/// What the kind of [traffic] lets every node send.
pub(crate) fn stock(scenario: &Scenario, registry: &Registry) -> Result<Vec<Stock>, Fault> {
    Given { scenario, registry, plain: OnceCell::new() }.stock()
}

/// Seconds for messages; dividing keeps 120 s from becoming 120.00000000000001 s.
fn in_seconds(time: Time) -> f64 {
    time.nanos() as f64 / 1e9
}

impl Offer<'_> {
    /// The sources of all flows.
    pub(crate) fn sources(&self) -> Result<Vec<Source>, Fault> {
        let (scenario, registry) = (self.scenario, self.registry);
        let given = Given { scenario, registry, plain: OnceCell::new() };
        if self.scenario.traffic.is_none() && self.plan.makes_flows() {
            let remedy = "the flows need [traffic] with load = \"100 kbit/s\", for example, \
                          or kind = \"ftp\"";
            return Err(Fault::missing("traffic", remedy));
        }
        given.check_common()?;
        let mut sources = Vec::new();
        let mut numbers = BTreeMap::new();
        let mut names = BTreeMap::new();
        let mut terms: BTreeMap<Origin, Terms> = BTreeMap::new();
        let mut together: BTreeMap<Origin, Vec<FlowId>> = BTreeMap::new();
        for (index, &(from, to)) in self.plan.flows.iter().enumerate() {
            let origin @ (listed, stock) = (self.plan.listed(index), self.plan.stock(index));
            let terms = match terms.entry(origin) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let terms = given.terms(listed)?;
                    new.insert(match stock {
                        Some(at) => terms.sending(self.stock[at]),
                        None => terms,
                    })
                }
            };
            let flow = FlowId::between(NodeId(from as u32), NodeId(to as u32));
            let flow = self.labelled(flow.of_class(terms.class()), &mut numbers, index)?;
            together.entry(origin).or_default().push(flow);
            let name = self.name(index, flow);
            if let Some(first) = names.insert(name.clone(), index) {
                return Err(self.twice(&name, first, index));
            }
            sources.push(self.source(terms, index, flow, name)?);
        }
        for (flows, terms) in together.values().zip(terms.values()) {
            self.check_together(flows, terms)?;
        }
        Ok(sources)
    }

    /// The next of the flows like `first`, between the same two and of the same class, with a label of its own.
    fn labelled(
        &self,
        first: FlowId,
        numbers: &mut BTreeMap<FlowId, u32>,
        index: usize,
    ) -> Result<FlowId, Fault> {
        let number = numbers.entry(first).or_insert(0);
        if *number >= FlowId::MOST_PER_PAIR {
            let most = FlowId::MOST_PER_PAIR;
            let message = format!("one pair can have at most {most} flows of one class");
            return Err(Fault::new(self.plan.key(index), message));
        }
        let flow = FlowId { label: first.label | *number as u16, ..first };
        *number += 1;
        Ok(flow)
    }

    /// The name that [[flow]] gives the flow that is number `index` of all, or that of its messages.
    fn given_name(&self, index: usize) -> Option<&str> {
        if let Some(at) = self.plan.stock(index) {
            return Some(self.stock[at].name);
        }
        self.scenario.flow[self.plan.listed(index)?].name.as_deref()
    }

    /// Whether the table of a flow makes others, too.
    fn is_one_of_several(&self, index: usize) -> bool {
        let table = self.plan.listed(index);
        let is_of_table = |other: Option<usize>| {
            table.is_some() && other.and_then(|other| self.plan.listed(other)) == table
        };
        is_of_table(index.checked_sub(1)) || is_of_table(Some(index + 1))
    }

    /// The name of a flow: what [[flow]] says, with the names of its ends where there are several, or these alone.
    fn name(&self, index: usize, flow: FlowId) -> String {
        let name = |node: NodeId| self.plan.called(node);
        let pair = format!("{}->{}", name(flow.source), name(flow.destination));
        match self.given_name(index) {
            Some(given) if self.is_one_of_several(index) || self.plan.stock(index).is_some() => {
                format!("{given} {pair}")
            }
            Some(given) => given.to_owned(),
            // as the flow says it of the ends' numbers
            None => pair + flow.to_string().trim_start_matches(|at| !"# ".contains(at)),
        }
    }

    /// Two flows have one name.
    fn twice(&self, name: &str, first: usize, index: usize) -> Fault {
        let made = || "one of the topology's".to_owned();
        let first = self.plan.listed(first).map_or_else(made, |first| format!("flow[{first}]"));
        let key = self.plan.key(index);
        let message = format!("there are two flows '{name}': {first} and {key}");
        let name = if self.given_name(index).is_some() { ".name" } else { "" };
        Fault::new(format!("{key}{name}"), message)
    }

    /// The source of the flow that is number `position` of all.
    fn source(
        &self,
        terms: &Terms,
        position: usize,
        flow: FlowId,
        name: String,
    ) -> Result<Source, Fault> {
        let carried_by = terms.values.get(TRANSPORT);
        let traffic = self.traffic(terms, position, flow, carried_by)?;
        let start = terms.start(position, &name, self.end)?;
        let stop = terms.stop(start, self.end)?;
        let way = self.plan.ways.get(&position).map_or(&[][..], Vec::as_slice);
        Ok(Source {
            name,
            flow,
            way: way.iter().map(|node| NodeId(*node as u32)).collect(),
            traffic,
            carried_by,
            queue: terms.values.get(SOURCE_QUEUE),
            start,
            start_jitter: terms.start_jitter(),
            lead: terms.lead(start)?,
            stop,
        })
    }

    fn traffic(
        &self,
        terms: &Terms,
        position: usize,
        flow: FlowId,
        carried_by: CarriedBy,
    ) -> Result<Traffic, Fault> {
        let largest = self.largest_payload(flow, carried_by);
        let payload = terms.payload();
        if payload > largest {
            return Err(self.too_large(terms, payload, (flow, carried_by)));
        }
        let (from, to) = (self.plan.called(flow.source), self.plan.called(flow.destination));
        let made = (terms.kind.make)(&setup::Terms {
            values: &terms.values,
            payload,
            largest_payload: largest,
            ends: (&from, &to),
            rng: Rng::stream(self.scenario.seed(), NodeId(position as u32), Purpose::Size),
            stock: terms.stock.map(|stock| stock.name),
            sender: self.sender(flow.source),
        });
        let refused = |refusal: setup::Refusal| Fault::new(terms.key(refusal.key), refusal.message);
        Ok(Traffic { kind: terms.kind, payload, pattern: made.map_err(refused)? })
    }

    /// What a kind of traffic may know of a node that sends.
    fn sender(&self, node: NodeId) -> Sender {
        let node = &self.plan.nodes[node.index()];
        let values = &node.own.params.as_ref().unwrap_or(self.params).values;
        let scheme = node.own.scheme.unwrap_or(self.scheme);
        let role = scheme.params.iter().find(|param| param.name == ROLE);
        let role = role.and_then(|role| match (role.kind, values.named(ROLE)) {
            (ParamKind::Choice(among), Some(Value::Choice(at))) => Some(among.get(*at)?.name),
            _ => None,
        });
        Sender { nodes: self.plan.nodes.len(), role, moves: !node.track.is_still() }
    }

    /// The headers of the network and the hop protocol, and that of the transport, in bytes.
    fn headers(&self, flow: FlowId, carried_by: CarriedBy) -> (u32, u32) {
        let own = &self.plan.nodes[flow.source.index()].own;
        let (scheme, params) = (own.scheme.unwrap_or(self.scheme), own.params.as_ref());
        headers(scheme, params.unwrap_or(self.params), flow, carried_by)
    }

    /// The largest payload that a frame has room for beside the headers.
    fn largest_payload(&self, flow: FlowId, carried_by: CarriedBy) -> Bytes {
        let (below, transport) = self.headers(flow, carried_by);
        Bytes(self.longest_packet().0.saturating_sub(below + transport))
    }

    /// The longest packet that a frame of the MAC carries.
    fn longest_packet(&self) -> Bytes {
        (self.medium.mac.longest_packet)(&self.medium.values)
    }

    fn too_large(&self, terms: &Terms, payload: Bytes, of: (FlowId, CarriedBy)) -> Fault {
        let (below, transport) = self.headers(of.0, of.1);
        let headers = below + transport;
        let largest = self.longest_packet().0;
        // a transport with a header is one of the TCP family
        let noun = if transport > 0 { "segment" } else { "payload" };
        let message = format!(
            "a {noun} of {payload} and {headers} B of headers make {} B, but a frame of the {} MAC \
             carries at most {largest} B; the {noun} may be up to {} B",
            u64::from(payload.0) + u64::from(headers),
            self.medium.mac.title,
            largest.saturating_sub(headers)
        );
        let key = terms.stock.map_or(keys::PAYLOAD.name, |stock| stock.key);
        Fault::new(terms.key(key), message)
    }

    /// Refuses values that do not fit the flows of one table together.
    fn check_together(&self, flows: &[FlowId], terms: &Terms) -> Result<(), Fault> {
        let ends = flows.iter().map(|flow| [flow.source, flow.destination]);
        let named: Vec<_> = ends.map(|ends| ends.map(|end| self.plan.called(end))).collect();
        let ends: Vec<_> = named.iter().map(|[from, to]| (&**from, &**to)).collect();
        let checked = (terms.kind.check)(&terms.values, &ends);
        checked.map_err(|refusal| Fault::new(terms.key(refusal.key), refusal.message))
    }
}
