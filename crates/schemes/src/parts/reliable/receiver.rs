//! The receiving end of a flow: it delivers in order, and reports once per epoch.

use std::collections::BTreeMap;

use multihop_core::{
    Cx, DropCause, EventKind, FlowId, Message, Numbering, Packet, Payload, Serial, Tag, Time,
    Transport,
};

use super::Settings;
use super::header::{Block, HEADER_LEN, Header, Kind, MOST_ROOM};
use super::path::{PathHeader, PathKind};
use crate::parts::mean::Average;

/// How far what a probe names may lie behind the end of the receiver's room: as much again.
const MOST_BEHIND: u64 = 2 * MOST_ROOM as u64;

/// The receiving end of one flow.
pub struct Receiver {
    flow: FlowId,
    settings: Settings,
    /// How the sender numbers, once it has probed.
    numbering: Option<Numbering>,
    /// The next packet in order.
    expected: u64,
    /// Packets behind a gap.
    held: BTreeMap<u64, Packet>,
    /// Mean of D in seconds.
    delay: Average,
    /// The highest transmission that has arrived.
    serial: u64,
    /// What came while there was no connection, and is to be refused.
    unknown: Option<Header>,
    /// The report to send next.
    due: Option<Kind>,
    /// D of the probe that is to be answered.
    probed_us: u32,
    /// Whether a packet has arrived in this epoch.
    heard: bool,
    /// When this epoch ends.
    epoch_ends: Time,
    tag: Tag,
}

impl Receiver {
    /// The receiving end of `flow`.
    pub fn new(settings: Settings, flow: FlowId) -> Self {
        Receiver {
            flow,
            settings,
            numbering: None,
            expected: 0,
            held: BTreeMap::new(),
            delay: Average::new(settings.kappa),
            serial: 0,
            unknown: None,
            due: None,
            probed_us: 0,
            heard: false,
            epoch_ends: Time::NEVER,
            tag: Tag::NONE,
        }
    }

    /// What the packet with this header is to the connection.
    fn place(&mut self, cx: &mut Cx, header: &Header) -> Meaning {
        let probe = header.kind == Kind::Probe;
        let opens = probe || self.is_opened_by(header);
        let ends = header.ends().map(Serial);
        let expected = self.numbering.map(|numbering| numbering.write(self.expected));
        if opens && (expected.is_none() || ends.is_some() && ends == expected) {
            self.open(cx, Numbering::from(Serial(header.sequence)));
        }
        let Some(numbering) = self.numbering else { return Meaning::Unknown };
        let at = numbering.read(Serial(header.sequence), self.expected);
        let serial = numbering.read(Serial(header.serial), self.serial);
        let end = self.expected + u64::from(self.settings.receive_buffer);
        match (at, serial) {
            // what is not acknowledged yet
            (Some(at), Some(serial)) if probe && at <= self.expected && at + MOST_BEHIND >= end => {
                Meaning::Probe(serial)
            }
            _ if probe => Meaning::AnotherLife,
            (Some(at), Some(serial)) if at < end => Meaning::Packet(at, serial),
            _ if opens => Meaning::AnotherLife,
            (None, _) => Meaning::Stray,
            // Without a rate, data follows what opens a connection before that is answered.
            _ if !self.settings.is_rated => Meaning::Stray,
            _ => Meaning::Nowhere,
        }
    }

    /// Whether this is data that opens a connection: without a rate that has to be asked for first.
    fn is_opened_by(&self, header: &Header) -> bool {
        header.opens() && !self.settings.is_rated
    }

    /// The sender begins, in its first life or in another.
    fn open(&mut self, cx: &mut Cx, numbering: Numbering) {
        for packet in core::mem::take(&mut self.held).into_values() {
            cx.drop(packet, DropCause::Restarted);
        }
        let fresh = Receiver::new(self.settings, self.flow);
        *self = Receiver { numbering: Some(numbering), ..fresh };
    }

    /// A new path: the mean of D starts anew, and the sender waits for an answer.
    fn on_probe(&mut self, path: PathHeader) {
        self.delay.clear();
        self.probed_us = path.delay_us;
        self.due = Some(Kind::Answer);
    }

    fn on_data(&mut self, cx: &mut Cx, sequence: u64, packet: Packet) {
        self.heard = true;
        if self.epoch_ends == Time::NEVER {
            self.epoch_ends = cx.now + self.settings.epoch;
        }
        if sequence < self.expected || self.held.contains_key(&sequence) {
            cx.drop(packet, DropCause::Duplicate);
            return;
        }
        self.held.insert(sequence, packet);
        while let Some(next) = self.held.remove(&self.expected) {
            self.expected += 1;
            cx.deliver(next);
        }
    }

