//! Questions to a running process: one message with a word, one message with the answer.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use multihop_core::Time;
use rustix::time::Timespec;

use crate::log;
use crate::reactor::{self, Door, Until};
use crate::roster::LONGEST_PART;
use crate::seqpacket::{Link, Listener};

/// So many may ask at a time.
const MOST_GUESTS: usize = 16;

/// The longest question: a part of a roster in hexadecimal digits.
const LONGEST_QUESTION: usize = 2 * LONGEST_PART + 16;

/// The longest answer that is read.
const LONGEST_ANSWER: usize = 1 << 20;

/// The answer to a part of a roster that was taken, and to one that was known.
pub const TAKEN: &str = "taken";
/// The answer to a part of a roster that was known.
pub const KNOWN: &str = "known";

/// Where questions come.
pub struct Control {
    listener: Listener,
    door: Door,
    guests: Vec<Link>,
}

impl Control {
    /// Listen at `path`.
    ///
    /// # Errors
    /// If somebody listens there, or the file cannot be made.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Control { listener: Listener::bind(path)?, door: Door::default(), guests: Vec::new() })
    }

    /// What to wait for.
    pub fn files(&self, now: Time) -> impl Iterator<Item = (BorrowedFd<'_>, Until)> {
        let guests = self.guests.iter().map(|guest| (guest.as_fd(), Until::Readable));
        std::iter::once((self.listener.as_fd(), self.door.until(now))).chain(guests)
    }

    /// When to wait for other files.
    pub fn deadline(&self, now: Time) -> Time {
        self.door.deadline(now)
    }

    /// Answer who asks.
    pub fn serve(&mut self, now: Time, mut answer: impl FnMut(&str) -> String) {
        loop {
            let guest = match self.listener.accept() {
                Ok(Some(guest)) => guest,
                Ok(None) => break,
                Err(error) => {
                    if self.door.shut(now) {
                        log::warn(&format!("questions have to wait: {error}"));
                    }
                    break;
                }
            };
            if self.guests.len() >= MOST_GUESTS {
                // who has waited longest
                self.guests.remove(0);
            }
            self.guests.push(guest);
        }
        self.guests.retain_mut(|guest| {
            let mut buffer = [0; LONGEST_QUESTION];
            match guest.receive(&mut buffer) {
                Ok(None) => true,
                Ok(Some(len)) => {
                    let question = String::from_utf8_lossy(&buffer[..len]);
                    guest.send(answer(&question).into_bytes()).is_ok()
                }
                Err(_) => false,
            }
        });
    }
}

/// Ask the process that listens at `path`.
///
/// # Errors
/// If nobody listens, or does not answer within five seconds.
pub fn ask(path: &Path, question: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut link = Link::connect(path)?;
    link.send(question)?;
    let mut buffer = vec![0; LONGEST_ANSWER];
    for _ in 0..50 {
        if let Some(len) = link.receive(&mut buffer)? {
            buffer.truncate(len);
            return Ok(buffer);
        }
        let timeout = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        reactor::wait(&[(link.as_fd(), Until::Readable)], Some(timeout))?;
    }
    Err(io::ErrorKind::TimedOut.into())
}
