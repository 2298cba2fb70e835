//! What can be set.

use multihop_core::{
    Alternative, Choice, Count, Dimension, Duration, Measure, Number, Numbers, Span, Switch,
};

use super::firmware::{
    HOP_MAX, HOP_RELIABLE, MAX_TX_QUEUE, NUM_INTERMEDIATE_RETX, NUM_RELIABLE_RETX,
};

/// The last address behind 10.0.0.0 that a node may have.
const LAST_NODE: u32 = 0x00FF_FFFE;

/// What a node does for others: `Config.DeviceConfig.Role`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It relays unless it hears another relay.
    Client,
    /// It relays nothing.
    ClientMute,
    /// It relays everything, before all others.
    Router,
    /// It relays everything, and after all others if it hears another relay.
    RouterLate,
    /// A router that reads no messages.
    Repeater,
    /// A client at a good place.
    ClientBase,
    /// A client that moves, and says where it is.
    Tracker,
    /// A client that reports readings.
    Sensor,
}

impl Role {
    /// Whether it relays.
    pub(super) const fn relays(self) -> bool {
        !matches!(self, Role::ClientMute)
    }

    /// Whether it relays in the window before all others.
    pub(super) const fn goes_first(self) -> bool {
        matches!(self, Role::Router | Role::Repeater)
    }

    /// Whether another relay keeps it from its own.
    pub(super) const fn is_cancelled(self) -> bool {
        !matches!(self, Role::Router | Role::RouterLate | Role::Repeater)
    }

    /// Whether its place changes, and others relay better.
    pub(super) const fn is_mobile(self) -> bool {
        matches!(self, Role::Client)
    }

    /// Whether its reports are positions that others wait for: they go at the use of the channel at which announcements do
    /// (`airtime.cpp`).
    pub(super) const fn reports_positions(self) -> bool {
        matches!(self, Role::Tracker)
    }

    /// Hop scaling lets its announcements and reports go at least so far (`runOnce`).
    pub(super) const fn least_hops(self) -> u8 {
        match self {
            Role::Router | Role::RouterLate | Role::ClientBase => 3,
            Role::Tracker => 2,
            Role::Sensor => 1,
            Role::Client | Role::ClientMute | Role::Repeater => 0,
        }
    }
}

/// How far a node's own announcements and reports go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// As far as texts.
    Off,
    /// No farther than enough nodes are.
    Always,
    /// The same while the channel is congested.
    Gated,
}

/// Whose rules hold where they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The firmware's.
    Firmware,
    /// Those of the simulator Meshtasticator.
    Meshtasticator,
    /// Meshtasticator's with the firmware's windows.
    MeshtasticatorCorrected,
}

impl Rules {
    /// Whether they are of the simulator.
    pub(super) const fn is_simulator(self) -> bool {
        !matches!(self, Rules::Firmware)
    }
}

/// The role of a node.
pub const ROLE: Choice<Role> = Choice {
    name: "role",
    about: "What the node does for others",
    among: &[
        Alternative { name: "client", about: "It relays unless it hears another relay first" },
        Alternative { name: "client_mute", about: "It relays nothing" },
        Alternative { name: "router", about: "It relays everything, before all others" },
        Alternative {
            name: "router_late",
            about: "It relays everything, after all others if it hears another relay first",
        },
        Alternative {
            name: "repeater",
            about: "A router that reads no messages: it knows only whether one asks for an acknowledgment",
        },
        Alternative {
            name: "client_base",
            about: "A client at a good place, to which relay_offset does not apply; for its favourites it relays as router_late",
        },
        Alternative {
            name: "tracker",
            about: "A client whose reports are positions: they are skipped from 40 % use of the channel on, and not from 25 %",
        },
        Alternative {
            name: "sensor",
            about: "A client that reports readings: hop scaling lets them go one hop at least",
        },
    ],
    values: &[
        Role::Client,
        Role::ClientMute,
        Role::Router,
        Role::RouterLate,
        Role::Repeater,
        Role::ClientBase,
        Role::Tracker,
        Role::Sensor,
    ],
};

