//! What becomes of every source's packets, what its transport shows, and the tables of flows.

use multihop_core::{
    DropCause, Duration, EventKind, FlowId, NodeId, Tag, Time, TxDone, Vocabulary,
};
use multihop_medium::dcf::Settings;
use multihop_setup as setup;
use multihop_setup::Setup;
use multihop_trace::{Column, Observation, Observer, RetransmissionReason, Table};

use super::air::Air;
use super::books::{Account, Books, Delays, Interval};
use super::gauges::Gauges;
use super::messages::{Copy, Messages};
use crate::table::{floats, integers, mean, quantile, texts};

/// Not on the route.
const OFF_ROUTE: u8 = u8::MAX;

/// The books and gauges of all sources.
pub struct Flows {
    books: Books,
    /// The copies that are in no node.
    air: Air,
    /// Packets that are for several nodes, if there are any.
    pub messages: Option<Messages>,
    gauges: Vec<Gauges>,
    /// Whether an RTS announces the data of a source.
    announced: Vec<bool>,
    /// Where the packets of every source go.
    destinations: Vec<NodeId>,
    /// How many hops from its source a node is, for every source and node.
    positions: Vec<Vec<u8>>,
    /// How many hops the shortest path of every source has at the start.
    hops: Vec<u64>,
}

impl Observer for Flows {
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0030")]
    #[inline(always)]
    fn observe(&mut self, at: Time, what: &Observation) {
        match *what {
            Observation::Offer { message, .. } => self.on_offer(message.tag, at),
            Observation::Acceptance { node, tag } => {
                self.land(at);
                if let Some(messages) = &mut self.messages {
                    messages.accepted(tag, node);
                }
                let position = self.position(tag, node);
                self.books.accepted(tag, position, at);
            }
            Observation::Release { node, tag } => self.on_release(tag, node, at),
            Observation::ServiceStart { node, packet } => self.air.service_started(node, packet),
            Observation::ServiceEnd { node, done } => {
                self.air.service_ended(node, done, at);
                self.on_served(done);
            }
            Observation::WireLeft(tag) => self.books.released(tag, at),
            Observation::WireEntered(tag) => self.books.in_transit(tag),
            Observation::Delivery { node, packet } => {
                let hops = u64::from(packet.hops()) + 1;
                if !self.is_another(packet.tag, (node, hops), at) {
                    self.books.delivered(packet.tag, packet.payload.len(), hops, at);
                }
            }
            Observation::Drop { node, packet, cause } => {
                self.on_drop((node, packet.tag), cause, at);
            }
            Observation::Transmission(frame) => {
                for (_, packet) in frame.packets() {
                    self.on_sent(packet.tag, frame.from, at);
                }
            }
            Observation::Gauge { source, gauge, .. } => {
                self.gauges[source as usize].on_gauge(gauge, at);
            }
            Observation::Protocol(told) => {
                if let Some(source) = told.source {
                    self.gauges[source as usize].on_event(told.event.kind);
                }
                if told.event.kind == EventKind::DuplicateIgnored
                    && let Some(messages) = &mut self.messages
                {
                    messages.repeated(told.tag);
                }
            }
            Observation::MeasuringBegins(_) => {
                self.gauges.iter_mut().for_each(|gauges| gauges.restart(at));
            }
            Observation::End { .. } => {
                self.land(at);
                self.books.end(at);
                self.gauges.iter_mut().for_each(|gauges| gauges.hold(at));
            }
            _ => {}
        }
    }
}

/// Who reaches whom when a run begins.
pub struct Paths {
    /// The shortest path of every source; it is empty if there is none.
    pub paths: Vec<Vec<NodeId>>,
    /// The neighbours of every node.
    pub neighbours: Vec<Vec<NodeId>>,
}

impl Flows {
    /// Empty books.
    pub fn new(setup: &Setup, Paths { paths, neighbours }: &Paths) -> Self {
        let sources = setup.sources.len();
        let flows = setup.sources.iter().map(|source| source.flow);
        Flows {
            books: Books::new(sources, setup.warmup, setup.series_interval),
            air: Air::new(setup),
            messages: Messages::of(setup, neighbours),
            gauges: vec![Gauges::new(setup.series_interval); sources],
            announced: setup.sources.iter().map(|source| announced(setup, source)).collect(),
            destinations: flows.clone().map(|flow| flow.destination).collect(),
            positions: flows
                .zip(paths)
                .map(|(flow, path)| positions(flow, path, setup.nodes.len()))
                .collect(),
            hops: paths.iter().map(|path| (path.len() as u64).saturating_sub(1)).collect(),
        }
    }

