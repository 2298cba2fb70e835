//! What flows carry, and flows beside those of a topology.

use multihop_core::{Bytes, Duration, FlowId, TrafficClass};

use super::{CHAIN, right, with, wrong};
use multihop_setup::{Bulk, CarriedBy, Cbr, SourceQueue, Traffic};

/// [`CHAIN`] with other terms in [traffic].
fn traffic(terms: &str) -> String {
    with(CHAIN, "load = \"100 kbit/s\"", terms)
}

/// [`CHAIN`] with one more flow.
fn beside(terms: &str) -> String {
    format!("{CHAIN}[[flow]]\nfrom = \"n1\"\nto = \"n3\"\n{terms}\n")
}

fn bulk(payload: u32, packets: Option<u32>) -> Traffic {
    Bulk { packets }.traffic(Bytes(payload))
}

/// A constant rate of 512 B every so many microseconds.
fn cbr(interval_us: u64, jitter: f64) -> Traffic {
    Cbr { payload: Bytes(512), interval: Duration::from_micros(interval_us), jitter }.traffic()
}

#[test]
fn a_transfer_ends_with_its_file_or_never() {
    assert_eq!(right(&traffic("kind = \"ftp\"")).sources[0].traffic, bulk(512, None));
    let ftp = right(&traffic("kind = \"ftp\"\npayload = \"1460 B\""));
    assert_eq!(ftp.sources[0].traffic, bulk(1460, None));
    for (size, payload, packets) in [
        ("50 kB", 512, 98),
        ("1 B", 512, 1),
        ("512 B", 512, 1),
        ("513 B", 512, 2),
        ("4000 MB", 1, 4_000_000_000),
    ] {
        let text = format!("kind = \"file\"\nsize = \"{size}\"\npayload = \"{payload} B\"");
        assert_eq!(right(&traffic(&text)).sources[0].traffic, bulk(payload, Some(packets)));
    }
}

#[test]
fn sizes_are_drawn_between_two_by_the_seed_and_the_flow() {
    let packets = |terms: &str, flow: usize| {
        right(terms).sources[flow].traffic.pattern.packets().expect("a file")
    };
    let drawn =
        traffic("kind = \"file\"\nsize = \"5 kB\"\nlargest_size = \"50 kB\"\npayload = \"1 B\"");
    let flows: String = "[[flow]]\nfrom = \"n1\"\nto = \"n3\"\n".repeat(200);
    let many = format!("{drawn}{flows}");
    let sizes: Vec<u32> = (0..=200).map(|flow| packets(&many, flow)).collect();
    assert!(sizes.iter().all(|size| (5_000..=50_000).contains(size)), "{sizes:?}");
    let mean = sizes.iter().sum::<u32>() / 201;
    assert!((25_000..30_000).contains(&mean), "uniform: {mean}");
    assert_eq!(packets(&many, 7), packets(&many, 7), "the same file, the same sizes");
    assert_ne!(packets(&many, 7), packets(&format!("seed = 9\n{many}"), 7));
    let own = format!("{drawn}[[flow]]\nfrom = \"n1\"\nto = \"n3\"\nsize = \"3 kB\"\n");
    assert_eq!(packets(&own, 1), 3_000, "a flow that says its size has it");
    let larger = own.replace("size = \"3 kB\"", "largest_size = \"9 kB\"");
    assert!((5_000..=9_000).contains(&packets(&larger, 1)), "from the common size on");
    let range = format!("{own}largest_size = \"4 kB\"\n");
    assert!((3_000..=4_000).contains(&packets(&range, 1)));
    let exact =
        traffic("kind = \"file\"\nsize = \"5 kB\"\nlargest_size = \"5 kB\"\npayload = \"1 B\"");
    assert_eq!(packets(&exact, 0), 5_000);
    let message = wrong(&drawn.replace("50 kB", "4 kB"));
    let expected = "traffic.largest_size: must not be smaller than size (4000 B against 5000 B)";
    assert!(message.ends_with(expected), "{message}");
    let message = wrong(&traffic("kind = \"ftp\"\nlargest_size = \"4 kB\""));
    assert!(message.contains("traffic.largest_size: does not apply to kind \"ftp\""), "{message}");
}

