//! Schemes that are not built in.

use std::path::Path;

use multihop_core::{Capability, Params, Plot, Scheme};
use multihop_scenario::{Registry, from_toml, json_schema_with};
use multihop_schemes::parts::datagram::{self, Datagram};
use multihop_schemes::parts::fifo::{Fifo, QUEUE_LIMIT};

use crate::Options;
use crate::tests::{assert_balanced, fingerprint, integers, run};

/// The example of CONTRIBUTING.md.
#[path = "../../../schemes/tests/lifo/mod.rs"]
mod lifo;

fn scenario(scheme: &str) -> String {
    format!(
        "warmup = \"1 s\"\nduration = \"9 s\"\n[topology]\nkind = \"chain\"\nhops = 3\n\
         [scheme]\nname = \"{scheme}\"\n[traffic]\nload = \"400 kbit/s\"\n"
    )
}

/// How many packets a run of `text` delivers with this scheme, and how many it loses to full queues.
fn delivered(scheme: &'static Scheme, text: &str) -> (i64, i64) {
    let registry = Registry::default().with_scheme(scheme);
    let setup = from_toml(text).and_then(|scenario| scenario.setup_with(&registry));
    let setup = setup.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let tables = run(setup, Options::default());
    let (_, delivered, _) = assert_balanced(&tables, scheme.name);
    (delivered, integers(&tables.flows, "lost_queue_full")[0])
}

#[test]
fn the_example_runs_in_a_whole_simulation() {
    let text = scenario("lifo");
    assert!(from_toml(&text).expect("the form is right").setup().is_err(), "it is not built in");
    let (all, lost) = delivered(&lifo::SCHEME, &text);
    assert!(all > 200 && lost > 0, "{all} delivered, {lost} lost");
    let (_, more) =
        delivered(&lifo::SCHEME, &text.replace("\"lifo\"", "\"lifo\"\nqueue_limit = 1"));
    assert!(more > lost, "a shorter stack loses {more}, a longer one {lost}");
    let registry = Registry::default().with_scheme(&lifo::SCHEME);
    assert!(json_schema_with(&registry).contains("LIFO over 802.11"));
}

/// The same scheme in Rust and in Python gives the same run: `tests/test_prototype_names.py` reads both files.
#[test]
fn the_example_gives_the_run_that_is_pinned_for_its_twin_in_python() {
    let registry = Registry::default().with_scheme(&lifo::SCHEME);
    let setup = from_toml(include_str!("lifo.toml")).and_then(|it| it.setup_with(&registry));
    let tables = run(setup.expect("the scenario is right"), Options::default());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/lifo.txt");
    if std::env::var_os("MULTIHOP_PIN").is_some() {
        std::fs::write(&file, format!("{}\n", fingerprint(&tables))).expect("the folder is there");
    }
    let pinned = std::fs::read_to_string(&file).expect("the file is there");
    assert_eq!(pinned.trim_end(), fingerprint(&tables));
}

/// A scheme may be made at run time, of closures that have captured what they need.
#[test]
fn a_closure_is_a_scheme() {
    let udp = multihop_schemes::find("udp").expect("built in");
    let limit = 3;
    let given = vec![(QUEUE_LIMIT.name.to_owned(), multihop_core::Value::Count(limit))];
    let hop = move |params: &Params| -> Box<dyn multihop_core::Hop> {
        let short = Params::new(udp, &given, params.link.data_rate).expect("3 is allowed");
        Box::new(Fifo::new(&short))
    };
    let scheme: &'static Scheme = Box::leak(Box::new(Scheme {
        name: "short-queue",
        title: "UDP with a short queue",
        paper: "none",
        plot: Plot { color: "#000000", marker: "x" },
        does_itself: &[],
        requires: &[Capability::Unicast],
        forwarding: multihop_core::Forwarding::NextHop,
        heeds_class: false,
        counters: &[],
        words: &[],
        headers: &[],
        params: &[],
        hop: Box::leak(Box::new(hop)),
        transport: &|_, flow, _| Box::new(Datagram::new(flow)),
        carries: datagram::carries,
    }));
    let with_limit = scenario("udp").replace("\"udp\"", "\"udp\"\nqueue_limit = 3");
    assert_eq!(delivered(scheme, &scenario("short-queue")), delivered(udp, &with_limit));
}
