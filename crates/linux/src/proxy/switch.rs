//! Which stream belongs to which connection, and what goes from one to the other.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddrV4};
use std::os::fd::{AsFd, BorrowedFd};

use multihop_core::{Claim, NodeId, Room, Time, room};

use crate::ip::Prefix;
use crate::log;
use crate::node::host::Host;
use crate::reactor::{Door, Until};

use super::segment::{self, CARRIER, HEADER, Kind, Segment};
use super::sockets::{Redirected, Socket};
use super::stream::{State, Stream};

/// More streams than this are not carried at a time; those with one other node are three quarters of it at most.
const MOST_STREAMS: usize = 512;

/// Of so many streams that are done repeated segments are still answered; then the one that ended first is forgotten.
const MOST_DONE: usize = 1_024;

/// So many segments wait for the scheme in each flow: what waits here instead can still be acknowledged together.
const WAITING: usize = 2;

/// So many connections are taken before others have their turn.
const TURN: usize = 16;

/// The ports from which streams come (RFC 6335, dynamic ports).
const FIRST_PORT: u16 = 49_152;

/// A stream's name in this node: the other node, whether it has opened the stream, and its port.
type Name = (NodeId, bool, u16);

/// A stream and the connection at its end.
struct Joint {
    stream: Stream,
    /// Gone when the stream is over, or the application.
    socket: Option<Socket>,
    /// Whether the application will send no more.
    read_all: bool,
    /// Whether it knows that nothing more comes.
    told_end: bool,
    /// Whether the scheme does not take anything of it now.
    blocked: bool,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Connections that were carried, or are.
    pub streams: u64,
    /// Connections that could not be carried: to nobody here, or too many.
    pub refused: u64,
    /// Packets for the proxy that are no segments.
    pub malformed: u64,
}

/// The proxy of a node.
pub struct Proxy {
    me: NodeId,
    prefix: Prefix,
    port: u16,
    redirected: Redirected,
    door: Door,
    /// The most bytes that fit into a segment.
    room: usize,
    joints: BTreeMap<Name, Joint>,
    next_port: u16,
    next_id: u32,
    /// Answers to segments of streams that there are not.
    answers: Vec<Vec<u8>>,
    buffer: Vec<u8>,
    /// What was counted.
    pub counts: Counts,
}

impl Proxy {
    /// The proxy of node `me`, to which the kernel redirects connections at `port`. Its IP packets have `mtu` bytes at
    /// most; `life` tells its streams from those of others of its lives.
    ///
    /// # Errors
    /// If somebody else has the port.
    pub fn new(me: NodeId, prefix: Prefix, port: u16, mtu: u16, life: u16) -> io::Result<Self> {
        let room = usize::from(mtu) - CARRIER - HEADER;
        Ok(Proxy {
            me,
            prefix,
            port,
            redirected: Redirected::new(port)?,
            door: Door::default(),
            room,
            joints: BTreeMap::new(),
            next_port: 0,
            next_id: u32::from(life) << 16,
            answers: Vec::new(),
            buffer: vec![0; room],
            counts: Counts::default(),
        })
    }

    /// How many streams there are, those that are done included.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// What to wait for; [`Proxy::on_ready`] takes the answers in this order.
    pub fn files(&self, now: Time) -> Vec<(BorrowedFd<'_>, Until)> {
        let mut files = vec![(self.redirected.as_fd(), self.door.until(now))];
        let wanted =
            self.joints.values().filter_map(|joint| Some((joint.socket.as_ref()?, joint.wants()?)));
        files.extend(wanted.map(|(socket, until)| (socket.as_fd(), until)));
        files
    }

    /// Which of those files are ready.
    pub fn on_ready(&mut self, now: Time, host: &Host, ready: &[bool]) {
        let Some((first, ready)) = ready.split_first() else { return };
        let waiting = self.joints.values_mut().filter(|joint| joint.wants().is_some());
        for (joint, _) in waiting.zip(ready).filter(|(_, ready)| **ready) {
            let until = joint.wants();
            if let Some(socket) = &mut joint.socket {
                socket.readable |= until != Some(Until::Takes);
                socket.writable |= until != Some(Until::Readable);
            }
        }
        if *first {
            self.accept(now, host);
        }
    }

