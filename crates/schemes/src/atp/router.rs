//! What a node knows of itself, and writes into the packets that pass. No state per flow.

use multihop_core::{Cx, Duration, Leaving, Outcome, Packet, Params, Stamp, Time, TxDone};

use super::parameters::{ALPHA, ETA};
use crate::parts::mean::Average;
use crate::parts::reliable::{EPOCH, PATH_HEADER_LEN, PathHeader, PathKind};

/// The delays of one node.
pub struct AtpRouter {
    eta: f64,
    idle_after: Duration,
    /// Q in seconds: from the queue's end to its head.
    queueing: Average,
    /// T in seconds: from the queue's head to the end of a successful transmission.
    transmission: Average,
    /// When a packet other than a probe has left the queue.
    busy_at: Option<Time>,
}

impl AtpRouter {
    /// With the parameters `alpha`, `eta` and `epoch`.
    pub fn new(params: &Params) -> Self {
        let alpha = params.get(ALPHA);
        AtpRouter {
            eta: params.get(ETA),
            idle_after: params.get(EPOCH),
            queueing: Average::new(alpha),
            transmission: Average::new(alpha),
            busy_at: None,
        }
    }

    fn is_idle(&self, now: Time) -> bool {
        self.busy_at.is_none_or(|at| now.since(at) > self.idle_after)
    }

    /// Q + T in microseconds, at least one, if this node has ever sent something.
    fn delay_us(&self, factor: f64) -> Option<u32> {
        let delay = self.queueing.get()? + self.transmission.get()?;
        Some(((delay * factor * 1e6) as u32).max(1))
    }
}

impl Stamp for AtpRouter {
    /// When the packet came.
    type Note = Option<Time>;

    fn on_enqueue(&mut self, cx: &mut Cx, _packet: &mut Packet) -> Option<Time> {
        Some(cx.now)
    }

    fn on_forward(
        &mut self,
        cx: &mut Cx,
        packet: &mut Packet,
        came: Option<Time>,
        _leaving: Leaving,
    ) {
        let mut header = PathHeader::of(packet).unwrap_or_default();
        if let Some(came) = came {
            self.queueing.add(cx.now.since(came).seconds());
        }
        let projects = header.kind == PathKind::Probe && self.is_idle(cx.now);
        if let Some(own) = self.delay_us(if projects { self.eta } else { 1.0 }) {
            header.delay_us = header.delay_us.max(own);
        }
        if header.kind != PathKind::Probe {
            self.busy_at = Some(cx.now);
        }
        header.write(packet);
    }

    fn on_tx_done(&mut self, _cx: &mut Cx, done: &TxDone) {
        if let Outcome::Sent | Outcome::Acknowledged = done.outcome {
            self.transmission.add(done.service_share().seconds());
        }
    }

    fn header_len(&self) -> usize {
        PATH_HEADER_LEN
    }
}