#[test]
fn a_source_may_jitter_by_a_share_of_its_interval() {
    let of = |terms: &str, flow: usize| right(terms).sources[flow].traffic.clone();
    let common = traffic("load = \"1 Mbit/s\"\ninterval_jitter = 0.5");
    assert_eq!(of(CHAIN, 0), cbr(40_960, 0.0));
    assert_eq!(of(&common, 0), cbr(4_096, 0.5));
    assert_eq!(of(&common.replace("0.5", "1"), 0), cbr(4_096, 1.0));
    let own = format!("{common}[[flow]]\nfrom = \"n1\"\nto = \"n3\"\n");
    assert_eq!(of(&own, 1), cbr(4_096, 0.5), "as [traffic] says");
    assert_eq!(of(&format!("{own}interval_jitter = 0\n"), 1), cbr(4_096, 0.0));
    let datagrams = format!("{own}transport = \"datagram\"\ninterval_jitter = 0.25\n");
    assert_eq!(of(&datagrams, 1), cbr(4_096, 0.25));
    for (given, message) in [
        ("-0.1", "must lie between 0 and 1 (got -0.1)"),
        ("1.5", "must lie between 0 and 1 (got 1.5)"),
    ] {
        let message = format!("line 10: traffic.interval_jitter: {message}");
        assert_eq!(wrong(&common.replace("0.5", given)), message);
    }
    let message = wrong(&traffic("kind = \"ftp\"\ninterval_jitter = 0.5"));
    assert_eq!(
        message,
        "line 10: traffic.interval_jitter: does not apply to kind \"ftp\"; it belongs to cbr"
    );
}

#[test]
fn each_kind_of_traffic_has_its_keys() {
    let load = "does not apply to kind \"ftp\"; it belongs to cbr";
    let size = "does not apply to kind \"cbr\"; it belongs to file";
    for (terms, message) in [
        ("kind = \"ftp\"\nload = \"1 Mbit/s\"", format!("line 10: traffic.load: {load}")),
        (
            "kind = \"file\"\nsize = \"1 kB\"\nload = \"1 Mbit/s\"",
            format!("line 11: traffic.load: {}", load.replace("ftp", "file")),
        ),
        ("load = \"1 Mbit/s\"\nsize = \"1 kB\"", format!("line 10: traffic.size: {size}")),
        (
            "kind = \"ftp\"\nsize = \"1 kB\"",
            format!("line 10: traffic.size: {}", size.replace("cbr", "ftp")),
        ),
        (
            "kind = \"file\"",
            "line 8: traffic.size: is missing; kind \"file\" needs it, as in size = \"50000 B\""
                .to_owned(),
        ),
        (
            "kind = \"cbr\"",
            "line 8: traffic.load: is missing; kind \"cbr\" needs it, as in load = \"100 kbit/s\""
                .to_owned(),
        ),
        (
            "kind = \"file\"\nsize = \"0 B\"",
            "line 10: traffic.size: must be at least 1 B (got 0 B)".to_owned(),
        ),
        (
            "kind = \"ftp\"\npayload = \"0 B\"",
            "line 10: traffic.payload: must be at least 1 B (got 0 B)".to_owned(),
        ),
        (
            "kind = \"file\"\nsize = \"1 ms\"",
            "line 10: traffic.size: \"1 ms\" is a time; a size wants B, kB or MB".to_owned(),
        ),
    ] {
        assert_eq!(wrong(&traffic(terms)), message);
    }
    let message = wrong(&traffic("kind = \"http\""));
    assert!(
        message.contains(
            "line 9: traffic.kind: unknown traffic 'http'; known: cbr, ftp, file, poisson, replay"
        ),
        "{message}"
    );
}