    /// Take connections that were redirected.
    fn accept(&mut self, now: Time, host: &Host) {
        for _ in 0..TURN {
            let (socket, meant) = match self.redirected.accept() {
                Ok(accepted) => accepted,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) => {
                    if self.door.shut(now) {
                        log::warn(&format!("connections to the proxy have to wait: {error}"));
                    }
                    return;
                }
            };
            let known =
                meant.and_then(|meant| Some((self.prefix.node(*meant.ip())?, meant.port())));
            let known = known.filter(|(node, _)| host.knows(*node) && self.has_room(*node));
            if let Some((node, port)) = known {
                self.open(now, node, port, socket);
            } else {
                self.counts.refused += 1;
                socket.reset();
            }
        }
    }

    fn open(&mut self, now: Time, node: NodeId, port: u16, socket: Socket) {
        let mut name = (node, false, 0);
        // by the proxy's own port one could not tell who has opened it
        while [0, self.port].contains(&name.2) || self.joints.contains_key(&name) {
            name.2 = FIRST_PORT + self.next_port;
            // there are fewer streams than ports
            self.next_port = (self.next_port + 1) % (u16::MAX - FIRST_PORT + 1);
        }
        self.next_id = self.next_id.wrapping_add(1);
        let stream = Stream::open(self.next_id, port, now);
        self.join(name, stream, Some(socket));
    }

    /// Whether there is room for another stream with this node. What is done takes none.
    fn has_room(&self, with: NodeId) -> bool {
        let open = self.joints.iter().filter(|(_, joint)| !joint.is_done());
        let claims = open.clone().map(|((node, ..), _)| Claim {
            source: *node,
            used: Time::ZERO,
            owes: true,
        });
        room(MOST_STREAMS, open.count(), with, claims) == Room::Free
    }

    /// Forget the stream that was done first, if there are too many of them.
    fn forget_done(&mut self) {
        let done = || self.joints.iter().filter(|(_, joint)| joint.is_done());
        let first = done().min_by_key(|(_, joint)| joint.stream.heard()).map(|(name, _)| *name);
        if done().count() > MOST_DONE
            && let Some(first) = first
        {
            self.joints.remove(&first);
        }
    }

    fn join(&mut self, name: Name, stream: Stream, socket: Option<Socket>) {
        self.counts.streams += 1;
        self.forget_done();
        let joint = Joint { stream, socket, read_all: false, told_end: false, blocked: false };
        self.joints.insert(name, joint);
    }

    /// Whether `packet`, which was delivered, is for the proxy and not for the kernel. If so, it was dealt with.
    pub fn on_packet(&mut self, now: Time, packet: &[u8]) -> bool {
        let Some((headers, behind)) = segment::carried(packet, self.port) else { return false };
        let from = match headers.source {
            IpAddr::V4(source) => self.prefix.node(source),
            IpAddr::V6(_) => None,
        };
        let Some((from, segment)) = from.zip(Segment::parse(behind).ok()) else {
            self.counts.malformed += 1;
            return true;
        };
        // who opens a stream sends to the proxy's port
        let opened_there = headers.ports.1 == self.port;
        let port = if opened_there { headers.ports.0 } else { headers.ports.1 };
        self.on_segment(now, (from, opened_there, port), &segment);
        true
    }

    fn on_segment(&mut self, now: Time, name: Name, segment: &Segment) {
        let joint = self.joints.get_mut(&name).filter(|joint| joint.stream.id() == segment.stream);
        if let Some(joint) = joint {
            joint.stream.on_segment(now, segment);
            if segment.kind == Kind::Reset {
                self.deny(name, segment);
            }
        } else if segment.kind == Kind::Open && segment.number == 0 && name.1 {
            self.accept_stream(now, name, segment);
        } else if segment.kind != Kind::Gone {
            self.deny(name, segment);
        }
    }

    /// Another node opens a stream to a server here. If it has had one of this name before, it has forgotten it.
    fn accept_stream(&mut self, now: Time, name: Name, segment: &Segment) {
        if let Some(old) = self.joints.remove(&name)
            && let Some(socket) = old.socket
        {
            socket.reset();
        }
        let server = SocketAddrV4::new(self.prefix.address(self.me), segment.port);
        if let Some(Ok(socket)) = self.has_room(name.0).then(|| Socket::connect(server)) {
            self.join(name, Stream::accept(segment, now), Some(socket));
        } else {
            self.counts.refused += 1;
            self.deny(name, segment);
        }
    }

    /// There is no such stream.
    fn deny(&mut self, name: Name, segment: &Segment) {
        let gone = Segment::bare(Kind::Gone, segment.stream);
        if self.answers.len() < TURN {
            self.answers.push(self.packet(name, &gone));
        }
    }

    fn packet(&self, (node, opened_there, port): Name, segment: &Segment) -> Vec<u8> {
        let ports = if opened_there { (self.port, port) } else { (port, self.port) };
        let ends = (self.prefix.address(self.me), self.prefix.address(node));
        segment::carry(ends, ports, segment)
    }

    /// When to call [`Proxy::serve`], if nothing else happens.
    pub fn deadline(&self, now: Time) -> Time {
        let open = self.joints.values().filter(|joint| !joint.blocked);
        let streams = open.map(|joint| joint.stream.deadline()).min().unwrap_or(Time::NEVER);
        streams.min(self.door.deadline(now))
    }

    /// Let bytes flow, as far as applications and the scheme take them.
    pub fn serve(&mut self, now: Time, host: &mut Host) {
        for answer in std::mem::take(&mut self.answers) {
            host.on_ip(now, &answer);
        }
        let turn = |joint: &Joint| joint.socket.is_some() || joint.stream.deadline() <= now;
        let due = self.joints.iter().filter(|(_, joint)| turn(joint) || joint.stream.is_over(now));
        let names: Vec<Name> = due.map(|(name, _)| *name).collect();
        for name in names {
            let Some(mut joint) = self.joints.remove(&name) else { continue };
            joint.exchange(now, &mut self.buffer[..self.room]);
            let ports = if name.1 { (self.port, name.2) } else { (name.2, self.port) };
            joint.blocked = loop {
                if host.waiting(name.0, ports) >= WAITING {
                    break true;
                }
                let Some(segment) = joint.stream.poll(now) else { break false };
                host.on_ip(now, &self.packet(name, &segment));
                // there may be room for more
                joint.exchange(now, &mut self.buffer[..self.room]);
            };
            if !joint.stream.is_over(now) {
                self.joints.insert(name, joint);
            }
        }
    }
}

