//! RFC 3561, 6.1 and 6.9 to 6.12.

use multihop_core::{DropCause, Duration, EventKind, NodeId, RouteNews, Routing};
use multihop_routing::aodv::{Message, Sequence, Settings, Unreachable};
use multihop_routing::words::LOCAL_REPAIR;

use crate::net::{Net, ms};

/// A line of six nodes with a route from 0 to 5.
fn with_route() -> Net {
    let mut net = Net::line(6);
    net.offer(ms(1000), 0, 5, 1);
    net.run(ms(2000));
    assert_eq!(net.delivered.len(), 1);
    net
}

#[test]
fn a_break_near_the_source_is_announced() {
    let mut net = with_route();
    net.link(1, 2, false);
    net.offer(ms(3000), 0, 5, 2);
    net.run(ms(3500));
    assert_eq!(net.drops(), [(ms(3002), 2, DropCause::RetriesSpent)]);
    assert_eq!(net.broken, [(ms(3002), 1, NodeId(2))]);
    assert_eq!(net.errors(), [1], "0 is the source: it has no precursors");
    assert_eq!(net.next(0, 5), None);
    assert_eq!(net.traced(EventKind::Declared(&LOCAL_REPAIR)), []);
    let error = net.sent.iter().find(|sent| matches!(sent.message, Message::Error(_)));
    assert_eq!(error.map(|sent| sent.at), Some(ms(3002)), "at once");
}

/// ns-2's `rt_down` and `sendRequest`: a way back that a request makes lives for 6 s, whatever the route that
/// broke had left.
#[test]
fn a_route_that_broke_leaves_nothing_of_its_life() {
    let mut net = with_route();
    net.link(1, 2, false);
    net.offer(ms(3000), 0, 5, 2);
    net.run(ms(3500));
    assert_eq!(net.next(1, 5), None, "it would have lived until 13 s");
    net.link(1, 2, true);
    net.offer(ms(4000), 5, 1, 3);
    net.run(ms(9500));
    assert_eq!(net.requests(5).len(), 1);
    assert_eq!(net.next(1, 5), Some(2));
    net.run(ms(11_000));
    assert_eq!(net.next(1, 5), None, "6 s, and up to the next tick");
}

#[test]
fn hop_protocols_and_transports_learn_what_becomes_of_routes() {
    let mut net = with_route();
    let here = |net: &Net, node| -> Vec<RouteNews> {
        net.news.iter().filter(|(at, _)| *at == node).map(|(_, news)| *news).collect()
    };
    let found = |destination, hops| RouteNews::Found { destination: NodeId(destination), hops };
    assert_eq!(here(&net, 0), [found(5, 5)]);
    assert_eq!(here(&net, 3), [found(0, 3), found(5, 2)]);
    assert_eq!(here(&net, 5), [found(0, 5)]);
    net.news.clear();
    net.link(1, 2, false);
    net.offer(ms(3000), 0, 5, 2);
    net.run(ms(3500));
    let lost = [RouteNews::Lost(NodeId(5))];
    assert_eq!(
        (here(&net, 1), here(&net, 0)),
        (lost.to_vec(), lost.to_vec()),
        "as far as the source"
    );
    assert!(here(&net, 3).is_empty(), "not beyond the break");
}

#[test]
fn a_route_that_becomes_shorter_is_announced_as_changed() {
    let mut net = Net::line(5);
    net.offer(ms(1000), 0, 3, 1);
    net.run(ms(2000));
    net.news.clear();
    net.link(0, 2, true);
    net.offer(ms(3000), 3, 4, 2);
    net.run(ms(3500));
    let changed = RouteNews::Changed { destination: NodeId(3), hops: 2 };
    assert_eq!(net.news.iter().filter(|(at, _)| *at == 0).collect::<Vec<_>>(), [&(0, changed)]);
}

#[test]
fn a_hop_protocol_that_keeps_its_packet_breaks_the_route_without_repair() {
    let mut net = with_route();
    net.call(3, |aodv, cx| aodv.on_link_lost(cx, NodeId(5), NodeId(4)));
    net.follow(3);
    net.run(ms(3500));
    assert_eq!(net.traced(EventKind::Declared(&LOCAL_REPAIR)), []);
    assert_eq!((net.errors(), net.next(3, 5)), (vec![3, 2, 1], None));
    net.news.clear();
    net.call(3, |aodv, cx| aodv.on_link_lost(cx, NodeId(7), NodeId(4)));
    net.follow(3);
    assert!(net.news.is_empty(), "there was no route");
}

