//! The medium in real time: the sockets of its nodes, its clock, and how late it is.

use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use multihop_core::{Duration, NodeId, Time};
use serde_json::json;

use crate::bytes::Malformed;
use crate::clock::Clock;
use crate::ether::air::{Air, NoRadio};
use crate::ether::message::{FromEther, LONGEST_FRAME, LONGEST_MESSAGE, ToEther, VERSION};
use crate::ip;
use crate::log;
use crate::reactor::{self, Door, Until};
use crate::seqpacket::{Link, Listener};
use crate::signals::Signals;

/// So many messages of one node are read before the others have their turn.
const TURN: usize = 16;

/// So many things happen before nodes are listened to.
const MOST_STEPS: usize = 256;

/// At most this often the ether says that it is late.
const WARNING_INTERVAL: Duration = Duration::from_millis(1_000);

/// More connections than this are not taken, besides those of the nodes.
const MOST_GUESTS: usize = 16;

/// What an ether is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// So many seconds of the machine are a second of the medium.
    pub time_scale: f64,
    /// What is done later than this was late.
    pub allowed_lag: Duration,
    /// Whether to end when something was late.
    pub exit_when_late: bool,
}

/// How an ether has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was asked to.
    Asked,
    /// It was late, and that is not allowed.
    Late,
}

/// Who is connected.
struct Client {
    link: Link,
    /// The number of the node that it is, once it has said so.
    node: Option<NodeId>,
    /// When nothing of it was there to be read, the last time.
    empty: Time,
    /// Whether it wants to know what is on the air.
    captures: bool,
    /// Whether the other side is gone.
    gone: bool,
}

/// An ether.
pub struct Ether {
    air: Air,
    settings: Settings,
    clock: Clock,
    warned: Time,
    listener: Listener,
    door: Door,
    clients: Vec<Client>,
    /// What could not be read of what clients said.
    malformed: u64,
    buffer: Vec<u8>,
}

impl Ether {
    /// The medium `air`, for nodes that connect at `path`.
    ///
    /// # Errors
    /// If nobody can connect there.
    pub fn new(mut air: Air, path: &Path, settings: Settings) -> io::Result<Self> {
        air.allow_lag(settings.allowed_lag);
        Ok(Ether {
            air,
            settings,
            clock: Clock::new(settings.time_scale),
            warned: Time::ZERO,
            listener: Listener::bind(path)?,
            door: Door::default(),
            clients: Vec::new(),
            malformed: 0,
            buffer: vec![0; LONGEST_MESSAGE],
        })
    }

    /// Run until a signal asks for the end.
    ///
    /// # Errors
    /// If this process cannot wait for its files.
    pub fn run(&mut self, signals: &mut Signals) -> io::Result<Ended> {
        reactor::be_punctual();
        loop {
            self.catch_up();
            self.warn();
            if self.settings.exit_when_late && self.air.lag().late() > 0 {
                return Ok(Ended::Late);
            }
            self.wait(signals)?;
            // it has nothing to read again: any signal ends it
            if signals.take()?.is_some() {
                return Ok(Ended::Asked);
            }
        }
    }

    /// Let happen what is due. An ether that is far behind listens to its
    /// nodes in between.
    fn catch_up(&mut self) {
        // something may have happened while nodes were served
        self.deliver();
        for _ in 0..MOST_STEPS {
            let now = self.clock.now();
            if self.air.step(now).is_none() {
                break;
            }
            self.deliver();
        }
        self.hand_on_capture();
    }

    /// Give what was captured to those who want it. Who does not read is left behind.
    fn hand_on_capture(&mut self) {
        let captured = self.air.take_captured(self.clock.now());
        for part in captured.chunks(LONGEST_FRAME) {
            let message = FromEther::Captured(part.to_vec()).emit();
            for client in self.clients.iter_mut().filter(|client| client.captures) {
                client.gone |= client.link.send(message.clone()).is_err();
            }
        }
    }

    fn warn(&mut self) {
        let now = self.clock.now();
        if now.since(self.warned) < WARNING_INTERVAL {
            return;
        }
        let late = self.air.lag().take_unsaid();
        if late > 0 {
            self.warned = now;
            let allowed = self.settings.allowed_lag.seconds() * 1e3;
            let worst = self.air.lag().summary().worst_s * 1e3;
            log::warn(&format!(
                "behind real time: {late} times more than {allowed} ms late, {worst:.1} ms at \
                 worst; a larger --time-scale gives it more time"
            ));
        }
    }

    fn wait(&mut self, signals: &Signals) -> io::Result<()> {
        let now = self.clock.now();
        let mut files =
            vec![(signals.as_fd(), Until::Readable), (self.listener.as_fd(), self.door.until(now))];
        files.extend(self.clients.iter().map(|client| {
            let until = if client.link.is_waiting() { Until::Writable } else { Until::Readable };
            (client.link.as_fd(), until)
        }));
        let next = self.air.next().min(self.air.capture_deadline()).min(self.door.deadline(now));
        let now = self.clock.now();
        let ready = reactor::wait(&files, self.clock.wait(now, next))?;
        if ready[1] {
            self.accept();
        }
        for (number, _) in ready[2..].iter().enumerate().filter(|(_, ready)| **ready) {
            self.serve(number);
        }
        self.forget_gone();
        Ok(())
    }

