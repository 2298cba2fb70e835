//! What several schemes use: each stands here once, and no scheme uses another.
//!
//! | Part | Whose |
//! |---|---|
//! | [`fifo`] | the drop-tail queue of an interface |
//! | [`stamped`] | that queue, with a router that writes into packets |
//! | [`datagram`] | a transport without header, reliability and control |
//! | [`latest`] | a source queue of one message, the newest, before any transport |
//! | [`acknowledged`] | datagrams that the destination answers |
//! | [`reliable`] | ends that number, report and repeat: ATP's |
//! | [`tcp`] | connections, segments and options of all TCPs, and `NewReno`'s control |
//! | [`explicit`] | windows that stations set: XCP's header, shares and intervals |
//! | [`timer`] | the retransmission timer of RFC 6298 |
//! | [`pacer`] | what a sender may send, and when |
//! | [`probing`] | neighbours that may have vanished |
//! | [`mean`] | exponentially weighted means |
//! | [`batch`] | packets of one flow that share a frame |
//! | [`sliding`] | sums over the last periods of time |

pub mod acknowledged;
pub mod batch;
pub mod datagram;
pub mod explicit;
pub mod fifo;
pub mod latest;
pub mod mean;
pub mod pacer;
pub mod probing;
pub mod reliable;
pub mod sliding;
pub mod stamped;
pub mod tcp;
pub mod timer;