#[test]
fn a_break_near_the_destination_is_repaired() {
    let mut net = with_route();
    net.link(3, 4, false);
    net.link(3, 5, true);
    net.offer(ms(3000), 0, 5, 2);
    net.run(ms(3500));
    assert_eq!(net.traced(EventKind::Declared(&LOCAL_REPAIR)), [3]);
    assert_eq!((net.errors(), net.broken.clone()), (vec![], vec![]));
    assert_eq!(net.delivered.len(), 2, "the packet that met the break arrives");
    assert_eq!(net.next(3, 5), Some(5));
}

#[test]
fn without_local_repair_it_is_announced() {
    let settings = Settings { local_repair: false, ..Settings::default() };
    let mut net = Net::new(6, settings, 1);
    (1..6).for_each(|node| net.link(node - 1, node, true));
    net.offer(ms(1000), 0, 5, 1);
    net.run(ms(2000));
    net.link(3, 4, false);
    net.offer(ms(3000), 0, 5, 2);
    net.run(ms(3500));
    assert_eq!(net.errors(), [3, 2, 1], "every node with precursors passes it on");
    assert_eq!(net.broken, [(ms(3004), 3, NodeId(4))]);
}

/// As in a trace of ns-2 2.35 (CBR every 250 ms, the last link breaks at 20 s): node 4 searches
/// at 20.04, 22.0, 26.0 and 31.5 s, the oldest packets give way from 36 s on, at 39.0 s all 64
/// are dropped, and the source learns of it at 42 s.
#[test]
fn a_repair_without_success_holds_packets() {
    let mut net = with_route();
    for number in 0..170 {
        net.offer(ms(2000 + 250 * u64::from(number)), 0, 5, number);
    }
    net.run(ms(19_900));
    net.link(4, 5, false);
    net.run(ms(38_990));
    let requests = net.requests(4).split_off(1);
    assert_eq!(requests, [20_005, 22_000, 26_000, 31_500].map(|at| (ms(at), 30)));
    let dropped = net.drops().len();
    assert!(net.drops().iter().all(|(_, _, cause)| *cause == DropCause::RouteBufferFull));
    net.run(ms(39_000));
    let no_route = net.drops().split_off(dropped);
    assert_eq!(no_route.len(), 64);
    assert!(
        no_route.iter().all(|(at, _, cause)| (*at, *cause) == (ms(39_000), DropCause::NoRoute))
    );
    net.run(ms(41_800));
    assert_eq!(net.errors(), [], "nobody is told");
    net.run(ms(42_500));
    assert_eq!(net.errors(), [4, 3, 2, 1]);
}

#[test]
fn a_repair_without_success_is_reported_at_its_timeout() {
    let repair_timeout = Some(Duration::from_millis(2_800));
    let mut net = Net::new(6, Settings { repair_timeout, ..Settings::default() }, 1);
    (1..6).for_each(|node| net.link(node - 1, node, true));
    for number in 0..20 {
        net.offer(ms(20_000 + 250 * u64::from(number)), 0, 5, number);
    }
    net.run(ms(21_900));
    net.link(4, 5, false);
    net.news.clear();
    // The packet of 22.0 s meets the break.
    net.run(ms(24_803));
    assert_eq!((net.traced(EventKind::Declared(&LOCAL_REPAIR)), net.errors()), (vec![4], vec![]));
    net.run(ms(24_900));
    assert_eq!(net.errors(), [4, 3, 2, 1]);
    let lost = net.news.iter().filter(|(_, news)| *news == RouteNews::Lost(NodeId(5)));
    assert_eq!(lost.map(|(node, _)| *node).collect::<Vec<_>>(), [4, 3, 2, 1, 0]);
}

#[test]
fn a_repair_that_succeeds_is_not_the_end_of_the_next_one() {
    let repair_timeout = Some(Duration::from_millis(2_800));
    let mut net = Net::new(6, Settings { repair_timeout, ..Settings::default() }, 1);
    (1..6).for_each(|node| net.link(node - 1, node, true));
    net.offer(ms(20_000), 0, 5, 1);
    net.run(ms(21_000));
    net.link(3, 4, false);
    net.link(3, 5, true);
    net.offer(ms(22_000), 0, 5, 2);
    net.run(ms(23_000));
    assert_eq!(
        (net.traced(EventKind::Declared(&LOCAL_REPAIR)), net.next(3, 5)),
        (vec![3], Some(5))
    );
    net.link(3, 5, false);
    net.offer(ms(24_000), 0, 5, 3);
    net.run(ms(26_803));
    assert_eq!(
        (net.traced(EventKind::Declared(&LOCAL_REPAIR)), net.errors()),
        (vec![3, 3], vec![])
    );
    net.run(ms(26_900));
    assert_eq!(net.errors(), [3, 2, 1], "2.8 s after the second break");
}

