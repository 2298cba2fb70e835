//! The form of a scenario file: its sections, its keys, and the types of their values.
//!
//! The comments of the fields are the descriptions in the published JSON Schema. Every section is
//! flat, with a `kind` where there are several, so that an error can point at one key.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::quantity::{BitRate, Coordinate, Decibel, Frequency, Length, Number, Power, Size, Span};

/// A scenario of multihop: a wireless (or wired) multihop network, the scheme under test, and the
/// traffic. Quantities are text with a unit, as in "200 m" or "1 Mbit/s".
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Name in tables and messages. Default: the kind of topology.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Fixes every random number of the run. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<u64>,
    /// Time before measuring begins. Default: "10 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) warmup: Option<Span>,
    /// Measured time after the warm-up. Default: "60 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) duration: Option<Span>,
    /// Time resolution of the series table. Default: "1 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) series_interval: Option<Span>,
    pub(crate) topology: Topology,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) radio: Option<RadioSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mac: Option<MacSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wired: Option<WiredSection>,
    pub(crate) scheme: SchemeSection,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) traffic: Option<TrafficSection>,
    /// The nodes of an explicit topology, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) node: Vec<NodeSection>,
    /// The flows of an explicit topology, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) flow: Vec<FlowSection>,
    /// The TOML text, to find the line of a mistake.
    #[serde(skip)]
    pub(crate) text: Option<String>,
}

/// Where the nodes are.
// the keys are the file's: `topology_seed` beside `seed` would be mistaken without its prefix
#[allow(clippy::struct_field_names)]
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Topology {
    pub(crate) kind: TopologyKind,
    /// Hops from end to end of each chain; an even number for the crosses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 10)]
    pub(crate) hops: Option<u32>,
    /// Distance between neighbours of a chain or cross. Default: "200 m".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spacing: Option<Length>,
    /// Number of senders of a star.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 5)]
    pub(crate) senders: Option<u32>,
    /// Distance of a star's senders from the receiver. Default: "50 m".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) radius: Option<Length>,
    /// Number of nodes of a random topology.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2), example = 150)]
    pub(crate) nodes: Option<u32>,
    /// Width of a random topology's area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) width: Option<Length>,
    /// Height of a random topology's area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) height: Option<Length>,
    /// Number of flows between random pairs of nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 10)]
    pub(crate) flows: Option<u32>,
    /// Fewest hops between the ends of a random flow. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1), example = 3)]
    pub(crate) min_hops: Option<u32>,
    /// Fixes the random positions and pairs. Default: the scenario's seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) topology_seed: Option<u64>,
}

/// The shape of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TopologyKind {
    /// Nodes in a line, one flow from end to end.
    Chain,
    /// Nodes in a line, a flow from each end to the other.
    BidirectionalChain,
    /// Two chains that share their middle node, a flow on each.
    Cross,
    /// Two chains that share their middle node, a flow in each direction on each.
    BidirectionalCross,
    /// Senders evenly on a circle round one receiver, a flow from each.
    Star,
    /// Nodes at random places, flows between random pairs.
    Random,
    /// The nodes and flows of [[node]] and [[flow]].
    Explicit,
}

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
    /// How many times stronger a frame must be than a later one to survive it. Default: 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) capture_ratio: Option<Number>,
    /// The rules of reception and capture where frames overlap. Default: "ns2".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reception: Option<ReceptionKind>,
    /// Exponent of the power law; log-normal shadowing only. Default: 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path_loss_exponent: Option<Number>,
    /// Standard deviation of the power; log-normal shadowing only. Default: "4 dB".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shadowing_deviation: Option<Decibel>,
    /// Probability that a frame is decoded (sensed) at the receive (sense) range; log-normal
    /// shadowing only. Default: 0.95.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range_probability: Option<Number>,
    /// Probability that a bit of a decodable frame is wrong. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 1e-6)]
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
}

