//! Mistakes in the meaning: values that make no sense alone or together.

use super::{CHAIN, EXPLICIT, right, with, wrong};
use multihop_core::{Bytes, Duration};
use multihop_setup::{Cbr, Simulator};

#[test]
fn zero_hops_and_odd_crosses_are_refused() {
    assert_eq!(
        wrong(&with(CHAIN, "hops = 4", "hops = 0")),
        "line 5: topology.hops: must be at least 1 (got 0)"
    );
    let cross = with(CHAIN, "\"chain\"", "\"cross\"");
    assert_eq!(
        wrong(&with(&cross, "hops = 4", "hops = 5")),
        "line 5: topology.hops: must be even, because the chains share their middle node (got 5)"
    );
    assert_eq!(
        wrong(&with(CHAIN, "hops = 4\n", "")),
        "line 3: topology.hops: is missing; kind \"chain\" needs it, as in hops = 10"
    );
}

#[test]
fn too_many_nodes_are_refused() {
    assert_eq!(
        wrong(&with(CHAIN, "hops = 4", "hops = 100_000")),
        "line 5: topology.hops: makes 100001 nodes; at most 100000 are possible"
    );
    let message = wrong(&with(CHAIN, "hops = 4", "hops = 4294967295"));
    assert!(message.contains("makes 4294967296 nodes"), "{message}");
}

#[test]
fn a_route_longer_than_the_time_to_live_is_refused() {
    assert_eq!(right(&with(CHAIN, "hops = 4", "hops = 64")).nodes.len(), 65);
    for hops in [65, 99_999] {
        assert_eq!(
            wrong(&with(CHAIN, "hops = 4", &format!("hops = {hops}"))),
            format!(
                "line 3: topology: the route from 'n0' to 'n{hops}' has more than 64 hops, a \
                 packet's time to live; bring them closer together"
            )
        );
    }
}

#[test]
fn a_node_out_of_reach_is_named_with_its_nearest() {
    assert_eq!(
        wrong(&with(EXPLICIT, "\"400 m\"", "\"0.6 km\"")),
        "line 15: node[2]: node 'gamma' is out of everyone's reach: the nearest node, 'beta', is \
         400 m away, but the range is 250 m; move them closer or raise radio.receive_range"
    );
    let message = wrong(&with(CHAIN, "hops = 4", "hops = 4\nspacing = \"300 m\""));
    assert!(message.starts_with("line 6: topology.spacing: node 'n0' is out of"), "{message}");
}

#[test]
fn a_flow_without_route_is_named() {
    let islands = with(EXPLICIT, "\"400 m\"", "\"1000 m\"")
        + "[[node]]\nname = \"delta\"\nx = \"1200 m\"\ny = \"0 m\"\n";
    assert_eq!(
        wrong(&islands),
        "line 19: flow[0]: there is no route from 'alpha' to 'gamma': no chain of nodes at most \
         250 m apart joins them; add a node between them or raise radio.receive_range"
    );
}

#[test]
fn flows_name_two_different_nodes_that_exist() {
    assert_eq!(
        wrong(&with(EXPLICIT, "to = \"gamma\"", "to = \"alpha\"")),
        "line 22: flow[0].to: the flow goes from 'alpha' to itself"
    );
    assert_eq!(
        wrong(&with(EXPLICIT, "to = \"gamma\"", "to = \"gama\"")),
        "line 22: flow[0].to: unknown node 'gama', did you mean 'gamma'?"
    );
    assert_eq!(
        wrong(&with(EXPLICIT, "to = \"gamma\"", "to = \"sink\"")),
        "line 22: flow[0].to: unknown node 'sink'; there are alpha, beta and gamma"
    );
}

#[test]
fn names_are_unique() {
    assert_eq!(
        wrong(&with(EXPLICIT, "name = \"gamma\"", "name = \"beta\"")),
        "line 16: node[2].name: there are two nodes 'beta': node[1] and node[2]"
    );
    assert_eq!(
        wrong(&with(EXPLICIT, "name = \"down\"", "name = \"up\"")),
        "line 24: flow[1].name: there are two flows 'up': flow[0] and flow[1]"
    );
    assert_eq!(
        wrong(&with(EXPLICIT, "name = \"gamma\"", "name = \" \"")),
        "line 16: node[2].name: must not be empty"
    );
}

