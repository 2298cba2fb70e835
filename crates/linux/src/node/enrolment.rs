//! What an operator does about rosters: the next one is made of a list of members, and is handed to a node.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use multihop_core::{Defaults, NodeId};
use serde::Deserialize;
use toml::Table;

use crate::roster::{Draft, Edition, MEMBERS_A_PART, MOST_MEMBERS, Part, Signatory};
use crate::scenario;
use crate::seal::NetworkKey;

use super::control::{self, KNOWN, TAKEN};
use super::member;
use super::secrets;

/// Unless an operator says otherwise, the key of before seals for so many seconds, and so many more for each part: longer
/// than a roster takes over one hop at 1 Mbit/s.
const GRACE_S: u16 = 60;
const GRACE_A_PART_S: u16 = 2;

/// A roster that is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Enrolment {
    /// The secret key of the authority.
    authority: PathBuf,
    /// The members and their public keys.
    members: PathBuf,
    /// The roster of before, if there is one, and then the new one.
    roster: PathBuf,
    flags: Flags,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Flags {
    scenario: PathBuf,
    #[serde(default = "defaults")]
    defaults: Defaults,
    grace: Option<u16>,
}

const fn defaults() -> Defaults {
    Defaults::Field
}

impl Enrolment {
    /// The files of the authority, the members and the roster, and the flags that were given.
    ///
    /// # Errors
    /// If the scenario is missing, or a flag means nothing here.
    pub fn new([authority, members, roster]: [PathBuf; 3], flags: Table) -> Result<Self, String> {
        let flags = Flags::deserialize(flags)
            .map_err(|error| format!("roster: {}; see --help", error.message()))?;
        Ok(Enrolment { authority, members, roster, flags })
    }

    /// Make it, and say what it is.
    ///
    /// # Errors
    /// With a message for the user. The roster of before is still there then.
    pub fn make(&self) -> Result<String, String> {
        let by = Signatory::new(&secrets::read_secret(&self.authority)?);
        let setup = scenario::read(&self.flags.scenario, self.flags.defaults)?;
        let number_of = |name: &str| {
            let number = member::find(&setup, name)?;
            Ok(setup.addresses.address(number))
        };
        let members = read_members(&self.members, number_of)?;
        let before = self.before(&by)?;
        let number = before.edition.number.checked_add(1).ok_or("no number of a roster is left")?;
        let count = members.len().div_ceil(MEMBERS_A_PART) as u16;
        let grace_s = self.flags.grace.unwrap_or(GRACE_S + GRACE_A_PART_S * count);
        let edition = Edition { number, draw: u64::from_ne_bytes(secrets::random()?) };
        let key = NetworkKey(secrets::random()?);
        let draft = Draft { edition, grace_s, key: &key, members: &members };
        let name = |address: NodeId| {
            let number = setup.addresses.number(address);
            setup.nodes.get(number.index()).map_or_else(String::new, |node| node.name.clone())
        };
        let parts = draft.sign(&by).map_err(|member| {
            format!("{}: {}: this is no public key", self.members.display(), name(member))
        })?;
        let text = secrets::roster_text(parts.iter().map(Vec::as_slice));
        secrets::replace(&self.roster, &text)?;
        let now: BTreeSet<NodeId> = members.iter().map(|(member, _)| *member).collect();
        let names = |all: Vec<&NodeId>| all.into_iter().map(|node| name(*node)).collect::<Vec<_>>();
        let mut lines =
            vec![format!("roster {number} in {}: {} members", self.roster.display(), now.len())];
        for (what, who) in [
            ("new", names(now.difference(&before.members).collect())),
            ("expelled", names(before.members.difference(&now).collect())),
        ] {
            if !who.is_empty() {
                lines.push(format!("{what}: {}", who.join(", ")));
            }
        }
        Ok(lines.join("\n"))
    }

    /// The roster that stands in its file.
    fn before(&self, by: &Signatory) -> Result<Before, String> {
        let mut before = Before::default();
        for part in secrets::read_roster(&self.roster)? {
            let signed = Part::parse(&part).ok().filter(|part| part.is_signed(&by.authority()));
            let part = signed.ok_or_else(|| {
                format!(
                    "{}: the authority in {} has not signed it: is this the roster of another network?",
                    self.roster.display(),
                    self.authority.display()
                )
            })?;
            before.edition = before.edition.max(part.edition);
            before.members.extend(part.members());
        }
        Ok(before)
    }
}

/// A roster that was made.
#[derive(Default)]
struct Before {
    edition: Edition,
    members: BTreeSet<NodeId>,
}

/// The members in a file, by their addresses, which `number_of` finds by their names.
fn read_members(
    path: &Path,
    number_of: impl Fn(&str) -> Result<NodeId, String>,
) -> Result<Vec<(NodeId, [u8; 32])>, String> {
    let wrong = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let table: BTreeMap<String, String> = toml::from_str(&text).map_err(|error| {
        wrong(&format!("{}; it needs lines as n1 = \"the public key of n1\"", error.message()))
    })?;
    if !(1..=MOST_MEMBERS).contains(&table.len()) {
        let count = table.len();
        return Err(wrong(&format!("{count} members: 1 to {MOST_MEMBERS} are possible")));
    }
    let mut members = BTreeMap::new();
    let mut names = BTreeMap::new();
    for (name, digits) in &table {
        let public: [u8; 32] = secrets::bytes(digits).ok_or_else(|| {
            wrong(&format!(
                "{name}: it needs the 64 hexadecimal digits that `multihop-node identity FILE` prints"
            ))
        })?;
        if let Some(other) = names.insert(public, name) {
            return Err(wrong(&format!("{other} and {name} have one public key")));
        }
        members.insert(number_of(name).map_err(|error| wrong(&error))?, public);
    }
    Ok(members.into_iter().collect())
}

/// Hand the roster in `file` to the node that listens at `socket`, and say what came of it.
///
/// # Errors
/// With a message for the user.
pub fn spread(socket: &Path, file: &Path) -> Result<String, String> {
    let parts = secrets::read_roster(file)?;
    let number = parts.first().and_then(|part| Part::parse(part).ok());
    let number = number.ok_or_else(|| format!("{}: there is no roster", file.display()))?;
    let number = number.edition.number;
    let mut taken = 0;
    for part in &parts {
        let question = format!("roster {}", secrets::digits(part));
        let answer = control::ask(socket, question.into_bytes())
            .map_err(|error| format!("{}: {error}", socket.display()))?;
        match &*String::from_utf8_lossy(&answer) {
            TAKEN => taken += 1,
            KNOWN => {}
            why => return Err(format!("{}: roster {number}: {why}", socket.display())),
        }
    }
    Ok(match taken {
        0 => format!("the node has roster {number} already"),
        _ => format!("the node has taken roster {number}; the others get it from each other"),
    })
}

#[cfg(test)]
mod tests;
