//! WAKE's coding: what shares a frame, what comes out of it, and what becomes of what does not.

use std::sync::Arc;

use multihop_core::{
    Coded, Duration, Effect, EventKind, FlowId, Heard, Hop, HopStep, NextHeader, NodeId, Outcome,
    Packet, Params, Payload, Rate, Receiver, Rx, Tag, TxRequest, Value, Verdict,
};
use multihop_schemes::wake::{Header, Parts, SCHEME, WAKE_CODED, decode, encode, tail};
use multihop_testkit::{HopDesk, heard};
use proptest::prelude::*;

/// The relay, its neighbours, and the far ends.
const RELAY: NodeId = NodeId(5);
const LEFT: NodeId = NodeId(4);
const RIGHT: NodeId = NodeId(6);
const FIRST: NodeId = NodeId(0);
const LAST: NodeId = NodeId(10);

fn rightward() -> FlowId {
    FlowId::between(FIRST, LAST)
}

fn leftward() -> FlowId {
    FlowId::between(LAST, FIRST)
}

fn header(sequence: u16) -> Header {
    let none = Duration::ZERO;
    Header {
        to_go: Some(6),
        in_wave: false,
        left: 0,
        goes_first: false,
        sequence,
        need: none,
        period: none,
    }
}

/// Packet `sequence` of `flow` on its way, with so many bytes that are its own.
fn packet(flow: FlowId, sequence: u16, len: usize) -> Packet {
    let bytes: Vec<u8> = (0..len).map(|at| (at * 7) as u8 ^ sequence as u8 | 1).collect();
    let tag = Tag { source: flow.source.0, number: sequence.into() };
    let mut packet = Packet::new(flow, Payload::Real(bytes.into()), tag);
    packet.ttl -= 3;
    packet.headers.set(NextHeader::transport(0), &[sequence as u8; 6]);
    header(sequence).write(&mut packet);
    packet
}

/// A node with coding.
struct Bench(HopDesk<dyn Hop>);

impl Bench {
    fn new(me: NodeId, given: &[(&str, Value)]) -> Self {
        let coding = ("coding".to_owned(), Value::Switch(true));
        // A lone packet is one of the first otherwise, and others keep clear of it.
        let firsts = ("first_packets".to_owned(), Value::Count(0));
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let given: Vec<_> = [coding, firsts].into_iter().chain(given).collect();
        let params = Params::new(&SCHEME, &given, Rate(1_000_000)).expect("valid");
        Bench(HopDesk::new(me, (SCHEME.hop)(&params)))
    }

    /// `packet` comes from a neighbour, and goes on to another one.
    fn pass(&mut self, packet: Packet, from: NodeId, next: NodeId) {
        let rx = heard(from, Heard::ForMe, packet);
        assert_eq!(self.0.hear(&rx), Verdict::Accept);
        let mut packet = rx.packet;
        packet.ttl -= 1;
        self.0.enqueue(packet, next);
    }

    /// One packet of each flow has come, and both may go.
    fn with_both(given: &[(&str, Value)]) -> Self {
        let mut relay = Bench::new(RELAY, given);
        relay.pass(packet(rightward(), 1, 30), LEFT, RIGHT);
        relay.pass(packet(leftward(), 7, 20), RIGHT, LEFT);
        relay.0.wait(Duration::from_millis(20));
        relay
    }

    /// The MAC takes a frame that is for two.
    fn pair(&mut self) -> TxRequest {
        let request = self.0.poll().expect("a frame may go");
        assert!(matches!(request.to, Receiver::Pair(_)), "{:?}", request.to);
        request
    }

    /// The MAC takes a frame that is for one: to whom.
    fn alone(&mut self) -> NodeId {
        let request = self.0.poll().expect("a frame may go");
        let Receiver::Node(to) = request.to else { panic!("{:?}", request.to) };
        self.0.done(request, Outcome::Acknowledged);
        to
    }

