//! The parameters of [mac] with LoRa.

use multihop_core::{
    Alternative, Bytes, Choice, Count, Dimension, Duration, Measure, Number, Param, Size, Span,
    Switch, While,
};

use super::modulation::LONGEST_FRAME;
use super::presets::{NAMES, PRESETS, Preset};

/// Which frames do harm to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interferers {
    /// All.
    All,
    /// Those that no earlier one had destroyed when they began.
    Received,
}

/// How a station comes to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// After a random number of slots.
    Slots,
    /// At once, or after a random time if the medium is busy.
    Retry,
}

/// What becomes of frames beyond the duty cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// They are dropped.
    Drop,
    /// They wait.
    Wait,
}

/// Whether symbols carry two bits less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LowDataRate {
    /// If they last 16 ms or more.
    Auto,
    /// They do.
    On,
    /// They do not.
    Off,
}

const fn level(name: &'static str, about: &'static str, default: f64) -> Measure {
    Measure { name, about, dimension: Dimension::Level, default, min: 0.0, max: 200.0 }
}

const fn signal(name: &'static str, about: &'static str, example: f64) -> Measure {
    let dimension = Dimension::Signal;
    Measure { name, about, dimension, default: example, min: -200.0, max: 100.0 }
}

const fn symbols(name: &'static str, about: &'static str, default: f64) -> Number {
    Number { name, about, unit: "symbols", default, min: 0.0, max: 65_535.0 }
}

const fn span(name: &'static str, about: &'static str, default: u64, least: u64) -> Span {
    Span {
        name,
        about,
        bare_unit: "",
        default: Duration::from_millis(default),
        min: Duration::from_millis(least),
        max: Duration::from_millis(600_000),
    }
}

pub(super) const PRESET: Choice<Preset> = Choice {
    name: "preset",
    about: "A setting of a mesh in the field: where the defaults of spreading_factor, bandwidth, coding_rate, \
            preamble, header, access, cad and over_duty_cycle come from",
    among: NAMES,
    values: PRESETS,
};

pub(super) const SPREADING_FACTOR: Count = Count {
    name: "spreading_factor",
    about: "Bits a symbol; one more doubles its length",
    unit: "",
    default: 11,
    min: 7,
    max: 12,
};

pub(super) const BANDWIDTH: Measure = Measure {
    name: "bandwidth",
    about: "Chips a second",
    dimension: Dimension::Frequency,
    default: 250e3,
    min: 7.8e3,
    max: 1.7e6,
};

pub(super) const CODING_RATE: Choice<u32> = Choice {
    name: "coding_rate",
    about: "Share of a code word that is data",
    among: &[
        Alternative { name: "4/5", about: "Five symbols a code word" },
        Alternative { name: "4/6", about: "Six" },
        Alternative { name: "4/7", about: "Seven" },
        Alternative { name: "4/8", about: "Eight" },
    ],
    values: &[5, 6, 7, 8],
};

pub(super) const LOW_DATA_RATE: Choice<LowDataRate> = Choice {
    name: "low_data_rate",
    about: "Whether symbols carry two bits less, as the radio recommends for long ones",
    among: &[
        Alternative { name: "auto", about: "If they last 16 ms or more" },
        Alternative { name: "on", about: "They do" },
        Alternative { name: "off", about: "They do not" },
    ],
    values: &[LowDataRate::Auto, LowDataRate::On, LowDataRate::Off],
};

pub(super) const PREAMBLE: Count = Count {
    name: "preamble",
    about: "Length of the preamble, without the sync word",
    unit: "symbols",
    default: 16,
    min: 6,
    max: 65_535,
};

pub(super) const HEADER: Size = Size {
    name: "header",
    about: "Bytes of a frame before the headers of the scheme: they say what the network header would, which is not on \
            the air",
    default: Bytes(7),
    min: Bytes(0),
    max: Bytes(LONGEST_FRAME.0 - 1),
};

pub(super) const NOISE_FIGURE: Measure =
    level("noise_figure", "How much noise the receiver adds to that of its bandwidth", 6.0);

pub(super) const SENSITIVITY: Measure = signal(
    "sensitivity",
    "Mean power from which frames are decoded, unless they are disturbed",
    -131.5,
);

pub(super) const INTERFERE_FROM: Measure =
    signal("interfere_from", "Power from which a frame does harm to others", -140.0);

pub(super) const CAPTURE_LOCKED: Measure = level(
    "capture_locked",
    "How much stronger than a later frame one must be to survive it, once the receiver has seen lock_symbols of it",
    6.0,
);

