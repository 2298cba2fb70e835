//! A node: its pool of packets, what its host calls, and how packets begin here.

use std::collections::VecDeque;

use multihop_core::{
    Cx, DropCause, Duration, Failed, FlowId, FrameClass, FrameId, Heard, Hop, HopStep, NodeId,
    Outcome, Packet, Params, Receiver, Rx, Time, TrafficClass, TxDone, TxRequest, Verdict,
};

use super::contacts::Contacts;
use super::firmware::{MAX_ADVERT_DATA_SIZE, priority};
use super::header::{Header, IDS, Kind, LONGEST};
use super::path::{Key, Path};
use super::pending::Unacknowledged;
use super::queue::{HeldFrame, Queue, Turn, Waiting, next_due, take_due};
use super::seen::Ring;
use super::settings::Settings;
use super::words::ADVERT_TOO_LONG;

/// The hop protocol of one node.
pub(super) struct MeshCore {
    pub(super) settings: Settings,
    pub(super) seen: Ring,
    /// The texts to one node that this one has delivered, whatever the attempt.
    pub(super) delivered: Ring,
    pub(super) contacts: Contacts,
    pub(super) unacknowledged: Unacknowledged,
    queue: Queue,
    pub(super) held: Vec<HeldFrame>,
    /// The turn of the frame that the MAC has, and whether it was asked to give it back.
    below: Option<(Turn, bool)>,
    /// Packets for the node that were held, with the neighbours that they came from.
    arrived: VecDeque<(Packet, NodeId)>,
    /// How many packets of its own the node has numbered since it started.
    numbered: u32,
    /// How many adverts it has sent.
    adverts: u32,
}

impl MeshCore {
    /// The hop protocol with these parameters.
    pub(super) fn new(params: &Params) -> Self {
        MeshCore {
            settings: Settings::new(params),
            seen: Ring::new(),
            delivered: Ring::new(),
            contacts: Contacts::default(),
            unacknowledged: Unacknowledged::default(),
            queue: Queue::default(),
            held: Vec::new(),
            below: None,
            arrived: VecDeque::new(),
            numbered: 0,
            adverts: 0,
        }
    }

    /// The public key of this node.
    pub(super) fn key(&self, cx: &Cx) -> Key {
        Key::of(cx.me, self.settings.keys)
    }

    /// Whether every packet of the pool is in use.
    pub(super) fn pool_is_empty(&self) -> bool {
        let used = self.queue.len() + self.held.len() + usize::from(self.below.is_some());
        used >= self.settings.pool
    }

    /// The header of a packet that begins here, and is flooded. Numbers go on elsewhere after a restart.
    pub(super) fn header(&mut self, cx: &Cx, kind: Kind, data: usize) -> Header {
        self.numbered += 1;
        let id = (u32::from(cx.incarnation) * 40_503 + self.numbered) % IDS;
        let scoped = self.settings.scoped;
        let mut header = Header {
            kind,
            direct: false,
            scoped,
            attempt: 0,
            id,
            path: Path::empty(self.settings.path_hash),
            zeros: 0,
        };
        self.fit(&mut header, data);
        header
    }

    /// A header has as many zeros as its kind takes before so many bytes of data.
    fn fit(&self, header: &mut Header, data: usize) {
        let zeros = self.settings.sizes.zeros(header.kind, header.scoped, data);
        header.zeros = u8::try_from(zeros).unwrap_or(u8::MAX);
    }

    /// A packet with this header is flooded from here (`Mesh.cpp`, `sendFlood`). One copy of it is this node's already.
    pub(super) fn send_flood(&mut self, cx: &mut Cx, (packet, header): (Packet, Header), ms: u64) {
        let priority = match header.kind {
            Kind::Path => priority::FLOOD_PATH,
            Kind::Advert => priority::FLOOD_ADVERT,
            Kind::Text | Kind::Channel | Kind::Ack => priority::FLOOD,
        };
        self.begin(cx, (packet, header), priority, ms);
    }

    /// It follows `path` (`sendDirect`), or goes to the neighbours if that is empty. It carries no region codes.
    pub(super) fn send_direct(
        &mut self,
        cx: &mut Cx,
        (packet, mut header): (Packet, Header),
        path: Path,
        ms: u64,
    ) {
        (header.direct, header.path, header.scoped) = (true, path, false);
        self.fit(&mut header, packet.payload.len().0 as usize);
        let follows = header.kind == Kind::Path;
        let priority = if follows { priority::DIRECT_PATH } else { priority::DIRECT };
        self.begin(cx, (packet, header), priority, ms);
    }

