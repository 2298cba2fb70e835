//! ns-3 as a host: nodes, sources and books are multihop's, MAC, channel and clock are ns-3's.
//!
//! ```text
//! scenario --multihop_open--> run --multihop_order--> ns-3's Wi-Fi
//!                                 <--multihop_began, multihop_heard, multihop_ended--
//!                                 --multihop_results--> tables, as JSON
//!
//! abi     what C calls (cpp/multihop.h)
//! radio   what ns-3's 802.11b has to be like
//! tables  tables as JSON
//!
//! cpp/network.{h,cc}   between that and the devices of an ns-3 simulation: for scripts of one's own
//! cpp/main.cc          multihop-ns3: a scenario on ns-3's 802.11b
//! ```

mod abi;
mod radio;
mod tables;

pub use abi::*;
pub use radio::{MultihopPropagation, MultihopRadio, radio};
pub use tables::json;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
