//! [[link]].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Level, Number, Signal};

/// How one node hears another, whatever the distance between them: `signal`, `delivery` or both.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkSection {
    /// Name of the node that transmits; a topology names its own n0, n1, ...
    pub(crate) from: String,
    /// Name of the node that hears it.
    pub(crate) to: String,
    /// Mean power with which frames arrive: it decides whether they are decoded, sensed, and
    /// captured. Default: the weakest that is decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signal: Option<Signal>,
    /// Share of the frames that are decoded if nothing disturbs them, however long they are and
    /// whatever `signal` says. Default: `signal` decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0), example = 0.9)]
    pub(crate) delivery: Option<Number>,
    /// Standard deviation of the power with which frames arrive, drawn for each of them. Default: that of the
    /// propagation, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deviation: Option<Level>,
    /// Whether the other direction is the same. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) both_ways: Option<bool>,
}
