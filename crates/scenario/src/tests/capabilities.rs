//! What a scheme needs of its MAC, and which MAC has it.

use multihop_core::{Capability, Param, Scheme, Switch};
use multihop_schemes::{SCHEMES, udp};

use crate::{Registry, from_toml};

/// What a scheme with acknowledgments of its own does itself.
const ACKNOWLEDGES: &[Capability] = &[Capability::LinkAcknowledgment];

/// What is wrong with a scheme that needs this, on this medium.
fn refusal(scheme: &'static Scheme, section: &str) -> Option<String> {
    refusal_with(scheme, section, "")
}

/// The same with these parameters of the scheme.
fn refusal_with(scheme: &'static Scheme, section: &str, params: &str) -> Option<String> {
    let text = format!(
        "[topology]\nkind = \"chain\"\nhops = 1\n{section}[scheme]\nname = \"{}\"\n{params}\
         [traffic]\nload = \"1 kbit/s\"\n",
        scheme.name
    );
    let scenario = from_toml(&text).expect("it can be read");
    let registry = Registry::default().with_scheme(scheme);
    scenario.setup_with(&registry).err().map(|error| error.to_string())
}

fn scheme(does_itself: &'static [Capability], requires: &'static [Capability]) -> &'static Scheme {
    Box::leak(Box::new(Scheme { name: "needy", does_itself, requires, ..udp::SCHEME }))
}

#[test]
fn every_scheme_runs_on_radio_and_unless_it_needs_the_air_on_wires() {
    let of_the_air = [Capability::Overhearing, Capability::AirTime];
    for scheme in SCHEMES {
        assert_eq!(refusal(scheme, ""), None, "{}", scheme.name);
        let needs_it = scheme.requires.iter().any(|required| of_the_air.contains(required));
        assert_eq!(refusal(scheme, "[wired]\n").is_some(), needs_it, "{}", scheme.name);
    }
    let on_wires = |name: &str| {
        SCHEMES.iter().any(|it| it.name == name && !it.requires.contains(&Capability::AirTime))
    };
    assert!(["udp", "cxcc", "newreno", "hxh", "atp", "xcp"].into_iter().all(on_wires));
}

#[test]
fn who_must_overhear_is_refused_on_wires() {
    let needy = scheme(&[], &[Capability::Unicast, Capability::Overhearing]);
    assert_eq!(refusal(needy, ""), None);
    assert_eq!(
        refusal(needy, "[wired]\n").as_deref(),
        Some(
            "line 6: scheme.name: 'needy' needs overhearing, which [wired] does not have; remove \
             [wired], or use another scheme"
        )
    );
    let needy = scheme(ACKNOWLEDGES, &[Capability::AirTime]);
    assert_eq!(refusal(needy, ""), None);
    let message = refusal(needy, "[wired]\n").expect("wires have no air");
    assert!(message.contains("the radio's air time, which [wired]"), "{message}");
}

#[test]
fn who_needs_acknowledgments_is_refused_on_the_reduced_csma() {
    let needy = scheme(&[], &[Capability::LinkAcknowledgment]);
    assert_eq!(refusal(needy, ""), None);
    assert_eq!(
        refusal(needy, "[mac]\nkind = \"csma\"\n").as_deref(),
        Some(
            "line 7: scheme.name: 'needy' needs link acknowledgments, which the reduced CSMA MAC does \
             not have; use another mac.kind, or another scheme"
        )
    );
    assert_eq!(refusal(needy, "[wired]\n"), None, "wires lose nothing unseen");
}

#[test]
fn who_acknowledges_itself_is_refused_on_a_mac_that_does_so_too() {
    let cxcc = multihop_schemes::find("cxcc").expect("there is one");
    assert_eq!(refusal(cxcc, "[mac]\nkind = \"csma\"\n"), None);
    let message = refusal(cxcc, "[mac]\nkind = \"dcf\"\n").expect("both would");
    assert!(
        message
            .contains("'cxcc' does itself what the 802.11 DCF MAC does, too: link acknowledgments"),
        "{message}"
    );
}

