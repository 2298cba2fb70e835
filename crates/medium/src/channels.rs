//! Channels beside the common one: nodes that have a second radio on such a channel send to each other there.
//!
//! Every channel is a medium of its own, with the MAC and the radio of the scenario: what is sent on one is not heard on
//! another. A frame for one node goes over the channel that both its ends are on, a frame for two nodes if all three are,
//! and all other frames over the common channel. A node hands over one frame at a time, whichever channel it goes over.
//!
//! Frames are numbered here, over all channels. What a node's radio does with its time, and who senses whom, is that of
//! the common channel.

use std::collections::VecDeque;

use multihop_core::{
    AddressTable, AirTime, BatchRoom, Below, Duration, FrameClass, FrameId, HandOver, Medium,
    NodeId, Power, RadioTotals, Receiver, Reception, Report, Time, Told, Transmission, TxDone,
    TxRequest, Wakes, Woken,
};
use multihop_setup::Setup;

/// The channel that all nodes are on.
const COMMON: usize = 0;

/// Nobody is on a channel in this time.
const NOWHEN: (Time, Time) = (Time::ZERO, Time::ZERO);

/// One channel.
struct Channel {
    medium: Box<dyn Medium>,
    /// Its own wake-up times.
    wakes: Wakes,
    /// The nodes that are on it.
    nodes: Vec<NodeId>,
    /// The numbers that its frames have over all channels, where receptions are watched or frames told of.
    numbers: Vec<u32>,
}

/// The common channel, and those beside it.
pub struct Channels {
    all: Vec<Channel>,
    addresses: AddressTable,
    /// Over which channel the last frame of each node went.
    over: Vec<usize>,
    /// From which channel the last packet came that each node heard.
    heard: Vec<usize>,
    /// From which channels reports are due, in their order.
    due: VecDeque<usize>,
    /// The channel and the number of the frame that was put on the air last.
    sent: (usize, u32),
    /// How many frames were.
    transmitted: u32,
}

/// Calls the medium of a channel for a node, and sets when the node is to be woken for any of them.
macro_rules! call {
    ($self:ident, $channel:expr, $below:expr, |$medium:ident, $inner:ident| $call:expr) => {{
        let channel = &mut $self.all[$channel];
        let $medium = &mut channel.medium;
        let $inner = &mut Below { now: $below.now, lag: $below.lag, wakes: &mut channel.wakes };
        let answer = $call;
        $self.set_wakes($channel, $below.wakes);
        answer
    }};
}

impl Channels {
    /// The channels of a run.
    pub fn new(setup: &Setup) -> Self {
        let nodes = setup.nodes.len();
        let everyone: Vec<NodeId> = (0..nodes as u32).map(NodeId).collect();
        let beside = (1u64..).zip(&setup.channels).map(|(number, on)| {
            let mut own = setup.clone();
            own.channels.clear();
            // backoffs, and what chance does to frames, are others on another channel
            own.seed = setup.seed.wrapping_add(number << 48);
            for (number, node) in (0u32..).map(NodeId).zip(&mut own.nodes) {
                if !on.contains(&number) {
                    node.track.present = vec![NOWHEN];
                }
            }
            (own, on.clone())
        });
        let mut common = setup.clone();
        common.channels.clear();
        let all = std::iter::once((common, everyone)).chain(beside);
        let channel = |(setup, on): (Setup, Vec<NodeId>)| Channel {
            medium: (setup.medium.mac.make)(&setup),
            wakes: Wakes::new(nodes),
            nodes: on,
            numbers: Vec::new(),
        };
        Channels {
            all: all.map(channel).collect(),
            addresses: setup.addresses.clone(),
            over: vec![COMMON; nodes],
            heard: vec![COMMON; nodes],
            due: VecDeque::new(),
            sent: (COMMON, 0),
            transmitted: 0,
        }
    }

