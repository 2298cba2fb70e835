//! What can be set, and what follows from it.

use multihop_core::{
    ByLink, Capability, ContentionClass, Count, Duration, LinkTiming, Number, Param, Params, Span,
    Switch, Value, Values, While,
};

use crate::parts::batch;
use crate::parts::probing;
use crate::parts::reliable::{RELIABLE, REPORT_INTERVAL};

const HOLD: Number = Number {
    name: "hold",
    about: "How long a packet that was received is held before it may contend: so many times of a \
            link acknowledgment with its SIFS (rule 2)",
    unit: "link acknowledgments",
    default: 2.7,
    min: 0.0,
    max: 1e3,
};

const LOOSE: Number = Number {
    name: "loose",
    about: "A packet for which its source did not have to wait is not held on its way, if so many \
            natural periods lie between it and the one before (rule 2)",
    unit: "natural periods",
    default: 1.3,
    min: 0.0,
    max: 1e6,
};

const CLEARANCE: Number = Number {
    name: "clearance",
    about: "How long a flow keeps clear after it has passed on a packet: so many forwardings for \
            each of the hops in a row that cannot send at once, but the first (rule 2)",
    unit: "forwardings",
    default: 0.88,
    min: 0.0,
    max: 100.0,
};

const REUSE: Count = Count {
    name: "reuse",
    about: "Hops in a row of which only one can send at a time (rules 2 and 3)",
    unit: "hops",
    default: 3,
    min: 1,
    max: 100,
};

const SPACING: Number = Number {
    name: "spacing",
    about: "A flow's period is so many times what it needs here (rule 3)",
    unit: "",
    default: 1.4,
    min: 0.0,
    max: 100.0,
};

const YIELDING: Number = Number {
    name: "yielding",
    about: "The weight of what other flows need here and around; 0: they do not count (rule 3)",
    unit: "",
    default: 0.5,
    min: 0.0,
    max: 100.0,
};

const THRESHOLD: Number = Number {
    name: "threshold",
    about: "The source spaces its packets if their period is at least so many natural ones (rule 3)",
    unit: "natural periods",
    default: 1.6,
    min: 0.0,
    max: 1e6,
};

const SAMPLES: Count = Count {
    name: "samples",
    about: "The service time is a mean in which a new sample weighs one in so many (rule 3)",
    unit: "samples",
    default: 50,
    min: 1,
    max: 1_000_000,
};

const WAITING: Number = Number {
    name: "waiting",
    about: "The weight of the time for which a head waits already, beside the mean (rule 3)",
    unit: "",
    default: 0.3,
    min: 0.0,
    max: 100.0,
};

const MEMORY: Span = Span {
    name: "memory",
    about: "How long it counts what a neighbour was heard to need (rule 3)",
    bare_unit: "s",
    default: Duration::from_millis(1_000),
    min: Duration::ZERO,
    max: Duration::from_millis(1_000_000),
};

const CW_MIN: Count = Count {
    name: "cw_min",
    about: "The smallest contention window of WAKE's frames (rule 1)",
    unit: "slots",
    default: 3,
    min: 1,
    max: 1_023,
};

const ATTEMPTS: Count = Count {
    name: "attempts",
    about: "How often the MAC sends a frame before it gives up (rule 4)",
    unit: "transmissions",
    default: 3,
    min: 1,
    max: 255,
};

const PAUSE: Span = Span {
    name: "pause",
    about: "The least pause after the MAC has dropped a frame; the longest is twice that (rules 1 and 4)",
    bare_unit: "ms",
    default: Duration::from_millis(5),
    min: Duration::ZERO,
    max: Duration::from_millis(10_000),
};

const PAUSE_GROWTH: Number = Number {
    name: "pause_growth",
    about: "By how much the pause grows each time that the MAC gives up the same packet, four \
            times at most (rule 4)",
    unit: "",
    default: 2.0,
    min: 1.0,
    max: 100.0,
};

const ALARM: Count = Count {
    name: "alarm",
    about: "Routing takes the link for broken after the MAC has dropped the same packet so often",
    unit: "failures",
    default: 4,
    min: 1,
    max: 1_000_000,
};

const WIDENING: Number = Number {
    name: "widening",
    about: "By how much longer the source keeps clear while that heals its path; 0: never (rule 5)",
    unit: "forwardings",
    default: 1.0,
    min: 0.0,
    max: 100.0,
};

const TRAIN: Count = Count {
    name: "train",
    about: "Packets of a train, where two flows meet; 1: no trains (rule 6)",
    unit: "packets",
    default: 10,
    min: 1,
    max: 127,
};

const TRAIN_LIMIT: Number = Number {
    name: "train_limit",
    about: "No trains if the period is longer than so many natural ones (rule 6)",
    unit: "natural periods",
    default: 4.5,
    min: 0.0,
    max: 1e6,
};

