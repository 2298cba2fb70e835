//! Packets that share a frame: what they take of credits and turns, and what is heard of them.

use multihop_core::{Bytes, Failed, Heard, Hop, Outcome, TxRequest, Value};

use super::bench::{A, Bench, C, D, data, describe, millis, outward, through};

fn pool(bench: &Bench) -> u32 {
    bench.hop.flows[0].credit.pool()
}

fn numbers(all: &[TxRequest]) -> Vec<u32> {
    all.iter().map(|request| describe(request).2.sequence).collect()
}

impl Bench {
    /// The frame has been on the air for a millisecond, and these of its packets end so.
    fn settle(&mut self, all: &[TxRequest], ended: &[(usize, Outcome)]) -> Vec<Failed> {
        let end = |(at, outcome): &(usize, Outcome)| self.done(all[*at].clone(), *outcome, 0);
        ended.iter().filter_map(end).collect()
    }

    fn all_arrive(&mut self) -> Vec<u32> {
        let all = self.batch();
        *self.now_mut() += millis(1);
        let ended: Vec<_> = (0..all.len()).map(|at| (at, Outcome::Acknowledged)).collect();
        assert_eq!(self.settle(&all, &ended), []);
        numbers(&all)
    }

    fn now_mut(&mut self) -> &mut multihop_core::Time {
        &mut self.cx.now
    }
}

#[test]
fn each_packet_of_a_batch_takes_a_credit() {
    let mut bench = Bench::in_batches(4, &[]);
    bench.receive_all(0..6);
    assert_eq!(bench.all_arrive(), [0, 1, 2, 3]);
    assert_eq!(pool(&bench), 6, "of half a queue");
    assert_eq!(bench.all_arrive(), [4, 5]);
    assert_eq!(pool(&bench), 4);
}

#[test]
fn no_batch_is_larger_than_the_pool() {
    let mut bench = Bench::in_batches(8, &[("queue_limit", Value::Number(6.0))]);
    bench.receive_all(0..6);
    assert_eq!(bench.all_arrive(), [0, 1, 2], "three credits at the start");
    assert_eq!(bench.batch(), []);
    // C passes one on and has no room for another if that fails
    bench.overhear(0, 0, 0);
    assert_eq!(bench.all_arrive(), [3]);
}

#[test]
fn packets_that_are_heard_in_one_frame_give_a_credit_each() {
    let mut bench = Bench::in_batches(4, &[]);
    bench.receive_all(0..4);
    assert_eq!(bench.all_arrive().len(), 4);
    *bench.now_mut() += millis(2);
    for sequence in 0..4 {
        // all say the same: six places are free if the frame is lost
        bench.overhear(sequence, 6, 0);
    }
    assert_eq!(pool(&bench), 10);
    *bench.now_mut() += millis(2);
    bench.overhear(4, 9, 0);
    assert_eq!(pool(&bench), 10, "another frame is counted anew");
}

#[test]
fn a_turn_of_the_round_robin_is_a_batch() {
    let mut bench = Bench::in_batches(3, &[]);
    bench.receive_all(0..6);
    for sequence in 0..6 {
        bench.enqueue(outward(), data(sequence), C);
    }
    let mut turns = Vec::new();
    for _ in 0..4 {
        let all = bench.batch();
        turns.push((all[0].packet.flow, all.len()));
        *bench.now_mut() += millis(1);
        let ended: Vec<_> = (0..all.len()).map(|at| (at, Outcome::Acknowledged)).collect();
        bench.settle(&all, &ended);
    }
    let [one, other] = [through(), outward()];
    let count = |flow| turns.iter().filter(|turn| turn.0 == flow).map(|turn| turn.1).sum::<usize>();
    assert_eq!((count(one), count(other)), (6, 6), "{turns:?}");
    assert_ne!(turns[0].0, turns[1].0, "none has two turns before the other: {turns:?}");
}

#[test]
fn what_fails_of_a_batch_comes_back_in_order_and_is_one_failure() {
    let mut bench = Bench::in_batches(4, &[]);
    bench.receive_all(0..4);
    let all = bench.batch();
    *bench.now_mut() += millis(1);
    let failed = Outcome::Failed;
    let told =
        bench.settle(&all, &[(0, failed), (1, Outcome::Acknowledged), (2, failed), (3, failed)]);
    assert_eq!(told, [Failed::Kept(D)], "routing learns of it once");
    assert_eq!(bench.hop.backlog(), 3);
    assert_eq!(pool(&bench), 9, "one credit was used");
    bench.wait(millis(500));
    assert_eq!(numbers(&bench.batch()), [0, 2, 3]);
}

#[test]
fn what_is_repeated_takes_no_more_once_another_flow_may_send() {
    let mut bench = Bench::in_batches(4, &[]);
    bench.receive_all(0..6);
    let all = bench.batch();
    *bench.now_mut() += millis(1);
    bench.settle(&all, &[(1, Outcome::Acknowledged)]);
    assert_eq!(numbers(&bench.gather(C, Bytes(2_000))), [4], "the flow is alone");
    bench.enqueue(outward(), data(0), C);
    bench.settle(&all, &[(2, Outcome::Acknowledged)]);
    assert_eq!(bench.gather(C, Bytes(2_000)), []);
    assert_eq!(bench.gather(A, Bytes(2_000)), [], "nor what goes elsewhere");
}

#[test]
fn what_a_batch_says_of_the_queue_counts_it_as_waiting() {
    let mut bench = Bench::in_batches(4, &[]);
    bench.receive_all(0..4);
    let buffers: Vec<_> = bench.batch().iter().map(|one| describe(one).2.buffer).collect();
    assert_eq!(buffers, [6; 4], "ten places less four, if the frame is lost");
    let known = bench.hear(through(), A, Heard::ForMe, data(3));
    assert_eq!(known, multihop_core::Verdict::Done, "it is here, at the MAC");
}
