//! Transfers over TCP, AODV, and what is measured of them.

use multihop_core::DropCause;
use multihop_trace::Column;

use crate::Options;
use crate::tests::{
    assert_balanced, column, fingerprint, floats, integers, labels, run, run_text, setup, track,
};

/// A chain with an endless transfer, or whatever else `keys` say.
fn chain(hops: u32, scheme: &str, keys: &str) -> String {
    let rts = if scheme == "cxcc" { "" } else { "rts_cts = true\n" };
    format!(
        "warmup = \"1 s\"\nduration = \"19 s\"\n[topology]\nkind = \"chain\"\nhops = {hops}\n\
         [mac]\n{rts}data_rate = \"2 Mbit/s\"\n[scheme]\nname = \"{scheme}\"\n{keys}"
    )
}

const FTP: &str = "[traffic]\nkind = \"ftp\"\npayload = \"1000 B\"\n";
const AODV: &str = "[routing]\nkind = \"aodv\"\n";
const VARIANTS: [&str; 9] =
    ["tahoe", "reno", "newreno", "sack", "vegas", "tcp-ap", "adtcp", "lecn", "link-red"];

#[test]
fn every_variant_keeps_its_books_over_fixed_and_found_routes() {
    for scheme in VARIANTS {
        for routing in ["", AODV] {
            let tables = run_text(&chain(6, scheme, &format!("{routing}{FTP}")));
            let (sent, delivered, lost) = assert_balanced(&tables, scheme);
            assert!(delivered > 100, "{scheme} delivers {delivered} of {sent}");
            assert_eq!(lost, 0, "{scheme} holds a segment until it is acknowledged");
        }
    }
}

#[test]
fn a_file_arrives_whole_and_nothing_follows_it() {
    let file = "[traffic]\nkind = \"file\"\nsize = \"30 kB\"\npayload = \"1000 B\"\n";
    for scheme in ["newreno", "udp", "cxcc"] {
        let tables = run_text(&chain(4, scheme, &format!("{AODV}{file}")));
        assert_eq!(integers(&tables.flows, "run_offered"), [30], "{scheme}");
        assert_eq!(integers(&tables.flows, "run_delivered"), [30], "{scheme}");
        let time = |name: &str| floats(&tables.flows, name)[0];
        let took = time("completion_time_s");
        assert!((took - (time("last_delivery_s") - time("first_offer_s"))).abs() < 1e-9, "{took}");
        let run = |name: &str| floats(&tables.runs, name)[0];
        assert!((run("completion_time_mean_s") - took).abs() < 1e-9, "{scheme}: {took}");
        assert_eq!((run("completed_share"), run("starved_share")), (1.0, 0.0), "{scheme}");
    }
}

/// A transport sends again what `lost` does not count. Each copy arrives first, arrives again, is dropped after the last
/// attempt of a MAC, or by a queue, a buffer or routing.
#[test]
fn every_copy_that_a_transport_sends_has_one_end() {
    let file = "[traffic]\nkind = \"file\"\nsize = \"400 kB\"\npayload = \"1000 B\"\n";
    let mut ends = (0, 0, 0);
    let dsr = "[routing]\nkind = \"dsr\"\nsalvage_limit = 0\narp = \"ns2\"\n";
    for (scheme, routing, full) in [("reno", dsr, ""), ("tahoe", "", "queue_limit = 3\n")] {
        let text = chain(5, scheme, &format!("{full}{routing}{file}"))
            .replace("warmup = \"1 s\"", "warmup = \"0 s\"")
            .replace("\"19 s\"", "\"90 s\"");
        let tables = run(setup(&text), Options { trace: true, ..Options::default() });
        let count = |name: &str| integers(&tables.flows, name)[0];
        let events = tables.events.as_ref().expect("traced");
        let (what, cause) = (labels(events, "event"), labels(events, "cause"));
        let of_data = integers(events, "packet").into_iter().map(|packet| packet >= 0);
        let dropped = what.iter().zip(cause).zip(of_data);
        let by_mac = dropped.filter(|((what, cause), data)| {
            *data && **what == "drop" && *cause == DropCause::RetriesSpent.name()
        });
        let by_mac = i64::try_from(by_mac.count()).expect("a few");
        let sent = count("run_offered") + count("segment_retransmissions");
        let (twice, elsewhere) = (count("run_duplicates"), count("copies_dropped"));
        assert_eq!(sent, count("run_delivered") + twice + by_mac + elsewhere, "{scheme}");
        assert_eq!((count("run_delivered"), count("lost")), (400, 0), "{scheme}");
        ends = (ends.0 + twice, ends.1 + by_mac, ends.2 + elsewhere);
    }
    assert!(ends.0 > 0 && ends.1 > 0 && ends.2 > 0, "{ends:?}");
}

