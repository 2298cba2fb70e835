//! One node, B, between its upstream neighbour A and its next hop C, called by hand.

use std::ops::{Deref, DerefMut, Range};

use multihop_core::{
    Bytes, Duration, EventKind, Failed, FlowId, Heard, Hop, LinkTiming, NodeId, Outcome, Params,
    Rate, TxRequest, Value, Verdict,
};
use multihop_testkit::{HopDesk, heard};

use super::SCHEME;
use super::hop::Batches;
use crate::cxcc::header::Kind;
use crate::cxcc::tests::bench::{A, B, C, describe, frame, inward, outward, through};

const D: NodeId = NodeId(3);

struct Bench(HopDesk<Batches>);

impl Deref for Bench {
    type Target = HopDesk<Batches>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Bench {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Bench {
    /// Over a link whose frames carry many packets, with batches of so many.
    fn new(batch: u32) -> Self {
        let given = [("batch".to_owned(), Value::Count(batch))];
        let params = Params::new(&SCHEME, &given, Rate(1_000_000)).expect("they are valid");
        let link = LinkTiming { batch: 64, ..params.link };
        Bench(HopDesk::new(B, Box::new(Batches::new(&Params { link, ..params }))))
    }

    fn hear(&mut self, from: NodeId, how: Heard, kind: Kind, sequence: u32) -> Verdict {
        self.0.hear(&heard(from, how, frame(through(), kind, sequence)))
    }

    /// Packets of [`through`] from A, which B is to pass on to C; how many it takes.
    fn receive(&mut self, sequences: Range<u32>) -> usize {
        let mut taken = 0;
        for sequence in sequences {
            if self.hear(A, Heard::ForMe, Kind::Data, sequence) == Verdict::Accept {
                self.enqueue(frame(through(), Kind::Data, sequence), C);
                taken += 1;
            }
        }
        taken
    }

    /// B hears C passing a packet on.
    fn overhear(&mut self, sequence: u32) {
        assert_eq!(self.hear(C, Heard::Overheard, Kind::Data, sequence), Verdict::Done);
    }

    /// All that B sends in one frame, to C.
    fn batch(&mut self) -> Vec<TxRequest> {
        let Some(first) = self.poll() else { return Vec::new() };
        let more = self.gather(C, Bytes(2_000));
        std::iter::once(first).chain(more).collect()
    }

    /// The MAC says what has become of a frame, packet by packet, and then so on: what routing learns.
    fn settle(&mut self, all: &[TxRequest], outcomes: &[Outcome]) -> Vec<Failed> {
        let outcome = |at: usize| outcomes[at.min(outcomes.len() - 1)];
        let reports = all.iter().enumerate().filter_map(|(at, request)| {
            let done = self.report(request.clone(), outcome(at));
            self.call(|hop, cx| hop.on_tx_done(cx, &done))
        });
        reports.collect()
    }

    /// A frame goes to C and arrives: the numbers in it.
    fn transmit(&mut self) -> Vec<u32> {
        let all = self.batch();
        assert_eq!(self.settle(&all, &[Outcome::Acknowledged]), []);
        numbers(&all)
    }
}

fn numbers(all: &[TxRequest]) -> Vec<u32> {
    all.iter().map(|request| describe(request).2).collect()
}

#[test]
fn the_next_batch_waits_until_the_last_packet_of_this_one_was_passed_on() {
    let mut bench = Bench::new(4);
    assert_eq!(bench.receive(0..6), 4, "a batch waits");
    assert_eq!(bench.transmit(), [0, 1, 2, 3]);
    assert_eq!(bench.receive(4..10), 4, "and another one while the first was not passed on");
    assert_eq!(bench.batch(), []);
    bench.overhear(2);
    assert_eq!(bench.released(), [0, 1, 2], "what it has received before, it has passed on before");
    assert_eq!(bench.batch(), []);
    bench.overhear(3);
    assert_eq!(bench.transmit(), [4, 5, 6, 7]);
}

#[test]
fn what_the_host_has_to_route_takes_a_place_already() {
    let mut bench = Bench::new(2);
    let verdicts = [0, 1, 2].map(|number| bench.hear(A, Heard::ForMe, Kind::Data, number));
    assert_eq!(verdicts, [Verdict::Accept, Verdict::Accept, Verdict::Done]);
    bench.hear(A, Heard::ForMe, Kind::Rfa, 2);
    assert_eq!(bench.poll(), None, "a NACK would ask for what must be refused");
}

#[test]
fn with_one_packet_it_is_the_rule_of_the_paper() {
    let mut bench = Bench::new(1);
    assert_eq!(bench.receive(0..3), 1);
    assert_eq!(bench.transmit(), [0]);
    assert_eq!(bench.receive(1..3), 1);
    assert_eq!(bench.batch(), []);
    bench.overhear(0);
    assert_eq!(bench.transmit(), [1]);
}

#[test]
fn the_source_is_held_back_by_what_waits() {
    let mut bench = Bench::new(3);
    for sequence in 0..3 {
        assert!(bench.hop.admits(outward()));
        bench.enqueue(frame(outward(), Kind::Data, sequence), C);
    }
    assert!(!bench.hop.admits(outward()));
}

#[test]
fn what_the_mac_gives_up_is_sent_again_after_a_timeout_and_more_may_join_it() {
    let mut bench = Bench::new(4);
    bench.receive(0..4);
    let all = bench.batch();
    let outcomes = [Outcome::Acknowledged, Outcome::Failed, Outcome::Failed, Outcome::Acknowledged];
    assert_eq!(bench.settle(&all, &outcomes), [Failed::Kept(D)], "routing learns of it once");
    bench.receive(4..8);
    assert_eq!(bench.batch(), []);
    bench.overhear(3);
    assert_eq!(bench.released(), [0, 3]);
    bench.time_out();
    let again = bench.batch();
    assert_eq!(numbers(&again), [1, 2, 4, 5], "a batch is four packets");
    bench.settle(&again, &[Outcome::Acknowledged]);
    assert_eq!(bench.count(EventKind::Retransmission), 1, "of the last call");
}

#[test]
fn what_fails_again_waits_for_longer() {
    let mut bench = Bench::new(2);
    bench.receive(0..2);
    let mut pauses = Vec::new();
    for _ in 0..3 {
        let all = bench.batch();
        bench.settle(&all, &[Outcome::Failed]);
        pauses.push(bench.hop.deadline().since(bench.now).seconds());
        bench.time_out();
    }
    assert!(pauses.windows(2).all(|both| both[1] > 1.3 * both[0]), "{pauses:?}");
}

#[test]
fn a_request_asks_for_the_packet_that_was_received_last() {
    let mut bench = Bench::new(3);
    bench.receive(0..3);
    assert_eq!(bench.transmit(), [0, 1, 2]);
    bench.time_out();
    let request = bench.poll().expect("the timeout permits it");
    assert_eq!(describe(&request), (C, Kind::Rfa, 2));
    bench.done(request, Outcome::Acknowledged);
    assert_eq!(bench.batch(), [], "the timer starts again");
    bench.hear(C, Heard::ForMe, Kind::Ack, 2);
    assert_eq!(bench.released(), [0, 1, 2]);
    assert_eq!(bench.hop.backlog(), 0);
}

#[test]
fn a_nack_brings_the_whole_batch_back() {
    let mut bench = Bench::new(3);
    bench.receive(0..3);
    bench.transmit();
    bench.time_out();
    let request = bench.poll().expect("the timeout permits it");
    bench.done(request, Outcome::Acknowledged);
    bench.hear(C, Heard::ForMe, Kind::Nack, 2);
    assert_eq!(numbers(&bench.batch()), [0, 1, 2]);
}

#[test]
fn a_relay_answers_what_it_is_asked() {
    let mut bench = Bench::new(2);
    bench.receive(0..2);
    bench.hear(A, Heard::ForMe, Kind::Rfa, 1);
    assert_eq!(numbers(&bench.batch()), [0, 1], "it waits here: no answer");
    let mut bench = Bench::new(2);
    bench.receive(0..2);
    bench.transmit();
    for (asked, answer) in [(1, Kind::Ack), (7, Kind::Nack)] {
        bench.hear(A, Heard::ForMe, Kind::Rfa, asked);
        let request = bench.poll().expect("an answer goes first");
        assert_eq!(describe(&request), (A, answer, asked));
        bench.done(request, Outcome::Acknowledged);
    }
    assert_eq!(bench.hear(A, Heard::ForMe, Kind::Data, 0), Verdict::Done, "a duplicate");
    assert_eq!(describe(&bench.poll().expect("it is answered")), (A, Kind::Ack, 0));
}

#[test]
fn the_destination_takes_all_and_its_link_acknowledgment_is_enough() {
    let mut bench = Bench::new(2);
    for sequence in 0..5 {
        let packet = frame(inward(), Kind::Data, sequence);
        assert_eq!(bench.0.hear(&heard(A, Heard::ForMe, packet)), Verdict::Accept);
    }
    assert_eq!(bench.poll(), None);
    let last = FlowId::between(A, C);
    bench.enqueue(frame(last, Kind::Data, 0), C);
    let all = bench.batch();
    bench.settle(&all, &[Outcome::Acknowledged]);
    assert_eq!((bench.released(), bench.hop.backlog()), (vec![0], 0));
}

#[test]
fn a_lost_neighbour_keeps_what_it_has_and_routing_gets_the_rest() {
    let mut bench = Bench::new(3);
    bench.receive(0..3);
    let all = bench.batch();
    bench.settle(&all, &[Outcome::Acknowledged, Outcome::Failed, Outcome::Acknowledged]);
    bench.receive(3..4);
    let back = bench.call(|hop, cx| hop.on_neighbour_lost(cx, C));
    let back: Vec<u32> = back.iter().map(|packet| packet.tag.number).collect();
    assert_eq!((back, bench.released()), (vec![1, 3], vec![0, 2]));
    assert_eq!(bench.hop.backlog(), 0);
    bench.wait(Duration::from_millis(60_000));
    assert_eq!(bench.hop.footprint(), 0, "nothing is remembered for ever");
}

#[test]
fn what_was_passed_on_before_its_link_acknowledgment_came_is_done() {
    let mut bench = Bench::new(2);
    bench.receive(0..2);
    let all = bench.batch();
    bench.overhear(0);
    assert_eq!(bench.released(), [0]);
    assert_eq!(bench.settle(&all, &[Outcome::Failed, Outcome::Acknowledged]), [Failed::Kept(D)]);
    assert_eq!(bench.hop.backlog(), 1);
    bench.overhear(1);
    assert_eq!(bench.hop.backlog(), 0);
}