const PATIENCE: Number = Number {
    name: "patience",
    about: "How long a source waits for the next packet of a train that comes to it (rule 6)",
    unit: "natural periods",
    default: 1.8,
    min: 0.0,
    max: 100.0,
};

const VARIATION: Number = Number {
    name: "variation",
    about: "Where the signals of a neighbour deviate by so much, capture is a matter of chance (rule 8)",
    unit: "dB",
    default: 1.0,
    min: 0.0,
    max: 1e6,
};

const CHANCE_HOLD: Number = Number {
    name: "chance_hold",
    about: "The hold where capture is a matter of chance (rule 8)",
    unit: "link acknowledgments",
    default: 1.0,
    min: 0.0,
    max: 1e3,
};

const CHANCE_REUSE: Count = Count {
    name: "chance_reuse",
    about: "Hops in a row of which only one can send at a time, where capture is a matter of chance (rule 8)",
    unit: "hops",
    default: 4,
    min: 1,
    max: 100,
};

const CHANCE_SAMPLES: Count = Count {
    name: "chance_samples",
    about: "Where capture is a matter of chance, a new sample of the service time weighs one in as many \
            as there were, but at most this (rule 8)",
    unit: "samples",
    default: 200,
    min: 1,
    max: 1_000_000,
};

const STEEP: Number = Number {
    name: "steep",
    about: "Where the modulation needs frames to be so much stronger than what disturbs them, no order saves both of two \
            frames three hops apart (rule 10)",
    unit: "dB",
    default: 9.0,
    min: 0.0,
    max: 1e6,
};

/// Whether the modulation of a link is as steep as that.
fn is_steep(link: &LinkTiming, values: &Values) -> bool {
    link.needed_ratio.is_some_and(|ratio| 10.0 * libm::log10(ratio) > values.get(STEEP))
}

// What holds at steep rates (rule 10).
const STEEP_HOLD: ByLink =
    ByLink(|link, values| Value::Number(if is_steep(link, values) { 1.0 } else { HOLD.default }));
const STEEP_CW_MIN: ByLink =
    ByLink(|link, values| Value::Count(if is_steep(link, values) { 15 } else { CW_MIN.default }));
const STEEP_ATTEMPTS: ByLink =
    ByLink(|link, values| Value::Count(if is_steep(link, values) { 7 } else { ATTEMPTS.default }));

const FIRST_PACKETS: Count = Count {
    name: "first_packets",
    about: "How many packets of a flow go first after a silence of its application: other flows keep clear of them; \
            0: none (rule 9)",
    unit: "packets",
    default: 3,
    min: 0,
    max: 1_000,
};

const FIRST_CLEARANCE: Number = Number {
    name: "first_clearance",
    about: "For how many forwardings the other flows keep clear at every node that hears or passes on a packet that \
            goes first (rule 9)",
    unit: "forwardings",
    default: 4.0,
    min: 0.0,
    max: 100.0,
};

const SILENCE: Span = Span {
    name: "silence",
    about: "An application that has had nothing to send for so long was silent (rule 9)",
    bare_unit: "ms",
    default: Duration::from_millis(500),
    min: Duration::from_millis(1),
    max: Duration::from_millis(1_000_000),
};

/// Whether heads of opposite flows share a frame.
const CODING: Switch = Switch {
    name: "coding",
    about: "Whether a relay sends packets of opposite flows in one frame, of which each of two neighbours can \
            read its own, for it has sent the other one itself",
    default: false,
};

const CODING_WAIT: Span = Span {
    name: "coding_wait",
    about: "How much longer a packet that was received is held where one that could share its frame is due",
    bare_unit: "ms",
    default: Duration::from_millis(10),
    min: Duration::ZERO,
    max: Duration::from_millis(1_000),
};

const QUEUE_LIMIT: Count = Count {
    name: "queue_limit",
    about: "Packets of one flow that a relay keeps",
    unit: "packets",
    default: 49,
    min: 1,
    max: 10_000,
};

/// So many packets of a flow may have come although their sender does not know it: the window of block acknowledgments.
const MOST_IN_DOUBT: usize = 64;

/// The packets of the longest train of batches.
const LONGEST_TRAIN: u8 = 127;

