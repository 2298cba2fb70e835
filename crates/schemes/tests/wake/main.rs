//! WAKE's rules, one by one, at one node by hand.

mod batches;
mod bench;
mod first_packets;

use multihop_core::{
    DropCause, Duration, EventKind, Failed, FlowId, Heard, HopStep, NodeId, Outcome, Packet,
    RouteNews, Value, Verdict,
};
use multihop_schemes::wake::Header;
use multihop_testkit::{heard, packet};

use bench::*;

#[test]
fn headers_say_what_was_written() {
    let says = Header {
        to_go: Some(7),
        in_wave: true,
        left: 9,
        goes_first: false,
        sequence: 0xBEEF,
        need: micros(32_000),
        period: micros(64_000),
    };
    assert_eq!(Header::parse(&says.emit()), Ok(says));
    let unknown = Header { to_go: None, period: Duration::from_millis(5_000), ..says };
    let read = Header::parse(&unknown.emit()).expect("it can be read");
    assert_eq!((read.to_go, read.period), (None, micros(32 * 0xFFFF)), "as long as can be written");
    assert!(Header::parse(&says.emit()[1..]).is_err());
    let first = Header { left: 0, goes_first: true, ..says };
    assert_eq!(Header::parse(&first.emit()), Ok(first), "it is of no train");
}

#[test]
fn what_was_received_is_held_and_what_starts_here_is_not() {
    let mut bench = Bench::new(&[]);
    bench.give(through(), 1);
    assert_eq!(bench.waits(), HOLD);
    bench.give(own(), 1);
    assert_eq!(bench.send().flow, own());
    assert_eq!(bench.send().flow, through());
}

#[test]
fn what_its_source_did_not_have_to_hold_back_is_not_held() {
    let mut bench = Bench::new(&[]);
    let in_wave = |packet: &Packet| Header::of(packet).expect("readable").in_wave;
    bench.learn(own(), 7, Duration::ZERO);
    bench.give(own(), 0);
    assert!(in_wave(&bench.send()), "another one may follow");
    // 1.3 times 16.27 ms after the one before was offered.
    for (number, later, held) in [(1, 17_000, false), (2, 17_000, false), (3, 15_000, true)] {
        bench.0.wait(micros(later));
        bench.give(own(), number);
        assert_eq!(in_wave(&bench.send()), held, "packet {number}");
    }
    // It follows after as long, but had to wait: the path bears no more.
    bench.learn(own(), 7, micros(32_000));
    bench.0.wait(micros(17_000));
    bench.give(own(), 4);
    bench.send();
    bench.give(own(), 5);
    let waits = bench.waits();
    bench.0.wait(waits);
    assert!(in_wave(&bench.send()), "it was held back");
}

#[test]
fn nothing_is_held_on_short_paths() {
    for (hops, held) in [(3, false), (4, true)] {
        let mut bench = Bench::new(&[]);
        bench.give(own(), 0);
        bench.learn(own(), hops - 1, Duration::ZERO);
        assert_eq!(Header::of(&bench.send()).expect("readable").in_wave, held, "{hops} hops");
    }
}

#[test]
fn a_relay_holds_what_its_header_says() {
    let mut bench = Bench::new(&[]);
    let mut loose = packet(through(), 1);
    loose.ttl -= 1;
    Header { in_wave: false, ..header(1) }.write(&mut loose);
    bench.0.enqueue(loose, NEXT);
    assert!(!Header::of(&bench.send()).expect("readable").in_wave, "and says so itself");
}

