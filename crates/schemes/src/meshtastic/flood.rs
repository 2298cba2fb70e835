//! What a node does with a frame that it has heard: `FloodingRouter.cpp`, `NextHopRouter.cpp`, `ReliableRouter.cpp`.

use multihop_core::{Cx, EventKind, FlowId, FrameId, INITIAL_TTL, Rx, Time, Verdict};

use super::header::{Acknowledgment, Header, Name, last_byte};
use super::history::{Again, Seen};
use super::hop::{Meshtastic, TakenBack};
use super::parameters::Role;
use super::queue::Turn;

/// Signal-to-noise ratio in dB of a frame of which the MAC knows no signal: that of a frame that is just decoded.
const UNKNOWN_SNR: f64 = -20.0;

impl Turn {
    /// The turn of a packet of this node.
    pub(super) const fn own(
        name: Name,
        priority: super::firmware::Priority,
        hop_limit: u8,
    ) -> Self {
        let (own, snr, after) = (true, None, Time::ZERO);
        Turn { name, priority, own, snr, hop_limit, late: false, after, is_spent: false }
    }
}

impl Meshtastic {
    /// A frame was heard.
    pub(super) fn hear(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        let packet = &rx.packet;
        let (Ok(header), Ok(request)) = (Header::of(packet), Acknowledgment::of(packet)) else {
            cx.trace(EventKind::Malformed, packet.flow, 0, packet.tag);
            return Verdict::Done;
        };
        let name = (packet.flow.source, header.id);
        let own = packet.flow.source == cx.me;
        if own {
            self.custody.hear_own(&header);
            self.hear_own(cx, rx, name);
        }
        if !self.settings.rules.is_simulator() {
            self.unacknowledged.wait_longer(rx.air_time, None);
        }
        if !own {
            self.nodes.hear(packet.flow.source, header.is_direct(), cx.now);
        }
        let seen = self.history.hear(name, &header, (last_byte(cx.me), cx.now));
        if self.custody.is_on() {
            self.custody.hear(cx.now, rx.air_time, seen != Seen::New);
            self.release_from_custody(cx);
        }
        match seen {
            Seen::New if own => Verdict::Done,
            Seen::New => {
                let hops = header.hop_start.saturating_sub(header.hop_limit);
                self.nodes.place(packet.flow.source, hops);
                self.hear_new(cx, rx, (&header, request))
            }
            Seen::Again(again) => {
                cx.trace(EventKind::DuplicateIgnored, packet.flow, header.id, packet.tag);
                if self.settings.rules.is_simulator() {
                    self.count_copy(cx, rx, (&header, again));
                } else if !own {
                    self.hear_again(cx, rx, (&header, again));
                }
                Verdict::Done
            }
        }
    }

    /// Somebody relays a packet of this node: that is an acknowledgment (`ReliableRouter.cpp`, `shouldFilterReceived`).
    fn hear_own(&mut self, cx: &mut Cx, rx: &Rx, name: Name) {
        let packet = &rx.packet;
        let counts = packet.flow.destination.is_group() || self.settings.implicit_direct;
        if counts && self.stop(cx, name) {
            cx.trace(EventKind::ImplicitAcknowledgment, packet.flow, name.1, packet.tag);
        }
    }

    /// The first copy of a packet.
    fn hear_new(
        &mut self,
        cx: &mut Cx,
        rx: &Rx,
        (header, request): (&Header, Option<u32>),
    ) -> Verdict {
        let flow = rx.packet.flow;
        if let Some(request) = request {
            self.hear_acknowledgment(cx, rx, (header, request));
        }
        if flow.destination == cx.me {
            if header.want_ack {
                self.acknowledge(cx, rx, (header, request));
            }
        } else {
            self.relay(cx, rx, header);
        }
        if request.is_some() { Verdict::Done } else { Verdict::Deliver }
    }

