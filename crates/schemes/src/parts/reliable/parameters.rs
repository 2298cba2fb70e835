//! What both ends can be told.

use multihop_core::{Count, Duration, LinkTiming, Number, Param, Params, Preset, Span, Values};

use super::header::{MOST_BLOCKS, MOST_ROOM};

/// Time between two reports.
pub const EPOCH: Span = Span {
    name: "epoch",
    about: "Time between two feedbacks (confirmed by HxH 2.2); also after which a node without \
            packets is idle (reconstructed)",
    bare_unit: "s",
    default: Duration::from_millis(1_000),
    min: Duration::from_millis(10),
    max: Duration::from_millis(60_000),
};

const KAPPA: Number = Number {
    name: "kappa",
    about: "Weight of the old mean in the receiver's mean of the delay; reconstructed",
    unit: "",
    default: 0.75,
    min: 0.0,
    max: 0.999,
};

const PHI: Number = Number {
    name: "phi",
    about: "The rate grows only if the advertised one exceeds it by this share of it; \
            reconstructed",
    unit: "",
    default: 0.25,
    min: 0.0,
    max: 10.0,
};

const INCREASE_DIVISOR: Number = Number {
    name: "increase_divisor",
    about: "k: an increase takes this part of the way to the advertised rate; reconstructed",
    unit: "",
    default: 5.0,
    min: 1.0,
    max: 1_000.0,
};

const SACK_BLOCKS: Count = Count {
    name: "sack_blocks",
    about: "How many blocks beyond a gap one feedback reports at most; reconstructed",
    unit: "",
    default: 20,
    min: 1,
    max: MOST_BLOCKS as u32,
};

const SILENCE_FACTOR: Number = Number {
    name: "silence_factor",
    about: "What is left of the rate after an epoch without feedback; reconstructed",
    unit: "",
    default: 0.5,
    min: 0.01,
    max: 1.0,
};

const MISSED_EPOCHS: Count = Count {
    name: "missed_epochs",
    about: "So many epochs without feedback mean that the path is gone: probe; reconstructed",
    unit: "epochs",
    default: 3,
    min: 1,
    max: 1_000,
};

const PROBE_INTERVAL: Span = Span {
    name: "probe_interval",
    about: "How often an unanswered probe is repeated; our choice: an epoch's default",
    bare_unit: "s",
    default: Duration::from_millis(1_000),
    min: Duration::from_millis(10),
    max: Duration::from_millis(3_600_000),
};

/// RFC 6298, 2.5, of ends that try again over the whole path.
const LONGEST_PAUSE: Duration = Duration::from_millis(60_000);

const LONGEST_PROBE: Span = Span {
    name: "longest_probe",
    about: "An unanswered probe is repeated ever more rarely, but after this pause at the latest; 0 s: always after \
            `probe_interval`",
    bare_unit: "",
    default: Duration::ZERO,
    min: Duration::ZERO,
    max: Duration::from_millis(3_600_000),
};

const GRACE: Number = Number {
    name: "grace",
    about: "How late a feedback may be before it counts as missing; our choice",
    unit: "epochs",
    default: 0.5,
    min: 0.0,
    max: 100.0,
};

const RECEIVE_BUFFER: Count = Count {
    name: "receive_buffer",
    about: "How far beyond a gap the receiver keeps packets; our choice: at full rate more \
            than an epoch",
    unit: "packets",
    default: 4_096,
    min: 64,
    max: MOST_ROOM as u32,
};

/// The parameters of both ends.
pub const ENDS: [Param; 11] = [
    EPOCH.param(),
    KAPPA.param(),
    PHI.param(),
    INCREASE_DIVISOR.param(),
    SACK_BLOCKS.param(),
    SILENCE_FACTOR.param(),
    MISSED_EPOCHS.param(),
    PROBE_INTERVAL.param(),
    LONGEST_PROBE.param().in_the_field(Preset::Span(LONGEST_PAUSE)),
    GRACE.param(),
    RECEIVE_BUFFER.param(),
];

/// The values of the parameters of both ends.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub(super) epoch: Duration,
    pub(super) kappa: f64,
    pub(super) phi: f64,
    pub(super) increase_divisor: f64,
    pub(super) sack_blocks: usize,
    pub(super) silence_factor: f64,
    pub(super) missed_epochs: u32,
    pub(super) probe_interval: Duration,
    longest_probe: Duration,
    pub(super) grace: f64,
    pub(super) receive_buffer: u16,
    pub(super) link: LinkTiming,
    /// Whether the path gives a rate; else packets go as fast as the hop admits them.
    pub(super) is_rated: bool,
}

impl Settings {
    /// Of these parameters.
    pub fn new(params: &Params) -> Self {
        Settings::of(&params.values, params.link)
    }

    fn of(params: &Values, link: LinkTiming) -> Self {
        Settings {
            epoch: params.get(EPOCH),
            kappa: params.get(KAPPA),
            phi: params.get(PHI),
            increase_divisor: params.get(INCREASE_DIVISOR),
            sack_blocks: params.get(SACK_BLOCKS) as usize,
            silence_factor: params.get(SILENCE_FACTOR),
            missed_epochs: params.get(MISSED_EPOCHS),
            probe_interval: params.get(PROBE_INTERVAL),
            longest_probe: params.get(LONGEST_PROBE),
            grace: params.get(GRACE),
            receive_buffer: params.get(RECEIVE_BUFFER) as u16,
            link,
            is_rated: true,
        }
    }

    /// Without a rate, with a report every `epoch`, and else as by default.
    ///
    /// # Panics
    /// Never: defaults are valid.
    pub fn without_rate(link: LinkTiming, epoch: Duration) -> Self {
        let defaults = Values::new(&ENDS, &[]).expect("defaults are valid");
        Settings { epoch, is_rated: false, ..Settings::of(&defaults, link) }
    }

    /// The same, but probes become rare.
    #[must_use]
    pub fn with_rare_probes(self) -> Self {
        Settings { longest_probe: LONGEST_PAUSE, ..self }
    }

    /// After how long a probe is repeated, the first of which was sent `age` ago.
    pub(super) fn probe_pause(&self, age: Duration) -> Duration {
        self.probe_interval.max(age.min(self.longest_probe))
    }
}