#[test]
fn a_flow_keeps_clear_of_the_packet_that_it_has_passed_on() {
    let clearances = [
        // Further than three hops, as far as is known.
        (None, clearance(3)),
        (Some(2), clearance(3)),
        (Some(1), clearance(2)),
    ];
    for (ahead, clearance) in clearances {
        let mut bench = Bench::new(&[]);
        bench.give(own(), 1);
        if let Some(hops) = ahead {
            bench.learn(own(), hops, Duration::ZERO);
        }
        bench.send();
        bench.give(own(), 2);
        assert_eq!(bench.waits(), clearance, "{ahead:?} hops from the next one");
    }
    let mut bench = Bench::new(&[]);
    let to_neighbour = FlowId::between(FIRST, NEXT);
    bench.give(to_neighbour, 1);
    bench.0.wait(HOLD);
    bench.send();
    bench.give(to_neighbour, 2);
    assert_eq!(bench.waits(), HOLD, "there is no other hop to keep clear of");
}

#[test]
fn where_signals_vary_a_relay_holds_for_a_link_acknowledgment_and_does_not_keep_clear() {
    for (difference, hold) in [(0.0, HOLD), (1.0, HOLD), (3.0, LINK_ACKNOWLEDGMENT)] {
        let mut bench = Bench::new(&[]);
        bench.feel(difference);
        bench.give(through(), 1);
        assert_eq!(bench.waits(), hold, "{difference} dB");
        bench.0.wait(hold);
        bench.send();
        bench.give(through(), 2);
        let clear = if hold == HOLD { clearance(3) } else { hold };
        assert_eq!(bench.waits(), clear, "{difference} dB");
    }
}

#[test]
fn where_signals_vary_a_source_spaces_its_packets_by_any_period_of_four_hops() {
    let mut bench = Bench::new(&[]);
    bench.feel(3.0);
    bench.give(own(), 1);
    bench.send();
    bench.give(own(), 2);
    bench.send();
    bench.give(own(), 3);
    // 1.4 times 4 (T + h), a fiftieth closer to T after a packet, less T.
    let need = (HOP + LINK_ACKNOWLEDGMENT.scaled(0.98)) * 4;
    let (waits, spaced) = (bench.waits(), need.scaled(1.4).saturating_sub(HOP));
    assert!(waits.nanos().abs_diff(spaced.nanos()) < 1_000, "{waits}, not {spaced}");
    bench.0.wait(waits);
    bench.send();
    (0..5).for_each(|_| bench.feel(0.0));
    bench.give(own(), 4);
    bench.send();
    bench.give(own(), 5);
    assert_eq!(bench.waits(), clearance(3), "waves are worth while again");
}

#[test]
fn how_much_signals_have_to_vary_can_be_set() {
    let mut bench = Bench::new(&[("variation", Value::Number(6.0))]);
    bench.feel(3.0);
    bench.give(through(), 1);
    assert_eq!(bench.waits(), HOLD);
}

#[test]
fn a_source_of_one_hop_leaves_room() {
    let mut bench = Bench::new(&[]);
    let to_neighbour = FlowId::between(ME, NEXT);
    for number in 1..=2 {
        bench.give(to_neighbour, number);
        bench.send();
    }
    bench.give(to_neighbour, 3);
    // 1.4 times what it needs from offer to offer: at first T + h, a fiftieth closer to T after a packet.
    let need = HOP + HOLD.scaled(0.98);
    let room = need.scaled(1.4).saturating_sub(HOP);
    assert!(bench.waits().nanos().abs_diff(room.nanos()) < 1_000);
}

#[test]
fn frames_ask_for_a_small_window_and_few_attempts() {
    let mut bench = Bench::new(&[]);
    bench.give(own(), 1);
    let class = bench.0.poll().and_then(|request| request.contention).expect("its own class");
    assert_eq!((class.cw_min, class.attempts), (3, Some(3)));
}

