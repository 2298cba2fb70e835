//! What is written down of a run: counts, measures, and the trace.

use multihop_core::{DropCause, Event, EventKind, FlowId, Gauge, NodeId, Tag, TxDone};
use multihop_medium::{Carrier, Transmission};
use multihop_trace::{EventRow, What};

use super::{OFF_ROUTE, Simulation};

impl Simulation {
    pub(super) fn dropped(&mut self, node: NodeId, tag: Tag, cause: DropCause) {
        self.books.dropped(tag, cause, self.now);
        if let Some(gauges) = self.gauges.get_mut(tag.source as usize) {
            gauges.on_drop(tag.is_data(), cause);
        }
        self.trace(node, What::Drop, tag, cause.name());
    }

    pub(super) fn on_transmission(&mut self, frame: &Transmission) {
        let (node, now) = (frame.from, self.now);
        self.fingerprint.mix(now.nanos() ^ u64::from(node.0) << 48 ^ frame.air_time.nanos() << 16);
        if let Some(tag) = frame.tag {
            let position = self.position(tag, node);
            if position != OFF_ROUTE {
                self.books.sent(tag, position, now);
            }
        }
        if now >= self.setup.warmup {
            self.transmissions += 1;
            self.counts[node.index()].transmitted(frame);
        }
        self.trace_frame(What::TransmitStart, node, frame, "");
    }

    pub(super) fn on_event(&mut self, node: NodeId, event: Event, tag: Tag) {
        if let Some(index) = self.source_of(node, event.flow) {
            self.gauges[index].on_event(event.kind);
        }
        if event.kind == EventKind::Marked && self.now >= self.setup.warmup {
            self.counts[node.index()].marks += 1;
        }
        let mut cause = "";
        if event.kind == EventKind::Retransmission {
            let position = self.position(tag, node);
            let reason = self.books.reason(tag, position);
            cause = reason.name();
            if self.now >= self.setup.warmup {
                self.counts[node.index()].retransmissions[reason as usize] += 1;
            }
        }
        self.trace(node, What::Protocol(event.kind), tag, cause);
    }

    pub(super) fn position(&self, tag: Tag, node: NodeId) -> u8 {
        let positions = self.positions.get(tag.source as usize);
        positions.map_or(OFF_ROUTE, |positions| positions[node.index()])
    }

    /// The source at `node` whose flow is `flow`.
    pub(super) fn source_of(&self, node: NodeId, flow: FlowId) -> Option<usize> {
        if flow.source == node { self.source_of.get(&flow).copied() } else { None }
    }

    pub(super) fn on_gauge(&mut self, node: NodeId, flow: FlowId, gauge: Gauge) {
        let Some(index) = self.source_of(node, flow) else { return };
        self.gauges[index].on_gauge(gauge, self.now, self.setup.series_interval);
        if let Some(events) = &mut self.events {
            let tag = Some(Tag { source: index as u32, number: 0 }.control());
            match gauge {
                Gauge::Window(window) => events.push(EventRow {
                    tag,
                    value: f64::from(window) / 1000.0,
                    ..EventRow::new(self.now, node, What::Window)
                }),
                Gauge::RoundTrip(duration) => {
                    let row = EventRow::new(self.now, node, What::RoundTrip);
                    events.push(EventRow { tag, duration, ..row });
                }
                Gauge::Acknowledged(_) => {}
            }
        }
    }

    /// Routing at `node` takes the link to `next` for broken. It is mistaken if `next` is in
    /// range: the medium was busy, and the route is as good as before.
    pub(super) fn link_broken(&mut self, node: NodeId, next: NodeId) {
        let mistaken = self.carrier.in_range(node, next, self.now);
        if self.now >= self.setup.warmup {
            let count = &mut self.counts[node.index()];
            count.link_failures += 1;
            count.false_link_failures += u64::from(mistaken);
        }
        if let Some(events) = &mut self.events {
            let cause = if mistaken { "in_range" } else { "out_of_range" };
            let row = EventRow::new(self.now, node, What::LinkBroken);
            events.push(EventRow { peer: Some(next), cause, ..row });
        }
    }

    pub(super) fn service_started(&mut self, node: NodeId, tag: Tag) {
        self.service[node.index()] = self.now;
        if self.watched {
            self.watch_service(
                node,
                true,
                EventRow { tag: Some(tag), ..EventRow::new(self.now, node, What::ServiceStart) },
            );
        }
    }

    pub(super) fn service_ended(&mut self, node: NodeId, done: &TxDone) {
        let duration = self.now.since(self.service[node.index()]);
        if self.now >= self.setup.warmup {
            self.counts[node.index()].served(duration, done.retries);
        }
        if self.watched {
            self.watch_service(
                node,
                false,
                EventRow {
                    tag: Some(done.packet.tag),
                    value: f64::from(done.retries),
                    duration,
                    cause: done.outcome.name(),
                    ..EventRow::new(self.now, node, What::ServiceEnd)
                },
            );
        }
    }

    /// A packet comes to the MAC of `node`, or leaves it.
    #[cold]
    fn watch_service(&mut self, node: NodeId, enters: bool, row: EventRow) {
        if let Some(events) = &mut self.events {
            events.push(row);
        }
        if let Some(congestion) = &mut self.congestion {
            if self.carrier.is_moving() && congestion.is_outdated(self.now) {
                congestion.on_move(self.carrier.sensing(self.now), self.now);
            }
            if enters {
                congestion.enter(node, self.now);
            } else {
                congestion.leave(node, self.now);
            }
        }
        if let (Some(events), Some(congestion)) = (&mut self.events, &self.congestion) {
            for (near, potential) in congestion.near(node) {
                let row = EventRow::new(self.now, near, What::CongestionPotential);
                events.push(EventRow { value: potential as f64, ..row });
            }
        }
    }

    /// The warm-up is over: measurements that stations add up start from here.
    pub(super) fn begin_measuring(&mut self) {
        let (warmup, interval) = (self.setup.warmup, self.setup.series_interval);
        self.gauges.iter_mut().for_each(|gauges| gauges.restart(warmup, interval));
        if let Some(congestion) = &mut self.congestion {
            congestion.restart(warmup);
        }
        let Carrier::Radio(radio) = &self.carrier else { return };
        for (count, station) in self.counts.iter_mut().zip(&radio.stations) {
            count.before = station.air_times(self.setup.warmup);
            count.losses_before = station.losses();
        }
    }

    pub(super) fn trace(&mut self, node: NodeId, what: What, tag: Tag, cause: &'static str) {
        if self.events.is_some() {
            let row = EventRow::new(self.now, node, what);
            self.write(EventRow { tag: Some(tag), cause, ..row });
        }
    }

    #[cold]
    fn write(&mut self, row: EventRow) {
        if let Some(events) = &mut self.events {
            events.push(row);
        }
    }

    pub(super) fn trace_frame(
        &mut self,
        what: What,
        node: NodeId,
        frame: &Transmission,
        cause: &'static str,
    ) {
        if self.events.is_some() {
            self.write(EventRow {
                frame: frame.label,
                peer: if what == What::TransmitStart { frame.to } else { Some(frame.from) },
                tag: frame.tag,
                bytes: frame.bytes,
                duration: frame.air_time,
                cause,
                ..EventRow::new(self.now, node, what)
            });
        }
    }
}
