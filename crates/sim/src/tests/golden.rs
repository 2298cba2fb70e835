//! Short runs, pinned: some of their own, and every scheme over every routing protocol. A change of
//! the engine that shall not change results leaves `golden.txt` alone.
//!
//! After a change that is meant to change them, or with a new scheme or routing protocol,
//!
//! ```text
//! MULTIHOP_PIN=1 cargo test -p multihop-sim golden
//! ```
//!
//! writes it anew; then run the validation against ns-2 (`make validate`): it says whether they are
//! still right.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use multihop_core::Scheme;
use multihop_routing::ROUTINGS;
use multihop_schemes::SCHEMES;

use crate::tests::{assert_balanced, fingerprint, integers, run_text};

const TAIL: &str = "warmup = \"1 s\"\nduration = \"9 s\"\n";

/// What the runs gave: a line each, of fingerprint, transmissions, packets delivered, name.
const PINNED: &str = include_str!("golden.txt");

/// Names and scenarios.
const GOLDEN: [(&str, &str); 16] = [
    (
        "udp over a chain without RTS",
        "[topology]\nkind = \"chain\"\nhops = 10\n[scheme]\nname = \"udp\"\n\
               [traffic]\nload = \"200 kbit/s\"\n",
    ),
    (
        "udp both ways with RTS",
        "[topology]\nkind = \"bidirectional-chain\"\nhops = 8\n[mac]\nrts_cts = true\n\
               [scheme]\nname = \"udp\"\n[traffic]\nload = \"80 kbit/s\"\n",
    ),
    (
        "udp over a cross at 2 Mbit/s with shadowing",
        "[topology]\nkind = \"cross\"\nhops = 6\n[mac]\ndata_rate = \"2 Mbit/s\"\n\
               [radio]\npropagation = \"log-normal-shadowing\"\n\
               [scheme]\nname = \"udp\"\n[traffic]\nload = \"120 kbit/s\"\npayload = \"1000 B\"\n",
    ),
    (
        "cxcc both ways",
        "[topology]\nkind = \"bidirectional-chain\"\nhops = 10\n[scheme]\nname = \"cxcc\"\n\
               [traffic]\nload = \"200 kbit/s\"\n",
    ),
    (
        "cxcc in a random network with bit errors",
        "[topology]\nkind = \"random\"\nnodes = 60\nwidth = \"1000 m\"\n\
               height = \"1000 m\"\nflows = 6\nmin_hops = 2\n[radio]\nbit_error_rate = 2e-5\n\
               [scheme]\nname = \"cxcc\"\n[traffic]\nload = \"30 kbit/s\"\n",
    ),
    (
        "udp among so many nodes that memory is read ahead",
        "[topology]\nkind = \"random\"\nnodes = 2000\nwidth = \"5000 m\"\n\
               height = \"5000 m\"\nflows = 20\n[scheme]\nname = \"udp\"\n\
               [traffic]\nload = \"4 kbit/s\"\n",
    ),
    (
        "newreno over dsr between nodes that move",
        "[topology]\nkind = \"random\"\nnodes = 20\nwidth = \"500 m\"\nheight = \"500 m\"\nflows = 2\n\
               [mobility]\nkind = \"random-waypoint\"\nmin_speed = \"5 m/s\"\nmax_speed = \"20 m/s\"\n\
               [routing]\nkind = \"dsr\"\n[scheme]\nname = \"newreno\"\n[traffic]\nkind = \"ftp\"\n",
    ),
    (
        "udp over wires",
        "[topology]\nkind = \"bidirectional-cross\"\nhops = 6\n[wired]\nqueue = 5\n\
               [scheme]\nname = \"udp\"\n[traffic]\nload = \"700 kbit/s\"\n",
    ),
    (
        "newreno over aodv",
        "[topology]\nkind = \"chain\"\nhops = 8\n[routing]\nkind = \"aodv\"\n\
               [mac]\ndata_rate = \"2 Mbit/s\"\nrts_cts = true\n\
               [scheme]\nname = \"newreno\"\n[traffic]\nkind = \"ftp\"\n",
    ),
    (
        "udp both ways with RTS by the standard's rules",
        "[topology]\nkind = \"bidirectional-chain\"\nhops = 8\n[mac]\nrts_cts = true\nrules = \"ieee-802.11\"\n\
               [scheme]\nname = \"udp\"\n[traffic]\nload = \"80 kbit/s\"\n",
    ),
    (
        "newreno over aodv by the standard's rules, the first decodable frame kept",
        "[topology]\nkind = \"chain\"\nhops = 8\n[routing]\nkind = \"aodv\"\n\
               [mac]\ndata_rate = \"2 Mbit/s\"\nrts_cts = true\nrules = \"ieee-802.11\"\n\
               [radio]\nreception = \"first-decodable\"\ncapture_ratio = 1\n\
               [scheme]\nname = \"newreno\"\n[traffic]\nkind = \"ftp\"\n",
    ),
    (
        "hxh over aodv by ns-3's rules, the first decodable frame kept",
        "[topology]\nkind = \"chain\"\nhops = 8\n[routing]\nkind = \"aodv\"\n\
               [mac]\ndata_rate = \"2 Mbit/s\"\nrules = \"ns3\"\n\
               [radio]\nreception = \"first-decodable\"\ncapture_ratio = 1\n\
               [scheme]\nname = \"hxh\"\n[traffic]\nkind = \"ftp\"\n",
    ),
    (
        "newreno both ways with bit errors of 802.11b under interference, shadowed",
        "[topology]\nkind = \"bidirectional-chain\"\nhops = 5\n\
               [mac]\ndata_rate = \"11 Mbit/s\"\nrules = \"ns3\"\n\
               [radio]\nreception = \"first-decodable\"\ninterference = \"dsss\"\n\
               propagation = \"log-normal-shadowing\"\n\
               [scheme]\nname = \"newreno\"\n[traffic]\nkind = \"ftp\"\n",
    ),
    (
        "newreno both ways over 802.11a with noise and bit errors by rate",
        "[topology]\nkind = \"bidirectional-chain\"\nhops = 5\nspacing = \"18 m\"\n\
               [mac]\ntiming = \"ofdm-5\"\ndata_rate = \"24 Mbit/s\"\nrules = \"ns3\"\n\
               [radio]\npropagation = \"log-normal-shadowing\"\npath_loss_exponent = 3\n\
               shadowing_deviation = \"0 dB\"\ntransmit_power = \"40 mW\"\n\
               [scheme]\nname = \"newreno\"\n[traffic]\nkind = \"ftp\"\n",
    ),
    (
        "wake both ways, coded",
        "[topology]\nkind = \"bidirectional-cross\"\nhops = 6\n\
               [scheme]\nname = \"wake\"\ncoding = true\n[traffic]\nload = \"100 kbit/s\"\n",
    ),
    (
        "lecn with thinned acknowledgments in a grid",
        "[topology]\nkind = \"grid\"\nrows = 4\ncolumns = 5\nhorizontal_flows = 2\n\
               vertical_flows = 2\n[routing]\nkind = \"aodv\"\n\
               [mac]\ndata_rate = \"2 Mbit/s\"\n[scheme]\nname = \"lecn\"\n\
               ack_thinning = true\n[traffic]\nkind = \"ftp\"\n",
    ),
];

