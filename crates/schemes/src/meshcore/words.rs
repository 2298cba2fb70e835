//! What MeshCore says beside the common words.

use multihop_core::Word;

/// A node has learned on which path it reaches another one.
pub static PATH_LEARNED: Word = Word {
    name: "path_learned",
    about: "a node has learned the path of relays on which direct messages reach another node",
};

/// A repeater stands in the path of a flood too often.
pub static LOOP_DETECTED: Word = Word {
    name: "loop_detected",
    about: "a repeater did not relay a flood, because the path had its own hash too often",
};

/// A flood has gone as far as it may.
pub static FLOOD_LIMITED: Word = Word {
    name: "flood_limited",
    about: "a repeater did not relay a flood, because it had come over as many hops as a flood may, or its path had no room",
};

/// A flood is of a region that a repeater does not serve.
pub static FLOOD_DENIED: Word = Word {
    name: "flood_denied",
    about: "a repeater did not relay a flood, because it does not know its region, or relays no flood without one",
};

/// A node has no packet left for a frame.
pub static POOL_EMPTY: Word = Word {
    name: "pool_empty",
    about: "a node could not take a frame that it had received, because all packets of its pool were in use",
};

/// A repeater has given up its relay of a flood.
pub static RELAY_NEEDLESS: Word = Word {
    name: "relay_needless",
    about: "a repeater gave up its relay of a flood, because it had heard enough other copies",
};

/// A repeater has relayed as long as it may.
pub static RELAY_REFUSED: Word = Word {
    name: "relay_refused",
    about: "a repeater did not relay a packet, because its relays had taken their share of the hour",
};

/// An advert says more than there is room for.
pub static ADVERT_TOO_LONG: Word =
    Word { name: "advert_too_long", about: "an advert had more than 32 B for name and place" };