    /// The channel over which a frame of `node` for these addresses goes.
    fn way(&self, node: NodeId, to: &Receiver) -> usize {
        let ends = match to {
            Receiver::Node(next) => [node, self.addresses.number(*next), node],
            Receiver::Pair(both) => {
                let [one, other] = both.map(|address| self.addresses.number(address));
                [node, one, other]
            }
            Receiver::Broadcast => return COMMON,
        };
        let joins = |channel: &usize| ends.iter().all(|end| self.is_on(*channel, *end));
        (1..self.all.len()).find(joins).unwrap_or(COMMON)
    }

    fn is_on(&self, channel: usize, node: NodeId) -> bool {
        channel == COMMON || self.all[channel].nodes.binary_search(&node).is_ok()
    }

    /// The channels that `node` is on.
    fn of(&self, node: NodeId) -> impl Iterator<Item = usize> {
        (0..self.all.len()).filter(move |channel| self.is_on(*channel, node))
    }

    /// What a channel has asked for becomes the wake-up times of its nodes: the earliest of all channels.
    fn set_wakes(&self, channel: usize, wakes: &mut Wakes) {
        for node in &self.all[channel].nodes {
            let earliest = self.all.iter().map(|channel| channel.wakes.below(*node)).min();
            let earliest = earliest.unwrap_or(Time::NEVER);
            if wakes.below(*node) != earliest {
                wakes.set_below(*node, earliest);
            }
        }
    }

    fn tell(&mut self, channel: usize, reports: usize) -> usize {
        self.due.extend(std::iter::repeat_n(channel, reports));
        reports
    }

    /// A channel puts its next frame on the air.
    fn count(&mut self, channel: usize) {
        self.all[channel].numbers.push(self.transmitted);
        self.sent = (channel, self.transmitted);
        self.transmitted += 1;
    }
}

/// `known` with the numbers that frames have over all channels.
fn renumbered(known: &Reception, numbers: &[u32]) -> Reception {
    let over_all = |number: u32| numbers[number as usize];
    Reception { frame: over_all(known.frame), by: known.by.map(over_all), ..*known }
}

impl Medium for Channels {
    fn begin(&mut self) {
        self.all.iter_mut().for_each(|channel| channel.medium.begin());
    }

    fn neighbours(&self) -> Vec<Vec<NodeId>> {
        self.all[COMMON].medium.neighbours()
    }

    fn air_time_metric(&self, from: NodeId, to: NodeId) -> Option<Duration> {
        self.all[COMMON].medium.air_time_metric(from, to)
    }

    fn link_layer_delay(&self) -> Duration {
        self.all[COMMON].medium.link_layer_delay()
    }

    fn is_free(&self, node: NodeId) -> bool {
        self.of(node).all(|channel| self.all[channel].medium.is_free(node))
    }

    fn offer(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below,
    ) -> usize {
        let channel = self.way(node, &request.to);
        self.over[node.index()] = channel;
        let reports =
            call!(self, channel, below, |medium, inner| medium.offer(node, request, class, inner));
        self.tell(channel, reports)
    }

    fn room(&self, node: NodeId) -> Option<BatchRoom> {
        self.all[self.over[node.index()]].medium.room(node)
    }

    fn join(&mut self, node: NodeId, request: &TxRequest, class: FrameClass, below: &mut Below) {
        let channel = self.over[node.index()];
        call!(self, channel, below, |medium, inner| medium.join(node, request, class, inner));
    }

    fn depart(&mut self, node: NodeId, below: &mut Below) -> Woken {
        let channel = self.over[node.index()];
        let woken = call!(self, channel, below, |medium, inner| medium.depart(node, inner));
        self.on_woken(channel, woken)
    }

    fn withdraw(&mut self, node: NodeId, frame: FrameId, below: &mut Below) -> Option<TxDone> {
        let channel = self.over[node.index()];
        call!(self, channel, below, |medium, inner| medium.withdraw(node, frame, inner))
    }

    fn mark(&mut self, node: NodeId, frame: FrameId) {
        self.all[self.over[node.index()]].medium.mark(node, frame);
    }

    fn decline(&mut self, node: NodeId, below: &mut Below) {
        let channel = self.heard[node.index()];
        call!(self, channel, below, |medium, inner| medium.decline(node, inner));
    }

