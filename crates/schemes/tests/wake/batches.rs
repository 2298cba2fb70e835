//! WAKE's rules for packets that share a frame: a batch is one exchange.

use multihop_core::{
    Bytes, Duration, EventKind, Failed, FlowId, Heard, LinkTiming, NodeId, Outcome, Rate,
    RouteNews, TxRequest, Value, Verdict,
};
use multihop_schemes::wake::Header;

use super::bench::*;

const ROOM: Bytes = Bytes(2_000);

impl Bench {
    /// The MAC sends what may go, in one frame.
    fn batch(&mut self) -> Vec<TxRequest> {
        let first = self.0.poll().expect("a packet may go");
        let more = self.0.gather(NEXT, ROOM);
        std::iter::once(first).chain(more).collect()
    }

    /// The exchange of `all`, which has taken as long as one of a packet in these tests, has ended for some of them so.
    fn settle(&mut self, all: &[TxRequest], ended: &[(usize, Outcome)]) -> Vec<Failed> {
        let end = |(at, outcome): &(usize, Outcome)| {
            let mut done = self.0.report(all[*at].clone(), *outcome);
            done.air_time = Duration::from_nanos(AIR_TIME.nanos() / all.len() as u64);
            done.batch = all.len() as u32;
            self.0.call(|hop, cx| hop.on_tx_done(cx, &done))
        };
        ended.iter().filter_map(end).collect()
    }

    fn all_arrive(&mut self) -> Vec<u32> {
        let all = self.batch();
        self.0.now += HOP;
        let ended: Vec<_> = (0..all.len()).map(|at| (at, Outcome::Acknowledged)).collect();
        assert_eq!(self.settle(&all, &ended), []);
        numbers(&all)
    }
}

fn numbers(all: &[TxRequest]) -> Vec<u32> {
    all.iter().map(|request| request.packet.tag.number).collect()
}

fn says(request: &TxRequest) -> Header {
    Header::of(&request.packet).expect("it was written")
}

#[test]
fn packets_of_the_flow_whose_turn_it_is_share_a_frame_up_to_the_most() {
    let mut bench = Bench::in_batches(3, &[]);
    (0..5).for_each(|number| bench.give(own(), number));
    let other = FlowId::between(ME, NodeId(11));
    bench.0.enqueue(multihop_testkit::packet(other, 9), BEFORE);
    assert_eq!(numbers(&bench.batch()), [0, 1, 2]);
    assert_eq!(bench.0.poll(), None, "the MAC has some");
}

#[test]
fn one_packet_is_the_most_unless_link_and_parameter_say_more() {
    let many = LinkTiming { batch: 64, ..LinkTiming::of_rate(Rate(1_000_000)) };
    let of = |link, given: &[(&str, Value)]| {
        let mut bench = Bench::over(link, given);
        (0..20).for_each(|number| bench.give(own(), number));
        bench.batch().len()
    };
    assert_eq!(of(many, &[]), 16, "by default");
    assert_eq!(of(many, &[("batch", Value::Count(1))]), 1);
    assert_eq!(of(LinkTiming { batch: 1, ..many }, &[("batch", Value::Count(9))]), 1);
}

#[test]
fn nothing_joins_that_goes_elsewhere_or_finds_no_room() {
    let mut bench = Bench::in_batches(8, &[]);
    bench.give(own(), 0);
    bench.give(own(), 1);
    let first = bench.0.poll().expect("it may go");
    assert_eq!(bench.0.gather(BEFORE, ROOM), [], "it goes to the other neighbour");
    let len = first.packet.len();
    assert_eq!(bench.0.gather(NEXT, Bytes(len.0 - 1)), [], "its header is to be added");
    assert_eq!(numbers(&bench.0.gather(NEXT, len)), [1]);
}

#[test]
fn a_batch_is_held_kept_clear_of_and_counted_as_one_packet_of_its_length() {
    let mut alone = Bench::in_batches(1, &[]);
    let mut together = Bench::in_batches(4, &[]);
    for bench in [&mut alone, &mut together] {
        bench.learn(through(), 9, micros(0));
        (0..8).for_each(|number| bench.give(through(), number));
        assert_eq!(bench.waits(), HOLD);
        bench.0.wait(HOLD);
    }
    for round in 0..2u32 {
        assert_eq!(alone.all_arrive(), [round]);
        let four: Vec<u32> = (4 * round..4 * round + 4).collect();
        assert_eq!(together.all_arrive(), four);
        if round == 0 {
            assert_eq!((alone.waits(), together.waits()), (clearance(3), clearance(3)));
            alone.0.wait(clearance(3));
            together.0.wait(clearance(3));
        }
    }
    // what the next packet says of need and period follows from the service time
    let mut last = [&mut alone, &mut together].map(|bench| {
        let wait = bench.0.hop.deadline().since(bench.0.now);
        bench.0.wait(wait.min(clearance(3)));
        bench.give(through(), 99);
        bench.0.wait(HOLD);
        let request = bench.batch().remove(0);
        (says(&request).need, says(&request).period)
    });
    last.sort_unstable();
    assert_eq!(last[0], last[1]);
}

