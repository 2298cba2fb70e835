//! HxH 3.4.1, 3.4.2: how acknowledgments travel.

use multihop_core::{EventKind, FlowId, Heard, HopStep, Value, Verdict};
use proptest::prelude::*;

use super::bench::{A, B, Bench, C, D, data, millis, outward, through};
use crate::hxh::explicit::RateLimit;
use crate::hxh::passive::Passive;
use crate::hxh::{Header, Kind};

#[test]
fn figure_3_5_the_ack_value_travels_upstream_on_data() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    assert_eq!(bench.transmit().expect("packet 0").2.ack, 0);
    bench.overhear(0, 9, 7);
    assert!(bench.traced(EventKind::ImplicitAcknowledgment));
    assert_eq!(bench.transmit().expect("packet 1").2.ack, 7);
    // Values are never taken back.
    bench.overhear(1, 9, 3);
    assert!(!bench.traced(EventKind::ImplicitAcknowledgment));
    bench.receive(data(2));
    assert_eq!(bench.transmit().expect("packet 2").2.ack, 7);
}

/// B is the last hop: these packets reach D.
fn deliver(bench: &mut Bench, sequences: &[u32]) -> Vec<(u32, bool)> {
    let passed = |bench: &mut Bench, sequence| {
        bench.hear(through(), A, Heard::ForMe, data(sequence));
        bench.enqueue(through(), data(sequence), D);
        let mut sent = std::iter::from_fn(|| bench.transmit()).map(|(.., header)| header);
        let header = sent.find(|header| header.kind == Kind::Data).expect("no credit is needed");
        (header.ack, header.asks)
    };
    sequences.iter().map(|sequence| passed(bench, *sequence)).collect()
}

#[test]
fn the_last_hop_counts_what_the_mac_has_delivered() {
    let mut bench = Bench::new(&[]);
    let said = deliver(&mut bench, &[0, 1, 2, 3]);
    assert_eq!(said, [(0, false), (1, false), (2, false), (3, false)]);
}

#[test]
fn the_last_hop_does_not_count_over_what_it_does_not_know() {
    let mut bench = Bench::new(&[]);
    // It joins the flow at packet 5, and asks the destination where it stands.
    let said = deliver(&mut bench, &[5, 6, 7]);
    assert_eq!(said, [(0, false), (0, true), (0, true)]);
    bench.pass_upstream(Header { ack: 6, ..Header::new(Kind::Ack, 0) });
    bench.transmit_all();
    assert_eq!(deliver(&mut bench, &[8, 9]), [(8, false), (9, false)]);
    // A gap stays open until the packet has been delivered.
    assert_eq!(
        deliver(&mut bench, &[11, 12, 10, 13]),
        [(10, false), (10, true), (10, true), (13, false)]
    );
}

#[test]
fn what_the_header_from_upstream_says_is_a_lower_bound() {
    let mut bench = Bench::new(&[]);
    bench.receive(Header { ack: 40, ..data(50) });
    assert_eq!(bench.transmit().expect("packet 50").2.ack, 40);
}

#[test]
fn the_source_is_told_as_by_an_acknowledgment_packet() {
    let mut bench = Bench::new(&[]);
    for sequence in 0..2 {
        bench.enqueue(outward(), data(sequence), C);
    }
    bench.transmit_all();
    assert_eq!(bench.step(), None);
    bench.hear(outward(), C, Heard::Overheard, Header { ack: 2, buffer: 9, ..data(1) });
    let Some(HopStep::HandUp(packet)) = bench.step() else { panic!("news for the transport") };
    assert_eq!((packet.flow, packet.tag.is_data()), (outward().reverse(), false));
    assert_eq!(Header::of(&packet).map(|header| header.ack), Ok(2));
    assert_eq!(bench.step(), None, "once");
    // An acknowledgment packet goes to the transport by itself.
    let ack = Header { ack: 3, ..Header::new(Kind::Ack, 0) };
    assert_eq!(bench.hear(outward().reverse(), C, Heard::ForMe, ack), Verdict::Accept);
    assert!(bench.traced(EventKind::ExplicitAcknowledgment));
    assert_eq!(bench.step(), None);
}

#[test]
fn over_one_hop_the_source_is_the_last_hop() {
    let mut bench = Bench::new(&[]);
    let flow = FlowId::between(B, C);
    bench.enqueue(flow, data(0), C);
    bench.transmit_all();
    assert!(matches!(bench.step(), Some(HopStep::HandUp(_))));
}

#[test]
fn an_acknowledgment_goes_where_the_data_came_from_and_teaches_on_its_way() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    bench.transmit_all();
    bench.overhear(0, 9, 8);
    bench.pass_upstream(Header { ack: 5, ..Header::new(Kind::Ack, 0) });
    let (flow, to, header) = bench.transmit().expect("it is passed on");
    assert_eq!((flow, to), (through().reverse(), A));
    assert_eq!(header.ack, 8, "this node knows more");
    bench.pass_upstream(Header { ack: 9, ..Header::new(Kind::Ack, 0) });
    bench.transmit_all();
    bench.receive(data(10));
    assert_eq!(bench.transmit().expect("packet 10").2.ack, 9);
}

#[test]
fn without_passive_acknowledgments_nobody_listens_to_values() {
    let mut bench = Bench::new(&[("passive_acks", Value::Switch(false))]);
    for sequence in 0..2 {
        bench.enqueue(outward(), data(sequence), C);
    }
    bench.transmit();
    bench.hear(outward(), C, Heard::Overheard, Header { ack: 1, buffer: 3, ..data(0) });
    assert_eq!(bench.step(), None);
    assert_eq!(bench.transmit().expect("packet 1").2.ack, 0);
    assert_eq!(bench.hop.flows[0].credit.pool(), 3, "credits are overheard all the same");
}

#[test]
fn requests_are_answered_at_a_limited_rate_and_the_last_one_always() {
    let mut limit = RateLimit::new(millis(100));
    let at = |ms| multihop_core::Time::ZERO + millis(ms);
    let tag = multihop_core::Tag::NONE;
    assert_eq!(limit.answer(at(0)), None, "nobody has asked");
    limit.ask(tag);
    assert_eq!(limit.answer(at(0)), Some(tag));
    for ms in [10, 20, 99] {
        limit.ask(tag);
        assert_eq!((limit.answer(at(ms)), limit.deadline()), (None, at(100)));
    }
    assert_eq!(limit.answer(at(100)), Some(tag), "one answer for three requests");
    assert_eq!(limit.deadline(), multihop_core::Time::NEVER);
}

proptest! {
    /// The value never claims more than is known, and everything that is known counts as soon as
    /// nothing lies before it, wherever on the circle of numbers that is.
    #[test]
    fn the_ack_value_is_what_a_set_of_packets_says(
        first in prop_oneof![Just(0), Just(u32::MAX - 20), any::<u32>()],
        steps in prop::collection::vec((any::<bool>(), 0u32..60), 0..200),
    ) {
        let mut passive = Passive::default();
        passive.learn(first);
        let mut known = [false; 128];
        for (told, value) in steps {
            if told {
                passive.learn(first.wrapping_add(value));
                known[..value as usize].fill(true);
            } else {
                passive.on_delivered(first.wrapping_add(value));
                known[value as usize] = true;
            }
            let first_unknown = known.iter().position(|known| !known).expect("never all") as u32;
            prop_assert_eq!(passive.ack(), Some(first.wrapping_add(first_unknown)));
        }
    }
}
