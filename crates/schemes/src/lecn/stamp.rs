//! LECN 3.2: "A node starts a timer when a packet enters its MAC, and sets the ECN bit of the
//! packet if the packet still waits for successful transmission after a threshold T."

use multihop_core::{
    Cx, Duration, EventKind, FlowId, FrameId, Leaving, LinkTiming, Packet, Params, Stamp, Tag,
    Time, TxDone,
};

/// T, from which on a packet is marked.
enum Threshold {
    Time(Duration),
    /// So many times what the packet's hop takes on an idle medium.
    Exchanges(f64, LinkTiming),
}

impl Threshold {
    fn of(&self, packet: &Packet) -> Duration {
        match self {
            Threshold::Time(time) => *time,
            Threshold::Exchanges(count, link) => link.exchange_time(packet.len()).scaled(*count),
        }
    }
}

/// The timer of one node's MAC.
pub struct Lecn {
    threshold: Threshold,
    /// The packet in the MAC, unless it is marked.
    watched: Option<(Time, FlowId, Tag)>,
}

impl Lecn {
    /// With the parameters `threshold` and `threshold_exchanges`.
    pub fn new(params: &Params) -> Self {
        let count = params.get(super::THRESHOLD_EXCHANGES);
        let threshold = if count > 0.0 {
            Threshold::Exchanges(count, params.link)
        } else {
            Threshold::Time(params.get(super::THRESHOLD))
        };
        Lecn { threshold, watched: None }
    }
}

impl Stamp for Lecn {
    type Note = ();

    fn on_enqueue(&mut self, _cx: &mut Cx, _packet: &mut Packet) {}

    fn on_forward(&mut self, cx: &mut Cx, packet: &mut Packet, (): (), _leaving: Leaving) {
        if packet.congestion_experienced {
            return;
        }
        let threshold = self.threshold.of(packet);
        if threshold == Duration::ZERO {
            packet.congestion_experienced = true;
            cx.trace(EventKind::Marked, packet.flow, 0, packet.tag);
        } else {
            self.watched = Some((cx.now + threshold, packet.flow, packet.tag));
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
