//! Counters over HTTP, for Prometheus and what reads its format: `GET /metrics` at a port of the machine itself, and
//! nothing else.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};

use multihop_core::{Duration, Time};

use crate::log;
use crate::reactor::{Door, Until};

/// So many may ask at a time.
const MOST_GUESTS: usize = 8;
/// The longest request.
const LONGEST_REQUEST: usize = 4_096;
/// Who has not asked or not read for so long is left.
const PATIENCE: Duration = Duration::from_millis(5_000);
const END_OF_HEAD: &[u8] = b"\r\n\r\n";

struct Guest {
    link: TcpStream,
    request: Vec<u8>,
    /// What is still to be written, once it was asked.
    answer: Option<Vec<u8>>,
    until: Time,
}

/// Where counters are served.
pub struct Exposition {
    listener: TcpListener,
    door: Door,
    guests: Vec<Guest>,
}

impl Exposition {
    /// At `port` of the machine itself.
    ///
    /// # Errors
    /// If somebody has it.
    pub fn new(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        Ok(Exposition { listener, door: Door::default(), guests: Vec::new() })
    }

    /// What to wait for.
    pub fn files(&self, now: Time) -> impl Iterator<Item = (BorrowedFd<'_>, Until)> {
        let guests = self.guests.iter().map(|guest| {
            let until = if guest.answer.is_some() { Until::Takes } else { Until::Readable };
            (guest.link.as_fd(), until)
        });
        std::iter::once((self.listener.as_fd(), self.door.until(now))).chain(guests)
    }

    /// When to call [`Exposition::serve`] though no file is ready.
    pub fn deadline(&self, now: Time) -> Time {
        let guests = self.guests.iter().map(|guest| guest.until).min().unwrap_or(Time::NEVER);
        guests.min(self.door.deadline(now))
    }

    /// Let in who connects, and answer who has asked with what `metrics` says.
    pub fn serve(&mut self, now: Time, metrics: impl Fn() -> String) {
        loop {
            match self.listener.accept() {
                Ok((link, _)) if link.set_nonblocking(true).is_ok() => {
                    if self.guests.len() >= MOST_GUESTS {
                        self.guests.remove(0);
                    }
                    let until = now + PATIENCE;
                    self.guests.push(Guest { link, request: Vec::new(), answer: None, until });
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => {
                    if self.door.shut(now) {
                        log::warn(&format!("who asks for metrics has to wait: {error}"));
                    }
                    break;
                }
            }
        }
        self.guests.retain_mut(|guest| guest.until > now && guest.serve(&metrics).unwrap_or(false));
    }
}

impl Guest {
    /// Whether it is still to be served.
    fn serve(&mut self, metrics: &impl Fn() -> String) -> io::Result<bool> {
        let mut buffer = [0; LONGEST_REQUEST];
        while self.answer.is_none() {
            match self.link.read(&mut buffer) {
                Ok(0) => return Ok(false),
                Ok(len) => self.request.extend(&buffer[..len]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(true),
                Err(error) => return Err(error),
            }
            if self.request.len() > LONGEST_REQUEST {
                return Ok(false);
            }
            if self.request.windows(END_OF_HEAD.len()).any(|part| part == END_OF_HEAD) {
                self.answer = Some(response(&self.request, metrics));
            }
        }
        while let Some(rest) = self.answer.as_mut().filter(|rest| !rest.is_empty()) {
            match self.link.write(rest) {
                Ok(written) => drop(rest.drain(..written)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(true),
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }
}

fn response(request: &[u8], metrics: impl Fn() -> String) -> Vec<u8> {
    let line = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let mut words = line.split(|byte| *byte == b' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (status, body) = match (method, path) {
        (b"GET", b"/metrics") => ("200 OK", metrics()),
        (b"GET", _) => ("404 Not Found", "there is /metrics only\n".to_owned()),
        _ => ("405 Method Not Allowed", "GET only\n".to_owned()),
    };
    let kind = if status.starts_with("200") {
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    } else {
        "text/plain"
    };
    let len = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n"
    );
    [head.into_bytes(), body.into_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(request: &str) -> String {
        let mut exposition = Exposition::new(0).expect("there is a port");
        let port = exposition.listener.local_addr().expect("it listens").port();
        let mut link = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
        let (first, last) = request.as_bytes().split_at(request.len() / 2);
        let mut answer = String::new();
        for part in [first, last] {
            link.write_all(part).expect("there is room");
            // the loop of a node comes by again and again
            for _ in 0..20 {
                exposition.serve(Time::ZERO, || "# EOF\n".to_owned());
                std::thread::yield_now();
            }
        }
        while !exposition.guests.is_empty() {
            exposition.serve(Time::ZERO, || "# EOF\n".to_owned());
        }
        link.read_to_string(&mut answer).expect("it is text");
        answer
    }

    #[test]
    fn metrics_are_served_and_nothing_else() {
        let answer = asked("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("Content-Length: 6\r\n") && answer.ends_with("\r\n\r\n# EOF\n"));
        assert!(asked("GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
        assert!(asked("POST /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
        assert_eq!(asked(&"x".repeat(3 * LONGEST_REQUEST)), "", "who never ends is left");
    }

    #[test]
    fn who_says_nothing_is_left_and_many_make_room() {
        let mut exposition = Exposition::new(0).expect("there is a port");
        let port = exposition.listener.local_addr().expect("it listens").port();
        let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
        let silent: Vec<_> = (0..MOST_GUESTS + 3).map(|_| connect()).collect();
        while exposition.guests.len() < MOST_GUESTS {
            exposition.serve(Time::ZERO, String::new);
        }
        exposition.serve(Time::ZERO, String::new);
        assert_eq!(exposition.guests.len(), MOST_GUESTS);
        assert_eq!(exposition.deadline(Time::ZERO), Time::ZERO + PATIENCE);
        exposition.serve(Time::ZERO + PATIENCE, String::new);
        assert!(exposition.guests.is_empty());
        drop(silent);
    }
}