    /// Relay a packet, if this node is to (`NextHopRouter.cpp`, `perhapsRebroadcast`).
    pub(super) fn relay(&mut self, cx: &mut Cx, rx: &Rx, header: &Header) -> bool {
        let (packet, me) = (&rx.packet, last_byte(cx.me));
        let ttl = packet.ttl.min(INITIAL_TTL).saturating_sub(1);
        let asked = header.next_hop == 0 || header.next_hop == me;
        let mine = [packet.flow.source, packet.flow.destination].contains(&cx.me);
        let goes_on = header.hop_limit > 0 && header.id != 0 && ttl > 0;
        if mine || !asked || !goes_on || !self.settings.role.relays() {
            return false;
        }
        let kept = self.favourites.keep_hop(self.settings.role, header, &self.nodes);
        let hop_limit = header.hop_limit - u8::from(!kept);
        let mut relayed = Header { hop_limit, relay: me, ..*header };
        if header.next_hop != 0 {
            relayed.next_hop = self.next_hop(cx, packet.flow.destination);
        }
        let again = relayed.next_hop != 0 && (relayed.hop_limit > 0 || relayed.want_ack);
        let attempts = if again { self.settings.relay_attempts } else { 1 };
        let mut copy = packet.clone();
        copy.ttl = ttl;
        cx.copy(copy.tag);
        let turn = Turn {
            own: false,
            snr: Some(self.snr(rx)),
            ..Turn::own(
                (packet.flow.source, header.id),
                self.priority(packet, header, false),
                relayed.hop_limit,
            )
        };
        self.hand_over(cx, copy, (relayed, turn), attempts);
        true
    }

    /// The signal-to-noise ratio in dB of a frame.
    pub(super) fn snr(&self, rx: &Rx) -> f64 {
        rx.signal.map_or(UNKNOWN_SNR, |signal| signal.dbm() - self.settings.noise_floor)
    }

    /// Another copy of a packet of another node.
    fn hear_again(&mut self, cx: &mut Cx, rx: &Rx, (header, again): (&Header, Again)) {
        let flow = rx.packet.flow;
        let name = (flow.source, header.id);
        let directed = !flow.destination.is_group();
        if again.upgraded && self.upgrade(cx, rx, header) {
            return;
        }
        if directed {
            self.stop(cx, name);
        }
        // The source repeats it: others may not have heard this node's relay.
        let repeated = header.hop_start > 0 && header.is_direct();
        if repeated || directed && again.fallback {
            if self.waiting(name).is_none()
                && !self.relay(cx, rx, header)
                && flow.destination == cx.me
                && header.want_ack
            {
                self.acknowledge_to_neighbour(cx, rx, header);
            }
        } else if !(directed && again.asked) {
            self.yield_to(cx, name, flow);
        }
    }

    /// A copy may be relayed more often than the one that waits: it takes its place (`perhapsHandleUpgradedPacket`).
    fn upgrade(&mut self, cx: &mut Cx, rx: &Rx, header: &Header) -> bool {
        let name = (rx.packet.flow.source, header.id);
        let worse = self.waiting(name).is_some_and(|turn| turn.hop_limit < header.hop_limit);
        if !worse || header.hop_limit == 0 || !self.settings.role.relays() {
            return false;
        }
        self.cancel(cx, name);
        self.relay(cx, rx, header);
        true
    }

    /// Another node relays the packet (`FloodingRouter.cpp`, `perhapsCancelDupe`).
    fn yield_to(&mut self, cx: &mut Cx, name: Name, flow: FlowId) {
        let role = self.settings.role;
        if role == Role::RouterLate || self.favourites.makes_router(role, flow) {
            self.move_to_late_window(cx, name);
        } else if role.is_cancelled() {
            self.cancel(cx, name);
        }
    }

    /// A relay that waits in the early window waits for the late one (`clampToLateRebroadcastWindow`).
    fn move_to_late_window(&mut self, cx: &mut Cx, name: Name) {
        let contention = self.settings.contention;
        let Some(turn) = self.waiting(name).filter(|turn| !turn.late) else { return };
        let after = cx.now + contention.late(turn.snr.unwrap_or(UNKNOWN_SNR));
        match self.below.as_mut().filter(|below| below.turn.name == name) {
            Some(below) if below.taken_back.is_none() => {
                below.taken_back = Some(TakenBack::Late(after));
                cx.withdraw(FrameId::ONLY);
            }
            Some(_) => {}
            None => self.queue.delay(name, after),
        }
    }
}
