//! Which nodes a policy controls: [policy].

use std::path::Path;
use std::sync::Arc;

use multihop_core::{NodeId, Scheme};
use multihop_policy::{Agents, LONGEST, Policy};
use multihop_setup::{Node, Source, Steer, Steered};

use crate::error::Fault;
use crate::files;
use crate::form::{Ends, FileText, PolicySection, Scenario};

/// Puts the text of the policy's file in the place of its name.
pub(crate) fn fill(section: &mut PolicySection, folder: &Path) -> Result<(), Fault> {
    let PolicySection { file, text, .. } = section;
    if text.is_none()
        && let Some(name) = file
    {
        let read = files::read(&folder.join(&*name), LONGEST);
        let read = read.map_err(|message| Fault::new("policy.file", message))?;
        *text = Some(FileText::new(read, name));
        *file = None;
    }
    Ok(())
}

/// The nodes that the policy of `scenario` controls; none without one.
pub(crate) fn steered(
    scenario: &Scenario,
    nodes: &[Node],
    sources: &[Source],
    scheme: &Scheme,
) -> Result<Steered, Fault> {
    let Some(section) = &scenario.policy else { return Ok(Steered::new()) };
    let (policy, key) = read(section)?;
    let agents = section.agents.as_ref().map_or_else(|| policy.agents.clone(), agents);
    let names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    let begins: Vec<usize> = sources.iter().map(|source| source.flow.source.index()).collect();
    let ends: Vec<usize> = sources.iter().map(|source| source.flow.destination.index()).collect();
    let refused = |message| Fault::new("policy.agents", message);
    let chosen = agents.of(&names, &begins, &ends).map_err(refused)?;
    let sends = chosen.iter().any(|node| begins.contains(node));
    for node in &chosen {
        let scheme = nodes[*node].own.scheme.unwrap_or(scheme);
        policy.suits(scheme.name, sends).map_err(|message| Fault::new(&key, message))?;
    }
    let policy: Arc<dyn Steer> = Arc::new(policy);
    Ok(chosen.into_iter().map(|node| (NodeId(node as u32), Arc::clone(&policy))).collect())
}

/// The policy, and the key that it comes from.
fn read(section: &PolicySection) -> Result<(Policy, String), Fault> {
    match (&section.file, &section.text) {
        (Some(_), Some(_)) => {
            let message = "takes the place of policy.text; remove one of the two";
            Err(Fault::new("policy.file", message))
        }
        (Some(file), None) => {
            let message = format!(
                "'{file}' has not been read; read the scenario from its file, or give the policy as text"
            );
            Err(Fault::new("policy.file", message))
        }
        (None, None) => {
            let message = "is missing; [policy] needs it, as in file = \"pace.json\"";
            Err(Fault::new("policy.file", message))
        }
        (None, Some(text)) => {
            let content = text.content();
            let (key, name) = match content.read_from.filter(|file| !file.is_empty()) {
                Some(file) => ("policy.file", format!("'{file}' is no policy: ")),
                None => ("policy.text", String::new()),
            };
            let policy = Policy::read(&content.text);
            let policy = policy.map_err(|message| Fault::new(key, format!("{name}{message}")))?;
            Ok((policy, key.to_owned()))
        }
    }
}

fn agents(given: &Ends) -> Agents {
    match given {
        Ends::One(word) => Agents::One(word.clone()),
        Ends::Several(names) => Agents::Named(names.clone()),
    }
}
