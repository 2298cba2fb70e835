//! What a planner wants to know of a scenario, without a run: who hears whom, how long frames
//! take, and which way flows go.

use multihop_compose::fixed_routes;
use multihop_core::{Duration, FrameClass, Time};
use multihop_medium::dcf::{OWN_RATE, Profile, RuleSet, Settings};
use multihop_medium::{Channel, Signal, medium};
use multihop_routing::{FixedRoutes, Neighbours};
use multihop_setup::Setup;
use multihop_setup::{Radio, Source};
use multihop_trace::{Column, Table};

use crate::table::{floats, integers, texts};

/// The tables of a survey. Nodes and flows are named by their numbers.
pub struct Survey {
    /// The name of every node.
    pub nodes: Table,
    /// A row for each node and each other that may sense it.
    pub signals: Table,
    /// A row for each flow, with its frames.
    pub flows: Table,
    /// A row for each hop of each flow, from the source on; none if there is no way.
    pub hops: Table,
    /// One row: the times and rules that all frames share.
    pub mac: Table,
}

/// The survey of `setup` with every node where it is at `at`.
///
/// # Errors
/// If nobody shares the medium, or its MAC has no timing of 802.11: the key, and what to do.
pub fn survey(setup: &Setup, at: Time) -> Result<Survey, String> {
    let radio = setup.medium.radio().ok_or(WIRED)?;
    if !setup.channels.is_empty() {
        return Err("channel: a survey is of one channel that all nodes share; remove [[channel]]"
            .to_owned());
    }
    let mac = Settings::of(&setup.medium).ok_or_else(|| {
        format!(
            "mac.kind: a survey is made of the frames of 802.11, which \"{}\" has not; use \"dcf\" or \"csma\"",
            setup.medium.mac.name
        )
    })?;
    let mut channel = Channel::new(&setup.nodes, radio.clone(), setup.seed);
    let profile = Profile::new(mac, radio, channel.longest_delay());
    let moves = channel.is_moving();
    let signals = channel.signals(at);
    Ok(Survey {
        nodes: vec![("name", texts(&setup.nodes, |node| node.name.clone()))],
        hops: hops(setup, &signals),
        signals: signal_rows(&signals),
        flows: flow_rows(setup, &profile),
        mac: mac_row(radio, &profile, moves),
    })
}

pub(crate) const WIRED: &str =
    "wired: nobody shares a medium, so there is nothing to survey; remove [wired]";

fn signal_rows(signals: &[Signal]) -> Table {
    vec![
        ("from", integers(signals, |signal| u64::from(signal.from.0))),
        ("to", integers(signals, |signal| u64::from(signal.to.0))),
        ("power_w", floats(signals, |signal| signal.power)),
        ("sensed", floats(signals, |signal| signal.sensed)),
        ("decoded", floats(signals, |signal| signal.decoded)),
        ("neighbours", integers(signals, |signal| u64::from(signal.neighbours))),
    ]
}

/// Payload in bit/s that `source` offers; a transfer offers whatever can be carried.
fn offered(source: &Source) -> f64 {
    source.traffic.pattern.load()
}

fn flow_rows(setup: &Setup, profile: &Profile) -> Table {
    let flows = &setup.sources[..];
    let frame = |flow: &Source| profile.data_bytes(setup.packet(flow));
    let preamble = profile.extra_preamble(FrameClass::Data);
    let data = |flow: &Source| {
        profile.data(preamble + frame(flow), profile.rate(flow.flow.destination.0, OWN_RATE))
    };
    let announced = |flow: &Source| {
        profile.acknowledges(flow.flow.destination.0) && profile.needs_rts(frame(flow))
    };
    vec![
        ("name", texts(flows, |flow| flow.name.clone())),
        ("source", integers(flows, |flow| u64::from(flow.flow.source.0))),
        ("destination", integers(flows, |flow| u64::from(flow.flow.destination.0))),
        ("payload_bytes", integers(flows, |flow| u64::from(flow.traffic.payload.0))),
        ("frame_bytes", integers(flows, |flow| u64::from(frame(flow).0))),
        ("data_s", floats(flows, |flow| data(flow).seconds())),
        ("announced", integers(flows, |flow| u64::from(announced(flow)))),
        ("offered_bit_s", floats(flows, offered)),
    ]
}

/// The ways that fixed routing takes with the neighbours of that time.
fn hops(setup: &Setup, signals: &[Signal]) -> Table {
    let mut neighbours: Neighbours = vec![Vec::new(); setup.nodes.len()];
    for signal in signals.iter().filter(|signal| signal.neighbours) {
        neighbours[signal.from.index()].push(signal.to);
    }
    let routes = fixed_routes(setup, &neighbours, &*medium(setup));
    let way = |source: &Source| -> Vec<(u64, u64)> {
        let path = FixedRoutes::path(&routes, source.flow).unwrap_or_default();
        path.windows(2).map(|hop| (u64::from(hop[0].0), u64::from(hop[1].0))).collect()
    };
    let ways = (0u64..).zip(&setup.sources).map(|(at, source)| (at, way(source)));
    let rows: Vec<(u64, (u64, u64))> =
        ways.flat_map(|(at, way)| way.into_iter().map(move |hop| (at, hop))).collect();
    vec![
        ("flow", integers(&rows, |(flow, _)| *flow)),
        ("from", integers(&rows, |(_, (from, _))| *from)),
        ("to", integers(&rows, |(_, (_, to))| *to)),
    ]
}

fn mac_row(radio: &Radio, profile: &Profile, moves: bool) -> Table {
    let settings = profile.settings();
    let time = |span: Duration| Column::Float(vec![span.seconds()]);
    let flag = |on: bool| Column::Integer(vec![i64::from(on)]);
    // Where a frame goes without a backoff if the medium is idle, it may need none.
    let most = if settings.rules == RuleSet::Ns2 { settings.cw_min - 1 } else { 0 };
    let backoff = profile.slot.scaled(f64::from(most) / 2.0);
    vec![
        ("data_rate_bit_s", Column::Float(vec![settings.data_rate.0 as f64])),
        ("backoff_s", time(profile.difs + backoff)),
        ("sifs_s", time(profile.sifs)),
        ("rts_s", time(profile.rts)),
        ("cts_s", time(profile.cts)),
        ("ack_s", time(profile.ack(profile.mode(settings.data_rate)))),
        ("acknowledged", flag(settings.acknowledges)),
        ("capture_ratio", Column::Float(vec![settings.least_ratio(radio)])),
        ("moves", flag(moves)),
    ]
}