#[test]
fn at_steep_rates_a_relay_holds_for_a_link_acknowledgment_and_frames_have_more_attempts() {
    let most = Value::Number(14.0);
    let cases = [
        (None, None, HOLD, (3, Some(3))),
        (Some(7.9), None, HOLD, (3, Some(3))),
        (Some(20.0), None, LINK_ACKNOWLEDGMENT, (15, Some(7))),
        (Some(20.0), Some(("steep", most)), HOLD, (3, Some(3))),
        (Some(20.0), Some(("cw_min", Value::Count(31))), LINK_ACKNOWLEDGMENT, (31, Some(7))),
    ];
    for (needed, given, hold, class) in cases {
        let without = ("first_packets", Value::Count(0));
        let given: Vec<_> = std::iter::once(without).chain(given).collect();
        let mut bench = Bench::needing(needed, &given);
        bench.give(through(), 1);
        assert_eq!(bench.waits(), hold, "{needed:?}");
        bench.0.wait(hold);
        let asked = bench.0.poll().expect("a packet may go");
        let contention = asked.contention.expect("its own class");
        assert_eq!((contention.cw_min, contention.attempts), class, "{needed:?}");
        bench.0.now += HOP;
        assert_eq!(bench.end(asked, Outcome::Acknowledged), None);
        bench.give(through(), 2);
        let clear = (HOP + hold).scaled(0.88) * 2;
        assert_eq!(bench.waits(), clear, "{needed:?}");
    }
}

#[test]
fn the_source_hands_down_a_packet_when_the_last_one_is_gone() {
    let mut bench = Bench::new(&[]);
    assert!(bench.0.hop.admits(own()));
    bench.give(own(), 1);
    assert!(!bench.0.hop.admits(own()));
    let request = bench.0.poll().expect("it may go");
    assert!(!bench.0.hop.admits(own()), "it is in the MAC");
    assert_eq!(bench.end(request, Outcome::Acknowledged), None);
    assert!(bench.0.hop.admits(own()));
}

#[test]
fn the_flow_that_was_served_least_recently_goes_first() {
    let mut bench = Bench::new(&[]);
    let other = FlowId::between(FIRST, NodeId(11));
    let mut served = Vec::new();
    for number in 0..3 {
        bench.give(through(), number);
        bench.give(other, number);
    }
    for _ in 0..6 {
        bench.0.now += Duration::from_millis(50);
        served.push(bench.send().flow);
    }
    assert!(served.windows(2).all(|pair| pair[0] != pair[1]), "{served:?}");
}

#[test]
fn a_packet_with_the_number_of_the_last_one_is_a_duplicate() {
    let mut bench = Bench::new(&[]);
    let mut hear = |sequence| {
        let verdict = bench.0.hear(&frame(BEFORE, Heard::ForMe, through(), header(sequence)));
        (verdict, bench.0.traced(EventKind::DuplicateIgnored))
    };
    assert_eq!(hear(1), (Verdict::Accept, false));
    assert_eq!(hear(1), (Verdict::Done, true));
    assert_eq!(hear(2), (Verdict::Accept, false));
}

#[test]
fn a_full_relay_loses_what_comes() {
    let mut bench = Bench::new(&[("queue_limit", Value::Count(2))]);
    for sequence in 0..2 {
        let rx = frame(BEFORE, Heard::ForMe, through(), header(sequence));
        assert_eq!(bench.0.hear(&rx), Verdict::Accept);
        bench.give(through(), sequence.into());
    }
    let rx = frame(BEFORE, Heard::ForMe, through(), header(2));
    assert_eq!(bench.0.hear(&rx), Verdict::Refuse(DropCause::QueueFull));
    let at_the_end = FlowId::between(FIRST, ME);
    for sequence in 0..5 {
        let rx = frame(BEFORE, Heard::ForMe, at_the_end, header(sequence));
        assert_eq!(bench.0.hear(&rx), Verdict::Accept, "nothing waits at the destination");
    }
}

#[test]
fn what_the_mac_gives_up_stays_and_waits_longer_each_time() {
    let mut bench = Bench::new(&[]);
    bench.give(own(), 7);
    let sequence = |packet: &Packet| Header::of(packet).expect("readable").sequence;
    let mut numbers = Vec::new();
    for failures in 0..9u32 {
        let request = bench.0.poll().expect("it is tried again");
        numbers.push(sequence(&request.packet));
        let told = bench.end(request, Outcome::Failed);
        let alarming = failures % 4 == 3;
        assert_eq!(told, alarming.then_some(Failed::Kept(LAST)), "after {failures} failures");
        assert_eq!(bench.0.hop.backlog(), 1);
        let least = micros(5_000) * 2u64.pow(failures.min(4));
        let waits = bench.waits();
        assert!(least <= waits && waits <= least * 2, "{waits} after {failures} failures");
        bench.0.wait(waits);
    }
    assert!(numbers.windows(2).all(|pair| pair[0] == pair[1]), "{numbers:?}");
}

