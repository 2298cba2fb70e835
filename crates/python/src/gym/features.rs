//! What an agent, or whoever rewards it, can know of a control step.

use multihop_core::Duration;

use super::meter::{FlowSeen, Meter};
use super::seats::Seen;

/// Who knows a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Every node, of itself.
    Node,
    /// A node at which flows begin whose transport acknowledges.
    Sender,
    /// Nobody in a real network.
    Oracle,
}

impl Known {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Known::Node => "node",
            Known::Sender => "sender",
            Known::Oracle => "oracle",
        }
    }
}

/// A feature: its name, its unit, who knows it, what it is, and its largest value.
pub struct Feature {
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Who knows it.
    pub known: Known,
    /// What it is.
    pub about: &'static str,
    /// No value is larger.
    pub most: f64,
    of: fn(&Step, &Agent) -> f64,
}

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

    fn share(&self, time: Duration) -> f64 {
        let length = self.length.nanos();
        if length == 0 { 0.0 } else { (time.nanos() as f64 / length as f64).min(1.0) }
    }
}

/// An agent: its node, and the flows that begin there.
pub struct Agent<'s> {
    /// The number of its node.
    pub node: usize,
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
        all.acknowledged += flow.acknowledged;
        all
    })
}

/// The mean delay in s; 0 where nothing was delivered.
fn delay(flows: &FlowSeen) -> f64 {
    if flows.packets == 0 { 0.0 } else { flows.delay.seconds() / flows.packets as f64 }
}

/// All features, in the order in which their values are handed over.
pub static FEATURES: [Feature; 15] = [
    feature(
        "queue",
        "packets",
        Known::Node,
        "packets that the node is responsible for",
        |_, agent| agent.seen.queue as f64,
    ),
    feature(
        "heard",
        "frames/s",
        Known::Node,
        "frames for this node, or for all, that it decoded",
        |step, agent| step.rate(agent.seen.heard),
    ),
    feature(
        "overheard",
        "frames/s",
        Known::Node,
        "frames for others that it decoded",
        |step, agent| step.rate(agent.seen.overheard),
    ),
    share("busy", "how much of the time the medium was not free for the node", |step, agent| {
        step.share(agent.seen.busy)
    }),
    share("sending", "how much of the time its radio sent", |step, agent| {
        step.share(agent.seen.sending)
    }),
    feature(
        "sent",
        "packets/s",
        Known::Node,
        "packets that its MAC has sent with success",
        |step, agent| step.rate(agent.seen.sent),
    ),
    feature(
        "failed",
        "packets/s",
        Known::Node,
        "packets that its MAC has given up",
        |step, agent| step.rate(agent.seen.failed),
    ),
    feature(
        "attempts",
        "",
        Known::Node,
        "mean attempts of its MAC for a packet; 0 without packets",
        |step, agent| {
            let (attempts, packets) = step.meter.attempts[agent.node];
            if packets == 0 { 0.0 } else { attempts as f64 / packets as f64 }
        },
    ),
    share("elapsed", "how much of the episode is over", |step, _| step.over),
    feature(
        "acknowledged",
        "packets/s",
        Known::Sender,
        "packets of its flows that were acknowledged end to end",
        |step, agent| step.rate(agent.flows(step).acknowledged),
    ),
    feature(
        "round_trip",
        "s",
        Known::Sender,
        "the latest sample of the round-trip time of its flows; 0 before one",
        |step, agent| {
            let mut latest =
                agent.sources.iter().filter_map(|source| step.meter.round_trips[*source]);
            latest.next_back().map_or(0.0, Duration::seconds)
        },
    ),
    feature(
        "delivered",
        "bit/s",
        Known::Oracle,
        "data of its flows that arrived",
        |step, agent| step.rate(agent.flows(step).bits),
    ),
    feature(
        "delay",
        "s",
        Known::Oracle,
        "mean end-to-end delay of what arrived of its flows; 0 if nothing did",
        |step, agent| delay(&agent.flows(step)),
    ),
    feature(
        "delivered_all",
        "bit/s",
        Known::Oracle,
        "data of all flows that arrived",
        |step, _| step.rate(sum(step.meter.flows.iter()).bits),
    ),
    feature("lost_all", "packets/s", Known::Oracle, "packets dropped anywhere", |step, _| {
        step.rate(step.meter.lost)
    }),
];

const fn feature(
    name: &'static str,
    unit: &'static str,
    known: Known,
    about: &'static str,
    of: fn(&Step, &Agent) -> f64,
) -> Feature {
    Feature { name, unit, known, about, most: f64::INFINITY, of }
}

const fn share(name: &'static str, about: &'static str, of: fn(&Step, &Agent) -> f64) -> Feature {
    Feature { name, unit: "", known: Known::Node, about, most: 1.0, of }
}

/// All features of an agent's step.
pub fn features<'a>(step: &'a Step, agent: &'a Agent) -> impl Iterator<Item = f64> + 'a {
    FEATURES.iter().map(|feature| (feature.of)(step, agent))
}
