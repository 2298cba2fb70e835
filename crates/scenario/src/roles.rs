//! In what nodes differ from each other: roles, radios, schemes and their parameters.

use std::collections::BTreeMap;

use multihop_core::{Dimension, Given, NodeId, Params, Purpose, Rng, Scheme, Value, Values};
use multihop_setup::{Carried, Fitting, Interference, MOST_FITTINGS, Node, Own, Radio, Radios};

use crate::capabilities::{check_alike, check_capabilities};
use crate::error::{Fault, unknown};
use crate::form::{InScheme, NodeSection, ParamValue, RoleSection, Scenario, Section};
use crate::names::Names;
use crate::part::Keys;
use crate::quantity::{Gain, Length, Power, Signal};
use crate::radio::keys::SENSE_THRESHOLD;
use crate::registry::Registry;

/// The key of a scheme's table that chooses it.
const NAME: &str = <InScheme as Section>::KEY;

/// What the nodes have in common.
pub(crate) struct Common<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) medium: &'a Carried,
    pub(crate) scheme: &'static Scheme,
    pub(crate) params: &'a Params,
    pub(crate) registry: &'a Registry,
}

/// What a table says of the nodes that it is of.
struct Differing<'a> {
    /// The table, as `roles.router`.
    table: String,
    transmit_power: Option<&'a Power>,
    antenna_gain: Option<&'a Gain>,
    antenna_height: Option<&'a Length>,
    sense_threshold: Option<&'a Signal>,
    scheme: &'a BTreeMap<String, ParamValue>,
}

impl<'a> Differing<'a> {
    fn of_role(name: &str, role: &'a RoleSection) -> Self {
        let RoleSection {
            transmit_power,
            antenna_gain,
            antenna_height,
            sense_threshold,
            scheme,
            ..
        } = role;
        Differing {
            table: format!("roles.{name}"),
            transmit_power: transmit_power.as_ref(),
            antenna_gain: antenna_gain.as_ref(),
            antenna_height: antenna_height.as_ref(),
            sense_threshold: sense_threshold.as_ref(),
            scheme,
        }
    }

    fn of_node(index: usize, node: &'a NodeSection) -> Self {
        let NodeSection {
            transmit_power,
            antenna_gain,
            antenna_height,
            sense_threshold,
            scheme,
            ..
        } = node;
        Differing {
            table: format!("node[{index}]"),
            transmit_power: transmit_power.as_ref(),
            antenna_gain: antenna_gain.as_ref(),
            antenna_height: antenna_height.as_ref(),
            sense_threshold: sense_threshold.as_ref(),
            scheme,
        }
    }

    /// The first key that says something of the radio.
    fn radio_key(&self) -> Option<&'static str> {
        let given = [
            ("transmit_power", self.transmit_power.is_some()),
            ("antenna_gain", self.antenna_gain.is_some()),
            ("antenna_height", self.antenna_height.is_some()),
            (SENSE_THRESHOLD.name, self.sense_threshold.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(key, _)| key)
    }

    /// `fitting` with what the table says otherwise.
    fn fit(&self, fitting: Fitting, medium: &Carried, radio: &Radio) -> Result<Fitting, Fault> {
        let positive = |key: &str, value: f64| {
            let fault = || Fault::new(format!("{}.{key}", self.table), "must be greater than zero");
            if value > 0.0 { Ok(value) } else { Err(fault()) }
        };
        let mut fitting = fitting;
        if let Some(power) = self.transmit_power {
            fitting.transmit_power = positive("transmit_power", power.value())?;
        }
        if let Some(gain) = self.antenna_gain {
            fitting.antenna_gain = gain.factor();
        }
        if let Some(height) = self.antenna_height {
            fitting.antenna_height = positive("antenna_height", height.value())?;
        }
        if let Some(signal) = self.sense_threshold {
            fitting.sense_threshold = self.sensed(signal, medium, radio)?;
        }
        Ok(fitting)
    }

    /// The power in W from which the nodes sense frames.
    fn sensed(&self, signal: &Signal, medium: &Carried, radio: &Radio) -> Result<f64, Fault> {
        let fault =
            |message| Err(Fault::new(format!("{}.{}", self.table, SENSE_THRESHOLD.name), message));
        if medium.mac.floors.is_some() {
            let message = format!(
                "does not apply: with \"{}\", [mac] says for all nodes what they sense; remove it",
                medium.mac.name
            );
            return fault(message);
        }
        if matches!(radio.interference, Interference::Ofdm(_)) {
            let message = "does not apply: a receiver of OFDM finds the medium busy by preambles from \
                           radio.receive_threshold on, and by -82 dBm; remove it";
            return fault(message.to_owned());
        }
        if signal.watts() > radio.receive_threshold {
            let receive = 10.0 * libm::log10(radio.receive_threshold) + 30.0;
            let receive = libm::round(receive * 100.0) / 100.0;
            let message = format!(
                "must not be above the power from which frames are decoded ({signal} against {})",
                Value::Measure(receive, Dimension::Signal)
            );
            return fault(message);
        }
        Ok(signal.watts())
    }
}