    /// A frame that was sent so is heard here: what comes out of it, and whether it was declined.
    fn hears(&mut self, request: &TxRequest, how: Heard) -> (Option<Packet>, bool) {
        assert_eq!(self.0.hear(&heard(RELAY, how, request.packet.clone())), Verdict::Done);
        let declined = self.0.effects.contains(&Effect::Decline);
        let step = self.0.call(Hop::poll);
        let out = step.map(|step| match step {
            HopStep::Hear(Rx { from: RELAY, heard: Heard::ForMe, packet, .. }) => packet,
            other => panic!("{other:?}"),
        });
        (out, declined)
    }

    /// This neighbour of the relay has sent `packet`, or at least has tried to.
    fn has_sent(me: NodeId, packet: Packet) -> Self {
        let mut neighbour = Bench::new(me, &[]);
        neighbour.0.enqueue(packet, RELAY);
        neighbour.0.wait(Duration::from_millis(20));
        assert!(neighbour.0.poll().is_some());
        neighbour
    }
}

#[test]
fn heads_of_opposite_flows_share_a_frame_that_each_neighbour_can_read() {
    let mut relay = Bench::with_both(&[]);
    let request = relay.pair();
    assert_eq!(relay.0.count(EventKind::Declared(&multihop_schemes::wake::words::CODED)), 2);
    assert_eq!(relay.0.hop.backlog(), 2);
    // The bytes are those of both, and no longer than the longer one's.
    assert_eq!(request.packet.headers.first(), WAKE_CODED);
    let bytes = request.packet.payload.bytes().expect("real bytes");
    let tails = [packet(rightward(), 1, 30), packet(leftward(), 7, 20)].map(|it| tail(&it));
    let [Some(a), Some(b)] = tails else { panic!("both can be coded") };
    assert_eq!((bytes.len(), a.len() - b.len()), (a.len(), 10));
    assert!((0..a.len()).all(|at| bytes[at] == a[at] ^ b.get(at).unwrap_or(&0)));
    // Each has sent what the other one is to get.
    for (me, own, wanted) in [
        (LEFT, packet(rightward(), 1, 30), packet(leftward(), 7, 20)),
        (RIGHT, packet(leftward(), 7, 20), packet(rightward(), 1, 30)),
    ] {
        let mut neighbour = Bench::has_sent(me, own);
        let (out, declined) = neighbour.hears(&request, Heard::ForMe);
        let out = out.expect("it can be read");
        assert!(!declined);
        assert_eq!((out.tag, out.flow, out.ttl), (wanted.tag, wanted.flow, wanted.ttl - 1));
        assert_eq!(tail(&out), tail(&wanted), "byte by byte");
        let says = Header::of(&out).expect("it has one");
        assert_eq!(says.sequence, header(0).sequence | wanted.tag.number as u16);
    }
}

#[test]
fn from_its_bytes_a_coded_frame_reads_the_same() {
    let request = Bench::with_both(&[]).pair();
    let read = Packet::parse(&request.packet.emit()).expect("it can be read");
    assert_eq!(read.named_as(&request.packet), request.packet);
}

#[test]
fn who_has_not_sent_the_other_packet_declines() {
    let request = Bench::with_both(&[]).pair();
    let mut neighbour = Bench::has_sent(LEFT, packet(rightward(), 2, 30));
    assert_eq!(neighbour.hears(&request, Heard::ForMe), (None, true));
    neighbour.0.hear(&heard(RELAY, Heard::ForMe, request.packet.clone()));
    assert!(neighbour.0.traced(EventKind::Declared(&multihop_schemes::wake::words::UNDECODABLE)));
    // Whom it does not concern says nothing.
    assert_eq!(neighbour.hears(&request, Heard::Overheard), (None, false));
}

