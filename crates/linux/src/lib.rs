//! Linux as a host of multihop's nodes.
//!
//! ```text
//! applications --IP--> TUN --> node::host --frames--> node::port --> ether, or a network interface
//!            `--TCP--> proxy --^
//! ```
//!
//! `ether`: the medium of a scenario, in real time; its program is `multihop-ether`.
//! `node`: a node whose packets are those of the machine's applications; its program is `multihop-node`.
//! `proxy`: connections that end at the edge of the network, for nodes with `--tcp-proxy`.
//! Time is read in `clock` only.

#![warn(clippy::print_stderr)]

pub mod bucket;
pub mod bytes;
pub mod clock;
pub mod ether;
pub mod icmp;
pub mod ip;
pub mod log;
pub mod netlink;
pub mod node;
pub mod notify;
pub mod proxy;
pub mod reactor;
pub mod roster;
pub mod scenario;
pub mod seal;
pub mod seqpacket;
pub mod signals;

/// The version of the programs. One that is built without optimisation says so: it is late on a busy machine.
pub const VERSION: &str = if cfg!(debug_assertions) {
    concat!(env!("CARGO_PKG_VERSION"), " (debug)")
} else {
    env!("CARGO_PKG_VERSION")
};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