    fn on_deadline(&mut self, node: NodeId, below: &mut Below) -> Woken {
        let is_due = |channel: &usize| self.all[*channel].wakes.is_below_due(node, below.now);
        // if several are, the host is asked to come again at once
        let Some(channel) = self.of(node).find(is_due) else { return Woken::default() };
        let woken = call!(self, channel, below, |medium, inner| medium.on_deadline(node, inner));
        self.on_woken(channel, woken)
    }

    fn transmit(&mut self, node: NodeId, below: &mut Below) -> usize {
        let channel = self.sent.0;
        let reports = call!(self, channel, below, |medium, inner| medium.transmit(node, inner));
        self.tell(channel, reports)
    }

    fn transmission(&self) -> Transmission<'_> {
        let (channel, number) = self.sent;
        Transmission { number, ..self.all[channel].medium.transmission() }
    }

    fn poll_report(&mut self, now: Time, told: &mut Told) -> (NodeId, Report) {
        let channel = self.due.pop_front().expect("the host is told how many there are");
        let (node, report) = self.all[channel].medium.poll_report(now, told);
        let report = match report {
            Report::Transmits => {
                self.count(channel);
                Report::Transmits
            }
            Report::Received(known) => {
                Report::Received(renumbered(&known, &self.all[channel].numbers))
            }
            Report::Hears => {
                self.heard[node.index()] = channel;
                Report::Hears
            }
            other => other,
        };
        (node, report)
    }

    fn restart(&mut self, node: NodeId, below: &mut Below) -> Vec<TxDone> {
        let on: Vec<usize> = self.of(node).collect();
        let restarted = |channel: usize| {
            call!(self, channel, below, |medium, inner| medium.restart(node, inner))
        };
        on.into_iter().flat_map(restarted).collect()
    }

    fn switch(&mut self, node: NodeId, power: Power, below: &mut Below) -> Vec<TxDone> {
        let on: Vec<usize> = self.of(node).collect();
        let switched = |channel: usize| {
            call!(self, channel, below, |medium, inner| medium.switch(node, power, inner))
        };
        on.into_iter().flat_map(switched).collect()
    }

    fn set_promiscuous(&mut self, node: NodeId, on: bool) {
        self.all.iter_mut().for_each(|channel| channel.medium.set_promiscuous(node, on));
    }

    fn set_listening(&mut self, node: NodeId, on: bool, below: &mut Below) {
        for channel in 0..self.all.len() {
            call!(self, channel, below, |medium, inner| medium.set_listening(node, on, inner));
        }
    }

    fn watch_air(&mut self, node: NodeId) {
        self.all[COMMON].medium.watch_air(node);
    }

    fn air(&mut self, node: NodeId, now: Time) -> AirTime {
        self.all[COMMON].medium.air(node, now)
    }

    fn totals(&self, node: NodeId, now: Time) -> RadioTotals {
        let totals = self.of(node).map(|channel| self.all[channel].medium.totals(node, now));
        totals.fold(RadioTotals::default(), RadioTotals::with)
    }

    fn watch_receptions(&mut self, sensed: bool) {
        self.all.iter_mut().for_each(|channel| channel.medium.watch_receptions(sensed));
    }

    fn receptions(&mut self, now: Time, which: HandOver, tell: &mut dyn FnMut(&[Reception])) {
        for Channel { medium, numbers, .. } in &mut self.all {
            medium.receptions(now, which, &mut |known| {
                let known: Vec<_> = known.iter().map(|one| renumbered(one, numbers)).collect();
                tell(&known);
            });
        }
    }

    fn is_moving(&self) -> bool {
        self.all[COMMON].medium.is_moving()
    }

    fn sensing(&mut self, now: Time) -> Vec<Vec<NodeId>> {
        self.all[COMMON].medium.sensing(now)
    }

    fn in_range(&self, node: NodeId, other: NodeId, now: Time) -> bool {
        self.all[COMMON].medium.in_range(node, other, now)
    }
}

impl Channels {
    fn on_woken(&mut self, channel: usize, woken: Woken) -> Woken {
        self.tell(channel, woken.reports);
        if woken.on_air {
            self.count(channel);
        }
        woken
    }
}
