//! The keys of [radio] whatever the propagation.

use multihop_core::{Alternative, Choice, Dimension, Length, Measure, Number};
use multihop_setup::{ErrorModel, LEAST_DISTANCE, Reception, Unlisted};

/// What a frame does to another one, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is a matter of their ratio.
    Ratio,
    /// Bit errors of 802.11b.
    Dsss,
    /// Bit errors of OFDM.
    Ofdm,
}

const fn range(name: &'static str, about: &'static str, example: f64) -> Length {
    Length { name, about, default: example, min: LEAST_DISTANCE, max: 1e9 }
}

const fn threshold(name: &'static str, about: &'static str, example: f64) -> Measure {
    let dimension = Dimension::Signal;
    Measure { name, about, dimension, default: example, min: -300.0, max: 300.0 }
}

pub(crate) const RECEIVE_RANGE: Length =
    range("receive_range", "Up to here frames are decoded, unless they are disturbed", 250.0);

pub(crate) const SENSE_RANGE: Length =
    range("sense_range", "Up to here frames are sensed, and disturb", 550.0);

pub(crate) const RECEIVE_THRESHOLD: Measure = threshold(
    "receive_threshold",
    "Power from which frames are decoded, or with interference \"ofdm\" noticed, unless they are disturbed; instead of \
     receive_range, and beside sense_threshold",
    -82.0,
);

pub(crate) const SENSE_THRESHOLD: Measure = threshold(
    "sense_threshold",
    "Power from which frames are sensed, and disturb; instead of sense_range, and beside receive_threshold",
    -92.0,
);

pub(crate) const CAPTURE_RATIO: Number = Number {
    name: "capture_ratio",
    about: "How many times stronger a frame must be than a later one to survive it",
    unit: "",
    default: 10.0,
    min: 1.0,
    max: f64::INFINITY,
};

pub(crate) const RECEPTION: Choice<Reception> = Choice {
    name: "reception",
    about: "The rules of reception and capture where frames overlap",
    among: &[
        Alternative {
            name: "ns2",
            about: "As in ns-2: a receiver stays with the first frame that it senses",
        },
        Alternative {
            name: "message-in-message",
            about: "As in ns-2, but a later frame that is stronger by the capture ratio takes over",
        },
        Alternative {
            name: "first-decodable",
            about: "A receiver stays with the first frame that it can decode, as in ns-3: weaker ones are noise",
        },
    ],
    values: &[Reception::Ns2, Reception::MessageInMessage, Reception::FirstDecodable],
};

pub(crate) const INTERFERENCE: Choice<Kind> = Choice {
    name: "interference",
    about: "What a frame does to another one that is being received",
    among: &[
        Alternative {
            name: "ratio",
            about: "Nothing if it is weaker by capture_ratio; else it destroys it",
        },
        Alternative {
            name: "dsss",
            about: "Bit errors of 802.11b, as in ns-3: by rate, length and signals",
        },
        Alternative {
            name: "ofdm",
            about: "Bit errors of OFDM, as in ns-3: by rate, length, signals and noise",
        },
    ],
    values: &[Kind::Ratio, Kind::Dsss, Kind::Ofdm],
};

pub(crate) const ERRORS: Choice<ErrorModel> = Choice {
    name: "errors",
    about: "How often bits of OFDM are wrong",
    among: &[
        Alternative { name: "nist", about: "By the formula that NIST has published" },
        Alternative {
            name: "table",
            about: "By that formula, moved for each rate to where ns-3's TableBasedErrorRateModel is, 3 to 5 dB better",
        },
    ],
    values: &[ErrorModel::Nist, ErrorModel::Table],
};

const fn level(
    name: &'static str,
    about: &'static str,
    default: f64,
    least: f64,
    most: f64,
) -> Measure {
    Measure { name, about, dimension: Dimension::Level, default, min: least, max: most }
}

pub(crate) const ERROR_MARGIN: Measure =
    level("error_margin", "How much better receivers of OFDM are than errors says", 0.0, 0.0, 40.0);

pub(crate) const NOISE_FIGURE: Measure = level(
    "noise_figure",
    "How far the noise of receivers of OFDM is above that of 290 K over bandwidth",
    7.0,
    0.0,
    60.0,
);

pub(crate) const BANDWIDTH: Measure = Measure {
    name: "bandwidth",
    about: "Bandwidth of the noise of receivers of OFDM",
    dimension: Dimension::Frequency,
    default: 20e6,
    min: 1e6,
    max: 1e9,
};

pub(crate) const BIT_ERROR_RATE: Number = Number {
    name: "bit_error_rate",
    about: "Probability that a bit of a decodable frame is wrong",
    unit: "",
    default: 0.0,
    min: 0.0,
    max: 0.99,
};

pub(crate) const TRANSMIT_POWER: Measure = Measure {
    name: "transmit_power",
    about: "Transmission power",
    dimension: Dimension::Power,
    default: 0.281_838_15,
    min: 1e-12,
    max: 1e9,
};

pub(crate) const FREQUENCY: Measure = Measure {
    name: "frequency",
    about: "Carrier frequency",
    dimension: Dimension::Frequency,
    default: 914e6,
    min: 1.0,
    max: 1e15,
};

pub(crate) const ANTENNA_HEIGHT: Length =
    range("antenna_height", "Height of the antennas above ground", 1.5);

pub(crate) const UNLISTED: Choice<Unlisted> = Choice {
    name: "unlisted",
    about: "Who hears whom beyond [[link]]",
    among: &[
        Alternative { name: "silent", about: "Nobody: the list is complete" },
        Alternative {
            name: "propagation",
            about: "Whoever is near enough: the list says what is different",
        },
    ],
    values: &[Unlisted::Silent, Unlisted::Propagation],
};

pub(crate) const NEIGHBOUR_DELIVERY: Number = Number {
    name: "neighbour_delivery",
    about: "Nodes that [[link]] names are neighbours for fixed routes if each decodes at least this share of the \
            other's frames",
    unit: "",
    default: 0.5,
    min: 1e-6,
    max: 1.0,
};
