//! What only WXCP says.

use multihop_core::Word;

/// WXCP 3.4.
pub static LOSS_DISCOVERY: Word = Word {
    name: "loss_discovery",
    about: "a sender with a small window misses acknowledgments, and puts more packets on their way",
};
