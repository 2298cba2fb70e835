//! 3.2, 3.3: what a station measures, and what it writes into the packets that pass. No state per flow.

use multihop_core::{
    AirTime, Cx, Duration, Estimate, Heard, Leaving, NodeId, Outcome, Packet, Params, Receiver,
    RouteNews, Rx, Stamp, Time, TxDone,
};

use super::aggregate::{Gains, Metrics};
use super::bandwidth::LinkThroughput;
use super::neighbours::NeighbourCount;
use super::own_use::OwnUse;
use super::parameters::{NEIGHBOURS, OWN_USE, QUEUE, TIME_FAIRNESS, Use};
use crate::parts::explicit::header::{PATH_HEADER_LEN, PathHeader, read};
use crate::parts::explicit::interval::{Closed, Found, Intervals};
use crate::parts::explicit::share::{Division, Shares};

/// A station.
pub struct Station {
    gains: Gains,
    division: Division,
    time_fairness: bool,
    intervals: Intervals,
    links: LinkThroughput,
    neighbours: NeighbourCount,
    /// What the radio had done when the interval began.
    air: AirTime,
    /// What its own packets take besides, if that counts.
    own: Option<OwnUse>,
    /// In this interval: how often packets were tried again that were then delivered, and their number.
    retries: u64,
    delivered: u64,
}

impl Station {
    /// With the parameters of WXCP.
    pub fn new(params: &Params) -> Self {
        Station {
            gains: Gains::new(params),
            division: Division::new(params),
            time_fairness: params.get(TIME_FAIRNESS),
            intervals: Intervals::new(params, params.get(QUEUE)),
            links: LinkThroughput::new(params),
            neighbours: NeighbourCount::new(params.get(NEIGHBOURS)),
            air: AirTime::default(),
            own: (params.get(OWN_USE) == Use::Service).then(OwnUse::default),
            retries: 0,
            delivered: 0,
        }
    }

    /// A packet has found the station so.
    fn on_found(&mut self, cx: &Cx, found: Found) {
        if found == Found::Forgotten {
            self.links.clear();
        }
        if found != Found::Running {
            self.neighbours.take();
            self.begin(cx);
        }
    }

    /// What is measured in an interval begins.
    fn begin(&mut self, cx: &Cx) {
        self.air = cx.air;
        self.contending(cx);
        (self.retries, self.delivered) = (0, 0);
    }

    /// How long its MAC has waited for a free medium in this interval, if that counts.
    fn contending(&mut self, cx: &Cx) -> Duration {
        self.own.as_mut().map_or(Duration::ZERO, |own| own.take(cx.now, &cx.air))
    }

    fn metrics(&mut self, cx: &Cx, closed: &Closed) -> Metrics {
        let busy = (cx.air - self.air).busy() + self.contending(cx);
        self.links.close(cx.now);
        Metrics {
            interval: closed.length,
            free: closed.length.saturating_sub(busy),
            bandwidth: self.links.mean().unwrap_or(0),
            neighbours: self.neighbours.take(),
            queue: closed.queue,
            retries: self.retries,
            delivered: self.delivered,
        }
    }

    /// `bw_k` for what goes to `to`; without a sample yet the mean of all, and without that the same
    /// for everybody.
    fn throughput(&self, to: Receiver) -> u32 {
        match to {
            Receiver::Node(to) if self.time_fairness => {
                self.links.of(to).or_else(|| self.links.mean()).unwrap_or(1)
            }
            _ => 1,
        }
    }
}

impl Stamp for Station {
    type Note = ();

    fn on_enqueue(&mut self, cx: &mut Cx, packet: &mut Packet) {
        let found = self.intervals.on_arrival(cx.now, packet);
        self.on_found(cx, found);
    }

    fn on_forward(&mut self, cx: &mut Cx, packet: &mut Packet, (): (), leaving: Leaving) {
        let found = self.intervals.on_departure(cx.now, packet, leaving.bytes_behind);
        self.on_found(cx, found);
        if let Some(own) = &mut self.own {
            own.on_start(cx.now, &cx.air);
        }
        let Some(header) = read(cx, packet) else { return };
        let Some(flow) = header.flow else { return };
        let throughput = self.throughput(leaving.to);
        let passing = self.intervals.passing(flow, packet.len(), throughput);
        let feedback = self.intervals.feed(&passing, header.feedback);
        PathHeader { feedback, ..header }.write(packet);
    }

    fn promiscuous(&self) -> bool {
        true
    }

    fn on_heard(&mut self, _cx: &mut Cx, rx: &Rx) {
        if self.listens() && rx.heard != Heard::Broadcast {
            self.neighbours.add(rx);
        }
    }

    fn watches_air(&self) -> bool {
        true
    }

    /// A station measures as long as it has traffic.
    fn listens(&self) -> bool {
        self.intervals.deadline() != Time::NEVER
    }

    fn on_neighbour_lost(&mut self, next: NodeId) {
        self.links.on_lost(next);
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        if !matches!(news, RouteNews::Lost(_)) {
            self.links.on_route(cx.now);
        }
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) {
        self.intervals.on_done(&done.packet);
        if let Some(own) = &mut self.own {
            own.on_end(cx.now, &cx.air);
        }
        let (Outcome::Acknowledged, Receiver::Node(to)) = (done.outcome, done.to) else { return };
        self.retries += u64::from(done.retries);
        self.delivered += 1;
        self.links.add(cx.now, to, done.packet.len(), done.service_share());
    }

    fn header_len(&self) -> usize {
        PATH_HEADER_LEN
    }

    fn footprint(&self) -> usize {
        self.links.count()
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        let Some(closed) = self.intervals.close(cx.now) else { return };
        let metrics = self.metrics(cx, &closed);
        let Metrics { interval, free, bandwidth: throughput, .. } = metrics;
        cx.estimate(Estimate { interval, free, throughput });
        let aggregate = metrics.aggregate(self.gains);
        let shares = Shares::new(aggregate, closed.sums, closed.length, self.division);
        self.begin(cx);
        self.intervals.begin(cx.now, shares);
    }

    fn deadline(&self) -> Time {
        self.intervals.deadline()
    }
}
