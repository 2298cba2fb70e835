//! Texts to one node: flooded first, answered with a path, and acknowledged; then along the path (`BaseChatMesh.cpp`,
//! `Mesh.cpp`).

use multihop_core::{Cx, DropCause, EventKind, NodeId, Packet, Payload, Time};

use super::firmware::{RECIPROCAL_DELAY, RETURN_RETRY_DELAY, TXT_ACK_DELAY};
use super::header::{Header, Kind, Return, unscoped};
use super::hop::MeshCore;
use super::path::Path;
use super::pending::Pending;
use super::words::PATH_LEARNED;

/// A packet that answers `packet`, without data. A copy of it is this node's.
fn answer(cx: &mut Cx, packet: &Packet) -> Packet {
    let tag = packet.tag.control();
    cx.copy(tag);
    Packet::new(packet.flow.reverse(), Payload::Virtual(0), tag)
}

impl MeshCore {
    /// A text to one node begins here.
    pub(super) fn send_text(&mut self, cx: &mut Cx, packet: Packet) {
        let destination = packet.flow.destination;
        let header = self.header(cx, Kind::Text, packet.payload.len().0 as usize);
        let again = (self.settings.attempts > 1).then(|| packet.clone());
        if again.is_some() {
            cx.copy(packet.tag);
        }
        let due = self.send_attempt(cx, (packet, header));
        let pending = Pending { destination, id: header.id, attempts: 1, packet: again, due };
        if let Some(lost) = self.unacknowledged.add(pending)
            && let Some(packet) = lost.packet
        {
            cx.drop(packet, DropCause::RetriesSpent);
        }
    }

    /// A text goes along the path that is known, or is flooded. Returns when the wait for its acknowledgment is over.
    fn send_attempt(&mut self, cx: &mut Cx, (packet, header): (Packet, Header)) -> Time {
        let destination = packet.flow.destination;
        let path = self.contacts.path(destination);
        let mut composed = packet.clone();
        header.write(&mut composed);
        let patience =
            self.settings.patience(unscoped(&composed, &header), path.map(|path| path.hops()));
        match path {
            Some(path) => self.send_direct(cx, (packet, header), path, 0),
            None => self.send_flood(cx, (packet, header), 0),
        }
        cx.now + patience
    }

    /// The wait for some acknowledgments is over: the app repeats their texts, or gives them up.
    pub(super) fn repeat_texts(&mut self, cx: &mut Cx) {
        while let Some(pending) = self.unacknowledged.take_due(cx.now) {
            let (destination, id, attempts) = (pending.destination, pending.id, pending.attempts);
            let Some(packet) = pending.packet.take() else { continue };
            if attempts >= self.settings.attempts {
                cx.drop(packet, DropCause::RetriesSpent);
                continue;
            }
            if attempts == self.settings.flood_after {
                self.contacts.forget(destination);
            }
            let mut header = self.header(cx, Kind::Text, packet.payload.len().0 as usize);
            (header.id, header.attempt) = (id, attempts as u8);
            cx.trace(EventKind::Retransmission, packet.flow, id, packet.tag);
            cx.copy(packet.tag);
            let due = self.send_attempt(cx, (packet.clone(), header));
            self.unacknowledged.await_again(destination, id, (packet, due));
        }
    }

    /// A text for this node is answered. Returns whether it is new.
    pub(super) fn take_text(&mut self, cx: &mut Cx, packet: &Packet, header: &Header) -> bool {
        let acknowledged = (header.id, header.attempt);
        if header.direct {
            let mut ack = self.header(cx, Kind::Ack, 0);
            (ack.id, ack.attempt) = acknowledged;
            let sent = (answer(cx, packet), ack);
            match self.contacts.path(packet.flow.source) {
                Some(path) => self.send_direct(cx, sent, path, TXT_ACK_DELAY),
                None => self.send_flood(cx, sent, TXT_ACK_DELAY),
            }
        } else {
            let returned = Return { acknowledges: Some(acknowledged), path: header.path };
            let sent = self.path_return(cx, packet, &returned);
            self.send_flood(cx, sent, TXT_ACK_DELAY);
        }
        self.delivered.add(Header { attempt: 0, ..*header }.name(packet.flow.source))
    }

    /// A packet that returns a path to the source of `packet`.
    fn path_return(&mut self, cx: &mut Cx, packet: &Packet, returned: &Return) -> (Packet, Header) {
        let header = self.header(cx, Kind::Path, 0);
        let mut sent = answer(cx, packet);
        returned.write(&mut sent, &self.settings.sizes);
        (sent, header)
    }

    /// The path that `packet` has come on goes to its source, along the path that is known.
    fn reciprocate(&mut self, cx: &mut Cx, packet: &Packet, came: Path, (to, ms): (Path, u64)) {
        let sent = self.path_return(cx, packet, &Return { acknowledges: None, path: came });
        self.send_direct(cx, sent, to, ms);
    }

    /// A path to the source of `packet` has come back, mostly with an acknowledgment (`onContactPathRecv`).
    pub(super) fn take_path(&mut self, cx: &mut Cx, packet: &Packet, header: &Header) {
        let Ok(Return { acknowledges, path }) = Return::of(packet) else { return };
        let contact = packet.flow.source;
        self.contacts.learn(contact, path, cx.now);
        cx.trace(&PATH_LEARNED, packet.flow, header.id, packet.tag);
        if let Some((id, _)) = acknowledges {
            self.acknowledged(cx, packet, (contact, id));
        }
        if !header.direct {
            self.reciprocate(cx, packet, header.path, (path, RECIPROCAL_DELAY));
        }
    }

    /// An acknowledgment for this node has come to its end. If it was flooded although the path is known, the contact may
    /// not know its path (`handleReturnPathRetry`).
    pub(super) fn hear_ack(&mut self, cx: &mut Cx, packet: &Packet, header: &Header) {
        let known = self.acknowledge(cx, packet, header);
        if known
            && !header.direct
            && let Some(to) = self.contacts.path(packet.flow.source)
        {
            self.reciprocate(cx, packet, header.path, (to, RETURN_RETRY_DELAY));
        }
    }

    /// An acknowledgment for this node was heard. Returns whether the node waited for it.
    pub(super) fn acknowledge(&mut self, cx: &mut Cx, packet: &Packet, header: &Header) -> bool {
        self.acknowledged(cx, packet, (packet.flow.source, header.id))
    }

    fn acknowledged(&mut self, cx: &mut Cx, packet: &Packet, (by, id): (NodeId, u32)) -> bool {
        let Some(pending) = self.unacknowledged.remove(by, id) else { return false };
        cx.trace(EventKind::ExplicitAcknowledgment, packet.flow, id, packet.tag);
        if let Some(kept) = pending.packet {
            cx.release(&kept);
        }
        true
    }
}
