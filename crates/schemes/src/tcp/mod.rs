//! The variants of TCP: a file each, with its congestion control and its `SCHEME`, over the machinery of
//! [`crate::parts::tcp`].

pub mod adtcp;
pub mod ap;
pub mod newreno;
pub mod reno;
pub mod sack;
pub mod scoreboard;
pub mod tahoe;
pub mod vegas;