/// In ns-2's way repairs are not ended for hours at a node that has run for hours.
#[test]
fn a_link_that_breaks_and_comes_back_for_hours_stops_no_floods() {
    let mut net = Net::new(7, Settings::default(), 1);
    (1..6).for_each(|node| net.link(node - 1, node, true));
    for round in 0..2_400 {
        net.run(ms(10_000 + 8_000 * round));
        net.offer(net.now, 0, 5, round as u32);
        net.run(net.now + Duration::from_millis(1_000));
        net.link(4, 5, false);
        net.offer(net.now, 0, 5, round as u32);
        net.run(net.now + Duration::from_millis(100));
        net.link(4, 5, true);
    }
    assert!(net.traced(EventKind::Declared(&LOCAL_REPAIR)).len() > 2_000, "they are repaired");
    let relayed = net.requests(4).len();
    net.offer(net.now, 5, 6, 0);
    net.run(net.now + Duration::from_millis(100));
    assert_eq!(net.requests(4).len(), relayed + 1);
}

#[test]
fn a_packet_without_a_route_makes_an_error() {
    let mut net = with_route();
    net.run(ms(13_800));
    assert_eq!(net.next(3, 5), None);
    net.hear_data(3, 2, 62);
    net.run(ms(14_000));
    assert_eq!(net.errors(), [3]);
    assert_eq!(net.drops(), [(ms(13_800), 7, DropCause::NoRoute)]);
    assert_eq!(net.traced(EventKind::RouteError), [3]);
}

#[test]
fn routes_expire_at_the_half_second_after_their_time() {
    let mut net = with_route();
    let last = net.data.iter().filter(|(_, node, ..)| *node == 0).map(|(at, ..)| *at).max();
    let last = last.expect("a packet was sent").nanos() / 1_000_000;
    let end = (last + 10_000).div_ceil(500) * 500;
    net.run(ms(end - 1));
    assert_eq!(net.next(0, 5), Some(1));
    net.run(ms(end));
    assert_eq!(net.next(0, 5), None);
    net.offer(ms(end), 0, 5, 2);
    net.run(ms(end + 500));
    assert_eq!(net.delivered.len(), 2, "and are found again");
}

#[test]
fn using_a_route_keeps_it() {
    let mut net = with_route();
    (1..10).for_each(|n| net.offer(ms(1000 + 9000 * n), 0, 5, n as u32));
    net.run(ms(90_000));
    assert_eq!(net.traced(EventKind::RouteRequest), [0]);
    assert_eq!(net.delivered.len(), 10);
}

#[test]
fn a_packet_that_comes_back_to_its_source_is_dropped() {
    let mut net = with_route();
    net.hear_data(0, 1, 63);
    assert_eq!(net.drops(), [(ms(2000), 7, DropCause::NoRoute)]);
    assert_eq!(net.errors(), []);
}

#[test]
fn errors_count_only_from_the_next_hop_and_only_if_they_are_new() {
    let error = |sequence| Message::Error(vec![Unreachable(NodeId(5), Sequence(sequence))]).emit();
    let mut net = with_route();
    net.hear_message(2, 1, &error(100));
    assert_eq!(net.next(2, 5), Some(3), "1 is not the next hop");
    net.hear_message(2, 3, &error(3));
    assert_eq!(net.next(2, 5), Some(3), "that was another route: the sequence number is 4");
    assert!(net.given_up.is_empty());
    net.hear_message(2, 3, &error(5));
    assert_eq!(net.next(2, 5), None);
    assert_eq!(net.given_up, [(2, NodeId(3))], "what waits for 3 would only be lost there");
    net.run(ms(2500));
    assert_eq!(net.errors(), [2, 1]);
    assert_eq!(net.next(0, 5), None);
}

#[test]
fn errors_that_are_passed_on_are_delayed() {
    let mut net = with_route();
    let error = Message::Error(vec![Unreachable(NodeId(5), Sequence(5))]).emit();
    net.hear_message(2, 3, &error);
    assert_eq!(net.errors(), []);
    net.run(ms(2010));
    assert_eq!(net.errors()[0], 2);
}