#[test]
fn a_flow_of_another_kind_has_keys_of_its_own() {
    let setup = right(&beside("kind = \"ftp\""));
    assert_eq!(setup.sources[1].traffic, bulk(512, None), "the common load is not its");
    let setup = right(&beside("kind = \"file\"\nsize = \"2 kB\"\npayload = \"1 kB\""));
    assert_eq!(setup.sources[1].traffic, bulk(1000, Some(2)));
    let message = wrong(&beside("kind = \"file\""));
    assert!(message.starts_with("line 10: flow[0].size: is missing; "), "{message}");
    let message = wrong(&beside("kind = \"ftp\"\nload = \"1 Mbit/s\""));
    assert!(message.starts_with("line 14: flow[0].load: does not apply to kind \"ftp\""));
    let ftp = beside("load = \"1 Mbit/s\"").replace("load = \"100 kbit/s\"", "kind = \"ftp\"");
    let message = wrong(&ftp);
    assert!(message.starts_with("line 13: flow[0].load: does not apply to kind \"ftp\""));
    let own = with(&ftp, "load = \"1 Mbit/s\"", "kind = \"cbr\"");
    let message = wrong(&own);
    assert!(message.starts_with("line 10: flow[0].load: is missing; kind \"cbr\" needs it"));
    let file = traffic("kind = \"file\"\nsize = \"5120 B\"")
        + "[[flow]]\nfrom = \"n1\"\nto = \"n3\"\npayload = \"1 kB\"\n";
    let setup = right(&file);
    assert_eq!(setup.sources[0].traffic, bulk(512, Some(10)));
    assert_eq!(setup.sources[1].traffic, bulk(1000, Some(6)));
}

#[test]
fn flows_are_carried_by_the_scheme_unless_told() {
    let carried = |text: &str| -> Vec<CarriedBy> {
        right(text).sources.iter().map(|source| source.carried_by).collect()
    };
    assert_eq!(carried(&beside("")), [CarriedBy::Scheme, CarriedBy::Scheme]);
    let one = beside("transport = \"datagram\"");
    assert_eq!(carried(&one), [CarriedBy::Scheme, CarriedBy::Datagram]);
    let other =
        with(&beside("transport = \"scheme\""), "load =", "transport = \"datagram\"\nload =");
    assert_eq!(carried(&other), [CarriedBy::Datagram, CarriedBy::Scheme]);
    let message = wrong(&beside("transport = \"datagrams\""));
    assert!(
        message.starts_with(
            "line 13: flow[0].transport: unknown value 'datagrams', did you mean 'datagram'?"
        ),
        "{message}"
    );
}

#[test]
fn flows_join_those_of_the_topology() {
    let setup = right(&beside(
        "name = \"short\"\nload = \"64 bit/s\"\n[[flow]]\nfrom = \"n0\"\nto = \"n4\"",
    ));
    let named: Vec<_> =
        setup.sources.iter().map(|source| (source.name.as_str(), source.flow.label)).collect();
    assert_eq!(named, [("n0->n4", 0), ("short", 0), ("n0->n4#1", 1)]);
    assert_eq!(setup.sources[1].traffic, cbr(64_000_000, 0.0), "a flow's own terms are its own");
    assert_eq!(setup.sources[0].traffic, cbr(40_960, 0.0));
}

#[test]
fn mistakes_in_flows_beside_a_topology_name_their_table() {
    let flow = "[[flow]]\nfrom = \"n1\"\nto = \"n3\"\n";
    assert_eq!(
        wrong(&beside("").replace("n3", "n5")),
        "line 12: flow[0].to: unknown node 'n5'; there are n0 to n4"
    );
    assert_eq!(
        wrong(&beside("").replace("n1", "n3")),
        "line 12: flow[0].to: the flow goes from 'n3' to itself"
    );
    assert_eq!(
        wrong(&beside("name = \"n0->n4\"")),
        "line 13: flow[0].name: there are two flows 'n0->n4': one of the topology's and flow[0]"
    );
    assert_eq!(
        wrong(&(beside("name = \"x\"") + flow + "name = \"x\"\n")),
        "line 17: flow[1].name: there are two flows 'x': flow[0] and flow[1]"
    );
    assert_eq!(
        wrong(&(beside("name = \"n1->n3#1\"\n[[flow]]\nfrom = \"n1\"\nto = \"n3\""))),
        "line 14: flow[1]: there are two flows 'n1->n3#1': flow[0] and flow[1]"
    );
    let message = wrong(&(beside("") + flow + "payload = \"3 kB\"\n"));
    assert!(message.starts_with("line 17: flow[1].payload: a payload of 3000 B and 20 B"));
    let message = wrong(&(beside("") + flow + "start = \"40 s\"\n"));
    assert!(message.starts_with("line 17: flow[1].start: the flow 'n1->n3#1' starts at 40 s"));
    let message = wrong(&beside("").replace("[traffic]\nload = \"100 kbit/s\"\n", ""));
    assert!(message.starts_with("traffic: is missing; the flows need [traffic] with "));
    let long = beside("").replace("hops = 4", "hops = 64\nspacing = \"100 m\"");
    right(&long);
    let far = with(CHAIN, "\"chain\"\nhops = 4", "\"grid\"\nrows = 33\ncolumns = 34")
        + "[[flow]]\nfrom = \"n0\"\nto = \"n1\"\n[[flow]]\nfrom = \"n0\"\nto = \"n1121\"\n";
    let message = wrong(&far.replace("load =", "start_jitter = \"0 s\"\nload ="));
    assert!(
        message.starts_with("line 15: flow[1]: the route from 'n0' to 'n1121' has more than 64"),
        "{message}"
    );
}