#[test]
fn the_source_spaces_batches_and_not_their_packets() {
    let mut bench = Bench::in_batches(4, &[]);
    // the next hop is the only one: there the source spaces its packets in any case
    let flow = FlowId::between(ME, NEXT);
    (0..12).for_each(|number| bench.give(flow, number));
    assert_eq!(bench.all_arrive(), [0, 1, 2, 3], "of the first, no period is known");
    assert_eq!(bench.all_arrive(), [4, 5, 6, 7]);
    let spaced = HOP + bench.waits();
    // one hop: the period is 1.4 S, S being T + h at first
    let natural = HOP + HOLD;
    assert!(
        (natural.scaled(1.3)..natural.scaled(1.4)).contains(&spaced),
        "{spaced:?} from offer to offer"
    );
    bench.0.wait(spaced);
    assert_eq!(bench.all_arrive(), [8, 9, 10, 11]);
}

#[test]
fn what_the_mac_gives_up_of_a_batch_comes_back_in_order_after_one_pause() {
    let mut bench = Bench::in_batches(4, &[("alarm", Value::Count(1))]);
    (0..6).for_each(|number| bench.give(own(), number));
    let all = bench.batch();
    bench.0.now += HOP;
    let failed = Outcome::Failed;
    let ended = [(0, Outcome::Acknowledged), (1, failed), (2, failed), (3, failed)];
    let told = bench.settle(&all, &ended);
    assert_eq!(told, [Failed::Kept(LAST)], "routing learns of the link once");
    assert_eq!(bench.0.hop.backlog(), 5);
    let waits = bench.waits();
    bench.0.wait(waits);
    assert_eq!(numbers(&bench.batch()), [1, 2, 3, 4], "they are ready together, and go first");
}

#[test]
fn a_batch_of_which_some_is_repeated_takes_more_only_when_its_flow_may_go() {
    let mut bench = Bench::in_batches(4, &[]);
    bench.learn(own(), 9, micros(0));
    (0..8).for_each(|number| bench.give(own(), number));
    let all = bench.batch();
    bench.0.now += HOP;
    bench.settle(&all, &[(0, Outcome::Acknowledged), (2, Outcome::Acknowledged)]);
    assert_eq!(bench.0.gather(NEXT, ROOM), [], "the flow keeps clear");
    assert_eq!(bench.0.hop.backlog(), 6);
    bench.0.now += clearance(3);
    assert_eq!(numbers(&bench.0.gather(NEXT, ROOM)), [4, 5]);
    assert_eq!(bench.0.gather(NEXT, ROOM), [], "four are the most");
}

#[test]
fn a_batch_of_which_some_is_repeated_takes_no_more_once_another_flow_may_go() {
    let mut bench = Bench::in_batches(4, &[]);
    (0..8).for_each(|number| bench.give(own(), number));
    let all = bench.batch();
    bench.give(through(), 1);
    bench.0.now += HOP;
    bench.settle(&all, &[(0, Outcome::Acknowledged)]);
    bench.0.now += clearance(4);
    assert_eq!(bench.0.gather(NEXT, ROOM), []);
}

#[test]
fn the_source_hands_down_a_batch() {
    let mut bench = Bench::in_batches(3, &[]);
    for number in 0..3 {
        assert!(bench.0.hop.admits(own()), "{number} are here");
        bench.give(own(), number);
    }
    assert!(!bench.0.hop.admits(own()));
    let all = bench.batch();
    assert!(!bench.0.hop.admits(own()), "the MAC has them");
    bench.0.now += HOP;
    bench.settle(&all, &[(1, Outcome::Acknowledged)]);
    assert!(bench.0.hop.admits(own()), "one has gone");
}

#[test]
fn packets_of_a_batch_that_come_again_are_known() {
    let mut bench = Bench::in_batches(4, &[]);
    let mut hear = |number| bench.0.hear(&frame(BEFORE, Heard::ForMe, through(), header(number)));
    for number in 0..4 {
        assert_eq!(hear(number), Verdict::Accept);
    }
    for number in 0..4 {
        assert_eq!(hear(number), Verdict::Done);
    }
    assert!(bench.0.traced(EventKind::DuplicateIgnored));
    // 64 numbers are remembered
    let mut hear = |number| bench.0.hear(&frame(BEFORE, Heard::ForMe, through(), header(number)));
    (4..68).for_each(|number| assert_eq!(hear(number), Verdict::Accept));
    assert_eq!((hear(3), hear(5)), (Verdict::Accept, Verdict::Done));
}

#[test]
fn a_source_that_loses_its_route_gives_all_that_it_has_to_routing() {
    let mut bench = Bench::in_batches(3, &[]);
    (0..3).for_each(|number| bench.give(own(), number));
    bench.0.call(|hop, cx| {
        assert_eq!(hop.on_neighbour_lost(cx, NEXT), []);
        hop.on_route(cx, RouteNews::Lost(LAST));
    });
    let given = std::iter::from_fn(|| bench.step()).count();
    assert_eq!((given, bench.0.hop.backlog()), (3, 0));
    assert!(!bench.0.hop.admits(own()), "routing searches");
    let elsewhere = NodeId(7);
    for number in 0..3 {
        bench.0.enqueue(multihop_testkit::packet(own(), number), elsewhere);
    }
    let first = bench.0.poll().expect("the way is found");
    let more = bench.0.gather(elsewhere, ROOM);
    assert_eq!((numbers(&[first]), numbers(&more)), (vec![0], vec![1, 2]));
}
