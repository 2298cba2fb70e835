//! Whoever watches a run sees all of it, and changes nothing.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use multihop_core::{
    Counter, Counts, Cx, DropCause, Duration, EventKind, Failed, FrameClass, Hop, NodeId, Packet,
    Rx, Scheme, Time, TxDone, TxRequest, Verdict,
};
use multihop_schemes::parts::fifo::Fifo;
use multihop_schemes::udp;
use multihop_setup::Setup;
use multihop_trace::{Costly, Observation, Observer, RetransmissionReason};

use crate::tests::{column, fingerprint, integers, labels, never, run, seconds, setup};
use crate::{Options, Simulation, Tables, event_table};

/// It writes down how often it was told what.
#[derive(Default)]
struct Witness {
    seen: BTreeMap<&'static str, i64>,
    wanted: Vec<Costly>,
    last: Time,
    /// Of what everybody is told, in the order in which it was told.
    order: DefaultHasher,
    /// Who has transmitted, from when on, until when.
    sent: Vec<(NodeId, Time, Time)>,
    /// Second copies that a destination ignores.
    ignored: i64,
}

impl Witness {
    fn wanting(wanted: &[Costly]) -> Self {
        Witness { wanted: wanted.to_vec(), ..Witness::default() }
    }

    fn count(&self, what: &str) -> i64 {
        self.seen.get(what).copied().unwrap_or_default()
    }
}

impl Observer for Witness {
    fn wants(&self, costly: Costly) -> bool {
        self.wanted.contains(&costly)
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        assert!(at >= self.last, "{what:?} at {at:?}, after {:?}", self.last);
        self.last = at;
        *self.seen.entry(name(what)).or_default() += 1;
        if let Observation::Transmission(frame) = what {
            self.sent.push((frame.from, at, at + frame.air_time));
        }
        if let Observation::Drop { node, packet, cause: DropCause::Duplicate } = what {
            self.ignored += i64::from(packet.flow.destination == *node);
        }
        // Stations that rest are woken more often where somebody asks for their time on the air.
        if !COSTLY.contains(&name(what)) && !matches!(what, Observation::End { .. }) {
            format!("{at:?} {what:?}").hash(&mut self.order);
        }
    }
}

fn name(what: &Observation) -> &'static str {
    match what {
        Observation::Offer { .. } => "offer",
        Observation::Acceptance { .. } => "acceptance",
        Observation::Release { .. } => "release",
        Observation::WireEntered(_) => "wire entered",
        Observation::WireLeft(_) => "wire left",
        Observation::Delivery { .. } => "delivery",
        Observation::Drop { .. } => "drop",
        Observation::Transmission(_) => "transmission",
        Observation::Receptions(_) => "receptions",
        Observation::ServiceStart { .. } => "service start",
        Observation::ServiceEnd { .. } => "service end",
        Observation::Gauge { .. } => "gauge",
        Observation::Estimate { .. } => "estimate",
        Observation::Protocol(_) => "protocol",
        Observation::LinkBroken { .. } => "link broken",
        Observation::Sensing(_) => "sensing",
        Observation::Air(_) => "air",
        Observation::CongestionPotential { .. } => "congestion potential",
        Observation::MeasuringBegins(_) => "measuring begins",
        Observation::Timer { .. } => "timer",
        Observation::Restart { .. } => "restart",
        Observation::End { .. } => "end",
    }
}

/// What only those are told who ask for it.
const COSTLY: [&str; 4] = ["receptions", "sensing", "air", "timer"];

const ALL: [Costly; 5] =
    [Costly::Receptions, Costly::Sensed, Costly::Sensing, Costly::Air, Costly::Timers];

const KINDS: usize = 21;

