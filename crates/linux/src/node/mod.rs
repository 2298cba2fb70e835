//! A node whose packets are those of the machine's applications.
//!
//! ```text
//! TUN --IP packet--> host --Message--> Node
//!                    host --Order--> daemon --> TUN; radio --> ether, or a network interface
//! ```

pub mod config;
pub mod control;
pub mod counters;
pub mod daemon;
pub mod ether_port;
pub mod flows;
pub mod host;
pub mod member;
mod netlink;
pub mod port;
mod radio;
pub mod secrets;
mod tun;
pub mod wire;
