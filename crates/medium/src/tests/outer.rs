//! What a node's MAC is told of frames that another program carries.

use multihop_core::{
    AirTime, Below, Bytes, Duration, FlowId, FrameClass, FrameId, Heard, Medium, NodeId, Outcome,
    Packet, Payload, Receiver, Tag, Time, TxRequest, Wakes,
};
use multihop_scenario::from_toml;

use crate::dcf::FrameKind;
use crate::tests::air::{at, micros};
use crate::{Order, Outer, OuterFrame, OuterReception, Sensed};

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);
const C: NodeId = NodeId(2);

fn carrier(scheme: &str) -> Outer {
    let text = format!(
        "[topology]\nkind = \"chain\"\nhops = 2\n[scheme]\nname = \"{scheme}\"\n\
         [traffic]\nload = \"1 kbit/s\"\n"
    );
    let setup = from_toml(&text).and_then(|scenario| scenario.setup());
    Outer::new(&setup.unwrap_or_else(|error| panic!("{error}"))).expect("it has radios")
}

fn packet() -> Packet {
    Packet::new(FlowId::between(A, B), Payload::Virtual(512), Tag::default())
}

/// A hands a packet over at 100 us: the number of its frame.
fn offer(outer: &mut Outer, to: Receiver) -> (u32, Order) {
    let below = &mut Below { now: at(100), lag: Duration::ZERO, wakes: &mut Wakes::new(3) };
    outer.offer(A, &TxRequest::new(to, packet()), FrameClass::Data, below);
    match outer.poll_order() {
        Some(order @ Order::Transmit { number, .. }) => (number, order),
        other => panic!("a frame is to be sent: {other:?}"),
    }
}

fn begin(outer: &mut Outer, kind: FrameKind, number: u32, us: u64) {
    let (bytes, air_time, reserved) = (Bytes(568), micros(1000), micros(0));
    let frame = OuterFrame { from: A, to: Some(B), kind, bytes, air_time, reserved, sequence: 3 };
    let told = outer.began(&frame, Some(number), at(us));
    assert_eq!((told.from, told.to, told.bytes), (A, Some(B), Bytes(568)));
    assert!(told.packet.is_some(), "it is A's packet that it carries or announces");
}

fn hear(outer: &Outer, node: NodeId, number: u32) -> Option<(Heard, Packet)> {
    let bytes = packet().emit();
    let reception = OuterReception { from: A, number, signal: None, bytes: &bytes };
    outer.heard(node, &reception).map(|rx| (rx.heard, rx.packet))
}

#[test]
fn attempts_count_frames_and_retries_count_exchanges() {
    let mut outer = carrier("udp");
    let (number, order) = offer(&mut outer, Receiver::Node(B));
    assert!(matches!(order, Order::Transmit { to: Some(B), acknowledged: true, .. }));
    assert!(!outer.is_free(A));
    for (kind, us) in [(FrameKind::Rts, 200), (FrameKind::Rts, 900), (FrameKind::Data, 1200)] {
        begin(&mut outer, kind, number, us);
    }
    begin(&mut outer, FrameKind::Data, number, 3000);
    let done = outer.ended(A, number, Outcome::Acknowledged, at(4500)).expect("it was A's");
    assert_eq!(
        (done.attempts, done.retries),
        (4, 2),
        "two RTS, the second answered; data once more"
    );
    assert_eq!((done.service, done.air_time), (micros(4400), micros(4000)));
    assert!(outer.is_free(A));
    assert_eq!(outer.ended(A, number, Outcome::Failed, at(4600)), None, "it has ended");
}