impl Differing<'_> {
    /// The scheme that the table names, if it names one.
    fn names(&self, registry: &Registry) -> Result<Option<&'static Scheme>, Fault> {
        let Some(name) = self.scheme.get(NAME) else { return Ok(None) };
        let table = format!("{}.scheme", self.table);
        let keys = Keys { table: &table, noun: "scheme", by: NAME };
        let ParamValue::Text(name) = name else {
            return Err(Fault::new(keys.key(NAME), "must be the name of a scheme, as text"));
        };
        keys.find(Some(name), &registry.schemes, |scheme| scheme.name).map(Some)
    }
}

/// What every role and every node says.
fn tables(scenario: &Scenario) -> impl Iterator<Item = Differing<'_>> {
    let roles = scenario.roles.iter().map(|(name, role)| Differing::of_role(name, role));
    let nodes = scenario.node.iter().enumerate();
    roles.chain(nodes.map(|(index, node)| Differing::of_node(index, node)))
}

/// The key that names `scheme` for a role or a node, if one does.
pub(crate) fn key_of(scenario: &Scenario, scheme: &Scheme) -> Option<String> {
    let names = |table: &Differing<'_>| matches!(table.scheme.get(NAME), Some(ParamValue::Text(name)) if name == scheme.name);
    tables(scenario).find(names).map(|table| format!("{}.scheme.{NAME}", table.table))
}

/// The scheme under test, and those that roles and nodes name, each once.
pub(crate) fn schemes(
    scenario: &Scenario,
    scheme: &'static Scheme,
    registry: &Registry,
) -> Result<Vec<&'static Scheme>, Fault> {
    let mut schemes = vec![scheme];
    for table in tables(scenario) {
        if let Some(other) = table.names(registry)?.filter(|other| !schemes.contains(other)) {
            check_alike(scheme, other, &format!("{}.scheme.{NAME}", table.table))?;
            schemes.push(other);
        }
    }
    Ok(schemes)
}

impl Common<'_> {
    /// Gives every node its role, and in what it differs from the others.
    pub(crate) fn equip(&self, nodes: &mut [Node]) -> Result<(), Fault> {
        let roles = roles(self.scenario, nodes)?;
        let mut of_roles = BTreeMap::new();
        for (name, role) in &self.scenario.roles {
            let differing = Differing::of_role(name, role);
            let own = self.own(Some(name), &[&differing])?;
            of_roles.insert(name.as_str(), own);
        }
        for (index, node) in nodes.iter_mut().enumerate() {
            let role = roles[index];
            if let Some(own) = role.and_then(|role| of_roles.get(role)) {
                node.own = own.clone();
            }
            let Some(section) = self.scenario.node.get(index) else { continue };
            let own = Differing::of_node(index, section);
            if own.radio_key().is_some() || !own.scheme.is_empty() {
                let of_role = role.and_then(|name| self.scenario.roles.get_key_value(name));
                let of_role = of_role.map(|(name, role)| Differing::of_role(name, role));
                let tables: Vec<&Differing> = of_role.iter().chain([&own]).collect();
                node.own = self.own(role, &tables)?;
            }
        }
        self.check_fittings(nodes)
    }

    /// In what nodes differ of which these tables say something, the later before the earlier.
    fn own(&self, role: Option<&str>, tables: &[&Differing]) -> Result<Own, Fault> {
        let radio = self.medium.radio();
        let wired = tables.iter().find_map(|one| Some((&one.table, one.radio_key()?)));
        if let (None, Some((table, key))) = (radio, wired) {
            let message = "is of a radio, which [wired] has not; remove one of the two";
            return Err(Fault::new(format!("{table}.{key}"), message));
        }
        let fitted = |radio: &Radio| {
            let fit = |fitting, table: &&Differing| table.fit(fitting, self.medium, radio);
            tables.iter().try_fold(radio.fitting(), fit)
        };
        let fitting = radio.filter(|_| wired.is_some()).map(fitted).transpose()?;
        let (mut scheme, mut named) = (None, 0);
        for (place, table) in tables.iter().enumerate() {
            if let Some(other) = table.names(self.registry)? {
                (scheme, named) = (Some(other), place);
            }
        }
        let scheme = scheme.filter(|scheme| *scheme != self.scheme);
        // what another scheme is told before does not concern this one
        let tables = if scheme.is_some() { &tables[named..] } else { tables };
        let params = self.params(scheme, tables)?;
        Ok(Own { role: role.map(str::to_owned), fitting, scheme, params })
    }

    /// The parameters of the scheme at these nodes, if they differ from the common ones.
    fn params(
        &self,
        other: Option<&'static Scheme>,
        tables: &[&Differing],
    ) -> Result<Option<Params>, Fault> {
        if tables.iter().all(|table| table.scheme.is_empty()) {
            return Ok(None);
        }
        let scheme = other.unwrap_or(self.scheme);
        let entry = (scheme.name, scheme.params);
        let all: Vec<_> = self.registry.schemes.iter().map(|one| (one.name, one.params)).collect();
        let mut given: Vec<Given> = Vec::new();
        let mut values = self.params.values.clone();
        let common = self.scenario.scheme.params.iter().filter(|_| other.is_none());
        for (key, value) in common {
            let param = scheme.params.iter().find(|param| param.name == key);
            let value = param.and_then(|param| value.of(param).ok());
            given.extend(value.map(|value| (key.clone(), value)));
        }
        let mut key = String::new();
        for table in tables.iter().filter(|table| !table.scheme.is_empty()) {
            let name = format!("{}.scheme", table.table);
            let keys = Keys { table: &name, noun: "scheme", by: NAME };
            let own = table.scheme.iter().filter(|(key, _)| *key != NAME);
            let own = own.map(|(key, value)| (key.clone(), value.clone())).collect();
            given.extend(keys.given(&own, entry, &all)?);
            values = Values::with(self.registry.defaults, scheme.params, &given)
                .map_err(|error| keys.refused(scheme.name, &error))?;
            key = keys.key(NAME);
        }
        let params = Params::over(scheme, &values, self.params.link);
        check_capabilities((scheme, &key), &params, self.medium)?;
        Ok(Some(params))
    }

    /// Refuses more different radios than the channel has room for.
    fn check_fittings(&self, nodes: &[Node]) -> Result<(), Fault> {
        let Some(radio) = self.medium.radio() else { return Ok(()) };
        if Radios::new(radio, nodes).is_some() {
            return Ok(());
        }
        let message = format!(
            "has more than {MOST_FITTINGS} different radios (transmit_power, antenna_gain, antenna_height and \
             sense_threshold together); give nodes that hardly differ the same ones, in [roles]"
        );
        Err(Fault::new("node", message))
    }
}