#[test]
fn what_was_sent_is_kept_for_so_long_and_so_much() {
    let request = Bench::with_both(&[]).pair();
    for (others, wait, reads) in
        [(255, 0, true), (256, 0, false), (1, 1_900, true), (1, 2_100, false)]
    {
        let mut neighbour = Bench::new(LEFT, &[("clearance", Value::Number(0.0))]);
        for sequence in 1..=others + 1 {
            neighbour.0.enqueue(packet(rightward(), sequence, 30), RELAY);
            let sent = neighbour.0.poll().expect("a frame may go");
            neighbour.0.done(sent, Outcome::Acknowledged);
            neighbour.0.wait(Duration::from_millis(if sequence == 1 { wait } else { 0 }));
        }
        let (out, declined) = neighbour.hears(&request, Heard::ForMe);
        assert_eq!((out.is_some(), declined), (reads, !reads), "{others} others, {wait} ms");
        assert!(neighbour.0.hop.footprint() < 300);
    }
}

#[test]
fn without_coding_every_packet_goes_alone() {
    let mut relay = Bench::with_both(&[("coding", Value::Switch(false))]);
    assert_eq!([relay.alone(), relay.alone()], [RIGHT, LEFT]);
}

#[test]
fn what_a_neighbour_may_not_have_goes_alone() {
    let turned = |change: fn(&mut Packet)| {
        let mut relay = Bench::new(RELAY, &[]);
        relay.pass(packet(rightward(), 1, 30), LEFT, RIGHT);
        let mut other = packet(leftward(), 7, 20);
        let rx = heard(RIGHT, Heard::ForMe, other.clone());
        assert_eq!(relay.0.hear(&rx), Verdict::Accept);
        change(&mut other);
        relay.0.enqueue(other, LEFT);
        relay.0.wait(Duration::from_millis(20));
        matches!(relay.0.poll().expect("a frame may go").to, Receiver::Pair(_))
    };
    assert!(turned(|packet| packet.ttl -= 1), "that changes with every hop");
    assert!(!turned(|packet| packet.headers.set(NextHeader::transport(0), &[9; 6])));
    assert!(!turned(|packet| packet.headers.set(NextHeader::routing(0), &[9; 6])));
    assert!(!turned(|packet| packet.congestion_experienced = true));
    // It came from elsewhere, or is to go elsewhere, or came long ago.
    for (from, next, wait) in
        [(LEFT, LEFT, 20), (NodeId(8), LEFT, 20), (RIGHT, NodeId(8), 20), (RIGHT, LEFT, 1_100)]
    {
        let mut relay = Bench::new(RELAY, &[]);
        relay.pass(packet(rightward(), 1, 30), LEFT, RIGHT);
        relay.pass(packet(leftward(), 7, 20), from, next);
        relay.0.wait(Duration::from_millis(wait));
        assert_eq!(relay.alone(), RIGHT, "from {from} to {next} after {wait} ms");
    }
}

#[test]
fn who_has_acknowledged_has_its_packet_and_the_other_one_goes_alone() {
    let ends = [(Outcome::FirstAcknowledged, 1, LEFT), (Outcome::SecondAcknowledged, 7, RIGHT)];
    for (outcome, released, other) in ends {
        let mut relay = Bench::with_both(&[("clearance", Value::Number(0.0))]);
        let request = relay.pair();
        assert_eq!(request.to, Receiver::Pair([RIGHT, LEFT]));
        relay.0.done(request, outcome);
        assert_eq!(relay.0.released(), [released]);
        assert_eq!(relay.0.hop.backlog(), 1);
        assert_eq!(relay.alone(), other);
    }
    let mut relay = Bench::with_both(&[]);
    let request = relay.pair();
    relay.0.done(request, Outcome::Acknowledged);
    assert_eq!((relay.0.released(), relay.0.hop.backlog()), (vec![1, 7], 0));
}

/// Which of two links has failed, only frames for one can tell.
#[test]
fn what_nobody_has_acknowledged_pauses_and_goes_alone() {
    let mut relay = Bench::with_both(&[("alarm", Value::Count(2))]);
    let request = relay.pair();
    relay.0.done(request, Outcome::Failed);
    assert_eq!((relay.0.released(), relay.0.hop.backlog()), (vec![], 2));
    assert_eq!(relay.0.poll(), None, "a pause first");
    relay.0.wait(Duration::from_millis(20));
    let request = relay.0.poll().expect("a frame may go");
    assert!(matches!(request.to, Receiver::Node(_)));
    let done = relay.0.report(request, Outcome::Failed);
    assert!(relay.0.call(|hop, cx| hop.on_tx_done(cx, &done)).is_some(), "routing learns of it");
}