/// Whose rules hold.
pub const RULES: Choice<Rules> = Choice {
    name: "rules",
    about: "Whose rules hold where they differ: those of the firmware, or those of the simulator that its community uses",
    among: &[
        Alternative { name: "firmware", about: "Those of the firmware" },
        Alternative {
            name: "meshtasticator",
            about: "Those of Meshtasticator: four attempts, no priorities, a relay is dropped when a second copy was \
                    heard, the signal of the last copy, windows from 4 slots on",
        },
        Alternative {
            name: "meshtasticator-corrected",
            about: "The same with the firmware's windows, and utilisation over a minute",
        },
    ],
    values: &[Rules::Firmware, Rules::Meshtasticator, Rules::MeshtasticatorCorrected],
};

/// The hop limit.
pub const HOP_LIMIT: Count = Count {
    name: "hop_limit",
    about: "How often what a node sends may be relayed (HOP_RELIABLE)",
    unit: "hops",
    default: HOP_RELIABLE,
    min: 0,
    max: HOP_MAX,
};

/// How often an origin sends a text.
pub const ATTEMPTS: Count = Count {
    name: "attempts",
    about: "How often a node sends a text of its own at most (NUM_RELIABLE_RETX)",
    unit: "attempts",
    default: NUM_RELIABLE_RETX,
    min: 1,
    max: 20,
};

/// How often an origin sends a direct message.
pub const DIRECT_ATTEMPTS: Count = Count {
    name: "direct_attempts",
    about: "The same for messages to one node",
    unit: "attempts",
    default: NUM_RELIABLE_RETX,
    min: 1,
    max: 20,
};

/// How often a relay sends what names its next hop.
pub const RELAY_ATTEMPTS: Count = Count {
    name: "relay_attempts",
    about: "How often a relay sends a direct message for which it knows the next hop (NUM_INTERMEDIATE_RETX)",
    unit: "attempts",
    default: NUM_INTERMEDIATE_RETX,
    min: 1,
    max: 20,
};

/// Whether next hops are used.
pub const NEXT_HOPS: Switch = Switch {
    name: "next_hops",
    about: "Direct messages name the neighbour that is to relay them, once an acknowledgment has shown it; off, they are \
            always flooded",
    default: true,
};

/// Whether an unproven next hop is given up earlier.
pub const EARLY_FLOOD: Switch = Switch {
    name: "early_flood",
    about: "A direct message is flooded from its second attempt on if the route has failed lately or is not known to work \
            (NEXTHOP_EARLY_FLOOD_ON_UNVERIFIED); off, its last attempt is",
    default: false,
};

/// Whether an overheard relay ends the repetitions of a direct message.
pub const IMPLICIT_DIRECT: Switch = Switch {
    name: "implicit_direct",
    about: "A relay that its source overhears ends the repetitions of a direct message, too \
            (ReliableRouter.cpp, shouldFilterReceived); off, only its acknowledgment does",
    default: true,
};

/// Its favourites.
pub const FAVOURITES: Numbers = Numbers {
    name: "favourites",
    about: "Nodes, by their addresses behind 10.0.0.0, which are their numbers from 0 on: a client_base gives up no relay of \
            what comes from one or goes to one, and sends it in the late window if it hears another relay",
    max: LAST_NODE,
};

/// Those of them that are routers.
pub const FAVOURITE_ROUTERS: Numbers = Numbers {
    name: "favourite_routers",
    about: "Such favourites that are router, router_late or client_base: what a node of these roles relays after one of them, \
            from the second hop on, takes no hop off the limit (Router.cpp, shouldDecrementHopLimit)",
    max: LAST_NODE,
};

/// Meshtasticator's list.
pub const COMMON_LIST: Switch = Switch {
    name: "common_list",
    about: "A node repeats no text of which any node that relays it has heard a further copy: in Meshtasticator all nodes \
            share one list, and nothing on the air says so",
    default: false,
};

