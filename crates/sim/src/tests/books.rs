//! No packet disappears: sent = delivered + lost by cause + still inside.

use multihop_core::{Bytes, DropCause, Duration, Tag, Time};

use crate::Options;
use crate::observers::books::Books;
use crate::tests::{assert_balanced, integers, labels, run, run_text, setup};

const TOPOLOGIES: [&str; 7] = [
    "kind = \"chain\"\nhops = 5",
    "kind = \"bidirectional-chain\"\nhops = 6",
    "kind = \"cross\"\nhops = 4",
    "kind = \"bidirectional-cross\"\nhops = 6",
    "kind = \"star\"\nsenders = 6",
    "kind = \"random\"\nnodes = 40\nwidth = \"900 m\"\nheight = \"900 m\"\nflows = 5\nmin_hops = 2",
    "kind = \"chain\"\nhops = 1",
];
const SCHEMES: [&str; 3] = ["name = \"udp\"", "name = \"cxcc\"", "name = \"cxcc\"\nrfa = false"];

/// 40 % of the frames with 512 B of payload are lost to bit errors.
const LOSSY: &str = "[radio]\nbit_error_rate = 1.12e-4";

fn scenario(topology: &str, medium: &str, scheme: &str, load: &str) -> String {
    format!(
        "warmup = \"2 s\"\nduration = \"6 s\"\n[topology]\n{topology}\n{medium}\n\
         [scheme]\n{scheme}\n[traffic]\nload = \"{load}\"\nstart = \"0.1 s\"\n"
    )
}

/// Every combination; returns how many packets were sent, delivered and lost.
fn all(media: &[&str], loads: &[&str]) -> (i64, i64, i64) {
    let mut sums = (0, 0, 0);
    for topology in TOPOLOGIES {
        for medium in media {
            for scheme in SCHEMES {
                if scheme.contains("cxcc") && medium.contains("rts_cts") {
                    continue; // CXCC's reduced CSMA has no RTS
                }
                for load in loads {
                    let text = scenario(topology, medium, scheme, load);
                    let (sent, delivered, lost) = assert_balanced(&run_text(&text), &text);
                    assert!(sent > 0, "{text}");
                    sums = (sums.0 + sent, sums.1 + delivered, sums.2 + lost);
                }
            }
        }
    }
    sums
}

#[test]
fn radio() {
    let media = ["", "[mac]\nrts_cts = true", "[radio]\npropagation = \"log-normal-shadowing\""];
    let (sent, delivered, lost) = all(&media, &["20 kbit/s", "400 kbit/s"]);
    assert!(delivered > sent / 20 && lost > 0, "{delivered} of {sent} delivered, {lost} lost");
}

#[test]
fn radio_by_the_standards_rules() {
    let rules = "[mac]\nrules = \"ieee-802.11\"";
    let receiver = "[radio]\nreception = \"first-decodable\"\ncapture_ratio = 1";
    let both = format!("{rules}\n{receiver}");
    let shadowed = format!("{both}\npropagation = \"log-normal-shadowing\"");
    let media =
        [rules, receiver, &both, &shadowed, &format!("{rules}\nrts_cts = true\n{receiver}")];
    let (sent, delivered, lost) = all(&media, &["20 kbit/s", "400 kbit/s"]);
    assert!(delivered > sent / 20 && lost > 0, "{delivered} of {sent} delivered, {lost} lost");
}

#[test]
fn radio_with_bit_errors() {
    let lossy_with_rts = format!("{LOSSY}\n[mac]\nrts_cts = true");
    let (_, delivered, lost) = all(&[LOSSY, &lossy_with_rts], &["10 kbit/s", "200 kbit/s"]);
    assert!(delivered > 0 && lost > 0);
}

#[test]
fn wires() {
    let media = ["[wired]", "[wired]\nqueue = 3\ndelay = \"20 ms\""];
    let (sent, delivered, _) = all(&media, &["50 kbit/s", "1500 kbit/s"]);
    assert!(delivered > sent / 4);
}

#[test]
fn wires_without_congestion_lose_nothing() {
    let topology = "kind = \"bidirectional-chain\"\nhops = 6";
    let tables = run_text(&scenario(topology, "[wired]", SCHEMES[0], "90 kbit/s"));
    let (sent, delivered, lost) = assert_balanced(&tables, topology);
    assert!(sent > 300 && delivered > sent - 5 && lost == 0, "{delivered} of {sent} delivered");
}

/// CXCC 4.1: reliable hop by hop, and in order, because a flow has one packet per hop.
#[test]
fn cxcc_delivers_everything_once_and_in_order_over_bad_links() {
    let topologies =
        ["kind = \"chain\"\nhops = 6", "kind = \"bidirectional-cross\"\nhops = 4", TOPOLOGIES[5]];
    let mut delivered_in_all = 0;
    for topology in topologies {
        for scheme in &SCHEMES[1..] {
            for seed in 1..4 {
                let text = scenario(topology, LOSSY, scheme, "8 kbit/s");
                let mut setup = setup(&text.replace("6 s", "40 s"));
                setup.seed = seed;
                let tables = run(setup, Options { trace: true, ..Options::default() });
                let context = format!("{topology}, {scheme}, seed {seed}");
                let (_, delivered, lost) = assert_balanced(&tables, &context);
                delivered_in_all += delivered;
                assert_eq!(lost, 0, "{context}");
                let duplicates = integers(&tables.flows, "run_duplicates");
                assert!(duplicates.iter().all(|count| *count == 0), "{context}: {duplicates:?}");
                for (flow, _) in (0i64..).zip(&duplicates) {
                    let numbers = delivered_numbers(&tables, flow);
                    assert!(!numbers.is_empty(), "{context}");
                    let prefix: Vec<i64> = (0..).take(numbers.len()).collect();
                    assert_eq!(numbers, prefix, "{context}, flow {flow}");
                }
            }
        }
    }
    assert!(delivered_in_all > 2000, "{delivered_in_all}");
}