/// Natural: `3 T + 2 h` is 16.27 ms; 1.6 times that 26.0 ms.
#[test]
fn only_a_source_spaces_its_packets_and_only_by_a_long_period() {
    for (flow, period, waits) in [
        (own(), micros(24_000), clearance(3)),
        (own(), micros(32_000), micros(32_000).saturating_sub(HOP)),
        (through(), micros(32_000), clearance(3)),
    ] {
        let mut bench = Bench::new(&[("widening", Value::Number(0.0))]);
        bench.give(flow, 1);
        bench.0.wait(HOLD);
        bench.learn(flow, 8, period);
        bench.send();
        bench.give(flow, 2);
        assert_eq!(bench.waits(), waits, "{flow} by {period}");
    }
}

#[test]
fn frames_carry_what_the_flow_needs_and_what_the_path_bears() {
    let mut bench = Bench::new(&[]);
    let mut says = Vec::new();
    for number in 0..200 {
        bench.give(own(), number);
        bench.0.wait((HOP + HOLD) * 2);
        says.push(Header::of(&bench.send()).expect("readable"));
    }
    // It keeps clear for 1.76 (T + h) of 2 (T + h), and is sent in T: the mean of both is what it waits, three
    // times that what it needs.
    let last = says[says.len() - 1];
    let service = HOP + (HOP + HOLD).scaled(0.24);
    let expected = (service.scaled(2.9), service.scaled(3.1));
    assert!(expected.0 < last.need && last.need < expected.1, "{last:?}");
    assert!(last.period.nanos().abs_diff(last.need.scaled(1.4).nanos()) < 64_000, "{last:?}");
    bench.learn(own(), 8, Duration::from_millis(400));
    bench.give(own(), 999);
    let waits = bench.waits();
    bench.0.wait(waits);
    assert_eq!(Header::of(&bench.send()).expect("readable").period, micros(400_000));
}

#[test]
fn what_others_need_counts_by_half_for_a_second() {
    let mut bench = Bench::new(&[]);
    let says = Header { need: micros(320_000), ..header(1) };
    bench.0.hear(&frame(BEFORE, Heard::Overheard, through(), says));
    bench.give(own(), 1);
    let period = |bench: &mut Bench| Header::of(&bench.send()).expect("readable").period;
    assert_eq!(period(&mut bench), micros(160_000));
    bench.0.wait(Duration::from_millis(1_000));
    bench.give(own(), 2);
    assert!(period(&mut bench) < micros(100_000), "it is forgotten");
}

/// A source whose path bears 32 ms a packet, 1.97 natural periods, over eight hops.
fn spaced(given: &[(&str, Value)]) -> Bench {
    let mut bench = Bench::new(given);
    bench.give(own(), 0);
    bench.learn(own(), 7, micros(32_000));
    bench
}

#[test]
fn a_source_keeps_clear_for_longer_after_its_path_has_collapsed() {
    let mut bench = spaced(&[("spacing", Value::Number(0.0))]);
    bench.send();
    let began = bench.0.now;
    // The path is well again.
    bench.learn(own(), 7, Duration::ZERO);
    bench.0.wait(Duration::from_millis(100));
    let (wide, narrow) = (clearance(3) + HOP + HOLD, clearance(3));
    let mut number = 0;
    let mut waits = |bench: &mut Bench| {
        number += 1;
        bench.give(own(), number);
        bench.send();
        bench.give(own(), number + 1_000);
        let waits = bench.waits();
        bench.0.wait(waits);
        bench.send();
        bench.0.wait(Duration::from_millis(100));
        waits
    };
    while bench.0.now < began + Duration::from_millis(3_900) {
        assert!(waits(&mut bench).nanos().abs_diff(wide.nanos()) <= 2, "the trial of 4 s");
    }
    bench.0.wait(Duration::from_millis(200));
    assert_eq!(waits(&mut bench), narrow, "it is over");
}

