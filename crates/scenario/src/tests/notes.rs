//! What the author of a valid scenario may not expect.

use super::{CHAIN, EXPLICIT, with};
use crate::from_toml;

/// What is said of a scenario that is right.
fn said(text: &str) -> Vec<String> {
    let scenario = from_toml(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let notes = scenario.notes().unwrap_or_else(|error| panic!("{error}\n{text}"));
    notes.iter().map(ToString::to_string).collect()
}

fn only(text: &str) -> String {
    let mut said = said(text);
    assert_eq!(said.len(), 1, "{said:?}\n{text}");
    said.remove(0)
}

fn chain(scheme: &str, more: &str) -> String {
    format!("{}{more}", with(CHAIN, "\"udp\"", &format!("\"{scheme}\"")))
}

#[test]
fn a_plain_scenario_has_nothing_to_be_said_of() {
    assert_eq!(said(CHAIN), [""; 0]);
    assert_eq!(said(EXPLICIT), [""; 0]);
}

#[test]
fn a_parameter_of_a_scheme_takes_the_place_of_a_key() {
    assert_eq!(
        only(&chain("wake", "[mac]\ncw_min = 63\n")),
        "line 11: not heeded: mac.cw_min by wake, which has scheme.cw_min = 3"
    );
    let own = with(CHAIN, "\"udp\"", "\"wake\"\ncw_min = 5\nattempts = 2");
    assert_eq!(
        said(&format!("{own}[mac]\ncw_min = 63\nlifetime = \"1 s\"\nshort_retry_limit = 4\n")),
        [
            "line 13: not heeded: mac.cw_min by wake, which has scheme.cw_min = 5",
            "line 14: not heeded: mac.lifetime by wake, which has scheme.attempts = 2",
            "line 15: not heeded: mac.short_retry_limit by wake, which has scheme.attempts = 2",
        ]
    );
    assert_eq!(said(&chain("udp", "[mac]\ncw_min = 63\n")), [""; 0]);
}

#[test]
fn a_class_of_traffic_has_no_effect_where_the_scheme_treats_all_flows_alike() {
    let flow = "[[flow]]\nfrom = \"n0\"\nto = \"n2\"\nclass = \"report\"\n";
    let said = only(&format!("{CHAIN}{flow}"));
    assert!(said.ends_with("flow[0].class by udp, which treats all flows alike"), "{said}");
    let all = with(CHAIN, "load =", "class = \"report\"\nload =");
    assert!(only(&all).contains("not heeded: traffic.class by udp"));
}

#[test]
fn a_parameter_without_effect_names_the_one_that_decides() {
    let text = with(CHAIN, "\"udp\"", "\"cxcc\"\nreport_interval = \"1 s\"");
    assert_eq!(
        only(&text),
        "line 8: not heeded: scheme.report_interval by cxcc, which has scheme.reliable = false"
    );
    assert_eq!(said(&with(&text, "report", "reliable = true\nreport")), [""; 0]);
    let text = with(CHAIN, "\"udp\"", "\"newreno\"\necn = false");
    assert_eq!(
        only(&text),
        "line 8: not heeded: scheme.ecn by newreno, whose queues mark no packet"
    );
    assert_eq!(said(&with(&text, "newreno", "lecn")), [""; 0]);
    let text = format!(
        "{CHAIN}[routing]\nkind = \"aodv\"\nlocal_repair = false\nrepair_timeout = \"3 s\"\n"
    );
    assert_eq!(
        only(&text),
        "line 13: not heeded: routing.repair_timeout by aodv, which has routing.local_repair = false"
    );
}

#[test]
fn the_reduced_mac_repeats_nothing() {
    let keys = "[mac]\nshort_retry_limit = 4\ncw_max = 511\n";
    let said_of = said;
    let said = said(&chain("cxcc", keys));
    assert_eq!(said.len(), 2);
    assert!(said[0].contains("mac.cw_max by the reduced CSMA MAC"), "{said:?}");
    assert!(only(&chain("udp", "[mac]\nlong_retry_limit = 2\n")).contains("without RTS/CTS"));
    let rts = "[mac]\nrts_cts = true\nlong_retry_limit = 2\n";
    assert_eq!(said_of(&chain("udp", rts)), [""; 0]);
}

#[test]
fn batches_need_frames_of_several_packets() {
    let why = "whose frames carry one packet here: it needs mac.timing = \"ht-5\" with mac.aggregation above 0";
    for scheme in ["wake", "hxh", "flush"] {
        let text = with(CHAIN, "\"udp\"", &format!("\"{scheme}\"\nbatch = 8"));
        let note = format!("line 8: not heeded: scheme.batch by the 802.11 DCF MAC, {why}");
        assert_eq!(only(&text), note);
        let ht = "[mac]\ntiming = \"ht-5\"\nrules = \"ns3\"\n";
        assert_eq!(said(&format!("{text}{ht}")), [""; 0]);
        let alone = said(&format!("{text}{ht}aggregation = \"0 s\"\n"));
        assert!(alone.iter().any(|said| said.contains("scheme.batch")), "{alone:?}");
    }
}

#[test]
fn ranges_leave_the_power_without_effect() {
    let power = format!("{CHAIN}[radio]\ntransmit_power = \"1 W\"\n");
    let note = only(&power);
    assert!(note.starts_with("line 11: not heeded: radio.transmit_power by "), "{note}");
    let thresholds = "receive_threshold = \"-64 dBm\"\nsense_threshold = \"-78 dBm\"\n";
    assert_eq!(said(&format!("{power}{thresholds}")), [""; 0]);
    let free = format!("{CHAIN}[radio]\npropagation = \"free-space\"\nantenna_height = \"9 m\"\n");
    assert!(only(&free).contains("radio.antenna_height by propagation \"free-space\""));
}

#[test]
fn measured_links_leave_antennas_and_powers_of_nodes() {
    let link = |from: &str, to: &str| {
        format!(
            "[[link]]\nfrom = \"{from}\"\nto = \"{to}\"\nsignal = \"-60 dBm\"\nboth_ways = true\n"
        )
    };
    let alpha = "name = \"alpha\"\n";
    let text = with(EXPLICIT, alpha, &format!("{alpha}antenna_gain = \"3 dBi\"\n"));
    let far = "[roles.far]\nnodes = [\"beta\"]\ntransmit_power = \"0.1 W\"\n";
    let text = format!("{text}{far}{}{}", link("alpha", "beta"), link("beta", "gamma"));
    let why = "by the links, which say how strongly each node hears the others, its antenna and power included";
    let said_of_links = said(&text);
    for key in ["node[0].antenna_gain", "roles.far.transmit_power"] {
        let note = format!("not heeded: {key} {why}");
        assert!(said_of_links.iter().any(|said| said.ends_with(&note)), "{key}: {said_of_links:?}");
    }
    let others = format!("{text}[radio]\nunlisted = \"propagation\"\n");
    assert!(!said(&others).iter().any(|said| said.contains("by the links")), "{others}");
}

#[test]
fn flows_that_say_everything_leave_the_common_load() {
    let mut text = EXPLICIT.to_owned();
    for name in ["up", "down"] {
        let named = format!("name = \"{name}\"\n");
        text = with(&text, &named, &format!("{named}load = \"20 kbit/s\"\n"));
    }
    assert!(only(&text).contains("not heeded: traffic.load by the flows"));
}

#[test]
fn nodes_that_move_and_fixed_routes_are_named() {
    let text = format!(
        "{CHAIN}[[move]]\nnode = \"n0\"\nat = \"1 s\"\nx = \"9 m\"\ny = \"0 m\"\nspeed = \"1 m/s\"\n"
    );
    let note = only(&text);
    assert!(note.starts_with("routing.kind: nodes move, and fixed routes stay"), "{note}");
    assert_eq!(said(&format!("{text}[routing]\nkind = \"aodv\"\n")), [""; 0]);
}

#[test]
fn a_source_that_stops_before_the_measured_window_is_named() {
    let text = with(CHAIN, "load =", "stop = \"10 s\"\nload =");
    let note = only(&text);
    assert!(note.starts_with("line 9: traffic.stop: 'n0->n4' stops at 10 s, and"), "{note}");
    let brief = with(CHAIN, "load =", "lifetime = \"2 s\"\nload =");
    assert!(only(&brief).contains("traffic.lifetime: 'n0->n4' stops at 3 s"));
    assert_eq!(said(&with(CHAIN, "load =", "stop = \"11 s\"\nload =")), [""; 0]);
    let mut flow = with(EXPLICIT, "name = \"up\"", "name = \"up\"\nstop = \"2 s\"");
    assert!(only(&flow).contains("flow[0].stop: 'up' stops"));
    flow = with(&flow, "[topology]", "warmup = \"1 s\"\n[topology]");
    assert_eq!(said(&flow), [""; 0]);
}

#[test]
fn a_load_beyond_the_rate_is_named_with_what_it_makes() {
    let note = only(&with(CHAIN, "100 kbit/s", "100 Mbit/s"));
    assert!(note.contains("'n0->n4' offers 100 times mac.data_rate (1 Mbit/s)"), "{note}");
    assert_eq!(said(&with(CHAIN, "100 kbit/s", "1 Mbit/s")), [""; 0]);
}

#[test]
fn hops_are_those_that_were_asked_for() {
    for (kind, from) in
        [("chain", "n0->n4"), ("cross", "n0->n4"), ("bidirectional-chain", "n0->n4")]
    {
        let text = with(CHAIN, "\"chain\"", &format!("\"{kind}\"\nspacing = \"20 m\""));
        let note = only(&text);
        let start =
            format!("line 3: topology: the topology has 4 hops for '{from}', and the shortest");
        assert!(note.starts_with(&start), "{note}");
        assert!(note.contains("route has 1: nodes up to 250 m apart"), "{note}");
        assert_eq!(said(&with(&text, "20 m", "200 m")), [""; 0]);
    }
    // a grid's flows keep to their lines where routes are fixed, and do not where they are found
    let grid = "kind = \"grid\"\nrows = 1\ncolumns = 5\nhorizontal_flows = 1\nspacing = \"100 m\"";
    let grid = with(CHAIN, "kind = \"chain\"\nhops = 4", grid);
    let searched = format!("{grid}[routing]\nkind = \"aodv\"\n");
    assert!(only(&searched).contains("has 4 hops"));
}

#[test]
fn a_route_that_dsr_cannot_write_down_is_named() {
    let long = with(CHAIN, "hops = 4", "hops = 16");
    let dsr = |text: &str| format!("{text}[routing]\nkind = \"dsr\"\n");
    let note = only(&dsr(&long));
    assert!(note.contains("'n0->n16' has 16 hops, and \"dsr\" writes 16 addresses"), "{note}");
    assert_eq!(said(&dsr(&with(CHAIN, "hops = 4", "hops = 15"))), [""; 0]);
    assert_eq!(said(&long), [""; 0]);
}

/// b hears a, and a does not hear b; c is between them.
const ONE_WAY: &str = "[topology]\nkind = \"explicit\"\n[routing]\nkind = \"aodv\"\n\
    [scheme]\nname = \"udp\"\n[traffic]\nload = \"10 kbit/s\"\n\
    [[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n[[node]]\nname = \"c\"\n\
    [[flow]]\nfrom = \"a\"\nto = \"b\"\n\
    [[link]]\nfrom = \"a\"\nto = \"b\"\nsignal = \"-60 dBm\"\n\
    [[link]]\nfrom = \"a\"\nto = \"c\"\nsignal = \"-60 dBm\"\nboth_ways = true\n\
    [[link]]\nfrom = \"c\"\nto = \"b\"\nsignal = \"-60 dBm\"\nboth_ways = true\n";

#[test]
fn a_link_in_one_direction_under_aodv_is_named_with_the_option() {
    let note = only(ONE_WAY);
    assert!(note.contains("link: 'b' hears 'a', and not the other way round"), "{note}");
    assert!(note.contains("routing.blacklist = true"), "{note}");
    let heeds = with(ONE_WAY, "\"aodv\"\n", "\"aodv\"\nblacklist = true\n");
    assert_eq!(said(&heeds), [""; 0]);
    assert_eq!(said(&with(ONE_WAY, "aodv", "dsr")), [""; 0]);
}

#[test]
fn a_blacklist_needs_link_acknowledgments() {
    let text = with(ONE_WAY, "\"aodv\"\n", "\"aodv\"\nblacklist = true\n");
    let message = super::wrong(&with(&text, "\"udp\"", "\"cxcc\""));
    assert!(message.starts_with("line 5: routing.blacklist: true needs link"), "{message}");
}

#[test]
fn schemes_with_different_headers_are_named() {
    let role =
        |name: &str| format!("{CHAIN}[roles.r]\nnodes = [\"n1\"]\nscheme.name = \"{name}\"\n");
    assert_eq!(
        only(&role("hxh")),
        "line 12: roles.r.scheme.name: 'udp' and 'hxh' write different headers: a node may lose what it gets from \
         nodes of the other scheme; let the flows of each go over its own nodes"
    );
    let tcp = with(&role("vegas"), "\"udp\"", "\"newreno\"");
    assert_eq!(said(&tcp), [""; 0], "both write that of TCP");
}