#[test]
fn a_frame_is_heard_by_its_number_also_after_the_next() {
    let mut outer = carrier("cxcc");
    let (first, order) = offer(&mut outer, Receiver::Node(B));
    assert!(matches!(order, Order::Transmit { to: Some(B), acknowledged: false, .. }));
    begin(&mut outer, FrameKind::UnacknowledgedData, first, 200);
    outer.ended(A, first, Outcome::Sent, at(1200)).expect("it was A's");
    let (second, _) = offer(&mut outer, Receiver::Broadcast);
    assert_eq!(hear(&outer, B, first).map(|(heard, _)| heard), Some(Heard::ForMe));
    assert_eq!(hear(&outer, C, first).map(|(heard, _)| heard), Some(Heard::Overheard));
    assert_eq!(hear(&outer, C, second).map(|(heard, _)| heard), Some(Heard::Broadcast));
    assert_eq!(hear(&outer, C, second + 1), None);
}

#[test]
fn marks_count_from_the_next_attempt_on() {
    let mut outer = carrier("udp");
    let (number, _) = offer(&mut outer, Receiver::Node(B));
    begin(&mut outer, FrameKind::Data, number, 200);
    outer.mark(A, FrameId::ONLY);
    let marked = |outer: &Outer| {
        hear(outer, B, number).is_some_and(|(_, packet)| packet.congestion_experienced)
    };
    assert!(!marked(&outer));
    begin(&mut outer, FrameKind::Data, number, 2000);
    assert!(marked(&outer));
}

#[test]
fn what_has_been_on_the_air_is_not_withdrawn() {
    let (mut outer, mut wakes) = (carrier("udp"), Wakes::new(3));
    macro_rules! below {
        ($us:literal) => {
            &mut Below { now: at($us), lag: Duration::ZERO, wakes: &mut wakes }
        };
    }
    let (first, _) = offer(&mut outer, Receiver::Node(B));
    let back = outer.withdraw(A, FrameId::ONLY, below!(150)).expect("it waits");
    assert_eq!((back.outcome, back.attempts), (Outcome::Withdrawn, 0));
    assert_eq!(outer.poll_order(), Some(Order::Withdraw { node: A, number: first }));
    let (second, _) = offer(&mut outer, Receiver::Node(B));
    begin(&mut outer, FrameKind::Data, second, 200);
    assert_eq!(outer.withdraw(A, FrameId::ONLY, below!(300)), None);
    let cut_off = outer.restart(A, below!(300)).pop().expect("the node that restarts had it");
    assert_eq!((cut_off.outcome, cut_off.attempts), (Outcome::Withdrawn, 1));
    assert_eq!(outer.poll_order(), None, "nobody takes it from the air");
    assert!(outer.is_free(A));
    assert!(hear(&outer, B, second).is_some(), "it goes on");
}

#[test]
fn time_counts_once_under_what_comes_first() {
    let mut outer = carrier("wxcp");
    assert_eq!(outer.air(A, at(50)), AirTime::default(), "nobody has asked");
    outer.watch_air(A);
    outer.air(A, at(100));
    let (number, _) = offer(&mut outer, Receiver::Node(B));
    begin(&mut outer, FrameKind::Data, number, 200); // until 1200
    outer.senses(A, Sensed::NoAnswer, at(1500));
    outer.senses(A, Sensed::Noise(at(2000)), at(1600));
    outer.senses(A, Sensed::Frame(at(2500)), at(1700));
    outer.senses(A, Sensed::Noise(at(3000)), at(1800));
    outer.senses(A, Sensed::Silence, at(2500));
    outer.senses(A, Sensed::Reservation(at(3400)), at(2600));
    let times = |us: [u64; 5]| {
        let [sending, receiving, sensed, waiting, reserved] = us.map(micros);
        AirTime { sending, receiving, sensed, waiting, reserved }
    };
    assert_eq!(outer.air(A, at(4000)), times([1000, 800, 100 + 500, 300, 400]));
    assert_eq!(outer.air(A, at(5000)), times([1000, 800, 600, 300, 400]), "free");
    outer.senses(NodeId(99), Sensed::Silence, Time::ZERO + Duration::from_millis(9));
}
