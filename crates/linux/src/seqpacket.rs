//! Sockets of whole messages (`SOCK_SEQPACKET`) between processes of one machine. Nobody ever waits for
//! the other side.

use std::collections::VecDeque;
use std::io::{self, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use multihop_core::Duration;
use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags, SocketType, accept_with,
    bind, connect, listen, recv, send, socket_with,
};

use crate::clock::Dates;

/// How many messages may wait for a peer that does not read. Beyond, it is taken for hung.
const MOST_WAITING: usize = 1_024;

fn socket() -> io::Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    Ok(socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?)
}

/// One end of a connection.
#[derive(Debug)]
pub struct Link {
    fd: OwnedFd,
    waiting: VecDeque<Vec<u8>>,
    /// How old stamped messages are.
    dates: Dates,
}

impl Link {
    /// Connect to who listens at `path`.
    ///
    /// # Errors
    /// If nobody does.
    pub fn connect(path: &Path) -> io::Result<Self> {
        let fd = socket()?;
        connect(&fd, &SocketAddrUnix::new(path)?)?;
        Ok(Link { fd, waiting: VecDeque::new(), dates: Dates::new() })
    }

    /// Send a message, now or when there is room for it.
    ///
    /// # Errors
    /// If the other side is gone, or has not read for long.
    pub fn send(&mut self, message: Vec<u8>) -> io::Result<()> {
        if self.waiting.len() >= MOST_WAITING {
            return Err(io::Error::other("the other side does not read"));
        }
        self.waiting.push_back(message);
        self.flush()
    }

    /// Send what waits, as far as there is room.
    ///
    /// # Errors
    /// If the other side is gone.
    pub fn flush(&mut self) -> io::Result<()> {
        while let Some(message) = self.waiting.front() {
            match send(&self.fd, message, SendFlags::NOSIGNAL) {
                Ok(_) => self.waiting.pop_front(),
                Err(Errno::AGAIN) => return Ok(()),
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
        }
        Ok(())
    }

    /// Whether something waits for room.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Let the kernel put the time on each message that comes from now on, for [`Link::receive_aged`].
    ///
    /// # Errors
    /// If the kernel cannot.
    pub fn stamp(&self) -> io::Result<()> {
        Ok(setsockopt(&self.fd, sockopt::ReceiveTimestampns, &true)?)
    }

    /// The same as [`Link::receive`], and how long ago the message was sent: whoever sets the
    /// machine's date meanwhile does not change that. Zero for one without a stamp.
    ///
    /// # Errors
    /// If the other side is gone.
    pub fn receive_aged(&mut self, buffer: &mut [u8]) -> io::Result<Option<(usize, Duration)>> {
        let mut space = nix::cmsg_space!(nix::sys::time::TimeSpec);
        loop {
            let mut parts = [IoSliceMut::new(&mut *buffer)];
            let fd = self.fd.as_raw_fd();
            match recvmsg::<()>(fd, &mut parts, Some(&mut space), MsgFlags::empty()) {
                Ok(read) if read.bytes == 0 => return Err(io::ErrorKind::ConnectionReset.into()),
                Ok(read) => {
                    let stamp = read.cmsgs()?.find_map(|message| match message {
                        ControlMessageOwned::ScmTimestampns(date) => Some(date),
                        _ => None,
                    });
                    let age = stamp.map_or(Duration::ZERO, |date| {
                        self.dates.age(date.tv_sec(), date.tv_nsec())
                    });
                    return Ok(Some((read.bytes, age)));
                }
                Err(nix::errno::Errno::EAGAIN) => return Ok(None),
                Err(nix::errno::Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The next message into `buffer`: its length, or `None` if there is none now.
    ///
    /// # Errors
    /// If the other side is gone.
    pub fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        loop {
            match recv(&self.fd, &mut *buffer, RecvFlags::empty()) {
                Ok((0, _)) => return Err(io::ErrorKind::ConnectionReset.into()),
                Ok((read, _)) => return Ok(Some(read)),
                Err(Errno::AGAIN) => return Ok(None),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl AsFd for Link {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Where processes connect. The socket's file is gone when this is.
#[derive(Debug)]
pub struct Listener {
    fd: OwnedFd,
    path: PathBuf,
}

impl Listener {
    /// Listen at `path`. The socket of somebody who listens no more is replaced.
    ///
    /// # Errors
    /// If somebody listens there, if it is a file of another kind, or if it cannot be made.
    pub fn bind(path: &Path) -> io::Result<Self> {
        let fd = socket()?;
        let address = SocketAddrUnix::new(path)?;
        match bind(&fd, &address) {
            Err(Errno::ADDRINUSE) => {
                if !std::fs::symlink_metadata(path)?.file_type().is_socket() {
                    return Err(io::Error::other("there is a file that is no socket"));
                }
                match Link::connect(path) {
                    Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {}
                    _ => return Err(Errno::ADDRINUSE.into()),
                }
                std::fs::remove_file(path)?;
                bind(&fd, &address)?;
            }
            result => result?,
        }
        listen(&fd, 64)?;
        Ok(Listener { fd, path: path.to_owned() })
    }

    /// The next who connects, if somebody does.
    ///
    /// # Errors
    /// If this process may open no more files, for instance.
    pub fn accept(&self) -> io::Result<Option<Link>> {
        match accept_with(&self.fd, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK) {
            Ok(fd) => Ok(Some(Link { fd, waiting: VecDeque::new(), dates: Dates::new() })),
            Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // somebody else may have removed it
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests;
