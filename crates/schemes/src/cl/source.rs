//! The source: it is told how long its route is, and keeps to the rate of that length (3.2).

use multihop_core::{Bytes, Cx, Duration, Message, Packet, RouteNews, Time, Transport};

use super::rates::Rates;
use crate::parts::pacer::Pacer;

/// What a source does while it has no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutRoute {
    /// "periodically transmit packets to encourage farther route discoveries"
    Probe,
    /// "stop transmitting at all"
    Stop,
}

/// A transport whose packets go at the rate of the route's length.
pub struct Paced {
    inner: Box<dyn Transport>,
    rates: Rates,
    without_route: WithoutRoute,
    probe_interval: Duration,
    pacer: Pacer,
    /// The length of the route; `None` if there is none.
    hops: Option<u32>,
    /// When the last packet went, and how long it was.
    last: Option<(Time, Bytes)>,
}

impl Paced {
    /// The packets of `inner` go at these `rates`.
    pub fn new(
        inner: Box<dyn Transport>,
        rates: Rates,
        without_route: WithoutRoute,
        probe_interval: Duration,
    ) -> Self {
        let pacer = Pacer::default();
        let (hops, last) = (None, None);
        Paced { inner, rates, without_route, probe_interval, pacer, hops, last }
    }

    /// The time from a packet of this length to the next one.
    fn pace(&self, packet: Bytes) -> Duration {
        self.hops.map_or(self.probe_interval, |hops| self.rates.interval(hops, packet))
    }

    /// Whether a packet may go at all. The first one does in any case: it makes routing search.
    fn is_allowed(&self) -> bool {
        self.hops.is_some() || self.without_route == WithoutRoute::Probe || self.last.is_none()
    }
}

impl Transport for Paced {
    fn wants_message(&self, room: bool) -> bool {
        self.inner.wants_message(room)
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        self.inner.on_message(cx, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        self.inner.on_packet(cx, packet);
    }

    /// "The callback function is invoked whenever the route length to the destination node changes".
    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.inner.on_route(cx, news);
        match news {
            RouteNews::Found { hops, .. } | RouteNews::Changed { hops, .. } => {
                self.hops = Some(hops);
                if let Some((at, packet)) = self.last {
                    self.pacer.on_sent(at, self.pace(packet));
                }
            }
            // the next packet goes when it was due, and routing searches for its sake
            RouteNews::Lost(_) => self.hops = None,
        }
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.pacer.on_deadline(cx.now);
        if self.inner.deadline() <= cx.now {
            self.inner.on_deadline(cx);
        }
    }

    fn deadline(&self) -> Time {
        self.pacer.deadline().min(self.inner.deadline())
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        if self.inner.backlog() == 0 || !self.is_allowed() || !self.pacer.permits(cx.now) {
            return None;
        }
        let packet = self.inner.poll_send(cx)?;
        self.last = Some((cx.now, packet.len()));
        self.pacer.on_sent(cx.now, self.pace(packet.len()));
        Some(packet)
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.inner.give_up()
    }

    fn backlog(&self) -> usize {
        self.inner.backlog()
    }

    fn header_len(&self) -> usize {
        self.inner.header_len()
    }
}