#[test]
fn keys_that_do_not_apply_are_refused() {
    assert_eq!(
        wrong(&with(CHAIN, "hops = 4", "hops = 4\nradius = \"50 m\"")),
        "line 6: topology.radius: does not apply to kind \"chain\", which takes hops, spacing; \
         it belongs to star"
    );
    assert_eq!(
        wrong(&with(EXPLICIT, "[scheme]", "hops = 2\n[scheme]")),
        "line 3: topology.hops: does not apply to kind \"explicit\"; it belongs to chain, \
         bidirectional-chain, cross, bidirectional-cross or dumbbell"
    );
    let message = wrong(&(CHAIN.to_owned() + "[[node]]\nname = \"a\"\nx = \"0 m\"\ny = \"0 m\"\n"));
    assert_eq!(
        message,
        "line 10: node: [[node]] applies only to kind \"explicit\"; kind \"chain\" makes its own"
    );
    assert_eq!(
        wrong(&with(CHAIN, "[scheme]", "[radio]\nshadowing_deviation = \"4 dB\"\n[scheme]")),
        "line 7: radio.shadowing_deviation: does not apply to propagation \"two-ray-ground\"; it belongs to \
         log-normal-shadowing"
    );
    let message = wrong(&with(CHAIN, "[scheme]", "[radio]\n[wired]\n[scheme]"));
    assert_eq!(
        message,
        "line 7: wired: takes the place of [radio] and [mac]; remove it or [radio]"
    );
    let both = "[mac]\nrts_cts = true\nrts_threshold = \"100 B\"\n[scheme]";
    assert_eq!(
        wrong(&with(CHAIN, "[scheme]", both)),
        "line 8: mac.rts_threshold: takes the place of rts_cts; remove one of the two"
    );
}

#[test]
fn sections_that_are_needed_are_asked_for() {
    assert_eq!(
        wrong(&with(CHAIN, "[traffic]\nload = \"100 kbit/s\"\n", "")),
        "traffic: is missing; the flows need [traffic] with load = \"100 kbit/s\", for example, or \
         kind = \"ftp\""
    );
    assert_eq!(
        wrong(&with(CHAIN, "load = \"100 kbit/s\"\n", "")),
        "line 8: traffic.load: is missing; kind \"cbr\" needs it, as in load = \"100 kbit/s\""
    );
    assert_eq!(
        wrong(&with(EXPLICIT, "[traffic]\nload = \"100 kbit/s\"\n", "")),
        "line 17: flow[0].load: is missing; kind \"cbr\" needs it, as in load = \"100 kbit/s\""
    );
    let message = wrong(&with(CHAIN, "\"chain\"\nhops = 4", "\"explicit\""));
    assert_eq!(message, "node: is missing; kind \"explicit\" needs [[node]] tables");
}

#[test]
fn the_traffic_has_to_fit() {
    // 20 B network header; udp has none of its own
    let message = wrong(&(CHAIN.to_owned() + "payload = \"3 kB\"\n"));
    assert!(message.starts_with("line 10: traffic.payload: a payload of 3000 B and "), "{message}");
    assert!(message.contains("a frame of the 802.11 DCF MAC carries at most 2304 B"), "{message}");
    assert_eq!(
        wrong(&with(CHAIN, "\"100 kbit/s\"", "\"0 bit/s\"")),
        "line 9: traffic.load: must be at least 1 bit/s (got 0 bit/s)"
    );
    assert_eq!(
        wrong(&(CHAIN.to_owned() + "payload = \"0 B\"\n")),
        "line 10: traffic.payload: must be at least 1 B (got 0 B)"
    );
    assert_eq!(
        wrong(&(CHAIN.to_owned() + "start = \"2 min\"\n")),
        "line 10: traffic.start: the flow 'n0->n4' starts at 120 s, but the run ends at 30 s; \
         start it earlier or raise duration"
    );
    assert_eq!(
        wrong(&(CHAIN.to_owned() + "start = \"5 s\"\nstop = \"4 s\"\n")),
        "line 11: traffic.stop: must be later than the start at 5 s (got 4 s)"
    );
    let message =
        wrong(&(CHAIN.to_owned() + "[wired]\n").replace("hops", "spacing = \"1 km\"\nhops"));
    assert!(message.contains("raise wired.neighbour_range"), "{message}");
}

