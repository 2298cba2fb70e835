//! A node: what it has below and waiting, and what its host calls.

use multihop_core::{
    CommonList, Cx, DropCause, EventKind, Failed, FlowId, FrameClass, FrameId, Heard, Hop, NodeId,
    Outcome, Packet, Params, Receiver, Rx, Time, TrafficClass, TxDone, TxRequest, Verdict,
};

use super::airtime::Channel;
use super::custody::Custody;
use super::favourites::Favourites;
use super::firmware::Priority;
use super::header::{Acknowledgment, HEADER_LEN, Header, Name, last_byte};
use super::history::History;
use super::nodes::Nodes;
use super::parameters::{
    COMMON_LIST, CUSTODY, DUPLICATES, DUTY_CYCLE, HISTORY, HOP_SCALING, QUEUE, Role, Rules,
    SCALING_ENGAGE, SCALING_RELEASE,
};
use super::pending::{Pending, Unacknowledged};
use super::queue::{Queue, Turn, Waiting};
use super::scaling::HopScaling;
use super::settings::Settings;
use super::words::{self, SKIPPED, SUPPRESSED};

/// The hop protocol of one node.
pub(super) struct Meshtastic {
    pub(super) settings: Settings,
    pub(super) history: History,
    pub(super) nodes: Nodes,
    pub(super) favourites: Favourites,
    pub(super) channel: Channel,
    pub(super) queue: Queue,
    /// The frame that the MAC has.
    pub(super) below: Option<Below>,
    pub(super) unacknowledged: Unacknowledged,
    scaling: HopScaling,
    pub(super) custody: Custody,
    /// The list of Meshtasticator, by its rules.
    pub(super) common: Option<CommonList>,
    /// How many packets of its own the node has numbered since it started.
    numbered: u16,
}

/// A frame that the MAC has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Below {
    pub(super) turn: Turn,
    /// Why it was to come back, if it was.
    pub(super) taken_back: Option<TakenBack>,
}

/// Why a frame comes back from the MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TakenBack {
    /// It is not to be sent any more.
    Cancelled,
    /// Another one goes first.
    Overtaken,
    /// It waits for the late window, which begins then.
    Late(Time),
}

impl Meshtastic {
    /// The hop protocol with these parameters.
    pub(super) fn new(params: &Params) -> Self {
        let settings = Settings::new(params);
        let history = params.get(HISTORY) as usize;
        let knows_all = settings.rules.is_simulator() && params.get(COMMON_LIST);
        let thresholds = (params.get(SCALING_ENGAGE), params.get(SCALING_RELEASE));
        Meshtastic {
            settings,
            history: History::new(history),
            nodes: Nodes::new(history / 2),
            favourites: Favourites::new(params),
            channel: Channel::new(params.get(DUTY_CYCLE)),
            queue: Queue::new(params.get(QUEUE) as usize, settings.rules.is_simulator()),
            below: None,
            unacknowledged: Unacknowledged::default(),
            scaling: HopScaling::new(params.get(HOP_SCALING), thresholds, settings.role),
            custody: Custody::new(params.get(CUSTODY), params.get(DUPLICATES)),
            common: params.common.clone().filter(|_| knows_all),
            numbered: 0,
        }
    }

    /// The use of the channel of which the waits of own frames depend, from 0 to 1.
    fn utilisation(&self, now: Time) -> f64 {
        match self.settings.rules {
            Rules::Meshtasticator => self.channel.since_start(now),
            _ => self.channel.utilisation(),
        }
    }

    /// The header of a packet that begins here. Numbers of one incarnation of the node do not come again in the next,
    /// and none is 0, which is no number.
    pub(super) fn number(&mut self, cx: &Cx) -> Header {
        self.numbered = self.numbered.checked_add(1).unwrap_or(1);
        Header {
            id: u32::from(cx.incarnation) << 16 | u32::from(self.numbered),
            hop_limit: self.settings.hop_limit,
            want_ack: false,
            hop_start: self.settings.hop_limit,
            next_hop: 0,
            relay: last_byte(cx.me),
        }
    }

