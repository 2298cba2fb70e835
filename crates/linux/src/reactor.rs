//! Waiting for whatever comes first: one of some files, or a time.

use std::io;
use std::num::NonZeroU64;
use std::os::fd::BorrowedFd;

use multihop_core::{Duration, Time};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::time::Timespec;

/// For what a file is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// It can be read, or is at its end.
    Readable,
    /// The same, or it takes more.
    Writable,
    /// It takes more.
    Takes,
    /// It is not waited for.
    Nothing,
}

/// So long nobody is let in after the process could open no more files.
const PAUSE: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_millis(60_000);

/// Whether a listener lets others in. While the process can open no more files it does not: a connection that
/// waits would wake the process again and again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Door {
    shut_until: Time,
}

impl Door {
    /// A connection could not be taken. Says whether that is the first time for long, and worth a line of the log.
    pub fn shut(&mut self, now: Time) -> bool {
        let first = self.shut_until == Time::ZERO || now.since(self.shut_until) >= LONG;
        self.shut_until = now + PAUSE;
        first
    }

    /// For what of the listener to wait.
    pub fn until(&self, now: Time) -> Until {
        if now < self.shut_until { Until::Nothing } else { Until::Readable }
    }

    /// When it opens, if it is shut.
    pub fn deadline(&self, now: Time) -> Time {
        if now < self.shut_until { self.shut_until } else { Time::NEVER }
    }
}

/// Wake up in time: the kernel may otherwise be 50 us late to save energy.
pub fn be_punctual() {
    // who may not is a little later
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
}

/// Wait until one of `files` is ready or `timeout` is over. Returns which are ready; after a signal, none.
///
/// # Errors
/// If there are more files than a process may have.
pub fn wait(files: &[(BorrowedFd, Until)], timeout: Option<Timespec>) -> io::Result<Vec<bool>> {
    let mut polled: Vec<PollFd> = files
        .iter()
        .map(|(file, until)| match until {
            Until::Readable => PollFd::from_borrowed_fd(*file, PollFlags::IN),
            Until::Writable => PollFd::from_borrowed_fd(*file, PollFlags::IN | PollFlags::OUT),
            Until::Takes => PollFd::from_borrowed_fd(*file, PollFlags::OUT),
            Until::Nothing => PollFd::from_borrowed_fd(*file, PollFlags::empty()),
        })
        .collect();
    match poll(&mut polled, timeout.as_ref()) {
        Ok(_) => Ok(polled.iter().map(|file| !file.revents().is_empty()).collect()),
        Err(Errno::INTR) => Ok(vec![false; files.len()]),
        Err(error) => Err(error.into()),
    }
}