    fn on_offer(&mut self, tag: Tag, at: Time) {
        self.books.offer(tag, at);
        if let Some(messages) = &mut self.messages {
            messages.offered(tag, at);
        }
    }

    /// Whether this is the first copy of a packet at `node` that another node has had before. The packet was
    /// delivered then, and this node's copy is gone now.
    #[inline]
    fn is_another(&mut self, tag: Tag, (node, hops): (NodeId, u64), at: Time) -> bool {
        let Some(messages) = &mut self.messages else { return false };
        let another = messages.delivered(tag, node, hops, at) == Copy::Another;
        if another {
            self.books.released(tag, at);
        }
        another
    }

    /// `node` lets its copy of a packet go, unless that stays on the air.
    #[inline]
    fn on_release(&mut self, tag: Tag, node: NodeId, at: Time) {
        if !self.air.takes(node, tag, at) {
            self.books.released(tag, at);
        }
    }

    /// What was on the air has come down before `now`.
    #[inline]
    fn land(&mut self, now: Time) {
        while let Some((at, tag)) = self.air.landed(now) {
            self.books.landed(tag, at);
        }
    }

    fn position(&self, tag: Tag, node: NodeId) -> u8 {
        let positions = self.positions.get(tag.source as usize);
        positions.map_or(OFF_ROUTE, |positions| positions[node.index()])
    }

    fn on_sent(&mut self, tag: Tag, node: NodeId, at: Time) {
        if let Some(messages) = &mut self.messages {
            messages.transmitted(tag);
        }
        let position = self.position(tag, node);
        if position != OFF_ROUTE {
            self.books.sent(tag, position, at);
        }
    }

    fn on_drop(&mut self, (node, tag): (NodeId, Tag), cause: DropCause, at: Time) {
        if cause == DropCause::Duplicate
            && self.destinations.get(tag.source as usize) == Some(&node)
        {
            self.books.repeated(tag);
        }
        self.books.dropped(tag, cause, at);
        if let Some(gauges) = self.gauges.get_mut(tag.source as usize) {
            gauges.on_drop(tag.is_data(), cause);
        }
    }

    fn on_served(&mut self, done: &TxDone) {
        let Tag { source, .. } = done.packet.tag;
        if done.packet.tag.is_data()
            && let Some(gauges) = self.gauges.get_mut(source as usize)
        {
            gauges.on_served(done, self.announced[source as usize]);
        }
    }

    /// Why `node` retransmits a packet.
    pub fn reason(&self, tag: Tag, node: NodeId) -> RetransmissionReason {
        self.books.reason(tag, self.position(tag, node))
    }

    /// The accounts of all sources.
    pub fn accounts(&self) -> &[Account] {
        &self.books.accounts
    }

    /// The mean age of information of the flows that have delivered something, in s; not a number if none has.
    pub fn age(&self) -> f64 {
        let ages = || {
            self.accounts().iter().map(|account| account.age.mean()).filter(|age| age.is_finite())
        };
        ages().sum::<f64>() / ages().count() as f64
    }

    /// The table of flows.
    pub fn table(&self, setup: &Setup) -> Table {
        let names = |value: fn(&FlowId) -> NodeId| {
            texts(&setup.sources, |source| setup.called(value(&source.flow)).into_owned())
        };
        let mut table = vec![
            ("flow", numbers(setup.sources.len())),
            ("name", texts(&setup.sources, |source| source.name.clone())),
            ("source", names(|flow| flow.source)),
            ("destination", names(|flow| flow.destination)),
            ("hops", integers(&self.hops, |hops| *hops)),
        ];
        let causes = causes(setup, self.accounts());
        table.extend(measured(self.accounts(), &causes, setup.end.since(setup.warmup).seconds()));
        table.push(("completion_time_s", floats(&self.completions(setup), |time| *time)));
        table.extend(whole_run(self.accounts()));
        table.extend(gauged(&self.gauges));
        table
    }

    /// How long each transfer took, in s; NaN of those that are not complete, and of sources
    /// without an end.
    fn completions(&self, setup: &Setup) -> Vec<f64> {
        let completion = |(at, account): (usize, &Account)| {
            let packets = transfer(setup, at)?;
            account.completion(packets).map(Duration::seconds)
        };
        let accounts = self.accounts().iter().enumerate();
        accounts.map(|account| completion(account).unwrap_or(f64::NAN)).collect()
    }

