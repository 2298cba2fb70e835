//! What a scheme needs of its MAC, and which MAC has it.

use multihop_core::{Capability, MacAccess, Param, Scheme, Switch};
use multihop_schemes::{SCHEMES, udp};

use crate::{Registry, from_toml};

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

fn scheme(mac: MacAccess, requires: &'static [Capability]) -> &'static Scheme {
    Box::leak(Box::new(Scheme { name: "needy", mac, requires, ..udp::SCHEME }))
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
    let needy = scheme(MacAccess::Dcf, &[Capability::Unicast, Capability::Overhearing]);
    assert_eq!(refusal(needy, ""), None);
    assert_eq!(
        refusal(needy, "[wired]\n").as_deref(),
        Some(
            "line 6: scheme.name: 'needy' needs overhearing, which [wired] does not have; remove \
             [wired], or use another scheme"
        )
    );
    let needy = scheme(MacAccess::Csma, &[Capability::AirTime]);
    assert_eq!(refusal(needy, ""), None);
    let message = refusal(needy, "[wired]\n").expect("wires have no air");
    assert!(message.contains("the radio's air time, which [wired]"), "{message}");
}

#[test]
fn who_needs_acknowledgments_is_refused_on_the_reduced_csma() {
    let needy = scheme(MacAccess::Csma, &[Capability::LinkAcknowledgment]);
    assert_eq!(
        refusal(needy, "").as_deref(),
        Some(
            "line 5: scheme.name: 'needy' needs link acknowledgments, which the reduced CSMA does \
             not have; declare the scheme for the DCF"
        )
    );
    assert_eq!(refusal(needy, "[wired]\n"), None, "wires lose nothing unseen");
}

/// A switch that needs more of the MAC than its scheme.
const TWICE: Switch = Switch { name: "twice", about: "Frames go to two at once", default: false };
static PARAMS: [Param; 1] = [TWICE.param().needing(true, Capability::TwoReceivers)];

#[test]
fn what_a_switch_needs_counts_while_it_is_on() {
    let of = |mac| &*Box::leak(Box::new(Scheme { params: &PARAMS, ..*scheme(mac, &[]) }));
    let on = |text: &str| refusal_with(of(MacAccess::Dcf), text, "twice = true\n");
    assert_eq!(refusal(of(MacAccess::Dcf), "[wired]\n"), None);
    assert_eq!(refusal(of(MacAccess::Csma), ""), None);
    assert_eq!(on(""), None);
    let message = on("[wired]\n").expect("wires end at one node");
    assert!(message.contains("frames for two neighbours at once, which [wired]"), "{message}");
    let message = refusal_with(of(MacAccess::Csma), "", "twice = true\n");
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
