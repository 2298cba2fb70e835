//! Stations on a channel, and the channel by itself.

pub(crate) mod air;
mod capture;
mod grid;
mod links;
mod mobility;
mod neighbours;
mod outer;
mod range;
mod service;
mod switched;
