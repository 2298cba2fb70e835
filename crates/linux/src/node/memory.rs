//! What a node has heard, in a file that outlives it: the highest counter of every sender's frames. Who sends recorded frames to a
//! node that has restarted finds them refused, up to those of its last minutes before a crash.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use multihop_core::{Duration, NodeId, Time};

use crate::log;
use crate::seal::Seal;

use super::secrets::{self, private_file};

/// So long after a sender begins a new life it is written down: others may do so, too.
const SOON: Duration = Duration::from_millis(10_000);
/// So often counters are written down.
const LATER: Duration = Duration::from_millis(600_000);

/// What becomes of a file that is not as this version writes it, and what to do.
const REMEDY: &str = "the file is damaged, or of another version: go back to that version, or remove the file; then frames \
                      that were recorded are taken until their senders are heard";

/// A file of counters: the fingerprint of a key, and a line for each sender.
pub struct Memory {
    path: PathBuf,
    due: Time,
}

impl Memory {
    /// One at `path`.
    pub fn new(path: PathBuf, now: Time) -> Self {
        Memory { path, due: now + LATER }
    }

    /// Let `seal` know what was written down under its key.
    ///
    /// # Errors
    /// If there is a file that cannot be read, or is of another form.
    pub fn recall(&self, seal: &mut Seal) -> Result<(), String> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(format!("{}: {error}", self.path.display())),
        };
        let named = |message: &str| format!("{}: {message}", self.path.display());
        if text.trim_matches(['\0', '\n']).is_empty() {
            let message = "it is empty, as after a failure of power; frames that were recorded are taken until their \
                           senders are heard";
            log::warn(&named(message));
            return Ok(());
        }
        let mut lines = text.lines();
        let mut is_known = false;
        for word in lines.next().unwrap_or_default().split(' ') {
            let print = secrets::bytes(word)
                .ok_or_else(|| named(&format!("'{word}' is no fingerprint of a key: {REMEDY}")))?;
            is_known |= seal.knows(print);
        }
        // counters begin anew with a key, but go on while several are in use
        if !is_known {
            log::info(&named("it is of other keys, and begins anew"));
            return Ok(());
        }
        for line in lines {
            let words = line.split_once(' ');
            let read =
                words.and_then(|(node, counter)| Some((node.parse().ok()?, counter.parse().ok()?)));
            let (node, counter) =
                read.ok_or_else(|| named(&format!("'{line}' is no node and counter: {REMEDY}")))?;
            seal.remember(NodeId(node), counter);
        }
        Ok(())
    }

    /// When to call [`Memory::on_time`].
    pub const fn deadline(&self) -> Time {
        self.due
    }

    /// Frames were opened.
    pub fn on_heard(&mut self, now: Time, seal: &mut Seal) {
        if seal.take_new_life() {
            self.due = self.due.min(now + SOON);
        }
    }

    /// Write down what was heard, if that is due.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn on_time(&mut self, now: Time, seal: &Seal) -> Result<(), String> {
        if self.due > now {
            return Ok(());
        }
        self.due = now + LATER;
        self.write(seal)
    }

    /// Write it down now. The disk is not waited for: what a failure of power takes is like what a crash does.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, seal: &Seal) -> Result<(), String> {
        let new = self.path.with_extension("heard.new");
        let prints: Vec<_> =
            seal.fingerprints().iter().map(|print| secrets::digits(print)).collect();
        let first = format!("{}\n", prints.join(" "));
        let lines = seal.heard().map(|(NodeId(node), counter)| format!("{node} {counter}\n"));
        let text: String = std::iter::once(first).chain(lines).collect();
        let mut file = private_file(&new).map_err(|error| format!("{}: {error}", new.display()))?;
        file.write_all(text.as_bytes())
            .and_then(|()| fs::rename(&new, &self.path))
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use crate::seal::NetworkKey;

    use super::*;

    fn seal(key: u8) -> Seal {
        Seal::new(&NetworkKey([key; 32]), NodeId(1), 1, [0; 4])
    }

    #[test]
    fn what_was_heard_is_known_after_a_restart_under_the_same_key() {
        let folder = tempdir().expect("it can be made");
        let path = folder.path().join("n1.heard");
        let mut memory = Memory::new(path.clone(), Time::ZERO);
        let mut before = seal(1);
        assert_eq!(memory.recall(&mut before), Ok(()), "there is nothing yet");
        before.remember(NodeId(7), 5 << 32 | 9);
        memory.on_time(Time::from_nanos(1), &before).expect("it is not due");
        assert!(!path.exists());
        memory.on_time(memory.deadline(), &before).expect("it can be written");
        let mut after = seal(1);
        memory.recall(&mut after).expect("it can be read");
        assert_eq!(after.heard().collect::<Vec<_>>(), [(NodeId(7), 5 << 32 | 9)]);
        let mut other = seal(2);
        memory.recall(&mut other).expect("it is of another key");
        assert_eq!(other.heard().count(), 0);
    }

    /// A crash between the arrival of a roster and the moment at which its key seals.
    #[test]
    fn what_was_heard_while_two_keys_were_in_use_is_known_under_either() {
        let folder = tempdir().expect("it can be made");
        let memory = Memory::new(folder.path().join("n1.heard"), Time::ZERO);
        let mut before = seal(1);
        before.set_keys(&NetworkKey([1; 32]), [&NetworkKey([2; 32])]);
        before.remember(NodeId(7), 9);
        memory.write(&before).expect("it can be written");
        for (key, known) in [(1, 1), (2, 1), (3, 0)] {
            let mut after = seal(key);
            memory.recall(&mut after).expect("it can be read");
            assert_eq!(after.heard().count(), known, "key {key}");
        }
    }

    #[test]
    fn a_broken_file_is_named() {
        let folder = tempdir().expect("it can be made");
        let path = folder.path().join("n1.heard");
        let memory = Memory::new(path.clone(), Time::ZERO);
        for line in ["7", "7 x", "x 7", "7 8 9", "-1 8"] {
            let text = format!("{}\n{line}\n", secrets::digits(&seal(1).fingerprint()));
            fs::write(&path, text).expect("it can be written");
            let error = memory.recall(&mut seal(1)).expect_err(line);
            assert!(error.contains("n1.heard") && error.contains(line), "{error}");
        }
        for other in ["multihop 2\n7 8\n", "7 8\n", "b308fbf1\n"] {
            fs::write(&path, other).expect("it can be written");
            let error = memory.recall(&mut seal(1)).expect_err(other);
            assert!(error.contains("or remove the file"), "{error}");
        }
    }

    #[test]
    fn a_file_that_lost_its_content_with_the_power_is_no_obstacle() {
        let folder = tempdir().expect("it can be made");
        let path = folder.path().join("n1.heard");
        let memory = Memory::new(path.clone(), Time::ZERO);
        for left in ["", "\0\0\0\0", "\n"] {
            fs::write(&path, left).expect("it can be written");
            let mut seal = seal(1);
            memory.recall(&mut seal).expect("it can begin");
            assert_eq!(seal.heard().count(), 0);
        }
    }
}