/// The queue.
pub const QUEUE: Count = Count {
    name: "queue_limit",
    about: "Packets that wait to be sent, that in the MAC included (MAX_TX_QUEUE)",
    unit: "packets",
    default: MAX_TX_QUEUE,
    min: 1,
    max: 1_000_000,
};

/// The history.
pub const HISTORY: Count = Count {
    name: "history",
    about: "Packets of which a node remembers that it has heard them (PACKETHISTORY_MAX): two for each node that it may \
            know",
    unit: "packets",
    default: 200,
    min: 100,
    max: 100_000,
};

/// The slot.
pub const SLOT: Span = Span {
    name: "slot",
    about: "The MAC's slot, for the time after which a packet is sent again and for the late window; that of LongFast",
    bare_unit: "",
    default: Duration::from_millis(28),
    min: Duration::from_nanos(1),
    max: Duration::from_millis(60_000),
};

/// The noise.
pub const NOISE_FLOOR: Measure = Measure {
    name: "noise_floor",
    about: "Noise at the receiver, from which a signal-to-noise ratio follows; that of 250 kHz and a noise figure of 6 dB",
    dimension: Dimension::Signal,
    default: -114.0,
    min: -200.0,
    max: 0.0,
};

/// The largest reading of a radio.
pub const SNR_CEILING: Measure = Measure {
    name: "snr_ceiling",
    about: "The signal-to-noise ratio at which the readings of radios end; the windows of relays grow with it without bound",
    dimension: Dimension::Level,
    default: 10.0,
    min: -20.0,
    max: 60.0,
};

/// The duty cycle.
pub const DUTY_CYCLE: Number = Number {
    name: "duty_cycle",
    about: "Share of an hour in which a node may send; above it it sends nothing, above half of it no announcement and no \
            report (Router.cpp, send; airtime.cpp)",
    unit: "",
    default: 1.0,
    min: 0.0,
    max: 1.0,
};

/// Hop scaling.
pub const HOP_SCALING: Choice<Scaling> = Choice {
    name: "hop_scaling",
    about: "How far a node's own announcements and reports go (HopScalingModule.cpp)",
    among: &[
        Alternative { name: "off", about: "hop_limit, as texts" },
        Alternative {
            name: "always",
            about: "No farther than 40 nodes are, as before pull request 11826",
        },
        Alternative {
            name: "gated",
            about: "The same while the channel is congested, as of 2026-09; later a hop more each hour",
        },
    ],
    values: &[Scaling::Off, Scaling::Always, Scaling::Gated],
};

const fn used(name: &'static str, about: &'static str, default: f64) -> Number {
    Number { name, about, unit: "", default, min: 0.0, max: 1.0 }
}

/// When the channel is congested.
pub const SCALING_ENGAGE: Number = used(
    "scaling_engage",
    "From this mean use of the channel on it is congested, after three looks every 5 min (CONGESTION_ENGAGE_PCT)",
    0.20,
);

/// When it is no longer.
pub const SCALING_RELEASE: Number =
    used("scaling_release", "Down to this it stays so (CONGESTION_RELEASE_PCT)", 0.12);

/// The later window of mobile nodes.
pub const RELAY_OFFSET: Count = Count {
    name: "relay_offset",
    about: "Slots that a client waits before it relays, besides all others: routers, client_base and router_late wait none \
            of them (proposed in issue 10687)",
    unit: "slots",
    default: 0,
    min: 0,
    max: 4_096,
};

/// Custody of floods.
pub const CUSTODY: Switch = Switch {
    name: "flood_custody",
    about: "A node's next text to everyone waits until its last one was relayed twice, and its announcements and reports \
            wait for a calm channel (this project's proposal, after CXCC)",
    default: false,
};

/// How many duplicates a calm channel carries.
pub const DUPLICATES: Number = used(
    "duplicates",
    "Announcements and reports wait while a greater share of the air time that was received carried duplicates",
    0.75,
);
