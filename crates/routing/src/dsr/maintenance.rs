//! Route maintenance (RFC 4728, 8.3 and 8.4): broken links, salvaging, route errors.

use multihop_core::{Cx, DropCause, EventKind, FlowId, NodeId, Packet, RoutingStep, Tag, Time};

use super::Dsr;
use super::options::{Broken, Header, MOST_ERRORS};
use super::parameters::ERROR_MEMORY;
use super::path::Path;
use crate::words::LOCAL_REPAIR;

/// An error that this node was told.
#[derive(Clone, Copy, Debug)]
pub struct HeldError {
    broken: Broken,
    since: Time,
}

impl Dsr {
    /// The MAC could not deliver `packet` to `next`.
    ///
    /// Deviation: what the source had sent, without its way, before it learnt that the way is broken, is
    /// lost as in ns-2, and nobody is told again. The RFC would have it sent anew.
    pub(super) fn link_failed(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        if self.is_left_over(&packet, cx.now) {
            return cx.drop(packet, DropCause::RetriesSpent);
        }
        let way = self.way_of(&packet);
        let nested = match Header::of(&packet) {
            Ok(Some(header)) if Header::is_message(&packet) => header.broken,
            _ => Vec::new(),
        };
        self.cut(self.me, next, cx.now);
        // What waits for this neighbour leaves the queue, which may be full, before the packet comes to it.
        self.steps.push_back(RoutingStep::LinkBroken(next));
        self.salvage(cx, packet, Some(next), DropCause::RetriesSpent);
        if let Some((path, at)) = way {
            self.report(cx, &path.up_to(at + 1), next, nested);
        }
    }

    /// A packet has waited in vain for its next hop, the link to which is broken.
    ///
    /// Deviation: whether a reply praises the broken link is asked of the node behind that link, as in ns-2, which
    /// has moved on in the route of what waits (`undeliverablePkt`, called by `xmitFailed`).
    pub(super) fn unsent(&mut self, cx: &mut Cx, packet: Packet) {
        let route = Header::of(&packet).ok().flatten().and_then(|header| header.route);
        let behind = route.and_then(|route| route.path.get(route.next + 1).copied());
        self.salvage(cx, packet, behind, DropCause::RouteBroken);
    }

    /// Whether `packet` follows a flow that is not in use any more.
    fn is_left_over(&mut self, packet: &Packet, now: Time) -> bool {
        self.flow_of(packet).is_some_and(|flow| flow.until < now)
    }

    /// The MAC could not deliver a packet to `next`, and the hop protocol keeps it.
    pub(super) fn link_lost(&mut self, cx: &mut Cx, destination: NodeId, next: NodeId) {
        let came = self.news.way_of(destination);
        self.cut(self.me, next, cx.now);
        self.steps.push_back(RoutingStep::LinkBroken(next));
        if let Some(came) = came {
            self.report(cx, &came, next, Vec::new());
        }
    }

    /// The link between these two is broken, as this node has found or heard.
    fn cut(&mut self, from: NodeId, to: NodeId, now: Time) {
        self.cache.cut(from, to);
        self.flows.cut(self.me, from, to, now);
        for destination in self.news.on_broken(from, to) {
            if let Some(path) = self.cache.find(destination, now) {
                self.news.on_learnt(&path);
            }
        }
    }

    /// 8.3.4: tell the first node of `came`, a path that ends here, that this node cannot reach `next`.
    /// If the packet that failed has carried errors itself, they go along and further (8.3.5).
    fn report(&mut self, cx: &mut Cx, came: &Path, next: NodeId, nested: Vec<Broken>) {
        let Some(&tell) = came.first() else { return };
        if tell == self.me || nested.len() >= MOST_ERRORS {
            return;
        }
        let flow = FlowId::between(self.me, next);
        cx.trace(EventKind::RouteError, flow, 0, Tag::NONE);
        let mut broken = nested;
        broken.push(Broken { from: self.me, to: next, tell });
        let header = Header { broken, ..Header::default() };
        let mut packet = header.message(self.me, tell);
        let back = came.reversed();
        self.write_route(&mut packet, back, 0);
        self.leave(packet, back[1]);
    }

    /// 8.3.6: a packet that could not be sent takes another way, if this node knows one. A reply of another node
    /// does not if it says that the link between this node and `other` can be used.
    fn salvage(
        &mut self,
        cx: &mut Cx,
        mut packet: Packet,
        other: Option<NodeId>,
        cause: DropCause,
    ) {
        if packet.flow.source == self.me {
            return self.send_again(cx, packet, other, cause);
        }
        let header = Header::of(&packet).ok().flatten().unwrap_or_default();
        let salvaged = header.route.map_or(0, |route| route.salvaged);
        if salvaged >= self.settings.salvage_limit {
            return cx.drop(packet, cause);
        }
        match self.cache.find(packet.flow.destination, cx.now) {
            Some(_) if other.is_some_and(|other| self.is_praised(&header, other)) => {
                cx.drop(packet, cause);
            }
            Some(path) => {
                cx.trace(&LOCAL_REPAIR, packet.flow, salvaged.into(), packet.tag);
                self.write_route(&mut packet, path, salvaged + 1);
                self.leave(packet, path[1]);
            }
            None => self.keep(cx, packet),
        }
    }

    /// A packet that started here needs another way; a reply that praises the link to `other`, too, as in ns-2
    /// (`undeliverablePkt`), unless it is not to.
    fn send_again(
        &mut self,
        cx: &mut Cx,
        mut packet: Packet,
        other: Option<NodeId>,
        cause: DropCause,
    ) {
        if !self.settings.repeat_own_replies {
            let header = Header::of(&packet).ok().flatten().unwrap_or_default();
            if other.is_some_and(|other| self.is_praised(&header, other)) {
                return cx.drop(packet, cause);
            }
        }
        match self.cache.take(packet.flow.destination, cx.now) {
            Some(path) => {
                let next = self.send_along(cx, &mut packet, path);
                self.leave(packet, next);
            }
            None => self.keep(cx, packet),
        }
    }

    /// Whether it is a reply whose path uses the link between this node and `other`.
    fn is_praised(&self, header: &Header, other: NodeId) -> bool {
        let me = self.me;
        let path = header.reply.map(|reply| reply.path);
        path.is_some_and(|path| path.uses(me, other) || path.uses(other, me))
    }

    /// 8.3.5: what others say of links. Whom the last error is for tells those for whom the others are.
    ///
    /// Deviation: in ns-2, who has address 0 takes what is for everyone for its own. A source with this address,
    /// which hears its request from who passes it on, tells of the link again for as long as it searches.
    pub(super) fn on_broken(&mut self, cx: &mut Cx, all: &[Broken]) {
        for broken in all {
            self.cut(broken.from, broken.to, cx.now);
        }
        let Some((last, others)) = all.split_last() else { return };
        if last.tell != self.me {
            return;
        }
        self.error = Some(HeldError { broken: *last, since: cx.now });
        if let Some(next) = others.last() {
            let header = Header { broken: others.to_vec(), ..Header::default() };
            if next.tell != self.me && next.tell != NodeId::BROADCAST {
                self.send_message(cx, &header, next.tell);
            }
        }
    }

    /// RFC 4728, 3.4.4: the error to tell with the next request, if this node was told one lately;
    /// `forget`: everyone hears it now.
    pub(super) fn error_to_tell(&mut self, now: Time, forget: bool) -> Option<Broken> {
        let error = self.error.filter(|error| now < error.since + ERROR_MEMORY)?;
        if forget {
            self.error = None;
        }
        Some(Broken { tell: NodeId::BROADCAST, ..error.broken })
    }
}
