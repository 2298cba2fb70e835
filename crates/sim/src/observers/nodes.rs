//! What is counted at every node, and the table of nodes.

use multihop_core::{
    Counter, Duration, EventKind, FrameClass, LossCause, NodeId, RadioTotals, Time, Transmission,
};
use multihop_setup::{Fitting, Setup};
use multihop_trace::{Observation, Observer, ProtocolEvent, Reach, RetransmissionReason, Table};

use crate::table::{floats, integers, texts};

/// What was counted at one node within the measuring time.
#[derive(Clone, Debug, Default)]
struct NodeCount {
    /// MAC bytes that it put on the medium, preambles not counted.
    medium_bytes: u64,
    /// Frames that carried somebody's payload.
    data_frames: u64,
    /// Packets of those that carried several (A-MPDU), and how many such frames there were.
    joined: (u64, u64),
    /// All other frames.
    control_frames: u64,
    /// Packets that the MAC has finished with.
    served: u64,
    /// The sum of their staying times.
    service_time: Duration,
    /// How often the MAC had to try again.
    retries: u64,
    /// Links that routing took for broken.
    link_failures: u64,
    /// Those of them whose other end was in range.
    false_link_failures: u64,
    /// Packets marked: congestion experienced.
    marks: u64,
    /// What its radio had counted when measuring began.
    before: RadioTotals,
    /// What its radio has counted in the end.
    after: RadioTotals,
}

impl NodeCount {
    fn transmitted(&mut self, frame: &Transmission) {
        self.medium_bytes += u64::from(frame.bytes.0);
        if frame.class == FrameClass::Data {
            self.data_frames += 1;
        } else {
            self.control_frames += 1;
        }
        let joined = frame.joined().len() as u64;
        if joined > 0 {
            self.joined.0 += joined + 1;
            self.joined.1 += 1;
        }
    }

    fn served(&mut self, staying: Duration, retries: u32) {
        self.served += 1;
        self.service_time += staying;
        self.retries += u64::from(retries);
    }

    fn link_broken(&mut self, reach: Reach) {
        self.link_failures += 1;
        self.false_link_failures += u64::from(reach == Reach::InRange);
    }

    fn lost(&self, cause: LossCause) -> u64 {
        self.after.losses.count(cause) - self.before.losses.count(cause)
    }

    fn transmit_time(&self) -> f64 {
        self.after.transmitting.saturating_sub(self.before.transmitting).seconds()
    }

    fn receive_time(&self) -> f64 {
        self.after.receiving.saturating_sub(self.before.receiving).seconds()
    }
}

/// What is counted at every node.
pub struct Nodes {
    counts: Vec<NodeCount>,
    /// What the schemes count themselves.
    counters: Vec<Counter>,
    /// For every node, these counters.
    counted: Vec<u64>,
    measure_from: Time,
}

impl Observer for Nodes {
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0030")]
    #[inline(always)]
    fn observe(&mut self, at: Time, what: &Observation) {
        match *what {
            Observation::MeasuringBegins(radios) => {
                for (count, radio) in self.counts.iter_mut().zip(radios) {
                    count.before = *radio;
                }
            }
            Observation::End { radios, .. } => {
                for (count, radio) in self.counts.iter_mut().zip(radios) {
                    count.after = *radio;
                }
            }
            _ if at < self.measure_from => {}
            Observation::Transmission(frame) => {
                self.counts[frame.from.index()].transmitted(&frame);
            }
            Observation::ServiceEnd { node, done } => {
                self.counts[node.index()].served(done.service, done.retries);
            }
            Observation::LinkBroken { node, reach, .. } => {
                self.counts[node.index()].link_broken(reach);
            }
            Observation::Protocol(told) => self.on_event(told),
            _ => {}
        }
    }
}

/// In what the nodes differ, where they do.
fn differing(setup: &Setup) -> Table {
    let nodes = &setup.nodes[..];
    let mut table = Vec::new();
    if nodes.iter().any(|node| node.own.role.is_some()) {
        table.push(("role", texts(nodes, |node| node.own.role.clone().unwrap_or_default())));
    }
    if nodes.iter().any(|node| node.own.scheme.is_some()) {
        let numbers: Vec<NodeId> = (0..nodes.len() as u32).map(NodeId).collect();
        let name = |number: &NodeId| setup.scheme_of(*number).name.to_owned();
        table.push(("node_scheme", texts(&numbers, name)));
    }
    if let Some(radio) = setup.medium.radio()
        && nodes.iter().any(|node| node.own.fitting.is_some())
    {
        let own = |value: fn(&Fitting) -> f64| {
            floats(nodes, |node| value(&node.own.fitting.unwrap_or_else(|| radio.fitting())))
        };
        table.push(("transmit_power_w", own(|fitting| fitting.transmit_power)));
        table.push(("antenna_gain_dbi", own(|fitting| 10.0 * libm::log10(fitting.antenna_gain))));
        table.push(("antenna_height_m", own(|fitting| fitting.antenna_height)));
        let dbm = |fitting: &Fitting| 10.0 * libm::log10(fitting.sense_threshold) + 30.0;
        table.push(("sense_threshold_dbm", own(dbm)));
    }
    table
}

