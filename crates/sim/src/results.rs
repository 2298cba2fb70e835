//! The tables that a run leaves behind. `multihop list columns` explains every column.

use multihop_core::{DropCause, Duration, NodeId, Time};
use multihop_medium::mac::{LossCause, Losses};
use multihop_medium::{Carrier, Transmission};
use multihop_trace::{Column, Table};

use crate::books::{Account, RetransmissionReason};
use crate::simulation::Simulation;

/// What was counted at one node within the measuring time.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeCount {
    /// MAC bytes that it put on the medium, preambles not counted.
    pub medium_bytes: u64,
    /// Frames that carried somebody's payload.
    pub data_frames: u64,
    /// All other frames.
    pub control_frames: u64,
    /// Retransmissions by [`RetransmissionReason`].
    pub retransmissions: [u64; 3],
    /// Packets that the MAC has finished with.
    pub served: u64,
    /// The sum of their staying times.
    pub service_time: Duration,
    /// How often the MAC had to try again.
    pub retries: u64,
    /// Links that routing took for broken.
    pub link_failures: u64,
    /// Those of them whose other end was in range.
    pub false_link_failures: u64,
    /// Packets marked: congestion experienced.
    pub marks: u64,
    /// Air times when measuring began.
    pub before: (Duration, Duration),
    /// Losses when measuring began.
    pub losses_before: Losses,
}

impl NodeCount {
    /// The MAC has finished with a packet.
    pub fn served(&mut self, staying: Duration, retries: u32) {
        self.served += 1;
        self.service_time += staying;
        self.retries += u64::from(retries);
    }

    /// The node puts a frame on the medium.
    pub fn transmitted(&mut self, frame: &Transmission) {
        self.medium_bytes += u64::from(frame.bytes.0);
        if frame.label == "data" {
            self.data_frames += 1;
        } else {
            self.control_frames += 1;
        }
    }
}

/// Everything that a run leaves behind.
#[derive(Clone, Debug)]
pub struct Tables {
    /// One row: the run.
    pub runs: Table,
    /// One row per traffic source.
    pub flows: Table,
    /// One row per node.
    pub nodes: Table,
    /// One row per source and interval.
    pub series: Table,
    /// One row per node and congestion potential, if that was measured.
    pub congestion: Option<Table>,
    /// Where the nodes are, if any moves: one row per node at the start of the run, and one each
    /// at the start and the end of every leg. Between two rows a node moves evenly.
    pub positions: Option<Table>,
    /// One row per event, if the run was traced.
    pub events: Option<Table>,
    /// The recording of a node, if one was asked for.
    pub recording: Option<String>,
}

/// Close a run's books.
pub(crate) fn tables(mut simulation: Simulation) -> Tables {
    let recording = simulation.take_recording();
    let (now, interval) = (simulation.now, simulation.setup.series_interval);
    simulation.gauges.iter_mut().for_each(|gauges| gauges.hold(now, interval));
    Tables {
        runs: runs(&simulation),
        flows: flows(&simulation),
        nodes: nodes(&simulation),
        series: series(&simulation),
        congestion: congestion(&mut simulation),
        positions: positions(&simulation),
        events: simulation.events.take().map(multihop_trace::EventTable::into_table),
        recording,
    }
}

fn integers<T>(rows: &[T], value: impl Fn(&T) -> u64) -> Column {
    Column::Integer(rows.iter().map(|row| value(row).cast_signed()).collect())
}

fn floats<T>(rows: &[T], value: impl Fn(&T) -> f64) -> Column {
    Column::Float(rows.iter().map(value).collect())
}

fn texts<T>(rows: &[T], value: impl Fn(&T) -> String) -> Column {
    Column::Text(rows.iter().map(value).collect())
}

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value)).sum::<f64>() / values.len() as f64
}

/// The value below which a share of `values` lies; NaN if there are none.
fn quantile(values: &[f32], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let at = libm::ceil(share * sorted.len() as f64) as usize;
    sorted.get(at.saturating_sub(1)).map_or(f64::NAN, |value| f64::from(*value))
}