/// The role of every node.
fn roles<'a>(scenario: &'a Scenario, nodes: &[Node]) -> Result<Vec<Option<&'a str>>, Fault> {
    let mut roles: Vec<Option<&str>> = vec![None; nodes.len()];
    let known: Vec<&str> = scenario.roles.keys().map(String::as_str).collect();
    for (index, section) in scenario.node.iter().enumerate() {
        let Some(role) = section.role.as_deref() else { continue };
        if !known.contains(&role) {
            let key = format!("node[{index}].role");
            let message = if known.is_empty() {
                format!("there is no role '{role}'; say what it is in [roles.{role}]")
            } else {
                unknown("role", role, &known)
            };
            return Err(Fault::new(key, message));
        }
        roles[index] = Some(role);
    }
    let names = Names::new(scenario, nodes);
    for (role, section) in &scenario.roles {
        let key = format!("roles.{role}.nodes");
        for name in section.nodes.iter().flatten() {
            let node = names.find(&key, name)?;
            if let Some(other) = roles[node].filter(|other| *other != role) {
                let message = format!("'{name}' has the role '{other}' already; a node has one");
                return Err(Fault::new(key, message));
            }
            roles[node] = Some(role);
        }
    }
    for (number, (role, section)) in (0u32..).zip(&scenario.roles) {
        draw(scenario, (number, role, section), &mut roles)?;
    }
    Ok(roles)
}

/// Gives the share of the nodes that a role has to nodes without one.
fn draw<'a>(
    scenario: &Scenario,
    (number, role, section): (u32, &'a str, &RoleSection),
    roles: &mut [Option<&'a str>],
) -> Result<(), Fault> {
    let Some(share) = &section.share else { return Ok(()) };
    let key = format!("roles.{role}.share");
    let wanted = libm::round(share.part() * roles.len() as f64) as usize;
    let mut free: Vec<usize> = (0..roles.len()).filter(|node| roles[*node].is_none()).collect();
    if wanted > free.len() {
        let message = format!(
            "is {wanted} nodes, and only {} have no other role; lower it, or the other shares",
            free.len()
        );
        return Err(Fault::new(key, message));
    }
    let mut rng = Rng::stream(scenario.seed(), NodeId(number), Purpose::Roles);
    for _ in 0..wanted {
        let node = free.swap_remove(rng.below(free.len() as u32) as usize);
        roles[node] = Some(role);
    }
    Ok(())
}
