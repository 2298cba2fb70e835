//! MeshCore: repeaters that relay each flood once, after a random wait, and direct messages along the path that an
//! acknowledgment has brought back.
//!
//! The firmware `meshcore-dev/MeshCore`, dev 9d7cee66 (2026-08-22). Nothing of its code is here. [`firmware`] has its
//! numbers, by name and file.
//!
//! | rule | in the code | firmware |
//! |---|---|---|
//! | frames, and their lengths | `header`, `path` | `Packet.h`, `Mesh.cpp` |
//! | a flood once each, own hash behind the path, limits, loops | `heard`, `seen` | `Mesh.cpp`, `RoutingPolicy.h`, `simple_repeater` |
//! | waits before a relay, and before a flood is looked at | `settings`, `heard` | `MyMesh.cpp`, `Dispatcher.cpp` |
//! | floods of regions | `heard`, `settings` | `MyMesh.cpp`, `RegionMap.cpp` |
//! | order of frames, pool of packets | `queue`, `hop` | `StaticPoolPacketManager.cpp` |
//! | direct messages: paths, acknowledgments, repetitions | `direct`, `contacts`, `pending` | `BaseChatMesh.cpp`, `companion_radio` |
//!
//! `proposals` has what developers have proposed, each as a parameter that is off by default.
//!
//! When a station sends that waits is the affair of the MAC: retries while it receives, a transmission in any case after
//! 4 s, the air budget.
//!
//! # What differs from the firmware
//!
//! - *Nothing is encrypted.* Payloads are as long as if they were. A node is told by its address and not by the first byte
//!   of its key, so that no packet is for two nodes; relays are told by hashes as in the firmware.
//! - *Roles.* A repeater may send and receive texts as a companion does. Companions relay nothing (`client_repeat` is off).
//! - *There is one region*, which a repeater knows or not, and no denied one. Codes are not computed.
//! - *The app* repeats a text [`ATTEMPTS`] times, and floods it after [`FLOOD_AFTER`] of them. It is not in the firmware.
//! - *Adverts* are flows of the class announcement. Nobody needs one: all nodes know each other's keys.
//! - *A path has 63 hops at most*, as its length has six bits. The firmware's limits allow a 64th.
//! - *Times are exact*, but for the waits of relays and of held floods, which are whole ms. The firmware's clock has ms.
//! - Requests, logins, traces, multipart acknowledgments (`multi_acks`, off by default) and bridges are missing.

mod awaited;
mod budget;
mod busy;
mod contacts;
mod direct;
mod echo;
pub mod firmware;
mod header;
mod heard;
mod hop;
mod neighbours;
mod overheard;
mod parameters;
mod path;
mod pending;
mod proposals;
mod queue;
mod redundancy;
mod seen;
mod settings;
pub mod words;

use multihop_core::{
    Capability, Counter, Counts, EventKind, Forwarding, Plot, Scheme, Vocabulary, While, Word,
};

use crate::parts::datagram::{self, Datagram};
pub use header::{FORMAT, Header, Kind, MESHCORE, RETURN, RETURN_FORMAT, Return};
use hop::MeshCore;
pub use parameters::{
    ACK_SIZE, ATTEMPTS, DIRECT_TXDELAY, FLOOD_ADVERTS, FLOOD_AFTER, FLOOD_MAX, FLOOD_MAX_ADVERT,
    FLOOD_MAX_UNSCOPED, KEYS, KNOWS_REGION, LOOP_DETECT, LoopDetect, NOISE_FLOOR, PATH_HASH, POOL,
    RELAYS_UNSCOPED, ROLE, RXDELAY, Role, SCOPED, SENDER_NAME, SNR_THRESHOLD, TXDELAY,
};
pub use path::{Key, Path};
pub use proposals::{
    AUTOTUNE, BUSY_TRACKER, ECHO_WAIT, FLOOD_SHARE, REDUNDANCY, REDUNDANCY_ADAPTS,
    REDUNDANCY_STRONG, REDUNDANCY_WEAK, RELAY_ATTEMPTS, RELAY_SHARE,
};
use words::{
    ADVERT_TOO_LONG, FLOOD_DENIED, FLOOD_LIMITED, LOOP_DETECTED, PATH_LEARNED, POOL_EMPTY,
    RELAY_NEEDLESS, RELAY_REFUSED,
};

const fn counter(name: &'static str, about: &'static str, word: &'static Word) -> Counter {
    Counter { name, unit: "", about, counts: Counts::Events(EventKind::Declared(word)) }
}

/// What only repeaters use.
const RELAYS: (&str, While) = (ROLE.name, While::Choice("repeater"));

