//! The kernel's TCP, without waiting.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, connect, socket_with, sockopt};

/// A connection to an application.
pub struct Socket {
    tcp: TcpStream,
    /// Whether it may have something to read, and may take something: until it says that it does not.
    pub readable: bool,
    /// Whether it may take something.
    pub writable: bool,
}

/// Where connections come that the kernel has redirected.
pub struct Redirected(TcpListener);

impl Redirected {
    /// Listen at `port` of this machine only.
    ///
    /// # Errors
    /// If somebody listens there.
    pub fn new(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        Ok(Redirected(listener))
    }

    /// The next connection, and where it was to go before it was redirected; `None` for one that was not.
    ///
    /// # Errors
    /// If there is none now, or this process may open no more files.
    pub fn accept(&self) -> io::Result<(Socket, Option<SocketAddrV4>)> {
        let (tcp, _) = self.0.accept()?;
        tcp.set_nonblocking(true)?;
        tcp.set_nodelay(true)?;
        let here = tcp.local_addr()?;
        let meant = sockopt::ip_original_dst(&tcp).ok().filter(|meant| here != (*meant).into());
        Ok((Socket::new(tcp), meant))
    }
}

impl AsFd for Redirected {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Socket {
    const fn new(tcp: TcpStream) -> Self {
        Socket { tcp, readable: true, writable: true }
    }

    /// Begin to connect to who listens there.
    ///
    /// # Errors
    /// If that cannot even begin.
    pub fn connect(to: SocketAddrV4) -> io::Result<Self> {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let fd = socket_with(AddressFamily::INET, SocketType::STREAM, flags, None)?;
        match connect(&fd, &to) {
            Ok(()) | Err(Errno::INPROGRESS) => {}
            Err(error) => return Err(error.into()),
        }
        let tcp = TcpStream::from(fd);
        tcp.set_nodelay(true)?;
        // until it is connected, neither
        Ok(Socket { readable: false, writable: false, tcp })
    }

    /// Read: how many bytes, 0 at the end; `None` if there is nothing now.
    ///
    /// # Errors
    /// If the application has broken the connection off.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let read = self.tcp.read(buffer);
        later(read, &mut self.readable)
    }

    /// Write: how many bytes; `None` if it takes nothing now.
    ///
    /// # Errors
    /// As for reading.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let written = self.tcp.write(bytes);
        later(written, &mut self.writable)
    }

    /// There is nothing more to write.
    pub fn end(&self) {
        // who is gone already learns nothing
        let _ = self.tcp.shutdown(std::net::Shutdown::Write);
    }

    /// The application is to see that the connection is broken off, not ended.
    pub fn reset(self) {
        let _ = sockopt::set_socket_linger(&self.tcp, Some(std::time::Duration::ZERO));
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.tcp.as_fd()
    }
}

fn later(done: io::Result<usize>, possible: &mut bool) -> io::Result<Option<usize>> {
    match done {
        Ok(count) => Ok(Some(count)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            *possible = false;
            Ok(None)
        }
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
        Err(error) => Err(error),
    }
}
