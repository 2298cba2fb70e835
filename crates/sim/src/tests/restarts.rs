//! Every kind of node restarts in the middle of a transfer, under every scheme and routing.

use std::collections::BTreeSet;

use multihop_core::{Scheme, Time};
use multihop_routing::{ROUTINGS, Routes};
use multihop_schemes::SCHEMES;
use multihop_schemes::parts::reliable::RELIABLE;
use multihop_testkit::keeps;
use multihop_trace::{Observation, Observer};

use crate::tests::{assert_balanced, floats, integers, never, run_text, setup};
use crate::{Options, Simulation, Tables};

/// When a node restarts, in s.
const RESTART: u32 = 10;

/// A scheme, with a line of parameters.
#[derive(Clone, Copy)]
struct Under {
    scheme: &'static Scheme,
    given: &'static str,
}

/// All of them, as they are, and WAKE with coding.
fn schemes() -> impl Iterator<Item = Under> {
    let coding = SCHEMES.iter().filter(|scheme| scheme.name == "wake");
    let coding = coding.map(|scheme| Under { scheme, given: "coding = true\n" });
    SCHEMES.iter().map(|scheme| Under { scheme, given: "" }).chain(coding)
}

/// Those whose ends may repeat what is lost, and do.
fn repeating() -> impl Iterator<Item = Under> {
    let has = |scheme: &&Scheme| scheme.params.iter().any(|param| param.name == RELIABLE.name);
    let given = "reliable = true\n";
    SCHEMES.iter().copied().filter(has).map(move |scheme| Under { scheme, given })
}

/// What one life of the destination's application has got.
#[derive(Default)]
struct Application {
    destination: u32,
    got: BTreeSet<u32>,
    twice: Vec<u32>,
    restarts: u32,
}

impl Observer for Application {
    fn observe(&mut self, _at: Time, what: &Observation) {
        match *what {
            Observation::Delivery { packet, .. } => {
                let number = packet.tag.number;
                if !self.got.insert(number) {
                    self.twice.push(number);
                }
            }
            Observation::Restart { node } => {
                self.restarts += 1;
                if node.0 == self.destination {
                    self.got.clear();
                }
            }
            _ => {}
        }
    }
}

/// A transfer over three hops in which `node` restarts.
fn scenario(under: Under, routing: &str, node: u32, seconds: u32) -> String {
    let Under { scheme, given } = under;
    let name = scheme.name;
    format!(
        "warmup = \"1 s\"\nduration = \"{} s\"\n[topology]\nkind = \"chain\"\nhops = 3\n\
         [routing]\nkind = \"{routing}\"\n[scheme]\nname = \"{name}\"\n{given}\
         [traffic]\nkind = \"ftp\"\nstart = \"0.1 s\"\n\
         [[restart]]\nnode = \"n{node}\"\nat = \"{RESTART} s\"\n",
        seconds - 1
    )
}

/// Packets that were delivered from `from` on, in s.
fn delivered_from(tables: &Tables, from: u32) -> i64 {
    let times = floats(&tables.series, "time_s");
    let delivered = integers(&tables.series, "delivered");
    let counted = times.iter().zip(delivered).filter(|(time, _)| **time >= f64::from(from));
    counted.map(|(_, count)| count).sum()
}

/// Every loss of the run, with its cause.
fn losses(tables: &Tables) -> Vec<(&'static str, i64)> {
    let columns = tables.flows.iter().filter(|(name, _)| name.starts_with("lost_"));
    let counted = columns.map(|(name, _)| (*name, integers(&tables.flows, name)[0]));
    counted.filter(|(_, count)| *count > 0).collect()
}

fn check(under: Under, routing: &str, node: u32, seconds: u32, back_by: u32) {
    let text = scenario(under, routing, node, seconds);
    let Under { scheme, given } = under;
    let context = format!("{} {given} over {routing}, n{node} restarts", scheme.name);
    let mut application = Application { destination: 3, ..Application::default() };
    let setup = setup(&text);
    let repeats = keeps(setup.scheme, &setup.params);
    let tables = Simulation::new(setup, Options::default())
        .watched_by(&mut application)
        .run(&never())
        .expect("nobody interrupts the run");
    assert_balanced(&tables, &context);
    assert_eq!(application.restarts, 1, "{context}");
    assert!(delivered_from(&tables, 0) > delivered_from(&tables, RESTART), "{context}: no start");
    let back = delivered_from(&tables, back_by);
    assert!(back > 10, "{context}: {back} packets after {back_by} s");
    if repeats {
        assert_eq!(application.twice, [0; 0], "{context}");
        // What was acknowledged end to end was delivered; only a source takes its data with it.
        let lost = losses(&tables);
        let forgiven = |cause: &str| node == 0 && cause == "lost_restarted";
        assert!(lost.iter().all(|(cause, _)| forgiven(cause)), "{context}: {lost:?}");
    }
}

/// The routing of `scheme` that knows at once where packets go.
fn at_once(scheme: &Scheme) -> &'static str {
    let mut all = ROUTINGS.iter().filter(|routing| routing.routes != Routes::Searched);
    all.find(|routing| routing.serves(scheme.forwarding)).expect("one serves it").name
}

/// With fixed routes, or without any, goodput is back within five seconds.
#[test]
fn every_scheme_survives_every_restart() {
    for under in schemes().chain(repeating()) {
        for node in 0..=3 {
            check(under, at_once(under.scheme), node, 22, RESTART + 5);
        }
    }
}

/// Where routes are searched for, a node is silent for as long as another may have it for its next
/// hop (RFC 3561, 6.13: 50 s), and packets are held and searches paused meanwhile.
#[test]
#[ignore = "long"]
fn every_scheme_survives_every_restart_over_every_routing() {
    for routing in ROUTINGS.iter().filter(|routing| routing.routes == Routes::Searched) {
        let all = schemes().chain(repeating());
        for under in all.filter(|under| routing.serves(under.scheme.forwarding)) {
            for node in [0, 1, 3] {
                check(under, routing.name, node, 130, RESTART + 90);
            }
        }
    }
}

#[test]
fn a_node_may_restart_again_and_again() {
    for under in schemes() {
        let scheme = under.scheme;
        let text = (0..40).fold(scenario(under, at_once(scheme), 2, 45), |text, n| {
            let (node, at) = (n % 4, 5.0 + f64::from(n) * 0.61);
            format!("{text}[[restart]]\nnode = \"n{node}\"\nat = \"{at} s\"\n")
        });
        let tables = run_text(&text);
        assert_balanced(&tables, scheme.name);
        let back = delivered_from(&tables, 38);
        // Meshtastic waits seconds for the relay of a packet before it sends the next one, and relays of MeshCore wait.
        let enough = if ["meshtastic", "meshcore"].contains(&scheme.name) { 1 } else { 11 };
        assert!(back >= enough, "{}: {back} packets", scheme.name);
    }
}

#[test]
fn wires_carry_on_what_a_node_has_sent_before_it_restarts() {
    let under = Under { scheme: &multihop_schemes::udp::SCHEME, given: "" };
    let text = scenario(under, "fixed", 1, 22)
        .replace("[routing]", "[wired]\n[routing]")
        .replace("kind = \"ftp\"", "load = \"200 kbit/s\"");
    let tables = run_text(&text);
    assert_balanced(&tables, "wires");
    assert!(losses(&tables).iter().all(|(cause, _)| *cause != "lost_restarted"));
    let back = delivered_from(&tables, RESTART + 1);
    assert!(back > 100, "{back}");
}