#[test]
fn who_names_no_mac_has_the_first_that_suits_it() {
    let of = |name: &str| {
        let scheme = multihop_schemes::find(name).expect("there is one");
        crate::medium::preferred(&[scheme], &Registry::default()).name
    };
    assert!(["udp", "newreno", "wake", "hxh"].into_iter().all(|name| of(name) == "dcf"));
    assert_eq!(of("cxcc"), "csma");
}

/// A switch that needs more of the MAC than its scheme.
const TWICE: Switch = Switch { name: "twice", about: "Frames go to two at once", default: false };
static PARAMS: [Param; 1] = [TWICE.param().needing(true, Capability::TwoReceivers)];

#[test]
fn what_a_switch_needs_counts_while_it_is_on() {
    let of = |mac| &*Box::leak(Box::new(Scheme { params: &PARAMS, ..*scheme(mac, &[]) }));
    let on = |text: &str| refusal_with(of(&[]), text, "twice = true\n");
    assert_eq!(refusal(of(&[]), "[wired]\n"), None);
    assert_eq!(refusal(of(ACKNOWLEDGES), ""), None);
    assert_eq!(on(""), None);
    let message = on("[wired]\n").expect("wires end at one node");
    assert!(message.contains("frames for two neighbours at once, which [wired]"), "{message}");
    let message = refusal_with(of(ACKNOWLEDGES), "", "twice = true\n");
    assert!(message.is_some_and(|message| message.contains("the reduced CSMA")));
}

#[test]
fn who_asks_how_the_radio_spends_its_time_is_refused_where_there_is_none() {
    let cxcc = multihop_schemes::find("cxcc").expect("there is one");
    assert_eq!(refusal(cxcc, "[wired]\n"), None);
    assert_eq!(refusal_with(cxcc, "", "count_deaf_time = false\n"), None);
    let message = refusal_with(cxcc, "[wired]\n", "count_deaf_time = false\n");
    assert!(message.expect("wires have none").contains("the radio's air time, which [wired]"));
}

#[test]
fn a_list_that_all_nodes_share_is_refused_where_there_is_none() {
    let mesh = multihop_schemes::find("meshtastic").expect("there is one");
    let lora = "[radio]\npropagation = \"log-distance\"\n[mac]\nkind = \"lora\"\n";
    let rules = "rules = \"meshtasticator\"\n";
    let asked = format!("{rules}common_list = true\n");
    // the packets of these scenarios are too long for its frames, which is the only complaint
    let message = refusal_with(mesh, lora, &asked).expect("they are");
    assert!(message.contains("traffic.payload: a payload of"), "{message}");
    assert_eq!(refusal_with(mesh, "", rules), None);
    let message = refusal_with(mesh, "", &asked).expect("802.11 has none");
    assert!(message.contains("needs a list that all nodes share, which the"), "{message}");
}

#[test]
fn favourites_are_whole_numbers_in_brackets() {
    let mesh = multihop_schemes::find("meshtastic").expect("there is one");
    let of = |numbers: &str| refusal_with(mesh, "", &format!("favourite_routers = {numbers}\n"));
    assert_eq!((of("[]"), of("[3, 7]")), (None, None));
    for (wrong, says) in [
        ("[3.5]", "wants whole numbers in brackets, as [3, 7] (got 3.5)"),
        ("[-1]", "(got -1)"),
        ("[16777215]", "needs whole numbers, each at most 16777214 (got [16777215])"),
        ("3", "wants whole numbers in brackets"),
        ("\"n3\"", "wants whole numbers in brackets, as [3, 7] (got \"n3\")"),
    ] {
        let message = of(wrong).expect("it is refused");
        assert!(message.contains("favourite_routers") && message.contains(says), "{message}");
    }
}