pub(super) const CAPTURE_UNLOCKED: Measure = level(
    "capture_unlocked",
    "How much stronger than another frame one must be to survive it before that, or to take over from it",
    6.0,
);

pub(super) const LOCK_SYMBOLS: Number = symbols(
    "lock_symbols",
    "So much of a preamble a receiver has to see before it is locked on to a frame",
    6.0,
);

pub(super) const GRACE: Number = symbols(
    "grace",
    "A frame that ends within so many symbols of a later one's preamble does no harm to it, and takes none",
    10.0,
);

pub(super) const FORGIVEN: Number = symbols(
    "forgiven_symbols",
    "Overlaps up to this length do no harm: the code repairs them",
    0.0,
);

pub(super) const INTERFERERS: Choice<Interferers> = Choice {
    name: "interferers",
    about: "Which frames do harm to later ones",
    among: &[
        Alternative { name: "all", about: "Every frame from interfere_from on" },
        Alternative {
            name: "received",
            about: "Only those that no earlier one had destroyed when they began, as in Meshtasticator",
        },
    ],
    values: &[Interferers::All, Interferers::Received],
};

pub(super) const DETECT_SYMBOLS: Number = symbols(
    "detect_symbols",
    "A frame keeps the station from sending once so much of its preamble has been received",
    6.0,
);

pub(super) const PREAMBLE_TIMEOUT: Number = Number {
    name: "preamble_timeout",
    about: "So many preambles long a frame that was destroyed when it began keeps the station from sending",
    unit: "",
    default: 2.0,
    min: 0.0,
    max: 1_000.0,
};

pub(super) const CAD: Switch = Switch {
    name: "cad",
    about: "Whether a station detects channel activity before it sends: chirps of any frame, also in its midst",
    default: true,
};

pub(super) const CAD_SYMBOLS: Number =
    symbols("cad_symbols", "How long channel activity detection takes", 2.0);

pub(super) const CAD_DELAY: Span = span(
    "cad_delay",
    "So long a frame has to be on the air before channel activity detection finds it",
    16,
    0,
);

pub(super) const CAD_FLOOR: Measure = level(
    "cad_floor",
    "How far below the sensitivity channel activity detection still finds frames",
    3.0,
);

pub(super) const CAD_MISS: Number = Number {
    name: "cad_miss",
    about: "Probability that channel activity detection misses a busy medium",
    unit: "",
    default: 0.0,
    min: 0.0,
    max: 1.0,
};

pub(super) const ENERGY_THRESHOLD: Measure = signal(
    "energy_threshold",
    "Power from which whatever is on the air keeps the station from sending",
    -110.0,
);

pub(super) const ENERGY_DELAY: Span =
    span("energy_delay", "How long the measurement of power lags behind", 0, 0);

pub(super) const ACCESS: Choice<AccessKind> = Choice {
    name: "access",
    about: "How a station comes to send",
    among: &[
        Alternative {
            name: "slots",
            about: "After a random number of slots, drawn anew when a reception ends and when the medium is busy: \
                    Meshtastic's",
        },
        Alternative {
            name: "retry",
            about: "At once; after a random time if the medium is busy, and in the end whether it is or not: MeshCore's",
        },
    ],
    values: &[AccessKind::Slots, AccessKind::Retry],
};

pub(super) const SLOT: Span = span("slot", "Slot time", 28, 1);

pub(super) const FIRST: Count = Count {
    name: "first",
    about: "Slots before those that are drawn, where the scheme asks for none",
    unit: "slots",
    default: 0,
    min: 0,
    max: 65_535,
};

pub(super) const WINDOW: Count = Count {
    name: "window",
    about: "Contention window where the scheme asks for none: 0 to one less slots are drawn",
    unit: "slots",
    default: 8,
    min: 1,
    max: 65_535,
};

pub(super) const REDRAW: Switch = Switch {
    name: "redraw_after_reception",
    about: "Whether the slots are drawn anew when a reception ends",
    default: true,
};

pub(super) const WITHDRAW_AT_ONCE: Switch = Switch {
    name: "withdraw_at_once",
    about: "Whether a frame that its node takes back leaves the station at once; off, it waits until it would have been \
            sent, as in Meshtasticator",
    default: true,
};

pub(super) const RETRY_DELAY: Span = span(
    "retry_delay",
    "A station that finds the medium busy tries again after a random multiple of this",
    120,
    1,
);

