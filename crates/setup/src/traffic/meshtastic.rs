//! What the nodes of a Meshtastic mesh send by default, and the texts of their users.
//!
//! The intervals are those of the firmware's `Default.h`, develop 77540685 (2026-07-24); how much air a message takes follows
//! from typical contents, encoded as the firmware does.

use std::sync::Arc;

use multihop_core::{
    Bytes, Count, Duration, Number, Rng, Size, Span, Switch, Time, TrafficClass, Values,
};

use super::poisson::gap;
use super::{Messages, Pattern, Stock, Terms, TrafficKind, any_flows};

/// Meshtastic's default traffic.
pub static KIND: TrafficKind = TrafficKind {
    name: "meshtastic",
    title: "Meshtastic's default traffic",
    source: "Meshtastic firmware, Default.h, develop 77540685 (2026-07-24)",
    about: "Every node sends its node information, position and telemetry to everyone, at the firmware's intervals, and \
            its user's texts at random times. Other flows of this kind send texts",
    params: &[
        LOAD_FACTOR.param(),
        TEXT_INTERVAL.param(),
        TEXT_PAYLOAD.param(),
        NODEINFO_INTERVAL.param(),
        POSITION_INTERVAL
            .param()
            .or("1 h for nodes that move, 12 h for the others and for routers"),
        TELEMETRY.param(),
        TELEMETRY_INTERVAL.param().or("1 h, and 12 h for routers"),
        ONLINE_NODES.param().or("the nodes of the scenario, at most 100"),
        STRETCH.param(),
    ],
    lacks: &["payload", "class", "route_lead"],
    hides: &[],
    files: &[],
    stock,
    make: |terms| Ok(Arc::new(pattern(terms))),
    check: any_flows,
};

/// Up to so many nodes the intervals are those of a small mesh.
const FEW_NODES: u32 = 40;

/// So many nodes does the firmware of most devices know (`MAX_NUM_NODES`).
const MOST_KNOWN: u32 = 100;

/// `IF_ROUTER`: what routers take instead of an interval of an hour.
const OF_ROUTERS: Duration = hours(12);

/// The roles whose nodes are routers.
const ROUTERS: [&str; 3] = ["router", "router_late", "repeater"];

/// A timer is late by up to this share of its interval: timers of real nodes are never in step for a day.
const LATENESS: f64 = 0.01;

const NODEINFO: &str = "nodeinfo";
const POSITION: &str = "position";
const TELEMETRIES: &str = "telemetry";
const TEXT: &str = "text";

/// The longest time between two messages: the longest that a scenario can name.
const LONGEST: Duration = Duration::from_millis(500_000_000_000);

const fn hours(hours: u64) -> Duration {
    Duration::from_millis(3_600_000 * hours)
}

const fn span(name: &'static str, about: &'static str, default: Duration) -> Span {
    Span { name, about, bare_unit: "", default, min: Duration::from_millis(1), max: LONGEST }
}

const LOAD_FACTOR: Number = Number {
    name: "load_factor",
    about: "How many times as often everything is sent",
    unit: "",
    default: 1.0,
    min: 1e-6,
    max: 1e6,
};

const TEXT_INTERVAL: Span = span(
    "text_interval",
    "Mean time between two texts of one user; they come at random times",
    hours(1),
);

const TEXT_PAYLOAD: Size = Size {
    name: "text_payload",
    about: "A text as it is encoded, beside the 16 B of the header",
    default: Bytes(40),
    min: Bytes(1),
    max: Bytes(u32::MAX),
};

const NODEINFO_INTERVAL: Span = span(
    "nodeinfo_interval",
    "Time between two pieces of node information: name, key and hardware (default_node_info_broadcast_secs)",
    hours(3),
);

const POSITION_INTERVAL: Span = span(
    "position_interval",
    "Time between two positions (default_broadcast_interval_secs)",
    hours(1),
);

const TELEMETRY: Switch = Switch {
    name: "telemetry",
    about: "Whether nodes send the state of battery and channel",
    default: true,
};

const TELEMETRY_INTERVAL: Span = span(
    "telemetry_interval",
    "Time between two of them (default_telemetry_broadcast_interval_secs)",
    hours(1),
);

const ONLINE_NODES: Count = Count {
    name: "online_nodes",
    about: "How many nodes a node knows to be online: from 40 on, intervals other than that of texts grow",
    unit: "nodes",
    default: MOST_KNOWN,
    min: 0,
    max: 100_000,
};

const STRETCH: Number = Number {
    name: "stretch",
    about: "By how much of itself an interval grows for each node above 40 (congestionScalingCoefficient): a hundredth of \
            the symbol in ms, 0.08192 for LongFast",
    unit: "",
    default: 0.08192,
    min: 0.0,
    max: 100.0,
};

/// What every node sends. The lengths are of a User with a public key, of a Position with time, altitude and satellites, and of
/// `DeviceMetrics`, each with the port's number.
fn stock(values: &Values) -> Vec<Stock> {
    let one = |name, class, bytes| Stock { name, class, payload: Bytes(bytes), key: "kind" };
    let mut all = vec![
        one(NODEINFO, TrafficClass::Announcement, 83),
        one(POSITION, TrafficClass::Report, 30),
    ];
    if values.get(TELEMETRY) {
        all.push(one(TELEMETRIES, TrafficClass::Report, 34));
    }
    let payload = values.get(TEXT_PAYLOAD);
    all.push(Stock { name: TEXT, class: TrafficClass::Text, payload, key: TEXT_PAYLOAD.name });
    all
}