/// What a scheme needs to be told apart from the others: CL paces only what is faster than its rate.
fn keys(scheme: &str) -> &'static str {
    if scheme == "cl" { "rates = [20]\n" } else { "" }
}

/// Every scheme over every routing protocol: two flows that meet, with losses enough to tell the
/// schemes apart.
fn parts() -> impl Iterator<Item = (String, String)> {
    let over = |scheme: &'static Scheme| {
        let serving = ROUTINGS.iter().filter(|routing| routing.serves(scheme.forwarding));
        let scheme = scheme.name;
        serving.map(move |routing| {
            // With more losses DSR loses its routes before TCP's variants differ.
            let losses = if routing.name == "dsr" { "5e-5" } else { "1e-4" };
            let text = format!(
                "[topology]\nkind = \"bidirectional-chain\"\nhops = 6\n[radio]\nbit_error_rate = {losses}\n\
                 [scheme]\nname = \"{scheme}\"\n{}[routing]\nkind = \"{}\"\n[traffic]\nload = \"150 kbit/s\"\n",
                keys(scheme),
                routing.name
            );
            (format!("{scheme} over {}", routing.name), text)
        })
    };
    SCHEMES.iter().copied().flat_map(over)
}

#[test]
fn golden_runs() {
    let own = GOLDEN.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let mut found = String::new();
    for (name, text) in own.into_iter().chain(parts()) {
        let tables = run_text(&format!("{TAIL}{text}"));
        let (_, delivered, _) = assert_balanced(&tables, &name);
        let fingerprint = fingerprint(&tables);
        let transmissions = integers(&tables.runs, "transmissions")[0];
        let _ = writeln!(found, "{fingerprint} {transmissions:6} {delivered:5}  {name}");
    }
    if std::env::var_os("MULTIHOP_PIN").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/golden.txt");
        std::fs::write(file, &found).expect("the sources can be written");
        return;
    }
    let other: Vec<&str> = found.lines().filter(|run| !PINNED.contains(run)).collect();
    assert!(other.is_empty(), "not as pinned; see the head of golden.rs:\n{}", other.join("\n"));
    let fingerprints: BTreeSet<&str> =
        found.lines().filter_map(|run| run.split(' ').next()).collect();
    assert_eq!(fingerprints.len(), found.lines().count(), "runs that tell nothing apart:\n{found}");
    assert_eq!(found.lines().count(), PINNED.lines().count(), "runs that there are no more");
}
