//! Custody on the air: packet accounting of schemes that hand packets on without acknowledgments of the link, or to
//! several nodes at once. What the application got is what is delivered; every packet is delivered, lost or inside.

use std::collections::{BTreeSet, VecDeque};

use multihop_core::{
    Capability, Cx, DropCause, Failed, Heard, Hop, NodeId, Outcome, Packet, Plot, Receiver, Rx,
    Scheme, Tag, Time, TxDone, TxRequest, Verdict,
};
use multihop_scenario::{Registry, from_toml};
use multihop_schemes::parts::datagram::{self, Datagram};
use multihop_trace::{Observation, Observer};
use proptest::prelude::*;

use crate::tests::{assert_balanced, integers, never, setup};
use crate::{Options, Simulation, Tables};

/// What a scheme does by chance, each with this probability.
#[derive(Clone, Copy, Debug, Default)]
struct Habits {
    /// It sends a packet to everyone.
    broadcasts: f64,
    /// It lets its copy go when it hands the frame to the MAC, and not when the MAC is done with it.
    lets_go_early: f64,
    /// It lets its copy go although the MAC has failed.
    lets_go_in_vain: f64,
    /// It takes a packet that it has had before.
    takes_again: f64,
    /// It takes a packet and gives it up at once.
    refuses: f64,
}

/// A queue with habits.
struct Loose {
    habits: Habits,
    waiting: VecDeque<(Packet, NodeId)>,
    /// Packets that it has had.
    seen: BTreeSet<(u32, u32)>,
    /// Whether the MAC has a packet of which it still has a copy.
    has_below: bool,
}

impl Hop for Loose {
    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.seen.insert((packet.tag.source, packet.tag.number));
        if self.waiting.len() < 8 {
            self.waiting.push_back((packet, next));
        } else {
            cx.drop(packet, DropCause::QueueFull);
        }
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        let Tag { source, number } = rx.packet.tag;
        let again = !self.seen.insert((source, number));
        match rx.heard {
            Heard::Overheard => Verdict::Done,
            _ if again && cx.rng.unit() >= self.habits.takes_again => Verdict::Done,
            _ if cx.rng.unit() < self.habits.refuses => Verdict::Refuse(DropCause::QueueFull),
            Heard::ForMe | Heard::Broadcast => Verdict::Accept,
        }
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        let (packet, next) = self.waiting.pop_front()?;
        self.has_below = cx.rng.unit() >= self.habits.lets_go_early;
        if !self.has_below {
            cx.release(&packet);
        }
        let everyone = cx.rng.unit() < self.habits.broadcasts;
        let to = if everyone { Receiver::Broadcast } else { Receiver::Node(next) };
        Some(TxRequest::new(to, packet))
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        if !std::mem::take(&mut self.has_below) {
            return None;
        }
        if done.outcome == Outcome::Failed && cx.rng.unit() >= self.habits.lets_go_in_vain {
            return Some(Failed::GivenUp(done.packet.clone()));
        }
        cx.release(&done.packet);
        None
    }

    fn backlog(&self) -> usize {
        self.waiting.len() + usize::from(self.has_below)
    }
}

/// What a scheme with acknowledgments of its own does itself.
const ACKNOWLEDGES: &[Capability] = &[Capability::LinkAcknowledgment];

