//! A transport under audit: every message, and every copy of one, leaves it once.

use multihop_core::{Cx, Effect, FlowId, Message, Packet, RouteNews, Time, Transport};

use super::{Shared, WITHOUT_END};

/// Which end of which flow a transport is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whose {
    /// The flow.
    pub(crate) flow: FlowId,
    /// What it sends belongs to this flow: the same, or its reverse.
    pub(crate) outgoing: FlowId,
}

pub(crate) struct AuditedTransport {
    whose: Whose,
    transport: Box<dyn Transport>,
    ledger: Shared,
    came: usize,
    went: usize,
    steps: usize,
}

impl AuditedTransport {
    pub(crate) fn new(whose: Whose, transport: Box<dyn Transport>, ledger: Shared) -> Self {
        AuditedTransport { whose, transport, ledger, came: 0, went: 0, steps: 0 }
    }

    fn call<R>(
        &mut self,
        cx: &mut Cx,
        handler: impl FnOnce(&mut dyn Transport, &mut Cx) -> R,
    ) -> R {
        let before = cx.effects.len();
        let result = handler(self.transport.as_mut(), cx);
        for effect in &cx.effects[before..] {
            match effect {
                Effect::Deliver(packet) => {
                    let data = packet.tag.is_data();
                    assert!(data || self.ledger.look().forgeries, "the application gets data");
                    self.went += usize::from(data);
                }
                Effect::Drop(packet, _) if packet.tag.is_data() => self.went += 1,
                Effect::Drop(..) => self.ledger.look().made += 1,
                Effect::Release(tag) => self.went += usize::from(tag.is_data()),
                Effect::Accept(tag) => self.came += usize::from(tag.is_data()),
                Effect::Gauge(flow, _) => assert_eq!(*flow, self.whose.flow, "of the data's flow"),
                Effect::Trace(..) => {}
                Effect::Withdraw(_)
                | Effect::Mark(_)
                | Effect::Decline
                | Effect::LinkBroken(_)
                | Effect::Estimate(_) => panic!("{effect:?} is not for a transport"),
            }
        }
        result
    }

    /// The transport was told something.
    fn tell<R>(
        &mut self,
        cx: &mut Cx,
        handler: impl FnOnce(&mut dyn Transport, &mut Cx) -> R,
    ) -> R {
        self.steps = 0;
        let result = self.call(cx, handler);
        self.balance();
        result
    }

    fn balance(&self) {
        let inside = self.transport.backlog();
        assert_eq!(self.came, self.went + inside, "books of {}", self.whose.outgoing);
    }
}

// What is not passed on would be a test of the default.
#[deny(clippy::missing_trait_methods)]
impl Transport for AuditedTransport {
    fn wants_message(&self, room: bool) -> bool {
        self.transport.wants_message(room)
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        self.came += 1;
        self.tell(cx, |end, cx| end.on_message(cx, message));
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        if packet.tag.is_data() {
            self.came += 1;
        } else {
            self.ledger.look().taken += 1;
        }
        self.tell(cx, |end, cx| end.on_packet(cx, packet));
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        self.tell(cx, |end, cx| end.on_route(cx, news));
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.tell(cx, |end, cx| end.on_deadline(cx));
        assert!(self.deadline() > cx.now, "a deadline of {} in the past", self.whose.outgoing);
    }

    fn deadline(&self) -> Time {
        self.transport.deadline()
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        self.steps += 1;
        assert!(self.steps < WITHOUT_END, "a transport that sends without end");
        let sent = self.call(cx, |end, cx| end.poll_send(cx));
        if let Some(packet) = &sent {
            assert_eq!(packet.flow, self.whose.outgoing);
            let data = packet.tag.is_data();
            let mut ledger = self.ledger.look();
            let own = self.transport.header_len();
            let headers = own..=own + ledger.hop_header;
            assert!(
                !data || headers.contains(&packet.headers.len()),
                "other headers than declared"
            );
            self.went += usize::from(data);
            ledger.made += usize::from(!data);
        }
        self.balance();
        sent
    }

    fn give_up(&mut self) -> Option<Packet> {
        let given_up = self.transport.give_up();
        if let Some(packet) = &given_up {
            let data = packet.tag.is_data();
            self.went += usize::from(data);
            self.ledger.look().made += usize::from(!data);
        }
        self.balance();
        given_up
    }

    fn backlog(&self) -> usize {
        self.transport.backlog()
    }

    fn header_len(&self) -> usize {
        self.transport.header_len()
    }
}