#[test]
fn one_pair_has_as_many_flows_as_its_labels_tell_apart() {
    let most = FlowId::MOST_PER_PAIR as usize;
    let flow = "[[flow]]\nfrom = \"n0\"\nto = \"n4\"\n";
    let text = CHAIN.to_owned() + &flow.repeat(most - 1);
    let setup = right(&text);
    assert_eq!(setup.sources.len(), most);
    assert_eq!(setup.sources[most - 1].flow.label, 0x1fff);
    let message = wrong(&(text + flow));
    assert!(
        message.ends_with("flow[8191]: one pair can have at most 8192 flows of one class"),
        "{message}"
    );
}

#[test]
fn flows_of_a_pair_differ_by_class_and_number() {
    let more = "[[flow]]\nfrom = \"n0\"\nto = \"n4\"\n";
    let report = format!("{more}class = \"report\"\n");
    let setup = right(&format!("{CHAIN}{report}{more}{report}"));
    let flows: Vec<_> = setup.sources.iter().map(|source| source.flow).collect();
    let said: Vec<_> = flows.iter().map(|flow| (flow.class(), flow.number())).collect();
    let (text, report) = (TrafficClass::Text, TrafficClass::Report);
    assert_eq!(said, [(text, 0), (report, 0), (text, 1), (report, 1)]);
    let names: Vec<_> = setup.sources.iter().map(|source| source.name.as_str()).collect();
    assert_eq!(names, ["n0->n4", "n0->n4 (report)", "n0->n4#1", "n0->n4#1 (report)"]);
    let message = wrong(&format!("{CHAIN}{more}class = \"repot\"\n"));
    assert!(message.contains("flow[0].class") && message.contains("report"), "{message}");
}

/// [`CHAIN`] with two more flows and other terms in [traffic], and when its flows start and stop.
fn times(terms: &str, own: &str) -> Vec<(f64, f64)> {
    let text = traffic(&format!("load = \"1 kbit/s\"\n{terms}"));
    let flow = "[[flow]]\nfrom = \"n1\"\nto = \"n3\"\n";
    let setup = right(&format!("{text}\n{flow}{flow}{own}\n"));
    setup.sources.iter().map(|source| (source.start.seconds(), source.stop.seconds())).collect()
}

#[test]
fn flows_start_one_after_the_other_and_live_as_long_as_they_are_told() {
    // 10 s of warm-up and 20 s of duration
    assert_eq!(times("stagger = \"5 s\"", ""), [(1.0, 30.0), (6.0, 30.0), (11.0, 30.0)]);
    let both = "start = \"0 s\"\nstagger = \"10 s\"\nlifetime = \"15 s\"";
    assert_eq!(times(both, ""), [(0.0, 15.0), (10.0, 25.0), (20.0, 30.0)]);
    // what a flow says itself goes before what [traffic] says
    assert_eq!(times(both, "start = \"3 s\"")[2], (3.0, 18.0), "no stagger");
    assert_eq!(times(both, "stop = \"24 s\"")[2], (20.0, 24.0));
    assert_eq!(times(both, "lifetime = \"2 s\"")[2], (20.0, 22.0));
    assert_eq!(times("stop = \"9 s\"", "lifetime = \"2 s\"")[1..], [(1.0, 9.0), (1.0, 3.0)]);
}

