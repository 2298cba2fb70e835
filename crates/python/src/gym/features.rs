//! What an agent, or whoever rewards it, can know of a control step: what its node knows, and what only an observer of the
//! whole network does.

use multihop_core::Duration;
use multihop_policy::{About, FEATURES, Known, ORACLE, Seen};

use super::meter::{FlowSeen, Meter};

/// A control step that is over.
pub struct Step<'m> {
    /// How long it was.
    pub length: Duration,
    /// The share of the episode that is over.
    pub over: f64,
    /// What all saw.
    pub meter: &'m Meter,
}

impl Step<'_> {
    fn rate(&self, count: u64) -> f64 {
        if self.length == Duration::ZERO { 0.0 } else { count as f64 / self.length.seconds() }
    }
}

/// An agent: the flows that begin at its node, and what that has seen.
pub struct Agent<'s> {
    /// The numbers of its sources.
    pub sources: &'s [usize],
    /// What its node saw.
    pub seen: Seen,
}

impl Agent<'_> {
    fn flows(&self, step: &Step) -> FlowSeen {
        sum(self.sources.iter().map(|source| &step.meter.flows[*source]))
    }
}

fn sum<'f>(flows: impl Iterator<Item = &'f FlowSeen>) -> FlowSeen {
    flows.fold(FlowSeen::default(), |mut all, flow| {
        all.packets += flow.packets;
        all.bits += flow.bits;
        all.delay += flow.delay;
        all
    })
}

/// The mean delay in s; 0 where nothing was delivered.
fn delay(flows: &FlowSeen) -> f64 {
    if flows.packets == 0 { 0.0 } else { flows.delay.seconds() / flows.packets as f64 }
}

/// A feature that nobody in a real network knows.
struct Oracle {
    about: About,
    of: fn(&Step, &Agent) -> f64,
}

/// Those, after all that nodes know; their names are those of [`ORACLE`].
static ORACLES: [Oracle; ORACLE.len()] = [
    oracle("elapsed", "", "how much of the episode is over", 1.0, |step, _| step.over),
    oracle("delivered", "bit/s", "data of its flows that arrived", f64::INFINITY, |step, agent| {
        step.rate(agent.flows(step).bits)
    }),
    oracle(
        "delay",
        "s",
        "mean end-to-end delay of what arrived of its flows; 0 if nothing did",
        f64::INFINITY,
        |step, agent| delay(&agent.flows(step)),
    ),
    oracle("delivered_all", "bit/s", "data of all flows that arrived", f64::INFINITY, |step, _| {
        step.rate(sum(step.meter.flows.iter()).bits)
    }),
    oracle("lost_all", "packets/s", "packets dropped anywhere", f64::INFINITY, |step, _| {
        step.rate(step.meter.lost)
    }),
];

const fn oracle(
    name: &'static str,
    unit: &'static str,
    about: &'static str,
    most: f64,
    of: fn(&Step, &Agent) -> f64,
) -> Oracle {
    Oracle { about: About { name, unit, known: Known::Oracle, about, most }, of }
}

/// How many features there are.
pub const COUNT: usize = FEATURES.len() + ORACLES.len();

/// All features, in the order in which their values are handed over.
pub fn about() -> impl Iterator<Item = &'static About> {
    let known = FEATURES.iter().map(|feature| &feature.about);
    known.chain(ORACLES.iter().map(|feature| &feature.about))
}

/// All features of an agent's step.
pub fn features<'a>(step: &'a Step, agent: &'a Agent) -> impl Iterator<Item = f64> + 'a {
    let known = FEATURES.iter().map(|feature| feature.of(&agent.seen));
    known.chain(ORACLES.iter().map(|feature| (feature.of)(step, agent)))
}