fn pattern(terms: &Terms) -> Default {
    let (values, sender) = (terms.values, terms.sender);
    let of_role =
        if sender.role.is_some_and(|role| ROUTERS.contains(&role)) { OF_ROUTERS } else { hours(1) };
    let rests = if sender.moves { of_role } else { OF_ROUTERS };
    let (interval, random) = match terms.stock {
        Some(NODEINFO) => (values.get(NODEINFO_INTERVAL), false),
        Some(POSITION) => (values.given(POSITION_INTERVAL).unwrap_or(rests), false),
        Some(TELEMETRIES) => (values.given(TELEMETRY_INTERVAL).unwrap_or(of_role), false),
        _ => (values.get(TEXT_INTERVAL), true),
    };
    let known = u32::try_from(sender.nodes).unwrap_or(u32::MAX).min(MOST_KNOWN);
    let online = values.given(ONLINE_NODES).unwrap_or(known);
    let more = f64::from(online.saturating_sub(FEW_NODES));
    let stretched = if random { 1.0 } else { 1.0 + more * values.get(STRETCH) };
    let factor = stretched / values.get(LOAD_FACTOR);
    let interval = interval.scaled(factor).clamp(Duration::from_nanos(1), LONGEST);
    Default { payload: terms.payload, interval, random }
}

/// One kind of the default messages.
#[derive(Clone, Copy, Debug)]
struct Default {
    payload: Bytes,
    interval: Duration,
    /// Whether they come at random times, which know nothing of each other.
    random: bool,
}

impl Pattern for Default {
    fn messages(&self, begins: Time, mut rng: Rng) -> Option<Messages> {
        let this = *self;
        let mut next = begins;
        if !this.random {
            // The nodes of a mesh were switched on at different times.
            next += this.interval.scaled(rng.unit());
        }
        Some(Box::new(core::iter::from_fn(move || {
            if this.random {
                next += gap(this.interval, &mut rng);
                return Some((next, this.payload));
            }
            let at = next;
            next += this.interval.scaled(1.0 + LATENESS * rng.unit());
            Some((at, this.payload))
        })))
    }

    fn load(&self) -> f64 {
        self.payload.bits() as f64 / self.interval.seconds()
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{NodeId, Purpose, Value};

    use super::super::Sender;
    use super::*;

    /// The mean interval in s of a message, to these values, of a node of such a mesh.
    fn interval(stock: &'static str, given: &[(&str, Value)], sender: Sender) -> f64 {
        let given: Vec<_> =
            given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let values = Values::new(KIND.params, &given).expect("they are in bounds");
        let rng = Rng::stream(1, NodeId(0), Purpose::Size);
        let payload = Bytes(30);
        let terms = Terms {
            values: &values,
            payload,
            largest_payload: Bytes(200),
            ends: ("a", "b"),
            rng,
            stock: Some(stock),
            sender,
        };
        30.0 * 8.0 / pattern(&terms).load()
    }

    fn of(nodes: usize, role: Option<&'static str>, moves: bool) -> Sender {
        Sender { nodes, role, moves }
    }

    fn is(left: f64, right: f64) {
        assert!((left / right - 1.0).abs() < 1e-6, "{left} {right}");
    }

    /// Rule 19.
    #[test]
    fn intervals_follow_from_role_movement_and_the_number_of_nodes() {
        let hour = 3_600.0;
        for (stock, still, moving, router) in [
            ("nodeinfo", 3.0, 3.0, 3.0),
            ("position", 12.0, 1.0, 12.0),
            ("telemetry", 1.0, 1.0, 12.0),
            ("text", 1.0, 1.0, 1.0),
        ] {
            is(interval(stock, &[], of(40, None, false)), still * hour);
            is(interval(stock, &[], of(2, Some("client"), true)), moving * hour);
            is(interval(stock, &[], of(2, Some("router_late"), true)), router * hour);
            let grown = if stock == "text" { 1.0 } else { 1.0 + 60.0 * 0.08192 };
            is(interval(stock, &[], of(100, None, false)), still * hour * grown);
            is(interval(stock, &[], of(5_000, None, false)), still * hour * grown);
            let given = [("load_factor", Value::Number(4.0))];
            is(interval(stock, &given, of(10, None, false)), still * hour / 4.0);
        }
        let given = [("online_nodes", Value::Count(140)), ("stretch", Value::Number(0.01))];
        is(interval("nodeinfo", &given, of(10, None, false)), 6.0 * hour);
        let given = [("position_interval", Value::Span(hours(2)))];
        is(interval("position", &given, of(10, Some("router"), false)), 2.0 * hour);
    }

    #[test]
    fn periodic_messages_begin_anywhere_in_an_interval_and_are_late_by_a_hundredth() {
        let periodic = Default { payload: Bytes(1), interval: hours(1), random: false };
        let mut first = Vec::new();
        for node in 0..200 {
            let rng = Rng::stream(7, NodeId(node), Purpose::Jitter);
            let begins = Time::ZERO + hours(1);
            let times: Vec<Time> = periodic
                .messages(begins, rng)
                .into_iter()
                .flatten()
                .take(5)
                .map(|(at, _)| at)
                .collect();
            first.push(times[0].since(begins).seconds());
            assert!(times.windows(2).all(|pair| {
                let gap = pair[1].since(pair[0]).seconds();
                (3_600.0..=3_636.0).contains(&gap)
            }));
        }
        let mean = first.iter().sum::<f64>() / 200.0;
        assert!((1_500.0..2_100.0).contains(&mean) && first.iter().all(|at| *at < 3_600.0));
    }
}