pub(super) const RETRY_MOST: Count = Count {
    name: "retry_most",
    about: "The largest multiple of retry_delay",
    unit: "",
    default: 3,
    min: 1,
    max: 1_000,
};

pub(super) const FORCE_AFTER: Span = span(
    "force_after",
    "A station that has found the medium busy for so long sends whether it is or not",
    4_000,
    0,
);

pub(super) const DUTY_CYCLE: Number = Number {
    name: "duty_cycle",
    about: "Share of duty_window in which a station may transmit",
    unit: "",
    default: 1.0,
    min: 1e-6,
    max: 1.0,
};

pub(super) const DUTY_WINDOW: Span = Span {
    name: "duty_window",
    about: "The time over which the duty cycle counts",
    bare_unit: "",
    default: Duration::from_millis(3_600_000),
    min: Duration::from_millis(1_000),
    max: Duration::from_millis(24 * 3_600_000),
};

pub(super) const OVER_DUTY_CYCLE: Choice<Beyond> = Choice {
    name: "over_duty_cycle",
    about: "What becomes of frames beyond the duty cycle",
    among: &[
        Alternative {
            name: "drop",
            about: "They are dropped while the transmissions of the last duty_window exceed it: Meshtastic's",
        },
        Alternative {
            name: "wait",
            about: "They wait until a bucket, which fills at this rate, has half of the longest frame: MeshCore's",
        },
    ],
    values: &[Beyond::Drop, Beyond::Wait],
};

/// All of them.
pub(super) const PARAMS: &[Param] = &[
    PRESET.param(),
    SPREADING_FACTOR.param().or("the preset's"),
    BANDWIDTH.param().or("the preset's"),
    CODING_RATE.param().or("the preset's"),
    LOW_DATA_RATE.param(),
    PREAMBLE.param().or("16, of MeshCore's presets 32 up to SF 8"),
    HEADER.param().or("\"7 B\" (Meshtastic's presets), \"0 B\" (MeshCore's)"),
    NOISE_FIGURE.param().replacing(&[
        "radio.receive_range",
        "radio.sense_range",
        "radio.receive_threshold",
        "radio.sense_threshold",
    ]),
    SENSITIVITY.param().or("the noise, and what the spreading factor needs above it"),
    INTERFERE_FROM.param().or("sensitivity"),
    CAPTURE_LOCKED.param().replacing(&[
        "radio.capture_ratio",
        "radio.reception",
        "radio.interference",
    ]),
    CAPTURE_UNLOCKED.param(),
    LOCK_SYMBOLS.param(),
    GRACE.param().or("the preamble less lock_symbols"),
    FORGIVEN.param(),
    INTERFERERS.param(),
    DETECT_SYMBOLS.param().or("lock_symbols"),
    PREAMBLE_TIMEOUT.param(),
    CAD.param().or("true (Meshtastic's presets), false (MeshCore's)"),
    CAD_SYMBOLS.param().only_while("cad", While::Switch(true)),
    CAD_DELAY.param().or("cad_symbols").only_while("cad", While::Switch(true)),
    CAD_FLOOR.param().only_while("cad", While::Switch(true)),
    CAD_MISS.param().only_while("cad", While::Switch(true)),
    ENERGY_THRESHOLD.param().or("no measurement"),
    ENERGY_DELAY.param().only_while("energy_threshold", While::Given),
    ACCESS.param().or("\"slots\" (Meshtastic's presets), \"retry\" (MeshCore's)"),
    SLOT.param()
        .or("2.5 symbols and 7.6 ms, in whole ms")
        .only_while("access", While::Choice("slots")),
    FIRST.param().only_while("access", While::Choice("slots")),
    WINDOW.param().only_while("access", While::Choice("slots")),
    REDRAW.param().only_while("access", While::Choice("slots")),
    WITHDRAW_AT_ONCE.param().only_while("access", While::Choice("slots")),
    RETRY_DELAY.param().only_while("access", While::Choice("retry")),
    RETRY_MOST.param().only_while("access", While::Choice("retry")),
    FORCE_AFTER.param().only_while("access", While::Choice("retry")),
    DUTY_CYCLE.param().or("no limit"),
    DUTY_WINDOW.param().only_while("duty_cycle", While::Given),
    OVER_DUTY_CYCLE
        .param()
        .or("\"drop\" (Meshtastic's presets), \"wait\" (MeshCore's)")
        .only_while("duty_cycle", While::Given),
];