#[test]
fn the_scheme_and_its_parameters_are_checked() {
    let message = wrong(&with(CHAIN, "\"udp\"", "\"cxc\""));
    assert!(
        message.starts_with("line 7: scheme.name: unknown scheme 'cxc', did you mean 'cxcc'?"),
        "{message}"
    );
    let message = wrong(&with(CHAIN, "\"udp\"", "\"cxcc\"\nrfaa = true"));
    assert!(message.starts_with("line 8: scheme.rfaa: unknown key 'rfaa'"), "{message}");
    assert!(message.contains(", did you mean 'rfa'?"), "{message}");
    let message = wrong(&with(CHAIN, "\"udp\"", "\"cxcc\"\nrfa = 1"));
    assert_eq!(message, "line 8: scheme.rfa: wants true or false");
    let message = wrong(&with(CHAIN, "\"udp\"", "\"cxcc\"\nrfa = \"yes\""));
    assert_eq!(message, "line 8: scheme.rfa: wants true or false (got \"yes\")");
    let message = wrong(&with(CHAIN, "\"udp\"", "\"cxcc\"\nduplicate_memory = -1"));
    let bounds = "must lie between 0 s and 1000000 s (got -1)";
    assert_eq!(message, format!("line 8: scheme.duplicate_memory: {bounds}"));
}

#[test]
fn times_are_checked() {
    assert_eq!(
        wrong(&with(CHAIN, "\"20 s\"", "\"0 s\"")),
        "line 2: duration: must be longer than zero"
    );
    let message = wrong(&with(CHAIN, "[topology]", "series_interval = \"1 ns\"\n[topology]"));
    assert!(message.starts_with("line 3: series_interval: makes 30000000000 intervals"));
}

#[test]
fn a_flow_takes_from_the_traffic_what_it_does_not_say() {
    let text =
        with(EXPLICIT, "to = \"alpha\"", "to = \"alpha\"\nload = \"64 bit/s\"\nstart = \"2 s\"");
    let setup = right(&text);
    for (source, interval_ns) in setup.sources.iter().zip([40_960_000, 64_000_000_000]) {
        let interval = Duration::from_nanos(interval_ns);
        let sent = Cbr { payload: Bytes(512), interval, jitter: 0.0 }.traffic();
        assert_eq!(source.traffic, sent, "{}", source.name);
    }
    assert_eq!(setup.sources[0].start.nanos(), 1_000_000_000);
    assert_eq!(setup.sources[1].start.nanos(), 2_000_000_000);
    assert_eq!(setup.sources[1].stop, setup.end);
    assert_eq!(setup.end.nanos(), 70_000_000_000);
}

#[test]
fn flows_of_one_pair_are_told_apart() {
    let text = EXPLICIT.to_owned() + "[[flow]]\nfrom = \"alpha\"\nto = \"gamma\"\n";
    let setup = right(&text);
    assert_eq!(setup.sources[2].flow.label, 1);
    assert_eq!(setup.sources[2].name, "alpha->gamma#1");
}

#[test]
fn wired_links_take_the_place_of_the_radio() {
    let setup = right(&(CHAIN.to_owned() + "payload = \"3 kB\"\n[wired]\nqueue = 7\n"));
    assert!(setup.medium.radio().is_none());
    let value = |name| setup.medium.values.named(name).expect("it has one").to_string();
    assert_eq!(["queue", "rate", "delay"].map(value), ["7", "1 Mbit/s", "1 ms"]);
    assert_eq!(setup.params.link.data_rate.0, 1_000_000);
}

#[test]
fn ns_3_is_asked_for_by_a_key_and_refuses_what_its_802_11b_cannot_be() {
    let ns3 = |more: &str| format!("simulator = \"ns3\"\n{CHAIN}{more}");
    assert_eq!(right(CHAIN).simulator, Simulator::Multihop);
    assert_eq!(right(&format!("simulator = \"multihop\"\n{CHAIN}")).simulator, Simulator::Multihop);
    assert_eq!(right(&ns3("[mac]\nrts_cts = true\n")).simulator, Simulator::Ns3);
    assert_eq!(
        wrong(&ns3("[mac]\ntiming = \"ofdm\"\n")),
        "line 12: mac.timing: ns-3 is used as 802.11b with its long preamble; use 'dsss' as it is"
    );
    let message = wrong(&ns3("[wired]\nrate = \"1 Mbit/s\"\n"));
    assert!(message.contains("wired: ns-3 is used for its radios"), "{message}");
}
