//! What a service tells systemd (`sd_notify`(3)): one datagram for each piece of news.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

use multihop_core::{Duration, Time};

use crate::clock;

/// Who is told.
#[derive(Debug)]
pub struct Notify {
    /// Nobody, outside systemd.
    to: Option<(UnixDatagram, SocketAddr)>,
    /// So often a sign of life is expected; never if there is no watchdog.
    interval: Option<Duration>,
    due: Time,
}

impl Notify {
    /// What the environment says, which systemd sets: `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`.
    pub fn from_environment() -> Self {
        let text = |name| std::env::var(name).ok();
        let number = |name| text(name).and_then(|text| text.parse::<u64>().ok());
        let mine = number("WATCHDOG_PID").is_none_or(|pid| pid == u64::from(std::process::id()));
        let watchdog = number("WATCHDOG_USEC").filter(|micros| mine && *micros > 0);
        Notify::new(text("NOTIFY_SOCKET").as_deref(), watchdog.map(Duration::from_micros))
    }

    /// The socket at `path`, or with this abstract name behind `@`; who listens there ends this process if it is silent
    /// for as long as `watchdog`.
    pub fn new(path: Option<&str>, watchdog: Option<Duration>) -> Self {
        let address = path.and_then(|path| {
            let address = match path.strip_prefix('@') {
                Some(name) => SocketAddr::from_abstract_name(name),
                None => SocketAddr::from_pathname(path),
            };
            address.ok()
        });
        let socket = UnixDatagram::unbound().and_then(|socket| {
            socket.set_nonblocking(true)?;
            Ok(socket)
        });
        Notify { to: socket.ok().zip(address), interval: watchdog, due: Time::ZERO }
    }

    fn tell(&self, news: &str) {
        if let Some((socket, address)) = &self.to {
            // who does not read now is told the next time
            let _ = socket.send_to_addr(news.as_bytes(), address);
        }
    }

    /// The service is ready, again after [`Notify::reloading`].
    pub fn ready(&self) {
        self.tell("READY=1");
    }

    /// The service reads its configuration again.
    pub fn reloading(&self) {
        self.tell(&format!("RELOADING=1\nMONOTONIC_USEC={}", clock::monotonic_micros()));
    }

    /// The service ends.
    pub fn stopping(&self) {
        self.tell("STOPPING=1");
    }

    /// How it is, in a line for people.
    pub fn status(&self, line: &str) {
        self.tell(&format!("STATUS={line}"));
    }

    /// When to call [`Notify::on_time`].
    pub fn deadline(&self) -> Time {
        if self.interval.is_some() && self.to.is_some() { self.due } else { Time::NEVER }
    }

    /// Time has passed, on a clock that is `scale` times slower than the machine's: the service gives a sign of life
    /// twice as often as it must.
    pub fn on_time(&mut self, now: Time, scale: f64) {
        if let Some(interval) = self.interval
            && self.due <= now
        {
            self.tell("WATCHDOG=1");
            self.due = now + Duration::from_seconds(interval.seconds() / 2.0 / scale);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(listener: &UnixDatagram) -> Option<String> {
        let mut buffer = [0; 200];
        let len = listener.recv(&mut buffer).ok()?;
        Some(String::from_utf8_lossy(&buffer[..len]).into_owned())
    }

    #[test]
    fn systemd_is_told_and_its_watchdog_twice_in_its_time() {
        let folder = tempfile::tempdir().expect("it can be made");
        let path = folder.path().join("notify");
        let listener = UnixDatagram::bind(&path).expect("the folder can be written");
        listener.set_nonblocking(true).expect("it can");
        let mut notify = Notify::new(path.to_str(), Some(Duration::from_millis(4_000)));
        notify.ready();
        notify.reloading();
        assert_eq!(told(&listener).as_deref(), Some("READY=1"));
        let reloading = told(&listener).expect("it is told");
        assert!(reloading.starts_with("RELOADING=1\nMONOTONIC_USEC="), "{reloading}");
        notify.on_time(Time::ZERO, 1.0);
        assert_eq!(told(&listener).as_deref(), Some("WATCHDOG=1"));
        assert_eq!(notify.deadline(), Time::from_nanos(2_000_000_000));
        notify.on_time(Time::from_nanos(1_999_999_999), 1.0);
        assert_eq!(told(&listener), None);
        notify.on_time(Time::from_nanos(2_000_000_000), 10.0);
        assert_eq!(told(&listener).as_deref(), Some("WATCHDOG=1"));
        assert_eq!(notify.deadline(), Time::from_nanos(2_200_000_000), "on a slower clock");
    }

    #[test]
    fn nobody_is_told_where_nobody_listens() {
        let mut notify = Notify::new(None, Some(Duration::from_millis(1)));
        notify.ready();
        notify.on_time(Time::ZERO, 1.0);
        assert_eq!(notify.deadline(), Time::NEVER);
        Notify::new(Some("/no/such/socket"), None).ready();
    }
}