fn scenarios() -> [Setup; 5] {
    let tail = "warmup = \"0 s\"\nduration = \"5 s\"\n";
    [
        "[topology]\nkind = \"chain\"\nhops = 6\n[measure]\ncongestion_potential = true\n\
         [routing]\nkind = \"aodv\"\n[scheme]\nname = \"newreno\"\n[traffic]\nkind = \"ftp\"\n",
        "[topology]\nkind = \"bidirectional-chain\"\nhops = 4\n[wired]\nqueue = 3\n\
         [scheme]\nname = \"udp\"\n[traffic]\nload = \"1500 kbit/s\"\nstart = \"0.1 s\"\n",
        "[topology]\nkind = \"bidirectional-cross\"\nhops = 4\n[radio]\nbit_error_rate = 1e-5\n\
         [scheme]\nname = \"cxcc\"\n[traffic]\nload = \"60 kbit/s\"\nstart = \"0.1 s\"\n",
        "[topology]\nkind = \"chain\"\nhops = 2\n[scheme]\nname = \"wxcp\"\n\
         [traffic]\nkind = \"ftp\"\n",
        // In two dimensions, where frames go around.
        "[topology]\nkind = \"random\"\nnodes = 60\nflows = 6\nwidth = \"900 m\"\nheight = \"900 m\"\n\
         [scheme]\nname = \"cxcc\"\n\
         [traffic]\nload = \"400 kbit/s\"\nstart = \"0.1 s\"\n",
    ]
    .map(|text| setup(&format!("{tail}{text}")))
}

fn watched(setup: Setup, options: Options, observers: &mut [&mut dyn Observer]) -> Tables {
    let simulation = Simulation::new(setup, options);
    let simulation =
        observers.iter_mut().fold(simulation, |run, observer| run.watched_by(&mut **observer));
    simulation.run(&never()).expect("nobody interrupts the run")
}

fn sum(table: &multihop_trace::Table, name: &str) -> i64 {
    integers(table, name).iter().sum()
}

#[test]
fn an_observer_sees_every_event_of_a_run() {
    let mut kinds: Vec<&str> = Vec::new();
    for setup in scenarios() {
        let mut witness = Witness::wanting(&ALL);
        let tables = watched(setup, Options::default(), &mut [&mut witness]);
        let seen = |what: &str| witness.count(what);
        assert_eq!(seen("transmission"), sum(&tables.runs, "transmissions"));
        assert_eq!(seen("service end"), sum(&tables.nodes, "mac_served"));
        assert_eq!(seen("link broken"), sum(&tables.nodes, "link_failures"));
        assert_eq!(seen("offer"), sum(&tables.flows, "run_offered"));
        let copies = sum(&tables.flows, "run_delivered") + sum(&tables.flows, "run_duplicates");
        assert_eq!(seen("delivery") + witness.ignored, copies);
        assert_eq!((seen("measuring begins"), seen("end")), (1, 1));
        kinds.extend(witness.seen.keys());
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), KINDS, "what is never told is not tested: {kinds:?}");
}

/// The engine's own trace is an observer like any other.
#[test]
fn an_event_table_from_outside_is_that_of_a_traced_run() {
    for setup in scenarios() {
        let (mut first, mut second) = (event_table(&setup), event_table(&setup));
        let options = Options { trace: true, ..Options::default() };
        let tables = watched(setup, options, &mut [&mut first, &mut second]);
        let expected = format!("{:?}", tables.events.expect("the run was traced"));
        for table in [first, second] {
            assert_eq!(format!("{:?}", table.into_table()), expected);
        }
    }
}

#[test]
fn watching_does_not_change_the_run() {
    for setup in scenarios() {
        let plain = run(setup.clone(), Options::default());
        let mut told = None;
        for wanted in [&ALL[..0], &ALL[..1], &ALL[..2], &ALL[..3], &ALL[..]] {
            let mut witness = Witness::wanting(wanted);
            let tables = watched(setup.clone(), Options::default(), &mut [&mut witness]);
            assert_eq!(fingerprint(&tables), fingerprint(&plain), "{wanted:?}");
            for (name, columns) in &plain.flows {
                assert_eq!(format!("{columns:?}"), format!("{:?}", column(&tables.flows, name)));
            }
            assert_eq!(format!("{:?}", tables.nodes), format!("{:?}", plain.nodes), "{wanted:?}");
            let order = witness.order.finish();
            assert_eq!(order, *told.get_or_insert(order), "{wanted:?}");
        }
    }
}

