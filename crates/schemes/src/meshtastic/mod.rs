//! Meshtastic: floods that suppress themselves, with roles, acknowledgments by overhearing, and direct messages over next
//! hops that acknowledgments have shown.
//!
//! The firmware of the `LoRa` mesh of this name, develop 77540685 (2026-07-24), and its community's simulator
//! Meshtasticator, a304b7d (2026-03-25). Nothing of their code is here. [`firmware`] has their numbers, by name and file.
//!
//! | rule | in the code | firmware |
//! |---|---|---|
//! | waits by utilisation and signal | `contention` | `RadioInterface.cpp` |
//! | order of frames | `queue` | `MeshPacketQueue.cpp` |
//! | what was heard before | `history` | `PacketHistory.cpp` |
//! | relays, and what keeps a node from them | `flood` | `FloodingRouter.cpp`, `NextHopRouter.cpp` |
//! | repetitions until somebody relays or acknowledges | `pending`, `hop` | `NextHopRouter.cpp`, `ReliableRouter.cpp` |
//! | direct messages | `direct`, `nodes`, `health` | `ReliableRouter.cpp`, `NextHopRouter.cpp` |
//! | copies by the rules of the simulator | `meshtasticator` | - |
//! | favourites | `favourites` | `FloodingRouter.cpp`, `Router.cpp` |
//! | custody of floods: a proposal of this project, off by default | `custody` | - |
//! | how far periodic messages go | `scaling` | `HopScalingModule.cpp` |
//! | limits of periodic messages | `airtime` | `airtime.cpp`, `Router.cpp` |
//!
//! Texts are repeated; announcements and reports ([`TrafficClass`](multihop_core::TrafficClass)) are not, and are skipped
//! while the channel is busy. What the radio does with slots, channel activity detection and redrawn waits is the
//! affair of the MAC, which takes the windows that this scheme asks for.
//!
//! # What differs from the firmware
//!
//! - *A frame that a packet of higher priority overtakes* comes back from the MAC, and the wait is drawn anew. The firmware
//!   keeps its timer.
//! - *The window of an own frame* is that of the utilisation when the MAC gets it. The firmware computes it anew with
//!   each wait.
//! - *The late window* begins where the firmware's does; receptions within it do not move it further.
//! - *Air time counts* when it passes. The firmware books a frame when it ends.
//! - *A fall-back to flooding*: a node that was not the next hop relays the flooded copy, unless it has before.
//! - *Texts that wait for an acknowledgment* are 16 at most, and one more is lost. The firmware's pool of packets bounds them.
//! - *Favourites* are numbers of addresses. Which of them are routers the scenario says, where the firmware learns it of their announcements.
//! - *A tracker's reports* are all positions. The firmware skips its telemetry as that of other nodes.
//! - *Hop scaling* of 2026-09 is off by default. Periodic messages are flows: `traffic.kind = "meshtastic"` makes those of the firmware.
//! - *Rules of Meshtasticator*: a wait that is drawn anew because the medium is busy has the window of the copy that was
//!   the last when the packet's turn came, not of the last at all. `queue_limit` holds, where it has no limit.

mod airtime;
mod contention;
mod custody;
mod direct;
mod favourites;
pub mod firmware;
mod flood;
mod header;
mod health;
mod history;
mod hop;
mod meshtasticator;
mod nodes;
mod parameters;
mod pending;
mod queue;
mod recent;
mod scaling;
mod settings;
pub mod words;

use multihop_core::{
    Capability, Counter, Counts, EventKind, Forwarding, Plot, Scheme, Vocabulary, While,
};

