//! A repeater sends what follows a path again until it hears the next relay of it: pull requests 2367, 2670 and 2980.
//!
//! The last repeater of a path hears nobody relay, and repeats nothing. What is left out of 2980: the acknowledgment
//! with which a relay answers a copy that it has sent on already.

use multihop_core::{Cx, Duration, EventKind, Packet};

use super::awaited::Awaited;
use super::header::{Header, unscoped};
use super::hop::{MeshCore, TakenBack};

impl MeshCore {
    /// A packet that follows a path is relayed after at most so many ms: it awaits its echo if it may be sent again.
    pub(super) fn await_echo(
        &mut self,
        cx: &mut Cx,
        (packet, header): (&Packet, &Header),
        (priority, ms): (u8, u64),
    ) {
        let left = self.settings.relay_attempts - 1;
        if left == 0 || !header.direct || header.path.hops() == 0 || self.pool_is_empty() {
            return;
        }
        cx.copy(packet.tag);
        self.echoes.0.push(Awaited {
            name: header.name(packet.flow.source),
            hops: header.path.hops(),
            priority,
            packet: packet.clone(),
            left,
            due: cx.now + Duration::from_millis(ms) + self.echo_time(cx, packet, header),
        });
    }

    /// From when it is sent until the next relay of it is heard.
    fn echo_time(&self, cx: &Cx, packet: &Packet, header: &Header) -> Duration {
        let length = unscoped(packet, header);
        let wait = self.settings.longest_delay(length, self.delays(cx).direct);
        let air_times = 2 * self.settings.air_time(length);
        self.settings.echo_wait + Duration::from_millis(wait + air_times)
    }

    /// A packet that follows a path was heard: it may be the relay of one that was sent from here.
    pub(super) fn hear_echo(&mut self, cx: &mut Cx, packet: &Packet, header: &Header) {
        let name = header.name(packet.flow.source);
        if let Some(kept) = self.echoes.hear(name, header.path.hops()) {
            cx.trace(EventKind::ImplicitAcknowledgment, packet.flow, header.id, packet.tag);
            cx.release(&kept);
            self.take_back(cx, name, TakenBack::Echoed);
        }
    }

    /// Some waits are over without an echo: their packets are sent again, unless they still wait for the medium.
    pub(super) fn repeat_relays(&mut self, cx: &mut Cx) {
        for at in (0..self.echoes.len()).rev() {
            let awaited = &self.echoes.0[at];
            if awaited.due > cx.now {
                continue;
            }
            let (left, name) = (awaited.left, awaited.name);
            let Ok(header) = Header::of(&awaited.packet) else { continue };
            let due = cx.now + self.echo_time(cx, &self.echoes.0[at].packet, &header);
            if left > 0 && self.waits(name, cx.me) {
                self.echoes.0[at].due = due;
                continue;
            }
            if left == 0 || self.pool_is_empty() {
                let spent = self.echoes.0.swap_remove(at);
                cx.release(&spent.packet);
                continue;
            }
            let awaited = &mut self.echoes.0[at];
            (awaited.left, awaited.due) = (left - 1, due);
            let (packet, priority) = (awaited.packet.clone(), awaited.priority);
            cx.trace(EventKind::Retransmission, packet.flow, header.id, packet.tag);
            cx.copy(packet.tag);
            self.enqueue(cx, packet, priority, 0);
        }
    }
}
