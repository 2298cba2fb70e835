//! Connections of applications, ended at the edge of the network and carried over the scheme (ADR 0057).
//!
//! ```text
//! application --TCP--> proxy --segments in UDP packets--> host ... host --> proxy --TCP--> server
//! ```
//!
//! - `segment`: what proxies say to each other;
//! - `stream`: bytes in order, each once, over a network that may lose packets: no file, no socket, no clock;
//! - `sockets`: the kernel's TCP on either side;
//! - `switch`: which stream belongs to which connection.

pub mod segment;
pub mod sockets;
pub mod stream;
pub mod switch;
