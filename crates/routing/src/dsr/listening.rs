//! What a node learns from packets that pass (RFC 4728, 3.3.1 and 3.4.3).

use std::collections::VecDeque;

use multihop_core::{Cx, Duration, NodeId, Packet, Time};

use super::Dsr;
use super::options::{Header, Reply, SourceRoute};
use super::parameters::{OVERHEARD, SHORTENED, SHORTENING_PAUSE};
use super::path::{MOST_NODES, Path};

/// What was overheard lately.
#[derive(Clone, Debug, Default)]
pub struct Listening {
    /// The packets, by their source and their identification, each at a place that follows from this.
    packets: Vec<Option<(NodeId, u16)>>,
    /// The paths that were shortened, and when.
    shortened: VecDeque<(Path, Time)>,
}

impl Listening {
    /// Whether it is the first time that this packet is overheard (ns-2: `DSR_FILTER_TAP`).
    fn is_new(&mut self, source: NodeId, identification: u16) -> bool {
        self.packets.resize(OVERHEARD, None);
        let packet = Some((source, identification));
        std::mem::replace(&mut self.packets[usize::from(identification) % OVERHEARD], packet)
            != packet
    }

    /// 4.4, the gratuitous reply table: whether `path` may be shortened now. From now on it may not,
    /// for a while.
    ///
    /// Deviation: ns-2 writes the time beside the next entry, so that a path may be shortened twice at
    /// first.
    fn may_shorten(&mut self, path: &Path, now: Time) -> bool {
        self.shortened.retain(|(_, since)| now < *since + SHORTENING_PAUSE);
        let may = !self.shortened.iter().any(|(known, _)| known == path);
        if may {
            if self.shortened.len() == SHORTENED {
                self.shortened.pop_front();
            }
            self.shortened.push_back((*path, now));
        }
        may
    }

    /// How much it remembers.
    pub fn len(&self) -> usize {
        self.packets.iter().flatten().count() + self.shortened.len()
    }
}

impl Dsr {
    /// Somebody uses `path`, which begins here.
    pub(super) fn notice(&mut self, path: Path, now: Time) {
        if path.hops() > 0 {
            self.cache.notice(path, now);
            self.news.on_learnt(&path);
        }
    }

    /// A packet of the scheme for another node.
    ///
    /// Deviation: one without a source route says nothing. The RFC shortens flows, too (5.2: a table for it). ns-2 means
    /// to, but subtracts from the index of a route that is not in the packet, 0 (`handleFlowForwarding`), and never
    /// does.
    pub(super) fn overhear(&mut self, cx: &mut Cx, packet: &Packet) {
        match Header::of(packet) {
            Ok(Some(Header { route: Some(route), identification, .. })) => {
                if let Some(later) = self.overhear_route(packet, &route, identification, cx.now) {
                    self.shorten(cx, &route.path, route.next, later);
                }
            }
            Ok(_) => {}
            Err(_) => Self::malformed(cx, packet),
        }
    }

    /// A message for another node: of errors and replies, too, it learns.
    pub(super) fn overhear_message(&mut self, cx: &mut Cx, packet: &Packet, header: &Header) {
        if !self.settings.listen || packet.flow.source == self.me {
            return;
        }
        let Some(route) = &header.route else { return };
        if !self.is_news(packet, route, header.identification) {
            return;
        }
        self.on_broken(cx, &header.broken);
        if let Some(reply) = &header.reply
            && let Some(at) = reply.path.position(self.me)
        {
            self.notice(reply.path.from(at), cx.now);
        }
        self.notice_route(route, cx.now);
    }

    fn is_news(&mut self, packet: &Packet, route: &SourceRoute, identification: u16) -> bool {
        let for_me = route.path.get(route.next) == Some(&self.me);
        !for_me && self.listening.is_new(packet.flow.source, identification)
    }

    /// A source route was overheard. Returns where this node comes later on it, if the way can be
    /// shortened.
    fn overhear_route(
        &mut self,
        packet: &Packet,
        route: &SourceRoute,
        identification: u16,
        now: Time,
    ) -> Option<usize> {
        if packet.flow.source == self.me || !self.is_news(packet, route, identification) {
            return None;
        }
        self.notice_route(route, now);
        route.path.position(self.me).filter(|later| *later > route.next)
    }

    /// The rest of the route from here on, or from who has sent the packet.
    fn notice_route(&mut self, route: &SourceRoute, now: Time) {
        let rest = if let Some(at) = route.path.position(self.me) {
            route.path.from(at)
        } else {
            let sent_by = route.path[route.next - 1..].iter().copied();
            let path = [self.me].into_iter().chain(sent_by).take(MOST_NODES);
            Path::of(path).unwrap_or(Path::EMPTY)
        };
        self.notice(rest, now);
    }

    /// 3.4.3: a packet on `path` was heard on its way to the node at `heard_at`, and comes here only at
    /// `due_at`: who writes the path can leave those between out.
    pub(super) fn shorten(&mut self, cx: &mut Cx, path: &Path, heard_at: usize, due_at: usize) {
        if !self.listening.may_shorten(path, cx.now) {
            return;
        }
        let before = path.up_to(heard_at);
        let shorter = before.iter().chain(&path[due_at..]).copied();
        let back = before.iter().rev().copied();
        let back = Path::of([self.me].into_iter().chain(back));
        let (Some(path), Some(back)) = (Path::of(shorter), back) else { return };
        self.learn(back, cx.now);
        self.reply(cx, Reply { id: 0, path }, back, Duration::ZERO);
    }
}
