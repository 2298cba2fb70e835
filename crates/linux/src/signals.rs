//! Signals, as something to wait for.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To end: SIGINT or SIGTERM.
    End,
    /// To read the configuration again: SIGHUP.
    Reload,
}

/// SIGINT, SIGTERM and SIGHUP.
#[derive(Debug)]
pub struct Signals(SignalFd);

impl Signals {
    /// Catch them from now on.
    ///
    /// # Errors
    /// If the process may open no more files.
    pub fn new() -> io::Result<Self> {
        let mut set = SigSet::empty();
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
            set.add(signal);
        }
        set.thread_block()?;
        let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
        Ok(Signals(SignalFd::with_flags(&set, flags)?))
    }

    /// What the next one asks for, if one has come.
    ///
    /// # Errors
    /// Never, as far as is known.
    pub fn take(&mut self) -> io::Result<Option<Asked>> {
        let signal = self.0.read_signal()?;
        Ok(signal.map(|signal| {
            let hang_up = signal.ssi_signo == Signal::SIGHUP as u32;
            if hang_up { Asked::Reload } else { Asked::End }
        }))
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
