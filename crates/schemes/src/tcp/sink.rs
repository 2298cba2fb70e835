//! RFC 5681, 4.2; RFC 2018, 4; RFC 3168, 6.1.3: the receiving end of a connection.

use std::collections::{BTreeMap, VecDeque};

use multihop_core::{
    Cx, DropCause, Duration, EventKind, FlowId, Message, Packet, Payload, Tag, Time, Transport,
};

use super::Settings;
use super::header::{Block, Header, Kind, MOST_BLOCKS};

/// How far beyond the next expected segment one is kept: more than any window.
pub const MOST_HELD: u32 = 1_024;

/// How many acknowledgments wait while the hop protocol admits none.
const MOST_WAITING: usize = 64;

/// RFC 5681, 4.2: an acknowledgment waits less than 500 ms; ns-2's `interval_` is 100 ms.
pub const DELAY: Duration = Duration::from_millis(100);

/// The receiving end of a flow.
pub struct Sink {
    flow: FlowId,
    settings: Settings,
    /// RCV.NXT.
    expected: u32,
    /// Segments behind a gap.
    held: BTreeMap<u32, Packet>,
    /// One segment of each block that was reported, the newest first.
    reported: VecDeque<u32>,
    /// RFC 3168, 6.1.3: marked, and the sender has not said that it knows.
    echo: bool,
    /// Segments in order that are not acknowledged yet.
    unacknowledged: u32,
    /// When they must be, and with which tag.
    deadline: Time,
    tag: Tag,
    waiting: VecDeque<Packet>,
}

impl Sink {
    /// The receiving end of `flow`.
    pub fn new(settings: Settings, flow: FlowId) -> Self {
        Sink {
            flow,
            settings,
            expected: 0,
            held: BTreeMap::new(),
            reported: VecDeque::new(),
            echo: false,
            unacknowledged: 0,
            deadline: Time::NEVER,
            tag: Tag::NONE,
            waiting: VecDeque::new(),
        }
    }

    /// Take the segment in. Whether it is the next one in order, and no gap is left or filled.
    fn take(&mut self, cx: &mut Cx, header: &Header, packet: Packet) -> bool {
        let sequence = header.sequence;
        if sequence != self.expected {
            let last_again = sequence + 1 == self.expected && self.held.is_empty();
            if sequence > self.expected && !self.held.contains_key(&sequence) {
                self.held.insert(sequence, packet);
            } else if header.kind == Kind::Data {
                cx.drop(packet, DropCause::Duplicate);
            }
            return last_again;
        }
        let whole = self.held.is_empty();
        self.expected += 1;
        if header.kind == Kind::Data {
            cx.deliver(packet);
        }
        while let Some(next) = self.held.remove(&self.expected) {
            self.expected += 1;
            cx.deliver(next);
        }
        whole
    }

    /// RFC 3168, 6.1.3: echo a mark until the sender says that it has reduced its window. A SYN
    /// is not ECN-capable.
    fn notice_mark(&mut self, header: &Header, marked: bool) {
        self.echo &= !header.reduced;
        self.echo |= marked && header.kind == Kind::Data && self.settings.ecn;
    }

    /// RFC 2018, 4: the block with the segment that has just arrived comes first.
    fn blocks(&mut self, sequence: u32) -> [Block; MOST_BLOCKS] {
        self.reported.push_front(sequence);
        let mut blocks = [Block::default(); MOST_BLOCKS];
        let mut starts = Vec::new();
        self.reported.retain(|one| {
            if starts.len() == MOST_BLOCKS || !self.held.contains_key(one) {
                return false;
            }
            let down = (self.expected..*one).rev().take_while(|at| self.held.contains_key(at));
            let start = *one - down.count() as u32;
            if starts.contains(&start) {
                return false;
            }
            let len = (start..=u32::MAX).take_while(|at| self.held.contains_key(at)).count();
            let distance = start - self.expected;
            blocks[starts.len()] = Block { distance: distance as u16, len: len as u16 };
            starts.push(start);
            true
        });
        blocks
    }

    fn acknowledge(&mut self, sequence: u32) {
        self.unacknowledged = 0;
        self.deadline = Time::NEVER;
        let blocks = self.blocks(sequence);
        let (kind, sequence) = (Kind::Ack, self.expected);
        let header = Header { kind, echo: self.echo, sequence, blocks, ..Header::default() };
        let mut packet = Packet::new(self.flow.reverse(), Payload::Virtual(0), self.tag);
        header.write(&mut packet, self.settings.header);
        self.waiting.truncate(MOST_WAITING - 1);
        self.waiting.push_back(packet);
    }

    fn readable(&self, packet: &Packet) -> Option<Header> {
        let header = Header::of(packet).ok()?;
        let fits = match header.kind {
            Kind::Syn => header.sequence == 0,
            Kind::Data => (1..self.expected + MOST_HELD).contains(&header.sequence),
            Kind::Ack => false,
        };
        fits.then_some(header)
    }
}

impl Transport for Sink {
    fn wants_message(&self, _room: bool) -> bool {
        false
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        cx.refuse(self.flow, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let Some(header) = self.readable(&packet) else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            cx.drop(packet, DropCause::Malformed);
            return;
        };
        self.tag = packet.tag.control();
        self.notice_mark(&header, packet.congestion_experienced);
        let in_order = self.take(cx, &header, packet);
        self.unacknowledged += 1;
        // RFC 5681, 4.2: what is out of order, or fills a gap, is acknowledged at once.
        let quota = self.settings.policy.quota(header.window);
        if !in_order || header.kind == Kind::Syn || self.unacknowledged >= quota {
            self.acknowledge(header.sequence);
        } else if self.deadline == Time::NEVER {
            self.deadline = cx.now + DELAY;
        }
    }

    fn on_timeout(&mut self, _cx: &mut Cx) {
        self.acknowledge(self.expected.saturating_sub(1));
    }

    fn deadline(&self) -> Time {
        self.deadline
    }

    fn poll_send(&mut self, _cx: &mut Cx) -> Option<Packet> {
        self.waiting.pop_front()
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.held.pop_first().map(|(_, packet)| packet)
    }

    fn backlog(&self) -> usize {
        self.held.len()
    }

    fn header_len(&self) -> usize {
        self.settings.header
    }
}