/// What `relay` forwards is heard by both its neighbours, and then what `hidden` sends from `start` on.
fn hidden(start: Time) -> Setup {
    let place =
        |(name, x, y)| format!("[[node]]\nname = \"{name}\"\nx = \"{x} m\"\ny = \"{y} m\"\n");
    let nodes = [("below", 200, -130), ("relay", 0, 0), ("above", 200, 130), ("hidden", 400, 0)];
    let flow = |(from, start): (&str, Time)| {
        let start = start.seconds();
        format!("[[flow]]\nfrom = \"{from}\"\nto = \"above\"\nstart = \"{start:.9} s\"\n")
    };
    let flows = [("below", seconds(0.001)), ("hidden", start)].map(flow);
    setup(&format!(
        "warmup = \"0 s\"\nduration = \"0.1 s\"\ntopology.kind = \"explicit\"\n\
         scheme.name = \"cxcc\"\nradio.receive_range = \"250 m\"\nradio.sense_range = \"250 m\"\n\
         traffic.load = \"10 kbit/s\"\ntraffic.start_jitter = \"0 s\"\n{}{}",
        nodes.map(place).concat(),
        flows.concat()
    ))
}

/// Both neighbours learn that the relay's frame has ended when the next begins, which goes to the one with the
/// higher number first, unless somebody looks at each reception.
#[test]
fn a_frame_that_goes_around_is_told_of_in_the_order_of_numbers() {
    let told = |start, wanted: &[Costly]| {
        let mut witness = Witness::wanting(wanted);
        watched(hidden(start), Options::default(), &mut [&mut witness]);
        witness
    };
    let first = |witness: &Witness, from| {
        let sent = witness.sent.iter().find(|sent| sent.0 == NodeId(from)).expect("it sends");
        (sent.1, sent.2)
    };
    let late = seconds(0.05);
    let apart = told(late, &[]);
    let ((_, ends), (begins, _)) = (first(&apart, 1), first(&apart, 3));
    let start = late - (begins.since(ends) - Duration::from_nanos(400));
    let together = told(start, &[]);
    assert_eq!(first(&together, 3).0.since(first(&together, 1).1).nanos(), 400);
    assert_eq!(together.order.finish(), told(start, &[Costly::Receptions]).order.finish());
}

#[test]
fn what_costs_is_told_only_if_somebody_wants_it() {
    let [_, _, cxcc, ..] = scenarios();
    let mut witness = Witness::default();
    watched(cxcc, Options::default(), &mut [&mut witness]);
    for what in ["receptions", "sensing", "congestion potential"] {
        assert_eq!(witness.count(what), 0, "{what}");
    }
    assert!(witness.count("transmission") > 0);
}

/// Only CXCC's runs have the columns of its counters.
#[test]
fn a_scheme_s_counters_are_columns_of_its_own_runs() {
    let has = |tables: &Tables, name: &str| {
        let has = |table: &multihop_trace::Table| table.iter().any(|(known, _)| *known == name);
        (has(&tables.runs), has(&tables.nodes))
    };
    let [newreno, udp, cxcc, ..] = scenarios().map(|setup| run(setup, Options::default()));
    for counter in multihop_schemes::cxcc::SCHEME.counters {
        assert_eq!(has(&cxcc, counter.name), (true, true));
        assert_eq!(has(&udp, counter.name), (false, false));
        assert_eq!(has(&newreno, counter.name), (false, false));
        assert_eq!(sum(&cxcc.runs, counter.name), sum(&cxcc.nodes, counter.name));
    }
    assert!(sum(&cxcc.runs, "retransmissions_early_timeout") > 0);
}

