//! The state of WAKE at one node.

use multihop_core::{
    Bytes, Claim, Cx, DropCause, Duration, FlowId, NodeId, Packet, Params, Room, Rx, Time, room,
};

use super::coding::Coding;
use super::exchange::Exchange;
use super::fading::Fading;
use super::flow::{Below, Flow, InCustody};
use super::header::{Header, LONGEST};
use super::parameters::Settings;
use super::period::Surroundings;
use crate::parts::probing::{Probe, Probing};

/// How many flows a node knows.
const MOST_FLOWS: usize = 1_024;

/// How long routing may search with a packet before it gets another one.
pub(super) const LONGEST_SEARCH: Duration = Duration::from_millis(2_000);

/// WAKE at one node.
#[derive(Debug)]
pub struct Wake {
    /// What is in force: of waves, or of chance (rule 8).
    pub(super) settings: Settings,
    of_waves: Settings,
    of_chance: Settings,
    pub(super) fading: Fading,
    /// The flows, in the order of their names.
    pub(super) flows: Vec<Flow>,
    pub(super) surroundings: Surroundings,
    /// What the MAC has, without packets: one, or those of a batch.
    pub(super) below: Vec<Below>,
    pub(super) exchange: Exchange,
    pub(super) coding: Coding,
    pub(super) probing: Probing,
    /// When the host was here last.
    pub(super) now: Time,
}

impl Wake {
    /// The protocol at a node that knows no flow.
    pub fn new(params: &Params) -> Self {
        Wake {
            settings: Settings::new(params),
            of_waves: Settings::new(params),
            of_chance: Settings::of_chance(params),
            fading: Fading::default(),
            flows: Vec::new(),
            surroundings: Surroundings::default(),
            below: Vec::new(),
            exchange: Exchange::default(),
            coding: Coding::default(),
            probing: Probing::new(params),
            now: Time::ZERO,
        }
    }

