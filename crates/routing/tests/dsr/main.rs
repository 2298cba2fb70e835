//! DSR in networks of real nodes, and its headers by themselves.

mod discovery;
mod flow_state;
mod listening;
mod maintenance;
mod malformed;
mod messages;
mod options;
mod world;