pub(super) const PARAMS: [Param; 34] = [
    HOLD.param().by_link("2.7, or 1 by rule 10", STEEP_HOLD),
    LOOSE.param(),
    CLEARANCE.param(),
    REUSE.param(),
    SPACING.param(),
    YIELDING.param(),
    THRESHOLD.param(),
    SAMPLES.param(),
    WAITING.param(),
    MEMORY.param(),
    CW_MIN.param().by_link("3, or 15 by rule 10", STEEP_CW_MIN).replacing(&["mac.cw_min"]),
    ATTEMPTS.param().by_link("3, or 7 by rule 10", STEEP_ATTEMPTS).replacing(&[
        "mac.short_retry_limit",
        "mac.long_retry_limit",
        "mac.lifetime",
    ]),
    PAUSE.param(),
    PAUSE_GROWTH.param(),
    ALARM.param(),
    WIDENING.param(),
    TRAIN.param(),
    TRAIN_LIMIT.param().only_while("train", While::Above(1.0)),
    PATIENCE.param().only_while("train", While::Above(1.0)),
    VARIATION.param(),
    CHANCE_HOLD.param(),
    CHANCE_REUSE.param(),
    CHANCE_SAMPLES.param(),
    STEEP.param(),
    FIRST_PACKETS.param(),
    FIRST_CLEARANCE.param().only_while("first_packets", While::Above(0.0)),
    SILENCE.param().only_while("first_packets", While::Above(0.0)),
    QUEUE_LIMIT.param(),
    batch::SIXTEEN,
    probing::PARAM,
    CODING.param().needing(true, Capability::TwoReceivers),
    CODING_WAIT.param().only_while("coding", While::Switch(true)),
    RELIABLE.param(),
    REPORT_INTERVAL.param().only_while("reliable", While::Switch(true)),
];

/// The values of the parameters that are in force, and what the link is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub hold: Duration,
    pub loose: f64,
    pub clearance: f64,
    pub reuse: u8,
    pub spacing: f64,
    pub yielding: f64,
    pub threshold: f64,
    pub samples: u64,
    /// What `samples` grows to, as there are more.
    pub most_samples: u64,
    pub waiting: f64,
    pub memory: Duration,
    pub contention: ContentionClass,
    pub pause: Duration,
    pub pause_growth: f64,
    pub alarm: u32,
    pub widening: f64,
    pub train: u8,
    pub train_limit: f64,
    pub patience: f64,
    pub variation: f64,
    pub first_packets: u32,
    pub first_clearance: f64,
    pub silence: Duration,
    pub queue_limit: usize,
    /// How many packets of a flow share a frame at most.
    pub batch: usize,
    /// How many numbers of a flow's packets are remembered, to know those that come again.
    pub remembered: usize,
    pub coding: bool,
    pub coding_wait: Duration,
    /// What follows a data frame: SIFS and link acknowledgment.
    pub link_acknowledgment: Duration,
}

impl Settings {
    pub(super) fn new(params: &Params) -> Self {
        let batch = batch::most(params);
        Settings {
            hold: params.link.link_acknowledgment.scaled(params.get(HOLD)),
            loose: params.get(LOOSE),
            clearance: params.get(CLEARANCE),
            reuse: params.get(REUSE) as u8,
            spacing: params.get(SPACING),
            yielding: params.get(YIELDING),
            threshold: params.get(THRESHOLD),
            samples: params.get(SAMPLES).into(),
            most_samples: params.get(SAMPLES).into(),
            waiting: params.get(WAITING),
            memory: params.get(MEMORY),
            contention: ContentionClass {
                cw_min: params.get(CW_MIN),
                first: 0,
                attempts: Some(params.get(ATTEMPTS)),
            },
            pause: params.get(PAUSE),
            pause_growth: params.get(PAUSE_GROWTH),
            alarm: params.get(ALARM),
            widening: params.get(WIDENING),
            train: params.get(TRAIN).min(u8::MAX.into()) as u8,
            train_limit: params.get(TRAIN_LIMIT),
            patience: params.get(PATIENCE),
            variation: params.get(VARIATION),
            first_packets: params.get(FIRST_PACKETS),
            first_clearance: params.get(FIRST_CLEARANCE),
            silence: params.get(SILENCE),
            queue_limit: params.get(QUEUE_LIMIT) as usize,
            batch,
            remembered: if batch > 1 { MOST_IN_DOUBT } else { 1 },
            coding: params.get(CODING),
            coding_wait: params.get(CODING_WAIT),
            link_acknowledgment: params.link.link_acknowledgment,
        }
    }

    /// How many packets a train has (rule 6): so many exchanges of full batches, as far as headers can say it.
    pub(super) fn train_packets(&self) -> u8 {
        let most = if self.batch > 1 { LONGEST_TRAIN } else { self.train };
        (usize::from(self.train) * self.batch).min(most.into()) as u8
    }

    /// The same where capture is a matter of chance (rule 8).
    pub(super) fn of_chance(params: &Params) -> Self {
        let waves = Settings::new(params);
        Settings {
            hold: params.link.link_acknowledgment.scaled(params.get(CHANCE_HOLD)),
            clearance: 0.0,
            reuse: params.get(CHANCE_REUSE) as u8,
            threshold: 0.0,
            most_samples: waves.samples.max(params.get(CHANCE_SAMPLES).into()),
            widening: 0.0,
            train: 1,
            ..waves
        }
    }
}
