//! The ether: the simulator's medium and MAC, in real time, for nodes that are processes.
//!
//! ```text
//! node --message--> seqpacket --> server --switch_on, tell, step--> air --> medium
//!                                 air --lag--> how late it was
//! Ethernet --TAP--> port --message--> seqpacket, as a node
//! ```

pub mod air;
pub mod config;
pub mod lag;
pub mod message;
pub mod port;
pub mod server;