impl Joint {
    /// Whether only repeated segments of it are still answered.
    fn is_done(&self) -> bool {
        self.stream.state() == State::Done
    }

    /// For what of its connection it waits.
    fn wants(&self) -> Option<Until> {
        let socket = self.socket.as_ref()?;
        let connects = !socket.readable && !socket.writable && self.stream.ready().is_none();
        let reads = !socket.readable && !self.read_all && self.stream.has_room();
        let writes = !socket.writable && (self.stream.ready().is_some() || connects);
        match (reads, writes) {
            (true, true) => Some(Until::Writable),
            (true, false) => Some(Until::Readable),
            (false, true) => Some(Until::Takes),
            (false, false) => None,
        }
    }

    /// Let bytes flow between the stream and the connection.
    fn exchange(&mut self, now: Time, buffer: &mut [u8]) {
        let Some(socket) = &mut self.socket else { return };
        if self.stream.state() != State::Open && self.stream.state() != State::Done {
            return self.break_off();
        }
        if Self::write(&mut self.stream, socket, now).is_err()
            || !self.read_all
                && Self::read(&mut self.stream, socket, buffer, &mut self.read_all).is_err()
        {
            self.stream.reset(now);
            return self.break_off();
        }
        if self.stream.is_at_end() && !std::mem::replace(&mut self.told_end, true) {
            socket.end();
        }
        if self.stream.state() == State::Done {
            self.socket = None;
        }
    }

    fn break_off(&mut self) {
        if let Some(socket) = self.socket.take() {
            socket.reset();
        }
    }

    fn write(stream: &mut Stream, socket: &mut Socket, now: Time) -> io::Result<()> {
        while socket.writable
            && let Some(bytes) = stream.ready()
        {
            if let Some(written) = socket.write(bytes)? {
                stream.take(now, written);
            }
        }
        Ok(())
    }

    fn read(
        stream: &mut Stream,
        socket: &mut Socket,
        buffer: &mut [u8],
        read_all: &mut bool,
    ) -> io::Result<()> {
        while socket.readable && stream.has_room() {
            match socket.read(buffer)? {
                Some(0) => {
                    *read_all = true;
                    stream.end();
                }
                Some(len) => stream.write(&buffer[..len]),
                None => {}
            }
        }
        Ok(())
    }
}
