//! Those who watch a run. Two always do, for the tables of runs, flows and nodes; the others cost
//! one question an event if there are none (ADR 0030).

mod age;
mod air;
pub(crate) mod books;
mod congestion;
mod flows;
mod gauges;
mod ledger;
mod messages;
mod nodes;

use multihop_core::{EventKind, NodeId, Reception, Tag, Time};
use multihop_setup::Setup;
use multihop_trace::{
    Costly, EventTable, Fingerprint, Observation, Observer, ProtocolEvent, Table,
};

use crate::results::{Tables, positions};
use crate::table::{floats, integers, mean, quantile, texts};
use books::Delays;
use congestion::CongestionPotential;
use flows::Flows;
pub use flows::Paths;
use ledger::Ledger;
use nodes::Nodes;

/// Everybody who watches.
pub struct Observers<'o> {
    progress: Progress,
    flows: Flows,
    nodes: Nodes,
    congestion: Option<CongestionPotential>,
    events: Option<EventTable>,
    /// Only if nodes restart.
    ledger: Option<Ledger>,
    /// Those that the caller has brought.
    others: Vec<Box<dyn Observer + 'o>>,
    /// Whether anybody beyond the first three watches.
    watched: bool,
}

/// How the run went on: its fingerprint, and its end.
#[derive(Default)]
struct Progress {
    fingerprint: Fingerprint,
    end: Time,
    wakes: u64,
}

impl Observer for Progress {
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0030")]
    #[inline(always)]
    fn observe(&mut self, at: Time, what: &Observation) {
        match *what {
            Observation::Transmission(frame) => {
                let (node, length) = (u64::from(frame.from.0), frame.air_time.nanos());
                self.fingerprint.mix(at.nanos() ^ node << 48 ^ length << 16);
            }
            Observation::Delivery { packet, .. } => {
                self.fingerprint.mix(at.nanos() ^ u64::from(packet.tag.number) << 20);
            }
            Observation::End { wakes, .. } => (self.end, self.wakes) = (at, wakes),
            _ => {}
        }
    }
}

impl<'o> Observers<'o> {
    /// Those who watch a run of `setup`.
    pub fn new(setup: &Setup, paths: &Paths, events: Option<EventTable>) -> Self {
        let congestion =
            setup.measure_congestion.then(|| CongestionPotential::new(setup.nodes.len()));
        let ledger = (!setup.restarts.is_empty()).then(Ledger::default);
        Observers {
            progress: Progress::default(),
            flows: Flows::new(setup, paths),
            nodes: Nodes::new(setup),
            watched: congestion.is_some() || events.is_some() || ledger.is_some(),
            congestion,
            events,
            ledger,
            others: Vec::new(),
        }
    }

    /// `observer` watches, too.
    pub fn push(&mut self, observer: Box<dyn Observer + 'o>) {
        self.others.push(observer);
        self.watched = true;
    }

    /// The copies of packets that `node` has, if nodes restart in this run.
    pub fn inside(&self, node: NodeId) -> Vec<Tag> {
        self.ledger.as_ref().map_or(Vec::new(), |ledger| ledger.inside(node))
    }

    /// Whether anybody wants to be told of what costs something to find out.
    pub fn wants(&self, costly: Costly) -> bool {
        self.congestion.as_ref().is_some_and(|congestion| congestion.wants(costly))
            || self.events.as_ref().is_some_and(|events| events.wants(costly))
            || self.others.iter().any(|other| other.wants(costly))
    }

    /// Whether anybody watches beyond those of the tables of runs, flows and nodes.
    pub const fn are_watching(&self) -> bool {
        self.watched
    }

    /// Something happened.
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0030")]
    #[inline(always)]
    pub fn tell(&mut self, at: Time, what: Observation) {
        self.progress.observe(at, &what);
        self.flows.observe(at, &what);
        self.nodes.observe(at, &what);
        if self.watched {
            // by value: what nobody else looks at is never written to memory
            self.tell_others(at, what);
        }
    }

    /// A protocol did something. Who sees everything knows why it retransmits.
    pub fn tell_event(&mut self, at: Time, told: ProtocolEvent) {
        let retransmits = told.event.kind == EventKind::Retransmission;
        let reason = retransmits.then(|| self.flows.reason(told.tag, told.node));
        self.tell(at, Observation::Protocol(ProtocolEvent { reason, ..told }));
    }