    pub(super) fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.flows.binary_search_by_key(&flow, |known| known.id)
    }

    pub(super) fn find(&mut self, flow: FlowId) -> Option<&mut Flow> {
        self.position(flow).ok().map(|at| &mut self.flows[at])
    }

    pub(super) fn has_below(&self, flow: FlowId) -> bool {
        self.count_below(flow) > 0
    }

    /// How many packets of `flow` the MAC has.
    pub(super) fn count_below(&self, flow: FlowId) -> usize {
        let alone = self.below.iter().filter(|below| below.flow == flow).count();
        alone + usize::from(self.coding.has_below(flow))
    }

    /// Whether there is room for `flow`: it is known, or may be, perhaps in place of another one that has nothing here.
    pub(super) fn make_room(&mut self, flow: FlowId) -> bool {
        if self.position(flow).is_ok() {
            return true;
        }
        let claims = self.flows.iter().map(|known| Claim {
            source: known.id.beginner(),
            used: known.seen,
            owes: !known.packets.is_empty()
                || known.searching.is_some()
                || self.has_below(known.id),
        });
        match room(MOST_FLOWS, self.flows.len(), flow.beginner(), claims) {
            Room::Free => true,
            Room::InPlaceOf(at) => {
                self.flows.remove(at);
                true
            }
            Room::Refused => false,
        }
    }

    /// Whether the head of this flow may go.
    pub(super) fn may_go(&self, now: Time, id: FlowId) -> bool {
        self.position(id).is_ok_and(|at| self.eligible(&self.flows[at]) <= now)
    }

    /// When the head of `flow` may go.
    pub(super) fn eligible(&self, flow: &Flow) -> Time {
        let opens =
            |head: &InCustody| self.probing.opens(self.now, Probe { to: head.next, since: None });
        flow.eligible().max(flow.packets.front().map_or(Time::ZERO, opens))
    }

    /// The flow, which is known from now on.
    pub(super) fn flow(&mut self, id: FlowId) -> &mut Flow {
        let at = self.position(id).unwrap_or_else(|at| {
            self.flows.insert(at, Flow::new(id));
            at
        });
        &mut self.flows[at]
    }

    /// A packet comes into this node's custody, to go to `next`.
    pub(super) fn enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        let (id, starts_here) = (packet.flow, packet.hops() == 0);
        let header = Header::of(&packet);
        if header.is_err() && !starts_here {
            return cx.drop(packet, DropCause::Malformed);
        }
        if !self.make_room(id) {
            return cx.drop(packet, DropCause::TooManyFlows);
        }
        let wait = self.waits_for_partner(cx.now, id, next);
        let settings = self.settings;
        let flow = self.flow(id);
        flow.goes_to(next);
        if starts_here && settings.batch > 1 {
            flow.packets.iter_mut().for_each(|held| held.next = next);
        }
        let silent_since = flow.silent_since();
        flow.seen = cx.now;
        (flow.searching, flow.is_lost) = (None, false);
        // It starts; or it was under way, or is tried again over another route.
        let (sequence, left, in_wave, goes_first) = if let Ok(header) = header {
            (header.sequence, header.left, header.in_wave, header.goes_first)
        } else {
            let may_go = flow.clear_until <= cx.now;
            let silent = silent_since.is_none_or(|since| since + settings.silence <= cx.now);
            let goes_first = flow.source.goes_first(silent && may_go, &settings);
            let left = flow.source.train.on_start(settings.train_packets());
            (flow.number(cx.incarnation), left, true, goes_first)
        };
        let held = if starts_here || !in_wave { Duration::ZERO } else { settings.hold };
        flow.packets.push_back(InCustody {
            packet,
            next,
            sequence,
            in_wave,
            left,
            goes_first,
            ready: cx.now + held + wait,
            since: None,
            failures: 0,
            turn: 0,
        });
    }

    /// The most that flows other than `flow` need here and around.
    fn others(&mut self, now: Time, flow: FlowId) -> Duration {
        let Wake { settings, surroundings, flows, probing, .. } = self;
        let is_busy =
            |known: &&Flow| !known.packets.is_empty() || now < known.seen + settings.memory;
        let here = flows.iter().filter(|known| known.id != flow).filter(is_busy);
        let most =
            here.map(|known| known.need(now, settings, probing)).max().unwrap_or(Duration::ZERO);
        most.max(surroundings.most(now, flow, settings.memory))
    }

    /// The period that `flow` can have from here on (rule 3).
    pub(super) fn period(&mut self, now: Time, flow: FlowId) -> Duration {
        let others = self.others(now, flow).scaled(self.settings.yielding);
        let Ok(at) = self.position(flow) else { return others.min(LONGEST) };
        let known = &self.flows[at];
        let own = known.need(now, &self.settings, &self.probing).scaled(self.settings.spacing);
        own.max(others).max(known.ahead).min(LONGEST)
    }

    /// A frame was heard: whether waves are worth while, or capture is a matter of chance (rule 8).
    pub(super) fn on_signal(&mut self, now: Time, rx: &Rx) {
        let Some(signal) = rx.signal else { return };
        if self.fading.on_heard(rx.from, now, signal, self.of_waves.variation) {
            self.settings = if self.fading.is_chance() { self.of_chance } else { self.of_waves };
        }
    }

    /// What every frame tells that was decoded here.
    pub(super) fn learn(&mut self, cx: &Cx, rx: &Rx, header: &Header) {
        let id = rx.packet.flow;
        let hop = rx.air_time + self.settings.link_acknowledgment;
        if header.goes_first {
            self.keep_clear_of(cx.now, id, hop);
        }
        let hop = hop + self.settings.hold;
        if id.destination == cx.me && rx.packet.payload.len() > Bytes(0) {
            let meets =
                |flow: &&mut Flow| (flow.id.source, flow.id.destination) == (cx.me, id.source);
            for flow in self.flows.iter_mut().filter(meets) {
                flow.source.reverse.on_heard(cx.now, header.left, hop, &self.settings);
            }
        }
        self.overhear(cx.now, rx.from, id, header);
    }

    /// A packet of `first`, which goes first, was heard or passed on; without contention a hop takes `hop` for it. The
    /// other flows keep clear of it (rule 9).
    pub(super) fn keep_clear_of(&mut self, now: Time, first: FlowId, hop: Duration) {
        let until = now + (hop + self.settings.hold).scaled(self.settings.first_clearance);
        for flow in self.flows.iter_mut().filter(|flow| flow.id != first) {
            flow.clear_until = flow.clear_until.max(until);
        }
    }

    /// What the neighbour `from` tells of the flow `id`.
    pub(super) fn overhear(&mut self, now: Time, from: NodeId, id: FlowId, header: &Header) {
        self.surroundings.learn(now, from, id, header.need);
        let Some(flow) = self.find(id) else { return };
        if flow.next == Some(from) {
            flow.ahead = header.period;
            if let Some(hops) = header.to_go {
                flow.to_go = Some(hops.saturating_add(1));
            }
        }
    }
}