#[test]
fn when_a_flow_began_and_ended_is_a_column() {
    let file = "[traffic]\nkind = \"file\"\nsize = \"30 kB\"\npayload = \"1000 B\"\nstart = \"2 s\"\n\
                start_jitter = \"0 s\"\n[[flow]]\nfrom = \"n1\"\nto = \"n0\"\nstart = \"19.9999 s\"\n";
    let tables = run_text(&chain(4, "cxcc", file));
    let (began, ended) =
        (floats(&tables.flows, "first_offer_s"), floats(&tables.flows, "last_delivery_s"));
    assert!((began[0] - 2.0).abs() < 1e-9 && (began[1] - 19.9999).abs() < 1e-9, "{began:?}");
    assert!(ended[0] > 2.1 && ended[0] < 10.0 && ended[1].is_nan(), "{ended:?}");
    let took = floats(&tables.flows, "completion_time_s");
    assert!((took[0] - (ended[0] - 2.0)).abs() < 1e-9 && took[1].is_nan(), "{took:?}");
    let run = |name: &str| floats(&tables.runs, name)[0];
    assert_eq!((run("completed_share"), run("starved_share")), (0.5, 0.5));
    assert!((run("completion_time_mean_s") - took[0]).abs() < 1e-9, "of those that are complete");
}

/// CXCC's data frames get longer, its control frames do not.
#[test]
fn a_longer_preamble_is_that_of_data_only() {
    let sent = |keys: &str| {
        let text = chain(1, "cxcc", "[traffic]\nload = \"40 kbit/s\"\npayload = \"500 B\"\n");
        let tables = run_text(&text.replace("[mac]\n", &format!("[mac]\n{keys}")));
        let time = floats(&tables.nodes, "transmit_s");
        let frames = integers(&tables.nodes, "data_frames")[0] as f64;
        (time[0] / frames, time[1], integers(&tables.nodes, "data_frames")[1])
    };
    let (plain, longer) = (sent(""), sent("data_preamble = \"250 B\"\n"));
    assert!((longer.0 - plain.0 - 1e-3).abs() < 5e-6, "250 B at 2 Mbit/s: {plain:?} {longer:?}");
    assert_eq!((plain.2, longer.2), (0, 0), "the other node only acknowledges");
    assert!((longer.1 - plain.1).abs() < 0.02 * plain.1, "{plain:?} {longer:?}");
}

#[test]
fn an_endless_source_takes_what_the_hop_protocol_gives() {
    let tables = run_text(&chain(4, "cxcc", FTP));
    assert!(assert_balanced(&tables, "cxcc").1 > 200);
}

#[test]
fn datagrams_run_beside_the_scheme() {
    let udp = "[[flow]]\nfrom = \"n3\"\nto = \"n2\"\nkind = \"cbr\"\nload = \"100 kbit/s\"\n\
               transport = \"datagram\"\n";
    let tables = run_text(&chain(4, "newreno", &format!("{AODV}{FTP}{udp}")));
    let goodput = floats(&tables.flows, "goodput_bit_s");
    assert!(goodput[0] > 50e3 && (90e3..110e3).contains(&goodput[1]), "{goodput:?}");
    let windows = floats(&tables.flows, "window_mean");
    assert!(windows[0] > 1.0 && windows[1].is_nan(), "{windows:?}");
}

#[test]
fn acknowledgments_of_opposite_flows_do_not_mix() {
    let text = chain(3, "newreno", &format!("{AODV}{FTP}"));
    let tables = run_text(&text.replace("kind = \"chain\"", "kind = \"bidirectional-chain\""));
    assert_balanced(&tables, "both ways");
    let delivered = integers(&tables.flows, "run_delivered");
    assert!(delivered.iter().all(|packets| *packets > 10), "{delivered:?}");
}

#[test]
fn a_destination_that_nobody_reaches_is_reported_and_the_run_ends() {
    let text = "duration = \"60 s\"\n[topology]\nkind = \"explicit\"\n\
                [[node]]\nname = \"a\"\nx = \"0 m\"\ny = \"0 m\"\n\
                [[node]]\nname = \"b\"\nx = \"200 m\"\ny = \"0 m\"\n\
                [[node]]\nname = \"c\"\nx = \"3 km\"\ny = \"0 m\"\n\
                [[flow]]\nfrom = \"a\"\nto = \"c\"\n[scheme]\nname = \"newreno\"\n";
    let tables = run_text(&format!("{text}{AODV}{FTP}"));
    assert_balanced(&tables, "partition");
    assert_eq!(integers(&tables.flows, "hops"), [0]);
    assert_eq!(integers(&tables.flows, "run_delivered"), [0]);
    assert!(integers(&tables.flows, "without_route")[0] > 0);
    let run = |name: &str| floats(&tables.runs, name)[0];
    assert!((run("starved_share") - 1.0).abs() < 1e-9, "it tried, and nothing arrived");
    assert!(run("completed_share").is_nan(), "a source without an end is no transfer");
    assert!(integers(&tables.runs, "transmissions")[0] < 100, "searches pause");
}

