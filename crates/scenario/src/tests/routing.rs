//! Routing, and what else a whole scenario has beside its topology and traffic.

use multihop_core::{Bytes, Duration, Rate};
use multihop_routing::{TieBreak, aodv, fixed};

use super::{CHAIN, EXPLICIT, right, with, wrong};
use crate::{from_json, from_toml};
use multihop_medium::dcf::Settings;
use multihop_setup::{Arp, Bulk, CarriedBy, Cbr, Setup};

fn routed(section: &str) -> String {
    with(CHAIN, "[scheme]", &format!("[routing]\n{section}\n[scheme]"))
}

fn aodv(text: &str) -> aodv::Settings {
    let routing = right(text).routing;
    assert_eq!(routing.protocol.name, "aodv");
    aodv::Settings::new(&routing.values)
}

#[test]
fn routes_are_fixed_unless_aodv_is_asked_for() {
    for text in [CHAIN.to_owned(), routed(""), routed("kind = \"fixed\"")] {
        assert_eq!(right(&text).routing.protocol.name, "fixed");
    }
    let defaults = aodv::Settings {
        local_repair: true,
        repair_timeout: None,
        expanding_ring: false,
        active_route_timeout: Duration::from_millis(10_000),
        forget_sequence_numbers: false,
        request_rate_limit: None,
        error_rate_limit: None,
        blacklist_timeout: None,
        time_scale: 1,
    };
    assert_eq!(aodv(&routed("kind = \"aodv\"")), defaults);
    assert_eq!(defaults, aodv::Settings::default());
    let keys = "local_repair = false\nrepair_timeout = \"2.8 s\"\nexpanding_ring = true\n\
                active_route_timeout = \"50 s\"\nforget_sequence_numbers = true\n\
                request_rate_limit = 10\nerror_rate_limit = 7\n\
                blacklist = true\nblacklist_timeout = \"3 s\"";
    let settings = aodv::Settings {
        local_repair: false,
        repair_timeout: Some(Duration::from_millis(2_800)),
        expanding_ring: true,
        active_route_timeout: Duration::from_millis(50_000),
        forget_sequence_numbers: true,
        request_rate_limit: Some(10),
        error_rate_limit: Some(7),
        blacklist_timeout: Some(Duration::from_millis(3_000)),
        time_scale: 1,
    };
    assert_eq!(aodv(&routed(&format!("kind = \"aodv\"\n{keys}"))), settings);
}

#[test]
fn what_only_aodv_has_is_refused_without_it() {
    let keys = ["local_repair = true", "expanding_ring = true", "active_route_timeout = \"3 s\""];
    for key in keys.into_iter().chain(["request_rate_limit = 10", "error_rate_limit = 10"]) {
        let name = key.split(' ').next().expect("a key");
        let remedy =
            "does not apply to kind \"fixed\", which takes metric, ties, arp; it belongs to aodv";
        assert_eq!(wrong(&routed(key)), format!("line 7: routing.{name}: {remedy}"));
        assert_eq!(
            wrong(&routed(&format!("kind = \"fixed\"\n{key}"))),
            format!("line 8: routing.{name}: {remedy}")
        );
    }
}

#[test]
fn ties_between_fixed_routes_go_to_the_lowest_number_unless_they_are_random() {
    let ties = |section: &str| right(&routed(section)).routing.values.get(fixed::TIES);
    assert_eq!(ties(""), TieBreak::Lowest);
    assert_eq!(ties("ties = \"random\""), TieBreak::Random);
    let message = wrong(&routed("ties = \"highest\""));
    assert!(message.contains("routing.ties: unknown value 'highest'"), "{message}");
    let message = wrong(&routed("kind = \"aodv\"\nties = \"random\""));
    assert!(message.contains("does not apply to kind \"aodv\""), "{message}");
}

#[test]
fn mistakes_in_routing_are_named() {
    let message = wrong(&routed("kind = \"aovd\""));
    assert!(
        message.starts_with("line 7: routing.kind: unknown routing 'aovd', did you mean 'aodv'?"),
        "{message}"
    );
    let message = wrong(&routed("kind = \"aodv\"\nlocal_repare = true"));
    assert!(message.contains("did you mean 'local_repair'?"), "{message}");
    let message = wrong(&routed("kind = \"aodv\"\nlocal_repair = 1"));
    assert!(message.ends_with("routing.local_repair: wants true or false"), "{message}");
    for time in ["0 s", "999 us", "2000001 s"] {
        assert_eq!(
            wrong(&routed(&format!("kind = \"aodv\"\nactive_route_timeout = \"{time}\""))),
            format!(
                "line 8: routing.active_route_timeout: must lie between 1 ms and 2000000 s (got \
                 {time})"
            )
        );
    }
    assert_eq!(
        wrong(&(routed("kind = \"aodv\"") + "[wired]\n")),
        "line 7: routing.kind: \"aodv\" searches for routes with broadcasts by radio, which \
         [wired] has not; use kind = \"fixed\", or [radio] and [mac] instead of [wired]"
    );
    right(&(routed("kind = \"fixed\"") + "[wired]\n"));
}

#[test]
fn a_rate_limit_is_at_least_one_message_per_second() {
    for key in ["request_rate_limit", "error_rate_limit"] {
        for value in ["0", "10001"] {
            assert_eq!(
                wrong(&routed(&format!("kind = \"aodv\"\n{key} = {value}"))),
                format!(
                    "line 8: routing.{key}: must lie between 1 and 10000 messages per second (got \
                     {value}); without the key, as many as it wants, as in ns-2"
                )
            );
        }
    }
}