fn runs(simulation: &Simulation) -> Table {
    let setup = &simulation.setup;
    let seconds = setup.end.since(setup.warmup).seconds();
    let accounts = &simulation.books.accounts;
    let counts = &simulation.counts;
    let delivered: u64 = accounts.iter().map(|account| account.measured.bytes).sum();
    let hop_bytes: u64 = accounts.iter().map(|account| account.measured.hop_bytes).sum();
    let medium_bytes: u64 = counts.iter().map(|count| count.medium_bytes).sum();
    let delays: Vec<f32> =
        accounts.iter().flat_map(|account| account.measured.delays.iter().copied()).collect();
    let retransmissions = |reason: RetransmissionReason| {
        counts.iter().map(|count| count.retransmissions[reason as usize]).sum::<u64>()
    };
    let one = [()];
    vec![
        ("name", texts(&one, |()| setup.name.clone())),
        ("scheme", texts(&one, |()| setup.scheme.name.to_owned())),
        ("seed", integers(&one, |()| setup.seed)),
        ("warmup_s", floats(&one, |()| setup.warmup.seconds())),
        ("duration_s", floats(&one, |()| seconds)),
        ("nodes", integers(&one, |()| setup.nodes.len() as u64)),
        ("flows", integers(&one, |()| setup.sources.len() as u64)),
        ("goodput_bit_s", floats(&one, |()| delivered as f64 * 8.0 / seconds)),
        ("delay_mean_s", floats(&one, |()| mean(&delays))),
        ("medium_bytes", integers(&one, |()| medium_bytes)),
        ("overhead", floats(&one, |()| medium_bytes as f64 / hop_bytes as f64)),
        ("transmissions", integers(&one, |()| simulation.transmissions)),
        (
            "retransmissions_lost_data",
            integers(&one, |()| retransmissions(RetransmissionReason::LostData)),
        ),
        (
            "retransmissions_lost_acknowledgment",
            integers(&one, |()| retransmissions(RetransmissionReason::LostAcknowledgment)),
        ),
        (
            "retransmissions_early_timeout",
            integers(&one, |()| retransmissions(RetransmissionReason::EarlyTimeout)),
        ),
        ("fingerprint", texts(&one, |()| simulation.fingerprint.to_string())),
        ("events", integers(&one, |()| simulation.steps)),
    ]
}