    /// What the table of the run says of all flows: the share of those that have delivered nothing,
    /// the share of transfers that are complete, and how long these took.
    pub fn summary(&self, setup: &Setup) -> [(&'static str, f64); 3] {
        let share = |part: usize, whole: usize| part as f64 / whole as f64;
        let tried: Vec<&Account> = self
            .accounts()
            .iter()
            .zip(&self.gauges)
            .filter(|(account, gauges)| account.is_measured() || gauges.has_tried())
            .map(|(account, _)| account)
            .collect();
        let starved = tried.iter().filter(|account| account.measured.delivered == 0).count();
        let transfers =
            (0..setup.sources.len()).filter(|at| transfer(setup, *at).is_some()).count();
        let times: Vec<f64> =
            self.completions(setup).into_iter().filter(|time| time.is_finite()).collect();
        [
            ("starved_share", share(starved, tried.len())),
            ("completed_share", share(times.len(), transfers)),
            ("completion_time_mean_s", times.iter().sum::<f64>() / times.len() as f64),
        ]
    }

    /// The table of the series.
    pub fn series(&self, setup: &Setup) -> Table {
        let interval = setup.series_interval.seconds();
        let (accounts, gauges) = (self.accounts(), &self.gauges[..]);
        let slots = |flow: usize| accounts[flow].series.len().max(gauges[flow].series.len());
        let rows: Vec<(usize, usize)> = (0..accounts.len())
            .flat_map(|flow| (0..slots(flow)).map(move |slot| (flow, slot)))
            .collect();
        let interval_of = |&(flow, slot): &(usize, usize)| {
            accounts[flow].series.get(slot).copied().unwrap_or_default()
        };
        let window = |&(flow, slot): &(usize, usize)| {
            gauges[flow].series.get(slot).map_or(f64::NAN, |(sum, time)| sum / time)
        };
        let delay = |sum: fn(&Interval) -> f64| {
            floats(&rows, |row| {
                let interval = interval_of(row);
                sum(&interval) / interval.delivered as f64
            })
        };
        vec![
            ("time_s", floats(&rows, |&(_, slot)| slot as f64 * interval)),
            ("flow", integers(&rows, |&(flow, _)| flow as u64)),
            ("delivered", integers(&rows, |row| interval_of(row).delivered)),
            ("delivered_bytes", integers(&rows, |row| interval_of(row).bytes)),
            ("network_delay_mean_s", delay(|interval| interval.network_delay)),
            ("end_to_end_delay_mean_s", delay(|interval| interval.end_to_end_delay)),
            ("window_mean", floats(&rows, window)),
        ]
    }
}

/// How many packets a source's transfer has, if it is one that ends.
fn transfer(setup: &Setup, source: usize) -> Option<u32> {
    setup.sources[source].traffic.pattern.packets()
}

/// How many hops every node is from the source of `flow`, which is the first node also where there
/// is no route at the start.
fn positions(flow: FlowId, path: &[NodeId], nodes: usize) -> Vec<u8> {
    let mut positions = vec![OFF_ROUTE; nodes];
    positions[flow.source.index()] = 0;
    for (position, node) in path.iter().enumerate() {
        positions[node.index()] = position as u8;
    }
    positions
}

/// Whether an RTS goes before the packets of `source`, as long as its own node sends them.
fn announced(setup: &Setup, source: &setup::Source) -> bool {
    let Some(mac) = Settings::of(&setup.medium) else { return false };
    let frame = mac.header + setup.packet(source);
    mac.rts_threshold.is_some_and(|threshold| frame > threshold)
}

fn numbers(count: usize) -> Column {
    Column::Integer((0..).take(count).collect())
}

/// What was measured within `seconds`.
fn measured(accounts: &[Account], causes: &[DropCause], seconds: f64) -> Table {
    let count = |value: fn(&Account) -> u64| integers(accounts, value);
    let per_packet =
        |value: fn(&Account) -> f64| floats(accounts, |a| value(a) / a.measured.delivered as f64);
    let segment_delay = |account: &Account| {
        let (sum, count) = account.measured.segment_delay;
        sum / count as f64
    };
    let mut table = vec![
        ("hops_mean", per_packet(|account| account.measured.hops as f64)),
        ("offered", count(|account| account.measured.offered)),
        ("delivered", count(|account| account.measured.delivered)),
        ("lost", count(|account| account.measured.lost())),
        ("refused", count(|account| account.measured.refused)),
        ("goodput_bit_s", floats(accounts, |a| a.measured.bytes as f64 * 8.0 / seconds)),
    ];
    table.extend(delays(accounts, NETWORK_DELAY, |delays| delays.network));
    table.extend(delays(accounts, END_TO_END_DELAY, |delays| delays.end_to_end));
    table.push(("segment_delay_mean_s", floats(accounts, segment_delay)));
    table.push(("age_mean_s", floats(accounts, |account| account.age.mean())));
    table.extend(causes.iter().map(|cause| {
        let lost = integers(accounts, |account| account.measured.lost.count(*cause));
        (cause.column(), lost)
    }));
    table
}

/// The causes of losses, each a column: those that are common, those that the parts of this run declare, and those that
/// some part has said without having declared them.
fn causes(setup: &Setup, accounts: &[Account]) -> Vec<DropCause> {
    let mut causes = DropCause::COMMON.to_vec();
    let schemes = setup.schemes();
    let of_schemes = schemes.iter().flat_map(|scheme| scheme.words);
    let declared = of_schemes.chain(setup.routing.protocol.words).chain(setup.medium.mac.words);
    let declared = declared.filter_map(|word| match word {
        Vocabulary::Cause(word) => Some(*word),
        _ => None,
    });
    let said = accounts.iter().flat_map(|account| account.measured.lost.declared());
    for cause in declared.chain(said).map(DropCause::Declared) {
        if !causes.contains(&cause) {
            causes.push(cause);
        }
    }
    causes
}

/// The columns of the network delay: mean, median, 95th percentile, maximum.
const NETWORK_DELAY: [&str; 4] =
    ["network_delay_mean_s", "network_delay_p50_s", "network_delay_p95_s", "network_delay_max_s"];
/// The columns of the end-to-end delay, likewise.
const END_TO_END_DELAY: [&str; 4] = [
    "end_to_end_delay_mean_s",
    "end_to_end_delay_p50_s",
    "end_to_end_delay_p95_s",
    "end_to_end_delay_max_s",
];

/// The columns `names` of one of the delays of every source's packets.
fn delays(accounts: &[Account], names: [&'static str; 4], which: fn(&Delays) -> f32) -> Table {
    let of = |account: &Account| account.measured.delays.iter().map(which).collect::<Vec<f32>>();
    let values: Vec<Vec<f32>> = accounts.iter().map(of).collect();
    let share = |share: f64| floats(&values, |delays| quantile(delays, share));
    let [mean_s, median_s, late_s, most_s] = names;
    vec![
        (mean_s, floats(&values, |delays| mean(delays))),
        (median_s, share(0.5)),
        (late_s, share(0.95)),
        (most_s, share(1.0)),
    ]
}

/// The books of the whole run, which balance.
fn whole_run(accounts: &[Account]) -> Table {
    let count = |value: fn(&Account) -> u64| integers(accounts, value);
    let time = |value: fn(&Account) -> Option<Time>| {
        floats(accounts, |account| value(account).map_or(f64::NAN, Time::seconds))
    };
    vec![
        ("run_offered", count(|account| account.offered)),
        ("run_delivered", count(|account| account.delivered)),
        ("run_lost", count(|account| account.lost)),
        ("run_inside", count(Account::inside)),
        ("run_duplicates", count(|account| account.duplicates)),
        ("first_offer_s", time(|account| account.first_offer)),
        ("last_delivery_s", time(|account| account.last_delivery)),
    ]
}

/// What the transports have shown.
fn gauged(gauges: &[Gauges]) -> Table {
    let count = |value: fn(&Gauges) -> u64| integers(gauges, value);
    vec![
        ("window_mean", floats(gauges, Gauges::window_mean)),
        ("window_change_mean", floats(gauges, Gauges::window_change_mean)),
        ("round_trip_mean_s", floats(gauges, Gauges::round_trip_mean)),
        ("acknowledged", count(|gauges| gauges.acknowledged)),
        ("segment_retransmissions", count(|gauges| gauges.retransmissions)),
        ("retransmission_timeouts", count(|gauges| gauges.timeouts)),
        ("control_lost", count(|gauges| gauges.control_lost)),
        ("without_route", count(|gauges| gauges.without_route)),
        ("window_reductions", count(|gauges| gauges.reductions)),
        ("mac_failures", count(|gauges| gauges.mac_failures)),
        ("rts_failures", count(|gauges| gauges.rts_failures)),
        ("copies_dropped", count(|gauges| gauges.copies_dropped)),
    ]
}
