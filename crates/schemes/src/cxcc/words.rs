//! What only CXCC says.

use multihop_core::Word;

/// 4.2: what has been overheard meanwhile need not be sent.
pub static WITHDRAWN: Word =
    Word { name: "withdrawn", about: "a transmission that had become needless was taken back" };

/// 5.2: the frame of a request for acknowledgment.
pub static REQUEST: Word =
    Word { name: "rfa", about: "a hop protocol asks whether a packet has arrived" };

/// A later frame of the next hop has acknowledged a packet.
pub static ECHOED: Word = Word {
    name: "echoed",
    about: "a frame of the next hop named a packet that it had passed on: that acknowledges the packet",
};

/// A frame of the next hop has said that a packet waits there.
pub static ECHO_HELD: Word = Word {
    name: "echo_held",
    about: "a frame of the next hop named a packet that waits there: the sender waits longer, too",
};
