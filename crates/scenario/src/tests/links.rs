//! [[link]]: who hears whom whatever the distance.

use multihop_core::NodeId;

use super::{CHAIN, EXPLICIT, right, setup, with, wrong};
use multihop_setup::{Link, Links, Radio, Unlisted};

/// Three nodes without places; the first and the last do not hear each other.
const LISTED: &str = r#"[topology]
kind = "explicit"
[radio]
receive_threshold = "-82 dBm"
sense_threshold = "-92 dBm"
[scheme]
name = "udp"
[traffic]
load = "100 kbit/s"
[[node]]
name = "alpha"
[[node]]
name = "beta"
[[node]]
name = "gamma"
[[flow]]
from = "alpha"
to = "gamma"
[[link]]
from = "alpha"
to = "beta"
signal = "-70 dBm"
both_ways = true
[[link]]
from = "beta"
to = "gamma"
signal = "-75 dBm"
delivery = 0.9
[[link]]
from = "gamma"
to = "beta"
delivery = 0.6
"#;

fn radio(text: &str) -> Radio {
    right(text).medium.radio().expect("a radio was asked for").clone()
}

fn links(text: &str) -> Links {
    radio(text).links
}

fn ends(link: &Link) -> (u32, u32) {
    (link.from.0, link.to.0)
}

fn close(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-9
}

#[test]
fn links_are_what_is_listed_in_order() {
    let Links { listed, others } = links(LISTED);
    assert_eq!(listed.iter().map(ends).collect::<Vec<_>>(), [(0, 1), (1, 0), (1, 2), (2, 1)]);
    assert_eq!(others, Unlisted::Silent);
    // -70 dBm are 0.1 nW; what has no signal is as weak as can be decoded
    let powers = [1e-10, 1e-10, 10f64.powf(-10.5), 10f64.powf(-11.2)];
    for (link, power) in listed.iter().zip(powers) {
        assert!(close(link.power, power), "{link:?}");
    }
    let deliveries: Vec<_> = listed.iter().map(|link| link.delivery).collect();
    assert_eq!(deliveries, [None, None, Some(0.9), Some(0.6)]);
}

#[test]
fn neighbours_decode_enough_of_each_other() {
    let neighbours =
        |text: &str| links(text).listed.iter().map(|link| link.neighbours).collect::<Vec<_>>();
    assert_eq!(neighbours(LISTED), [true; 4]);
    let strict = |share: &str| {
        let listed = with(LISTED, "[scheme]", &format!("neighbour_delivery = {share}\n[scheme]"));
        with(&listed, "to = \"gamma\"\n[[link]]", "to = \"beta\"\n[[link]]")
    };
    assert_eq!(neighbours(&strict("0.6")), [true; 4]);
    // 0.6 one way is too little for both
    assert_eq!(neighbours(&strict("0.7")), [true, true, false, false]);
    // a signal below the threshold is sensed only
    let weak = with(LISTED, "-70 dBm", "-90 dBm");
    let message = wrong(&weak);
    assert!(
        message.starts_with("line 16: flow[0]: there is no route from 'alpha' to"),
        "{message}"
    );
}