    /// The last byte of the only node that is to relay what goes from here to `destination`; 0 for any.
    pub(super) fn next_hop(&mut self, cx: &Cx, destination: NodeId) -> u8 {
        if destination.is_group() || !self.settings.next_hops {
            return 0;
        }
        self.nodes.next_hop(destination, last_byte(cx.me), cx.now)
    }

    /// What a packet is sent before and after (`MeshPacketQueue.cpp`, `fixPriority`).
    pub(super) fn priority(&self, packet: &Packet, header: &Header, own: bool) -> Priority {
        let reads = own || self.settings.role != Role::Repeater;
        match (packet.flow.class(), Acknowledgment::of(packet)) {
            (_, Ok(Some(_))) if reads => Priority::Ack,
            (TrafficClass::Text, Ok(None)) if reads => Priority::High,
            (TrafficClass::Announcement | TrafficClass::Report, _) if own => Priority::Background,
            _ if header.want_ack => Priority::Reliable,
            _ => Priority::Default,
        }
    }

    /// A copy of `packet` waits to be sent with this header. One copy of it is this node's already; it takes one more
    /// where it is to send the packet again, up to `attempts` times in all.
    pub(super) fn hand_over(
        &mut self,
        cx: &mut Cx,
        mut packet: Packet,
        (header, turn): (Header, Turn),
        attempts: u32,
    ) {
        header.write(&mut packet);
        self.history.send(turn.name, &header, cx.now);
        if attempts > 1 && self.unacknowledged.has_room() {
            self.remember(cx, packet.clone(), turn, attempts);
        }
        self.enqueue(cx, Waiting { turn, packet });
    }

    fn remember(&mut self, cx: &mut Cx, packet: Packet, turn: Turn, attempts: u32) {
        self.stop(cx, turn.name);
        cx.copy(packet.tag);
        let due = cx.now + self.retransmission_time(cx, &packet);
        let left = attempts - 1;
        if turn.own {
            self.tell_common(|list| list.open(turn.name));
        }
        self.unacknowledged.add(Pending { packet, turn, left, repeated: false, due });
    }

    fn retransmission_time(&self, cx: &Cx, packet: &Packet) -> multihop_core::Duration {
        self.settings.contention.retransmission(packet.len(), self.utilisation(cx.now))
    }

    /// A packet waits to be sent, if the duty cycle and the queue let it.
    fn enqueue(&mut self, cx: &mut Cx, new: Waiting) {
        if !self.channel.may_send() {
            return cx.drop(new.packet, &words::DUTY_CYCLE);
        }
        let turn = new.turn;
        if let Some(lost) = self.queue.push(new, usize::from(self.below.is_some())) {
            cx.drop(lost.packet, DropCause::QueueFull);
        }
        let overtakes =
            |below: &&mut Below| below.taken_back.is_none() && turn.precedes(&below.turn);
        let simulator = self.settings.rules.is_simulator();
        if let Some(below) = self.below.as_mut().filter(|_| !simulator).filter(overtakes) {
            below.taken_back = Some(TakenBack::Overtaken);
            cx.withdraw(FrameId::ONLY);
        }
    }

    /// A packet of this name need not be sent again: its copy is gone. Copies that wait are, too, if it was sent again
    /// already and this node need not send it.
    pub(super) fn stop(&mut self, cx: &mut Cx, name: Name) -> bool {
        let Some(pending) = self.unacknowledged.remove(name) else { return false };
        self.tell_common(|list| list.close(name));
        let (role, flow) = (self.settings.role, pending.packet.flow);
        let yields = role.is_cancelled() && !self.favourites.makes_router(role, flow);
        let cancels = pending.turn.own || yields;
        if pending.repeated && cancels && !self.settings.rules.is_simulator() {
            self.cancel(cx, name);
        }
        cx.release(&pending.packet);
        true
    }

