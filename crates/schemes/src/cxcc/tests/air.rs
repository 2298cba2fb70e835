//! Whatever the air brings: no panic, and the books balance.

use multihop_core::{
    Duration, Effect, FlowId, Heard, Hop, NodeId, Outcome, Packet, Payload, Tag, TxRequest, Verdict,
};
use proptest::prelude::*;

use super::bench::{B, Bench};
use super::params;
use crate::cxcc::{CXCC, Header, Kind};

#[derive(Clone, Debug)]
enum Step {
    Hear { from: NodeId, heard: Heard, packet: Packet, next: NodeId },
    Offer { flow: FlowId, next: NodeId },
    Consume { packet: Packet, from: NodeId },
    Poll,
    Done(Outcome),
    Wait(u64),
}

fn node() -> impl Strategy<Value = NodeId> {
    (0u32..4).prop_map(NodeId)
}

fn flow() -> impl Strategy<Value = FlowId> {
    (node(), node()).prop_map(|(source, destination)| FlowId::between(source, destination))
}

/// Mostly well-formed headers with few sequence numbers, or nothing would ever match.
fn header() -> impl Strategy<Value = Vec<u8>> {
    let kinds = prop::sample::select(vec![Kind::Data, Kind::Rfa, Kind::Ack, Kind::Nack]);
    let sequence = prop_oneof![4 => 0u32..4, 1 => any::<u32>()];
    let valid = (kinds, sequence, any::<u16>()).prop_map(|(kind, sequence, payload_len)| {
        Header { kind, payload_len, sequence }.emit().into()
    });
    let garbage = prop::collection::vec(any::<u8>(), 0..=16);
    prop_oneof![8 => valid, 1 => garbage]
}

fn packet() -> impl Strategy<Value = Packet> {
    (flow(), header(), 0u32..2000).prop_map(|(flow, hop, len)| {
        let mut packet = Packet::new(flow, Payload::Virtual(len), Tag::default());
        packet.headers.set(CXCC, &hop);
        packet
    })
}

fn step() -> impl Strategy<Value = Step> {
    let heard = prop::sample::select(vec![Heard::ForMe, Heard::Overheard, Heard::Broadcast]);
    let outcomes = vec![Outcome::Sent, Outcome::Acknowledged, Outcome::Failed, Outcome::Withdrawn];
    prop_oneof![
        8 => (node(), heard, packet(), node())
            .prop_map(|(from, heard, packet, next)| Step::Hear { from, heard, packet, next }),
        2 => (flow(), node()).prop_map(|(flow, next)| Step::Offer { flow, next }),
        1 => (packet(), node()).prop_map(|(packet, from)| Step::Consume { packet, from }),
        4 => Just(Step::Poll),
        4 => prop::sample::select(outcomes).prop_map(Step::Done),
        2 => (0u64..40_000_000_000).prop_map(Step::Wait),
    ]
}

/// The bench with what a host keeps.
struct Checked {
    bench: Bench,
    below: Option<TxRequest>,
    withdrawals: usize,
    enqueued: usize,
    left: usize,
}

impl Checked {
    fn apply(&mut self, step: Step) {
        let b = &mut self.bench;
        match step {
            Step::Hear { from, heard, packet, next } => {
                if b.hear(from, heard, packet.clone()) == Verdict::Accept {
                    self.note();
                    if packet.flow.destination != B {
                        self.enqueue(packet, next);
                    }
                }
            }
            Step::Offer { flow, next } => {
                let packet = Packet::new(flow, Payload::Virtual(512), Tag::default());
                self.enqueue(packet, next);
            }
            Step::Consume { packet, from } => b.consume_packet(&packet, from),
            Step::Poll => {
                let request = b.poll();
                assert!(request.is_none() || self.below.is_none(), "two frames below");
                if request.is_some() {
                    self.below = request;
                    self.withdrawals = 0;
                }
            }
            Step::Done(outcome) => {
                if let Some(request) = self.below.take() {
                    b.done(request, outcome);
                }
            }
            Step::Wait(nanos) => {
                b.wait(Duration::from_nanos(nanos));
                if b.hop.deadline() <= b.now {
                    b.time_out();
                    assert!(b.hop.deadline() > b.now, "a deadline in the past");
                }
            }
        }
        self.note();
        assert_eq!(self.enqueued, self.left + self.bench.hop.backlog(), "the books");
        assert!(self.withdrawals <= 1, "one frame was withdrawn twice");
    }

    fn enqueue(&mut self, packet: Packet, next: NodeId) {
        self.enqueued += 1;
        self.bench.enqueue(packet, next);
    }

    fn note(&mut self) {
        for effect in self.bench.effects.drain(..) {
            match effect {
                Effect::Release(_) | Effect::Drop(..) => self.left += 1,
                Effect::Withdraw(_) => {
                    assert!(self.below.is_some(), "there is nothing to withdraw");
                    self.withdrawals += 1;
                }
                Effect::Trace(..) => {}
                other => panic!("{other:?} is not for a hop protocol"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn no_bytes_from_the_air_do_harm(
        rfa: bool, count_deaf_time: bool, steps in prop::collection::vec(step(), 1..150)
    ) {
        use multihop_core::Value::Switch;
        let given = [("rfa", Switch(rfa)), ("count_deaf_time", Switch(count_deaf_time))];
        let bench = Bench::new(&params(&given));
        let mut checked = Checked { bench, below: None, withdrawals: 0, enqueued: 0, left: 0 };
        for step in steps {
            checked.apply(step);
        }
        // Whatever has happened, the hop protocol still takes and sends a packet.
        prop_assert!(checked.bench.hop.admits(FlowId::between(B, NodeId(77))));
    }
}