#[test]
fn in_the_shadow_a_signal_at_the_threshold_is_decoded_half_the_time() {
    let shadow = "propagation = \"log-normal-shadowing\"\n[scheme]";
    let at = |signal: &str| {
        let text = with(&with(LISTED, "[scheme]", shadow), "-70 dBm", signal);
        setup(&text).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(at("-81.9 dBm"), Ok(()));
    assert!(at("-82.1 dBm").expect_err("less than half").contains("no route"));
}

#[test]
fn pairs_that_are_not_listed_may_follow_the_propagation() {
    let link = "[[link]]\nfrom = \"n1\"\nto = \"n2\"\ndelivery = 0.8\n";
    let text = format!("{CHAIN}{link}[radio]\nunlisted = \"propagation\"\n");
    let links = links(&text);
    assert_eq!(links.others, Unlisted::Propagation);
    let [n1, n2, n3] = [1, 2, 3].map(NodeId);
    assert_eq!(links.join(n1, n2), Some(true));
    assert_eq!(links.join(n2, n1), Some(true), "back by the propagation");
    assert_eq!(links.join(n2, n3), None);
    assert!(links.govern(n1, n2) && !links.govern(n2, n1));
    // silent, the chain is broken
    assert!(wrong(&format!("{CHAIN}{link}")).contains("topology: there is no route"));
    // a link that is too weak breaks it as well
    let weak = text.replace("0.8", "0.4");
    assert!(wrong(&weak).contains("no route from 'n0' to 'n4'"), "{}", wrong(&weak));
}

#[test]
fn a_way_follows_the_links() {
    let via = |name: &str| with(LISTED, "[[flow]]", &format!("[[flow]]\nvia = [\"{name}\"]"));
    assert_eq!(right(&via("beta")).sources[0].way.len(), 3);
    let straight = with(LISTED, "[[flow]]", "[[flow]]\nvia = []");
    assert_eq!(
        wrong(&straight),
        "line 17: flow[0].via: 'alpha' does not reach 'gamma' and back; name the nodes between them"
    );
}

#[test]
fn places_may_be_missing_only_where_links_say_everything() {
    assert!(right(LISTED).nodes.iter().all(|node| (node.x, node.y) == (0.0, 0.0)));
    let propagation = with(LISTED, "[scheme]", "unlisted = \"propagation\"\n[scheme]");
    assert!(wrong(&propagation).contains("node[0].x: is missing; say where the node is"));
    let half = with(LISTED, "name = \"beta\"", "name = \"beta\"\nx = \"1 m\"");
    assert!(wrong(&half).contains("node[1].y: is missing"));
    let unplaced = with(EXPLICIT, "x = \"200 m\"\ny = \"0 m\"\n", "");
    assert!(wrong(&unplaced).contains("node[1].x: is missing"));
}

#[test]
fn thresholds_as_powers_are_those_of_the_ranges() {
    let ranges = radio(CHAIN);
    let dbm = |watts: f64| 10.0 * watts.log10() + 30.0;
    for model in ["two-ray-ground", "free-space", "log-normal-shadowing"] {
        let section = format!("[radio]\npropagation = \"{model}\"\n");
        let ranges = radio(&format!("{CHAIN}{section}"));
        let given = radio(&format!(
            "{CHAIN}{section}receive_threshold = \"{} dBm\"\nsense_threshold = \"{} dBm\"\n",
            dbm(ranges.receive_threshold),
            dbm(ranges.sense_threshold)
        ));
        assert!(close(given.receive_threshold, ranges.receive_threshold), "{model}");
        assert!(close(given.sense_threshold, ranges.sense_threshold), "{model}");
        assert!((given.neighbour_range - 250.0).abs() < 1e-4, "{}", given.neighbour_range);
    }
    assert!(close(ranges.neighbour_range, 250.0 * (1.0 + 1e-9)));
}

#[test]
fn mistakes_in_links_name_line_and_remedy() {
    let link = |lines: &str| format!("{LISTED}[[link]]\n{lines}\n");
    for (text, message) in [
        (link("from = \"alpha\"\nto = \"delta\"\nsignal = \"-70 dBm\""), "unknown node 'delta'"),
        (
            link("from = \"beta\"\nto = \"beta\"\nsignal = \"-70 dBm\""),
            "goes from 'beta' to itself",
        ),
        (
            link("from = \"alpha\"\nto = \"gamma\""),
            "line 33: link[3].signal: is missing; say how strong the signal is (or give delivery)",
        ),
        (
            link("from = \"beta\"\nto = \"alpha\"\nsignal = \"-60 dBm\""),
            "line 33: link[3]: 'beta' and 'alpha' are named by link[0] already, for the same \
             direction; remove one of the two, or both_ways",
        ),
        (
            link("from = \"alpha\"\nto = \"gamma\"\ndelivery = 1.5"),
            "line 36: link[3].delivery: must be at least 0 and at most 1 (got 1.5)",
        ),
        (
            link("from = \"alpha\"\nto = \"gamma\"\ndelivery = 0"),
            "link[3].signal: is missing; a link that delivers nothing may still disturb",
        ),
        (
            link("from = \"alpha\"\nto = \"gamma\"\nsignal = \"-93 dBm\"\ndelivery = 0.1"),
            "link[3].signal: \"-93 dBm\" is too weak to be sensed, but delivery is 0.1; lower \
             radio.sense_threshold",
        ),
        (
            link("from = \"alpha\"\nto = \"gamma\"\nsignal = \"-70 dB\""),
            "\"-70 dB\" is a level; a signal wants dBm",
        ),
        (
            with(LISTED, "[radio]", "[wired]\n[radio]").replace(
                "[radio]\nreceive_threshold = \"-82 dBm\"\nsense_threshold = \"-92 dBm\"\n",
                "",
            ),
            "link: says how radios hear each other, and [wired] has none",
        ),
        (
            format!("{CHAIN}[radio]\nunlisted = \"silent\"\n"),
            "line 11: radio.unlisted: applies only where [[link]] lists who hears whom; remove it",
        ),
        (
            with(LISTED, "[scheme]", "neighbour_delivery = 0\n[scheme]"),
            "radio.neighbour_delivery: must lie between 0.000001 and 1 (got 0)",
        ),
        (
            format!(
                "{LISTED}[[move]]\nnode = \"beta\"\nat = \"1 s\"\nx = \"9 m\"\ny = \"0 m\"\nspeed = \"1 m/s\"\n"
            ),
            "radio.unlisted: nodes move, but [[link]] says everything about who hears whom",
        ),
    ] {
        let found = wrong(&text);
        assert!(found.contains(message), "{found}\ninstead of\n{message}");
    }
}

#[test]
fn mistakes_in_thresholds_name_line_and_remedy() {
    let chain = |keys: &str| format!("{CHAIN}[radio]\n{keys}\n");
    for (keys, message) in [
        (
            "receive_threshold = \"-82 dBm\"",
            "line 10: radio.sense_threshold: is missing; receive_threshold and sense_threshold go \
             together",
        ),
        ("sense_threshold = \"-82 dBm\"", "radio.receive_threshold: is missing"),
        (
            "receive_threshold = \"-82 dBm\"\nsense_threshold = \"-80 dBm\"",
            "line 12: radio.sense_threshold: must not be above receive_threshold (-80 dBm against \
             -82 dBm)",
        ),
        (
            "receive_threshold = \"-82 dBm\"\nsense_threshold = \"-92 dBm\"\nsense_range = \"9 m\"",
            "line 13: radio.sense_range: says the same as receive_threshold and sense_threshold",
        ),
        (
            "receive_threshold = \"40 dBm\"\nsense_threshold = \"30 dBm\"",
            "radio.receive_threshold: nothing would be decoded, not even from 1 cm away",
        ),
        (
            "receive_threshold = \"-300 dBm\"\nsense_threshold = \"-300 dBm\"\n\
             propagation = \"free-space\"\ntransmit_power = \"1e9 W\"\nfrequency = \"1 Hz\"",
            "everything would be decoded, even from 1e9 m away (-300 dBm)",
        ),
        ("receive_threshold = -82", "-82 has no unit; a signal wants dBm, as in \"-70 dBm\""),
    ] {
        let found = wrong(&chain(keys));
        assert!(found.contains(message), "{found}\ninstead of\n{message}");
    }
}

#[test]
fn the_power_of_a_link_varies_where_it_is_said() {
    let varied = with(LISTED, "signal = \"-70 dBm\"", "signal = \"-82 dBm\"\ndeviation = \"4 dB\"");
    let listed = links(&varied).listed;
    let deviations: Vec<_> = listed.iter().map(|link| link.deviation).collect();
    assert_eq!(deviations, [Some(4.0), Some(4.0), None, None]);
    // half of the frames are decoded at a mean that is the threshold
    assert!(listed[0].neighbours && listed[1].neighbours);
    let strict = with(&varied, "[scheme]", "neighbour_delivery = 0.6\n[scheme]");
    assert!(wrong(&strict).contains("there is no route"));
    let message = wrong(&with(LISTED, "delivery = 0.9", "delivery = 0.9\ndeviation = \"4 dB\""));
    assert!(message.contains("link[1].deviation: says how the power varies"), "{message}");
    for nothing in ["-1 dB", "4", "4 dBm", "1e4 dB"] {
        let text = with(LISTED, "-70 dBm\"", &format!("-70 dBm\"\ndeviation = \"{nothing}\""));
        assert!(wrong(&text).contains("deviation"), "{nothing}");
    }
}