#[test]
fn times_that_cannot_be_are_refused() {
    for (terms, message) in [
        ("lifetime = \"0 s\"", "line 10: traffic.lifetime: must be longer than zero"),
        (
            "stop = \"9 s\"\nlifetime = \"2 s\"",
            "line 11: traffic.lifetime: takes the place of stop; remove one of the two",
        ),
        ("stop = \"1 s\"", "line 10: traffic.stop: must be later than the start at 1 s (got 1 s)"),
    ] {
        assert_eq!(wrong(&traffic(&format!("load = \"1 kbit/s\"\n{terms}"))), message);
    }
    for stagger in ["30 s", "5e8 s"] {
        let text = with(&beside(""), "load =", &format!("stagger = \"{stagger}\"\nload ="));
        let message = wrong(&text);
        assert!(message.starts_with("line 9: traffic.stagger: the flow 'n1->n3' starts at "));
    }
    let message = wrong(&beside("stagger = \"1 s\""));
    assert!(message.contains("flow[0].stagger: unknown key 'stagger'"), "{message}");
}

#[test]
fn packets_that_make_a_route_known_go_ahead_of_every_flow() {
    let lead = |terms: &str| right(&traffic(terms)).sources[0].lead.map(Duration::seconds);
    assert_eq!(lead("load = \"1 kbit/s\""), None);
    assert_eq!(lead("load = \"1 kbit/s\"\nstart = \"9 s\"\nroute_lead = \"8.5 s\""), Some(8.5));
    assert_eq!(lead("kind = \"ftp\"\nstart = \"2 s\"\nroute_lead = \"2 s\""), Some(2.0));
    let known = "start = \"5 s\"\nroute_lead = \"4 s\"\nload =";
    let beside = with(&beside(""), "load =", known);
    assert!(right(&beside).sources.iter().all(|source| source.lead.is_some()));
}

#[test]
fn of_traffic_that_sends_by_itself_only_the_newest_message_may_wait() {
    let queue = |terms: &str| right(&traffic(terms)).sources[0].queue;
    assert_eq!(queue("load = \"1 kbit/s\""), SourceQueue::Transport);
    assert_eq!(queue("load = \"1 kbit/s\"\nsource_queue = \"latest\""), SourceQueue::Latest);
    let one = right(&beside("source_queue = \"latest\""));
    let queues: Vec<_> = one.sources.iter().map(|source| source.queue).collect();
    assert!(queues.contains(&SourceQueue::Transport) && queues.contains(&SourceQueue::Latest));
    let message = wrong(&traffic("kind = \"ftp\"\nsource_queue = \"latest\""));
    assert!(
        message.contains("traffic.source_queue: does not apply to kind \"ftp\"; it belongs to cbr"),
        "{message}"
    );
    let message = wrong(&traffic("load = \"1 kbit/s\"\nsource_queue = \"newest\""));
    assert!(message.contains("traffic.source_queue") && message.contains("latest"), "{message}");
}

#[test]
fn a_lead_that_a_flow_cannot_have_is_refused() {
    let bounds = "traffic.route_lead: must be from 1.5 s, which its 3 packets take, to the start of the \
                  flow at 5 s";
    let remedy = "start the flow later or shorten it";
    for given in ["6 s", "1 s"] {
        let terms = format!("kind = \"ftp\"\nstart = \"5 s\"\nroute_lead = \"{given}\"");
        let message = wrong(&traffic(&terms));
        assert!(message.ends_with(&format!("{bounds} (got {given}); {remedy}")), "{message}");
    }
    let message = wrong(&traffic("kind = \"file\"\nsize = \"5 kB\"\nroute_lead = \"1 s\""));
    let expected =
        "traffic.route_lead: does not apply to kind \"file\"; it belongs to cbr, ftp or poisson";
    assert!(message.ends_with(expected), "{message}");
    let message = wrong(&beside("route_lead = \"2 s\""));
    assert!(message.contains("flow[0].route_lead: unknown key 'route_lead'"), "{message}");
}