#[test]
fn two_flows_that_meet_go_in_trains() {
    let back = FlowId::between(LAST, ME);
    let mut bench = spaced(&[("widening", Value::Number(0.0))]);
    let next = |bench: &mut Bench, number| {
        bench.0.hear(&frame(NEXT, Heard::ForMe, back, header(number as u16)));
        bench.give(own(), number);
        let waits = bench.waits();
        bench.0.wait(waits);
        (bench.0.now, Header::of(&bench.send()).expect("readable").left)
    };
    bench.send();
    for number in 1..=10 {
        assert_eq!(next(&mut bench, number).1, 0, "not before ten packets in a row had to wait");
    }
    let (began, first) = next(&mut bench, 11);
    let others: Vec<_> = (12..=20).map(|number| next(&mut bench, number).1).collect();
    assert_eq!((first, others), (9, vec![8, 7, 6, 5, 4, 3, 2, 1, 0]));
    assert!(bench.0.now < began + micros(320_000), "at its natural pace");
    bench.give(own(), 21);
    let waits = bench.waits();
    assert_eq!(bench.0.now + waits, began + micros(320_000), "ten periods after it began");
}

#[test]
fn a_source_waits_for_the_rest_of_a_train_that_comes_to_it() {
    let back = FlowId::between(LAST, ME);
    let mut bench = Bench::new(&[]);
    bench.give(own(), 0);
    bench.0.hear(&frame(NEXT, Heard::ForMe, back, Header { left: 3, ..header(1) }));
    assert_eq!(bench.waits(), ((HOP + HOLD) * 3).scaled(1.8));
    bench.0.hear(&frame(NEXT, Heard::ForMe, back, header(2)));
    bench.send();
}

#[test]
fn a_relay_gives_back_what_waits_for_a_lost_neighbour_and_a_source_asks_for_another_way() {
    let mut bench = Bench::new(&[]);
    bench.give(through(), 1);
    bench.give(own(), 2);
    let lost = bench.0.call(|hop, cx| hop.on_neighbour_lost(cx, NEXT));
    assert_eq!(lost.iter().map(|packet| packet.flow).collect::<Vec<_>>(), [through()]);
    let Some(HopStep::Reroute(packet)) = bench.step() else { panic!("it asks") };
    assert_eq!((packet.flow, bench.step()), (own(), None));
    assert!(!bench.0.hop.admits(own()), "routing searches");
    bench.0.enqueue(packet, BEFORE);
    assert_eq!(bench.send().flow, own());
    assert!(bench.0.hop.admits(own()));
}

#[test]
fn a_search_without_an_end_is_begun_anew() {
    let mut bench = Bench::new(&[]);
    bench.give(own(), 2);
    bench.0.call(|hop, cx| hop.on_route(cx, RouteNews::Lost(LAST)));
    assert!(matches!(bench.step(), Some(HopStep::Reroute(_))));
    assert!(!bench.0.hop.admits(own()));
    bench.0.time_out();
    assert!(bench.0.hop.admits(own()));
}

#[test]
fn what_cannot_be_read_goes_nowhere() {
    let mut bench = Bench::new(&[]);
    let rx = heard(BEFORE, Heard::ForMe, packet(through(), 1));
    assert_eq!(bench.0.hear(&rx), Verdict::Done);
    assert!(bench.0.traced(EventKind::Malformed));
    let mut through = packet(through(), 1);
    through.ttl -= 1;
    bench.0.enqueue(through, NEXT);
    assert_eq!(bench.0.dropped(), [DropCause::Malformed]);
}
