//! [radio].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Decibel, Frequency, Length, Number, Power, Signal};

/// The radio of every node.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RadioSection {
    /// How power falls with distance. Default: "two-ray-ground".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) propagation: Option<PropagationKind>,
    /// Up to here frames are decoded, unless they are disturbed. Default: "250 m".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) receive_range: Option<Length>,
    /// Up to here frames are sensed, and disturb. Default: "550 m".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sense_range: Option<Length>,
    /// Power from which frames are decoded, unless they are disturbed; instead of `receive_range`,
    /// and only beside `sense_threshold`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "-82 dBm")]
    pub(crate) receive_threshold: Option<Signal>,
    /// Power from which frames are sensed, and disturb; instead of `sense_range`, and only beside
    /// `receive_threshold`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "-92 dBm")]
    pub(crate) sense_threshold: Option<Signal>,
    /// How many times stronger a frame must be than a later one to survive it. Default: 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1.0))]
    pub(crate) capture_ratio: Option<Number>,
    /// The rules of reception and capture where frames overlap. Default: "ns2".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reception: Option<ReceptionKind>,
    /// What a frame does to another one that is being received. Default: "ratio".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interference: Option<InterferenceKind>,
    /// Exponent of the power law; log-normal shadowing only. Default: 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 20.0), extend("exclusiveMinimum" = 0))]
    pub(crate) path_loss_exponent: Option<Number>,
    /// Standard deviation of the power; log-normal shadowing only. Default: "4 dB".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shadowing_deviation: Option<Decibel>,
    /// Probability that a frame is decoded (sensed) at the receive (sense) range; log-normal
    /// shadowing only. Default: 0.95.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub(crate) range_probability: Option<Number>,
    /// Probability that a bit of a decodable frame is wrong. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("exclusiveMaximum" = 1), example = 1e-6)]
    pub(crate) bit_error_rate: Option<Number>,
    /// Transmission power. Default: "0.28183815 W".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transmit_power: Option<Power>,
    /// Carrier frequency. Default: "914 MHz".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) frequency: Option<Frequency>,
    /// Height of the antennas above ground. Default: "1.5 m".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) antenna_height: Option<Length>,
    /// Who hears whom beyond `[[link]]`. Default: "silent".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unlisted: Option<UnlistedKind>,
    /// Nodes that `[[link]]` names are neighbours for fixed routes if each decodes at least this
    /// share of the other's frames. Default: 0.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0))]
    pub(crate) neighbour_delivery: Option<Number>,
}

/// Who hears whom beyond [[link]].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum UnlistedKind {
    /// Nobody: the list is complete.
    Silent,
    /// Whoever is near enough: the list says what is different.
    Propagation,
}

/// How power falls with distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PropagationKind {
    /// Friis' equation.
    FreeSpace,
    /// Friis' equation up to the crossover distance, then the fourth power.
    TwoRayGround,
    /// A power law with a normal deviation in dB, drawn for every frame and receiver.
    LogNormalShadowing,
}

/// The rules of reception and capture where frames overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReceptionKind {
    /// As in ns-2: a receiver stays with the first frame that it senses.
    Ns2,
    /// As in ns-2, but a later frame that is stronger by the capture ratio takes over.
    MessageInMessage,
    /// A receiver stays with the first frame that it can decode, as in ns-3: weaker ones are noise.
    FirstDecodable,
}

/// What a frame does to another one that is being received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum InterferenceKind {
    /// Nothing if it is weaker by `capture_ratio`; else it destroys it.
    Ratio,
    /// Bit errors of 802.11b, as in ns-3: by rate, length and signals.
    Dsss,
}