    fn accept(&mut self) {
        loop {
            let link = match self.listener.accept() {
                Ok(Some(link)) => link,
                Ok(None) => return,
                Err(error) => {
                    if self.door.shut(self.clock.now()) {
                        log::warn(&format!("connections have to wait: {error}"));
                    }
                    return;
                }
            };
            let is_guest = |client: &&mut Client| client.node.is_none() && !client.gone;
            if self.clients.iter_mut().filter(is_guest).count() >= MOST_GUESTS {
                // who has waited longest without a word makes room
                let mut guests = self.clients.iter_mut().filter(is_guest);
                let Some(oldest) = guests.find(|guest| !guest.captures) else { continue };
                oldest.gone = true;
            }
            // without stamps it is not known how late its messages are read
            let _ = link.stamp();
            let empty = self.clock.now();
            self.clients.push(Client { link, node: None, empty, captures: false, gone: false });
        }
    }

    /// Read what a client says.
    fn serve(&mut self, number: usize) {
        let mut buffer = std::mem::take(&mut self.buffer);
        self.read(number, &mut buffer);
        self.buffer = buffer;
    }

    fn read(&mut self, number: usize, buffer: &mut [u8]) {
        let client = &mut self.clients[number];
        client.gone |= client.link.flush().is_err();
        for _ in 0..TURN {
            let client = &mut self.clients[number];
            let now = self.clock.now();
            match client.link.receive_aged(buffer) {
                Ok(Some((len, age))) => {
                    // the date may have been set meanwhile, this clock was not
                    let most = now.since(client.empty);
                    let age = Duration::from_seconds(age.seconds() / self.settings.time_scale);
                    self.air.count_lag(age.min(most));
                    self.on_bytes(number, &buffer[..len]);
                }
                Ok(None) => {
                    client.empty = now;
                    break;
                }
                Err(_) => {
                    client.gone = true;
                    break;
                }
            }
        }
    }

    fn on_bytes(&mut self, number: usize, bytes: &[u8]) {
        match ToEther::parse(bytes) {
            Ok(message) => self.on_message(number, message),
            Err(error) => self.on_malformed(number, error),
        }
    }

    /// Who has no radio waits for an answer.
    fn on_malformed(&mut self, number: usize, error: Malformed) {
        self.malformed += 1;
        if self.clients[number].node.is_none() {
            let reason = format!("it speaks version {VERSION}, and does not understand: {error}");
            self.say(number, &FromEther::Refused(reason));
        }
    }

    fn on_message(&mut self, number: usize, message: ToEther) {
        let now = self.clock.now();
        match (message, self.clients[number].node) {
            (ToEther::AskStatus, _) => {
                let status = self.status();
                self.say(number, &FromEther::Status(status));
            }
            (ToEther::Capture, None) => {
                self.clients[number].captures = true;
                let head = self.air.begin_capture();
                self.say(number, &FromEther::Captured(head));
            }
            (ToEther::Hello(hello), None) => {
                let answer = match self.air.switch_on(now, hello) {
                    Ok(node) => {
                        self.clients[number].node = Some(node);
                        FromEther::Welcome { time_scale: self.settings.time_scale, now }
                    }
                    Err(reason @ (NoRadio::Unknown | NoRadio::Taken)) => {
                        FromEther::Refused(reason.to_string())
                    }
                };
                self.say(number, &answer);
            }
            (message, Some(node)) => self.air.tell(now, node, message),
            (_, None) => self.malformed += 1,
        }
    }

    fn say(&mut self, number: usize, message: &FromEther) {
        let client = &mut self.clients[number];
        client.gone |= client.link.send(message.emit()).is_err();
    }

    /// Hand the medium's messages to the nodes.
    fn deliver(&mut self) {
        for (node, message) in self.air.take_messages() {
            let client = self.clients.iter_mut().find(|client| client.node == Some(node));
            if let Some(client) = client {
                client.gone |= client.link.send(message.emit()).is_err();
            }
        }
    }

    /// Switch off the radios of those who are gone.
    fn forget_gone(&mut self) {
        let now = self.clock.now();
        for client in self.clients.iter().filter(|client| client.gone) {
            if let Some(node) = client.node {
                self.air.switch_off(now, node);
            }
        }
        self.clients.retain(|client| !client.gone);
        if !self.clients.iter().any(|client| client.captures) {
            self.air.end_capture();
        }
    }

    fn status(&mut self) -> String {
        let lag = self.air.lag().summary();
        let setup = self.air.setup();
        let nodes: Vec<_> = (0u32..)
            .map(NodeId)
            .zip(&setup.nodes)
            .map(|(number, node)| {
                let counts = self.air.counts(number);
                json!({
                    "name": node.name,
                    "address": ip::Prefix::DEFAULT.address(setup.addresses.address(number)).to_string(),
                    "on": self.air.is_on(number),
                    "transmitted": counts.transmitted,
                    "heard": counts.heard,
                    "refused": counts.refused,
                })
            })
            .collect();
        json!({
            "scenario": setup.name,
            "time_scale": self.settings.time_scale,
            "now_s": self.clock.now().seconds(),
            "lag": lag,
            "malformed": self.malformed,
            "nodes": nodes,
        })
        .to_string()
    }
}