    /// A packet that waits is not sent.
    pub(super) fn cancel(&mut self, cx: &mut Cx, name: Name) {
        if let Some(waiting) = self.queue.remove(name) {
            suppress(cx, waiting.packet, name);
        } else if let Some(below) = self.below.as_mut().filter(|below| below.turn.name == name) {
            if below.taken_back.is_none() {
                cx.withdraw(FrameId::ONLY);
            }
            below.taken_back = Some(TakenBack::Cancelled);
        }
    }

    /// The turn of a packet that waits here or in the MAC.
    pub(super) fn waiting(&mut self, name: Name) -> Option<&mut Turn> {
        let below = self.below.as_mut().map(|below| &mut below.turn);
        below.filter(|turn| turn.name == name).or_else(|| self.queue.find(name))
    }

    /// A packet of this node begins its way.
    fn begin(&mut self, cx: &mut Cx, packet: Packet) {
        let FlowId { source, destination, .. } = packet.flow;
        let class = packet.flow.class();
        let reliable = class == TrafficClass::Text && self.settings.hop_limit > 0;
        if reliable && !self.unacknowledged.has_room() {
            return cx.drop(packet, DropCause::QueueFull);
        }
        let mut header = self.number(cx);
        if class != TrafficClass::Text && destination.is_group() {
            header.hop_limit = self.scaling.limit(header.hop_limit);
            header.hop_start = header.hop_limit;
        }
        header.want_ack = reliable;
        header.next_hop = self.next_hop(cx, destination);
        let name = (source, header.id);
        let priority = self.priority(&packet, &header, true);
        let turn = Turn::own(name, priority, header.hop_limit);
        let attempts = match (reliable, header.next_hop) {
            (true, _) => self.settings.attempts[usize::from(!destination.is_group())],
            (false, 0) => 1,
            (false, _) => self.settings.relay_attempts,
        };
        let time = self.settings.contention.link.exchange_time(packet.len());
        if reliable && destination.is_group() && self.custody.is_on() {
            let relay = self.settings.contention.mean_relay(packet.len());
            let patience = self.retransmission_time(cx, &packet);
            self.custody.begin(header.id, cx.now, (relay, patience));
        }
        self.hand_over(cx, packet, (header, turn), attempts);
        if !self.settings.rules.is_simulator() {
            self.unacknowledged.wait_longer(time, Some(name));
        }
    }
    /// A packet to everyone begins, or waits until it may.
    fn take_in_custody(&mut self, cx: &mut Cx, packet: Packet) {
        if packet.flow.class() == TrafficClass::Text {
            if self.custody.is_under_way(cx.now) {
                if let Some(refused) = self.custody.keep_text(packet) {
                    cx.drop(refused, DropCause::QueueFull);
                }
                return;
            }
        } else if !(self.is_idle() && self.custody.is_calm(cx.now)) {
            if let Some(replaced) = self.custody.keep_periodic(packet, cx.now) {
                cx.drop(replaced, &SKIPPED);
            }
            return;
        }
        self.begin(cx, packet);
    }

    /// Whether nothing waits to be sent.
    fn is_idle(&self) -> bool {
        self.queue.len() == 0 && self.below.is_none()
    }

    /// What need not wait any longer begins.
    pub(super) fn release_from_custody(&mut self, cx: &mut Cx) {
        while let Some(packet) = self.custody.release(cx.now, self.is_idle()) {
            self.begin(cx, packet);
        }
    }

    /// Its time is over without an acknowledgment: `NextHopRouter.cpp`, `doRetransmissions`.
    fn send_again(&mut self, cx: &mut Cx, mut pending: Pending) {
        let flow = pending.packet.flow;
        if self.is_acknowledged_by_list(cx, &pending) {
            return;
        }
        if pending.left == 0 {
            self.tell_common(|list| list.close(pending.turn.name));
            return cx.drop(pending.packet, DropCause::RetriesSpent);
        }
        let Ok(mut header) = Header::of(&pending.packet) else {
            return cx.drop(pending.packet, DropCause::Malformed);
        };
        if !flow.destination.is_group() {
            let last = pending.left == 1;
            if last {
                self.nodes.fail(flow.destination);
            }
            let early = self.settings.early_flood;
            if last || early && !self.nodes.is_proven(flow.destination, cx.now) {
                self.nodes.forget(flow.destination);
            }
            header.next_hop = self.next_hop(cx, flow.destination);
            header.write(&mut pending.packet);
        }
        pending.left -= 1;
        pending.repeated = true;
        pending.due = cx.now + self.retransmission_time(cx, &pending.packet);
        let packet = pending.packet.clone();
        let turn = Turn { late: false, after: Time::ZERO, ..pending.turn };
        cx.trace(EventKind::Retransmission, flow, header.id, packet.tag);
        cx.copy(packet.tag);
        self.unacknowledged.add(pending);
        self.enqueue(cx, Waiting { turn, packet });
    }
}