fn flows(simulation: &Simulation) -> Table {
    let setup = &simulation.setup;
    let seconds = setup.end.since(setup.warmup).seconds();
    let rows: Vec<usize> = (0..setup.sources.len()).collect();
    let account = |row: usize| &simulation.books.accounts[row];
    let measured = |row: usize| &account(row).measured;
    let count = |value: &dyn Fn(&Account) -> u64| integers(&rows, |&row| value(account(row)));
    let node = |id: NodeId| setup.nodes[id.index()].name.clone();
    let mut table = vec![
        ("flow", integers(&rows, |&row| row as u64)),
        ("name", texts(&rows, |&row| setup.sources[row].name.clone())),
        ("source", texts(&rows, |&row| node(setup.sources[row].flow.source))),
        ("destination", texts(&rows, |&row| node(setup.sources[row].flow.destination))),
        ("hops", integers(&rows, |&row| (simulation.paths[row].len() as u64).saturating_sub(1))),
        (
            "hops_mean",
            floats(&rows, |&row| measured(row).hops as f64 / measured(row).delivered as f64),
        ),
        ("offered", count(&|account| account.measured.offered)),
        ("refused", count(&|account| account.measured.refused)),
        ("lost", count(&|account| account.measured.lost)),
        ("delivered", count(&|account| account.measured.delivered)),
        ("goodput_bit_s", floats(&rows, |&row| measured(row).bytes as f64 * 8.0 / seconds)),
        ("delay_mean_s", floats(&rows, |&row| mean(&measured(row).delays))),
        ("delay_p50_s", floats(&rows, |&row| quantile(&measured(row).delays, 0.5))),
        ("delay_p95_s", floats(&rows, |&row| quantile(&measured(row).delays, 0.95))),
        ("delay_max_s", floats(&rows, |&row| quantile(&measured(row).delays, 1.0))),
        (
            "total_delay_mean_s",
            floats(&rows, |&row| measured(row).total_delay / measured(row).delivered as f64),
        ),
        (
            "segment_delay_mean_s",
            floats(&rows, |&row| {
                let (sum, count) = measured(row).segment_delay;
                sum / count as f64
            }),
        ),
        ("run_offered", count(&|account| account.offered)),
        ("run_delivered", count(&|account| account.delivered)),
        ("run_inside", count(&Account::inside)),
        ("run_duplicates", count(&|account| account.duplicates)),
    ];
    let lost = |cause: &DropCause| (cause.column(), count(&|account| account.lost[*cause as usize]));
    table.extend(DropCause::ALL.iter().map(lost));
    let gauges = |row: usize| &simulation.gauges[row];
    table.extend([
        ("window_mean", floats(&rows, |&row| gauges(row).window_mean())),
        ("window_change_mean", floats(&rows, |&row| gauges(row).window_change_mean())),
        ("round_trip_mean_s", floats(&rows, |&row| gauges(row).round_trip_mean())),
        ("acknowledged", integers(&rows, |&row| gauges(row).acknowledged)),
        ("segment_retransmissions", integers(&rows, |&row| gauges(row).retransmissions)),
        ("retransmission_timeouts", integers(&rows, |&row| gauges(row).timeouts)),
        ("control_lost", integers(&rows, |&row| gauges(row).control_lost)),
        ("without_route", integers(&rows, |&row| gauges(row).without_route)),
        ("window_reductions", integers(&rows, |&row| gauges(row).reductions)),
    ]);
    table
}

fn nodes(simulation: &Simulation) -> Table {
    let setup = &simulation.setup;
    let seconds = setup.end.since(setup.warmup).seconds();
    let rows: Vec<usize> = (0..setup.nodes.len()).collect();
    let counts = |row: usize| &simulation.counts[row];
    let (air, losses): (Vec<(f64, f64)>, Vec<Losses>) = match &simulation.carrier {
        Carrier::Radio(radio) => radio
            .stations
            .iter()
            .zip(&simulation.counts)
            .map(|(station, count)| {
                let (transmit, receive) = station.air_times(simulation.now);
                let transmit = transmit.saturating_sub(count.before.0).seconds();
                let receive = receive.saturating_sub(count.before.1).seconds();
                ((transmit, receive), station.losses())
            })
            .unzip(),
        Carrier::Wired(_) => (vec![(0.0, 0.0); rows.len()], vec![Losses::default(); rows.len()]),
    };
    let lost = |cause: LossCause| {
        integers(&rows, |&row| losses[row].count(cause) - counts(row).losses_before.count(cause))
    };
    let retransmissions = |reason: RetransmissionReason| {
        integers(&rows, |&row| counts(row).retransmissions[reason as usize])
    };
    vec![
        ("node", integers(&rows, |&row| row as u64)),
        ("name", texts(&rows, |&row| setup.nodes[row].name.clone())),
        ("x_m", floats(&rows, |&row| setup.nodes[row].x)),
        ("y_m", floats(&rows, |&row| setup.nodes[row].y)),
        ("transmit_s", floats(&rows, |&row| air[row].0)),
        ("receive_s", floats(&rows, |&row| air[row].1)),
        ("idle_s", floats(&rows, |&row| seconds - air[row].0 - air[row].1)),
        ("medium_bytes", integers(&rows, |&row| counts(row).medium_bytes)),
        ("data_frames", integers(&rows, |&row| counts(row).data_frames)),
        ("control_frames", integers(&rows, |&row| counts(row).control_frames)),
        ("mac_served", integers(&rows, |&row| counts(row).served)),
        ("mac_retries", integers(&rows, |&row| counts(row).retries)),
        (
            "mac_staying_mean_s",
            floats(&rows, |&row| counts(row).service_time.seconds() / counts(row).served as f64),
        ),
        ("marked", integers(&rows, |&row| counts(row).marks)),
        ("link_failures", integers(&rows, |&row| counts(row).link_failures)),
        ("false_link_failures", integers(&rows, |&row| counts(row).false_link_failures)),
        ("collisions", lost(LossCause::Collision)),
        ("capture_lost", lost(LossCause::CaptureLost)),
        ("bit_errors", lost(LossCause::BitError)),
        ("retransmissions_lost_data", retransmissions(RetransmissionReason::LostData)),
        (
            "retransmissions_lost_acknowledgment",
            retransmissions(RetransmissionReason::LostAcknowledgment),
        ),
        ("retransmissions_early_timeout", retransmissions(RetransmissionReason::EarlyTimeout)),
    ]
}