#[test]
fn routing_packets_that_fail_break_nothing() {
    let mut net = Net::line(3);
    net.offer(ms(1000), 0, 2, 1);
    net.run(ms(1001));
    // The request is on its way to 1, and the reply will not come back.
    net.run(ms(1002));
    net.link(0, 1, false);
    net.run(ms(1500));
    assert_eq!((net.errors(), net.broken.len()), (vec![], 0));
    assert_eq!(net.next(1, 2), Some(2));
}

/// 6.13, with `DELETE_PERIOD` of 50 s.
#[test]
fn after_a_reboot_a_node_forwards_nothing_and_says_so() {
    let mut net = Net::line(4);
    net.offer(ms(0), 0, 3, 1);
    net.run(ms(1_000));
    assert_eq!(net.delivered.len(), 1);
    net.reboot(1);
    net.offer(ms(1_000), 0, 3, 2);
    net.run(ms(1_100));
    assert!(net.errors().contains(&1), "it has no number, and is believed");
    assert_eq!(net.next(0, 3), None);
    // Nobody gets through, and its own packets wait.
    net.offer(ms(20_000), 0, 3, 3);
    net.offer(ms(30_000), 1, 3, 4);
    net.run(ms(50_500));
    assert_eq!(net.delivered.len(), 1);
    assert!(net.requests(1).iter().all(|(at, _)| *at < ms(1_000)));
    // The wait began anew with the packet at 1 s, which was the last to be forwarded.
    net.offer(ms(52_000), 0, 3, 5);
    net.run(ms(90_000));
    let arrived: Vec<u32> = net.delivered.iter().map(|(_, number)| *number).collect();
    assert!(arrived.contains(&4) && arrived.contains(&5), "{arrived:?}");
}

#[test]
fn a_node_learns_its_number_from_who_asks_for_it() {
    let mut net = Net::line(2);
    for number in 0..5 {
        net.offer(ms(u64::from(number) * 30_000), 1, 0, number);
    }
    net.run(ms(150_000));
    net.reboot(0);
    net.run(ms(201_000));
    net.offer(ms(201_000), 1, 0, 9);
    net.run(ms(230_000));
    assert_eq!(net.delivered.last().map(|(_, number)| *number), Some(9));
}

/// 6.13: a node begins at zero again if nobody has asked for it, so nobody may know a newer number.
#[test]
fn neighbours_forget_the_numbers_of_the_life_before() {
    for (forget_sequence_numbers, packets) in [(true, 6), (false, 5)] {
        let settings = Settings { forget_sequence_numbers, ..Settings::default() };
        let mut net = Net::new(4, settings, 1);
        (1..4).for_each(|node| net.link(node - 1, node, true));
        for number in 0..5 {
            net.offer(ms(30_000 * u64::from(number)), 0, 3, number);
        }
        net.run(ms(150_000));
        assert_eq!(net.delivered.len(), 5);
        net.reboot(0);
        net.run(ms(200_500));
        net.offer(ms(200_500), 0, 3, 5);
        net.run(ms(202_000));
        assert_eq!(net.delivered.len(), packets);
    }
}

/// RFC 3561, 6.3 and 6.11.
#[test]
fn a_node_keeps_to_its_rate_limits() {
    let limited =
        Settings { request_rate_limit: Some(2), error_rate_limit: Some(3), ..Settings::default() };
    for (settings, requests, errors) in [(Settings::default(), 8, 9), (limited, 2, 3)] {
        let mut net = Net::new(12, settings, 1);
        net.link(0, 1, true);
        for to in 2..10 {
            net.offer(ms(0), 0, to, to);
        }
        net.run(ms(40));
        assert_eq!(net.requests(0).len(), requests);
        for number in 0..9 {
            net.run(ms(50 + number));
            net.hear_data(1, 0, 9);
        }
        assert_eq!(net.errors().iter().filter(|node| **node == 1).count(), errors);
        net.run(ms(20_000));
        let asked = net.requests(0);
        let most = asked.iter().map(|(at, _)| {
            asked.iter().filter(|(then, _)| *at <= *then && *then < *at + SECOND).count()
        });
        assert!(requests == 8 || most.max() == Some(2));
        // Who was held back has asked later.
        assert!(asked.len() >= 8);
    }
}

const SECOND: Duration = Duration::from_millis(1_000);
