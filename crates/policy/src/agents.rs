//! Which nodes are controlled.

use serde::Deserialize;

/// Which nodes are controlled.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Agents {
    /// A word for them, or the name of one.
    One(String),
    /// Their names.
    Named(Vec<String>),
}

/// Nodes at which flows begin.
const SENDERS: &str = "senders";
/// Nodes at which no flow begins or ends.
const RELAYS: &str = "relays";
/// All nodes.
const NODES: &str = "nodes";

/// Why agents are refused.
pub type Unknown = String;

impl Agents {
    /// The numbers of the nodes that are meant, of these names, where flows begin and end at these.
    ///
    /// # Errors
    /// If there are none, or if one does not exist or is named twice.
    pub fn of(
        &self,
        names: &[&str],
        begins: &[usize],
        ends: &[usize],
    ) -> Result<Vec<usize>, Unknown> {
        let all = 0..names.len();
        let chosen: Vec<usize> = match self {
            Agents::One(word) if word == SENDERS => all.filter(|at| begins.contains(at)).collect(),
            Agents::One(word) if word == RELAYS => {
                all.filter(|at| !begins.contains(at) && !ends.contains(at)).collect()
            }
            Agents::One(word) if word == NODES => all.collect(),
            Agents::One(name) => return Agents::Named(vec![name.clone()]).of(names, begins, ends),
            Agents::Named(given) => {
                let mut chosen = Vec::new();
                for name in given {
                    let at = names.iter().position(|known| known == name);
                    let at = at.ok_or_else(|| unknown(name, names))?;
                    if chosen.contains(&at) {
                        return Err(format!("'{name}' is named twice; name it once"));
                    }
                    chosen.push(at);
                }
                chosen
            }
        };
        if chosen.is_empty() {
            let what = match self {
                Agents::One(word) => word,
                Agents::Named(_) => "agents",
            };
            return Err(format!("the scenario has no {what}; name nodes"));
        }
        Ok(chosen)
    }
}

fn unknown(name: &str, names: &[&str]) -> Unknown {
    let (first, last) = (names.first().unwrap_or(&""), names.last().unwrap_or(&""));
    format!(
        "there is no node '{name}'; the nodes are {first} to {last}, or write {SENDERS}, {RELAYS} or {NODES}"
    )
}