/// A node gives up a copy of a packet, because others pass it on.
pub(super) fn suppress(cx: &mut Cx, packet: Packet, (_, id): Name) {
    cx.trace(&SUPPRESSED, packet.flow, id, packet.tag);
    cx.drop(packet, &SUPPRESSED);
}

impl Hop for Meshtastic {
    fn has_room(&self, _flow: FlowId) -> bool {
        self.queue.len() == 0 && self.unacknowledged.len() == 0
    }

    fn promiscuous(&self) -> bool {
        false
    }

    fn watches_air(&self) -> bool {
        true
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, _next: NodeId) {
        self.channel.book(cx.now, cx.air);
        let destination = packet.flow.destination;
        if !self.channel.allows(packet.flow.class(), self.settings.role) {
            return cx.drop(packet, &SKIPPED);
        }
        if self.custody.is_on() && destination.is_group() {
            return self.take_in_custody(cx, packet);
        }
        self.begin(cx, packet);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        if rx.heard == Heard::Overheard {
            return Verdict::Done;
        }
        self.channel.book(cx.now, cx.air);
        self.hear(cx, rx)
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        self.channel.book(cx.now, cx.air);
        let Below { mut turn, taken_back } = self.below.take()?;
        let packet = done.packet.clone();
        match (done.outcome, taken_back) {
            (Outcome::Sent | Outcome::Acknowledged, _) => cx.release(&packet),
            (Outcome::Withdrawn, Some(TakenBack::Cancelled)) => {
                self.forget_entry(turn.name);
                suppress(cx, packet, turn.name);
            }
            (Outcome::Withdrawn, Some(TakenBack::Late(after))) => {
                (turn.late, turn.after) = (true, after);
                self.queue.put_back(Waiting { turn, packet });
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

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.channel.book(cx.now, cx.air);
        self.take_back_spent(cx);
        self.scaling.run(cx.now, cx.air, || self.nodes.per_hop(cx.now));
        self.release_from_custody(cx);
        self.queue.get_ready(cx.now);
        while let Some(pending) = self.unacknowledged.take_due(cx.now) {
            self.send_again(cx, pending);
        }
    }

    fn deadline(&self) -> Time {
        if self.has_spent_below() {
            return Time::ZERO;
        }
        let waits = self.queue.due().min(self.unacknowledged.due());
        waits.min(self.scaling.due()).min(self.custody.due())
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        if self.below.is_some() {
            return None;
        }
        self.channel.book(cx.now, cx.air);
        let Waiting { turn, packet } = self.queue.take(cx.now)?;
        self.below = Some(Below { turn, taken_back: None });
        let contention = match turn.snr {
            None => self.settings.contention.own(self.utilisation(cx.now)),
            Some(snr) => self.settings.contention.relay(snr),
        };
        Some(TxRequest {
            contention: Some(contention),
            ..TxRequest::new(Receiver::Broadcast, packet)
        })
    }

    fn backlog(&self) -> usize {
        let waiting = self.queue.len() + usize::from(self.below.is_some());
        waiting + self.unacknowledged.len() + self.custody.len()
    }

    fn footprint(&self) -> usize {
        self.backlog() + self.history.len() + self.nodes.len() + self.nodes.routes()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        match Acknowledgment::of(packet) {
            Ok(None) => FrameClass::Data,
            Ok(Some(_)) | Err(_) => FrameClass::Acknowledgment,
        }
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