/// Above what the network can carry, packets are lost at the source only, and in order still.
#[test]
fn cxcc_under_overload_loses_at_the_source_only() {
    let text = scenario("kind = \"chain\"\nhops = 6", LOSSY, "name = \"cxcc\"", "200 kbit/s");
    let tables = run(setup(&text), Options { trace: true, ..Options::default() });
    let (_, delivered, lost) = assert_balanced(&tables, "overload");
    let at_source = integers(&tables.flows, "lost_source_buffer_full")[0];
    assert!(delivered > 20 && at_source > 0 && lost >= at_source);
    assert_eq!(integers(&tables.flows, "lost"), [at_source]);
    assert_eq!(integers(&tables.flows, "refused"), [at_source]);
    let numbers = delivered_numbers(&tables, 0);
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
}

/// What is lost while measuring is the sum of its causes; what its own full source refused is a
/// part of it. What is lost before is a part of the whole run's losses only.
#[test]
fn refused_at_the_source_is_apart_from_lost_in_the_network() {
    for (scheme, lost_in_the_network) in [("name = \"udp\"", true), ("name = \"cxcc\"", false)] {
        let text = scenario("kind = \"chain\"\nhops = 6", "", scheme, "400 kbit/s");
        let counts = |text: &str| {
            let tables = run_text(text);
            let (_, _, whole_run) = assert_balanced(&tables, text);
            let get = |name: &str| integers(&tables.flows, name)[0];
            let by_cause = (get("lost_queue_full"), get("lost_source_buffer_full"));
            (get("refused"), get("lost"), by_cause, whole_run)
        };
        let (refused, lost, _, whole_run) =
            counts(&text.replace("warmup = \"2 s\"", "warmup = \"0 s\""));
        assert_eq!(lost, whole_run, "{text}");
        let elsewhere = lost - refused;
        assert!(refused > 0 && (elsewhere > 0) == lost_in_the_network, "{refused} of {lost}");
        let (later, lost, by_cause, whole_run) = counts(&text);
        assert!(later > 0 && later <= lost && lost < whole_run, "{later}, {lost}, {whole_run}");
        assert!(by_cause.0 + by_cause.1 <= lost, "a cause counts the time that `lost` counts");
    }
}

/// The numbers of a flow's packets in the order in which they reached the application.
fn delivered_numbers(tables: &crate::Tables, flow: i64) -> Vec<i64> {
    let events = tables.events.as_ref().expect("the run was traced");
    let rows = labels(events, "event");
    let (flows, packets) = (integers(events, "flow"), integers(events, "packet"));
    let mine = |at: &usize| rows[*at] == "deliver" && flows[*at] == flow;
    (0..rows.len()).filter(mine).map(|at| packets[at]).collect()
}

/// The network delay begins with the source's first transmission (CXCC 7.1), the end-to-end delay
/// with the offer; repetitions begin neither anew.
#[test]
fn the_wait_at_the_source_is_in_the_end_to_end_delay_only() {
    let at = |ms| Time::ZERO + Duration::from_millis(ms);
    let mut books = Books::new(1, Time::ZERO, Duration::from_millis(1_000));
    let tag = Tag { source: 0, number: 0 };
    books.offer(tag, at(100));
    for (position, ms) in [(0, 700), (0, 800), (1, 900)] {
        books.sent(tag, position, at(ms));
    }
    books.delivered(tag, Bytes(512), 2, at(950));
    let [delays] = books.accounts[0].measured.delays[..] else { panic!("one packet") };
    assert!((delays.network - 0.25).abs() < 1e-6, "{delays:?}");
    assert!((delays.end_to_end - 0.85).abs() < 1e-6, "{delays:?}");
    let [interval] = books.accounts[0].series[..] else { panic!("one interval") };
    assert!((interval.network_delay - 0.25).abs() < 1e-9, "{interval:?}");
    assert!((interval.end_to_end_delay - 0.85).abs() < 1e-9, "{interval:?}");
}

#[test]
fn a_packet_that_its_last_keeper_lets_go_in_vain_is_lost_as_a_duplicate() {
    let mut books = Books::new(1, Time::ZERO, Duration::from_millis(1_000));
    let (now, tag) = (Time::ZERO, Tag { source: 0, number: 0 });
    books.offer(tag, now);
    books.accepted(tag, 1, now);
    books.released(tag, now);
    assert_eq!(books.accounts[0].inside(), 1);
    // It heard the next hop forward a later packet, which came there by another way.
    books.released(tag, now);
    assert_eq!(books.accounts[0].inside(), 0);
    assert_eq!(books.accounts[0].measured.lost.count(DropCause::Duplicate), 1);
    assert_eq!((books.accounts[0].measured.lost(), books.accounts[0].lost), (1, 1));
}