use crate::parts::datagram::{self, Datagram};
pub use header::{ACKNOWLEDGMENT_FORMAT, Acknowledgment, FORMAT, Header, MESHTASTIC, ROUTING};
use hop::Meshtastic;
pub use parameters::{
    ATTEMPTS, COMMON_LIST, CUSTODY, DIRECT_ATTEMPTS, DUPLICATES, DUTY_CYCLE, EARLY_FLOOD,
    FAVOURITE_ROUTERS, FAVOURITES, HISTORY, HOP_LIMIT, HOP_SCALING, IMPLICIT_DIRECT, NEXT_HOPS,
    NOISE_FLOOR, QUEUE, RELAY_ATTEMPTS, RELAY_OFFSET, ROLE, RULES, Role, Rules, SCALING_ENGAGE,
    SCALING_RELEASE, SLOT, SNR_CEILING, Scaling,
};
use words::{NEXT_HOP, SKIPPED, SUPPRESSED};

/// What a parameter is by default that Meshtasticator has, too.
const BY_RULES: &str = "3, or 4 by the rules of Meshtasticator";

/// Meshtastic.
pub static SCHEME: Scheme = Scheme {
    name: "meshtastic",
    title: "Meshtastic",
    paper: "Meshtastic firmware, develop 77540685 (2026-07-24)",
    plot: Plot { color: "#4f8a3c", marker: "|" },
    counters: &[
        Counter {
            name: "relays_cancelled",
            unit: "packets",
            about: "how often a node gave up its relay, because it heard another one or an acknowledgment",
            counts: Counts::Events(EventKind::Declared(&SUPPRESSED)),
        },
        Counter {
            name: "next_hops_learned",
            unit: "",
            about: "how often an acknowledgment showed a node by which neighbour it reaches another one",
            counts: Counts::Events(EventKind::Declared(&NEXT_HOP)),
        },
    ],
    words: &[
        Vocabulary::Event(&SUPPRESSED),
        Vocabulary::Cause(&SUPPRESSED),
        Vocabulary::Cause(&SKIPPED),
        Vocabulary::Cause(&words::DUTY_CYCLE),
        Vocabulary::Event(&NEXT_HOP),
    ],
    headers: &[&FORMAT, &ACKNOWLEDGMENT_FORMAT],
    does_itself: &[],
    requires: &[Capability::Withdrawal, Capability::AirTime, Capability::FirstSlot],
    forwarding: Forwarding::Flood,
    heeds_class: true,
    params: &[
        ROLE.param(),
        RULES.param(),
        HOP_LIMIT.param(),
        ATTEMPTS.param().or(BY_RULES),
        DIRECT_ATTEMPTS.param().or(BY_RULES),
        RELAY_ATTEMPTS.param().only_while(NEXT_HOPS.name, While::Switch(true)),
        NEXT_HOPS.param().only_while(RULES.name, While::Choice("firmware")),
        EARLY_FLOOD.param().only_while(NEXT_HOPS.name, While::Switch(true)),
        IMPLICIT_DIRECT.param(),
        FAVOURITES.param().only_while(ROLE.name, While::Choice("client_base")),
        FAVOURITE_ROUTERS.param().only_while(RULES.name, While::Choice("firmware")),
        COMMON_LIST
            .param()
            .only_while(RULES.name, While::Other("firmware"))
            .needing(true, Capability::CommonList),
        QUEUE.param(),
        HISTORY.param(),
        SLOT.param(),
        NOISE_FLOOR.param(),
        SNR_CEILING.param(),
        DUTY_CYCLE.param(),
        HOP_SCALING.param(),
        SCALING_ENGAGE.param().only_while(HOP_SCALING.name, While::Choice("gated")),
        SCALING_RELEASE
            .param()
            .only_while(HOP_SCALING.name, While::Choice("gated"))
            .at_most(SCALING_ENGAGE.name),
        RELAY_OFFSET.param().only_while(ROLE.name, While::Choice("client")),
        CUSTODY.param(),
        DUPLICATES.param().only_while(CUSTODY.name, While::Switch(true)),
    ],
    hop: &|params| Box::new(Meshtastic::new(params)),
    transport: &|_, flow, _| Box::new(Datagram::new(flow)),
    carries: datagram::carries,
};