/// MeshCore.
pub static SCHEME: Scheme = Scheme {
    name: "meshcore",
    title: "MeshCore",
    paper: "MeshCore firmware, dev 9d7cee66 (2026-08-22)",
    plot: Plot { color: "#a0522d", marker: "_" },
    counters: &[
        counter(
            "paths_learned",
            "how often a returned path told a node on which relays it reaches another one",
            &PATH_LEARNED,
        ),
        Counter {
            name: "texts_acknowledged",
            unit: "",
            about: "how often a node got the acknowledgment of a text that it waited for",
            counts: Counts::Events(EventKind::ExplicitAcknowledgment),
        },
        counter(
            "loops_detected",
            "how often a repeater did not relay a flood, because its own hash was in the path too often",
            &LOOP_DETECTED,
        ),
        counter(
            "floods_limited",
            "how often a repeater did not relay a flood, because it had come far enough",
            &FLOOD_LIMITED,
        ),
        counter(
            "floods_denied",
            "how often a repeater did not relay a flood, because it does not know its region, or relays none without one",
            &FLOOD_DENIED,
        ),
        counter(
            "pool_empty",
            "how often a node could not take a frame, because all packets of its pool were in use",
            &POOL_EMPTY,
        ),
        counter(
            "relays_refused",
            "how often a repeater did not relay a packet, because its relays had taken their share of the hour",
            &RELAY_REFUSED,
        ),
    ],
    words: &[
        Vocabulary::Event(&PATH_LEARNED),
        Vocabulary::Event(&LOOP_DETECTED),
        Vocabulary::Event(&FLOOD_LIMITED),
        Vocabulary::Event(&FLOOD_DENIED),
        Vocabulary::Event(&POOL_EMPTY),
        Vocabulary::Cause(&ADVERT_TOO_LONG),
        Vocabulary::Event(&RELAY_NEEDLESS),
        Vocabulary::Cause(&RELAY_NEEDLESS),
        Vocabulary::Event(&RELAY_REFUSED),
    ],
    headers: &[&FORMAT, &RETURN_FORMAT],
    does_itself: &[],
    requires: &[Capability::Withdrawal],
    forwarding: Forwarding::Flood,
    heeds_class: true,
    params: &[
        ROLE.param(),
        TXDELAY.param().only_while(RELAYS.0, RELAYS.1),
        DIRECT_TXDELAY.param().only_while(RELAYS.0, RELAYS.1),
        RXDELAY.param(),
        SNR_THRESHOLD.param().only_while(RXDELAY.name, While::Above(0.0)),
        NOISE_FLOOR.param(),
        FLOOD_MAX.param().only_while(RELAYS.0, RELAYS.1),
        FLOOD_MAX_UNSCOPED.param().only_while(RELAYS.0, RELAYS.1),
        FLOOD_MAX_ADVERT.param().only_while(RELAYS.0, RELAYS.1),
        LOOP_DETECT.param().only_while(RELAYS.0, RELAYS.1),
        PATH_HASH.param(),
        SCOPED.param(),
        KNOWS_REGION.param().only_while(RELAYS.0, RELAYS.1),
        RELAYS_UNSCOPED.param().only_while(RELAYS.0, RELAYS.1),
        ATTEMPTS.param(),
        FLOOD_AFTER.param().only_while(ATTEMPTS.name, While::Above(1.0)),
        FLOOD_ADVERTS.param(),
        SENDER_NAME.param(),
        ACK_SIZE.param(),
        POOL.param().or("32, or 16 at a companion"),
        KEYS.param().or("1"),
        REDUNDANCY.param().only_while(RELAYS.0, RELAYS.1),
        REDUNDANCY_WEAK
            .param()
            .only_while(REDUNDANCY.name, While::Above(0.0))
            .at_most(REDUNDANCY_STRONG.name),
        REDUNDANCY_STRONG.param().only_while(REDUNDANCY.name, While::Above(0.0)),
        REDUNDANCY_ADAPTS.param().only_while(REDUNDANCY.name, While::Above(0.0)),
        RELAY_ATTEMPTS.param().only_while(RELAYS.0, RELAYS.1),
        ECHO_WAIT.param().only_while(RELAY_ATTEMPTS.name, While::Above(1.0)),
        RELAY_SHARE.param().only_while(RELAYS.0, RELAYS.1),
        FLOOD_SHARE.param().only_while(RELAYS.0, RELAYS.1),
        AUTOTUNE.param(),
        BUSY_TRACKER.param().only_while(RELAYS.0, RELAYS.1).needing(true, Capability::AirTime),
    ],
    hop: &|params| Box::new(MeshCore::new(params)),
    transport: &|_, flow, _| Box::new(Datagram::new(flow)),
    carries: datagram::carries,
};
