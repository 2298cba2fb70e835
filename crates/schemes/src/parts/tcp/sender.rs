//! The sending end of a connection, as the node sees it.

use core::cmp::Ordering;

use multihop_core::{
    Cx, DropCause, EventKind, FlowId, Message, Packet, RouteNews, Time, Transport,
};

use super::Settings;
use super::connection::Connection;
use super::control::CongestionControl;
use super::elfn::Elfn;
use super::header::{Ack, Header, Kind};
use super::options::Options;
use crate::parts::pacer::Pacer;

/// A connection and its congestion control.
pub struct Sender<C> {
    flow: FlowId,
    header_len: usize,
    heed_ack_marks: bool,
    tcp: Connection,
    elfn: Elfn,
    pacer: Pacer,
    control: C,
    /// What the congestion control begins with.
    fresh: C,
    /// The number that the receiver of a connection expects of which this life knows nothing.
    stale: Option<u32>,
}

impl<C: CongestionControl> Sender<C> {
    /// The sending end of `flow`.
    pub fn new(settings: Settings, flow: FlowId, control: C) -> Self {
        let settings = settings.with_options(C::OPTIONS);
        let tcp = Connection::new(settings, flow);
        let Settings { header, heed_ack_marks, elfn, .. } = settings;
        Sender {
            flow,
            header_len: header,
            heed_ack_marks,
            tcp,
            elfn,
            pacer: Pacer::default(),
            fresh: control.clone(),
            control,
            stale: None,
        }
    }

    /// The receiver has restarted.
    fn start_over(&mut self, cx: &mut Cx) {
        self.tcp.start_over(cx);
        self.control = self.fresh.clone();
        self.pacer.restart();
        self.elfn.on_acknowledgment();
        self.stale = None;
    }

    fn on_acknowledgment(&mut self, cx: &mut Cx, ack: &Ack) {
        if self.elfn.on_acknowledgment() {
            self.tcp.resume(cx.now);
        }
        if self.tcp.echoes(ack) {
            self.tcp.on_echo(cx, ack);
        }
        match ack.sequence.cmp(&self.tcp.unacknowledged) {
            Ordering::Greater => {
                self.tcp.burst = u32::MAX;
                self.control.on_ack(&mut self.tcp, cx, ack);
            }
            Ordering::Equal if ack.sequence > 0 => {
                self.control.on_duplicate_ack(&mut self.tcp, cx, ack);
            }
            Ordering::Equal | Ordering::Less => self.control.on_old_ack(&mut self.tcp, ack),
        }
    }

    fn transmit(&mut self, cx: &mut Cx, sequence: u64) -> Packet {
        let mut options = Options::default();
        self.control.on_transmit(cx.now, sequence, &mut options);
        self.pacer.on_sent(cx.now, self.control.allowance(&self.tcp).pace);
        let mut packet = self.tcp.transmit(cx, sequence, options);
        self.control.on_departure(&self.tcp, &mut packet);
        packet
    }
}

impl<C: CongestionControl> Transport for Sender<C> {
    fn wants_message(&self, _room: bool) -> bool {
        self.tcp.unsent() == 0
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        self.tcp.on_message(cx, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let Ok(header) = Header::of(&packet) else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            return cx.drop(packet, DropCause::Malformed);
        };
        let segment = self.tcp.segment(header.sequence);
        match (header.kind, segment) {
            (Kind::Ack, Some(sequence)) if sequence <= self.tcp.sent => {
                let marked = self.heed_ack_marks && packet.congestion_experienced;
                let (echo, options) = (header.echo || marked, header.options);
                self.control.on_arrival(cx, &packet);
                self.on_acknowledgment(cx, &Ack { sequence, echo, options });
            }
            // RFC 9293, 3.5.1, figure 9: the receiver still has a connection of an earlier life. It is
            // told that there is none, and asked again.
            (Kind::Ack, _) if self.tcp.is_opening() => {
                self.stale = Some(header.sequence);
                self.tcp.force(0);
            }
            (Kind::Reset, Some(sequence)) if self.tcp.is_under_way(sequence) => self.start_over(cx),
            // Of an earlier connection.
            (Kind::Ack | Kind::Reset, None) => cx.drop(packet, DropCause::Restarted),
            // Not for a sender, or about what was never sent.
            _ => {
                cx.trace(EventKind::Malformed, self.flow, header.sequence, packet.tag);
                cx.drop(packet, DropCause::Malformed);
            }
        }
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        let lost = matches!(news, RouteNews::Lost(_));
        if lost && self.tcp.unacknowledged < self.tcp.sent && self.elfn.on_lost(cx.now) {
            self.tcp.stand_by();
            self.control.on_standby();
        }
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        if self.elfn.stands_by() {
            self.elfn.on_deadline(cx.now);
        } else if self.tcp.deadline() <= cx.now {
            self.control.on_retransmission_timeout(&mut self.tcp, cx);
        } else if self.control.deadline(&self.tcp) <= cx.now {
            self.control.on_deadline(&mut self.tcp, cx);
        }
        self.pacer.on_deadline(cx.now);
    }

    fn deadline(&self) -> Time {
        if self.elfn.stands_by() {
            return self.elfn.deadline();
        }
        let own = self.control.deadline(&self.tcp);
        self.tcp.deadline().min(own).min(self.pacer.deadline())
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        if let Some(number) = self.stale.take() {
            return Some(self.tcp.reset(number));
        }
        if self.elfn.stands_by() {
            let probes = self.elfn.poll_probe(cx.now);
            return probes.then(|| self.transmit(cx, self.tcp.unacknowledged));
        }
        let sequence = match self.tcp.next_forced() {
            Some(forced) => forced,
            None if self.tcp.burst == 0 || !self.pacer.permits(cx.now) => return None,
            None => {
                let next = self.control.next_segment(&mut self.tcp, cx.now)?;
                self.tcp.burst -= 1;
                next
            }
        };
        Some(self.transmit(cx, sequence))
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.tcp.give_up()
    }

    fn backlog(&self) -> usize {
        self.tcp.backlog()
    }

    fn header_len(&self) -> usize {
        self.header_len
    }
}
