//! Congestion control schemes: one folder per scheme, none of which uses another, and [`parts`] that several share.

pub mod atp;
pub mod cl;
pub mod cxcc;
pub mod ezflow;
pub mod flooding;
pub mod flush;
pub mod hxh;
pub mod lecn;
pub mod link_red;
pub mod meshcore;
pub mod meshtastic;
pub mod parts;
pub mod tcp;
pub mod udp;
pub mod udp_ack;
pub mod wake;
pub mod wxcp;
pub mod xcp;

use multihop_core::{HeaderFormat, Scheme, Vocabulary};

/// Every scheme. A new one is a folder, a `mod` line, and a line here.
pub static SCHEMES: &[&Scheme] = &[
    &udp::SCHEME,
    &cxcc::SCHEME,
    &cxcc::lora::SCHEME,
    &cxcc::batches::SCHEME,
    &tcp::tahoe::SCHEME,
    &tcp::reno::SCHEME,
    &tcp::newreno::SCHEME,
    &tcp::sack::SCHEME,
    &tcp::vegas::SCHEME,
    &tcp::ap::SCHEME,
    &tcp::adtcp::SCHEME,
    &lecn::SCHEME,
    &link_red::SCHEME,
    &hxh::SCHEME,
    &atp::SCHEME,
    &xcp::SCHEME,
    &wxcp::SCHEME,
    &udp_ack::SCHEME,
    &cl::SCHEME,
    &wake::SCHEME,
    &ezflow::SCHEME,
    &flush::SCHEME,
    &flooding::SCHEME,
    &meshtastic::SCHEME,
    &meshcore::SCHEME,
];

/// The headers that they write, each once.
pub fn headers() -> Vec<&'static HeaderFormat> {
    let mut all: Vec<&HeaderFormat> = Vec::new();
    for format in SCHEMES.iter().flat_map(|scheme| scheme.headers) {
        if all.iter().all(|known| known.kind != format.kind) {
            all.push(format);
        }
    }
    all
}

/// The words that they say beside the common ones, each once.
pub fn vocabulary() -> Vec<Vocabulary> {
    let mut all = Vec::new();
    for word in SCHEMES.iter().flat_map(|scheme| scheme.words) {
        if !all.contains(word) {
            all.push(*word);
        }
    }
    all
}

/// The scheme that scenario files call `name`.
pub fn find(name: &str) -> Option<&'static Scheme> {
    SCHEMES.iter().copied().find(|scheme| scheme.name == name)
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
