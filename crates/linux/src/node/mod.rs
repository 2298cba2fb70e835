//! A node whose packets are those of the machine's applications.
//!
//! ```text
//! TUN --IP packet--> host --Message--> Node
//!                    host --Order--> daemon --> TUN; radio --> ether, or a network interface
//! ```

pub mod announcement;
pub mod announcer;
pub mod config;
pub mod control;
pub mod counters;
pub mod daemon;
pub mod doctor;
pub mod enrolment;
pub mod ether_port;
pub mod exposition;
pub mod flows;
pub mod gateways;
pub mod host;
pub mod keyring;
pub mod member;
pub mod membership;
pub mod memory;
pub mod network;
pub mod peers;
pub mod port;
mod radio;
pub mod report;
pub mod rights;
pub mod secrets;
mod trickle;
mod tun;
pub mod wire;
