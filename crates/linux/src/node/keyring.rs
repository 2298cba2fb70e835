//! The keys with which a node begins and goes on: those of the files that its configuration names, or of rosters.

use std::path::PathBuf;

use multihop_core::{NodeId, Time};

use crate::seal::{NetworkKey, Seal};

use super::config::Config;
use super::membership::Membership;
use super::secrets::{next_life, random, read_identity, read_key, read_roster};

/// What the node `me` does about rosters, if its key comes with them. It begins with the roster that it has kept.
///
/// # Errors
/// With a message for the user.
pub fn membership(config: &Config, me: NodeId) -> Result<Option<Membership>, String> {
    let (Some(path), Some(authority)) = (&config.identity, &config.authority) else {
        return Ok(None);
    };
    let seed = u64::from_ne_bytes(random()?);
    let mut membership = Membership::new(me, read_identity(path)?, authority.clone(), seed);
    if let Some(path) = kept(config, "roster") {
        for part in read_roster(&path)? {
            membership.bring(Time::ZERO, &part).map_err(|refused| {
                let (path, why) = (path.display(), refused.words());
                format!("{path}: {why}; remove it, and the node gets a roster from its neighbours")
            })?;
        }
    }
    // it is no news that this is kept, and who begins asks for the keys
    membership.take_news();
    Ok(Some(membership))
}

/// Seal with the keys that `membership` has now; with one that nobody has, if it has none.
///
/// # Errors
/// If there are no random numbers.
pub fn take_keys(membership: &Membership, seal: &mut Seal) -> Result<(), String> {
    match membership.keys() {
        Some((key, others)) => seal.set_keys(key, others),
        None => seal.set_keys(&NetworkKey(random()?), []),
    }
    Ok(())
}

/// The file in which a node keeps something of this `kind`, if it keeps anything.
pub fn kept(config: &Config, kind: &str) -> Option<PathBuf> {
    config.state.as_ref().map(|state| state.join(format!("{}.{kind}", config.node)))
}

/// The frames of a life are used up: `seal` goes on in the next.
///
/// # Errors
/// If the next life cannot be written down.
pub fn renew(config: &Config, seal: &mut Seal) -> Result<(), String> {
    let path = kept(config, "life").ok_or("state: with a key, a folder is needed")?;
    seal.renew(next_life(&path)?, random()?);
    Ok(())
}

/// The keys of a node: the one that seals, and the other one whose frames are opened, too.
pub type Keys = (NetworkKey, Option<NetworkKey>);

/// The keys that `config` names; none if frames are plain.
///
/// # Errors
/// With a message for the user.
pub fn keys(config: &Config) -> Result<Option<Keys>, String> {
    let Some(path) = &config.key else { return Ok(None) };
    let key = read_key(path)?;
    let other = config.other_key.as_deref().map(read_key).transpose()?;
    Ok(Some((key, other)))
}

/// What seals the frames of the node `me`, unless they are plain, and which life of it begins: the one after the last
/// where they are counted, else a number that none had before, most likely. Its keys are those of files, or of `membership`.
///
/// # Errors
/// With a message for the user.
pub fn begin(
    config: &Config,
    me: NodeId,
    membership: Option<&Membership>,
) -> Result<(Option<Seal>, u16), String> {
    let life = kept(config, "life").map(|path| next_life(&path)).transpose()?;
    let mut seal = None;
    if let (Some((key, other)), Some(life)) = (keys(config)?, life) {
        let mut new = Seal::new(&key, me, life, random()?);
        new.set_keys(&key, other.as_ref());
        seal = Some(new);
    }
    if let (Some(membership), Some(life)) = (membership, life) {
        let mut new = Seal::new(&NetworkKey(random()?), me, life, random()?);
        take_keys(membership, &mut new)?;
        seal = Some(new);
    }
    let incarnation = match (config.incarnation, life) {
        (Some(given), _) => given,
        (None, Some(life)) => life as u16,
        (None, None) => u16::from_ne_bytes(random()?),
    };
    Ok((seal, incarnation))
}

#[cfg(test)]
mod tests;
