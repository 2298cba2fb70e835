//! Nodes at random places, and flows between random pairs.

use std::collections::BTreeSet;

use multihop_core::{Count, INITIAL_TTL, Length, NodeId, Purpose, Rng, Seed};

use super::{Plan, Site, Topology, add, limited};
use crate::error::Fault;
use crate::reach::Reach;

/// A random topology.
pub(super) static TOPOLOGY: Topology = Topology {
    name: "random",
    about: "Nodes at random places, flows between random pairs.",
    params: &[
        NODES.param().required(),
        WIDTH.param().required(),
        HEIGHT.param().required(),
        FLOWS.param().required(),
        MIN_HOPS.param(),
        TOPOLOGY_SEED.param().or("the scenario's seed"),
    ],
    spread: "topology.width",
    plan,
};

const NODES: Count = Count {
    name: "nodes",
    about: "Number of nodes",
    unit: "",
    default: 150,
    min: 2,
    max: u32::MAX,
};

const WIDTH: Length = Length {
    name: "width",
    about: "Width of the area",
    default: 1_000.0,
    min: multihop_setup::LEAST_DISTANCE,
    max: f64::INFINITY,
};

const HEIGHT: Length = Length { name: "height", about: "Height of the area", ..WIDTH };

const FLOWS: Count = Count {
    name: "flows",
    about: "Number of flows between random pairs of nodes",
    unit: "",
    default: 10,
    min: 0,
    max: MOST_FLOWS,
};

const MIN_HOPS: Count = Count {
    name: "min_hops",
    about: "Fewest hops between the ends of a flow",
    unit: "",
    default: 1,
    min: 1,
    max: u32::MAX,
};

const TOPOLOGY_SEED: Seed =
    Seed { name: "topology_seed", about: "Fixes the random positions and pairs", default: 1 };

/// Few enough that a mistyped number does not fill the memory.
const MOST_FLOWS: u32 = 100_000;

/// How often random positions, and each random pair, are drawn before giving up.
const MOST_DRAWS: u32 = 1000;

/// How many positions are drawn before giving up, so that a large network that cannot be
/// connected is refused in seconds.
const MOST_POSITIONS: u32 = 10_000_000;

fn plan(site: &Site) -> Result<Plan, Fault> {
    let count = site.get(NODES);
    limited("topology.nodes", u64::from(count))?;
    let width = site.get(WIDTH);
    let height = site.get(HEIGHT);
    let flows = site.get(FLOWS);
    if u64::from(flows) > u64::from(count) * u64::from(count - 1) {
        let message = format!("{count} nodes have fewer than {flows} different pairs");
        return Err(Fault::new("topology.flows", message));
    }
    let least = site.get(MIN_HOPS);
    let seed = site.given(TOPOLOGY_SEED).unwrap_or_else(|| site.scenario.seed());
    let mut rng = Rng::stream(seed, NodeId(0), Purpose::Topology);
    let draws = MOST_DRAWS.min(MOST_POSITIONS / count);
    for _ in 0..draws {
        let mut nodes = Vec::new();
        for _ in 0..count {
            let x = rng.between(0.0, width);
            add(&mut nodes, x, rng.between(0.0, height));
        }
        let reach = Reach::new(&nodes, site.range);
        if reach.connected() {
            let flows = random_pairs(&reach, &mut rng, (count, flows, least))?;
            return Ok(Plan { area: Some((width, height)), ..Plan::new(nodes, flows) });
        }
    }
    let message = format!(
        "{count} nodes in {width} m x {height} m were not connected in any of {draws} draws; \
         use more nodes, a smaller area, or a longer range"
    );
    Err(Fault::new("topology.nodes", message))
}

/// Different pairs out of `count` nodes, each at least `least` hops apart, and no more than a
/// packet lives.
fn random_pairs(
    reach: &Reach,
    rng: &mut Rng,
    (count, flows, least): (u32, u32, u32),
) -> Result<Vec<(usize, usize)>, Fault> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut taken = BTreeSet::new();
    for _ in 0..flows {
        let drawn = (0..MOST_DRAWS).find_map(|_| {
            let pair = (rng.below(count) as usize, rng.below(count) as usize);
            // No packet lives longer than its time to live: the check of the routes refuses it.
            let most = u32::from(INITIAL_TTL);
            let usable = pair.0 != pair.1
                && !taken.contains(&pair)
                && reach.at_least(pair.0, pair.1, least)
                && !reach.at_least(pair.0, pair.1, most + 1);
            usable.then_some(pair)
        });
        let pair = drawn.ok_or_else(|| {
            let key = if least > 1 { "topology.min_hops" } else { "topology.flows" };
            let message = format!(
                "found only {} of {flows} different pairs at least {least} hop(s) and at most \
                 {INITIAL_TTL} apart in {MOST_DRAWS} draws; ask for fewer flows or hops, or for \
                 another network",
                pairs.len()
            );
            Fault::new(key, message)
        })?;
        taken.insert(pair);
        pairs.push(pair);
    }
    Ok(pairs)
}
