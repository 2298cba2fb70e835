//! Which nodes restart, and when: [[restart]].

use multihop_core::{NodeId, Time};

use crate::error::Fault;
use crate::form::Scenario;
use crate::names::Names;
use multihop_setup::{Node, Restart};

/// More restarts than anybody watches, and fewer than a node has lives to tell apart.
const MOST_RESTARTS: usize = 10_000;

/// The restarts of `scenario` in the order of their times, all before `end`.
pub(crate) fn restarts(
    scenario: &Scenario,
    nodes: &[Node],
    end: Time,
) -> Result<Vec<Restart>, Fault> {
    let sections = &scenario.restart;
    if sections.len() > MOST_RESTARTS {
        let message = format!("lists {}, but at most {MOST_RESTARTS} are possible", sections.len());
        return Err(Fault::new("restart", message));
    }
    if sections.is_empty() {
        return Ok(Vec::new());
    }
    let names = Names::new(scenario, nodes);
    let mut restarts = Vec::new();
    for (index, section) in sections.iter().enumerate() {
        let node = names.find(&format!("restart[{index}].node"), &section.node)?;
        let at = Time::ZERO + section.at.duration();
        if at >= end {
            let message = format!("lies behind the end of the run, at {end}");
            return Err(Fault::new(format!("restart[{index}].at"), message));
        }
        restarts.push(Restart { node: NodeId(node as u32), at });
    }
    restarts.sort_by_key(|restart| restart.at);
    Ok(restarts)
}
