//! From the form to the meaning: every check that needs more than one key.

use multihop_core::{Duration, INITIAL_TTL, ParamError, Params, Rate, Scheme, Time, Value};

use crate::error::{Fault, ScenarioError, did_you_mean, unknown};
use crate::form::{ParamValue, Scenario, SchemeSection, TopologyKind};
use crate::medium::medium;
use crate::quantity::Span;
use crate::reach::Reach;
use crate::routing::{arp, routing};
use crate::setup::{Medium, Routing, Setup};
use crate::topology::{Plan, plan};
use crate::traffic::Offer;

/// The series table has a row for each interval and flow; more rows than this are a mistyped unit.
const MOST_INTERVALS: u64 = 10_000_000;

/// The simulator keeps every pair of nodes that sense each other, about 40 B each: no machine has
/// room for more of them.
const MOST_PAIRS: u64 = 500_000_000;

impl Scenario {
    /// Checks the scenario, and makes every default, position and flow explicit.
    ///
    /// # Errors
    /// If a value makes no sense, alone or together with the others.
    pub fn setup(&self) -> Result<Setup, ScenarioError> {
        self.setup_with(multihop_schemes::SCHEMES)
    }

    /// [`Scenario::setup`] with the schemes that there are.
    pub(crate) fn setup_with(&self, schemes: &[&'static Scheme]) -> Result<Setup, ScenarioError> {
        self.check(schemes).map_err(|fault| fault.placed(self.text.as_deref()))
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn check(&self, schemes: &[&'static Scheme]) -> Result<Setup, Fault> {
        let times = self.times()?;
        let scheme = self.scheme.find(schemes)?;
        let medium = medium(self, scheme.mac)?;
        let params = self.scheme.params(scheme, medium.data_rate())?;
        let routing = routing(self)?;
        let arp = arp(self, scheme)?;
        let measure_congestion = self.measure_congestion()?;
        let plan = plan(self, medium.neighbour_range(), times.end)?;
        self.check_reach(&plan, &medium, routing)?;
        let offer = Offer {
            scenario: self,
            plan: &plan,
            medium: &medium,
            scheme,
            params: &params,
            end: times.end,
        };
        let sources = offer.sources()?;
        Ok(Setup {
            name: self.name.clone().unwrap_or_else(|| self.topology.kind.name().to_owned()),
            seed: self.seed(),
            warmup: times.warmup,
            end: times.end,
            series_interval: times.series_interval,
            measure_congestion,
            nodes: plan.nodes,
            medium,
            routing,
            arp,
            scheme,
            params,
            sources,
        })
    }

    fn times(&self) -> Result<Times, Fault> {
        let span = |given: &Option<Span>, default: u64| {
            given.as_ref().map_or(Duration::from_millis(default), Span::duration)
        };
        let warmup = span(&self.warmup, 10_000);
        let duration = span(&self.duration, 60_000);
        let series_interval = span(&self.series_interval, 1000);
        for (key, length) in [("duration", duration), ("series_interval", series_interval)] {
            if length == Duration::ZERO {
                return Err(Fault::new(key, "must be longer than zero"));
            }
        }
        let intervals = (warmup + duration) / series_interval;
        if intervals > MOST_INTERVALS {
            let message = format!(
                "makes {intervals} intervals in warmup and duration; at most {MOST_INTERVALS} \
                     are possible"
            );
            return Err(Fault::new("series_interval", message));
        }
        let warmup = Time::ZERO + warmup;
        Ok(Times { warmup, end: warmup + duration, series_interval })
    }

    fn measure_congestion(&self) -> Result<bool, Fault> {
        let wanted = self.measure.as_ref().and_then(|measure| measure.congestion_potential);
        if wanted == Some(true) && self.wired.is_some() {
            let message = "is measured on a shared radio channel, which [wired] has not; remove \
                           one of the two";
            return Err(Fault::new("measure.congestion_potential", message));
        }
        Ok(wanted.unwrap_or(false))
    }

    /// Every node has a neighbour and every flow a path, unless finding that out is the routing's
    /// part of the run; and no path is too long.
    fn check_reach(&self, plan: &Plan, medium: &Medium, routing: Routing) -> Result<(), Fault> {
        let reach = Reach::new(&plan.nodes, medium.neighbour_range());
        if reach.most_pairs() > MOST_PAIRS {
            let message = format!(
                "puts so many nodes so close together that more than {MOST_PAIRS} pairs are \
                 neighbours; take fewer nodes, or place them farther apart"
            );
            return Err(Fault::new(self.topology.kind.spread_key(), message));
        }
        let parts = reach.parts();
        let explicit = self.topology.kind == TopologyKind::Explicit;
        let range = in_metres(medium.neighbour_range());
        let remedy = medium.range_key();
        let fixed = routing == Routing::Fixed;
        let lonely = parts.lonely().filter(|_| fixed);
        let lonely = lonely.and_then(|node| Some((node, reach.nearest(node)?)));
        if let Some((node, (nearest, distance))) = lonely {
            let spread = self.topology.kind.spread_key();
            let key = if explicit { format!("{spread}[{node}]") } else { spread.to_owned() };
            let message = format!(
                "node '{}' is out of everyone's reach: the nearest node, '{}', is {} away, but the \
                 range is {range}; move them closer or raise {remedy}",
                plan.nodes[node].name,
                plan.nodes[nearest].name,
                in_metres(distance),
            );
            return Err(Fault::new(key, message));
        }
        for (index, &(from, to)) in plan.flows.iter().enumerate() {
            let listed = plan.listed(index).map(|index| format!("flow[{index}]"));
            let key = listed.unwrap_or_else(|| "topology".to_owned());
            let (source, destination) = (&plan.nodes[from].name, &plan.nodes[to].name);
            let joined = parts.joined(from, to);
            if !joined && fixed {
                let message = format!(
                    "there is no route from '{source}' to '{destination}': no chain of nodes at \
                     most {range} apart joins them; add a node between them or raise {remedy}",
                );
                return Err(Fault::new(key, message));
            }
            // nodes that move may come closer
            let still = fixed || plan.nodes.iter().all(|node| node.track.legs.is_empty());
            if joined && still && reach.at_least(from, to, u32::from(INITIAL_TTL) + 1) {
                let message = format!(
                    "the route from '{source}' to '{destination}' has more than {INITIAL_TTL} \
                     hops, a packet's time to live; bring them closer together",
                );
                return Err(Fault::new(key, message));
            }
        }
        Ok(())
    }
}

struct Times {
    warmup: Time,
    end: Time,
    series_interval: Duration,
}

/// Metres to the centimetre, for messages.
fn in_metres(length: f64) -> String {
    format!("{} m", libm::round(length * 100.0) / 100.0)
}

impl SchemeSection {
    fn find(&self, schemes: &[&'static Scheme]) -> Result<&'static Scheme, Fault> {
        let found = schemes.iter().find(|scheme| scheme.name == self.name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = schemes.iter().map(|scheme| scheme.name).collect();
            Fault::new("scheme.name", unknown("scheme", &self.name, &names))
        })
    }

    fn params(&self, scheme: &Scheme, data_rate: Rate) -> Result<Params, Fault> {
        let given: Vec<(String, Value)> = self
            .params
            .iter()
            .map(|(name, value)| {
                let value = match value {
                    ParamValue::Switch(on) => Value::Switch(*on),
                    ParamValue::Number(number) => Value::Number(number.0),
                };
                (name.clone(), value)
            })
            .collect();
        Params::new(scheme, &given, data_rate).map_err(|error| refused(scheme, &error))
    }
}

/// What is wrong with a parameter, in the words of a scenario file.
fn refused(scheme: &Scheme, error: &ParamError) -> Fault {
    let (name, message) = match error {
        ParamError::Unknown { name, known, .. } => {
            let hint = did_you_mean(name, known.iter().copied());
            (name.as_str(), format!("{error}{hint}"))
        }
        // an infinite bound is none
        ParamError::OutOfRange { name, value, min, max } if max.is_infinite() => {
            let unit = unit_of(scheme, name);
            (*name, format!("parameter '{name}' is {value}, but must be at least {min}{unit}"))
        }
        ParamError::OutOfRange { name, .. } | ParamError::WrongType { name, .. } => {
            (*name, format!("{error}{}", unit_of(scheme, name)))
        }
    };
    Fault::new(format!("scheme.{name}"), message)
}

/// ` (in ms)` for a parameter with a unit.
fn unit_of(scheme: &Scheme, name: &str) -> String {
    let param = scheme.params.iter().find(|param| param.name == name);
    let unit = param.map_or("", |param| param.unit);
    if unit.is_empty() { String::new() } else { format!(" (in {unit})") }
}