    fn begin(
        &mut self,
        cx: &mut Cx,
        (mut packet, header): (Packet, Header),
        priority: u8,
        ms: u64,
    ) {
        self.seen.add(header.name(packet.flow.source));
        header.write(&mut packet);
        self.enqueue(cx, packet, priority, ms);
    }

    /// A packet waits for so many ms, and then for its turn, if the pool has room for it.
    pub(super) fn enqueue(&mut self, cx: &mut Cx, packet: Packet, priority: u8, ms: u64) {
        if self.pool_is_empty() {
            return cx.drop(packet, DropCause::QueueFull);
        }
        self.queue.push(packet, priority, (cx.now, cx.now + Duration::from_millis(ms)));
        self.overtake(cx);
    }

    /// The frame that the MAC has comes back, if another one goes before it now.
    fn overtake(&mut self, cx: &mut Cx) {
        if let Some((turn, asked)) = &mut self.below
            && !*asked
            && self.queue.overtakes(turn)
        {
            *asked = true;
            cx.withdraw(FrameId::ONLY);
        }
    }

    /// An advert: the first of so many is flooded, the others go to neighbours.
    fn advertise(&mut self, cx: &mut Cx, packet: Packet) {
        let data = packet.payload.len().0 as usize;
        if data > MAX_ADVERT_DATA_SIZE {
            return cx.drop(packet, &ADVERT_TOO_LONG);
        }
        let every = self.settings.flood_adverts;
        let is_flooded = every > 0 && self.adverts.is_multiple_of(every);
        self.adverts = self.adverts.wrapping_add(1);
        let header = self.header(cx, Kind::Advert, data);
        if is_flooded {
            self.send_flood(cx, (packet, header), 0);
        } else {
            self.send_direct(cx, (packet, header), Path::empty(self.settings.path_hash), 0);
        }
    }
}

impl Hop for MeshCore {
    fn has_room(&self, _flow: FlowId) -> bool {
        self.queue.len() == 0 && self.below.is_none() && self.unacknowledged.packets() == 0
    }

    fn promiscuous(&self) -> bool {
        false
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, _next: NodeId) {
        if self.pool_is_empty() {
            return cx.drop(packet, DropCause::QueueFull);
        }
        let data = packet.payload.len().0 as usize;
        if packet.flow.class() == TrafficClass::Announcement {
            self.advertise(cx, packet);
        } else if packet.flow.destination.is_group() {
            let header = self.header(cx, Kind::Channel, data);
            self.send_flood(cx, (packet, header), 0);
        } else {
            self.send_text(cx, packet);
        }
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        if rx.heard == Heard::Overheard {
            return Verdict::Done;
        }
        self.hear(cx, rx)
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        let (turn, _) = self.below.take()?;
        let packet = done.packet.clone();
        match done.outcome {
            Outcome::Sent | Outcome::Acknowledged => cx.release(&packet),
            Outcome::Withdrawn => self.queue.put_back(Waiting { turn, packet }),
            // Nobody acknowledges what is for everyone.
            Outcome::Failed | Outcome::FirstAcknowledged | Outcome::SecondAcknowledged => {
                cx.drop(packet, DropCause::RetriesSpent);
            }
        }
        None
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<HopStep> {
        self.arrived.pop_front().map(|(packet, from)| HopStep::Arrive(packet, from))
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.queue.get_ready(cx.now);
        while let Some(HeldFrame { packet, header, from, .. }) = take_due(&mut self.held, cx.now) {
            if self.process(cx, &packet, header) {
                self.arrived.push_back((packet, from));
            }
        }
        self.repeat_texts(cx);
        self.overtake(cx);
    }

    fn deadline(&self) -> Time {
        self.queue.due().min(next_due(&self.held)).min(self.unacknowledged.due())
    }

    fn poll_transmit(&mut self, _cx: &mut Cx) -> Option<TxRequest> {
        if self.below.is_some() {
            return None;
        }
        let Waiting { turn, packet } = self.queue.take()?;
        self.below = Some((turn, false));
        Some(TxRequest::new(Receiver::Broadcast, packet))
    }

    fn backlog(&self) -> usize {
        let below = usize::from(self.below.is_some());
        self.queue.len() + below + self.unacknowledged.packets()
    }

    fn footprint(&self) -> usize {
        let waiting = self.queue.len() + self.held.len() + usize::from(self.below.is_some());
        let known = self.seen.len() + self.delivered.len() + self.contacts.len();
        waiting + known + self.unacknowledged.len() + self.arrived.len()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        match Header::of(packet) {
            Ok(Header { kind: Kind::Ack | Kind::Path, .. }) => FrameClass::Acknowledgment,
            _ => FrameClass::Data,
        }
    }

    fn header_len(&self) -> usize {
        LONGEST
    }
}