    /// What has become of frames by now.
    #[cold]
    pub fn tell_receptions(&mut self, at: Time, known: &[Reception]) {
        self.tell_others(at, Observation::Receptions(known));
    }

    #[cold]
    fn tell_others(&mut self, at: Time, what: Observation) {
        let Observers { congestion, events, ledger, others, .. } = self;
        if let Some(ledger) = ledger {
            ledger.observe(at, &what);
        }
        let mut tell = |what: &Observation| {
            if let Some(events) = events {
                events.observe(at, what);
            }
            for other in others.iter_mut() {
                other.observe(at, what);
            }
        };
        tell(&what);
        let Some(congestion) = congestion else { return };
        congestion.observe(at, &what);
        if let Observation::ServiceStart { node, .. } | Observation::ServiceEnd { node, .. } = what
        {
            for (node, value) in congestion.near(node) {
                tell(&Observation::CongestionPotential { node, value });
            }
        }
    }

    /// The table of the run.
    fn run(&self, setup: &Setup) -> Table {
        let seconds = setup.end.since(setup.warmup).seconds();
        let measured = || self.flows.accounts().iter().map(|account| &account.measured);
        let delivered: u64 = measured().map(|measured| measured.bytes).sum();
        let hop_bytes: u64 = measured().map(|measured| measured.hop_bytes).sum();
        let delays = |which: fn(&Delays) -> f32| -> Vec<f32> {
            measured().flat_map(|measured| measured.delays.iter().map(which)).collect()
        };
        let network = delays(|delays| delays.network);
        let end_to_end = delays(|delays| delays.end_to_end);
        let medium_bytes = self.nodes.medium_bytes();
        let integer = |value: u64| integers(&[()], |()| value);
        let float = |value: f64| floats(&[()], |()| value);
        let text = |value: &str| texts(&[()], |()| value.to_owned());
        let mut table = vec![
            ("name", text(&setup.name)),
            ("scheme", text(setup.scheme.name)),
            ("seed", integer(setup.seed)),
            ("warmup_s", float(setup.warmup.seconds())),
            ("duration_s", float(seconds)),
            ("nodes", integer(setup.nodes.len() as u64)),
            ("flows", integer(setup.sources.len() as u64)),
            ("goodput_bit_s", float(delivered as f64 * 8.0 / seconds)),
            ("network_delay_mean_s", float(mean(&network))),
            ("network_delay_p95_s", float(quantile(&network, 0.95))),
            ("end_to_end_delay_mean_s", float(mean(&end_to_end))),
            ("end_to_end_delay_p95_s", float(quantile(&end_to_end, 0.95))),
            ("age_mean_s", float(self.flows.age())),
        ];
        table.extend(self.flows.summary(setup).map(|(name, value)| (name, float(value))));
        table.extend([
            ("medium_bytes", integer(medium_bytes)),
            ("overhead", float(medium_bytes as f64 / hop_bytes as f64)),
            ("transmissions", integer(self.nodes.frames())),
        ]);
        if let Some(messages) = &self.flows.messages {
            table.extend(messages.summary(setup));
            table.push(("transmit_share", float(self.nodes.transmit_time() / seconds)));
        }
        let counters = self.nodes.counters();
        table.extend(counters.map(|(name, counts)| (name, integer(counts.iter().sum()))));
        table.push(("fingerprint", text(&self.progress.fingerprint.to_string())));
        table.push(("events", integer(self.progress.wakes)));
        table
    }

    /// What they have written down of the run, which is over.
    pub fn tables(mut self, setup: &Setup) -> Tables {
        let end = self.progress.end;
        Tables {
            runs: self.run(setup),
            flows: self.flows.table(setup),
            nodes: self.nodes.table(setup),
            series: self.flows.series(setup),
            congestion: self.congestion.as_mut().map(|congestion| congestion.table(end)),
            positions: positions(setup, end),
            messages: self.flows.messages.as_ref().map(|messages| messages.table(setup)),
            events: self.events.map(EventTable::into_table),
            recording: None,
        }
    }
}
