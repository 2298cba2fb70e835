//! A queue whose packets contend as their next hop's backlog says.

use multihop_core::{
    Bytes, ContentionClass, Cx, Failed, FlowId, FrameClass, Heard, Hop, NodeId, Numbering, Outcome,
    Packet, Params, Protocol, Receiver, Rx, Time, TxDone, TxRequest, Verdict,
};

use super::header::{self, HEADER_LEN};
use super::occupancy::Sent;
use super::parameters::Settings;
use super::window::Access;
use crate::parts::fifo::Fifo;

/// Of how many successors a node knows something; then it forgets the one that was served longest ago.
const MOST_SUCCESSORS: usize = 64;

/// EZ-Flow at one node.
pub(super) struct EzFlow {
    settings: Settings,
    queue: Fifo,
    successors: Vec<Successor>,
    /// How many packets have started here.
    started: u64,
}

/// A neighbour that forwards packets from here.
struct Successor {
    node: NodeId,
    sent: Sent,
    access: Access,
    served: Time,
}

impl EzFlow {
    pub(super) fn new(params: &Params) -> Self {
        EzFlow {
            settings: Settings::new(params),
            queue: Fifo::new(params),
            successors: Vec::new(),
            started: 0,
        }
    }

    fn find(&mut self, node: NodeId) -> Option<&mut Successor> {
        self.successors.iter_mut().find(|successor| successor.node == node)
    }

    /// `node` has got `packet`, which it is to forward.
    fn on_passed(&mut self, now: Time, node: NodeId, packet: &Packet) {
        let Ok(number) = header::read(packet) else { return };
        if self.find(node).is_none() {
            if self.successors.len() >= MOST_SUCCESSORS {
                let oldest = self.successors.iter().map(|successor| successor.served).min();
                self.successors.retain(|successor| Some(successor.served) != oldest);
            }
            let access = Access::new(&self.settings);
            self.successors.push(Successor { node, sent: Sent::default(), access, served: now });
        }
        let most = self.settings.remembered;
        if let Some(successor) = self.find(node) {
            successor.sent.add((packet.flow, number), most);
            successor.served = now;
        }
    }

    /// `node` forwards `packet`, which may be from here.
    fn on_forwarded(&mut self, node: NodeId, packet: &Packet) {
        let EzFlow { settings, successors, .. } = self;
        let Some(successor) = successors.iter_mut().find(|known| known.node == node) else {
            return;
        };
        let name = header::read(packet).map(|number| (packet.flow, number));
        if let Some(backlog) = name.ok().and_then(|name| successor.sent.behind(name)) {
            successor.access.on_sample(backlog, settings);
        }
    }
}

impl Hop for EzFlow {
    fn has_room(&self, flow: FlowId) -> bool {
        self.queue.has_room(flow)
    }

    fn on_enqueue(&mut self, cx: &mut Cx, mut packet: Packet, next: NodeId) {
        if packet.protocol() == Protocol::Scheme && header::read(&packet).is_err() {
            self.started += 1;
            let number = Numbering::of_life(cx.incarnation).write(self.started).0 as u16;
            header::write(&mut packet, number);
        }
        self.queue.on_enqueue(cx, packet, next);
    }

    fn on_link_packet(&mut self, cx: &mut Cx, request: TxRequest) -> Option<TxRequest> {
        self.queue.on_link_packet(cx, request)
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        if rx.heard == Heard::Overheard {
            self.on_forwarded(rx.from, &rx.packet);
        }
        self.queue.on_heard(cx, rx)
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        if let (Outcome::Acknowledged, Receiver::Node(next)) = (done.outcome, done.to)
            && done.packet.flow.destination != next
        {
            self.on_passed(cx.now, next, &done.packet);
        }
        self.queue.on_tx_done(cx, done)
    }

    fn on_neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        self.successors.retain(|successor| successor.node != next);
        self.queue.on_neighbour_lost(cx, next)
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        let mut request = self.queue.poll_transmit(cx)?;
        if let Receiver::Node(next) = request.to
            && let Some(successor) = self.find(next)
        {
            let cw_min = successor.access.slots();
            request.contention = Some(ContentionClass::window(cw_min));
        }
        Some(request)
    }

    fn poll_more(&mut self, cx: &mut Cx, to: NodeId, room: Bytes) -> Option<TxRequest> {
        self.queue.poll_more(cx, to, room)
    }

    fn backlog(&self) -> usize {
        self.queue.backlog()
    }

    fn footprint(&self) -> usize {
        let sent: usize = self.successors.iter().map(|successor| successor.sent.len()).sum();
        self.backlog() + self.successors.len() + sent
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        self.queue.frame_class(packet)
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}
