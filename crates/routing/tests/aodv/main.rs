//! AODV in small networks of its own, without a MAC.

mod discovery;
mod loops;
mod maintenance;
mod messages;
mod net;
