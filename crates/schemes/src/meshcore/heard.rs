//! What a node does with a frame: `Dispatcher.cpp`, `checkRecv`; `Mesh.cpp`, `onRecvPacket` and `routeRecvPacket`.

use multihop_core::{Cx, Duration, EventKind, INITIAL_TTL, Packet, Rx, Verdict, WireError};

use super::firmware::priority;
use super::header::{Header, Kind, Return, on_air, unscoped};
use super::hop::MeshCore;
use super::neighbours::Delays;
use super::queue::HeldFrame;
use super::settings::Settings;
use super::words::{
    FLOOD_DENIED, FLOOD_LIMITED, LOOP_DETECTED, POOL_EMPTY, RELAY_NEEDLESS, RELAY_REFUSED,
};

/// The header of a packet that says only what its kind says.
fn read(packet: &Packet) -> Result<Header, WireError> {
    let header = Header::of(packet)?;
    match header.kind {
        Kind::Ack => packet.expect_data(false)?,
        Kind::Path => _ = Return::of(packet)?,
        Kind::Text | Kind::Channel | Kind::Advert => packet.expect_data(true)?,
    }
    Ok(header)
}

impl MeshCore {
    /// A frame was heard. A flood may be held before it is looked at, so that a stronger copy comes first.
    pub(super) fn hear(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        let packet = &rx.packet;
        let Ok(header) = read(packet) else {
            cx.trace(EventKind::Malformed, packet.flow, 0, packet.tag);
            return Verdict::Done;
        };
        if self.pool_is_empty() {
            cx.trace(&POOL_EMPTY, packet.flow, header.id, packet.tag);
            return Verdict::Done;
        }
        if header.direct {
            self.hear_echo(cx, packet, &header);
        } else {
            self.busy.hear();
            self.overhear(cx, rx, &header);
        }
        self.hear_neighbour(cx, rx, &header);
        let ms = match rx.signal {
            Some(_) if !header.direct => {
                let lengths = (packet.len().0, on_air(packet));
                self.settings.rx_delay(self.delays(cx).rx, lengths, self.snr(rx))
            }
            _ => 0,
        };
        if ms > 0 {
            let due = cx.now + Duration::from_millis(ms);
            self.held.push(HeldFrame { packet: packet.clone(), header, from: rx.from, due });
            return Verdict::Done;
        }
        if self.process(cx, packet, header) { Verdict::Deliver } else { Verdict::Done }
    }

    /// The signal-to-noise ratio in dB of a frame; that of one that is just decoded where the MAC knows no signal.
    pub(super) fn snr(&self, rx: &Rx) -> f64 {
        rx.signal
            .map_or(self.settings.snr_threshold, |signal| signal.dbm() - self.settings.noise_floor)
    }

    /// A frame says who its transmitter is, or that it is still there.
    fn hear_neighbour(&mut self, cx: &Cx, rx: &Rx, header: &Header) {
        let Settings { autotune, redundancy, keys, .. } = self.settings;
        if !autotune && !redundancy.adapts {
            return;
        }
        if header.path.hops() > 0 {
            if !header.direct {
                self.neighbours.touch(&header.path, keys, cx.now);
            }
        } else if header.kind == Kind::Advert && rx.packet.flow.source != cx.me {
            self.neighbours.hear(rx.packet.flow.source, self.snr(rx), cx.now);
        }
    }

    /// The factors of its waits.
    pub(super) fn delays(&self, cx: &Cx) -> Delays {
        if self.settings.autotune { self.neighbours.delays(cx.now) } else { self.settings.delays }
    }