#[test]
fn arp_is_off_unless_it_is_asked_for_and_needs_the_dcf() {
    let on = routed("arp = \"ns2\"");
    assert_eq!(right(CHAIN).arp, Arp::Off);
    assert_eq!(right(&routed("arp = \"off\"")).arp, Arp::Off);
    assert_eq!(right(&on).arp, Arp::Ns2);
    assert_eq!(right(&routed("kind = \"aodv\"\narp = \"ns2\"")).arp, Arp::Ns2);
    assert_eq!(
        wrong(&with(&on, "name = \"udp\"", "name = \"cxcc\"")),
        "line 7: routing.arp: \"ns2\" belongs to MACs with link acknowledgments; scheme 'cxcc' runs \
         on the reduced CSMA MAC, whose frames are for everyone who hears them, without link acknowledgment or link \
         failure; remove it"
    );
    assert_eq!(
        wrong(&(on + "[wired]\n")),
        "line 7: routing.arp: \"ns2\" asks by radio, which [wired] has not; remove one of the two"
    );
    let message = wrong(&routed("arp = \"ns3\""));
    assert!(message.starts_with("line 7: routing.arp: unknown value 'ns3'"), "{message}");
}

#[test]
fn aodv_may_search_in_vain() {
    let aodv = with(EXPLICIT, "[scheme]", "[routing]\nkind = \"aodv\"\n[scheme]");
    let lonely = with(&aodv, "\"400 m\"", "\"600 m\"");
    assert_eq!(right(&lonely).sources.len(), 2);
    let islands = with(&aodv, "\"400 m\"", "\"1000 m\"")
        + "[[node]]\nname = \"delta\"\nx = \"1200 m\"\ny = \"0 m\"\n";
    assert_eq!(right(&islands).nodes.len(), 4);
    // so far apart that 64 hops could not join them: still no path that is too long
    right(&with(&aodv, "\"400 m\"", "\"100 km\""));
    let fixed = with(&aodv, "\"aodv\"", "\"fixed\"");
    let message = wrong(&with(&fixed, "\"400 m\"", "\"600 m\""));
    assert!(message.contains("node[2]: node 'gamma' is out of everyone's reach"), "{message}");
    let long = routed("kind = \"aodv\"").replace("hops = 4", "hops = 65");
    let message = wrong(&long);
    assert!(message.contains("has more than 64 hops, a packet's time to live"), "{message}");
}

fn congestion(value: &str, more: &str) -> String {
    with(CHAIN, "[scheme]", &format!("[measure]\n{value}\n[scheme]")) + more
}

#[test]
fn the_congestion_potential_is_measured_on_request() {
    assert!(!right(CHAIN).measure_congestion);
    assert!(!right(&congestion("", "")).measure_congestion);
    assert!(!right(&congestion("congestion_potential = false", "[wired]\n")).measure_congestion);
    assert!(right(&congestion("congestion_potential = true", "")).measure_congestion);
    assert_eq!(
        wrong(&congestion("congestion_potential = true", "[wired]\n")),
        "line 7: measure.congestion_potential: is measured on a shared radio channel, which \
         [wired] has not; remove one of the two"
    );
    let message = wrong(&congestion("congestion = true", ""));
    assert!(message.starts_with("line 7: measure.congestion: unknown key"), "{message}");
    let message = wrong(&congestion("congestion_potential = \"yes\"", ""));
    assert!(message.ends_with("expected true or false"), "{message}");
}

/// One TCP connection over a chain, and a datagram flow beside it.
const WHOLE: &str = r#"[topology]
kind = "chain"
hops = 8
[mac]
rts_cts = true
data_rate = "2 Mbit/s"
[routing]
kind = "aodv"
[scheme]
name = "udp"
[traffic]
kind = "ftp"
payload = "512 B"
start = "5 s"
[[flow]]
from = "n7"
to = "n6"
kind = "cbr"
load = "250 kbit/s"
transport = "datagram"
"#;

#[test]
fn a_whole_scenario_is_understood() {
    let check = |setup: &Setup| {
        assert_eq!(setup.nodes.len(), 9);
        assert_eq!(setup.routing.protocol.name, "aodv");
        let mac = Settings::of(&setup.medium).expect("a radio is the default");
        assert_eq!((mac.data_rate, mac.basic_rate), (Rate(2_000_000), Rate(1_000_000)));
        assert_eq!(mac.rts_threshold, Some(Bytes(0)));
        assert_eq!(mac.link_layer_delay, Duration::from_micros(25));
        let [tcp, background] = setup.sources.as_slice() else { panic!("two flows") };
        assert_eq!((tcp.name.as_str(), tcp.carried_by), ("n0->n8", CarriedBy::Scheme));
        assert_eq!(tcp.traffic, Bulk { packets: None }.traffic(Bytes(512)));
        assert_eq!(background.name, "n7->n6");
        assert_eq!((background.flow.source.0, background.flow.destination.0), (7, 6));
        assert_eq!(background.carried_by, CarriedBy::Datagram);
        let interval = Duration::from_micros(16_384);
        assert_eq!(
            background.traffic,
            Cbr { payload: Bytes(512), interval, jitter: 0.0 }.traffic()
        );
        for source in &setup.sources {
            assert_eq!(source.start.nanos(), 5_000_000_000);
            assert_eq!(source.start_jitter, Duration::from_millis(500));
            assert_eq!(source.stop, setup.end);
        }
    };
    check(&right(WHOLE));
    let json = from_toml(WHOLE).expect("right").to_json();
    check(&from_json(&json).expect("the normal form").setup().expect("right"));
}