#[test]
fn contended_links_are_taken_for_broken() {
    let tables = run_text(&chain(8, "newreno", &format!("{AODV}{FTP}")));
    let broken: i64 = integers(&tables.nodes, "link_failures").iter().sum();
    let mistaken: i64 = integers(&tables.nodes, "false_link_failures").iter().sum();
    assert!(broken > 0 && broken == mistaken, "{mistaken} of {broken}: nobody moves");
    let fixed = run_text(&chain(8, "newreno", FTP));
    assert_eq!(integers(&fixed.nodes, "link_failures").iter().sum::<i64>(), 0);
}

#[test]
fn a_node_that_leaves_is_a_true_route_failure() {
    let mut setup = setup(&chain(2, "newreno", &format!("{AODV}{FTP}")));
    // At 10 km/s: it is away before anybody can try twice.
    setup.nodes[2].track = track((400.0, 0.0), &[(5.0, 5.5, (5000.0, 0.0))]);
    let tables = run(setup, Options::default());
    assert_balanced(&tables, "break");
    assert!(integers(&tables.nodes, "link_failures")[1] > 0);
    assert_eq!(integers(&tables.nodes, "false_link_failures"), [0, 0, 0]);
}

#[test]
fn the_potential_of_every_node_adds_up_to_the_measured_time() {
    let keys = format!("{AODV}{FTP}[measure]\ncongestion_potential = true\n");
    let tables = run_text(&chain(8, "newreno", &keys));
    let table = tables.congestion.expect("it was asked for");
    let (nodes, times) = (integers(&table, "node"), floats(&table, "time_s"));
    for node in -1..9 {
        let sum: f64 = nodes.iter().zip(&times).filter(|row| *row.0 == node).map(|row| row.1).sum();
        assert!((sum - 19.0).abs() < 1e-6, "node {node}: {sum} s");
    }
    let largest = integers(&table, "congestion_potential").into_iter().max();
    assert!(largest.is_some_and(|largest| (3..=5).contains(&largest)), "{largest:?}");
}

#[test]
fn lecn_marks_and_tcp_answers() {
    let lecn = run_text(&chain(8, "lecn", &format!("threshold = 40\n{AODV}{FTP}")));
    let marked: i64 = integers(&lecn.nodes, "marked").iter().sum();
    assert!(marked > 10, "{marked} marks");
    let plain = run_text(&chain(8, "newreno", &format!("window_limit = 64\n{AODV}{FTP}")));
    let window = |tables: &crate::Tables| floats(&tables.flows, "window_mean")[0];
    assert!(window(&lecn) < window(&plain), "{} {}", window(&lecn), window(&plain));
}

#[test]
fn windows_round_trips_and_routes_are_in_the_trace_which_changes_nothing() {
    let keys = format!("{AODV}{FTP}[measure]\ncongestion_potential = true\n");
    let setup = setup(&chain(5, "newreno", &keys));
    let quiet = run(setup.clone(), Options::default());
    let traced = run(setup, Options { trace: true, ..Options::default() });
    assert_eq!(fingerprint(&quiet), fingerprint(&traced));
    let events = traced.events.expect("it was traced");
    let kinds = labels(&events, "event");
    for kind in [
        "window",
        "round_trip",
        "route_request",
        "route_reply",
        "route_found",
        "link_broken",
        "route_error",
        "service_start",
        "service_end",
        "congestion_potential",
        "segment_retransmission",
        "window_reduction",
    ] {
        assert!(kinds.contains(&kind), "no {kind}");
    }
    let values = match column(&events, "value") {
        Column::Float(values) => values,
        other => panic!("{other:?}"),
    };
    let windows: Vec<f64> =
        (0..kinds.len()).filter(|row| kinds[*row] == "window").map(|row| values[row]).collect();
    assert_eq!(windows[..3], [1.0, 2.0, 3.0], "slow start after the connection is open");
}

/// A segment is delayed from its first sending: longer than from its first frame, as it waits in the
/// source's queue, and no longer than from the application, which hands it over before.
#[test]
fn acknowledged_segments_and_their_delay_are_columns() {
    let text = |scheme: &str, traffic: &str| {
        format!(
            "warmup = \"2 s\"\nduration = \"20 s\"\n[topology]\nkind = \"chain\"\nhops = 4\n\
             [scheme]\nname = \"{scheme}\"\n[traffic]\n{traffic}\nstart = \"0.1 s\"\n"
        )
    };
    let tables = run_text(&text("newreno", "kind = \"ftp\""));
    let float = |name: &str| floats(&tables.flows, name)[0];
    let (first_frame, segment, total) = (
        float("network_delay_mean_s"),
        float("segment_delay_mean_s"),
        float("end_to_end_delay_mean_s"),
    );
    assert!(first_frame < segment && segment <= total, "{first_frame} {segment} {total}");
    let count = |name: &str| integers(&tables.flows, name)[0];
    let (delivered, acknowledged) = (count("delivered"), count("acknowledged"));
    assert!(
        delivered > 200 && (delivered - acknowledged).abs() <= 20,
        "{delivered} {acknowledged}"
    );
    let udp = run_text(&text("udp", "load = \"50 kbit/s\""));
    assert!(floats(&udp.flows, "segment_delay_mean_s")[0].is_nan());
    assert_eq!(integers(&udp.flows, "acknowledged"), [0]);
}
