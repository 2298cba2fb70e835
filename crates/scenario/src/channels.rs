//! Which nodes have a second radio, on a channel beside the common one: [[channel]].

use multihop_core::NodeId;

use crate::error::Fault;
use crate::form::Scenario;
use crate::names::Names;
use multihop_setup::{Carried, Node, Simulator};

/// So many non-overlapping channels of 20 MHz there are at 5 GHz, about.
const MOST_CHANNELS: usize = 24;

/// The nodes of every channel, in ascending order.
pub(crate) fn channels(
    scenario: &Scenario,
    nodes: &[Node],
    (medium, simulator): (&Carried, Simulator),
) -> Result<Vec<Vec<NodeId>>, Fault> {
    let sections = &scenario.channel;
    if sections.is_empty() {
        return Ok(Vec::new());
    }
    if medium.radio().is_none() {
        let message = "is of radios, and [wired] has none; remove one of the two";
        return Err(Fault::new("channel", message));
    }
    if simulator == Simulator::Ns3 {
        let message =
            "ns-3 gives every node one radio; remove [[channel]], or use simulator \"multihop\"";
        return Err(Fault::new("simulator", message));
    }
    if sections.len() > MOST_CHANNELS {
        let message = format!("lists {}, but at most {MOST_CHANNELS} are possible", sections.len());
        return Err(Fault::new("channel", message));
    }
    let names = Names::new(scenario, nodes);
    let mut all: Vec<Vec<NodeId>> = Vec::new();
    for (index, section) in sections.iter().enumerate() {
        let key = format!("channel[{index}].nodes");
        let on = names.all(&key, &section.nodes)?;
        if on.len() < 2 {
            let message =
                "names fewer than two nodes, which have nobody to send to; name two at least";
            return Err(Fault::new(key, message));
        }
        for (other, known) in all.iter().enumerate() {
            let both: Vec<&NodeId> = on.iter().filter(|node| known.contains(node)).collect();
            if let [one, two, ..] = both[..] {
                let [one, two] = [one, two].map(|node| &nodes[node.index()].name);
                let message = format!(
                    "'{one}' and '{two}' are both on channel[{other}] already; two nodes have one channel to each other"
                );
                return Err(Fault::new(key, message));
            }
        }
        all.push(on);
    }
    Ok(all)
}