impl Nodes {
    /// Nothing is counted yet.
    pub fn new(setup: &Setup) -> Self {
        let nodes = setup.nodes.len();
        let mut counters: Vec<Counter> = Vec::new();
        for counter in setup.schemes().into_iter().flat_map(|scheme| scheme.counters) {
            if counters.iter().all(|known| known.name != counter.name) {
                counters.push(*counter);
            }
        }
        Nodes {
            counts: vec![NodeCount::default(); nodes],
            counted: vec![0; nodes * counters.len()],
            counters,
            measure_from: setup.warmup,
        }
    }

    fn on_event(&mut self, told: ProtocolEvent) {
        let ProtocolEvent { node, event, reason, .. } = told;
        if event.kind == EventKind::Marked {
            self.counts[node.index()].marks += 1;
        }
        let cause = reason.map(RetransmissionReason::name);
        let counted = &mut self.counted[node.index() * self.counters.len()..];
        for (count, counter) in counted.iter_mut().zip(&self.counters) {
            *count += u64::from(counter.counts.includes(event, cause));
        }
    }

    /// The MAC bytes of all.
    pub fn medium_bytes(&self) -> u64 {
        self.counts.iter().map(|count| count.medium_bytes).sum()
    }

    /// The frames of all.
    pub fn frames(&self) -> u64 {
        self.counts.iter().map(|count| count.data_frames + count.control_frames).sum()
    }

    /// The counters of the schemes, each with its count at every node.
    pub fn counters(&self) -> impl Iterator<Item = (&'static str, Vec<u64>)> {
        let all = self.counters.len();
        let count = move |place| self.counted.iter().skip(place).step_by(all).copied().collect();
        self.counters.iter().enumerate().map(move |(place, counter)| (counter.name, count(place)))
    }

    /// The mean time in s that a node has transmitted.
    pub fn transmit_time(&self) -> f64 {
        let all: f64 = self.counts.iter().map(NodeCount::transmit_time).sum();
        all / self.counts.len() as f64
    }

    /// The table of nodes.
    pub fn table(&self, setup: &Setup) -> Table {
        let seconds = setup.end.since(setup.warmup).seconds();
        let rows: Vec<usize> = (0..setup.nodes.len()).collect();
        let count = |value: fn(&NodeCount) -> u64| integers(&self.counts, value);
        let lost = |cause| integers(&self.counts, |count| count.lost(cause));
        let idle = |count: &NodeCount| seconds - count.transmit_time() - count.receive_time();
        let staying = |count: &NodeCount| count.service_time.seconds() / count.served as f64;
        let mut table = vec![
            ("node", integers(&rows, |&row| row as u64)),
            ("name", texts(&setup.nodes, |node| node.name.clone())),
            ("x_m", floats(&setup.nodes, |node| node.x)),
            ("y_m", floats(&setup.nodes, |node| node.y)),
        ];
        table.extend(differing(setup));
        table.extend([
            ("transmit_s", floats(&self.counts, NodeCount::transmit_time)),
            ("receive_s", floats(&self.counts, NodeCount::receive_time)),
            ("idle_s", floats(&self.counts, idle)),
            ("medium_bytes", count(|count| count.medium_bytes)),
            ("data_frames", count(|count| count.data_frames)),
            ("control_frames", count(|count| count.control_frames)),
            ("mac_served", count(|count| count.served)),
            ("mac_retries", count(|count| count.retries)),
            ("mac_staying_mean_s", floats(&self.counts, staying)),
            ("marked", count(|count| count.marks)),
            ("link_failures", count(|count| count.link_failures)),
            ("false_link_failures", count(|count| count.false_link_failures)),
            ("collisions", lost(LossCause::Collision)),
            ("capture_lost", lost(LossCause::CaptureLost)),
            ("bit_errors", lost(LossCause::BitError)),
        ]);
        if self.counts.iter().any(|count| count.joined.1 > 0) {
            let size = |count: &NodeCount| count.joined.0 as f64 / count.joined.1 as f64;
            table.push(("aggregates", count(|count| count.joined.1)));
            table.push(("aggregate_packets_mean", floats(&self.counts, size)));
        }
        let counters = self.counters();
        table.extend(counters.map(|(name, counts)| (name, integers(&counts, |count| *count))));
        table
    }
}
