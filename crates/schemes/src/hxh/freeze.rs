//! HxH 3.2.3: freezing flows.

use multihop_core::{Cx, DropCause, HopStep, NodeId, Packet, RouteNews, Time};

use super::credit::Credit;
use super::flow::{Flow, Scheduling};
use super::header::Header;
use super::state::Hxh;

impl Hxh {
    /// "Intermediate nodes that are aware of the route error freeze their flows." That a route was
    /// found thaws none: "frozen flows become active again any time a packet corresponding to the
    /// flow is received and the node has an available route for the flow".
    pub(super) fn freeze(&mut self, news: RouteNews) {
        let destination = news.destination();
        let concerns =
            |flow: &&mut Flow| flow.id.destination == destination && !flow.goes_upstream();
        for flow in self.flows.iter_mut().filter(concerns) {
            flow.standing = match (news, flow.standing) {
                (RouteNews::Lost(_), Scheduling::Active) => Scheduling::Frozen,
                (RouteNews::Lost(_), Scheduling::Returning(packet, since)) => {
                    Scheduling::Searching(packet, since)
                }
                (RouteNews::Found { .. }, Scheduling::Searching(packet, since)) => {
                    Scheduling::Returning(packet, since)
                }
                (_, standing) => standing,
            };
        }
    }

    /// "When packets arrive for a frozen flow, the scheduler checks to see if a new route has been
    /// established. If not, the scheduler causes the routing protocol to re-broadcast the error
    /// notification." Routing was asked, and has done so. The packet stays if there is room.
    pub(super) fn keep_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        let (at_source, reverse) = (packet.flow.source == cx.me, packet.flow.is_reverse());
        match Header::of(&packet) {
            Ok(header) if !at_source && !reverse && !header.kind.goes_upstream() => {
                let at = self.entry(cx.now, packet.flow);
                self.flows[at].standing = Scheduling::Frozen;
                self.insert(cx, at, packet, header);
            }
            // The source's routing does not search for this destination, and what goes upstream
            // would be too old.
            _ => cx.drop(packet, DropCause::NoRoute),
        }
    }

    /// At the source of a frozen flow, routing gets one packet to search for. What failed on its
    /// way upstream asks for its way anew.
    pub(super) fn reroute(&mut self, cx: &mut Cx) -> Option<HopStep> {
        let rerouted = |flow: &&mut Flow| {
            let anew = flow.goes_upstream() || flow.id.source == cx.me;
            flow.standing == Scheduling::Frozen && anew && !flow.queue.is_empty()
        };
        let flow = self.flows.iter_mut().find(rerouted)?;
        let queued = flow.queue.pop_front()?;
        if !flow.goes_upstream() {
            flow.standing = Scheduling::Searching(queued.header.sequence, cx.now);
        }
        Some(HopStep::Reroute(queued.packet))
    }

    /// A packet of the flow at `at` has come, and there is a route for it, via `next`.
    pub(super) fn thaw(&mut self, now: Time, at: usize, header: &Header, next: NodeId) {
        let half = self.settings.half();
        let flow = &mut self.flows[at];
        if flow.next != Some(next) {
            flow.credit = Credit::new(now, half as u32);
            flow.next = Some(next);
        }
        match flow.standing {
            // The packet that routing has would be overtaken.
            Scheduling::Searching(sequence, _) | Scheduling::Returning(sequence, _)
                if sequence != header.sequence => {}
            _ => flow.standing = Scheduling::Active,
        }
    }

    /// When a search has lasted for so long that routing may have dropped the packet.
    pub(super) fn search_deadline(&self, flow: &Flow) -> Time {
        match flow.standing {
            Scheduling::Searching(_, since) | Scheduling::Returning(_, since) => {
                since + self.settings.idle_timeout
            }
            Scheduling::Active | Scheduling::Frozen => Time::NEVER,
        }
    }

    /// What lasts too long is asked for again, with the next packet.
    pub(super) fn give_up_search(&mut self, now: Time) {
        for at in 0..self.flows.len() {
            if self.search_deadline(&self.flows[at]) <= now {
                self.flows[at].standing = Scheduling::Frozen;
            }
        }
    }
}