/// A scheme with these habits that does this itself.
fn loose(habits: Habits, does_itself: &'static [Capability]) -> &'static Scheme {
    let make = move |_: &_| -> Box<dyn Hop> {
        let (waiting, seen) = (VecDeque::new(), BTreeSet::new());
        Box::new(Loose { habits, waiting, seen, has_below: false })
    };
    Box::leak(Box::new(Scheme {
        name: "loose",
        title: "Lets packets go",
        paper: "none",
        plot: Plot { color: "#000000", marker: "x" },
        does_itself,
        requires: &[],
        forwarding: multihop_core::Forwarding::NextHop,
        heeds_class: false,
        counters: &[],
        words: &[],
        headers: &[],
        params: &[],
        hop: Box::leak(Box::new(make)),
        transport: &|_, flow, _| Box::new(Datagram::new(flow)),
        carries: datagram::carries,
    }))
}

/// The packets that applications got, and how often one came again.
#[derive(Default)]
struct Applications {
    got: BTreeSet<(u32, u32)>,
    again: i64,
}

impl Applications {
    /// How many packets they got.
    fn count(&self) -> i64 {
        i64::try_from(self.got.len()).expect("few enough packets to count")
    }
}

impl Observer for Applications {
    fn observe(&mut self, _at: Time, what: &Observation) {
        if let Observation::Delivery { packet, .. } = what {
            let Tag { source, number } = packet.tag;
            self.again += i64::from(!self.got.insert((source, number)));
        }
    }
}

fn run(text: &str, scheme: &'static Scheme) -> (Tables, Applications) {
    let registry = Registry::default().with_scheme(scheme);
    let setup = from_toml(text).and_then(|scenario| scenario.setup_with(&registry));
    let setup = setup.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut applications = Applications::default();
    let simulation = Simulation::new(setup, Options::default()).watched_by(&mut applications);
    (simulation.run(&never()).expect("nobody interrupts the run"), applications)
}

fn sum(tables: &Tables, name: &str) -> i64 {
    integers(&tables.flows, name).iter().sum()
}

fn chain(topology: &str, load: u32, seed: u32, more: &str) -> String {
    format!(
        "seed = {seed}\nwarmup = \"0 s\"\nduration = \"20 s\"\n[topology]\n{topology}\n\
         [scheme]\nname = \"loose\"\n[traffic]\nload = \"{load} kbit/s\"\nstart = \"0 s\"\nstop = \"3 s\"\n{more}"
    )
}

#[test]
fn what_is_handed_on_without_acknowledgment_is_delivered() {
    let text = chain("kind = \"chain\"\nhops = 4", 20, 1, "");
    let (tables, applications) = run(&text, loose(Habits::default(), ACKNOWLEDGES));
    let (offered, delivered, lost) = assert_balanced(&tables, &text);
    assert!(offered > 10);
    assert_eq!((delivered, lost), (offered, 0));
    assert_eq!(applications.count(), offered);
}

/// One after another over a chain, every node that hears a packet for the first time sends it on.
#[test]
fn a_flood_delivers_each_packet_once_and_loses_none_of_them() {
    let text = chain("kind = \"chain\"\nhops = 4", 10, 1, "");
    let floods = Habits { broadcasts: 1.0, ..Habits::default() };
    let (tables, applications) = run(&text, loose(floods, ACKNOWLEDGES));
    let (offered, delivered, _) = assert_balanced(&tables, &text);
    assert!(delivered > offered / 2, "{delivered} of {offered}");
    assert_eq!(applications.count(), delivered);
    assert_eq!(sum(&tables, "lost_duplicate"), 0);
    assert_eq!(sum(&tables, "run_inside"), 0);
}

/// Copies that come again are counted as such, and never as losses.
#[test]
fn copies_that_come_again_are_duplicates() {
    let text = chain("kind = \"grid\"\nrows = 3\ncolumns = 3\nhorizontal_flows = 1", 40, 1, "");
    let floods = Habits { broadcasts: 1.0, takes_again: 0.5, ..Habits::default() };
    let (tables, applications) = run(&text, loose(floods, ACKNOWLEDGES));
    let (_, delivered, _) = assert_balanced(&tables, &text);
    assert_eq!(applications.count(), delivered);
    assert!(applications.again > 0);
    assert_eq!(sum(&tables, "run_duplicates"), applications.again);
}

/// Nobody is there to hear the last hop: the packet is lost where it was last on the air.
#[test]
fn what_nobody_takes_is_lost_on_the_air() {
    let text = chain("kind = \"chain\"\nhops = 2", 10, 1, "[radio]\nbit_error_rate = 1e-2\n");
    let (tables, _) = run(&text, loose(Habits::default(), ACKNOWLEDGES));
    let (offered, delivered, lost) = assert_balanced(&tables, &text);
    assert_eq!((delivered, lost), (0, offered));
    assert_eq!(sum(&tables, "lost_not_received"), offered);
}

/// Accounting over wires and of schemes with acknowledgments is what it was: nothing is lost on the air there.
#[test]
fn acknowledged_packets_are_never_lost_on_the_air() {
    for medium in ["[wired]", "[radio]\nbit_error_rate = 1e-4"] {
        let text = chain("kind = \"chain\"\nhops = 4", 300, 1, medium).replace("loose", "udp");
        let tables = crate::tests::run(setup(&text), Options::default());
        assert_balanced(&tables, &text);
        assert_eq!(sum(&tables, "lost_not_received"), 0);
    }
}

fn habits() -> impl Strategy<Value = Habits> {
    let share = || prop::sample::select(vec![0.0, 0.3, 1.0]);
    (share(), share(), share(), 0.0..0.2f64, 0.0..0.2f64).prop_map(
        |(broadcasts, lets_go_early, lets_go_in_vain, takes_again, refuses)| Habits {
            broadcasts,
            lets_go_early,
            lets_go_in_vain,
            takes_again,
            refuses,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn packets_are_conserved_whatever_a_scheme_lets_go(
        habits in habits(),
        does_itself in prop::sample::select(vec![ACKNOWLEDGES, &[]]),
        topology in prop::sample::select(vec![
            "kind = \"chain\"\nhops = 3",
            "kind = \"bidirectional-chain\"\nhops = 4",
            "kind = \"grid\"\nrows = 3\ncolumns = 3\nhorizontal_flows = 2",
        ]),
        more in prop::sample::select(vec![
            "",
            "[radio]\nbit_error_rate = 5e-5\n",
            "[radio]\npropagation = \"log-normal-shadowing\"\n",
            "[[restart]]\nnode = \"n1\"\nat = \"2 s\"\n",
            "[routing]\nkind = \"aodv\"\n",
        ]),
        (load, seed) in (5u32..200, any::<u32>()),
    ) {
        let restarts = more.contains("restart") && topology.contains("grid");
        let text = chain(topology, load, seed, if restarts { "" } else { more });
        let (tables, applications) = run(&text, loose(habits, does_itself));
        let (_, delivered, _) = assert_balanced(&tables, &text);
        prop_assert_eq!(delivered, applications.count(), "{}", text);
        prop_assert_eq!(sum(&tables, "run_duplicates"), applications.again, "{}", text);
        // The sources stopped long ago.
        prop_assert_eq!(sum(&tables, "run_inside"), 0, "{}", text);
    }
}