#[test]
fn a_fresh_packet_waits_for_a_partner_that_is_due_unless_it_is_in_a_train() {
    let waits = |left: u8, wait: f64| {
        let given = [("clearance", Value::Number(0.0)), ("coding_wait", Value::Number(wait))];
        let mut relay = Bench::new(RELAY, &given);
        for round in 0..40u16 {
            relay.pass(packet(leftward(), round, 20), RIGHT, LEFT);
            relay.0.wait(Duration::from_millis(15));
            while let Some(request) = relay.0.poll() {
                relay.0.done(request, Outcome::Acknowledged);
            }
            let mut own = packet(rightward(), round, 20);
            Header { left, ..header(round) }.write(&mut own);
            relay.pass(own, LEFT, RIGHT);
            if round == 39 {
                let now = relay.0.now;
                return if relay.0.poll().is_some() {
                    Duration::ZERO
                } else {
                    relay.0.hop.deadline().since(now)
                };
            }
            relay.0.wait(Duration::from_millis(15));
            while let Some(request) = relay.0.poll() {
                relay.0.done(request, Outcome::Acknowledged);
            }
        }
        unreachable!("the last round returns")
    };
    assert_eq!(waits(0, 30.0), Duration::from_millis(30));
    assert_eq!(waits(0, 10.0), Duration::ZERO, "it is not due so soon");
    assert_eq!(waits(3, 30.0), Duration::ZERO, "trains keep their pace");
}

#[test]
fn forged_frames_are_refused() {
    let request = Bench::with_both(&[]).pair();
    let parts = Parts::of(&request.packet).expect("it has both");
    assert_eq!(Parts::parse(&parts.emit(), rightward(), request.packet.ttl), Ok(parts));
    let own = tail(&packet(rightward(), 1, 30)).expect("it can be coded");
    assert!(decode(&request.packet, &parts, 1, &own).is_ok());
    assert!(decode(&request.packet, &parts, 1, &own[1..]).is_err(), "another packet");
    let bytes = |len: usize, change: usize| {
        let mut bytes = request.packet.payload.bytes().expect("real bytes").to_vec();
        bytes.resize(len, 0);
        bytes[change] ^= 0x40;
        let coded = Coded { bytes: bytes.into(), tags: [Tag::NONE; 2] };
        Packet { payload: Payload::Coded(Arc::new(coded)), ..request.packet.clone() }
    };
    assert!(decode(&bytes(own.len() + 1, 10), &parts, 1, &own).is_err(), "too long");
    assert!(decode(&bytes(own.len() - 1, 10), &parts, 1, &own).is_err(), "cut off");
    assert!(decode(&bytes(own.len(), own.len() - 1), &parts, 1, &own).is_err(), "not padded");
    let mut lies = parts;
    lies.0[1].next = NextHeader(7);
    assert!(decode(&request.packet, &lies, 1, &own).is_err(), "there is no such header");
    let mut says_too_much = parts.emit();
    says_too_much.push(0);
    assert!(Parts::parse(&says_too_much, rightward(), 1).is_err());
    assert!(encode([&Packet::new(rightward(), Payload::Virtual(3), Tag::NONE); 2]).is_none());
}

proptest! {
    #[test]
    fn whatever_is_coded_comes_out_again(lens: (u8, u8), sequences: (u16, u16)) {
        let a = packet(rightward(), sequences.0, lens.0.into());
        let b = packet(leftward(), sequences.1, lens.1.into());
        let both = encode([&a, &b]).expect("they can be coded");
        let parts = Parts::of(&both).expect("it has both");
        let [x, y] = [&a, &b].map(|packet| tail(packet).expect("it can be coded"));
        for (wanted, known, packet) in [(0, y, &a), (1, x, &b)] {
            let out = decode(&both, &parts, wanted, &known);
            prop_assert_eq!(out.as_ref().map(Packet::emit), Ok(packet.emit()));
        }
    }
}