/// The 802.11 MAC of every node.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MacSection {
    /// RTS/CTS before every unicast data frame. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rts_cts: Option<bool>,
    /// RTS/CTS before unicast data frames longer than this; instead of `rts_cts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rts_threshold: Option<Size>,
    /// Rate of unicast data frames. Default: "1 Mbit/s"; with timing = "ofdm" "54 Mbit/s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data_rate: Option<BitRate>,
    /// Rate of control frames and broadcasts. Default: "1 Mbit/s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) basic_rate: Option<BitRate>,
    /// Where the defaults of slot, sifs, preamble, `cw_min`, `cw_max` come from. Default: "dsss".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timing: Option<Timing>,
    /// Slot time. Default: "20 us" (dsss), "9 us" (ofdm).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) slot: Option<Span>,
    /// Short interframe space. Default: "10 us".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sifs: Option<Span>,
    /// Preamble and PLCP header before every frame. Default: "192 us" (dsss), "26 us" (ofdm).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) preamble: Option<Span>,
    /// Smallest contention window in slots. Default: 31 (dsss), 15 (ofdm).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cw_min: Option<u32>,
    /// Largest contention window in slots. Default: 1023.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cw_max: Option<u32>,
    /// Attempts for RTS, and for data frames without RTS. Default: 7.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) short_retry_limit: Option<u32>,
    /// Attempts for data frames with RTS. Default: 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) long_retry_limit: Option<u32>,
    /// MAC header and FCS of a data frame. Default: "34 B" (four addresses, as ns-2 2.35 counts).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) header: Option<Size>,
    /// Whether to wait EIFS after a frame that could not be decoded. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) eifs: Option<bool>,
}

/// A physical layer's timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Timing {
    /// 802.11b at 1, 2, 5.5 and 11 Mbit/s with the long preamble.
    Dsss,
    /// 802.11g at up to 54 Mbit/s, with the signal extension.
    Ofdm,
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
    pub(crate) queue: Option<u32>,
    /// Nodes at most this far apart are linked. Default: "250 m".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) neighbour_range: Option<Length>,
}

/// The scheme under test: its name, and any of its parameters.
#[derive(Clone, Debug)]
pub(crate) struct SchemeSection {
    pub(crate) name: String,
    pub(crate) params: BTreeMap<String, ParamValue>,
}

/// A parameter's value as it stands in the file.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ParamValue {
    Switch(bool),
    Number(Number),
}

/// What the flows carry; in an explicit topology, what they carry unless they say otherwise.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrafficSection {
    /// Default: "cbr".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<TrafficKind>,
    /// Offered load of each flow, payload only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) load: Option<BitRate>,
    /// Payload of a packet. Default: "512 B".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) payload: Option<Size>,
    /// When the flow starts. Default: "1 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<Span>,
    /// A flow starts up to this much later, at random. Default: "0.5 s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_jitter: Option<Span>,
    /// When the flow stops. Default: the end of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<Span>,
}

/// What a source sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TrafficKind {
    /// Constant bit rate.
    Cbr,
}

/// A node of an explicit topology.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NodeSection {
    /// Its name.
    pub(crate) name: String,
    /// Its position.
    pub(crate) x: Coordinate,
    /// Its position.
    pub(crate) y: Coordinate,
}

/// A flow of an explicit topology; what is missing is taken from [traffic].
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlowSection {
    /// Its name. Default: as in "a->b".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Name of the node where its packets come from.
    pub(crate) from: String,
    /// Name of the node where they go.
    pub(crate) to: String,
    /// Default: "cbr".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<TrafficKind>,
    /// Offered load, payload only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) load: Option<BitRate>,
    /// Payload of a packet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) payload: Option<Size>,
    /// When it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<Span>,
    /// It starts up to this much later, at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_jitter: Option<Span>,
    /// When it stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<Span>,
}

impl Scenario {
    /// The scenario as JSON: what was given and nothing else, so that a program can change it and
    /// read it again with [`crate::from_json`].
    ///
    /// # Panics
    /// Never: every value of a scenario has a form in JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("keys are text and numbers are finite")
    }
}

impl Serialize for SchemeSection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1 + self.params.len()))?;
        map.serialize_entry("name", &self.name)?;
        for (name, value) in &self.params {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

struct SchemeVisitor;

impl<'de> Visitor<'de> for SchemeVisitor {
    type Value = SchemeSection;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table with a scheme's name and parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SchemeSection, A::Error> {
        let (mut scheme, mut params) = (None, BTreeMap::new());
        while let Some(key) = map.next_key::<String>()? {
            if key == "name" {
                scheme = Some(map.next_value()?);
            } else {
                params.insert(key, map.next_value()?);
            }
        }
        let name = scheme.ok_or_else(|| A::Error::missing_field("name"))?;
        Ok(SchemeSection { name, params })
    }
}

impl<'de> Deserialize<'de> for SchemeSection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SchemeVisitor)
    }
}

struct ParamVisitor;

impl Visitor<'_> for ParamVisitor {
    type Value = ParamValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false or a plain number")
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<ParamValue, E> {
        Ok(ParamValue::Switch(on))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<ParamValue, E> {
        Ok(ParamValue::Number(Number(number as f64)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<ParamValue, E> {
        Ok(ParamValue::Number(Number(number as f64)))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<ParamValue, E> {
        Number::finite(number).map(ParamValue::Number)
    }
}

impl<'de> Deserialize<'de> for ParamValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParamVisitor)
    }
}
