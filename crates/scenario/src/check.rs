//! From the form to the meaning: every check that needs more than one key.

use multihop_core::{Defaults, Duration, Forwarding, INITIAL_TTL, Params, Scheme, Time, Values};
use multihop_routing::Routes;

use crate::bounds::seed;
use crate::capabilities::check_capabilities;
use crate::channels::channels;
use crate::error::{Fault, ScenarioError};
use crate::form::{Scenario, SimulatorKind};
use crate::links::links;
use crate::medium::{medium, range_key};
use crate::mesh::{Vicinity, radios};
use crate::mobility;
use crate::names;
use crate::ns3;
use crate::policy;
use crate::quantity::Span;
use crate::rates;
use crate::reach::Reach;
use crate::registry::Registry;
use crate::restart::restarts;
use crate::roles::{Common, schemes};
use crate::routing::routing;
use crate::topology::{Plan, Site, TOPOLOGIES, Topology, plan, ways};
use crate::traffic::{self, Offer};
use multihop_setup::{Carried, Channel, Node, Radio, Setup, Simulator, Unlisted};

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
        self.setup_with(&Registry::default())
    }

    /// [`Scenario::setup`] with the schemes, routing protocols and defaults of `registry`.
    ///
    /// # Errors
    /// As [`Scenario::setup`].
    pub fn setup_with(&self, registry: &Registry) -> Result<Setup, ScenarioError> {
        let checked = self.check(registry);
        checked.map(|(setup, _)| setup).map_err(|fault| fault.placed(self.text.as_deref()))
    }

    /// The seed; [`Scenario::check`] has refused too large ones.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// What the scenario means, and what is known of its flows.
    pub(crate) fn check(&self, registry: &Registry) -> Result<(Setup, Planned), Fault> {
        let times = self.times()?;
        seed(self.seed()).map_err(|message| Fault::new("seed", message))?;
        let scheme = self.scheme.find(&registry.schemes, |scheme| scheme.name)?;
        let schemes = schemes(self, scheme, registry)?;
        let mut medium = medium(self, &schemes, registry)?;
        let params = self.params(scheme, registry, &medium)?;
        check_capabilities((scheme, "scheme.name"), &params, &medium)?;
        let (routing, arp) = routing(self, (scheme, &medium), registry)?;
        let measure_congestion = self.measure_congestion()?;
        let topology = self.topology.find(TOPOLOGIES, |topology| topology.name)?;
        let movement = mobility::movement(self)?;
        let stock = traffic::stock(self, registry)?;
        let site = Site {
            scenario: self,
            stock: &stock,
            topology,
            values: self.topology_values(topology)?,
            routing: routing.protocol,
            range: medium.neighbour_range(),
            end: times.end,
            movements: movement.as_ref().and_then(|movement| movement.places()),
        };
        let mut plan = plan(&site)?;
        let common = Common { scenario: self, medium: &medium, scheme, params: &params, registry };
        common.equip(&mut plan.nodes)?;
        let radios = radios(&medium, &plan.nodes);
        let links = links(self, &plan.nodes, &medium)?;
        let radios = radios.as_ref();
        let vicinity = Vicinity { nodes: &plan.nodes, range: site.range, links: &links, radios };
        let ways = ways(&site, &plan, &vicinity)?;
        plan.ways.extend(ways);
        mobility::set_out(self, movement, &mut plan.nodes, (plan.area, times.end))?;
        if let Channel::Radio(radio) = &mut medium.channel {
            radio.links = links;
        }
        let simulator = self.simulator(&medium, &plan.nodes)?;
        self.check_reach(&plan, &medium, topology, routing.protocol.routes)?;
        let offer = Offer {
            scenario: self,
            registry,
            plan: &plan,
            stock: &stock,
            medium: &medium,
            scheme,
            params: &params,
            end: times.end,
        };
        check_spread(scheme, &plan)?;
        let sources = offer.sources()?;
        rates::check(self, (&medium, registry), scheme, &params.values, &sources)?;
        let channels = channels(self, &plan.nodes, (&medium, simulator))?;
        let restarts = restarts(self, &plan.nodes, times.end)?;
        let steered = policy::steered(self, &plan.nodes, &sources, scheme)?;
        let origins = plan.origins();
        let groups = std::mem::take(&mut plan.groups);
        let promised = std::mem::take(&mut plan.promised);
        let setup = Setup {
            name: self.name.clone().unwrap_or_else(|| topology.name.to_owned()),
            seed: self.seed(),
            simulator,
            warmup: times.warmup,
            end: times.end,
            series_interval: times.series_interval,
            measure_congestion,
            addresses: names::addresses(self, plan.nodes.len())?,
            nodes: plan.nodes,
            medium,
            routing,
            arp,
            scheme,
            params,
            sources,
            groups,
            channels,
            restarts,
            steered,
        };
        Ok((setup, Planned { promised, origins }))
    }

    fn simulator(&self, medium: &Carried, nodes: &[Node]) -> Result<Simulator, Fault> {
        match self.simulator {
            None | Some(SimulatorKind::Multihop) => Ok(Simulator::Multihop),
            Some(SimulatorKind::Ns3) => {
                ns3::check(medium)?;
                ns3::check_nodes(nodes).map(|()| Simulator::Ns3)
            }
        }
    }

    fn params(
        &self,
        scheme: &Scheme,
        registry: &Registry,
        medium: &Carried,
    ) -> Result<Params, Fault> {
        let all: Vec<_> = registry.schemes.iter().map(|one| (one.name, one.params)).collect();
        let values = self.scheme.values((scheme.name, scheme.params), &all, registry.defaults)?;
        Ok(Params::over(scheme, &values, medium.hop()))
    }

    fn topology_values(&self, topology: &Topology) -> Result<Values, Fault> {
        let all: Vec<_> = TOPOLOGIES.iter().map(|one| (one.name, one.params)).collect();
        self.topology.values((topology.name, topology.params), &all, Defaults::Paper)
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
    fn check_reach(
        &self,
        plan: &Plan,
        medium: &Carried,
        topology: &Topology,
        routes: Routes,
    ) -> Result<(), Fault> {
        if let Some(radio) = medium.radio()
            && (!radio.links.is_empty() || radios(medium, &plan.nodes).is_some())
        {
            return check_links(plan, medium, radio, routes);
        }
        let reach = Reach::new(&plan.nodes, medium.neighbour_range());
        if reach.most_pairs() > MOST_PAIRS {
            let message = format!(
                "puts so many nodes so close together that more than {MOST_PAIRS} pairs are \
                 neighbours; take fewer nodes, or place them farther apart"
            );
            return Err(Fault::new(topology.spread, message));
        }
        let parts = reach.parts();
        let range = in_metres(medium.neighbour_range());
        let remedy = range_key(medium);
        let fixed = routes == Routes::Known;
        let lonely = parts.lonely().filter(|_| fixed);
        let lonely = lonely.and_then(|node| Some((node, reach.nearest(node)?)));
        if let Some((node, (nearest, distance))) = lonely {
            let spread = topology.spread;
            let key =
                if self.node.is_empty() { spread.to_owned() } else { format!("{spread}[{node}]") };
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
            if to >= plan.nodes.len() {
                continue;
            }
            let key = plan.key(index);
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
            let still = fixed || plan.nodes.iter().all(|node| node.track.is_still());
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

/// What is known of the flows of a scenario beside what they mean.
pub(crate) struct Planned {
    /// Over how many hops its topology says that its flows go, from the first flow on.
    pub(crate) promised: Vec<u32>,
    /// Which [[flow]] of the file each is of, unless the topology makes it.
    pub(crate) origins: Vec<Option<usize>>,
}

/// Refuses flows to several nodes where packets go from next hop to next hop.
fn check_spread(scheme: &Scheme, plan: &Plan) -> Result<(), Fault> {
    let Some(flow) = plan.to_several().filter(|_| scheme.forwarding == Forwarding::NextHop) else {
        return Ok(());
    };
    let message = format!(
        "is for several nodes, but '{}' hands packets to one next hop after the other; use a scheme that \
         floods, as \"flooding\", or a flow to each node",
        scheme.name
    );
    let key = if plan.stock(flow).is_some() { "kind" } else { "to" };
    Err(Fault::new(format!("{}.{key}", plan.key(flow)), message))
}

struct Times {
    warmup: Time,
    end: Time,
    series_interval: Duration,
}

/// [`Scenario::check_reach`] where links say who reaches whom, or radios differ.
fn check_links(plan: &Plan, medium: &Carried, radio: &Radio, routes: Routes) -> Result<(), Fault> {
    let moving = plan.nodes.iter().any(|node| !node.track.is_still());
    if moving && radio.links.others == Unlisted::Silent {
        let message = "nodes move, but [[link]] says everything about who hears whom; set it \
                       to \"propagation\", or leave the nodes where they are";
        return Err(Fault::new("radio.unlisted", message));
    }
    if routes != Routes::Known {
        return Ok(());
    }
    let radios = radios(medium, &plan.nodes);
    if let Some(radios) = &radios
        && Reach::new(&plan.nodes, radios.reach()).most_pairs() > MOST_PAIRS
    {
        let message = format!(
            "has so many nodes so close together that more than {MOST_PAIRS} pairs are neighbours; take fewer \
             nodes, place them farther apart, or lower transmit_power"
        );
        return Err(Fault::new("topology", message));
    }
    let vicinity = Vicinity {
        nodes: &plan.nodes,
        range: radio.neighbour_range,
        links: &radio.links,
        radios: radios.as_ref(),
    };
    vicinity.check(&plan.flows, |flow| plan.key(flow))
}

/// Metres to the centimetre, for messages.
fn in_metres(length: f64) -> String {
    format!("{} m", libm::round(length * 100.0) / 100.0)
}
