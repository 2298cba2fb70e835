//! [radio], [mac] and [wired].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{BitRate, Decibel, Frequency, Length, Number, Power, Signal, Size, Span};

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

/// The 802.11 MAC of every node.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MacSection {
    /// Whose rules it keeps where ns-2 departs from the standard. Default: "ns2".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<RulesKind>,
    /// RTS/CTS before every unicast data frame. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rts_cts: Option<bool>,
    /// RTS/CTS before unicast data frames longer than this; instead of `rts_cts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rts_threshold: Option<Size>,
    /// Rate of unicast data frames. Default: "1 Mbit/s" (dsss), "54 Mbit/s" (ofdm, erp-mixed).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data_rate: Option<BitRate>,
    /// Rate of control frames and broadcasts. Default: "1 Mbit/s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) basic_rate: Option<BitRate>,
    /// Where the defaults of slot, sifs, preamble, `cw_min`, `cw_max` come from. Default: "dsss".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timing: Option<Timing>,
    /// Slot time. Default: "20 us" (dsss, erp-mixed), "9 us" (ofdm).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) slot: Option<Span>,
    /// Short interframe space. Default: "10 us" (dsss, ofdm), "16 us" (erp-mixed).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sifs: Option<Span>,
    /// Preamble and PLCP header before every frame. Default: "192 us" (dsss), "26 us" (ofdm),
    /// "120 us" (erp-mixed).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) preamble: Option<Span>,
    /// So many bytes more of preamble before data frames, at their rate; not before control frames of a
    /// scheme, and not before RTS, CTS and link acknowledgments. Nobody reads them. Default: "0 B".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "200 B")]
    pub(crate) data_preamble: Option<Size>,
    /// Smallest contention window in slots. Default: 31 (dsss, erp-mixed), 15 (ofdm).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65_535))]
    pub(crate) cw_min: Option<u32>,
    /// Largest contention window in slots. Default: 1023.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65_535))]
    pub(crate) cw_max: Option<u32>,
    /// Attempts for RTS, and for data frames without RTS. Default: 7.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub(crate) short_retry_limit: Option<u32>,
    /// Attempts for data frames with RTS. Default: 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub(crate) long_retry_limit: Option<u32>,
    /// MAC header and FCS of a data frame. Default: "34 B" (four addresses, as ns-2 2.35 counts).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) header: Option<Size>,
    /// Whether to wait EIFS after a frame that could not be decoded. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) eifs: Option<bool>,
    /// How long a packet takes from the routing to an idle MAC, and from the MAC to the routing:
    /// ns-2's `delay_` of its link layer. Default: "25 us", ns-2's, for schemes over the 802.11
    /// DCF, and "0 s" for schemes over the reduced CSMA MAC and by ns-3's rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) link_layer_delay: Option<Span>,
}

/// Whose rules a MAC keeps where ns-2 departs from the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub(crate) enum RulesKind {
    /// ns-2's, on which the papers ran.
    #[serde(rename = "ns2")]
    Ns2,
    /// The standard's: first attempts without backoff, EIFS that ends with the next good frame, answers
    /// that heed the NAV alone.
    #[serde(rename = "ieee-802.11")]
    Standard,
    /// ns-3's: the standard's, but that a frame that finds the medium idle never draws a backoff, not even if the
    /// medium becomes busy before the frame goes.
    #[serde(rename = "ns3")]
    Ns3,
}

/// A physical layer's timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Timing {
    /// 802.11b at 1, 2, 5.5 and 11 Mbit/s with the long preamble.
    Dsss,
    /// 802.11g at up to 54 Mbit/s, with the signal extension.
    Ofdm,
    /// 802.11g at up to 54 Mbit/s beside older stations: long slots, a preamble and control frames
    /// that all of them decode.
    ErpMixed,
}

/// Duplex links between neighbours, instead of [radio] and [mac].
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WiredSection {
    /// Rate of each direction. Default: "1 Mbit/s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rate: Option<BitRate>,
    /// Propagation delay. Default: "1 ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) delay: Option<Span>,
    /// Packets that a link's queue holds, the one being sent included. Default: 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub(crate) queue: Option<u32>,
    /// Nodes at most this far apart are linked. Default: "250 m".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) neighbour_range: Option<Length>,
}