    /// A packet is looked at. Returns whether it is to be delivered, if it is for this node.
    pub(super) fn process(&mut self, cx: &mut Cx, packet: &Packet, header: Header) -> bool {
        if header.direct && header.path.hops() > 0 {
            self.pass_on(cx, packet, header);
            return false;
        }
        let flow = packet.flow;
        if !self.seen.add(header.name(flow.source)) {
            if !header.direct {
                self.busy.hear_again();
            }
            cx.trace(EventKind::DuplicateIgnored, flow, header.id, packet.tag);
            return false;
        }
        if flow.source == cx.me {
            return false;
        }
        let mine = flow.destination == cx.me;
        let delivers = match header.kind {
            Kind::Channel | Kind::Advert => true,
            Kind::Text => mine && self.take_text(cx, packet, &header),
            Kind::Ack if mine => {
                self.hear_ack(cx, packet, &header);
                false
            }
            Kind::Path if mine => {
                self.take_path(cx, packet, &header);
                false
            }
            Kind::Ack | Kind::Path => false,
        };
        if !header.direct && !mine {
            self.relay_flood(cx, packet, header);
        }
        delivers
    }

    /// A packet that follows a path: its first relay sends it on, and an acknowledgment counts where it is overheard.
    fn pass_on(&mut self, cx: &mut Cx, packet: &Packet, header: Header) {
        if header.kind == Kind::Ack && packet.flow.destination == cx.me {
            self.acknowledge(cx, packet, &header);
        }
        let is_next = self.settings.relays && header.path.begins_with(&self.key(cx));
        if !is_next || !self.seen.add(header.name(packet.flow.source)) {
            return;
        }
        let path = header.path.without_first();
        let factor = if header.kind == Kind::Ack { 0.0 } else { self.delays(cx).direct };
        self.relay(cx, packet, Header { path, ..header }, (priority::DIRECT, factor));
    }

    /// A repeater relays a flood, with its own hash at the end of the path.
    fn relay_flood(&mut self, cx: &mut Cx, packet: &Packet, header: Header) {
        if !self.settings.relays {
            return;
        }
        if !self.settings.relays_regions[usize::from(header.scoped)] {
            return cx.trace(&FLOOD_DENIED, packet.flow, header.id, packet.tag);
        }
        let hops = u32::from(header.path.hops());
        let limit = self.settings.flood_max;
        let unscoped = if header.scoped { limit } else { self.settings.flood_max_unscoped };
        let adverts =
            if header.kind == Kind::Advert { self.settings.flood_max_advert } else { limit };
        let key = self.key(cx);
        let most = self.busy.most_hops(header.kind).unwrap_or(limit).min(limit);
        let longer = header.path.with(&key).filter(|_| hops < most.min(unscoped).min(adverts));
        let Some(path) = longer else {
            return cx.trace(&FLOOD_LIMITED, packet.flow, header.id, packet.tag);
        };
        let loops = self.settings.loops(path.size());
        if loops.is_some_and(|most| header.path.count(&key) >= most) {
            return cx.trace(&LOOP_DETECTED, packet.flow, header.id, packet.tag);
        }
        if self.is_needless(cx, header.name(packet.flow.source)) {
            return cx.trace(&RELAY_NEEDLESS, packet.flow, header.id, packet.tag);
        }
        let turn = (path.hops(), self.delays(cx).tx * self.busy.stretch());
        self.relay(cx, packet, Header { path, ..header }, turn);
    }

    /// A packet is sent on with this header, after 0 to 5 times its air time and this factor.
    fn relay(
        &mut self,
        cx: &mut Cx,
        packet: &Packet,
        header: Header,
        (priority, factor): (u8, f64),
    ) {
        let ttl = packet.ttl.min(INITIAL_TTL).saturating_sub(1);
        if ttl == 0 {
            return;
        }
        let mut copy = packet.clone();
        copy.ttl = ttl;
        header.write(&mut copy);
        let length = unscoped(&copy, &header);
        let air_time = self.settings.exact_air_time(length);
        if !self.budget.admits(cx.now, !header.direct, air_time) {
            return cx.trace(&RELAY_REFUSED, packet.flow, header.id, packet.tag);
        }
        let longest = self.settings.longest_delay(length, factor);
        let ms = cx.rng.below(u32::try_from(longest + 1).unwrap_or(u32::MAX));
        cx.copy(copy.tag);
        self.await_echo(cx, (&copy, &header), (priority, ms.into()));
        self.enqueue(cx, copy, priority, ms.into());
    }
}
