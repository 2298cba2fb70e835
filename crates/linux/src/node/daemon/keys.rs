//! The keys of a running node: those of files, and those that come with rosters.

use crate::log;
use crate::node::keyring::{self, Keys};
use crate::node::membership::{Membership, Place};
use crate::node::report;
use crate::node::secrets;

use super::Daemon;

impl Daemon {
    /// Seal with these keys from now on, if frames are sealed.
    pub(super) fn set_keys(&mut self, keys: Option<&Keys>) {
        let (Some(seal), Some((key, other))) = (&mut self.seal, keys) else { return };
        let before = seal.fingerprints();
        seal.set_keys(key, other.as_ref());
        if before != seal.fingerprints() {
            self.say_keys();
        }
    }

    /// Seal with the keys that rosters give.
    pub(super) fn take_keys(&mut self) -> Result<(), String> {
        if let (Some(seal), Some(membership)) = (&mut self.seal, self.host.membership()) {
            keyring::take_keys(membership, seal)?;
            self.say_keys();
        }
        Ok(())
    }

    /// There are other keys.
    fn say_keys(&self) {
        let Some(seal) = &self.seal else { return };
        let (key, others) = report::keys(Some(seal), &self.host);
        let words = report::words_of_keys(key.as_deref(), others.as_deref());
        log::info(&format!("the key is another one: {words}"));
        // what was heard is believed after a restart only if it was written under a key of then
        if let Some(memory) = &self.memory
            && let Err(message) = memory.write(seal)
        {
            log::warn(&message);
        }
    }

    /// A roster is complete: it counts after a restart, too.
    pub(super) fn keep_roster(&self) {
        let Some(known) = self.host.membership().map(Membership::known) else { return };
        let (number, members) = (known.edition.number, known.members());
        match known.place {
            Place::Member => {
                log::info(&format!("roster {number} has come, with {members} members"));
            }
            _ => log::warn(&format!(
                "roster {number} has come, with {members} members: this node is none of them"
            )),
        }
        let path = keyring::kept(&self.config, "roster");
        let text = secrets::roster_text(known.parts());
        if let Some(Err(message)) = path.map(|path| secrets::replace(&path, &text)) {
            log::warn(&format!("{message}; after a restart the node has to get the roster again"));
        }
    }
}
