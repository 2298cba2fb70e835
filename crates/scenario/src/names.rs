//! The nodes of a scenario by their names, and how many there may be.

use std::collections::BTreeMap;

use crate::error::{Fault, alternatives, did_you_mean};
use crate::form::Scenario;
use crate::setup::Node;

/// More nodes than any paper has simulated, and few enough that a mistyped number does not fill
/// the memory.
pub(crate) const MOST_NODES: u32 = 100_000;

/// Who names the nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    File,
    Topology,
}

/// The nodes of any topology by their names.
pub(crate) struct Names<'a> {
    index: BTreeMap<&'a str, usize>,
    origin: Origin,
}

impl<'a> Names<'a> {
    pub(crate) fn new(scenario: &Scenario, nodes: &'a [Node]) -> Self {
        let index = nodes.iter().enumerate().map(|(i, node)| (node.name.as_str(), i)).collect();
        // only an explicit topology has nodes in the file
        let origin = if scenario.node.is_empty() { Origin::Topology } else { Origin::File };
        Names { index, origin }
    }

    /// The node that `key` names.
    pub(crate) fn find(&self, key: &str, name: &str) -> Result<usize, Fault> {
        self.index.get(name).copied().ok_or_else(|| {
            let hint = if self.origin == Origin::File {
                resembling(name, &self.index)
            } else {
                format!("; there are n0 to n{}", self.index.len() - 1)
            };
            Fault::new(key, format!("unknown node '{name}'{hint}"))
        })
    }
}

/// The name that resembles `name`, or all if they are few.
fn resembling(name: &str, index: &BTreeMap<&str, usize>) -> String {
    let hint = did_you_mean(name, index.keys().copied());
    if hint.is_empty() && index.len() <= 10 {
        let names: Vec<&str> = index.keys().copied().collect();
        format!("; there are {}", alternatives(&names).replace(" or ", " and "))
    } else {
        hint
    }
}
