//! What depends on others: favourites, and the rules of Meshtasticator, whose nodes share a list.

use multihop_core::CommonList;

use super::*;

#[test]
fn meshtasticator_drops_a_relay_by_the_number_of_copies() {
    for (name, copies) in [("client", 2), ("router", 3)] {
        let mut bench = node(&[SIMULATOR, role(name)]);
        for at in 1..copies {
            bench.hear(copy(EVERYONE, 7, 3, NodeId(100 + at)));
            assert_eq!(bench.0.hop.backlog(), 1, "{name}: {at}");
        }
        bench.hear(copy(EVERYONE, 7, 3, FAR));
        bench.waits_in_vain(name);
        bench.hear(copy(EVERYONE, 7, 3, OTHER));
        bench.waits_in_vain(name);
        bench.hear(copy(EVERYONE, 7, 0, OTHER));
        assert_eq!(bench.0.hop.backlog(), 0, "{name}: it may not be relayed");
    }
}

#[test]
fn a_client_base_gives_up_no_relay_for_its_favourites() {
    let given = |key: &'static str, node: NodeId| (key, Value::Numbers([node.0].into()));
    let direct = FlowId::between(SOURCE, FAR);
    for (name, own, flow, kept) in [
        ("client_base", given("favourites", SOURCE), EVERYONE, true),
        ("client_base", given("favourites", FAR), direct, true),
        ("client_base", given("favourite_routers", SOURCE), EVERYONE, true),
        ("client_base", given("favourites", OTHER), EVERYONE, false),
        ("client", given("favourites", SOURCE), EVERYONE, false),
    ] {
        let mut bench = node(&[role(name), own]);
        bench.hear(copy(flow, 7, 3, SOURCE));
        bench.hear(copy(flow, 7, 2, OTHER));
        assert_eq!(bench.0.hop.backlog() > 0, kept, "{name} {flow:?}");
        assert!(bench.0.poll().is_none(), "{name}: it waits for the late window");
        if kept {
            bench.0.time_out();
            assert_eq!(header(&bench.transmit()).id, 7, "{name}");
        }
    }
}

#[test]
fn a_relay_between_favourite_routers_takes_no_hop_off_the_limit() {
    let routers = ("favourite_routers", Value::Numbers([OTHER.0].into()));
    let relayed = |own: &[(&'static str, Value)], known: &[NodeId], relay, left| {
        let mut bench = node(own);
        for (id, source) in (100..).zip(known) {
            bench.hear(copy(FlowId::between(*source, NodeId::BROADCAST), id, 0, *source));
        }
        bench.hear(copy(EVERYONE, 7, left, relay));
        header(&bench.transmit()).hop_limit
    };
    let twin = NodeId(OTHER.0 + 256);
    for name in ["router", "router_late", "client_base"] {
        let own = [role(name), routers.clone()];
        assert_eq!(relayed(&own, &[OTHER], OTHER, 2), 2, "{name}");
        assert_eq!(relayed(&own, &[OTHER], OTHER, 3), 2, "{name}: the first hop counts");
        assert_eq!(relayed(&own, &[], OTHER, 2), 1, "{name}: it does not know it");
        assert_eq!(relayed(&own, &[OTHER, twin], OTHER, 2), 1, "{name}: two have this byte");
        assert_eq!(relayed(&own, &[OTHER, FAR], FAR, 2), 1, "{name}: it is no favourite");
    }
    assert_eq!(relayed(&[role("client"), routers.clone()], &[OTHER], OTHER, 2), 1);
    assert_eq!(relayed(&[role("router"), routers, SIMULATOR], &[OTHER], OTHER, 2), 1);
}

#[test]
fn meshtasticator_keeps_its_turn_for_a_relay_that_it_drops() {
    let mut bench = node(&[SIMULATOR]);
    bench.hear(copy(EVERYONE, 7, 3, SOURCE));
    let request = bench.poll();
    bench.hear(copy(EVERYONE, 8, 3, SOURCE));
    bench.hear(copy(EVERYONE, 7, 2, OTHER));
    assert_eq!((bench.0.withdrawals(), bench.0.poll()), (1, None));
    bench.0.done(request, Outcome::Withdrawn);
    assert_eq!(bench.0.dropped(), [(&SUPPRESSED).into()]);
    assert_eq!(header(&bench.transmit()).id, 8);
}

#[test]
fn meshtasticator_s_sources_know_what_relays_have_heard() {
    for (shared, dropped, repeated) in
        [(true, false, false), (true, true, true), (false, false, true)]
    {
        let list = CommonList::default();
        let [mut source, mut relay] = [MINE.source, OTHER].map(|me| {
            let given = [SIMULATOR, ("common_list", Value::Switch(shared))];
            let given = given.map(|(key, value)| (key.to_owned(), value));
            let params = Params::new(&SCHEME, &given, Rate(1_000)).expect("they are valid");
            let common = Some(list.clone());
            Bench(HopDesk::new(me, (SCHEME.hop)(&Params { common, ..params })))
        });
        source.send(MINE, 0);
        let id = header(&source.transmit()).id;
        relay.hear(copy(MINE, id, 3, ME));
        if !dropped {
            relay.transmit();
        }
        relay.hear(copy(MINE, id, 2, FAR));
        if dropped {
            relay.waits_in_vain("a relay");
        }
        source.0.time_out();
        let what = format!("shared {shared}, dropped {dropped}");
        assert_eq!(source.0.hop.backlog() > 0, repeated, "{what}");
        assert_eq!(source.0.traced(EventKind::ImplicitAcknowledgment), !repeated, "{what}");
    }
}

#[test]
fn meshtasticator_repeats_three_times_in_order_and_relays_with_the_last_signal() {
    let mut bench = node(&[SIMULATOR, role("router")]);
    bench.send(MINE, 0);
    let id = header(&bench.transmit()).id;
    for _ in 0..3 {
        bench.0.time_out();
        assert_eq!(bench.transmit_all(), [id]);
    }
    bench.0.time_out();
    assert_eq!(bench.0.hop.backlog(), 0);
    bench.hear_at(copy(EVERYONE, 7, 3, SOURCE), -20.0);
    bench.hear_at(copy(EVERYONE, 7, 2, OTHER), 16.0);
    let class = bench.transmit().contention.expect("every frame has one");
    assert_eq!((class.first, class.cw_min), (0, 16));
}
