//! LECN 3.2: "A node starts a timer when a packet enters its MAC, and sets the ECN bit of the
//! packet if the packet still waits for successful transmission after a threshold T."

use multihop_core::{
    Cx, Duration, EventKind, FlowId, FrameId, Leaving, Packet, Params, Stamp, Tag, Time, TxDone,
};

/// The timer of one node's MAC.
pub struct Lecn {
    threshold: Duration,
    /// The packet in the MAC, unless it is marked.
    watched: Option<(Time, FlowId, Tag)>,
}

impl Lecn {
    /// With the parameter `threshold`.
    pub fn new(params: &Params) -> Self {
        Lecn { threshold: params.get(super::THRESHOLD), watched: None }
    }
}

impl Stamp for Lecn {
    type Note = ();

    fn on_enqueue(&mut self, _cx: &mut Cx, _packet: &mut Packet) {}

    fn on_forward(&mut self, cx: &mut Cx, packet: &mut Packet, (): (), _leaving: Leaving) {
        if packet.congestion_experienced {
            return;
        }
        if self.threshold == Duration::ZERO {
            packet.congestion_experienced = true;
            cx.trace(EventKind::Marked, packet.flow, 0, packet.tag);
        } else {
            self.watched = Some((cx.now + self.threshold, packet.flow, packet.tag));
        }
    }

    fn on_tx_done(&mut self, _cx: &mut Cx, _done: &TxDone) {
        self.watched = None;
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        if let Some((_, flow, tag)) = self.watched.take_if(|(at, ..)| *at <= cx.now) {
            cx.mark(FrameId::ONLY);
            cx.trace(EventKind::Marked, flow, 0, tag);
        }
    }

    fn deadline(&self) -> Time {
        self.watched.map_or(Time::NEVER, |(at, ..)| at)
    }
}
