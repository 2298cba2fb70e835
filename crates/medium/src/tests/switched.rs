//! Radios that are off.

use multihop_core::{
    Duration, FlowId, FrameClass, NodeId, Outcome, Packet, Payload, Receiver, Tag, Time, TxDone,
    TxRequest,
};
use multihop_scenario::from_toml;

use crate::mac::Action;
use crate::{Alarm, Below, Carrier, Power, RadioCarrier};

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);

struct Alarms([Time; 2]);

impl Alarm for Alarms {
    fn set(&mut self, node: NodeId, at: Time) {
        self.0[node.index()] = at;
    }
}

/// A and B, in reach of each other.
struct Pair {
    radio: RadioCarrier,
    alarms: Alarms,
    now: Time,
}

macro_rules! below {
    ($pair:ident, $actions:expr) => {
        &mut Below {
            now: $pair.now,
            lag: Duration::ZERO,
            alarm: &mut $pair.alarms,
            actions: $actions,
            wires: &mut Vec::new(),
        }
    };
}

impl Pair {
    fn new() -> Self {
        let text = "[topology]\nkind = \"chain\"\nhops = 1\n[scheme]\nname = \"udp\"\n\
                    [traffic]\nload = \"1 kbit/s\"\n";
        let setup = from_toml(text).and_then(|scenario| scenario.setup()).expect("it is valid");
        let Carrier::Radio(radio) = Carrier::new(&setup) else { panic!("it has radios") };
        Pair { radio: *radio, alarms: Alarms([Time::NEVER; 2]), now: Time::ZERO }
    }

    fn switch(&mut self, node: NodeId, power: Power) -> Option<TxDone> {
        self.radio.switch(node, power, below!(self, &mut Vec::new()))
    }

    fn offer(&mut self) {
        let packet = Packet::new(FlowId::between(A, B), Payload::Virtual(512), Tag::default());
        let request = TxRequest::new(Receiver::Node(B), packet);
        self.radio.offer(A, &request, FrameClass::Data, below!(self, &mut Vec::new()));
    }

    /// A hands over a frame for B: how it ends, and how often B hears it.
    fn send(&mut self) -> (Outcome, usize) {
        self.offer();
        let (mut outcome, mut heard) = (None, 0);
        while outcome.is_none() {
            let node = if self.alarms.0[0] <= self.alarms.0[1] { A } else { B };
            self.now = self.now.max(self.alarms.0[node.index()]);
            let mut actions = Vec::new();
            if self.radio.on_deadline(node, below!(self, &mut actions)) {
                self.radio.transmit(node, below!(self, &mut actions));
            }
            for (node, action) in actions {
                match action {
                    Action::Done(ended) if node == A => outcome = Some(ended.outcome),
                    Action::Receive { .. } if node == B => heard += 1,
                    _ => {}
                }
            }
        }
        (outcome.expect("the loop has ended"), heard)
    }
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
