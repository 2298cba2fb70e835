//! A node whose packets are those of the machine's applications.
//!
//! ```text
//! TUN --IP packet--> host --Message--> Node
//!                    host --Order--> daemon --> TUN, port --> ether
//! ```

pub mod config;
pub mod control;
pub mod counters;
pub mod daemon;
pub mod flows;
pub mod host;
pub mod member;
mod netlink;
pub mod port;
pub mod secrets;
mod tun;
