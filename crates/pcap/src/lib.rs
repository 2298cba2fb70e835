//! A run as a capture: everything that was on the air, in the form of pcapng, with 802.11 headers and with
//! what became of it in comments (ADR 0052).
//!
//! - `capture`: the observer that writes it;
//! - `ieee80211`: frames as bytes.

mod capture;
mod ieee80211;
#[cfg(test)]
mod tests;

pub use capture::{Capture, Link};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
