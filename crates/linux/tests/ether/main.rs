//! Nodes with applications in the medium of a scenario: in virtual time, and through sockets in real time.

mod applications;
mod recorded;
mod sockets;
mod virtual_time;
mod world;
