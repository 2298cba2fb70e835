//! Two radios as a host sees them: what they put on the air, and what they do while they are off.

use multihop_core::{
    Below, Duration, FlowId, FrameClass, Medium, NodeId, Outcome, Packet, Payload, Power, Receiver,
    Report, Tag, Time, Told, TxDone, TxRequest, Wakes,
};
use multihop_scenario::from_toml;

use crate::medium;

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);

/// A and B, in reach of each other.
struct Pair {
    radio: Box<dyn Medium>,
    wakes: Wakes,
    now: Time,
    /// The frames that were on the air: number, transmitter, addressee, and whether it carries or announces a packet.
    sent: Vec<(u32, NodeId, Option<NodeId>, bool)>,
}

macro_rules! below {
    ($pair:ident) => {
        &mut Below { now: $pair.now, lag: Duration::ZERO, wakes: &mut $pair.wakes }
    };
}

impl Pair {
    fn new() -> Self {
        let text = "[topology]\nkind = \"chain\"\nhops = 1\n[scheme]\nname = \"udp\"\n\
                    [traffic]\nload = \"1 kbit/s\"\n";
        let setup = from_toml(text).and_then(|scenario| scenario.setup()).expect("it is valid");
        let (radio, wakes) = (medium(&setup), Wakes::new(2));
        Pair { radio, wakes, now: Time::ZERO, sent: Vec::new() }
    }

    fn switch(&mut self, node: NodeId, power: Power) -> Option<TxDone> {
        self.radio.switch(node, power, below!(self)).pop()
    }

    fn offer(&mut self) {
        let packet = Packet::new(FlowId::between(A, B), Payload::Virtual(512), Tag::default());
        let request = TxRequest::new(Receiver::Node(B), packet);
        self.radio.offer(A, &request, FrameClass::Data, below!(self));
    }

    fn transmit(&mut self, node: NodeId) -> usize {
        let reports = self.radio.transmit(node, below!(self));
        let frame = self.radio.transmission();
        self.sent.push((frame.number, frame.from, frame.to, frame.packet.is_some()));
        reports
    }

    /// A hands over a frame for B: how it ends, and how often B hears it.
    fn send(&mut self) -> (Outcome, usize) {
        self.offer();
        let (mut outcome, mut heard, mut told) = (None, 0, Told::default());
        while outcome.is_none() {
            let (due, node) = self.wakes.next();
            self.now = self.now.max(due);
            let woken = self.radio.on_deadline(node, below!(self));
            let more = if woken.on_air { self.transmit(node) } else { 0 };
            for _ in 0..woken.reports.max(more) {
                match self.radio.poll_report(self.now, &mut told) {
                    (A, Report::Done) => outcome = Some(told.done.outcome),
                    (B, Report::Hears) => heard += 1,
                    _ => {}
                }
            }
        }
        (outcome.expect("the loop has ended"), heard)
    }
}

#[test]
fn frames_are_numbered_and_say_whose_packet_they_are_about() {
    let mut pair = Pair::new();
    for _ in 0..2 {
        assert_eq!(pair.send(), (Outcome::Acknowledged, 1));
    }
    // Data has its packet, and the MAC's acknowledgment none.
    let (there, back) = ((A, Some(B), true), (B, Some(A), false));
    let expected = (0..).zip([there, back, there, back]);
    let expected: Vec<_> =
        expected.map(|(at, (from, to, packet))| (at, from, to, packet)).collect();
    assert_eq!(pair.sent, expected);
}

#[test]
fn a_radio_that_is_off_hears_and_acknowledges_nothing_until_it_is_on() {
    let mut pair = Pair::new();
    assert_eq!(pair.send(), (Outcome::Acknowledged, 1));
    assert_eq!(pair.switch(B, Power::Off), None);
    assert_eq!(pair.send(), (Outcome::Failed, 0));
    assert_eq!(pair.switch(B, Power::On), None);
    assert_eq!(pair.send(), (Outcome::Acknowledged, 1));
}

#[test]
fn what_a_radio_has_is_returned_when_it_is_switched_off() {
    let mut pair = Pair::new();
    pair.offer();
    assert!(!pair.radio.is_free(A));
    let done = pair.switch(A, Power::Off).expect("it had a frame");
    assert_eq!(done.outcome, Outcome::Withdrawn);
    pair.switch(A, Power::On);
    assert_eq!(pair.send(), (Outcome::Acknowledged, 1));
}
