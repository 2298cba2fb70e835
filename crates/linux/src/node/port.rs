//! What a radio says to its node, whatever it is.

use multihop_core::AirTime;

use crate::ether::message::{Done, Reception};

/// What a radio says.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// It is on.
    On {
        /// So many seconds of the machine are a second of the medium.
        time_scale: f64,
    },
    /// It is gone.
    Lost,
    /// There is none for this node.
    Refused(String),
    /// The frame is done with.
    Done(Done),
    /// A frame was decoded.
    Heard(Reception),
    /// It has received a frame that is none of multihop's.
    Foreign,
    /// The frame that it had was lost before it was on the air.
    NotTaken,
    /// How it has spent its time.
    Air(AirTime),
}
