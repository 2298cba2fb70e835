//! [radio]: a model of propagation with its parameters, and what radios have in common.

use multihop_core::{
    Alternative, Choice, Defaults, Dimension, Length, Measure, Number, Param, Values,
};
use multihop_medium::propagation::PROPAGATIONS;
use multihop_setup::{
    Interference, LEAST_DISTANCE, Links, Propagation, PropagationModel, Radio, Reception, Unlisted,
};

use crate::error::Fault;
use crate::form::RadioPart;
use crate::thresholds::{Thresholds, thresholds};

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
    "Power from which frames are decoded, unless they are disturbed; instead of receive_range, and only beside \
     sense_threshold",
    -82.0,
);

pub(crate) const SENSE_THRESHOLD: Measure = threshold(
    "sense_threshold",
    "Power from which frames are sensed, and disturb; instead of sense_range, and only beside receive_threshold",
    -92.0,
);

const CAPTURE_RATIO: Number = Number {
    name: "capture_ratio",
    about: "How many times stronger a frame must be than a later one to survive it",
    unit: "",
    default: 10.0,
    min: 1.0,
    max: f64::INFINITY,
};

const RECEPTION: Choice<Reception> = Choice {
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

const INTERFERENCE: Choice<Interference> = Choice {
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
    ],
    values: &[Interference::Ratio, Interference::Dsss],
};

const BIT_ERROR_RATE: Number = Number {
    name: "bit_error_rate",
    about: "Probability that a bit of a decodable frame is wrong",
    unit: "",
    default: 0.0,
    min: 0.0,
    max: 0.99,
};

const TRANSMIT_POWER: Measure = Measure {
    name: "transmit_power",
    about: "Transmission power",
    dimension: Dimension::Power,
    default: 0.281_838_15,
    min: 1e-12,
    max: 1e9,
};

const FREQUENCY: Measure = Measure {
    name: "frequency",
    about: "Carrier frequency",
    dimension: Dimension::Frequency,
    default: 914e6,
    min: 1.0,
    max: 1e15,
};

const ANTENNA_HEIGHT: Length = range("antenna_height", "Height of the antennas above ground", 1.5);

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

/// What radios have in common, whatever the propagation.
const COMMON: [Param; 13] = [
    RECEIVE_RANGE.param().or("\"250 m\""),
    SENSE_RANGE.param().or("\"550 m\""),
    RECEIVE_THRESHOLD.param().or("the power at receive_range"),
    SENSE_THRESHOLD.param().or("the power at sense_range"),
    CAPTURE_RATIO.param(),
    RECEPTION.param(),
    INTERFERENCE.param(),
    BIT_ERROR_RATE.param(),
    TRANSMIT_POWER.param(),
    FREQUENCY.param(),
    ANTENNA_HEIGHT.param(),
    UNLISTED.param().or("\"silent\""),
    NEIGHBOUR_DELIVERY.param().or("0.5"),
];

/// The parameters of [radio] with this propagation.
pub(crate) fn params(model: &PropagationModel) -> Vec<Param> {
    COMMON.into_iter().chain(model.params.iter().copied()).collect()
}

impl RadioPart {
    /// The model of propagation, and the values of all parameters.
    pub(crate) fn read(&self) -> Result<(&'static PropagationModel, Values), Fault> {
        let model = self.find(PROPAGATIONS, |model| model.name)?;
        let all: Vec<_> = PROPAGATIONS.iter().map(|one| (one.name, params(one))).collect();
        let all: Vec<_> = all.iter().map(|(name, params)| (*name, params.as_slice())).collect();
        let values = self.values((model.name, &params(model)), &all, Defaults::Paper)?;
        Ok((model, values))
    }
}

/// The radio of this section.
pub(crate) fn radio(section: &RadioPart) -> Result<Radio, Fault> {
    let (model, values) = section.read()?;
    let mut radio = Radio {
        propagation: Propagation::new(model, values.of(model.params)),
        transmit_power: values.get(TRANSMIT_POWER),
        frequency: values.get(FREQUENCY),
        antenna_height: values.get(ANTENNA_HEIGHT),
        receive_threshold: 0.0,
        sense_threshold: 0.0,
        capture_ratio: values.get(CAPTURE_RATIO),
        reception: values.get(RECEPTION),
        interference: values.get(INTERFERENCE),
        bit_error_rate: values.get(BIT_ERROR_RATE),
        neighbour_range: 0.0,
        links: Links::default(),
    };
    let Thresholds { receive, sense, range } = thresholds(&values, &radio)?;
    radio.receive_threshold = receive;
    radio.sense_threshold = sense;
    radio.neighbour_range = range;
    Ok(radio)
}