    /// If the epoch is over: the next one begins, if anything has arrived in it.
    fn end_epoch(&mut self, now: Time) {
        if self.epoch_ends > now {
            return;
        }
        if core::mem::take(&mut self.heard) {
            self.epoch_ends = now + self.settings.epoch;
            self.due = self.due.or(Some(Kind::Feedback));
        } else {
            self.epoch_ends = Time::NEVER;
        }
    }

    /// What has arrived behind gaps, the first gaps first.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        for sequence in self.held.keys() {
            let distance = (sequence - self.expected) as u16;
            let full = blocks.len() == self.settings.sack_blocks;
            match blocks.last_mut() {
                Some(last) if last.distance + last.len == distance => last.len += 1,
                _ if full => break,
                _ => blocks.push(Block { distance, len: 1 }),
            }
        }
        blocks
    }

    fn malformed(&self, cx: &mut Cx, packet: Packet) {
        cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
        cx.drop(packet, DropCause::Malformed);
    }

    fn report(&self, numbering: Numbering, kind: Kind) -> Packet {
        let interval_us = match kind {
            Kind::Answer => self.probed_us,
            _ => self.delay.get().map_or(0, |delay| ((delay * 1e6) as u32).max(1)),
        };
        let header = Header {
            kind,
            room: self.settings.receive_buffer,
            sequence: numbering.write(self.expected).0,
            serial: numbering.write(self.serial).0,
            interval_us,
        };
        self.packet(&header, &self.blocks())
    }

    fn packet(&self, header: &Header, blocks: &[Block]) -> Packet {
        let mut packet = Packet::new(self.flow.reverse(), Payload::Virtual(0), self.tag);
        header.write(&mut packet, blocks);
        if self.settings.is_rated {
            PathHeader::new(PathKind::Any).write(&mut packet);
        }
        packet
    }
}

/// What a packet is to the connection.
enum Meaning {
    /// A probe, as this transmission.
    Probe(u64),
    /// Data: the packet, and its transmission.
    Packet(u64, u64),
    /// What opens a connection of another life of the sender, or is an old one of an earlier.
    AnotherLife,
    /// Data from before the connection, or of one that is not open yet.
    Stray,
    /// Data, and there is no connection: this node was in an earlier life.
    Unknown,
    /// It cannot be.
    Nowhere,
}

impl Transport for Receiver {
    fn wants_message(&self, _room: bool) -> bool {
        false
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        cx.refuse(self.flow, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let header = Header::of(&packet).map(|(header, _)| header);
        let outward = header.ok().filter(|header| !header.kind.is_report());
        let unstamped = PathHeader::new(PathKind::Any);
        let path = if self.settings.is_rated { PathHeader::of(&packet) } else { Ok(unstamped) };
        let (Some(header), Ok(path)) = (outward, path) else {
            return self.malformed(cx, packet);
        };
        // What arrives just as an epoch ends is of the next one.
        self.end_epoch(cx.now);
        let place = self.place(cx, &header);
        self.tag = packet.tag.control();
        match place {
            Meaning::Probe(serial) => {
                self.serial = self.serial.max(serial);
                self.on_probe(path);
            }
            Meaning::Packet(sequence, serial) => {
                self.serial = self.serial.max(serial);
                if path.delay_us > 0 {
                    self.delay.add(f64::from(path.delay_us) / 1e6);
                }
                self.on_data(cx, sequence, packet);
            }
            // The sender hears of the connection that there is here, and ends it if it has
            // restarted. If not, the probe was an old one.
            Meaning::AnotherLife => {
                self.due = Some(Kind::Answer);
                if header.kind == Kind::Data {
                    cx.drop(packet, DropCause::Restarted);
                }
            }
            Meaning::Unknown => {
                self.unknown = Some(header);
                cx.drop(packet, DropCause::Restarted);
            }
            Meaning::Stray => cx.drop(packet, DropCause::Restarted),
            Meaning::Nowhere => self.malformed(cx, packet),
        }
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.end_epoch(cx.now);
    }

    fn deadline(&self) -> Time {
        self.epoch_ends
    }

    fn poll_send(&mut self, _cx: &mut Cx) -> Option<Packet> {
        if let Some(Header { sequence, serial, .. }) = self.unknown.take() {
            let refusal = Header { kind: Kind::Answer, room: 0, sequence, serial, interval_us: 0 };
            return Some(self.packet(&refusal, &[]));
        }
        let numbering = self.numbering?;
        let kind = self.due.take()?;
        Some(self.report(numbering, kind))
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.held.pop_first().map(|(_, packet)| packet)
    }

    fn backlog(&self) -> usize {
        self.held.len()
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
