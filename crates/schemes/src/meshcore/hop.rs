//! A node: its pool of packets, what its host calls, and how packets begin here.

use std::collections::VecDeque;

use multihop_core::{
    Cx, DropCause, Duration, Failed, FlowId, FrameClass, FrameId, Heard, Hop, HopStep, NodeId,
    Outcome, Packet, Params, Receiver, Rx, Time, TrafficClass, TxDone, TxRequest, Verdict,
};

use super::awaited::Echoes;
use super::budget::Budget;
use super::busy::Busy;
use super::contacts::Contacts;
use super::firmware::{MAX_ADVERT_DATA_SIZE, priority};
use super::header::{Header, IDS, Kind, LONGEST};
use super::neighbours::Neighbours;
use super::overheard::Overheard;
use super::path::{Key, Path};
use super::pending::Unacknowledged;
use super::proposals::{BUSY_TRACKER, FLOOD_SHARE, RELAY_SHARE};
use super::queue::{HeldFrame, Queue, Turn, Waiting, next_due, take_due};
use super::seen::Ring;
use super::settings::Settings;
use super::words::{ADVERT_TOO_LONG, RELAY_NEEDLESS};

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
    /// The frame that the MAC has.
    below: Option<Below>,
    pub(super) neighbours: Neighbours,
    pub(super) overheard: Overheard,
    pub(super) echoes: Echoes,
    pub(super) budget: Budget,
    pub(super) busy: Busy,
    /// Packets for the node that were held, with the neighbours that they came from.
    arrived: VecDeque<(Packet, NodeId)>,
    /// How many packets of its own the node has numbered since it started.
    numbered: u32,
    /// How many adverts it has sent.
    adverts: u32,
}

/// A frame that the MAC has.
#[derive(Clone, Copy, Debug)]
struct Below {
    turn: Turn,
    /// What it is, if it is the relay of another node's packet.
    relays: Option<u64>,
    /// Why it was to come back, if it was.
    taken_back: Option<TakenBack>,
}

/// Why a frame comes back from the MAC, or does not wait any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TakenBack {
    /// Another one goes first.
    Overtaken,
    /// Others have relayed it.
    Needless,
    /// Its next relay has it.
    Echoed,
}

impl TakenBack {
    /// This node gives up its copy of a packet for this reason.
    fn end(self, cx: &mut Cx, packet: Packet) {
        if self == TakenBack::Echoed {
            cx.release(&packet);
        } else {
            cx.drop(packet, &RELAY_NEEDLESS);
        }
    }
}

/// What a packet is, if it is of another node than `me`.
fn relayed(packet: &Packet, me: NodeId) -> Option<u64> {
    let source = packet.flow.source;
    let header = (source != me).then(|| Header::of(packet).ok()).flatten()?;
    Some(header.name(source))
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
            neighbours: Neighbours::default(),
            overheard: Overheard::default(),
            echoes: Echoes::default(),
            budget: Budget::new(params.get(RELAY_SHARE), params.get(FLOOD_SHARE)),
            busy: Busy::new(params.get(BUSY_TRACKER)),
            arrived: VecDeque::new(),
            numbered: 0,
            adverts: 0,
        }
    }

    /// The public key of this node.
    pub(super) fn key(&self, cx: &Cx) -> Key {
        Key::of(cx.me, self.settings.keys)
    }

    /// How many packets of the pool are in use.
    fn used(&self) -> usize {
        let waiting = self.queue.len() + self.held.len() + usize::from(self.below.is_some());
        waiting + self.echoes.len()
    }

    /// Whether every packet of the pool is in use.
    pub(super) fn pool_is_empty(&self) -> bool {
        self.used() >= self.settings.pool
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
        if let Some(below) = &mut self.below
            && below.taken_back.is_none()
            && self.queue.overtakes(&below.turn)
        {
            below.taken_back = Some(TakenBack::Overtaken);
            cx.withdraw(FrameId::ONLY);
        }
    }

    /// Whether the relay of this packet waits here or in the MAC.
    pub(super) fn waits(&self, name: u64, me: NodeId) -> bool {
        let below = self.below.is_some_and(|below| below.relays == Some(name));
        below || self.queue.iter().any(|waiting| relayed(&waiting.packet, me) == Some(name))
    }

    /// The relay of this packet is not sent, if it waits.
    pub(super) fn take_back(&mut self, cx: &mut Cx, name: u64, why: TakenBack) {
        let me = cx.me;
        if let Some(packet) = self.queue.remove(|packet| relayed(packet, me) == Some(name)) {
            why.end(cx, packet);
        } else if let Some(below) = self.below.as_mut().filter(|below| below.relays == Some(name)) {
            if below.taken_back.is_none() {
                cx.withdraw(FrameId::ONLY);
            }
            below.taken_back = Some(why);
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

    fn watches_air(&self) -> bool {
        self.busy.is_on()
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
        let Below { turn, relays, taken_back } = self.below.take()?;
        let packet = done.packet.clone();
        match (done.outcome, taken_back) {
            (Outcome::Sent | Outcome::Acknowledged, _) => {
                if relays.is_some() {
                    let flood = Header::of(&packet).is_ok_and(|header| !header.direct);
                    self.budget.spend(cx.now, flood, done.air_time);
                }
                cx.release(&packet);
            }
            (Outcome::Withdrawn, Some(why @ (TakenBack::Needless | TakenBack::Echoed))) => {
                why.end(cx, packet);
            }
            (Outcome::Withdrawn, Some(TakenBack::Overtaken) | None) => {
                self.queue.put_back(Waiting { turn, packet });
            }
            // Nobody acknowledges what is for everyone.
            (Outcome::Failed | Outcome::FirstAcknowledged | Outcome::SecondAcknowledged, _) => {
                cx.drop(packet, DropCause::RetriesSpent);
            }
        }
        None
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<HopStep> {
        self.arrived.pop_front().map(|(packet, from)| HopStep::Arrive(packet, from))
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        let used = self.used() as f64 / self.settings.pool as f64;
        self.busy.judge(cx.now, cx.air, used);
        self.queue.get_ready(cx.now);
        while let Some(HeldFrame { packet, header, from, .. }) = take_due(&mut self.held, cx.now) {
            if self.process(cx, &packet, header) {
                self.arrived.push_back((packet, from));
            }
        }
        self.repeat_texts(cx);
        self.repeat_relays(cx);
        self.overtake(cx);
    }

    fn deadline(&self) -> Time {
        let waits = self.queue.due().min(next_due(&self.held));
        waits.min(self.unacknowledged.due()).min(self.echoes.due()).min(self.busy.due())
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        if self.below.is_some() {
            return None;
        }
        let Waiting { turn, packet } = self.queue.take()?;
        self.below = Some(Below { turn, relays: relayed(&packet, cx.me), taken_back: None });
        Some(TxRequest::new(Receiver::Broadcast, packet))
    }

    fn backlog(&self) -> usize {
        let below = usize::from(self.below.is_some());
        self.queue.len() + below + self.unacknowledged.packets() + self.echoes.len()
    }

    fn footprint(&self) -> usize {
        let waiting = self.queue.len() + self.held.len() + usize::from(self.below.is_some());
        let known = self.seen.len() + self.delivered.len() + self.contacts.len();
        let proposed = self.neighbours.len() + self.overheard.len() + self.echoes.len();
        waiting + known + proposed + self.unacknowledged.len() + self.arrived.len()
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
