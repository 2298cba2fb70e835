//! The receiving end of a flow: it delivers in order, and reports once per epoch.

use std::collections::BTreeMap;

use multihop_core::{
    Cx, DropCause, EventKind, FlowId, Message, Packet, Payload, Tag, Time, Transport,
};

use super::Settings;
use super::average::Average;
use super::header::{Block, HEADER_LEN, Header, Kind};
use super::path::{PathHeader, PathKind};

/// The receiving end of one flow.
pub struct Receiver {
    flow: FlowId,
    settings: Settings,
    /// The next packet in order.
    expected: u32,
    /// Packets behind a gap.
    held: BTreeMap<u32, Packet>,
    /// Mean of D in seconds.
    delay: Average,
    /// The highest transmission that has arrived.
    serial: u32,
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
            expected: 0,
            held: BTreeMap::new(),
            delay: Average::new(settings.kappa),
            serial: 0,
            due: None,
            probed_us: 0,
            heard: false,
            epoch_ends: Time::NEVER,
            tag: Tag::NONE,
        }
    }

    fn readable(&self, packet: &Packet) -> Option<(Header, PathHeader)> {
        let path = PathHeader::of(packet).ok()?;
        let (header, _) = Header::of(packet).ok()?;
        let end = self.expected.saturating_add(u32::from(self.settings.receive_buffer));
        let fits = match header.kind {
            Kind::Probe => true,
            Kind::Data => header.sequence < end,
            Kind::Feedback | Kind::Answer => false,
        };
        fits.then_some((header, path))
    }

    /// A new path: the mean of D starts anew, and the sender waits for an answer.
    fn on_probe(&mut self, path: PathHeader) {
        self.delay.clear();
        self.probed_us = path.delay_us;
        self.due = Some(Kind::Answer);
    }

    fn on_data(&mut self, cx: &mut Cx, sequence: u32, packet: Packet) {
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

    fn report(&self, kind: Kind) -> Packet {
        let interval_us = match kind {
            Kind::Answer => self.probed_us,
            _ => self.delay.get().map_or(0, |delay| ((delay * 1e6) as u32).max(1)),
        };
        let header = Header {
            kind,
            room: self.settings.receive_buffer,
            sequence: self.expected,
            serial: self.serial,
            interval_us,
        };
        let mut packet = Packet::new(self.flow.reverse(), Payload::Virtual(0), self.tag);
        header.write(&mut packet, &self.blocks());
        PathHeader::new(PathKind::Any).write(&mut packet);
        packet
    }
}

impl Transport for Receiver {
    fn wants_message(&self, _room: bool) -> bool {
        false
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        cx.refuse(self.flow, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let Some((header, path)) = self.readable(&packet) else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            cx.drop(packet, DropCause::Malformed);
            return;
        };
        // What arrives just as an epoch ends is of the next one.
        self.end_epoch(cx.now);
        self.tag = packet.tag.control();
        self.serial = self.serial.max(header.serial);
        if header.kind == Kind::Probe {
            self.on_probe(path);
        } else {
            if path.delay_us > 0 {
                self.delay.add(f64::from(path.delay_us) / 1e6);
            }
            self.on_data(cx, header.sequence, packet);
        }
    }

    fn on_timeout(&mut self, cx: &mut Cx) {
        self.end_epoch(cx.now);
    }

    fn deadline(&self) -> Time {
        self.epoch_ends
    }

    fn poll_send(&mut self, _cx: &mut Cx) -> Option<Packet> {
        let kind = self.due.take()?;
        Some(self.report(kind))
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
