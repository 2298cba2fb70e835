//! What only CXCC says.

use multihop_core::Word;

/// 4.2: what has been overheard meanwhile need not be sent.
pub static WITHDRAWN: Word =
    Word { name: "withdrawn", about: "a transmission that had become needless was taken back" };

/// 5.2: the frame of a request for acknowledgment.
pub static REQUEST: Word =
    Word { name: "rfa", about: "a hop protocol asks whether a packet has arrived" };