/// UDP with frames of a class of its own that counts what it hears; no crate of ours knows it.
static OUTSIDE: Scheme = Scheme {
    name: "outside",
    title: "Outside",
    words: &[],
    headers: &[],
    counters: &[
        Counter {
            name: "frames_heard",
            unit: "frames",
            about: "frames that were addressed to the node",
            counts: Counts::Events(EventKind::ExplicitAcknowledgment),
        },
        Counter {
            name: "never",
            unit: "",
            about: "what never happens",
            counts: Counts::Events(EventKind::Timeout),
        },
    ],
    hop: &|params| Box::new(Outside(Fifo::new(params))),
    ..udp::SCHEME
};

struct Outside(Fifo);

impl Hop for Outside {
    fn promiscuous(&self) -> bool {
        false
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.0.on_enqueue(cx, packet, next);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        cx.trace(EventKind::ExplicitAcknowledgment, rx.packet.flow, 0, rx.packet.tag);
        self.0.on_heard(cx, rx)
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        self.0.poll_transmit(cx)
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        self.0.on_tx_done(cx, done)
    }

    fn backlog(&self) -> usize {
        self.0.backlog()
    }

    fn frame_class(&self, _packet: &Packet) -> FrameClass {
        FrameClass::Control
    }
}

#[test]
fn a_scheme_from_outside_has_classes_and_counters() {
    let [_, wired, ..] = scenarios();
    let wired = Setup { scheme: &OUTSIDE, ..wired };
    let tables = run(wired, Options { trace: true, ..Options::default() });
    let events = tables.events.as_ref().expect("the run was traced");
    let heard =
        labels(events, "event").iter().filter(|event| **event == "explicit_acknowledgment").count();
    assert!(heard > 100);
    let heard = i64::try_from(heard).expect("few enough events to count");
    assert_eq!(sum(&tables.runs, "frames_heard"), heard);
    assert_eq!(sum(&tables.nodes, "frames_heard"), heard);
    assert_eq!(sum(&tables.nodes, "never"), 0);
    assert!(labels(events, "frame").iter().all(|frame| ["", "control"].contains(frame)));
    assert_eq!(sum(&tables.nodes, "data_frames"), 0);
    assert_eq!(sum(&tables.nodes, "control_frames"), sum(&tables.runs, "transmissions"));
}

/// Every cause has its column, in the order of the table of causes, and traces name it alike.
#[test]
fn losses_have_the_columns_of_their_causes() {
    let [_, wired, ..] = scenarios();
    let tables = run(wired, Options { trace: true, ..Options::default() });
    let lost = tables.flows.iter().map(|(name, _)| *name).filter(|name| name.starts_with("lost_"));
    assert!(lost.eq(DropCause::COMMON.iter().map(|cause| cause.column())));
    let events = tables.events.as_ref().expect("the run was traced");
    let (kinds, causes) = (labels(events, "event"), labels(events, "cause"));
    let drops: Vec<&str> =
        (0..kinds.len()).filter(|at| kinds[*at] == "drop").map(|at| causes[at]).collect();
    assert!(!drops.is_empty());
    for cause in drops {
        assert!(sum(&tables.flows, &format!("lost_{cause}")) > 0, "{cause}");
    }
}

/// A scheme's counter names a cause in the words of the host.
#[test]
fn counters_name_causes_that_the_host_knows() {
    let known: Vec<&str> = RetransmissionReason::ALL.iter().map(|reason| reason.name()).collect();
    let counters = multihop_schemes::SCHEMES.iter().flat_map(|scheme| scheme.counters);
    let causes: Vec<&str> = counters
        .filter_map(|counter| match counter.counts {
            Counts::EventsFor(EventKind::Retransmission, cause) => Some(cause),
            _ => None,
        })
        .collect();
    assert!(!causes.is_empty());
    assert!(causes.iter().all(|cause| known.contains(cause)), "{causes:?}");
}
