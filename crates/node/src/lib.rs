//! One node: hop protocol, transports and routing, composed into one state machine that every
//! host drives in the same way.
//!
//! Flows come and go: the host opens and closes them ([`Input::Open`], [`Input::Close`]), and a packet of an
//! unknown one opens its other end. Whatever arrives, what a node remembers is bounded
//! ([`Node::footprint`]).
//!
//! The host's contract: [`Node::handle`] one input, drain [`Node::poll_output`], offer
//! [`Node::poll_transmit`] while the MAC is free, and sleep until [`Node::deadline`].
//! A node that [asks](Node::watches_air) is told what its radio does with its time before each other input.

mod arp;
mod ends;
mod input;
mod node;
mod spared;
#[cfg(test)]
mod tests;
mod transports;

pub use arp::{ARP_FORMAT, Addresses};
pub use input::Input;
pub use multihop_core::Effect as Output;
pub use node::{Node, Parts, Wish};
pub use transports::Transports;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