fn series(simulation: &Simulation) -> Table {
    let interval = simulation.setup.series_interval.seconds();
    let accounts = &simulation.books.accounts;
    let rows: Vec<(usize, usize)> = accounts
        .iter()
        .zip(&simulation.gauges)
        .enumerate()
        .flat_map(|(flow, (account, gauges))| {
            let slots = account.series.len().max(gauges.series.len());
            (0..slots).map(move |slot| (flow, slot))
        })
        .collect();
    let interval_of = |&(flow, slot): &(usize, usize)| {
        accounts[flow].series.get(slot).copied().unwrap_or_default()
    };
    let window = |&(flow, slot): &(usize, usize)| {
        simulation.gauges[flow].series.get(slot).map_or(f64::NAN, |(sum, time)| sum / time)
    };
    let delay = |row: &(usize, usize)| {
        let interval = interval_of(row);
        interval.delay / interval.delivered as f64
    };
    vec![
        ("time_s", floats(&rows, |&(_, slot)| slot as f64 * interval)),
        ("flow", integers(&rows, |&(flow, _)| flow as u64)),
        ("delivered", integers(&rows, |row| interval_of(row).delivered)),
        ("delivered_bytes", integers(&rows, |row| interval_of(row).bytes)),
        ("delay_mean_s", floats(&rows, delay)),
        ("window_mean", floats(&rows, window)),
    ]
}

/// For how long the congestion potential of every node had which value; node -1 is the largest of
/// all nodes.
fn congestion(simulation: &mut Simulation) -> Option<Table> {
    let rows = simulation.congestion.as_mut()?.times(simulation.now);
    let number = |node: usize| i64::try_from(node).expect("few enough nodes to simulate");
    let nodes = rows.iter().map(|(node, ..)| node.map_or(-1, number)).collect();
    Some(vec![
        ("node", Column::Integer(nodes)),
        ("congestion_potential", integers(&rows, |(_, value, _)| *value as u64)),
        ("time_s", floats(&rows, |(.., time)| time.seconds())),
    ])
}

fn positions(simulation: &Simulation) -> Option<Table> {
    if !simulation.carrier.is_moving() {
        return None;
    }
    let mut rows = Vec::new();
    for (number, node) in simulation.setup.nodes.iter().enumerate() {
        rows.push((Time::ZERO, number, (node.x, node.y)));
        for leg in node.track.legs.iter().take_while(|leg| leg.start < simulation.now) {
            rows.push((leg.start, number, leg.from));
            rows.push((leg.end, number, leg.to));
        }
    }
    Some(vec![
        ("time_s", floats(&rows, |(time, ..)| time.seconds())),
        ("node", integers(&rows, |(_, node, _)| *node as u64)),
        ("x_m", floats(&rows, |(.., place)| place.0)),
        ("y_m", floats(&rows, |(.., place)| place.1)),
    ])
}
