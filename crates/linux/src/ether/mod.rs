//! The ether: the simulator's medium and MAC, in real time, for nodes that are processes.
//!
//! ```text
//! node --message--> seqpacket --> server --switch_on, tell, step--> air --> medium
//!                                 server --lag--> how late it was
//! ```

pub mod air;
pub mod config;
pub mod lag;
pub mod message;
pub mod server;
