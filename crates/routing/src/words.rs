//! What only routing protocols say, beside the searches and errors that all of them have.

use multihop_core::Word;

/// A route is repaired from where it broke.
pub static LOCAL_REPAIR: Word =
    Word { name: "local_repair", about: "routing repairs a route from where it broke" };
